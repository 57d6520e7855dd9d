/* A library with what headers do to whoever defines their functions. */
#ifndef SMALL_H
#define SMALL_H
#include <stddef.h>
#include <stdint.h>
typedef struct { int x; unsigned char tag; } small_point;
typedef struct small_thing *small_handle;
typedef int (*small_visit)(int value);
typedef void (*small_note)(void *user, const char *text);
#define small_add(a, b) ((a) + (b))
#ifdef __cplusplus
extern "C" {
#endif
int (small_add)(int a, int b);
int small_sum(const int values[4]);
#ifdef __cplusplus
int small_old(int n);
#else
int small_old();
#endif
small_point small_move(small_point p, const int by);
small_handle small_open(const char *const name);
void small_close(small_handle thing);
int small_each(const int *values, int n, small_visit visit);
void small_watch(small_note note, void *user);
int small_format(char *text, const char *format, ...);
int small_control(int operation, ...);
int small_request(unsigned long long number, ...);
int small_secret(int n);
void *small_find(const char *name);
unsigned long long small_mix(unsigned long long big, int negative, const void *at, unsigned char byte);
int small_left_out(int n);
__attribute__((deprecated)) void small_nothing(void);
extern int small_counter;
#ifdef __cplusplus
}
#endif
#endif
