#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

int main(void) {
    const char *texts[] = {" one", "two", " three"};
    for (size_t at = 0; at < 3; at++) {
        char *text = strdup(texts[at]), *trimmed = p_trim(text);
        printf("%s %d\n", trimmed, trimmed == text);
        if (trimmed != text)
            free(trimmed);
        free(text);
    }
    return 0;
}
