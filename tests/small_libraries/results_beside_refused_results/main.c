#include "p.h"

int main(void) {
    int first[4] = {0}, count = 0, refused[4] = {0}, last[4] = {0};
    p_fill(first, 1);
    p_fill_too_many(&count, refused);
    p_fill(last, 2);
    if (p_calls() != 3)
        return 2;
    for (int n = 0; n < 4; n++)
        if (first[n] != 1 || refused[n] != 0 || last[n] != 2)
            return 3;
    return p_calls() == 3 ? 0 : 4;
}
