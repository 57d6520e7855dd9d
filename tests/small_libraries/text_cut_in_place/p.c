#include "p.h"
#include <string.h>

static char *kept;

int p_split(char *text, char separator, char **parts, int capacity) {
    int count = 0;
    for (char *end; text && count < capacity; text = end ? end + 1 : NULL) {
        parts[count++] = text;
        end = strchr(text, separator);
        if (end)
            *end = 0;
    }
    return count;
}

char *p_trim(char *text) {
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = 0;
    return text + strspn(text, " ");
}

int p_split_numbers(int *numbers) {
    int parts = 1;
    for (int i = 0; numbers[i] != -1; i++) {
        if (numbers[i] == 0) {
            numbers[i] = -1;
            parts++;
        } else {
            numbers[i] *= 2;
        }
    }
    return parts;
}

void p_halve(char *text, unsigned long capacity) {
    size_t length = strnlen(text, capacity);
    for (size_t i = length / 2; i < length; i++)
        text[i] = i == length / 2 ? 0 : 'z';
}

void p_keep(char *text) { kept = text; }

int p_cut_kept(char *text) {
    char *end = strchr(kept, ',');
    *end = 0;
    end[1] = '!';
    return text == kept;
}

int p_sum(p_cut cut) {
    char text[] = "one,four,eleven";
    size_t size = sizeof text, sum = 0;
    cut(text);
    for (size_t at = 0; at < size; at += strlen(text + at) + 1)
        sum = sum * 10 + strlen(text + at);
    return (int)sum;
}
