typedef struct p_node p_node;
typedef struct {
    int a, b;
} p_pair;
typedef union {
    long number;
    p_node *node;
    double d;
    p_pair pair;
} p_value;
struct p_node {
    int id;
    p_node *next;
    int kind;
    p_value value;
};
p_node *p_nodes(void);
void p_keep(p_node *nodes);
int p_set(p_node *node, int kind);
int p_link(p_node *node);
