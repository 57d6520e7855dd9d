#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "changes.h"

static void rows(changes_box *box, changes_row *row) {
    printf("as it was %g\n", changes_apply(box, row));
    row->a = 3;
    row->n = 2;
    printf("changed %g\n", changes_apply(box, row));
    printf("again %g\n", changes_apply(box, row));
    strcpy(row->name, "a long name");
    printf("returned again %s", changes_rows(box)->name);
    printf(" %g\n", changes_apply(box, row));
    row->n = 5;
    double twice = changes_twice(box, row);
    printf("twice %g: %g %d %s\n", twice, row->a, row->n, row->name);
    if (row->next) {
        row->next->a = 7;
        strcpy(row->next->name, "n");
        printf("next %g\n", changes_apply(box, row));
    }
    row->a = -1;
    changes_reset(box, row);
    printf("reset %g %d %d %s\n", row->a, row->n, row->count, row->name);
    printf("after it %g\n", changes_apply(box, row));
}

/* A change that a refused call carried is carried by the next one. */
static void refused(changes_box *box, int is_remote) {
    changes_row *row = changes_rows(box);
    row->n = 6;
    if (is_remote)
        assert(changes_refuse(row, NULL) == -1);
    printf("refused before %d\n", changes_refuse(row, "x"));
}

/* What the library changed meanwhile is not undone. */
static void counts(changes_box *box) {
    changes_row *row = changes_rows(box);
    changes_step(box);
    row->a = 4;
    printf("counts %g", changes_apply(box, row));
    printf(" %d %g\n", changes_rows(box)->count, row->a);
}

static void texts(changes_box *box) {
    char *text = changes_text(box);
    printf("length %d", changes_length(text));
    strcpy(text, "hello");
    printf(" %d", changes_length(text));
    text[2] = 0;
    printf(" %d", changes_length(text));
    strcpy(text + 2, "nger text");
    printf(" %d\n", changes_length(text + 1));
    printf("title %d\n", changes_title_length(box, changes_title(box)));
}

static void buffers(changes_box *box) {
    for (size_t n = 10; n < 500000; n *= 7) {
        unsigned char *data = changes_buffer(box, n);
        printf("buffer %d", changes_sum(data, n));
        for (size_t at = 0; at < n; at += 3)
            data[at] = 5;
        printf(" %d", changes_parse(box, n));
        memset(data, 2, n);
        printf(" %d %d\n", changes_sum(data, n), changes_parse(box, n / 2));
    }
}

static void seen(unsigned char *data, size_t n, void *user) {
    printf(" shown %d%s %d %d %d", data == user, n == 8 ? "" : "?", data[0], data[1], data[2]);
    data[3] = 33;
}

static void both(const unsigned char *data, const unsigned *words, size_t n, void *user) {
    printf(" held %d%d%s %d\n", data == user, (const void *)words == user, n == 8 ? "" : "?", data[6]);
}

/* The library keeps memory of the program; both change it. */
static void kept(changes_box *box) {
    unsigned char data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    changes_keep(box, data, 8);
    data[0] = 100;
    changes_poke(box, 1, 101);
    printf("kept %d:", changes_kept(box) == data);
    printf(" %d %d", data[0], data[1]);
    data[0] = 50;
    changes_poke(box, 2, 102);
    changes_show(box, seen, data);
    printf(" %d", data[3]);
    changes_poke(box, 4, 104);
    data[5] = 55;
    printf(" total %d", changes_total(box, data, 8));
    printf(" peek %d %d", changes_peek(box, 5), changes_peek(box, 4));
    changes_poke(box, 6, 106);
    changes_poke(box, 7, 107);
    printf(" pair %d", changes_pair(box, data, (const unsigned *)data, 8));
    printf(" %d", changes_kept(box)[6]);
    unsigned char held[8] = {0};
    changes_hold(box, held, 8);
    held[6] = 66;
    changes_show_both(box, both, held);
}

int main(int argc, char **argv) {
    (void)argv;
    changes_box *box = changes_open();
    printf("lines %d\n", changes_take(changes_lines(box), 2));
    rows(box, changes_rows(box));
    rows(box, changes_forever(box));
    changes_row *found;
    changes_find(box, &found);
    rows(box, found);
    refused(box, argc > 1);
    counts(box);
    texts(box);
    buffers(box);
    kept(box);
    changes_close(box);
    return 0;
}
