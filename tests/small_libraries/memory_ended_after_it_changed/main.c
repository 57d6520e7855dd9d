#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

enum { SIZE = sizeof(p_node) };
static int closes;
static char *text, *reused;

static void use_again(void) {
    free(text);
    reused = malloc(SIZE);
    memset(reused, 'n', SIZE);
}

static void step(p_stream *stream, int n, void *user) {
    (void)user;
    if (n < 2) return;
    if (n == 9)
        p_detach((p_node *)text);
    else if (closes)
        p_close(stream);
    else
        p_cancel(stream);
    use_again();
}

static int is_changed(void) {
    int changed = 0;
    for (int n = 0; n < SIZE; n++) changed += reused[n] != 'n';
    if (changed) fprintf(stderr, "%d bytes are changed\n", changed);
    free(reused);
    return changed;
}

static p_stream *start(void) {
    p_stream *stream = p_open(step, NULL);
    text = calloc(1, SIZE);
    p_read(stream, text, SIZE);
    return stream;
}

int main(void) {
    int changed = 0;
    for (closes = 0; closes < 2; closes++) {
        p_pump(start(), 5);
        changed += is_changed();
    }
    closes = 0;
    p_stream *stream = start();
    p_pump_async(stream, 5);
    p_flush(stream);
    changed += is_changed();
    text = calloc(1, SIZE);
    p_attach((p_node *)text);
    p_work(stream, (p_node *)text);
    return changed + is_changed();
}
