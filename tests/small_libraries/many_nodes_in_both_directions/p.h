typedef struct p_node { struct p_node *next, *prev; int v; } p_node;
int p_append(p_node *ring, p_node *node);
int p_sum(p_node *ring);
