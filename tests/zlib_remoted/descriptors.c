/* Files that the program opened or named itself: what zlib does with them, and what the program finds of them then. It says the same
   natively and with zlib in another process. The second argument is the process that has zlib, which is this one natively. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const char *process;
static char text[30000], back[sizeof text];

static int is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

/* Returns the number of open descriptors of the process with zlib. */
static int files_there(void)
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

/* Writes and reads descriptors from their current positions; zlib closes them. */
static void by_descriptor(void)
{
    int fd = open("plain.gz", O_RDWR | O_CREAT | O_TRUNC, 0600);
    printf("head %zd\n", write(fd, "ten bytes.", 10));
    gzFile file = gzdopen(dup(fd), "wb9");
    printf("write %d\n", gzwrite(file, text, sizeof text));
    printf("close %d\n", gzclose(file));
    printf("at the end %d\n", lseek(fd, 0, SEEK_CUR) == lseek(fd, 0, SEEK_END));
    lseek(fd, 10, SEEK_SET);
    file = gzdopen(fd, "rb");
    memset(back, 0, sizeof back);
    printf("read %d\n", gzread(file, back, sizeof back));
    printf("same %d\n", memcmp(text, back, sizeof text));
    printf("open %d\n", is_open(fd));
    printf("close %d\n", gzclose(file));
    printf("open %d\n", is_open(fd));
}

/* The other end of a pipe gets end-of-file after zlib has closed its descriptor. */
static void by_pipe(void)
{
    int ends[2];
    if (pipe(ends))
        abort();
    gzFile to = gzdopen(ends[1], "wb"), from = gzdopen(ends[0], "rb");
    printf("puts %d\n", gzputs(to, "through a pipe\n"));
    printf("close %d\n", gzclose(to));
    printf("gets %s", gzgets(from, back, sizeof back));
    printf("end %d\n", gzgets(from, back, sizeof back) == NULL);
    printf("close %d\n", gzclose(from));
    printf("open %d %d\n", is_open(ends[0]), is_open(ends[1]));
}

/* A descriptor that zlib cannot open stays open in the program. */
static void no_files(void)
{
    int fd = open("/dev/null", O_WRONLY), closed = open("/dev/null", O_WRONLY);
    close(closed);
    printf("mode %d, open %d\n", gzdopen(fd, "nothing") != NULL, is_open(fd));
    printf("negative %d\n", gzdopen(-1, "rb") != NULL);
    gzFile file = gzdopen(closed, "rb");
    int code = 0;
    printf("closed %d\n", file != NULL);
    printf("read %d\n", gzread(file, back, 10));
    gzerror(file, &code);
    printf("says %d\n", code);
    printf("close %d\n", gzclose(file));
    close(fd);
}

/* Writes a line and closes the file. */
static void line(const char *what, gzFile file, const char *line)
{
    int put = gzputs(file, line);
    printf("%s %d, close %d\n", what, put, gzclose(file));
}

/* Reads a line and closes the file. */
static void first(const char *what, gzFile file)
{
    char *got = gzgets(file, back, sizeof back);
    printf("%s %s", what, got ? got : "nothing\n");
    printf("close %d\n", gzclose(file));
}

static void show(const char *path)
{
    struct stat about;
    if (stat(path, &about))
        printf("%s: %s\n", path, strerror(errno));
    else
        printf("%s: %o\n", path, about.st_mode & 0777);
}

/* Paths mean the same as in the program: its working folder, its file mask, its own files. */
static void by_path(void)
{
    if (mkdir("inner", 0700) || chdir("inner"))
        abort();
    umask(027);
    gzFile file = gzopen("relative.gz", "wb");
    line("relative", file, "a line\n");
    show("relative.gz");
    umask(077);
    if (chdir(".."))
        abort();
    file = gzopen("inner/second.gz", "wb");
    line("second", file, "another\n");
    show("inner/second.gz");
    show("second.gz");
    if (symlink("inner/relative.gz", "link.gz") || symlink("inner/third.gz", "dangling.gz"))
        abort();
    file = gzopen("link.gz", "rb");
    first("link", file);
    file = gzopen("dangling.gz", "wb");
    line("dangling", file, "new\n");
    show("inner/third.gz");
    /* zlib's message contains the path that the program passed. */
    if (truncate("inner/../inner/second.gz", 20))
        abort();
    file = gzopen("inner/../inner/second.gz", "rb");
    gzread(file, back, 100);
    int code = 0;
    const char *said = gzerror(file, &code);
    printf("says '%s' %d\n", said, code);
    printf("close %d\n", gzclose(file));
    errno = 0;
    file = gzopen("missing/file.gz", "wb");
    printf("missing %d %s\n", file != NULL, strerror(errno));
    errno = 0;
    file = gzopen("missing.gz", "rb");
    printf("missing %d %s\n", file != NULL, strerror(errno));
    errno = 0;
    file = gzopen("inner", "wb");
    printf("folder %d %s\n", file != NULL, strerror(errno));
    /* A file of this process, not of the process with zlib. */
    file = gzopen("/dev/stdin", "rb");
    first("input", file);
    int fd = open("inner/relative.gz", O_RDONLY);
    for (int i = 0; i < 2; i++) {
        char path[64];
        snprintf(path, sizeof path, i ? "/dev/fd/%d" : "/proc/self/fd/%d", fd);
        file = gzopen(path, "rb");
        first("own", file);
        printf("open %d\n", is_open(fd));
    }
    close(fd);
    /* A folder without a name. */
    if (mkdir("gone", 0700) || chdir("gone") || rmdir("../gone"))
        abort();
    errno = 0;
    file = gzopen("file.gz", "wb");
    printf("gone %d %s\n", file != NULL, strerror(errno));
    if (chdir(".."))
        abort();
}

/* Each of four threads has its own files, at the same time. */
static void *thread(void *of)
{
    int n = (int)(size_t)of;
    for (int i = 0; i < 50; i++) {
        char name[64], room[64];
        snprintf(name, sizeof name, "thread%d", n);
        int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        gzFile file = gzdopen(dup(fd), "wb");
        if (gzprintf(file, "%d %d\n", n, i) < 4 || gzclose(file) != Z_OK)
            abort();
        lseek(fd, 0, SEEK_SET);
        file = gzdopen(fd, "rb");
        if (!gzgets(file, room, sizeof room) || gzclose(file) != Z_OK)
            abort();
        snprintf(name, sizeof name, "%d %d\n", n, i);
        if (strcmp(name, room) != 0)
            abort();
    }
    return of;
}

static void by_threads(void)
{
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    puts("threads");
}

/* Neither process has free descriptors. */
static void often(void)
{
    int here = dup(0), there = 0;
    close(here);
    for (int i = 0; i < 1000; i++) {
        int fd = open("often", O_RDWR | O_CREAT | O_TRUNC, 0600);
        gzFile file = i % 3 == 0 ? gzdopen(fd, "none") : i % 3 == 1 ? gzopen("often", "wb") : gzdopen(fd, "wb");
        if (file)
            gzclose(file);
        if (i % 3 != 2)
            close(fd);
        if (i == 10)
            there = files_there();
    }
    int now = files_there(), again = dup(0);
    printf("as many here %d, there %d\n", again == here, now == there);
    close(again);
}

int main(int count, char **arguments)
{
    process = count > 1 ? arguments[1] : "self";
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i * i % 26);
    by_descriptor();
    by_pipe();
    no_files();
    by_path();
    by_threads();
    often();
    if (count > 2) {
        /* The process with zlib is killed: the call returns its failure result, and the file stays with the program. */
        int fd = open("last.gz", O_RDWR | O_CREAT, 0600);
        gzFile file = gzdopen(dup(fd), "wb");
        printf("last %d\n", gzputs(file, "last\n"));
        fflush(stdout);
        kill(atoi(process), SIGKILL);
        int result = 0;
        for (int i = 0; i < 1000000 && result >= 0; i++)
            result = gzflush(file, Z_SYNC_FLUSH);
        printf("killed %d, open %d\n", result, is_open(fd));
        printf("another %d, open %d\n", gzdopen(fd, "wb") != NULL, is_open(fd));
    }
    return 0;
}
