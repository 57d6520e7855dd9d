#ifndef LENDS_H
#define LENDS_H
#include <stddef.h>
#include <stdint.h>
typedef struct lends_vat *lends_vat;
typedef int lends_key;
typedef int lends_lock;
typedef struct lends_info { size_t bytes; int looks; const char *name; } lends_info;
typedef struct lends_ring { unsigned used; } lends_ring;
typedef struct lends_cell { int kind; unsigned count; void *data; void *vat; } lends_cell;
typedef struct lends_part { unsigned n; unsigned char *bytes; } lends_part;
typedef struct lends_shelf { int skipped; unsigned n; int *cells; } lends_shelf;
typedef struct lends_pair { int a; double b; } lends_pair;
typedef union lends_value { int64_t number; double real; const char *text; } lends_value;
typedef struct lends_tagged { int kind; lends_value value; } lends_tagged;
typedef struct lends_row { unsigned n; int scale; int tail[]; } lends_row;
typedef struct lends_nest { int id; lends_row row; } lends_nest;
typedef struct lends_hold { int id; lends_row *row; } lends_hold;
typedef struct lends_keys { unsigned n; lends_key all[]; } lends_keys;
typedef struct lends_filled { unsigned used; uint8_t mark; uint8_t bytes[]; } lends_filled;
typedef int (*lends_turn)(lends_row *row, void *user);
typedef int (*lends_tell)(int value, void *user);
int lends_process(void);
int lends_noted(void);
void lends_note(int n);

int lends_named(int mode, unsigned n, const char *name);
int lends_parts(lends_part *part);
int lends_row_sum(const lends_row *row);
int lends_row_turn(lends_row *row, unsigned dropped);
int lends_nest_sum(const lends_nest *nest);
int lends_hold_sum(const lends_hold *all, unsigned n);
int lends_keys_sum(const lends_keys *all);
int lends_fill(unsigned room, lends_filled *to);
lends_row *lends_row_new(unsigned n);
const lends_row *lends_row_of(lends_vat vat, unsigned n);
int lends_row_keep(lends_vat vat, const lends_row *row);
int lends_row_kept(lends_vat vat);
int lends_row_call(lends_turn turn, void *user, unsigned n);
typedef int (*lends_pour)(unsigned char *to, char *text, size_t cap, size_t *used, void *user);
int lends_pour_in(lends_pour pour, void *user, unsigned cap);

lends_vat lends_open(size_t bytes);
lends_vat lends_like(lends_vat vat);
int lends_close(lends_vat vat);
/* At most 4096 bytes. */
int lends_resize(lends_vat vat, size_t bytes);
int lends_width(lends_vat vat, unsigned width);
int lends_put(lends_vat vat, const unsigned char *from);
int lends_get(lends_vat vat, unsigned char *to);
int lends_grid(lends_vat vat, int *to, unsigned rows);
/* The result lives until the next step. */
const lends_info *lends_look(lends_vat vat);
const unsigned char *lends_peek(lends_vat vat);
/* The result lives as long as the vat. */
const unsigned char *lends_view(lends_vat vat);
int lends_step(lends_vat vat);
lends_key lends_key_new(unsigned count);
lends_lock lends_lock_new(unsigned count);
int lends_unkey(lends_key key);
int lends_unlock(lends_lock lock);
const unsigned char *lends_key_page(lends_key key);
int lends_key_fill(lends_key key, int *to);
int lends_lock_fill(lends_lock lock, int *to);
int lends_ring_new(lends_ring *ring, size_t bytes);
int lends_ring_put(lends_ring *ring, const unsigned char *from);
int lends_ring_end(lends_ring *ring);
unsigned char *lends_frame(size_t bytes);
int lends_unframe(unsigned char *frame);
int lends_framed(void);

int lends_cell_turn(lends_cell *cell, lends_vat vat);
int lends_store(int what, size_t n, const void *value);
int lends_load(int what, size_t n, void *value);
int lends_either(int mode, unsigned n, void *at);
int lends_swap(unsigned char *there, size_t n, size_t *m);
int lends_shelves_sum(unsigned count, const lends_shelf *shelves);
int lends_tagged_sum(const lends_tagged *all, unsigned n);

int lends_pin(lends_vat vat, int *pages, unsigned count);
int lends_unpin(lends_vat vat, int *pages);
int lends_unpin_to(lends_vat vat, int *pages, unsigned n, int *to);
const int *lends_with_room(lends_vat vat, unsigned char *room, unsigned n, const int *from, unsigned k);
int lends_sum(lends_vat vat);
int lends_add(lends_vat vat, int by);
int *lends_at(lends_vat vat, unsigned n);
int lends_moved(lends_vat vat);

int lends_text(int n);
int lends_sides(int n);
int lends_sent(void);
int lends_forked(void);
int lends_both(int n);
void *lends_alloc(size_t bytes);
void lends_free(void *at);
char *lends_name(int n);
int lends_names(int n, char **text);
int lends_allocated(void);
int lends_push(lends_vat vat, int n);
int lends_flush(lends_vat vat);
int lends_pushed(lends_vat vat, int *pushed, int *flushed);

int lends_call(lends_tell tell, void *user, int value);
#endif
