#include "p.h"

int main(void) {
    int first[4] = {0}, count = 0, refused[4] = {0}, last[4] = {0};
    p_fill(first, 1);
    p_fill_too_many(&count, refused);
    p_fill(last, 2);
    if (p_calls() != 3 || first[0] != 0 || refused[0] != 0 || last[0] != 0)
        return 2;
    p_fill(last, 3);
    return p_calls() == 4 && last[3] == 3 ? 0 : 3;
}
