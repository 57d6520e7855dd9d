/* Functions of the program that the library compares, keeps, calls and returns. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H
typedef int (*functions_op)(int value, void *user);
typedef int (*functions_plain)(int value);
typedef struct { functions_op first, second; void *user; } functions_pair;
typedef struct { functions_op op; functions_plain plain; } functions_seen;
typedef int (*functions_show_op)(const functions_pair *pair, functions_plain plain, void *user);
#define FUNCTIONS_ERROR ((functions_op)-1)

int functions_both(functions_op first, functions_op second, functions_op third, void *user, int value);
int functions_of_struct(const functions_pair *pair, int value);
functions_op functions_set(functions_op op, void *user);
int functions_fire(int value);
functions_plain functions_set_plain(functions_plain plain);
int functions_fire_plain(int value);
int functions_get(functions_op *op, functions_plain *plain);
int functions_see(functions_seen *seen);
int functions_swap(functions_pair *pair);
int functions_add(functions_op op, void *user);
int functions_all(int value);
/* Passes the pair and the kept plain function to `show`. */
int functions_show(functions_show_op show, void *user, const functions_pair *pair);
functions_op functions_own(void);
int functions_after(int value);
#endif
