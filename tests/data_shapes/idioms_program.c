#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "idioms.h"

static void *push(void *box) {
    idioms_push(box, 42);
    return NULL;
}

static void visit(enum idioms_color color, void *user) { *(int *)user += 10 + (int)color; }

int main(void) {
    idioms_box *box = idioms_open("a text");
    size_t len = 0;
    int got = idioms_read(box, NULL, &len);
    printf("query %d %zu", got, len);
    uint8_t bytes[64] = {0};
    len = 3;
    got = idioms_read(box, bytes, &len);
    printf(" too small %d %zu", got, len);
    len = sizeof bytes;
    got = idioms_read(box, bytes, &len);
    printf(" read %d %zu %s\n", got, len, (char *)bytes);
    char text[9];
    int needed = idioms_describe(box, NULL, 0);
    printf("describe %d", needed);
    needed = idioms_describe(box, text, sizeof text);
    printf(" %d %s\n", needed, text);
    char *copy = idioms_copy(box);
    copy[0] = 'A';
    printf("copy %s\n", copy);
    idioms_free(copy);
    idioms_free(NULL);
    printf("join %d\n", idioms_join((const char *const[]){"one", "", "three"}, 3));
    idioms_tag(box, &len);
    printf("tagged %d\n", idioms_tagged(box) == &len);
    printf("name %s\n", idioms_name(box));
    int attached[3] = {1, 2, 3};
    idioms_attach(box, attached, 3);
    int scaled = idioms_scale(box, 10);
    attached[1] = 2;
    printf("scale %d %d, then %d\n", scaled, attached[2], idioms_scale(box, 1));
    pthread_t thread;
    if (pthread_create(&thread, NULL, push, box))
        return 1;
    printf("pop %d\n", idioms_pop(box));
    pthread_join(thread, NULL);
    int visited = 0;
    int count = idioms_each(box, visit, &visited);
    printf("color %d each %d %d\n", idioms_color(box), count, visited);
    printf("sum %d %d\n", idioms_sum((const int[]){1, 2, 3}, 3), idioms_sum(NULL, 0));
    idioms_point origin = idioms_origin(box);
    printf("origin %d %d\n", origin.x, origin.y);
    idioms_close(box);
    return 0;
}
