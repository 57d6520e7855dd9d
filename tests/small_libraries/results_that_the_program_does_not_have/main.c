#include <stddef.h>
#include "p.h"

static int add(int number, void *user) { return number + *(int *)user; }

int main(void) {
    int five = 5;
    if (p_last() != NULL || p_call(add, &five) != 8)
        return 1;
    char path[] = "a/b", empty[] = "", *text = path;
    if (p_base(path) != path + 2 || p_next(&text) != -1 || text != path)
        return 2;
    return p_last() == NULL && p_base(empty) == NULL ? 0 : 3;
}
