#include "arguments.h"
#include <string.h>

int arguments_name(char *buffer, size_t room, size_t *length)
{
    if (buffer) memcpy(buffer, "library", room < 8 ? room : 8);
    if (length) *length = 8;
    return 0;
}

int arguments_both(int *first, int *second)
{
    if (first) *first = 1;
    if (second) *second = 2;
    return 0;
}

int arguments_pull(unsigned char *to, size_t *n)
{
    if (to && n) memset(to, 7, *n);
    if (n) *n = 3;
    return 0;
}

int arguments_map(int value, arguments_map_function map) { return map(value); }

int arguments_sum(const arguments_node *list)
{
    int sum = 0;
    for (; list; list = list->next) sum += list->value;
    return sum;
}

int arguments_run(arguments_reader reader, void *user, int n) { return reader.read(user, n); }
int arguments_run_at(const arguments_reader *reader, void *user, int n) { return reader->read(user, n); }
