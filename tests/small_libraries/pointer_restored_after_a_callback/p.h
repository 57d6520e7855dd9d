typedef struct p_item p_item;
struct p_item {
    int id;
    int *number;
    p_item *me;
};
typedef void (*p_see)(void *context, p_item *item);
p_item *p_borrow(void);
void p_keep(p_item *item, int *numbers);
int p_run(p_item *item, int which, p_see see, void *context);
