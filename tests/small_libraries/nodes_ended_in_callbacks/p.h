typedef struct p_node {
    int id;
    struct p_node *next;
} p_node;
typedef void (*p_visit)(p_node *node, void *user);

int p_each(p_node *head, p_visit visit, void *user);
int p_push(p_node *head, p_node *node);
int p_pop(p_node *head);
int p_release(p_node *node);
