/* Asserts the state of files that a program passed to a library. Arguments: `remote` if the library is in another process; and the number of
   that process, which may have few files, or `without-forks`. */
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "files.h"

static int is_remote;

static int is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

/* Creates a file with this text, positioned at its start. */
static int file(const char *name, const char *text)
{
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

/* Asserts that the contents of a file are this text. */
static int has(const char *name, const char *text)
{
    char bytes[1000];
    int fd = open(name, O_RDONLY);
    ssize_t got = read(fd, bytes, sizeof bytes);
    close(fd);
    return got == (ssize_t)strlen(text) && memcmp(bytes, text, (size_t)got) == 0;
}

static void calls(void)
{
    int fd = file("one", "abc");
    /* Both sides share one position. */
    assert(files_sum(fd) == 'a' + 'b' + 'c' && lseek(fd, 0, SEEK_CUR) == 3 && files_sum(fd) == 0);
    assert(files_put(fd, "def") == 3 && has("one", "abcdef") && is_open(fd));
    lseek(fd, 4, SEEK_SET);
    assert(files_eat(fd) == 'e' + 'f' && !is_open(fd));
    assert(files_sum(fd) == -1 && files_sum(-1) == -1 && files_put(-7, "x") == -1);
    /* Arguments that are not files of this kind. */
    fd = open(".", O_RDONLY);
    assert(files_sum(fd) == -1 && is_open(fd) && close(fd) == 0);
    /* The library has closed its descriptor, so the other end of the pipe gets end-of-file. */
    int ends[2];
    assert(pipe(ends) == 0 && files_put(ends[1], "piped") == 5 && close(ends[1]) == 0);
    char bytes[10];
    assert(read(ends[0], bytes, 10) == 5 && read(ends[0], bytes, 10) == 0);
    close(ends[0]);
    puts("calls");
}

static void paths(void)
{
    close(file("one", "some bytes"));
    assert(files_copy("one", "two") == 10 && has("two", "some bytes") && files_copy("one", NULL) == 10 && has("one.copy", "some bytes"));
    assert(files_copy("none", "two") == -1 && files_copy("one", "none/two") == -2 && files_copy("", "two") == -1 && files_copy("one", "") == -2);
    assert(mkdir("folder", 0700) == 0 && chdir("folder") == 0);
    assert(files_copy("../one", "three") == 10 && has("three", "some bytes") && files_copy("three", NULL) == 10 && has("three.copy", "some bytes"));
    assert(chdir("..") == 0 && has("folder/three.copy", "some bytes"));
    struct stat about;
    umask(0137);
    assert(files_copy("one", "mask") == 10 && stat("mask", &about) == 0 && (about.st_mode & 0777) == 0640);
    umask(022);
    char whole[4200], *here = getcwd(NULL, 0);
    snprintf(whole, sizeof whole, "%s/one", here);
    free(here);
    assert(files_copy(whole, "four") == 10 && has("four", "some bytes"));
    memset(whole, 'x', sizeof whole);
    whole[sizeof whole - 1] = 0;
    assert(files_copy(whole, "two") == (is_remote ? -99 : -1));
    whole[300] = 0;
    assert(files_copy(whole, "two") == -1);
    puts("paths");
}

static void jobs(void)
{
    files_job all[3] = {{file("a", "first"), "a.out", 7}, {file("b", "second"), "none/b.out", 7}, {-1, "c.out", 7}};
    assert(files_run(all, 3) == 3 && all[0].copied == 5 && all[1].copied == -1 && all[2].copied == -1);
    assert(has("a.out", "first") && is_open(all[0].input) && is_open(all[1].input));
    close(all[0].input);
    close(all[1].input);
    puts("jobs");
}

static void objects(void)
{
    int one = file("one", ""), two = file("two", "");
    files_set set = files_set_new(), other = files_set_new();
    assert(files_add(set, one) == 0 && files_add(set, two) == 1 && files_add(other, two) == 0);
    /* The library identifies files by their numbers, which are the same each time. */
    assert(files_find(set, one) == 0 && files_find(set, two) == 1 && files_find(other, two) == 0 && files_find(other, one) == -3);
    assert(files_put_all(set, "x") == 2 && files_put_all(other, "y") == 1 && has("one", "x") && has("two", "xy"));
    /* Another file under an old number is another file. */
    int number = one;
    one = dup(one);
    assert(close(number) == 0 && dup2(two, number) == number);
    assert(is_remote ? files_find(set, number) == -3 : files_find(set, number) == 0);
    assert(dup2(one, number) == number && close(one) == 0 && files_find(set, number) == 0);
    /* Without a clause the descriptors stay with the program. */
    assert(files_end(set, false) == 0 && is_open(number) && is_open(two) && files_put_all(other, "z") == 1 && has("two", "xyz"));
    set = files_set_new();
    assert(files_add(set, number) == 0 && files_end(set, true) == 0 && !is_open(number) && is_open(two));
    assert(files_end(other, true) == 0 && !is_open(two));
    /* A file that could not be added is not kept. */
    set = files_set_new();
    assert(files_add(set, -5) == -1 && files_find(set, 0) == -3);
    /* A path that a later call uses. */
    close(file("later", "abc"));
    assert(files_name(set, "later") == 0 && files_look(set) == 'a' + 'b' + 'c' && files_look(set) == 'a' + 'b' + 'c');
    int fd = file("unlinked", "de");
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert(unlink("unlinked") == 0 && files_name(set, path) == 0 && files_look(set) == 'd' + 'e');
    assert(is_remote == 0 || (close(fd) == 0 && files_look(set) == 'd' + 'e'));
    assert(files_end(set, false) == 0);
    if (!is_remote)
        close(fd);
    puts("objects");
}

static void later(void)
{
    char all[401] = "";
    for (int round = 0; round < 20; round++) {
        int fd = file("later", ""), last = open("later", O_WRONLY | O_APPEND);
        for (int i = 0; i < 20; i++)
            assert(files_post(fd, "ab") >= 0);
        assert(files_finish() == 0 && files_post_last(last, "c") >= 0 && files_finish() == 0);
        assert(is_open(fd) && !is_open(last) && close(fd) == 0);
    }
    for (int i = 0; i < 20; i++)
        strcat(all, "ab");
    assert(has("later", strcat(all, "c")));
    puts("later");
}

static int reads(int fd, void *user)
{
    char bytes[100];
    ssize_t got = read(fd, bytes, sizeof bytes);
    if (*(int *)user)
        close(fd);
    return (int)got;
}

static void callbacks(void)
{
    int closes = 0, here = dup(0);
    close(here);
    for (int i = 0; i < 100; i++)
        assert(files_give_text("a text", reads, &closes) == 6);
    closes = 1;
    for (int i = 0; i < 100; i++)
        assert(files_give_text("another", reads, &closes) == 1007);
    int again = dup(0);
    assert(again == here && close(again) == 0);
    puts("callbacks");
}

/* Each of four threads passes its own files, which end with the call. */
static void *thread(void *of)
{
    char name[64], text[64];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "thread%d", (int)(size_t)of);
        snprintf(text, sizeof text, "%d of %d", i, (int)(size_t)of);
        int fd = file(name, "");
        files_set set = files_set_new();
        assert(files_add(set, fd) == 0 && files_put_all(set, text) == 1 && files_find(set, fd) == 0);
        assert(files_end(set, i % 2 == 0) == 0 && has(name, text));
        if (i % 2 != 0)
            assert(is_open(fd) && close(fd) == 0);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t all[4];
    for (size_t i = 0; i < 4; i++)
        pthread_create(&all[i], NULL, thread, (void *)i);
    for (size_t i = 0; i < 4; i++)
        pthread_join(all[i], NULL);
    puts("threads");
}

/* The child of a fork passes its own files. */
static void forks(void)
{
    int fd = file("forked", "");
    files_set set = files_set_new();
    assert(files_add(set, fd) == 0);
    pid_t child = fork();
    if (child == 0) {
        assert(is_open(fd) && files_put(fd, "child") == 5 && is_open(fd));
        _exit(0);
    }
    int status = 1;
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(files_put_all(set, "parent") == 1 && has("forked", "childparent") && files_end(set, true) == 0 && !is_open(fd));
    puts("forks");
}

static int files_of(const char *process)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%s/fd", process);
    DIR *folder = opendir(path);
    while (folder && readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Calls that are refused before their files are read, and very many files. */
static void limits(const char *process)
{
    files_set dead = files_set_new(), set = files_set_new();
    assert(files_end(dead, false) == 0);
    /* Descriptors of an earlier child may still be open. */
    int fd = file("limits", ""), before = files_of(process);
    for (int i = 0; i < 1000; i++)
        assert(files_add(dead, fd) == -99 && is_open(fd));
    assert(files_sum(fd) == 0 && files_of(process) <= before);
    int count = 0, all[64];
    while (count < 64) {
        all[count] = file("limits", "");
        if (files_add(set, all[count]) != count)
            break;
        count++;
    }
    assert(count > 4 && count < 64 && files_add(set, all[count]) == -99 && files_find(set, all[0]) == 0);
    assert(files_end(set, true) == 0 && files_of(process) <= before);
    for (int i = 0; i < count; i++)
        assert(!is_open(all[i]));
    assert(is_open(all[count]) && close(all[count]) == 0 && files_put(fd, "again") == 5 && close(fd) == 0);
    puts("limits");
}

int main(int count, char **arguments)
{
    is_remote = count > 1;
    calls();
    paths();
    jobs();
    objects();
    later();
    callbacks();
    threads();
    /* An emulator does not show descriptors of the other process. */
    if (count > 2 && strcmp(arguments[2], "without-forks") == 0)
        return 0;
    forks();
    if (count > 2)
        limits(arguments[2]);
    return 0;
}
