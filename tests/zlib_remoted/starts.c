/* Calls crc32 where the first attempt to start a worker must fail, or where relative paths no longer mean what they did. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

static unsigned long sum(void) { return crc32(0, (const Bytef *)"abc", 3); }

int main(int count, char **words) {
    if (count < 2)
        return 2;
    if (!strcmp(words[1], "chdir")) {
        if (chdir("/"))
            return 2;
        printf("%lx\n", sum());
    } else if (!strcmp(words[1], "files")) {
        /* No file is left for a socket. */
        struct rlimit before, none;
        getrlimit(RLIMIT_NOFILE, &before);
        none = before;
        none.rlim_cur = 3;
        setrlimit(RLIMIT_NOFILE, &none);
        unsigned long failed = sum();
        setrlimit(RLIMIT_NOFILE, &before);
        printf("%lx %lx\n", failed, sum());
    } else if (!strcmp(words[1], "moved")) {
        /* The worker, words[2], is missing for a moment. */
        unsigned long failed = sum();
        if (rename(words[3], words[2]))
            return 2;
        printf("%lx %lx\n", failed, sum());
    }
    return 0;
}
