typedef struct p_tree p_tree;
typedef union {
    p_tree *n;
    unsigned long long k;
} p_u;
struct p_tree {
    int op;
    p_u u;
    p_tree *next;
};
p_tree *p_make(int depth);
void p_free(p_tree *tree);
int *p_numbers(int at);
