#include <stdlib.h>
#include "p.h"

struct p_stream {
    char *bytes;
};

int p_drop(p_node *head, p_remove remove, void *user) {
    p_node *node = head->next;
    head->next = node->next;
    head->value--;
    return remove(node, user);
}

int p_drop_all(p_node *head, p_remove remove, void *user) {
    int sum = 0;
    for (p_node *node = head->next, *next; node; node = next) {
        next = node->next;
        sum += remove(node, user);
    }
    head->next = NULL;
    return sum;
}

p_stream *p_open(void) { return calloc(1, sizeof(p_stream)); }

int p_read(p_stream *stream, char *bytes, int n, p_stop stop, void *user) {
    stream->bytes = bytes;
    int round = 0;
    for (; stop(round, user) == 0 && stream->bytes && round < n; round++)
        stream->bytes[round] = (char)('A' + round);
    return round;
}

int p_cancel(p_stream *stream) {
    stream->bytes = NULL;
    return 0;
}

int p_close(p_stream *stream) {
    free(stream);
    return 0;
}
