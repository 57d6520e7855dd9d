#pragma once
typedef struct { int id; const char *name; } p_node;
typedef int (*p_callback)(p_node *node, int round, void *user);
int p_run(p_node *node, p_callback callback, void *user);
int p_set(p_node *node, const char *name);
const p_node *p_months(void);
int p_next(p_node *month);
