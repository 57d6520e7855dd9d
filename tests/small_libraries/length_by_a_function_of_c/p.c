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
const p_option *p_defaults(void) {
    static const p_option all[] = {{"size", 4}, {"width", 80}, {0, 0}};
    return all;
}
const char *p_list(void) { return "one\0two\0three\0"; }
