#include <string.h>
#include "p.h"

static p_node *kept;
static char *kept_text;

void p_keep(p_node *nodes, int count) {
    kept = nodes;
    kept[count - 1].number++;
}
int p_unlink(p_node *before) {
    before->next = before->next->next;
    return before->next == 0;
}
int p_replace(p_node *before, int by) {
    p_node *old = before->next;
    old->number += 1000;
    before->next = &kept[by];
    kept[by].number += 100;
    return old == before;
}
int p_sum(p_node *first) {
    int sum = first == kept;
    for (; first; first = first->next) {
        sum = sum * 3 + first->number + (first->other ? first->other->number : -1);
    }
    return sum;
}
p_node *p_nodes(void) {
    static p_node nodes[] = {{1, nodes + 1, 0}, {2, nodes + 2, 0}, {3, 0, nodes}};
    return nodes;
}
void p_keep_text(char *text) { kept_text = text; }
void p_append(const char *more) { strcat(kept_text, more); }
int p_length(char *text) { return (int)strlen(text) + 100 * (text == kept_text); }
