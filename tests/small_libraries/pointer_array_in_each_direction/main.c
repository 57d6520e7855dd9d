#include <stdio.h>
#include "p.h"

static void show(const char **names) {
    printf("%s %s %s %s\n", names[0], names[1], names[2], names[3]);
}
int main(void) {
    const char **names = p_names();
    printf("%d %d %d\n", names == p_names(), p_is_read(names), p_is_changed(names));
    p_rename(names, 1);
    printf("%s %s %d\n", names[1], p_name(1), names[1] == p_name(1));
    names[0] = names[3];
    printf("%d\n", p_is_changed(names));
    printf("%s\n", p_name(0));
    show(p_names());
    p_names_t all = {0, 0};
    p_fill(&all);
    printf("%d %d\n", all.names == names, all.count);
    printf("%d %d\n", p_read_all(&all), p_change_all(&all));
    show(all.names);
    printf("%s %d\n", p_name(2), p_read_all(&all));
    return 0;
}
