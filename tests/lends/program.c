#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lends.h"
static int is_remote;
static unsigned char bytes[8192], back[8192];
/* The call got exactly the bytes of the vat. */
static int has(lends_vat vat, size_t count) {
    memset(back, 0xaa, sizeof back);
    return lends_put(vat, bytes) == (int)count && lends_get(vat, back) == (int)count && memcmp(bytes, back, count) == 0 && back[count] == 0xaa;
}
static void remembers(void) {
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 7 + 1);
    lends_vat vat = lends_open(1000), other = lends_open(10); assert(vat && other && has(vat, 1000) && has(other, 10));
    assert(lends_resize(vat, 4000) == 0 && has(vat, 4000) && has(other, 10));
    /* A failed call changes nothing. */
    assert(lends_resize(vat, 4097) == -1 && has(vat, 4000));
    int grid[64]; memset(grid, -1, sizeof grid);
    assert(lends_grid(vat, grid, 5) == 0 && grid[0] == -1 && lends_width(vat, 4) == 0 && lends_grid(vat, grid, 5) == 20 && grid[19] == 19 && grid[20] == -1);
    assert(lends_width(vat, 0) == -1 && lends_width(vat, 7) == 0 && lends_grid(vat, grid, 3) == 12);
    /* Metadata of another object, which ends with that object only. */
    lends_vat like = lends_like(vat); assert(like && has(like, 4000) && lends_grid(like, grid, 2) == 8 && lends_close(vat) == 0 && has(like, 4000));
    for (int i = 0; i < 50; i++) {
        lends_vat one = lends_open(i % 2 ? 100 : 0); assert(one && has(one, i % 2 ? 100 : 0) && lends_grid(one, grid, 5) == 0);
        assert(lends_width(one, 3) == 0 && lends_close(one) == 0);
        if (is_remote) assert(lends_put(one, bytes) == -99);
    }
    assert(has(other, 10) && lends_close(other) == 0 && lends_close(like) == 0);
    puts("remembers");
}
/* Two kinds of objects with equal numbers. */
static void kinds(void) {
    lends_key key[8]; lends_lock lock[8]; int to[16];
    for (int i = 0; i < 8; i++) { key[i] = lends_key_new((unsigned)i + 1); lock[i] = lends_lock_new(16 - (unsigned)i); assert(key[i] && lock[i]); }
    for (int i = 0; i < 8; i += 2) assert(lends_unkey(key[i]) == 0);
    for (int i = 0; i < 8; i++) assert(lends_lock_fill(lock[i], to) == 16 - i && to[0] == -i - 1);
    for (int i = 1; i < 8; i += 2) assert(lends_unlock(lock[i]) == 0 && lends_key_fill(key[i], to) == i + 1 && to[i] == i + 1);
    for (int i = 0; i < 8; i += 2) { assert(lends_lock_fill(lock[i], to) == 16 - i); if (is_remote) assert(lends_key_fill(key[i], to) == -99 && lends_lock_fill(lock[i + 1], to) == -99); }
    /* Often enough to use up the numbers of the program. */
    for (int i = 0; i < 3000; i++) {
        lends_key one = lends_key_new(3); const unsigned char *page = lends_key_page(one);
        assert(one && page && page[65535] == 3 && lends_key_fill(one, to) == 3 && lends_unkey(one) == 0);
    }
    puts("kinds");
}
/* The struct has the address of the object and ends before it. */
static void structs(void) {
    lends_vat vat = lends_open(100);
    const lends_info *info = lends_look(vat); assert(info && info->bytes == 100 && info->looks == 1 && strcmp(info->name, "a vat") == 0);
    const char *name = info->name; const unsigned char *seen = lends_peek(vat);
    assert(has(vat, 100) && lends_peek(vat) == seen && memcmp(seen, bytes, 100) == 0);
    assert(lends_look(vat) == info && info->looks == 2 && info->name == name && lends_step(vat) == 0);
    assert(has(vat, 100) && (info = lends_look(vat)) != NULL && info->looks == 3 && info->name == name && lends_step(vat) == 0 && has(vat, 100));
    /* The view ends when the number of its elements changes. */
    seen = lends_view(vat); assert(memcmp(seen, bytes, 100) == 0 && lends_view(vat) == seen && lends_resize(vat, 4000) == 0 && has(vat, 4000));
    seen = lends_view(vat); assert(seen && memcmp(seen, bytes, 4000) == 0 && lends_view(vat) == seen);
    assert(lends_close(vat) == 0);
    puts("structs");
}
/* Kept memory ends with its object, whether or not its scope ended before. */
static void ends(void) {
    for (int round = 0; round < 40; round++) {
        lends_vat vat = lends_open(1 << 20); assert(vat);
        const unsigned char *peeked = lends_peek(vat); assert(peeked && peeked[(1 << 20) - 1] == 0);
        const lends_info *info = lends_look(vat); assert(info && info->bytes == 1 << 20 && info->looks == 1);
        if (round % 3 == 0) assert(lends_step(vat) == 0);
        assert(lends_view(vat) && lends_close(vat) == 0);
    }
    puts("ends");
}
static void pointers(void) {
    lends_ring one, two; assert(lends_ring_new(&one, 10) == 0 && lends_ring_new(&two, 20) == 0);
    int sum = 0; for (int i = 0; i < 20; i++) sum += bytes[i];
    for (int i = 1; i < 4; i++) assert(lends_ring_put(&two, bytes) == sum && two.used == 20u * (unsigned)i);
    assert(lends_ring_put(&one, bytes) < sum && one.used == 10 && lends_ring_end(&one) == 0);
    assert(lends_ring_new(&one, 20) == 0 && lends_ring_put(&one, bytes) == sum && lends_ring_end(&one) == 0 && lends_ring_put(&two, bytes) == sum && lends_ring_end(&two) == 0);
    if (is_remote) assert(lends_ring_end(&one) != 0);
    unsigned char *frame[3]; int all = 0, before = lends_framed();
    for (int i = 0; i < 3; i++) { frame[i] = lends_frame(100 + (size_t)i); assert(frame[i] && frame[i][99] == 99); all += 100 + i; }
    assert(lends_framed() - before == all);
    /* Changes of the program are sent. */
    unsigned char *empty = lends_frame(0);
    /* An address that is not a block cannot be freed. */
    if (is_remote) assert(lends_unframe(frame[1] + 1) < 0 && lends_framed() == all);
    assert(empty != NULL && lends_unframe(empty) == 0);
    for (int i = 2; i >= 0; i--) { frame[i][0] = 100; assert(lends_unframe(frame[i]) == 145); }
    puts("pointers");
}
static void casts(void) {
    int numbers[] = {1, 2, 3}; const char *words[] = {"one", "three", ""}; lends_pair pairs[] = {{1, 2.5}, {3, 4.5}};
    lends_vat vat = lends_open(5), got; char text[8]; int to[3] = {0};
    assert(lends_store(1, sizeof numbers, numbers) == 6 && lends_load(1, sizeof to, to) == 0 && to[2] == 6 && lends_load(1, 4, to) == 0);
    assert(lends_store(2, 0, "some text") == 6 && lends_load(2, sizeof text, text) == 0 && strcmp(text, "some te") == 0);
    assert(lends_store(3, 0, vat) == 6 && lends_load(3, sizeof got, &got) == 0 && got == vat);
    assert(lends_store(4, sizeof pairs, pairs) == 6 && lends_store(-3, sizeof words, words) == 8);
    assert(lends_store(9, 0, (void *)(intptr_t)-12345) == -12345 && lends_store(9, 0, (void *)(intptr_t)77) == 77);
    assert(lends_load(1, 4, NULL) == -2 && lends_load(3, 8, NULL) == -2 && lends_load(9, 0, NULL) == -2 && lends_load(8, 100, to) == (is_remote ? -2 : 1));
    int pages[4] = {1, 2, 3, 4}, *at = NULL; assert(lends_load(4, sizeof at, &at) == 0 && at == NULL);
    assert(lends_pin(vat, pages, 4) == 0 && lends_load(4, sizeof at, &at) == 0 && at == pages && lends_unpin(vat, pages) == 0);
    if (is_remote) assert(lends_store(3, 0, numbers) == -99);
    /* Selected by a condition before the call. */
    assert(lends_either(1, 5, bytes) == bytes[0] + bytes[1] + bytes[2] + bytes[3] + bytes[4] && lends_either(2, 3, text) == 0 && text[2] == 9 && text[3] == 'e');
    assert(lends_either(0, 5, (void *)(intptr_t)1234) == 1234 && lends_either(3, 0, vat) == 5);
    if (is_remote) assert(lends_either(3, 0, numbers) == -3);
    /* Selected by direction: a buffer in the request, a number or an object in the reply. */
    lends_cell cell = {0, 3, numbers, NULL}; assert(lends_cell_turn(&cell, vat) == 0 && cell.kind == 1 && (intptr_t)cell.data == 6 && cell.vat == vat);
    cell = (lends_cell){0, 0, NULL, (void *)(intptr_t)42}; assert(lends_cell_turn(&cell, NULL) == 0 && cell.kind == 42 && cell.data == NULL && cell.vat == NULL);
    /* Selected by whether the pointer is null. */
    assert(lends_named(1, 3, "much longer than that") == 22 && lends_named(1, 0, "") == 1 && lends_named(1, 3, NULL) == -3 && lends_named(0, 0, NULL) == 0);
    unsigned char some[3] = {1, 2, 3}; lends_part part = {3, some}; assert(lends_parts(&part) == 3 && part.bytes == some && some[0] == 2 && some[2] == 4);
    part.bytes = NULL; assert(lends_parts(&part) == -1 && part.bytes == NULL);
    unsigned char there[] = {1, 2, 3, 4, 5, 6, 7, 8}; size_t m = 0; assert(lends_swap(there, 8, &m) == 0 && m == 4 && there[0] == 8 && there[3] == 5 && there[4] == 5 && there[7] == 8);
    lends_tagged all[] = {{0, {.number = -7}}, {1, {.real = 2.5}}, {2, {.text = "four"}}, {1, {.real = 0.5}}}; assert(lends_tagged_sum(all, 4) == 0 && lends_tagged_sum(all, 0) == 0);
    assert(lends_store(9, 0, NULL) == 0 && lends_close(vat) == 0);
    int cells[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; lends_shelf rows[] = {{7, 4, cells}, {0, 1, cells + 1}, {7, 0, NULL}};
    assert(lends_shelves_sum(3, rows) == 36 + 5 && lends_shelves_sum(1, rows + 1) == 5 && lends_shelves_sum(0, rows) == 0);
    puts("casts");
}
static void pins(void) {
    static int pages[1000]; lends_vat vat = lends_open(1);
    assert(lends_sum(vat) == 0 && lends_at(vat, 0) == NULL);
    for (int i = 0; i < 1000; i++) pages[i] = i;
    assert(lends_pin(vat, pages, 1001) == -1 && lends_sum(vat) == 0);
    assert(lends_pin(vat, pages, 100) == 0 && lends_sum(vat) == 4950 && lends_at(vat, 0) == pages && lends_at(vat, 99) == pages + 99 && lends_at(vat, 100) == pages + 100);
    /* The next call sends changes to memory that the library keeps; the program sees what the library writes. */
    for (int i = 0; i < 5; i++) { pages[7] += 1000; assert(lends_sum(vat) == 4950 + 1000 * (i + 1)); }
    assert(lends_add(vat, 2) == 100 && pages[0] == 2 && pages[99] == 101 && pages[100] == 100 && lends_sum(vat) == 9950 + 200);
    /* Less, more and the same again, at the same address. */
    const unsigned counts[] = {10, 1000, 999, 1, 1000, 500, 500};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert(lends_unpin(vat, pages) == 0 && lends_sum(vat) == 0 && lends_at(vat, 0) == NULL);
        for (int n = 0; n < 1000; n++) pages[n] = (int)i + 1;
        assert(lends_pin(vat, pages, counts[i]) == 0 && lends_sum(vat) == (int)(counts[i] * (i + 1)) && lends_at(vat, counts[i] / 2) == pages + counts[i] / 2);
        pages[0] = -5; assert(lends_pin(vat, pages, counts[i]) == 0 && lends_sum(vat) == (int)(counts[i] * (i + 1)) - 5 - (int)i - 1);
    }
    /* A shorter length without a new declaration is the existing memory. */
    assert(lends_pin(vat, pages, 20) == 0 && lends_at(vat, 20) == pages + 20 && lends_add(vat, 1) == 20 && pages[19] == 8 && pages[20] == 7 && lends_moved(vat) == 0);
    assert(lends_unpin(vat, pages) == 0);
    if (is_remote) assert(lends_unpin(vat, pages) != 0);
    /* Memory of 0 bytes is the same each time it is passed. */
    assert(lends_pin(vat, pages, 0) == 0 && lends_sum(vat) == 0 && lends_sum(vat) == 0 && lends_unpin(vat, pages) == 0);
    /* The worker's copy is too small for a longer length. The library has its address, so it cannot be replaced. */
    assert(lends_pin(vat, pages, 10) == 0); if (is_remote) assert(lends_pin(vat, pages, 1000) != 0);
    assert(lends_unpin(vat, pages) == 0 && lends_pin(vat, pages, 1000) == 0);
    for (int n = 0; n < 1000; n++) pages[n] = 3;
    assert(lends_sum(vat) == 3000 && lends_at(vat, 999) == pages + 999);
    int to[3] = {0}; assert(lends_unpin_to(vat, pages, 3, to) == 0 && to[0] == 3 && to[2] == 3 && lends_sum(vat) == 0);
    unsigned char room[64]; assert(lends_with_room(vat, room, sizeof room, pages, 10) == pages + 5 && lends_close(vat) == 0);
    puts("pins");
}
static void text(void) {
    int sent = lends_sent(), noted = lends_noted();
    assert(lends_text(4) == (is_remote ? 10 : 4) && lends_both(4) == 20 && lends_sides(7) == (is_remote ? (107 * 2 + 1) + 5 : 7));
    if (is_remote) assert(sent >= 1000 && lends_sent() - sent == 5 && noted >= 100 && lends_noted() - noted == 5 * 11);
    pid_t child = fork(); assert(child >= 0);
    if (child == 0) { int before = lends_forked(); _exit(lends_text(4) == (is_remote ? 10 : 4) && lends_forked() == (is_remote ? before + 1 : 0) ? 7 : 1); }
    int status; assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7 && lends_forked() == 0);
    puts("text");
}
/* Memory that the library returns belongs to the program, and comes from its allocator. */
static void allocators(void) {
    int before = lends_allocated(); void *own = lends_alloc(10); memset(own, 1, 10); lends_free(own); lends_free(NULL);
    for (int i = 0; i < 20; i++) {
        char *name = lends_name(i), *text = NULL, said[32]; snprintf(said, sizeof said, "name %d", i);
        assert(name && strcmp(name, said) == 0); name[0] = 'N'; lends_free(name);
        assert(lends_names(i, &text) == i && text && strcmp(text, said) == 0); lends_free(text);
    }
    char *text = (char *)&before; assert(lends_name(-1) == NULL && lends_names(-1, &text) == -1 && text == NULL);
    assert(lends_allocated() == before);
    puts("allocators");
}
static int pours(unsigned char *to, char *text, size_t cap, size_t *used, void *user) {
    int n = *(int *)user;
    for (int i = 0; i < n && (size_t)i < cap; i++) { to[i] = (unsigned char)(i + 1); text[i] = 'x'; }
    *used = (size_t)n;
    return 0;
}
static int turns(lends_row *row, void *user) {
    int mode = *(int *)user, sum = 0; for (unsigned i = 0; i < row->n; i++) sum += row->tail[i];
    if (sum != (int)(row->n * (row->n - 1) / 2)) return -2;
    if (mode == 2) { row->n++; return 0; }
    row->scale = 3; row->n -= (unsigned)mode; for (unsigned i = 0; i < row->n; i++) row->tail[i] = 1;
    return 0;
}
/* Structs that end with an array whose length is a member. */
static void tails(void) {
    static union { lends_nest nest; int room[1100]; } there; lends_row *row = &there.nest.row; there.nest.id = 4; row->scale = 2; lends_vat vat = lends_open(5), other = lends_open(7);
    assert(lends_row_sum(NULL) == -1 && lends_row_sum(row) == 0 && lends_nest_sum(&there.nest) == 4);
    for (unsigned n = 1; n <= 1000; n = n * 3 + 1) {
        row->n = n; row->scale = 2; for (unsigned i = 0; i < 1000; i++) row->tail[i] = 1;
        assert(lends_row_sum(row) == 2 * (int)n && lends_nest_sum(&there.nest) == 4 + 2 * (int)n);
        assert(lends_row_turn(row, n / 2) == (int)(n - n / 2) && row->n == n - n / 2 && row->tail[0] == 2 && row->tail[n - n / 2 - 1] == 2 && row->tail[n - n / 2] == 1);
        assert(lends_row_turn(row, 1001) == -1 && row->n == n - n / 2 && row->tail[0] == 2);
    }
    row->n = 3; lends_row *given = lends_row_new(500), *none = lends_row_new(0); assert(given && given->n == 500 && given->tail[499] == 499 && none && none->n == 0 && lends_row_new(100001) == NULL);
    lends_hold all[3] = {{1, row}, {2, NULL}, {3, given}}; int sum = lends_row_sum(row) + lends_row_sum(given);
    assert(lends_hold_sum(all, 3) == 6 + sum && lends_hold_sum(all, 0) == 0 && lends_row_sum(given) == 500 * 499 / 2);
    free(given); free(none);
    static union { lends_keys keys; int room[5]; } some; some.keys.n = 4; for (int i = 0; i < 4; i++) some.keys.all[i] = lends_key_new(10u + (unsigned)i);
    assert(lends_keys_sum(&some.keys) == 46); some.keys.n = 3; assert(lends_keys_sum(&some.keys) == 33);
    for (int i = 0; i < 4; i++) assert(lends_unkey(some.keys.all[i]) == 0);
    if (is_remote) assert(lends_keys_sum(&some.keys) == -99);
    some.keys.n = 0; assert(lends_keys_sum(&some.keys) == 0);
    /* The length is an argument; the size of the struct is larger than the offset of the array. */
    union { lends_filled filled; unsigned char room[200]; } to;
    for (unsigned room = 0; room < 100; room += 9) {
        memset(&to, 0xaa, sizeof to); assert(lends_fill(room, &to.filled) == (int)room && to.filled.used == room / 2 && to.filled.mark == 7);
        for (unsigned i = 0; i < room; i++) assert(to.filled.bytes[i] == i);
        assert(to.filled.bytes[room > 3 ? room : 3] == 0xaa);
    }
    /* Memory of the library that grows, and memory of the program that is kept. */
    for (unsigned n = 1; n < 5000; n *= 4) { const lends_row *seen = lends_row_of(vat, n); assert(seen && seen->n == n && seen->tail[n - 1] == (int)n - 1); }
    row->n = 600; for (unsigned i = 0; i < 600; i++) row->tail[i] = 2;
    assert(lends_row_kept(vat) == -2 && lends_row_keep(vat, row) == 0 && lends_row_kept(vat) == 2400);
    for (int n = 0; n <= 16; n += 4) assert(lends_pour_in(pours, &n, 16) == n * (n + 1) / 2 + n);
    int many = 17; if (is_remote) assert(lends_pour_in(pours, &many, 16) == -53);
    int mode = 0; assert(lends_row_call(turns, &mode, 50) == 150); mode = 1; assert(lends_row_call(turns, &mode, 50) == 147);
    mode = 2; if (is_remote) assert(lends_row_call(turns, &mode, 50) == -52);
    /* More elements than allowed. */
    row->n = 0xffffffffu; if (is_remote) assert(lends_row_sum(row) == -99 && lends_row_turn(row, 0) == -99);
    assert(lends_close(vat) == 0 && lends_close(other) == 0);
    puts("tails");
}
static int late;
void cx_remote_late_error(const char *library, const char *function, int64_t result);
void cx_remote_late_error(const char *library, const char *function, int64_t result) { (void)library; assert(strcmp(function, "push") == 0 && result == -4); late++; }
static void flushes(void) {
    lends_vat vat = lends_open(1); int pushed, flushed;
    for (int i = 1; i <= 1000; i++) { assert(lends_push(vat, i) == 0); if (i == 500) assert(lends_flush(vat) == 0); }
    assert(lends_pushed(vat, &pushed, &flushed) == 0 && pushed == 500500 && flushed == 125250);
    assert(lends_flush(vat) == 0 && lends_push(vat, is_remote ? -4 : 0) == 0 && lends_pushed(vat, &pushed, &flushed) == 0 && flushed == 500500 && late == is_remote);
    assert(lends_close(vat) == 0);
    puts("flushes");
}
int main(int count, char **arguments) {
    is_remote = count > 1 && strcmp(arguments[1], "remote") == 0;
    assert((lends_process() != getpid()) == is_remote);
    remembers(); kinds(); structs(); ends(); pointers(); casts(); tails(); pins(); text(); allocators(); flushes();
    return 0;
}
