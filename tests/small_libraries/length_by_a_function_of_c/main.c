#include <stdio.h>
#include <string.h>
#include "p.h"

int main(void) {
    p_option options[] = {{"alpha", 1}, {"beta", 2}, {"gamma", 3}, {0, 5}};
    printf("%d\n", p_sum(options));
    printf("%d\n", p_raise(options, 10));
    printf("%d %d %d\n", options[0].value, options[2].value, options[3].value);
    printf("%d %d\n", p_texts("a\0bc\0"), p_texts("\0"));
    printf("%d\n", p_keep(options));
    printf("%d\n", p_keep_texts("one\0two\0three\0"));
    printf("%d\n", p_kept());
    const p_option *defaults = p_defaults();
    printf("%s %d %d\n", defaults[1].name, defaults[1].value, defaults[2].name == 0);
    const char *list = p_list();
    printf("%s %s %d\n", list + 4, list + 8, list[14]);
    return 0;
}
