/* Asserts that results do not depend on where buffers are. Arguments: `remote` or not, and the in-place bytes that the worker grants. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "room.h"

static int is_remote;
static size_t room;

static unsigned char bytes[1 << 21], back[1 << 21];

static void places(void)
{
    static const size_t sizes[] = { 1, 16, 2047, 2048, 4096, 65535, 65536, 65537, 1 << 20, 1 << 21 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert(room_is_shared(bytes, sizes[i]) == (sizes[i] >= 2048 && sizes[i] <= room));
    /* All buffers of a call are in place, or none is. */
    int both = room >= 65536 ? 3 : 0;
    assert(room_are_shared(bytes, 4000, bytes + 8000, 60) == both && room_are_shared(bytes, 60, bytes + 8000, 30000) == both);
    assert(room_are_shared(NULL, 0, bytes, 4000) == (both & 2) && room_are_shared(bytes, 4000, NULL, 0) == (both & 1));
    assert(room_are_shared(NULL, 0, NULL, 0) == 0 && room_are_shared(bytes, 40, bytes + 80, 40) == 0);
    assert(room_are_shared(bytes, 40000, bytes + 50000, 40000) == (room >= 1 << 20 ? 3 : 0));
    puts("places");
}

static void contents(void)
{
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256);
    static const size_t sizes[] = { 16, 2048, 4096, 30000, 131072, 131073, 1 << 20, (1 << 21) - 5 };
    for (int round = 0; round < 20; round++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            size_t n = sizes[i];
            memset(back, round, sizeof back);
            assert(room_copy(bytes + round, back, n, n) == 0 && memcmp(bytes + round, back, n) == 0 && back[n] == round);
            /* Unwritten bytes are unchanged. */
            memset(back, round, sizeof back);
            if (!is_remote || (n >= 2048 && 2 * n + 64 <= room)) {
                assert(room_copy(bytes, back, n, 9) == 0 && memcmp(bytes, back, 9) == 0);
                for (size_t at = 9; at < n; at++)
                    assert(back[at] == round);
            }
            assert(room_copy(bytes, back, n, n + 1) < 0);
        }
    puts("contents");
}

/* Asynchronous calls, whose memory is free again at once. */
static void later(void)
{
    int64_t sum = room_sum();
    for (int i = 0; i < 300; i++) {
        size_t n = i % 3 == 0 ? 100000 : 4096;
        memset(back, i, n);
        room_put(back, n);
        sum += (int64_t)n * (unsigned char)i;
        if (i % 7 == 0)
            assert(room_copy(bytes, back, 4096, 4096) == 0);
    }
    assert(room_sum() == sum);
    puts("later");
}

#define DEEP 7
#define CELLS 4000

struct inner {
    room_hall hall;
    int depth;
};

static int turns(struct inner *inner)
{
    uint32_t cells[CELLS];
    for (uint32_t i = 0; i < CELLS; i++)
        cells[i] = i * (uint32_t)(inner->depth + 1);
    int said = room_turn(inner->hall, cells, CELLS);
    for (uint32_t i = 0; i < CELLS; i++)
        assert(cells[i] == i * (uint32_t)(inner->depth + 1) + 1);
    return said;
}

static int tell(int value, void *user)
{
    struct inner *inner = user;
    assert(value == CELLS);
    if (inner->depth == 0)
        return 5;
    struct inner next = { inner->hall, inner->depth - 1 };
    /* The library receives the next call. */
    assert(room_hear(inner->hall, tell, &next) == 0);
    int said = turns(&next);
    assert(room_copy(bytes, back + DEEP * 8192, 2500, 2500) == 0 && memcmp(bytes, back + DEEP * 8192, 2500) == 0);
    return said;
}

/* Nested calls in callbacks, until the in-place memory is full. */
static void callbacks(void)
{
    room_hall hall = room_open();
    assert(hall);
    for (int round = 0; round < 5; round++) {
        struct inner inner = { hall, DEEP };
        assert(room_hear(hall, tell, &inner) == 0 && turns(&inner) == 5);
    }
    assert(room_close(hall) == 0);
    if (is_remote) {
        /* A refused call has no effect. */
        uint32_t cells[CELLS] = { 3 };
        for (int i = 0; i < 100; i++)
            assert(room_turn(hall, cells, CELLS) == -99 && cells[0] == 3);
        assert(room_copy(bytes, back, 30000, 30000) == 0 && memcmp(bytes, back, 30000) == 0);
    }
    puts("callbacks");
}

static void *work(void *number)
{
    unsigned char mine[5000], got[5000];
    memset(mine, (int)(intptr_t)number, sizeof mine);
    for (int i = 0; i < 500; i++) {
        memset(got, 0, sizeof got);
        assert(room_copy(mine, got, sizeof mine, sizeof mine) == 0 && memcmp(mine, got, sizeof mine) == 0);
    }
    return NULL;
}

static void threads(void)
{
    for (int round = 0; round < 4; round++) {
        pthread_t all[6];
        for (int i = 0; i < 6; i++)
            assert(pthread_create(&all[i], NULL, work, (void *)(intptr_t)(round * 6 + i + 1)) == 0);
        for (int i = 0; i < 6; i++)
            assert(pthread_join(all[i], NULL) == 0);
    }
    puts("threads");
}

int main(int count, char **words)
{
    is_remote = count > 1;
    room = is_remote ? strtoul(words[1], NULL, 10) : 0;
    places();
    contents();
    later();
    callbacks();
    threads();
}
