#include <stdio.h>
#include <string.h>
#include "p.h"

static void see(void *context, p_tagged_value *tagged, p_list *list) {
    (void)context;
    printf("%d %d %d %d\n", tagged->kind, tagged->value.small.count, tagged->value.small.all[0], tagged->value.small.all[1]);
    list->all[0].number = 7, list->all[0].name = "seen";
    list->count = 1;
}

int main(void) {
    p_list list;
    p_item all[4];
    int count = 0;
    memset(&list, 0x5a, sizeof list);
    memset(all, 0x5a, sizeof all);
    list.count = 0;
    for (int i = 0; i < 3; i++) {
        int result = p_push(&list);
        printf("%d %d %d %s\n", result, list.count, list.all[i].number, list.all[i].name);
        result = p_push_to(all, 4, &count);
        printf("%d %d %d %s\n", result, count, all[i].number, all[i].name);
    }
    static char texts[8][16], *lines[4];
    for (int i = 0; i < 8; i++) {
        p_keep_text(texts[i]);
    }
    static p_page_of_text own = {0, lines, 0};
    p_keep(&own);
    p_page_of_text *pages[2] = {&own, p_page()};
    for (int i = 0; i < 8; i++) {
        p_page_of_text *page = pages[i % 2];
        page->title = i & 4 ? texts[0] : 0;
        p_line(page, i, 1);
        p_line(page, 0, i & 2 ? 0 : 1);
        p_title(page, i);
        printf("%s, %s\n", page->title, texts[i]);
    }
    p_tagged_value *tagged = p_tagged();
    for (int i = 0; i < 4; i++) {
        int result = p_run(&tagged[i % 2], see, 0);
        printf("%d %d %d\n", result, tagged[i % 2].value.small.all[0], tagged[i % 2].value.small.all[1]);
    }
    return 0;
}
