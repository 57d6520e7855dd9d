#include <stdio.h>
#include "p.h"

static int walk(p_object *object, p_entry *entry, void *user) {
    int *length = user;
    printf("%d %.*s\n", entry->length, entry->length, entry->data);
    p_put(object, *length, 'a' + *length % 16);
    printf("  now %d %.*s\n", entry->length, entry->length, entry->data);
    if (*length & 1)
        entry->data[*length - 1] = 'z';
    *length += 7;
    return entry->length;
}

int main(void) {
    p_object *object = p_open();
    p_put(object, 4, 'x');
    for (int length = 9; length < 40; length += 9) {
        printf("%d\n", p_each(object, walk, &length));
        p_entry *entry = p_get(object);
        printf("%d %.*s\n", entry->length, entry->length, entry->data);
        p_put(object, 4, 'x');
    }
    return 0;
}
