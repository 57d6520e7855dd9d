#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shelves.h"

enum { SMALL = 1000, LARGE = 300000 };

static unsigned char *filled(size_t n, int with) {
    unsigned char *bytes = malloc(n);
    assert(bytes);
    memset(bytes, with, n);
    return bytes;
}

/* The same memory is kept for two objects, and the first ends. */
static void kept_twice(size_t n) {
    unsigned char *bytes = filled(n, 1);
    shelves_shelf one = shelves_open(), two = shelves_open();
    assert(shelves_keep(one, bytes, n) == 0 && shelves_keep(two, bytes, n) == 0 && shelves_keep(two, bytes, n) == 0);
    assert(shelves_close(one) == 0);
    printf("kept %d\n", shelves_sum(two));
    /* Part of it is kept for a third object. */
    shelves_shelf three = shelves_open();
    assert(shelves_keep(three, bytes + n / 2, n / 2) == 0);
    assert(shelves_close(two) == 0);
    printf("half %d\n", shelves_sum(three));
    assert(shelves_close(three) == 0);
    free(bytes);
}

/* What kept structs point to, and lists in a circle. */
static void inner(void) {
    unsigned char *bytes = filled(SMALL, 2);
    shelves_box box = {"box", SMALL, bytes};
    shelves_node b = {20, NULL}, a = {10, &b};
    b.next = &a;
    shelves_shelf one = shelves_open(), two = shelves_open();
    assert(shelves_pack(one, &box) == 0 && shelves_pack(two, &box) == 0);
    assert(shelves_chain(one, &a) == 0 && shelves_chain(two, &b) == 0);
    assert(shelves_close(one) == 0);
    printf("box and list %d\n", shelves_sum(two));
    assert(shelves_close(two) == 0);
    free(bytes);
}

/* A scope and an object own the same memory. */
static void scope_and_object(void) {
    unsigned char *bytes = filled(SMALL, 3);
    shelves_shelf one = shelves_open();
    assert(shelves_page(one, bytes, SMALL) == 0 && shelves_keep(one, bytes, SMALL) == 0);
    printf("page and shelf %d, ", shelves_sum(one));
    assert(shelves_turn(one) == 0);
    printf("shelf %d, ", shelves_sum(one));
    assert(shelves_page(one, bytes, SMALL) == 0);
    printf("page again %d\n", shelves_sum(one));
    assert(shelves_close(one) == 0);
    free(bytes);
}

/* The library returns the same memory for two objects. */
static void lent(void) {
    shelves_shelf one = shelves_open(), two = shelves_open();
    const char *label = shelves_label(one);
    assert(shelves_label(two) == label);
    assert(shelves_close(one) == 0);
    shelves_shelf three = shelves_open();
    printf("%s\n", label);
    /* An asynchronous release leaves a reference. */
    assert(shelves_close(two) == 0 && shelves_label(three) && shelves_again(three) == three);
    label = shelves_label(three);
    assert(shelves_drop(three) == 0 && shelves_retain(three) == 2 && strcmp(label, "a shelf") == 0);
    assert(shelves_close(three) == 0);
}

/* An argument that ends with the call, and one that does not, are the same memory. */
static void same(void) {
    char *text = strdup("the same");
    shelves_shelf one = shelves_open();
    assert(text && shelves_both(one, text, text) == 8);
    printf("same %d\n", shelves_sum(one));
    assert(shelves_close(one) == 0);
    free(text);
}

/* An object with two references keeps its memory after an asynchronous release. */
static void counted(void) {
    unsigned char *bytes = filled(SMALL, 4);
    shelves_shelf one = shelves_open();
    assert(shelves_keep(one, bytes, SMALL) == 0 && shelves_retain(one) == 2 && shelves_drop(one) == 0);
    shelves_shelf two = shelves_open();
    assert(shelves_keep(two, bytes, SMALL) == 0);
    printf("counted %d %d\n", shelves_sum(one), shelves_sum(two));
    assert(shelves_release(one) == 0 && shelves_close(two) == 0);
    /* The last of two references ends. The block is used again at once. */
    one = shelves_open(), two = shelves_open();
    assert(shelves_keep(one, bytes, SMALL) == 0 && shelves_retain(one) == 2 && shelves_drop(one) == 0);
    assert(shelves_drop(one) == 0);
    memset(bytes, 5, SMALL);
    assert(shelves_keep(two, bytes, SMALL) == 0);
    printf("again %d\n", shelves_sum(two));
    assert(shelves_close(two) == 0);
    free(bytes);
}

/* The library returns constant memory of the program. */
static void constant(void) {
    shelves_shelf one = shelves_open();
    const char *name = "a constant name";
    assert(shelves_call(one, name) == 0 && shelves_called(one) == name);
    puts(shelves_called(one));
    assert(shelves_close(one) == 0);
}

static int done(int sum, void *user) {
    *(int *)user = sum;
    return 1;
}

/* A block that the library kept for a while passes to it later. */
static void kept_then_passed(void) {
    for (size_t n = SMALL; n <= LARGE; n += LARGE - SMALL) {
        unsigned char *bytes = filled(n, 1);
        int sum = 0;
        assert(shelves_write(bytes, n, done, &sum) == 0 && shelves_pump() == 1 && sum == (int)n);
        memset(bytes, 2, n);
        assert(shelves_pass(bytes, n) == 0);
    }
    puts("kept, then passed");
}

/* Memory that the library keeps until an explicit call stays that of the program. */
static void pinned(void) {
    for (size_t n = LARGE; n >= SMALL; n -= LARGE - SMALL) {
        unsigned char *bytes = filled(n, 1);
        for (int round = 0; round < 3; round++) {
            assert(shelves_pin(bytes, n) == 0 && bytes[0] == round + 2 && bytes[n - 1] == round + 2);
            shelves_unpin(bytes, n);
        }
        free(bytes);
        if (n == SMALL)
            break;
    }
    puts("pinned");
}

static int fired(void *user) {
    return *(int *)user;
}

static void gone(void *user) {
    ++*(int *)user;
}

/* A function is found by its data, whichever other functions were added with it. */
static void added(void) {
    int a = 0, b = 0;
    assert(shelves_on(fired, gone, &a) == 0 && shelves_on(fired, NULL, &b) == 0);
    assert(shelves_off(fired, &a) == 1 && a == 1 && shelves_off(fired, &a) == 0);
    assert(shelves_off(fired, &b) == 1 && b == 0);
    puts("added");
}

/* Two objects have the same function with the same userdata, each in a separate scope. */
static void scopes(void) {
    int user = 7;
    shelves_shelf one = shelves_open(), two = shelves_open();
    assert(shelves_attach(one, fired, &user) == 0 && shelves_attach(two, fired, &user) == 0);
    assert(shelves_attach(two, NULL, NULL) == 0 && shelves_attach(two, fired, &user) == 0);
    assert(shelves_attach(one, NULL, NULL) == 0);
    printf("fired %d %d\n", shelves_fire(one), shelves_fire(two));
    assert(shelves_close(one) == 0);
    printf("fired %d\n", shelves_fire(two));
    assert(shelves_close(two) == 0);
}

static int take(char *text, void *user) {
    if (user) {
        printf("%s\n", text);
        free(text);
    }
    return user ? (int)sizeof(int) : -1;
}

/* Blocks whose ownership passes. */
static void passed(void) {
    for (int round = 0; round < 100; round++) {
        assert(shelves_pass(filled(LARGE, 1), LARGE) == 0);
        assert(shelves_pass(filled(0, 1), 0) == 0);
        assert(shelves_pass_text(strdup("text")) == 0 && shelves_pass_text(NULL) == 0);
        assert(shelves_pass_later(strdup("later")) == 0);
        char **names = malloc(3 * sizeof *names);
        assert(names);
        for (int i = 0; i < 3; i++)
            names[i] = strdup("name");
        assert(shelves_pass_all(names, 3) == 0);
        /* A call that fails leaves the block to the program. */
        unsigned char *refused = filled(SMALL, 255);
        assert(shelves_pass(refused, SMALL) == -1 && refused[SMALL - 1] == 255);
        free(refused);
    }
    printf("passed %d\n", shelves_passed());
    int user;
    assert(shelves_give(take, &user) == sizeof(int));
    printf("not given %d\n", shelves_give(take, NULL));
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        /* The library writes to memory that it also keeps. */
        unsigned char bytes[SMALL] = {7};
        shelves_shelf one = shelves_open();
        printf("%d ", shelves_copy(one, bytes, bytes, SMALL));
        printf("%d\n", shelves_copy(one, bytes, bytes + 8, SMALL - 8));
        return shelves_close(one);
    }
    kept_twice(SMALL);
    kept_twice(LARGE);
    inner();
    scope_and_object();
    lent();
    same();
    counted();
    constant();
    scopes();
    added();
    passed();
    kept_then_passed();
    pinned();
    return 0;
}
