#include <string.h>
#include "p.h"

static char *texts[8], *lines[4];
static p_page_of_text page = {0, lines, 0};
static p_tagged_value tagged[2];

int p_push_to(p_item *all, int room, int *count) {
    if (*count < room) {
        all[*count].number = *count, all[*count].name = "item";
        ++*count;
    }
    return *count;
}
int p_push(p_list *list) { return p_push_to(list->all, 4, &list->count); }
void p_keep_text(char *text) {
    static int count;
    texts[count++] = text;
}
void p_keep(p_page_of_text *all) { (void)all; }
p_page_of_text *p_page(void) { return &page; }
void p_line(p_page_of_text *all, int text, int count) {
    if (count > 0) {
        all->lines[count - 1] = texts[text];
    }
    all->count = count;
}
void p_title(p_page_of_text *all, int text) {
    all->title = texts[text];
    strcpy(all->title, "written again");
}
p_tagged_value *p_tagged(void) { return tagged; }
int p_run(p_tagged_value *one, p_see see, void *context) {
    p_list list;
    memset(&list, 0x5a, sizeof list);
    list.count = 0;
    one->kind = 1;
    one->value.small.count = 2, one->value.small.all[0] = 29, one->value.small.all[1] = 30;
    see(context, one, &list);
    int sum = one->value.small.all[0] + 100 * list.count;
    return list.count ? sum + list.all[0].number : sum;
}
