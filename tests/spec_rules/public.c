/* Objects with a struct that programs see, and more behind it. */
#include "public.h"
#include <stdlib.h>
#include <string.h>

struct whole { public_node public; char name[32]; int hidden; };
static struct whole *whole(public_node *node) { return (struct whole *)node; }

public_node *public_open(int value)
{
    struct whole *made = calloc(1, sizeof *made);
    if (value < 0 || !made) return NULL;
    made->public.value = value;
    made->public.count = -value;
    made->public.weights[2] = 0.5f;
    made->public.at.y = value / 2.0;
    made->public.name = strcpy(made->name, "new");
    made->hidden = value;
    return &made->public;
}

int public_open_two(public_node **nodes)
{
    nodes[0] = public_open(71);
    nodes[1] = public_open(72);
    return 2;
}

void public_close(public_node *node) { free(node); }

int public_step(public_node *node)
{
    node->value++;
    node->count += 10;
    node->state = PUBLIC_BUSY;
    node->weights[1] += 1;
    node->at.x--;
    return ++whole(node)->hidden;
}

int public_fail(public_node *node)
{
    node->value = 1000;
    return -1;
}

int public_both(public_node *first, public_node *second)
{
    int sum = first->value + second->value;
    first->value = second->value = sum;
    return sum;
}

int public_sum(int n, public_node *const *nodes)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += nodes[i] ? nodes[i]->value++ : 0;
    return sum;
}

int public_touch(public_node *node) { return node ? node->value : -7; }

int public_link(public_node *node, public_node *next)
{
    node->next = next;
    next->value = 500;
    return 0;
}

int public_rename(public_node *node, const char *name)
{
    node->name = strncpy(whole(node)->name, name, 31);
    if (!*name) node->name = NULL;
    return 0;
}

void public_later(public_node *node, int value) { node->value += value; }
int public_wait(void) { return 0; }

int public_tell(public_node *node, public_told told, void *user)
{
    node->value++;
    told(node, user);
    return node->value * 10;
}

int public_ask(public_node *node, public_asked asked, void *user)
{
    node->value = 3;
    return asked(user) * 1000 + node->value;
}

public_small *public_small_of(int first)
{
    public_small *small = calloc(1, sizeof *small);
    small->first = (unsigned char)first;
    strcpy(small->rest, "rest");
    return small;
}

int public_small_sum(public_small *small)
{
    int sum = small->first;
    for (int i = 0; small->rest[i]; i++) sum += small->rest[i];
    return sum;
}
