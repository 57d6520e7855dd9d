/* The program closes all its descriptors, as a daemon does, and opens files under the same numbers. */
#include "p.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILES = 20, SIZE = 1 << 16 };

static void *call(void *result)
{
    *(int *)result = p_add(1, 2);
    return 0;
}

int main(void)
{
    int files[FILES], result;
    char text[SIZE], zeros[SIZE] = { 0 };
    if (p_add(1, 2) != 3) return 1;
    for (int file = 3; file < 100; file++) close(file);
    for (int i = 0; i < FILES; i++) {
        files[i] = memfd_create("file", 0);
        if (files[i] < 0 || ftruncate(files[i], SIZE)) return 2;
    }
    /* This thread has its channel, and other threads get none any more. */
    if (p_add(3, 4) != 7) return 3;
    pthread_t thread;
    pthread_create(&thread, 0, call, &result);
    pthread_join(thread, 0);
    if (result != 3 && result != -99) return 4;
    for (int i = 0; i < FILES; i++) {
        if (pread(files[i], text, SIZE, 0) != SIZE) return 5;
        for (int at = 0; at < SIZE; at++)
            if (text[at] != zeros[at]) return 6;
        if (close(files[i])) return 7;
    }
    return 0;
}
