#include <string.h>
#include "p.h"

double p_size(const void *of) {
    if (!of)
        return -1;
    const p_text *text = of;
    return text->kind == 1 ? ((const p_number *)of)->value : text->factor * (double)strlen(text->text);
}
double p_total(const p_chain *of) {
    double sum = 0;
    for (const void *next = of; next; next = ((const p_chain *)next)->next) {
        if (*(const int *)next != 3)
            return sum + p_size(next);
        sum += 100;
    }
    return sum;
}
