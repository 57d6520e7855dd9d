#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

int main(void) {
    for (int round = 0; round < 3; round++) {
        p_item *items = p_items(5);
        printf("%s %s %s\n", items[0].text, items[3].text, items[4].text);
        items[1].number = 70;
        items[2].text[0] = 'T';
        free(items[3].text);
        items[3].text = strdup("new");
        printf("%d\n", p_free_items(items, 5));
        char **words;
        size_t count;
        p_words("some words, or none", &words, &count);
        printf("%zu %s %s\n", count, words[0], words[3]);
        printf("%d\n", p_free_words(words, count));
        p_words("", &words, &count);
        printf("%zu %d\n", count, p_free_words(words, count));
    }
    return 0;
}
