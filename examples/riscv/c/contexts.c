/* Two libraries, and a machine with one state context: each has a MulAcc of its own, and the runtime moves their states. */
#include <stdio.h>
#include <stdlib.h>

#include "cx.h"
#include "mulacc.h"

static cx_sel_t open_mulacc(void)
{
    cx_sel_t sel = cx_open(&mulacc_uuid, cx_open_exclusive);
    if (!cx_sel_is_cx(sel)) {
        fprintf(stderr, "no MulAcc here: %s\n", cx_last_error_string());
        exit(1);
    }
    return sel;
}

/* A library that adds squares. */
static cx_sel_t squares;

static unsigned long add_square(unsigned long x)
{
    cx_sel_t outer = cx_select(squares);
    cx_word_t sum = mulacc_mulacc(x, x);
    cx_select(outer);
    return sum;
}

/* A library that adds products, and does not know of the other one. */
static cx_sel_t products;

static unsigned long add_product(unsigned long x, unsigned long y)
{
    cx_sel_t outer = cx_select(products);
    cx_word_t sum = mulacc_mulacc(x, y);
    cx_select(outer);
    return sum;
}

static void show_counters(const char *when)
{
    struct cx_counters now;
    cx_read_counters(&now);
    printf("contexts %s: traps %u, swaps %u, words saved %u, words loaded %u\n", when, (unsigned)now.traps, (unsigned)now.swaps,
           (unsigned)(now.saved_bytes / sizeof(cx_word_t)), (unsigned)(now.loaded_bytes / sizeof(cx_word_t)));
}

int main(void)
{
    /* A hart has one MulAcc with one context; the generated software is in place of hardware. */
    const struct cx_platform_cxu machine[] = {{mulacc_uuid, 1}};
    if (cx_soft_register(&mulacc_soft_cxu) != CX_ERROR_NONE || cx_platform_load(machine, 1) != CX_ERROR_NONE) {
        fprintf(stderr, "%s\n", cx_last_error_string());
        return 1;
    }
    squares = open_mulacc();
    products = open_mulacc();
    for (unsigned long x = 1; x <= 4; x++) {
        unsigned long square_sum = add_square(x), product_sum = add_product(x, x + 1);
        printf("contexts squares %lu, products %lu\n", square_sum, product_sum);
    }
    show_counters("in turn");
    for (unsigned long x = 5; x <= 8; x++) {
        add_square(x); /* its state is in the context but for the first time */
    }
    printf("contexts squares %lu\n", add_square(9));
    show_counters("alone");
    cx_close(squares);
    cx_close(products);
    return 0;
}
