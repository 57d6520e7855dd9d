typedef struct {
    int number;
    char *name;
} p_item;
p_item *p_open(void);
int p_rename(p_item *item, char *name);
int p_length(const p_item *item);
