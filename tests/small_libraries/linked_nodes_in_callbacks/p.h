#pragma once
typedef struct p_node {
    int value;
    struct p_node *next, *other;
} p_node;
typedef int (*p_visit)(p_node *node, void *user);
typedef struct p_person {
    int age;
    struct p_person *boss;
} p_person;
typedef int (*p_compare)(const p_person *a, const p_person *b, void *user);
int p_walk(p_node *head, p_visit visit, void *user);
int p_add(p_node *node, int by);
void p_swap_first(p_person *persons, int n, p_compare compare, void *user);
