typedef struct p_node p_node;
struct p_node {
    int number;
    p_node *next;
    p_node *other;
};
void p_keep(p_node *nodes, int count);
int p_unlink(p_node *before);
int p_replace(p_node *before, int by);
int p_sum(p_node *first);
p_node *p_nodes(void);
void p_keep_text(char *text);
void p_append(const char *more);
int p_length(char *text);
