/* What a random library and its program share: a text of all that a side sees, numbers by chance, and checked memory. */
#ifndef COMMON_H
#define COMMON_H
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { KINDS = 8, ROOMS = 4096, GUARD = 64 };

/* One call, or one callback: its text and what it allocated. */
struct log {
    char *text;
    size_t length;
    FILE *to;
    uint64_t state;             /* of the numbers by chance */
    bool plain;                 /* nothing is null or large */
    bool entry;                 /* what only comes back has no contents yet */
    bool kept;                  /* the memory outlives the call */
    void *user;                 /* what callbacks are told */
    void *object[KINDS];        /* an object of each kind, or null */
    int rooms;
    struct { unsigned char *at; size_t bytes; } room[ROOMS];
};

static void say(struct log *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(l->to, format, list);
    va_end(list);
}

static struct log *begin(const char *name, uint64_t seed)
{
    struct log *l = calloc(1, sizeof *l);
    l->to = open_memstream(&l->text, &l->length);
    l->state = seed;
    say(l, "%s", name);
    return l;
}

static uint64_t mix(uint64_t h, const void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) h = (h ^ ((const unsigned char *)at)[i]) * 0x100000001b3u;
    return h;
}

/* A number of all that was said so far. */
static uint64_t hash(struct log *l)
{
    fflush(l->to);
    return mix(0xcbf29ce484222325u, l->text, l->length);
}

static uint64_t rnd(struct log *l)
{
    uint64_t z = l->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Once in `n` times, but not in a plain call. */
static bool chance(struct log *l, unsigned n) { return rnd(l) % n == 0 && !l->plain; }

static size_t count(struct log *l, size_t most)
{
    static const size_t sizes[] = { 1, 2, 3, 1, 4, 2, 0, 7, 8, 9, 31, 64, 100, 255, 1000, 4096, 5000, 70000 };
    size_t n = sizes[rnd(l) % (sizeof sizes / sizeof *sizes)];
    if (chance(l, 100)) n = 300000;
    if (l->plain) n = 1 + n % 2;
    return n <= most ? n : most ? n % most : 0;
}

/* Memory of this many bytes, aligned to a cache line, with a guard behind it. */
static void *room(struct log *l, size_t bytes)
{
    unsigned char *at = aligned_alloc(64, (bytes + GUARD + 63) / 64 * 64);
    memset(at, 0, bytes);
    memset(at + bytes, 0xa5, GUARD);
    if (l->rooms == ROOMS) abort();
    l->room[l->rooms].at = at;
    l->room[l->rooms++].bytes = bytes;
    return at;
}

static void close_rooms(struct log *l)
{
    for (int i = 0; i < l->rooms; i++) {
        unsigned char *guard = l->room[i].at + l->room[i].bytes;
        for (int k = 0; k < GUARD; k++)
            if (guard[k] != 0xa5) { say(l, " OVERRUN"); break; }
    }
    for (int i = 0; i < l->rooms && !l->kept; i++) free(l->room[i].at);
    l->rooms = 0;
}

static size_t until(const void *at, size_t width, size_t most)
{
    size_t n = 0;
    while (n < most) {
        bool zero = true;
        for (size_t k = 0; k < width; k++) zero = zero && ((const char *)at)[n * width + k] == 0;
        n++;
        if (zero) break;
    }
    return n;
}

static char *text(struct log *l)
{
    size_t n = count(l, 5000);
    char *at = room(l, n + 1);
    for (size_t i = 0; i < n; i++) at[i] = (char)('a' + rnd(l) % 26);
    return at;
}

static void show_text(struct log *l, const char *at)
{
    if (at == NULL) say(l, " null");
    else if (strlen(at) < 24) say(l, " '%s'", at);
    else say(l, " '%.8s'...%zu:%llx", at, strlen(at), (unsigned long long)mix(7, at, strlen(at)));
}
#endif
