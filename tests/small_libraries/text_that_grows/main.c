#include <string.h>
#include "p.h"

int main(void) {
    const char *text = p_text();
    p_set("a longer text");
    if (p_text() != text || strcmp(text, "a longer text") != 0)
        return 1;
    p_set("short");
    if (p_text() != text || strcmp(text, "short") != 0)
        return 2;
    char large[900] = {0};
    memset(large, 'x', sizeof large - 1);
    p_set(large);
    if (strlen(p_lent()) != 1 || strlen(p_lent()) != 999)
        return 3;
    return p_text() == NULL && strcmp(text, "short") == 0 ? 0 : 4;
}
