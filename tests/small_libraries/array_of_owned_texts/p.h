#include <stddef.h>
typedef struct {
    int number;
    char *text;
} p_item;
p_item *p_items(int count);
int p_free_items(p_item *items, int count);
int p_words(const char *text, char ***to, size_t *count);
int p_free_words(char **words, size_t count);
