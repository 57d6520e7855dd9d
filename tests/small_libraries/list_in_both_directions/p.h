typedef struct p_node { struct p_node *next, *prev; int v; } p_node;
p_node *p_make(int count);
int p_sum(const p_node *node);
