#include <stdio.h>
#include "p.h"

static int add(int n, void *user) { return n + *(int *)user; }

int main(void) {
    static const char *const texts[] = {"Content-Type: text/plain", "Accept: everything", "Host: example.org", "X: y"};
    char text[400];
    int offset = 30;
    p_list *list = NULL, *first = NULL;
    for (int i = 0; i < 4; i++) {
        list = p_add(list, texts[i]);
        if (first == NULL)
            first = list;
        int used = p_show(list, text, sizeof text);
        printf("%d %s %d\n", used, text, list == first);
    }
    list = p_watch(list, add, &offset);
    int fired = p_fire(list, 5), count = p_grow(list, &list);
    printf("%d %d %d\n", fired, count, list == first);
    fired = p_fire(list, 6);
    count = p_show(list, text, sizeof text);
    printf("%d %d %s\n", fired, count, text);
    p_remove(list);
    return 0;
}
