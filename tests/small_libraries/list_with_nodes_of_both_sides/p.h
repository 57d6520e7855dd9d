typedef struct p_node p_node;
struct p_node {
    int id;
    p_node *next, *previous;
};
void p_keep(p_node *node);
p_node *p_borrow(int at);
int p_sum(p_node *first);
int p_move(p_node *first, int from, int behind);
int p_unlink(p_node *first, p_node *node);
