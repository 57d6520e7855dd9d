typedef struct p_node p_node;
struct p_node { p_node *next, *prev; int n; };
p_node *p_list(int n);
int p_delete(p_node *first);
