#include "p.h"
#include <stdlib.h>
#include <string.h>

const char *p_name(void) { return "a library with a name"; }

const int *p_table(void)
{
    static const int table[100] = { 1, 2, 3, 4 };
    return table;
}

char *p_copy(const char *text) { return strdup(text); }
void p_free(char *text) { free(text); }

p_config *p_open(void)
{
    static p_config config = { 5, 6 };
    return &config;
}

int p_use(p_config *config) { return ++config->a; }
int p_add(int a, int b) { return a + b; }
