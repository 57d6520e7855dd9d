#ifndef ARGUMENTS_H
#define ARGUMENTS_H
#include <stddef.h>
typedef int (*arguments_map_function)(int value);
typedef struct arguments_node { int value; const struct arguments_node *next; } arguments_node;
int arguments_name(char *buffer, size_t room, size_t *length);
int arguments_both(int *first, int *second);
int arguments_pull(unsigned char *to, size_t *n);
int arguments_map(int value, arguments_map_function map);
int arguments_sum(const arguments_node *list);
typedef struct arguments_reader { int (*read)(void *user, int n); } arguments_reader;
int arguments_run(arguments_reader reader, void *user, int n);
int arguments_run_at(const arguments_reader *reader, void *user, int n);
#endif
