#ifndef PLACES_H
#define PLACES_H
#include <stddef.h>
typedef struct places_box *places_box;
typedef struct places_item *places_item;
typedef struct places_info { int size; int uses; const char *name; } places_info;
typedef struct places_row { unsigned n; int *cells; } places_row;
typedef struct places_turn { int wide; int *cells; } places_turn;
typedef int (*places_tell)(int value, void *user);
typedef int (*places_compare)(const void *a, const void *b);
typedef struct places_pair { places_tell first; places_tell second; void *user; } places_pair;
int places_process(void);
int places_thread(void);
int places_block(void);
places_box places_open(int size);
int places_close(places_box box);
const places_info *places_look(places_box box);
int places_item_new(places_box box, places_item *item);
int places_item_free(places_item *item);
int places_item_value(places_item item);
int places_copy(const unsigned char *from, unsigned char *to, size_t n);
int places_maybe(int *to, int writes);
int places_sum(const places_row *rows, unsigned count);
/* Adds 1 to one cell and to three cells alternately. */
int places_turn_all(places_turn *turns, unsigned count);
/* Fills the whole buffer, and returns half of its length. */
int places_fill(int *to, unsigned *n);
int places_length(const char *const *texts);
int places_keep(int *numbers, unsigned count);
int places_kept(int at);
int *places_where(void);
int places_drop(int *numbers);
char *places_find(char *text, int c);
int places_call(places_tell tell, void *user, int depth);
int places_two(places_tell one, void *a, places_tell two, void *b);
int places_pairs(const places_pair *pair);
int places_start(places_box box, places_tell tell, void *user);
/* Calls the callback that was started last, or that of a box, on this thread. */
int places_again(int value);
int places_again_of(places_box box, int value);
int places_join(places_box box);
int places_sort(int *numbers, size_t count, places_compare compare);
#endif
