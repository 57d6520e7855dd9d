#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "places.h"
/* No call crashes, whatever objects it gets, because guests with fault injection make any call. */
struct places_box { places_info info; pthread_t thread; places_tell tell; void *user; int told, runs; };
struct places_item { places_box box; int value; };
static int made;
static int *kept; static unsigned kept_count;
int places_process(void) { return getpid(); }
int places_thread(void) { return gettid(); }
int places_block(void) { while (!getenv("PLACES_NEVER_BLOCKS")) pause(); return 0; }
places_box places_open(int size) { if (size < 0) return NULL; places_box b = calloc(1, sizeof *b); b->info.size = size; b->info.name = "a box"; return b; }
static places_box last;
int places_close(places_box b) { if (last == b) last = NULL; if (!b->runs) free(b); return 0; }
const places_info *places_look(places_box b) { b->info.uses++; return &b->info; }
int places_item_new(places_box b, places_item *item) { *item = malloc(sizeof **item); (*item)->box = b; (*item)->value = ++made; return 0; }
int places_item_free(places_item *item) { free(*item); *item = NULL; return 0; }
int places_item_value(places_item item) { return item->value; }
int places_copy(const unsigned char *from, unsigned char *to, size_t n) { if (!from || !to) return -1; memcpy(to, from, n); return (int)n; }
int places_maybe(int *to, int writes) { if (to && writes) *to = 7; return to != NULL; }
int places_sum(const places_row *rows, unsigned count) { int sum = 0; for (unsigned i = 0; i < count; i++) for (unsigned n = 0; n < rows[i].n; n++) sum += rows[i].cells[n]; return sum; }
int places_turn_all(places_turn *turns, unsigned count) { for (unsigned i = 0; i < count; i++) { for (int n = 0; n < (turns[i].wide ? 3 : 1); n++) turns[i].cells[n]++; turns[i].wide = !turns[i].wide; } return 0; }
int places_fill(int *to, unsigned *n) { for (unsigned i = 0; i < *n; i++) to[i] = (int)i + 1; *n /= 2; return 0; }
int places_length(const char *const *texts) { size_t n = 0; for (; *texts; texts++) n += strlen(*texts); return (int)n; }
int places_keep(int *numbers, unsigned count) { kept = numbers; kept_count = count; return 0; }
int places_kept(int at) { return (unsigned)at < kept_count ? kept[at] : -1; }
int *places_where(void) { return kept; }
int places_drop(int *numbers) { if (numbers != kept) return -5; kept = NULL; kept_count = 0; return 0; }
char *places_find(char *text, int c) { return strchr(text, c); }
int places_call(places_tell tell, void *user, int depth) { return tell ? tell(depth, user) + 1 : -7; }
int places_two(places_tell one, void *a, places_tell two, void *b) { return one(1, a) * 100 + (two ? two(2, b) : 50); }
int places_pairs(const places_pair *pair) { return (pair->first ? pair->first(3, pair->user) : 0) + (pair->second ? pair->second(4, pair->user) : 0); }
static void *run(void *of) { places_box b = of; for (int i = 0; i < 10; i++) b->told += b->tell(i, b->user); return NULL; }
int places_start(places_box b, places_tell tell, void *user) { if (b->runs) return -1; last = b; b->runs = 1; b->tell = tell; b->user = user; return pthread_create(&b->thread, NULL, run, b); }
int places_again(int value) { return last ? last->tell(value, last->user) : -1; }
int places_again_of(places_box b, int value) { return b->tell ? b->tell(value, b->user) : -1; }
int places_join(places_box b) { if (!b->runs) return -1; b->runs = 0; pthread_join(b->thread, NULL); return b->told; }
int places_sort(int *numbers, size_t count, places_compare compare) { qsort(numbers, count, sizeof *numbers, compare); return 0; }
