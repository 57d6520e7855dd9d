#include <string.h>
#include "p.h"

int p_sum(const p_option *options) {
    int sum = 0;
    for (; options->name; options++) {
        sum = sum * 7 + options->value + options->name[0];
    }
    return sum;
}
int p_raise(p_option *options, int by) {
    int count = 0;
    for (; options->name; options++, count++) {
        options->value += by;
    }
    return count;
}
int p_texts(const char *list) {
    int count = 0;
    for (; *list; list += strlen(list) + 1) {
        count++;
    }
    return count;
}
static const p_option *kept;
static const char *kept_texts;
int p_keep(const p_option *options) {
    kept = options;
    return p_sum(options);
}
int p_keep_texts(const char *list) {
    kept_texts = list;
    return p_texts(list);
}
int p_kept(void) { return 100 * p_sum(kept) + p_texts(kept_texts); }
const p_option *p_defaults(void) {
    static const p_option all[] = {{"size", 4}, {"width", 80}, {0, 0}};
    return all;
}
const char *p_list(void) { return "one\0two\0three\0"; }
