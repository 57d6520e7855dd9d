#include <stdlib.h>
#include <string.h>
#include "p.h"

struct p_object { p_entry entry; char block[64]; };

p_object *p_open(void) {
    return calloc(1, sizeof(p_object));
}

p_entry *p_get(p_object *object) {
    return &object->entry;
}

/* An allocator often gives the longer block the former address. */
p_entry *p_put(p_object *object, int length, int c) {
    object->entry.data = memset(object->block, c, length);
    object->entry.length = length;
    return &object->entry;
}

int p_each(p_object *object, p_walk walk, void *user) {
    int sum = 0;
    for (int n = 0; n < 3; n++) {
        sum = sum * 100 + walk(object, &object->entry, user);
        for (int at = 0; at < object->entry.length; at++)
            sum += object->entry.data[at] - 'a';
    }
    return sum;
}
