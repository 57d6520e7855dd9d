#include <stdlib.h>
#include <string.h>
#include "p.h"

static const p_item *last;

static char *copy(const char *text, size_t length) {
    char *copy = calloc(length + 1, 1);
    return memcpy(copy, text, length);
}
p_item *p_items(int count) {
    static const char *const texts[] = {"zero", "one", "two", "three"};
    p_item *items = calloc((size_t)count, sizeof *items);
    for (int i = 0; i < count; i++) {
        items[i].number = i;
        items[i].text = copy(texts[i % 4], strlen(texts[i % 4]));
    }
    last = items;
    return items;
}
int p_free_items(p_item *items, int count) {
    int sum = items == last;
    for (int i = 0; i < count; i++) {
        sum = sum * 7 + items[i].number + items[i].text[0];
        free(items[i].text);
    }
    free(items);
    return sum;
}
int p_words(const char *text, char ***to, size_t *count) {
    *to = calloc(strlen(text) + 1, sizeof **to);
    *count = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        (*to)[(*count)++] = copy(text, length);
        text += length + (text[length] == ' ');
    }
    return 0;
}
int p_free_words(char **words, size_t count) {
    int sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum = sum * 7 + words[i][0];
        free(words[i]);
    }
    free(words);
    return sum;
}
