typedef struct p_node {
    int id;
    struct p_node *next;
} p_node;
typedef struct {
    p_node *head, *last;
    int count;
} p_stack;

int p_push(p_stack *stack, p_node *node);
int p_push_locked(p_stack *stack, p_node *node);
int p_sum(p_stack *stack);
