#include <stdio.h>
#include <stdlib.h>
#include "p.h"

struct p_list {
    const char *texts[8];
    int count;
    p_Event event;
    void *user;
};

p_list *p_add(p_list *list, const char *text) {
    if (list == NULL)
        list = calloc(1, sizeof *list);
    list->texts[list->count++] = text;
    return list;
}
p_list *p_watch(p_list *list, p_Event event, void *user) {
    list->event = event;
    list->user = user;
    return list;
}
int p_grow(p_list *list, p_list **grown) {
    *grown = list;
    return list->count;
}
int p_show(p_list *list, char *text, int size) {
    int used = 0;
    text[0] = 0;
    for (int i = 0; i < list->count; i++)
        used += snprintf(text + used, (size_t)(size - used), "%s/", list->texts[i]);
    return used;
}
int p_fire(p_list *list, int n) { return list->event(n, list->user); }
void p_remove(p_list *list) { free(list); }
