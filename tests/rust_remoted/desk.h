#ifndef DESK_H
#define DESK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef struct desk_counter *desk_counter;
typedef struct desk_point { int x; int y; } desk_point;
typedef struct desk_field { desk_point low; desk_point high; unsigned char tag; } desk_field;
typedef struct desk_row { unsigned n; const int *cells; } desk_row;
typedef int (*desk_visit)(int value, void *user);
typedef int (*desk_compare)(const int *a, const int *b);
int desk_add(int a, int b);
double desk_mixed(int8_t small, uint64_t wide, bool flag, double real, unsigned colour);
int64_t desk_sum(const int *values, unsigned n);
int desk_fill(int *to, unsigned rows, unsigned columns, int first);
int desk_scale(double *values, size_t n, double by);
int desk_copy(const uint8_t *from, uint8_t *to, size_t n);
int desk_greet(const char *name, char *to, size_t room);
int desk_length(const char *text);
int desk_grow(desk_field *field, int by);
desk_point desk_corner(desk_field field);
int desk_maybe(int *to, const int *from);
int desk_first4(const int *values);
desk_counter desk_open(int start);
int desk_count(desk_counter counter, int by);
int desk_close(desk_counter counter);
int desk_twins(desk_counter *made, int start);
int desk_each(const int *values, unsigned n, desk_visit visit, void *user);
int desk_perhaps(desk_visit visit, void *user, int value);
int desk_sort(int *values, size_t n, desk_compare compare);
int desk_watch(desk_counter counter, desk_visit visit, void *user);
int desk_wake(desk_counter counter, int value);
int desk_later(desk_counter counter, int by);
int desk_total(const desk_row *rows, unsigned n);
int desk_check(int code);
int desk_bounded(int n);
int desk_process(void);
int desk_odd(int n);
#endif
