#define _GNU_SOURCE
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "lends.h"
/* No call crashes, whatever live objects it gets, because fuzzers make any call, here and in a worker. */
struct lends_vat { lends_info info; unsigned char *bytes; unsigned width; int *pages; unsigned count; int *first; int moves; int pushed; int flushed; lends_row *row; const lends_row *kept_row; };
static int noted, allocated, keys[64], locks[64], lock_count, framed;
static int number; static char text[64]; static lends_vat kept; static lends_pair pair;
int lends_process(void) { return getpid(); }
int lends_noted(void) { return noted; }
void lends_note(int n) { noted += n; }

lends_vat lends_open(size_t bytes) { if (bytes > 1u << 30) return NULL; lends_vat v = calloc(1, sizeof *v); v->info.bytes = bytes; v->info.name = "a vat"; v->bytes = calloc(1, bytes + 4096); return v; }
lends_vat lends_like(lends_vat of) { lends_vat v = lends_open(of->info.bytes); v->width = of->width; return v; }
int lends_close(lends_vat v) { if (kept == v) kept = NULL; free(v->bytes); free(v); return 0; }
int lends_resize(lends_vat v, size_t bytes) { if (bytes > 4096) return -1; v->info.bytes = bytes; return 0; }
int lends_width(lends_vat v, unsigned width) { if (width == 0) return -1; if (width != 7) v->width = width; return 0; }
int lends_put(lends_vat v, const unsigned char *from) { memcpy(v->bytes, from, v->info.bytes); return (int)v->info.bytes; }
int lends_get(lends_vat v, unsigned char *to) { memcpy(to, v->bytes, v->info.bytes); return (int)v->info.bytes; }
int lends_grid(lends_vat v, int *to, unsigned rows) { for (unsigned i = 0; i < v->width * rows; i++) to[i] = (int)i; return (int)(v->width * rows); }
const lends_info *lends_look(lends_vat v) { v->info.looks++; return &v->info; }
const unsigned char *lends_peek(lends_vat v) { return v->bytes; }
const unsigned char *lends_view(lends_vat v) { return v->bytes; }
int lends_step(lends_vat v) { (void)v; return 0; }
lends_key lends_key_new(unsigned count) { int key = 1; while (key < 64 && keys[key] != 0) key++; if (key == 64) return 0; keys[key] = (int)count; return key; }
lends_lock lends_lock_new(unsigned count) { if (lock_count == 63) return 0; locks[++lock_count] = (int)count; return lock_count; }
int lends_unkey(lends_key key) { keys[key] = 0; return 0; }
const unsigned char *lends_key_page(lends_key key) { static unsigned char page[65536]; page[65535] = (unsigned char)keys[key]; return page; }
int lends_unlock(lends_lock lock) { locks[lock] = 0; return 0; }
static int fill(int *to, int count, int with) { for (int i = 0; i < count; i++) to[i] = with; return count; }
int lends_key_fill(lends_key key, int *to) { return fill(to, keys[key], key); }
int lends_lock_fill(lends_lock lock, int *to) { return fill(to, locks[lock], -lock); }
static struct { lends_ring *at; size_t bytes; } rings[64]; static int ring_count;
static int ring_of(lends_ring *ring) { for (int i = 0; i < ring_count; i++) if (rings[i].at == ring) return i; return -1; }
int lends_ring_new(lends_ring *ring, size_t bytes) { if (ring_count == 64) return -1; ring->used = 0; rings[ring_count].at = ring; rings[ring_count++].bytes = bytes; return 0; }
int lends_ring_put(lends_ring *ring, const unsigned char *from) { int at = ring_of(ring), sum = 0; if (at < 0) return -1; for (size_t i = 0; i < rings[at].bytes; i++) sum += from[i]; ring->used += (unsigned)rings[at].bytes; return sum; }
int lends_ring_end(lends_ring *ring) { int at = ring_of(ring); if (at < 0) return -1; rings[at].at = NULL; return 0; }
/* Leaves space for the bytes that unframe reads. */
unsigned char *lends_frame(size_t bytes) { if (bytes > 1u << 20) return NULL; unsigned char *f = calloc(1, bytes + 10); for (size_t i = 0; i < bytes; i++) f[i] = (unsigned char)i; framed += (int)bytes; return f; }
int lends_unframe(unsigned char *frame) { int sum = 0; for (int i = 0; i < 10; i++) sum += frame[i]; free(frame); return sum; }
int lends_framed(void) { return framed; }

int lends_cell_turn(lends_cell *cell, lends_vat vat) { intptr_t sum = 0; for (unsigned i = 0; cell->data && i < cell->count; i++) sum += ((int *)cell->data)[i]; cell->kind = cell->vat == NULL ? 1 : (int)(intptr_t)cell->vat; cell->data = (void *)sum; cell->vat = vat; return 0; }
int lends_store(int what, size_t n, const void *value) {
    if (what == 1) { number = 0; for (size_t i = 0; i < n / sizeof(int); i++) number += ((const int *)value)[i]; }
    else if (what == 2) snprintf(text, sizeof text, "%s", (const char *)value);
    else if (what == 3) kept = (lends_vat)value;
    else if (what == 4) { if (n >= sizeof(lends_pair)) pair = ((const lends_pair *)value)[n / sizeof(lends_pair) - 1]; }
    else if (what >= -9 && what < -1) { number = 0; for (size_t i = 0; i < n / sizeof(char *); i++) number += (int)strlen(((const char *const *)value)[i]); }
    else number = (int)(intptr_t)value;
    return number;
}
int lends_load(int what, size_t n, void *value) {
    if (value == NULL) return -2;
    if (what == 1) fill(value, (int)(n / sizeof(int)), number);
    else if (what == 2) snprintf(value, n, "%s", text);
    else if (what == 3 && n >= sizeof(void *)) *(lends_vat *)value = kept;
    else if (what == 4 && n >= sizeof(void *)) *(int **)value = kept ? kept->pages : NULL;
    else return 1;
    return 0;
}
int lends_either(int mode, unsigned n, void *at) {
    int sum = 0;
    if (mode == 1) { for (unsigned i = 0; i < n; i++) sum += ((unsigned char *)at)[i]; return sum; }
    if (mode == 2) { memset(at, 9, n); return 0; }
    if (mode == 3) return (int)((lends_vat)at)->info.bytes;
    return (int)(intptr_t)at;
}
int lends_swap(unsigned char *there, size_t n, size_t *m) { for (size_t i = 0; i < n / 2; i++) there[i] = there[n - 1 - i]; *m = n / 2; return 0; }
int lends_shelves_sum(unsigned count, const lends_shelf *rows) { int sum = 0; for (unsigned i = 0; i < count; i++) for (unsigned n = 0; n < rows[i].n * 2; n++) sum += rows[i].cells[n]; return sum; }
int lends_tagged_sum(const lends_tagged *all, unsigned n) { double sum = 0; for (unsigned i = 0; i < n; i++) sum += all[i].kind == 0 ? (double)all[i].value.number : all[i].kind == 1 ? all[i].value.real : (double)strlen(all[i].value.text); return (int)sum; }

int lends_pin(lends_vat v, int *pages, unsigned count) { if (count > 1000) return -1; if (v->first && v->first != pages) v->moves++; v->first = v->pages = pages; v->count = count; return 0; }
int lends_unpin(lends_vat v, int *pages) { if (v->pages != pages) return -5; v->pages = v->first = NULL; v->count = 0; return 0; }
int lends_unpin_to(lends_vat v, int *pages, unsigned n, int *to) { if (v->pages != pages || n > v->count) return -5; memcpy(to, pages, n * sizeof *to); v->pages = v->first = NULL; v->count = 0; return 0; }
const int *lends_with_room(lends_vat v, unsigned char *room, unsigned n, const int *from, unsigned k) { (void)v; if (room) memset(room, 0xa5, n); return from + k / 2; }
int lends_sum(lends_vat v) { int sum = 0; for (unsigned i = 0; i < v->count; i++) sum += v->pages[i]; return sum; }
int lends_add(lends_vat v, int by) { for (unsigned i = 0; i < v->count; i++) v->pages[i] += by; return (int)v->count; }
int *lends_at(lends_vat v, unsigned n) { return v->pages && n <= v->count ? v->pages + n : NULL; }
int lends_moved(lends_vat v) { return v->moves; }

int lends_text(int n) { return n; }
int lends_sides(int n) { return n; }
int lends_sent(void) { return 0; }
int lends_forked(void) { return 0; }
int lends_both(int n) { return 4 * (n + 1); }
/* Blocks of the library, which only the library can free. */
void *lends_alloc(size_t bytes) { size_t *at = malloc(16 + bytes); allocated++; at[0] = 0x6c656e64; return (char *)at + 16; }
void lends_free(void *at) { if (!at) return; size_t *block = (void *)((char *)at - 16); if (block[0] != 0x6c656e64) abort(); block[0] = 0; allocated--; free(block); }
char *lends_name(int n) { if (n < 0) return NULL; char *name = lends_alloc(32); snprintf(name, 32, "name %d", n); return name; }
int lends_names(int n, char **to) { *to = lends_name(n); return n; }
int lends_allocated(void) { return allocated; }
int lends_push(lends_vat v, int n) { if (n < 0) return n; v->pushed += n; return 0; }
int lends_flush(lends_vat v) { v->flushed = v->pushed; return 0; }
int lends_pushed(lends_vat v, int *pushed, int *flushed) { *pushed = v->pushed; *flushed = v->flushed; return 0; }

int lends_named(int mode, unsigned n, const char *name) { return name ? (int)strlen(name) + mode : -(int)n; }
int lends_parts(lends_part *part) { for (unsigned i = 0; part->bytes && i < part->n; i++) part->bytes[i]++; return part->bytes ? (int)part->n : -1; }
int lends_row_sum(const lends_row *r) { int sum = 0; for (unsigned i = 0; r && i < r->n; i++) sum += r->tail[i]; return r ? sum * r->scale : -1; }
int lends_row_turn(lends_row *r, unsigned dropped) { if (dropped > r->n) return -1; r->n -= dropped; for (unsigned i = 0; i < r->n; i++) r->tail[i] *= 2; return (int)r->n; }
int lends_nest_sum(const lends_nest *nest) { return nest->id + lends_row_sum(&nest->row); }
int lends_hold_sum(const lends_hold *all, unsigned n) { int sum = 0; for (unsigned i = 0; i < n; i++) sum += all[i].id + (all[i].row ? lends_row_sum(all[i].row) : 0); return sum; }
int lends_keys_sum(const lends_keys *all) { int sum = 0; for (unsigned i = 0; i < all->n; i++) sum += keys[all->all[i]]; return sum; }
int lends_fill(unsigned room, lends_filled *to) { to->used = room / 2; to->mark = 7; for (unsigned i = 0; i < room; i++) to->bytes[i] = (uint8_t)i; return (int)room; }
lends_row *lends_row_new(unsigned n) { if (n > 100000) return NULL; lends_row *r = malloc(sizeof *r + n * sizeof(int)); r->n = n; r->scale = 1; for (unsigned i = 0; i < n; i++) r->tail[i] = (int)i; return r; }
const lends_row *lends_row_of(lends_vat v, unsigned n) { free(v->row); return v->row = lends_row_new(n); }
int lends_row_keep(lends_vat v, const lends_row *row) { v->kept_row = row; return 0; }
int lends_row_kept(lends_vat v) { return v->kept_row ? lends_row_sum(v->kept_row) : -2; }
int lends_row_call(lends_turn turn, void *user, unsigned n) { lends_row *r = lends_row_new(n); int said = turn(r, user); if (said >= 0) said = lends_row_sum(r); free(r); return said; }
int lends_pour_in(lends_pour pour, void *user, unsigned cap) { unsigned char to[64]; char text[64]; size_t used = 0; int sum = 0; if (cap > 64) return -1; memset(to, 0xee, 64); memset(text, 0xee, 64); int said = pour(to, text, cap, &used, user); for (size_t i = 0; said >= 0 && i < used && i < cap; i++) sum += to[i] + (text[i] == 'x'); return said < 0 ? said : sum; }

int lends_call(lends_tell tell, void *user, int value) { int said = tell(value, user); return said < 0 ? said : said + 1; }
