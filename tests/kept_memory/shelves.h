#ifndef SHELVES_H
#define SHELVES_H
#include <stddef.h>
typedef struct shelves_shelf *shelves_shelf;
typedef struct {
    const char *name;
    unsigned n;
    const unsigned char *all;
} shelves_box;
typedef struct shelves_node shelves_node;
struct shelves_node {
    int value;
    shelves_node *next;
};
shelves_shelf shelves_open(void);
/* Counts references. The last `shelves_release` or `shelves_drop` frees the shelf; `shelves_close` frees it at once. */
int shelves_retain(shelves_shelf shelf);
shelves_shelf shelves_again(shelves_shelf shelf);
int shelves_release(shelves_shelf shelf);
int shelves_drop(shelves_shelf shelf);
int shelves_close(shelves_shelf shelf);
/* The shelf keeps these pointers. */
int shelves_keep(shelves_shelf shelf, const unsigned char *bytes, size_t n);
int shelves_pack(shelves_shelf shelf, const shelves_box *box);
int shelves_chain(shelves_shelf shelf, shelves_node *first);
/* Keeps `kept` and returns the length of `now`. */
int shelves_both(shelves_shelf shelf, const char *now, const char *kept);
/* Keeps `from`, and copies it to `to`. */
int shelves_copy(shelves_shelf shelf, unsigned char *to, const unsigned char *from, size_t n);
/* Keeps a page until `shelves_turn`. */
int shelves_page(shelves_shelf shelf, const unsigned char *bytes, size_t n);
int shelves_turn(shelves_shelf shelf);
int shelves_sum(shelves_shelf shelf);
/* All shelves have the same label. It is valid as long as the shelf. */
const char *shelves_label(shelves_shelf shelf);
/* Keeps a name, and returns it. */
int shelves_call(shelves_shelf shelf, const char *name);
const char *shelves_called(shelves_shelf shelf);
/* Keeps `bytes` until `shelves_pump`, which calls `done` with their sum. */
typedef int (*shelves_done)(int sum, void *user);
int shelves_write(const unsigned char *bytes, size_t n, shelves_done done, void *user);
int shelves_pump(void);
/* Keeps a function until the next call of this function. `shelves_fire` calls it, or returns 0 if it is null. */
typedef int (*shelves_hook)(void *user);
int shelves_attach(shelves_shelf shelf, shelves_hook hook, void *user);
int shelves_fire(shelves_shelf shelf);
/* Adds a function with its data, and removes it. `off` returns how many it found. */
typedef void (*shelves_gone)(void *user);
int shelves_on(shelves_hook hook, shelves_gone gone, void *user);
int shelves_off(shelves_hook hook, void *user);
/* Adds 1 to each byte. The memory may be kept until `shelves_unpin`, and stays that of the program. */
int shelves_pin(unsigned char *bytes, size_t n);
void shelves_unpin(unsigned char *bytes, size_t n);
/* The library frees these blocks, unless it fails: without elements, and with a first element of 255. */
int shelves_pass(unsigned char *bytes, size_t n);
int shelves_pass_text(char *text);
int shelves_pass_all(char **names, size_t n);
int shelves_pass_later(char *text);
/* The sum of the lengths of all blocks that were passed. */
int shelves_passed(void);
typedef int (*shelves_take)(char *text, void *user);
/* The function frees the text, unless it fails. */
int shelves_give(shelves_take take, void *user);
#endif
