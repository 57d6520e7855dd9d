#pragma once
typedef struct p_node {
    int value;
    struct p_node *next;
} p_node;
typedef int (*p_remove)(p_node *node, void *user);
typedef int (*p_stop)(int round, void *user);
typedef struct p_stream p_stream;
int p_drop(p_node *head, p_remove remove, void *user);
int p_drop_all(p_node *head, p_remove remove, void *user);
p_stream *p_open(void);
int p_read(p_stream *stream, char *bytes, int n, p_stop stop, void *user);
int p_cancel(p_stream *stream);
int p_close(p_stream *stream);
