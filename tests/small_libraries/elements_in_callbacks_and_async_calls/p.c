#include <string.h>
#include "p.h"

static p_list borrowed = {2, {1, 2, 3, 4}, "borrowed"};

p_list *p_borrow(void) { return &borrowed; }
void p_keep(p_list *list, p_texts *texts) { (void)list, (void)texts; }
int p_run(p_list *list, p_see see, void *context) {
    see(context, list);
    int count = list->count;
    if (count < 2) {
        list->count = 2, list->all[1] = 2;
    }
    return count;
}
void p_push(p_list *list, int number) { list->all[list->count++] = number; }
void p_pop(p_list *list) { list->all[--list->count] = 9; }
int p_last_of(p_list *one, p_list *other) { return one->all[one->count - 1] * 100 + other->all[other->count - 1]; }
int p_pop_text(p_texts *texts) {
    strcpy(texts->all[--texts->count].text, "b");
    return texts->count;
}
int p_first_text(p_texts *texts) { return texts->all[0].text[0]; }
