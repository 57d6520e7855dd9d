#include "p.h"
#include <stdlib.h>

struct p_object {
    int *memory;
};

p_object *p_open(void) { return calloc(1, sizeof(p_object)); }

int p_change(p_object *object, int *memory, int n)
{
    (void)object; (void)memory;
    return -n;
}

int p_look(p_object *object, const int *memory, int n)
{
    (void)object; (void)memory;
    return -n;
}

int p_set(p_object *object, int *memory, int n)
{
    object->memory = memory;
    for (int i = 0; i < n; i++) memory[i] += 100;
    return 0;
}

/* Returns whether it is the memory that the object keeps. */
int p_read(p_object *object, int *memory, int n)
{
    object->memory[n - 1]++;
    return memory == object->memory;
}

int p_keep_later(int *memory, int n)
{
    (void)memory;
    return -n;
}

int p_look_later(const int *memory, int n)
{
    (void)memory;
    return -n;
}

static p_struct *kept;

int p_keep_struct(p_struct *s)
{
    kept = s;
    return ++s->count;
}

int p_apply(p_struct *s)
{
    s->memory[1]++;
    return s == kept;
}

/* Returns whether it is the memory of the struct that the library keeps. */
int p_keep(int *memory, int n)
{
    memory[n - 1]++;
    return kept && memory == kept->memory;
}

int p_close(p_object *object)
{
    free(object);
    return 0;
}

int p_wait(void) { return 1; }
