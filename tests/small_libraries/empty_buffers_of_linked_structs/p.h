#ifndef P_H
#define P_H
typedef struct p_node {
    struct p_node *peer;
    const char *data;
    int count;
} p_node;
int p_begin(const p_node *nodes);
int p_sum(const p_node *nodes);
#endif
