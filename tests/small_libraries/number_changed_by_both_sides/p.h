typedef struct p_item { char kind; short few; int many; double rate; } p_item;
int *p_counter(void);
p_item *p_items(void);
void p_add(int by);
int p_sum(const p_item *items);
