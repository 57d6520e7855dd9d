typedef struct p_node {
    int id;
    struct p_node *first, *next;
} p_node;
typedef int (*p_visit)(p_node *root, p_node *node, void *user);

int p_add(p_node *parent, p_node *node);
int p_remove(p_node *parent, p_node *node);
int p_release(p_node *node);
int p_walk(p_node *root, p_visit visit, void *user);
