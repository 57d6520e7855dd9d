/* Reads and writes the structs behind handles, and prints the same natively and with the library in another process. */
#include "public.h"
#include <stdio.h>
#include <string.h>

static public_node *other;

static void show(const char *when, public_node *node)
{
    printf("%s: %d %ld %d %g %g %g (%d %g) %s next %d\n", when, node->value, node->count, node->state, node->weights[0],
           node->weights[1], node->weights[2], node->at.x, node->at.y, node->name ? node->name : "NULL", node->next == other);
}

static void told(public_node *node, void *user)
{
    printf("told %d %s\n", node->value, node == user ? "same" : "other");
    node->value = 40;
    printf("in callback %d\n", public_step(node));
    node->value += 1;
}

static int asked(void *user)
{
    public_node *node = user;
    int was = public_touch(node);
    node->value = 8;
    return was;
}

static int quiet(void *user)
{
    (void)user;
    return public_touch(other);
}

static void numbers(public_node *node)
{
    show("opened", node);
    printf("step %d\n", public_step(node));
    show("stepped", node);
    node->value = 50;
    node->count = 1L << 40;
    node->state = PUBLIC_IDLE;
    node->weights[0] = 0.25f;
    node->at.x = -3;
    node->at.y = 1e300;
    printf("step %d\n", public_step(node));
    show("written", node);
    printf("fail %d %d\n", public_fail(node), node->value);
    node->user = &other;
    printf("touch %d user %d\n", public_touch(node), node->user == &other);
}

static void several(public_node *node)
{
    public_node *const nodes[4] = { node, NULL, other, node };
    printf("both %d", public_both(node, other));
    printf(" %d %d\n", node->value, other->value);
    node->value = 1;
    other->value = 2;
    printf("sum %d", public_sum(4, nodes));
    printf(" %d %d\n", node->value, other->value);
    printf("same twice %d", public_both(node, node));
    printf(" %d\n", node->value);
    printf("link %d", public_link(node, other));
    show("linked", node);
    printf("linked %d, null %d\n", other->value, public_touch(NULL));
    public_rename(node, "another name");
    show("renamed", node);
    public_rename(node, "");
    show("unnamed", node);
}

static void late(public_node *node)
{
    public_later(node, 100);
    node->at.x = 9;
    public_later(node, 10);
    printf("wait %d\n", public_wait());
    printf("later %d", public_touch(node));
    printf(" %d %d\n", node->value, node->at.x);
}

static void callbacks(public_node *node)
{
    printf("tell %d", public_tell(node, told, node));
    show(" after", node);
    printf("ask %d", public_ask(node, asked, node));
    printf(" %d\n", node->value);
    node->value = 11;
    printf("quiet %d", public_ask(node, quiet, NULL));
    printf(" %d\n", node->value);
}

int main(void)
{
    public_node *node = public_open(4), *two[2];
    other = public_open(6);
    numbers(node);
    several(node);
    late(node);
    callbacks(node);
    printf("two %d", public_open_two(two));
    printf(" %d %d\n", two[0]->value, two[1]->value);
    two[1]->value = 5;
    public_close(two[0]);
    printf("second %d\n", public_touch(two[1]));
    public_close(two[1]);
    public_small *small = public_small_of(200);
    printf("small %d %s", small->first, small->rest);
    memset(small->rest, 0, sizeof small->rest);
    strcpy(small->rest, "xyz");
    small->first = 255;
    printf(" %d\n", public_small_sum(small));
    public_close(other);
    public_close(node);
    printf("none %d\n", public_open(-1) == NULL);
    return 0;
}
