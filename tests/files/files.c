/* A library that works on files, named by descriptors and paths. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "files.h"

struct files_set { int fds[64]; int count; const char *path; };

long files_sum(int fd)
{
    unsigned char bytes[4096];
    long sum = 0;
    ssize_t got;
    while ((got = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < got; i++)
            sum += bytes[i];
    return got < 0 ? -1 : sum;
}

int files_put(int fd, const char *text) { return (int)write(fd, text, strlen(text)); }
long files_eat(int fd) { long sum = files_sum(fd); return close(fd) < 0 ? -2 : sum; }

static long copied(int from, int to)
{
    char bytes[4096];
    long count = 0;
    ssize_t got;
    while ((got = read(from, bytes, sizeof bytes)) > 0 && write(to, bytes, (size_t)got) == got)
        count += got;
    return got == 0 ? count : -1;
}

long files_copy(const char *input, const char *to)
{
    char name[5000];
    int from = open(input, O_RDONLY);
    if (from < 0)
        return -1;
    snprintf(name, sizeof name, "%s.copy", input);
    int into = open(to ? to : name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    long count = into < 0 ? -2 : copied(from, into);
    close(from);
    if (into >= 0)
        close(into);
    return count;
}

int files_run(files_job *jobs, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        int to = open(jobs[i].to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        jobs[i].copied = to < 0 ? -1 : copied(jobs[i].input, to);
        if (to >= 0)
            close(to);
    }
    return (int)n;
}

int files_post(int fd, const char *text) { return files_put(fd, text); }
int files_post_last(int fd, const char *text) { int put = files_put(fd, text); close(fd); return put; }
int files_finish(void) { return 0; }

files_set files_set_new(void) { return calloc(1, sizeof(struct files_set)); }
int files_add(files_set set, int fd) { if (set->count == 64 || fcntl(fd, F_GETFD) < 0) return -1; set->fds[set->count] = fd; return set->count++; }
int files_find(files_set set, int fd) { for (int i = 0; i < set->count; i++) if (set->fds[i] == fd) return i; return -3; }
int files_put_all(files_set set, const char *text)
{
    for (int i = 0; i < set->count; i++)
        if (files_put(set->fds[i], text) < 0)
            return -1;
    return set->count;
}
int files_name(files_set set, const char *path) { set->path = path; return 0; }
long files_look(files_set set)
{
    int fd = open(set->path, O_RDONLY);
    return fd < 0 ? -1 : files_eat(fd);
}
int files_end(files_set set, bool closes)
{
    for (int i = 0; closes && i < set->count; i++)
        close(set->fds[i]);
    free(set);
    return 0;
}

int files_give_text(const char *text, files_give give, void *user)
{
    int fd = memfd_create("given", 0);
    files_put(fd, text);
    lseek(fd, 0, SEEK_SET);
    int result = give(fd, user);
    /* A descriptor that the program closed is closed here. */
    return close(fd) == 0 ? result : result + 1000;
}
