#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "idioms.h"

struct idioms_box {
    char text[64];
    void *tag;
    int *attached;
    size_t attached_count;
    int value;
    pthread_mutex_t lock;
    pthread_cond_t pushed;
};

idioms_box *idioms_open(const char *text) {
    idioms_box *box = calloc(1, sizeof *box);
    strncpy(box->text, text, sizeof box->text - 1);
    pthread_mutex_init(&box->lock, NULL);
    pthread_cond_init(&box->pushed, NULL);
    return box;
}
void idioms_close(idioms_box *box) { free(box); }
int idioms_read(idioms_box *box, uint8_t *to, size_t *len) {
    size_t room = *len;
    *len = strlen(box->text);
    if (to == NULL)
        return 0;
    if (room < *len)
        return -1;
    memcpy(to, box->text, *len);
    return 0;
}
int idioms_describe(idioms_box *box, char *to, size_t cap) { return snprintf(to, cap, "box of %s", box->text); }
char *idioms_copy(idioms_box *box) {
    char *copy = malloc(sizeof box->text + 8);
    return strcpy(copy, box->text);
}
void idioms_free(char *text) { free(text); }
int idioms_join(const char *const *all, size_t n) {
    int length = 0;
    while (n--)
        length += (int)strlen(*all++);
    return length;
}
void idioms_tag(idioms_box *box, void *tag) { box->tag = tag; }
void *idioms_tagged(idioms_box *box) { return box->tag; }
const char *idioms_name(idioms_box *box) { return box->text; }
int idioms_attach(idioms_box *box, int *values, size_t n) {
    box->attached = values;
    box->attached_count = n;
    return 0;
}
int idioms_scale(idioms_box *box, int factor) {
    int sum = 0;
    for (size_t i = 0; i < box->attached_count; i++)
        sum += box->attached[i] *= factor;
    return sum;
}
int idioms_pop(idioms_box *box) {
    pthread_mutex_lock(&box->lock);
    while (box->value == 0)
        pthread_cond_wait(&box->pushed, &box->lock);
    int value = box->value;
    box->value = 0;
    pthread_mutex_unlock(&box->lock);
    return value;
}
int idioms_push(idioms_box *box, int value) {
    pthread_mutex_lock(&box->lock);
    box->value = value;
    pthread_cond_signal(&box->pushed);
    pthread_mutex_unlock(&box->lock);
    return 0;
}
enum idioms_color idioms_color(idioms_box *box) { return box->text[0] == 'a' ? IDIOMS_GREEN : IDIOMS_RED; }
int idioms_each(idioms_box *box, idioms_visit visit, void *user) {
    (void)box;
    visit(IDIOMS_RED, user);
    visit(IDIOMS_GREEN, user);
    return 2;
}
int idioms_sum(const int *values, size_t n) {
    int sum = 0;
    while (n--)
        sum += *values++;
    return sum;
}
idioms_point idioms_origin(idioms_box *box) { return (idioms_point){(int)strlen(box->text), -1}; }
