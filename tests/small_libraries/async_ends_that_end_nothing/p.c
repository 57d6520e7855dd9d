#include "p.h"
#include <stdlib.h>

struct p_part {
    int *memory;
};

struct p_object {
    int *memory;
    int references;
    p_part *part;
};

static int *kept;

p_object *p_open(int *memory, int n)
{
    p_object *const object = malloc(sizeof *object);
    *object = (p_object){ memory, 1, 0 };
    memory[n - 1]++;
    return object;
}

p_part *p_open_part(p_object *object, int *memory, int n)
{
    object->part = malloc(sizeof *object->part);
    object->part->memory = memory;
    memory[n - 1] += 2;
    return object->part;
}

p_object *p_refer(p_object *object)
{
    object->references++;
    return object;
}

int p_close(p_object *object)
{
    if (--object->references) return 1;
    free(object->part);
    free(object);
    return 0;
}

int p_close_later(p_object *object, int how) { return how < 0 ? how : p_close(object); }

int p_reset_later(p_object *object, int how)
{
    if (how >= 0) object->memory = 0;
    return how;
}

/* Fails if the memory is not the memory that the object keeps. */
int p_step(p_object *object, int *memory, int n)
{
    for (int i = 0; i < n; i++) memory[i] += 10;
    return memory == object->memory ? n : -5;
}

int p_run(p_object *object, p_event event, void *user) { return event(object, user); }

int p_keep(int *memory, int n)
{
    kept = memory;
    memory[n - 1] += 3;
    return 0;
}

int p_end_later(int *memory, int how)
{
    if (how >= 0 && kept == memory) kept = 0;
    return how;
}

int p_bump(int *memory, int n)
{
    memory[n - 1] += 4;
    return memory == kept ? 1 : -6;
}
