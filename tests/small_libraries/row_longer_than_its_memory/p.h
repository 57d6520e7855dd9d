#pragma once
typedef struct { int count; int *row; } p_node;
typedef int (*p_callback)(p_node *node, int round, void *user);
int p_run(p_node *node, p_callback callback, void *user);
