#include "p.h"
#include <stdlib.h>

struct p_object {
    int *memory;
    int n;
};

static int *kept;

p_object *p_open(int *memory, int n)
{
    p_object *const object = malloc(sizeof *object);
    *object = (p_object){ memory, n };
    return object;
}

void p_step(p_object *object, int *memory, int n)
{
    for (int i = 0; i < n && memory == object->memory; i++) memory[i] += 10;
}

void p_close(p_object *object) { free(object); }

int p_close_now(p_object *object)
{
    free(object);
    return 5;
}

void p_reset(p_object *object) { object->memory = 0; }

int p_reset_now(p_object *object)
{
    object->memory = 0;
    return 6;
}

void p_keep(int *memory, int n) { kept = n ? memory : 0; }

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
