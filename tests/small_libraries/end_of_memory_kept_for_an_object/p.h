typedef struct p_box p_box;
typedef struct {
    int value;
} p_item;
p_box *p_open(void);
void p_keep(p_box *box, p_item *item);
int p_value(p_box *box);
void p_init(p_item *item);
int p_done(p_item *item);
int p_release(void *block);
void p_close(p_box *box);
