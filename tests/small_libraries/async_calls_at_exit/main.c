#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "p.h"

enum { CALLS = 200, BYTES = 5 };

static void write_notes(const char *path, int way) {
    char text[BYTES + 1];
    if (p_open(path) != 0)
        _exit(9);
    for (int i = 0; i < CALLS; i++) {
        snprintf(text, sizeof text, "%04d\n", i);
        p_note(text);
    }
    if (way == 0)
        exit(3);
    _exit(3);
}

/* Waits at most 20 s until the file has this size, as the library may write after the program has ended. */
static long size_of(const char *path, long expected) {
    struct stat found = {0};
    for (int i = 0; i < 20000 && found.st_size < expected; i++) {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        stat(path, &found);
    }
    return (long)found.st_size;
}

int main(void) {
    for (int way = 0; way < 2; way++) {
        char path[] = "/tmp/async_calls_at_exit_XXXXXX";
        close(mkstemp(path));
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            write_notes(path, way);
        int status;
        waitpid(child, &status, 0);
        printf("%d %ld\n", WEXITSTATUS(status), size_of(path, (long)CALLS * BYTES));
        unlink(path);
    }
    return 0;
}
