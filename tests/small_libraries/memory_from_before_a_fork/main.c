/* A child uses what the library returned to its parent. */
#include "p.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char *name, const int *table, const char *copy, const p_config *config)
{
    printf("%s %d %s %d %d\n", name, table[3], copy, config->a, config->b);
    fflush(stdout);
}

int main(void)
{
    const char *const name = p_name();
    const int *const table = p_table();
    char *const copy = p_copy("a copy of a text");
    p_config *const config = p_open();
    printf("%d\n", p_use(config));
    show(name, table, copy, config);
    const pid_t child = fork();
    if (child == 0) {
        printf("%d\n", p_add(1, 2));
        for (size_t size = 0; size < 1000; size++) memset(malloc(size), 'x', size);
        show(name, table, copy, config);
        p_free(copy);
        printf("%s\n", p_name());
        fflush(stdout);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%d\n", status);
    show(name, table, copy, config);
    p_free(copy);
    return 0;
}
