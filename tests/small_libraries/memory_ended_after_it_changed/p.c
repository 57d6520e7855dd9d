#include "p.h"
#include <stdlib.h>

struct p_stream {
    p_step step;
    void *user;
    char *text;
};

static int is_closed;

p_stream *p_open(p_step step, void *user) {
    p_stream *stream = calloc(1, sizeof *stream);
    *stream = (p_stream){step, user, NULL};
    is_closed = 0;
    return stream;
}
void p_read(p_stream *stream, char *text, int size) {
    stream->text = text;
    text[size - 1] = 0;
}
int p_cancel(p_stream *stream) {
    stream->text = NULL;
    return 0;
}
int p_close(p_stream *stream) {
    is_closed = 1;
    free(stream);
    return 0;
}
int p_pump(p_stream *stream, int n) {
    for (int i = 0; i < n && !is_closed && stream->text; i++) {
        stream->text[i] = (char)('0' + i);
        stream->step(stream, i, stream->user);
    }
    return n;
}
void p_pump_async(p_stream *stream, int n) { p_pump(stream, n); }
int p_flush(p_stream *stream) { return stream != NULL; }
int p_attach(p_node *node) { return node->values[0]; }
int p_work(p_stream *stream, p_node *node) {
    node->values[0] = 1;
    stream->step(stream, 9, stream->user);
    return 0;
}
int p_detach(p_node *node) { return node != NULL; }
