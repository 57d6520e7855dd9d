#pragma once
typedef struct { int count; int *row; } p_node;
typedef int (*p_callback)(p_node *node, int round, void *user);
int p_run(p_node *node, p_callback callback, void *user);
int p_set(p_node *node, int *row, int count);
int p_use(p_node *node, int count);
