#include "p.h"
#include <stdlib.h>
#include <sys/mman.h>

enum { DATA = 1024 * sizeof(int) };

struct p_object {
    int *memory;
    int n;
    int *data;
};

static int *kept;

p_object *p_open(int *memory, int n)
{
    p_object *const object = malloc(sizeof *object);
    *object = (p_object){ memory, n, 0 };
    return object;
}

void p_step(p_object *object, int *memory, int n)
{
    for (int i = 0; i < n && memory == object->memory; i++) memory[i] += 10;
}

/* The pages of `data` do not exist any more. */
void p_close(p_object *object)
{
    if (object->data) munmap(object->data, DATA);
    free(object);
}

int p_close_now(p_object *object)
{
    p_close(object);
    return 5;
}

void p_reset(p_object *object) { object->memory = 0; }

int p_reset_now(p_object *object)
{
    object->memory = 0;
    return 6;
}

int p_set(p_object *object, int *memory, int n)
{
    object->memory = memory;
    object->n = n;
    return 8;
}

void p_set_later(p_object *object, int *memory, int n) { p_set(object, memory, n); }

int *p_data(p_object *object)
{
    object->data = mmap(0, DATA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return object->data;
}

void p_change(p_object *object, int *data) { data[0] = object->n; }

void p_keep(int *memory, int n)
{
    kept = memory;
    for (int i = 0; i < n; i++) memory[i] += 100;
}

void p_bump(int *memory, int n)
{
    for (int i = 0; i < n; i++) memory[i]++;
}

void p_bump_kept(int *memory, int n) { p_bump(memory, memory == kept ? n : 0); }
void p_end(int *memory) { kept = kept == memory ? 0 : kept; }

int p_end_now(int *memory)
{
    p_end(memory);
    return 7;
}

int p_wait(void) { return 1; }
