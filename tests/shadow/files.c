/* Files of a program while two libraries run: each file must end with the same contents as with one. The program prints zlib's messages,
   to a file that zlib writes too. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char room[1000];

static void said(const char *what, gzFile file)
{
    int code = 0;
    const char *text = gzerror(file, &code);
    printf("%s says '%s' %d\n", what, text, code);
}

/* The program and zlib share an output: the text that is written first is flushed last. */
static void output(void)
{
    gzFile file = gzdopen(dup(1), "wb");
    printf("the program's own\n");
    fflush(stdout);
    printf("put %d, flush %d\n", gzputs(file, "of zlib\n"), gzflush(file, Z_SYNC_FLUSH));
    fflush(stdout);
    printf("put %d, at %ld\n", gzputs(file, "more of zlib\n"), (long)gzoffset(file));
    fflush(stdout);
    printf("close %d\n", gzclose(file));
    fflush(stdout);
}

/* Only one library can read a pipe. */
static void pipes(void)
{
    int ends[2];
    if (pipe(ends))
        abort();
    gzFile to = gzdopen(ends[1], "wb"), from = gzdopen(ends[0], "rb");
    printf("puts %d", gzputs(to, "through a pipe\n"));
    printf(", close %d", gzclose(to));
    printf(", gets %s", gzgets(from, room, sizeof room));
    said("a pipe", from);
    printf("close %d\n", gzclose(from));
}

/* Reads and writes descriptors of all kinds; the program moves their positions and writes too. */
static void descriptors(void)
{
    int fd = open("both.gz", O_RDWR | O_CREAT | O_TRUNC, 0600);
    printf("head %zd\n", write(fd, "ten bytes.", 10));
    gzFile file = gzdopen(dup(fd), "wb");
    printf("write %d", gzwrite(file, "text", 4));
    printf(", close %d\n", gzclose(file));
    printf("tail %zd\n", write(fd, "the tail", 8));
    lseek(fd, 10, SEEK_SET);
    file = gzdopen(dup(fd), "rb");
    printf("read %d", gzread(file, room, sizeof room));
    printf(", close %d\n", gzclose(file));
    printf("at %ld\n", (long)lseek(fd, 0, SEEK_CUR));
    close(fd);

    fd = open("plain", O_RDONLY);
    file = gzdopen(dup(fd), "rb");
    lseek(fd, 3, SEEK_SET);
    printf("gets %s", gzgets(file, room, sizeof room));
    printf("close %d\n", gzclose(file));
    close(fd);

    fd = open("added.gz", O_WRONLY | O_CREAT | O_APPEND, 0600);
    file = gzdopen(fd, "ab");
    printf("puts %d", gzputs(file, "added by a descriptor\n"));
    printf(", close %d\n", gzclose(file));
    fd = open("/dev/null", O_WRONLY);
    file = gzdopen(fd, "wb");
    printf("puts %d", gzputs(file, "nothing"));
    printf(", close %d\n", gzclose(file));
    /* zlib's message contains the number: with an engine in the process the first free number differs. */
    fd = open("damaged.gz", O_RDONLY);
    file = gzdopen(dup2(fd, 100), "rb");
    close(fd);
    printf("read %d\n", gzread(file, room, sizeof room));
    said("a descriptor", file);
    printf("close %d\n", gzclose(file));
}

static void wrote(const char *path, const char *mode, const char *text)
{
    gzFile file = gzopen(path, mode);
    printf("%s %s: %d", path, mode, file != NULL);
    if (file) {
        printf(", puts %d", gzputs(file, text));
        printf(", close %d", gzclose(file));
    }
    puts("");
}

static void paths(void)
{
    wrote("new.gz", "wbx", "a new one\n");
    wrote("new.gz", "wbx", "which is there\n");
    wrote("new.gz", "ab", "and more\n");
    wrote("new.gz", "ab", "and more\n");
    wrote("inner/../new.gz", "ab", "by another name\n");
    wrote("none/new.gz", "wb", "nowhere\n");
    wrote("inner", "wb", "a folder\n");
    wrote("/dev/null", "wb", "nothing\n");
    wrote("link.gz", "wb", "behind a link\n");
    gzFile file = gzopen("new.gz", "rb");
    while (gzgets(file, room, sizeof room))
        printf("gets %s", room);
    printf("close %d\n", gzclose(file));
    /* zlib's message contains the name of the file. */
    file = gzopen("damaged.gz", "rb");
    printf("read %d\n", gzread(file, room, sizeof room));
    said("a path", file);
    printf("close %d\n", gzclose(file));
    file = gzopen("/dev/full", "wb");
    printf("puts %d, flush %d\n", gzputs(file, "nowhere"), gzflush(file, Z_SYNC_FLUSH));
    said("a device", file);
    printf("close %d\n", gzclose(file));
    /* The program changes the file in between. */
    unlink("new.gz");
    wrote("new.gz", "ab", "anew\n");
    if (truncate("new.gz", 10))
        abort();
    wrote("new.gz", "ab", "behind ten bytes\n");
}

int main(void)
{
    gzFile file = gzopen("damaged.gz", "wb");
    for (int i = 0; i < 1000; i++)
        gzprintf(file, "%d ", i * i);
    gzclose(file);
    int fd = open("damaged.gz", O_WRONLY);
    if (pwrite(fd, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, 12) != 8 || mkdir("inner", 0700) || symlink("target.gz", "link.gz"))
        abort();
    close(fd);
    fd = open("plain", O_WRONLY | O_CREAT, 0600);
    if (write(fd, "0123456789\n", 11) != 11)
        abort();
    close(fd);
    output();
    pipes();
    descriptors();
    paths();
    return 0;
}
