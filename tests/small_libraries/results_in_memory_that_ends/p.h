#pragma once
typedef struct {
    int count, total;
} p_counter;
typedef struct p_store p_store;
int p_begin(p_counter *counter);
int p_add(p_counter *counter, int value);
int p_end(p_counter *counter);
p_store *p_open(void);
int p_keep(p_store *store, char *bytes, int n);
int p_fill(char *bytes, int n);
int p_close(p_store *store);
