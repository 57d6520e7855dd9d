typedef struct {
    short a;
    int b;
} p_pair;
typedef struct {
    int count;
    p_pair all[4];
    const char *name;
} p_pairs_list;
void p_keep(int *v, char *text, p_pairs_list *pairs);
int *p_numbers(void);
char *p_text(void);
p_pairs_list *p_pairs(void);
void p_push(int *v, int *n, int x);
void p_pop(int *v, int *n);
int p_sum(const int *v, const int *n);
void p_append(char *t, int c);
void p_cut(char *t);
int p_hash(const char *t);
void p_push_pair(p_pairs_list *p, int x);
void p_pop_pair(p_pairs_list *p);
int *p_items(int *count);
void p_add(int item);
int p_total(const int *items, int count);
int p_sum_pairs(p_pairs_list *p);
