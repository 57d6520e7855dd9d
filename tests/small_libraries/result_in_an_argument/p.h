typedef struct {
    const char *name;
    long number;
} p_item;
long *p_number(p_item *item);
int p_length(const char *text);
