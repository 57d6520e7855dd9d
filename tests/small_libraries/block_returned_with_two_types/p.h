typedef struct {
    int x, y;
    const char *name;
} p_item;
p_item *p_get(void);
int *p_numbers(void);
int p_sum(p_item *item);
