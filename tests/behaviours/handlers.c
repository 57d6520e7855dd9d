/* A signal arrives in each allocation that a call makes. A handler that interrupts an allocator must not allocate, so the engine may not
 * allocate or wait for a lock in the handler's call. */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "places.h"

enum { FAILED = -99 };

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

static __thread int is_allocating, is_calling;
static volatile sig_atomic_t process, made, refused;

static void begin(void)
{
    if (is_allocating) {
        static const char text[] = "the call of a signal handler uses the allocator\n";
        if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
            _exit(2);
        abort();
    }
    is_allocating = 1;
    if (is_calling)
        raise(SIGUSR1);
}

void *malloc(size_t size)
{
    begin();
    void *memory = __libc_malloc(size);
    is_allocating = 0;
    return memory;
}

void *calloc(size_t count, size_t size)
{
    begin();
    void *memory = __libc_calloc(count, size);
    is_allocating = 0;
    return memory;
}

void *realloc(void *memory, size_t size)
{
    begin();
    memory = __libc_realloc(memory, size);
    is_allocating = 0;
    return memory;
}

void free(void *memory)
{
    begin();
    __libc_free(memory);
    is_allocating = 0;
}

static void on_signal(int signal)
{
    (void)signal;
    int said = places_process();
    if (said == FAILED)
        refused++;
    else if (said == process)
        made++;
    else
        abort();
}

static int tells(int value, void *user)
{
    is_calling = 0;
    int result = value + *(int *)user;
    is_calling = 1;
    return result;
}

static int compares(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void calls(int round)
{
    int ten = 10, cells[3] = {round, 2, 3}, numbers[3] = {3, 1, 2};
    places_row rows[2] = {{3, cells}, {0, NULL}};
    places_pair pair = {tells, NULL, &ten};
    const char *texts[3] = {"ab", "cde", NULL};
    static int kept[4];
    is_calling = 1;
    int sum = places_sum(rows, 2);
    int told = places_call(tells, &ten, 1), paired = places_pairs(&pair);
    int length = places_length(texts), stored = places_keep(kept, 4);
    int sorted = places_sort(numbers, 3, compares);
    places_box box = places_open(5);
    places_item item = NULL;
    int opened = places_item_new(box, &item);
    const places_info *info = places_look(box);
    int freed = places_item_free(&item), closed = places_close(box);
    is_calling = 0;
    assert(sum == round + 5 && told == 12 && paired >= 0 && length == 5 && stored >= 0 && sorted >= 0);
    assert(numbers[0] == 1 && numbers[2] == 3 && opened >= 0 && info && freed >= 0 && closed >= 0);
}

int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    process = places_process();
    for (int round = 0; round < 50; round++)
        calls(round);
    puts(refused ? "calls refused" : "no call refused");
    return 0;
}
