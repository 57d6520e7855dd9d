/* The library in C. It does the same as the service in Rust. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "desk.h"
struct desk_counter { int value; desk_visit visit; void *user; };
int desk_add(int a, int b) { return a + b; }
double desk_mixed(int8_t small, uint64_t wide, bool flag, double real, unsigned colour) { return small + (double)wide + (flag ? real : 0) + colour; }
int64_t desk_sum(const int *values, unsigned n) { int64_t sum = 0; for (unsigned i = 0; i < n; i++) sum += values[i]; return sum; }
int desk_fill(int *to, unsigned rows, unsigned columns, int first) { for (unsigned i = 0; i < rows * columns; i++) to[i] = first + (int)i; return (int)(rows * columns); }
int desk_scale(double *values, size_t n, double by) { for (size_t i = 0; i < n; i++) values[i] *= by; return 0; }
int desk_copy(const uint8_t *from, uint8_t *to, size_t n) { if (!from || !to) return 1; memcpy(to, from, n); return 0; }
int desk_greet(const char *name, char *to, size_t room) { char text[64]; int n = snprintf(text, sizeof text, "hello %s", name); if ((size_t)n >= room) return -1; memset(to, 0, room); strcpy(to, text); return n; }
int desk_length(const char *text) { return text ? (int)strlen(text) : 1000; }
int desk_grow(desk_field *field, int by) { field->low.x -= by; field->low.y -= by; field->high.x += by; field->high.y += by; field->tag++; return 0; }
desk_point desk_corner(desk_field field) { return (desk_point){ field.low.x, field.high.y }; }
int desk_maybe(int *to, const int *from) { if (to) *to = from ? *from * 2 : 7; return (to != NULL) + 2 * (from != NULL); }
int desk_first4(const int *values) { return values[0] + 10 * values[1] + 100 * values[2] + 1000 * values[3]; }
desk_counter desk_open(int start) { if (start < 0) return NULL; desk_counter c = calloc(1, sizeof *c); c->value = start; return c; }
int desk_count(desk_counter counter, int by) { return counter->value += by; }
int desk_close(desk_counter counter) { int value = counter->value; free(counter); return value; }
int desk_twins(desk_counter *made, int start) { made[0] = desk_open(start); made[1] = desk_open(start + 1); return 0; }
int desk_each(const int *values, unsigned n, desk_visit visit, void *user) { int sum = 0; for (unsigned i = 0; i < n; i++) sum += visit(values[i], user); return sum; }
int desk_perhaps(desk_visit visit, void *user, int value) { return visit ? visit(value, user) : 3; }
static desk_compare compares;
static int by_value(const void *a, const void *b) { return compares(a, b); }
int desk_sort(int *values, size_t n, desk_compare compare) { compares = compare; qsort(values, n, sizeof *values, by_value); return 0; }
int desk_watch(desk_counter counter, desk_visit visit, void *user) { counter->visit = visit; counter->user = user; return 0; }
int desk_wake(desk_counter counter, int value) { return counter->visit ? counter->visit(value, counter->user) : -1; }
int desk_later(desk_counter counter, int by) { counter->value += by; return 0; }
int desk_total(const desk_row *rows, unsigned n) { int sum = 0; for (unsigned i = 0; i < n; i++) for (unsigned k = 0; k < rows[i].n; k++) sum += rows[i].cells[k]; return sum; }
int desk_check(int code) { if (code) { errno = code; return -1; } return 0; }
int desk_bounded(int n) { return n; }
int desk_process(void) { return getpid(); }
int desk_odd(int n) { return n; }
