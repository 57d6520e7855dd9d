typedef struct p_node {
    int n;
    void *other;
    struct p_node *left, *right;
} p_node;
typedef struct p_list p_list;
p_node *p_tree(int depth);
int p_check(void);
p_list *p_keep(p_node *first);
int p_follow(p_list *list);
void p_free(p_list *list);
