/* Uses zlib as programs do. It prints the same natively and with zlib in another process. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#ifndef SIZE
#define SIZE 50000
#endif

static unsigned char data[SIZE], packed[SIZE + 1000], back[SIZE];

static void hash(const char *what, int result, const unsigned char *bytes, unsigned long count)
{
    unsigned long sum = 5381;
    for (unsigned long i = 0; i < count; i++)
        sum = sum * 33 + bytes[i];
    printf("%s: %d, %lu bytes, %lx\n", what, result, count, sum);
}

static void helpers(void)
{
    uLongf size = sizeof packed;
    int result = compress2(packed, &size, data, SIZE, 9);
    hash("compress2", result, packed, size);
    uLongf room = SIZE;
    result = uncompress(back, &room, packed, size);
    hash("uncompress", result, back, room);
    room = 100;
    printf("no room: %d\n", uncompress(back, &room, packed, size));
    packed[20] ^= 255;
    room = SIZE;
    printf("damaged: %d\n", uncompress(back, &room, packed, size));
    printf("%lx %lx %lu\n", crc32(0, data, SIZE), adler32(1, data, SIZE), compressBound(SIZE));
    printf("%lx %lx\n", crc32(0, Z_NULL, 0), adler32(0, Z_NULL, 0));
    printf("%s, %s, %d\n", zlibVersion(), zError(Z_DATA_ERROR), zlibVersion() == zlibVersion());
    printf("%lx, %d\n", (unsigned long)get_crc_table()[255], get_crc_table() == get_crc_table());
}

/* Compresses pieces of every size into small output buffers; next_in and next_out are not set before deflateInit. */
static unsigned long pack(int level, int bits, int strategy, unsigned in, unsigned out)
{
    z_stream s;
    memset(&s, 0x55, sizeof s);
    s.zalloc = Z_NULL;
    s.zfree = Z_NULL;
    s.opaque = Z_NULL;
    int result = deflateInit2(&s, level, Z_DEFLATED, bits, 8, strategy);
    s.next_in = data;
    s.next_out = packed;
    do {
        unsigned left = SIZE - (unsigned)(s.next_in - data);
        s.avail_in = left < in ? left : in;
        s.avail_out = out;
        result = deflate(&s, left <= in ? Z_FINISH : Z_NO_FLUSH);
    } while (result == Z_OK || result == Z_BUF_ERROR);
    char what[40];
    snprintf(what, sizeof what, "pack %d %d %d", level, bits, strategy);
    hash(what, result, packed, s.total_out);
    printf("end %d\n", deflateEnd(&s));
    return s.total_out;
}

static void unpack(int bits, unsigned long size, unsigned in, unsigned out)
{
    z_stream s;
    memset(&s, 0, sizeof s);
    int result = inflateInit2(&s, bits);
    s.next_in = packed;
    s.next_out = back;
    do {
        unsigned long left = size - (unsigned long)(s.next_in - packed);
        s.avail_in = left < in ? (unsigned)left : in;
        unsigned long room = SIZE - (unsigned long)(s.next_out - back);
        s.avail_out = room < out ? (unsigned)room : out;
        result = inflate(&s, Z_NO_FLUSH);
    } while (result == Z_OK);
    hash("unpack", result, back, s.total_out);
    printf("end %d\n", inflateEnd(&s));
}

static void dictionaries(void)
{
    static const unsigned char words[] = "a dictionary of words that come again";
    z_stream s;
    memset(&s, 0, sizeof s);
    deflateInit2(&s, 6, Z_DEFLATED, 15, 8, Z_DEFAULT_STRATEGY);
    printf("dictionary %d\n", deflateSetDictionary(&s, words, sizeof words));
    s.next_in = (Bytef *)words;
    s.avail_in = sizeof words;
    s.next_out = packed;
    s.avail_out = sizeof packed;
    int result = deflate(&s, Z_FINISH);
    unsigned long size = s.total_out;
    hash("with it", result, packed, size);
    deflateEnd(&s);
    memset(&s, 0, sizeof s);
    inflateInit2(&s, 15);
    s.next_in = packed;
    s.avail_in = (unsigned)size;
    s.next_out = back;
    s.avail_out = SIZE;
    result = inflate(&s, Z_FINISH);
    printf("needs %d %lx\n", result, s.adler);
    printf("gets %d\n", inflateSetDictionary(&s, words, sizeof words));
    result = inflate(&s, Z_FINISH);
    hash("has it", result, back, s.total_out);
    inflateEnd(&s);
}

static void copies(void)
{
    z_stream one, two;
    memset(&one, 0, sizeof one);
    deflateInit2(&one, 6, Z_DEFLATED, 15, 8, Z_DEFAULT_STRATEGY);
    one.next_in = data;
    one.avail_in = SIZE / 2;
    one.next_out = packed;
    one.avail_out = sizeof packed;
    deflate(&one, Z_SYNC_FLUSH);
    unsigned long half = one.total_out;
    printf("copy %d\n", deflateCopy(&two, &one));
    printf("points on %d %d\n", two.next_in == one.next_in, two.next_out == one.next_out);
    one.next_in = two.next_in = data + SIZE / 2;
    one.avail_in = two.avail_in = SIZE / 2;
    int result = deflate(&one, Z_FINISH);
    hash("one", result, packed, one.total_out);
    two.next_out = packed + half;
    result = deflate(&two, Z_FINISH);
    hash("two", result, packed, two.total_out);
    printf("%d %d\n", deflateEnd(&one), deflateEnd(&two));
    /* A copy that the program made without the library. */
    memset(&one, 0, sizeof one);
    deflateInit2(&one, 6, Z_DEFLATED, 15, 8, Z_DEFAULT_STRATEGY);
    two = one;
    printf("unknown %d\n", deflateReset(&two));
    printf("%d\n", deflateEnd(&one));
    printf("again %d\n", deflateEnd(&one));
}

struct source {
    unsigned char *next;
    unsigned left;
    int calls;
};

static unsigned reads(void *from, z_const unsigned char **to)
{
    struct source *source = from;
    unsigned now = source->left < 1000 ? source->left : 1000;
    *to = source->next;
    source->next += now;
    source->left -= now;
    source->calls++;
    return now;
}

static int writes(void *to, unsigned char *from, unsigned count)
{
    unsigned long *filled = to;
    memcpy(back + *filled, from, count);
    *filled += count;
    return 0;
}

static void callbacks(unsigned long size)
{
    static unsigned char window[32768];
    z_stream s;
    memset(&s, 0, sizeof s);
    printf("init %d\n", inflateBackInit(&s, 15, window));
    struct source source = {packed, (unsigned)size, 0};
    unsigned long filled = 0;
    int result = inflateBack(&s, reads, &source, writes, &filled);
    hash("callbacks", result, back, filled);
    printf("%d calls, end %d\n", source.calls, inflateBackEnd(&s));
}

static void headers(void)
{
    gz_header out, in;
    memset(&out, 0, sizeof out);
    out.name = (Bytef *)"name.txt";
    out.comment = (Bytef *)"a comment";
    out.extra = (Bytef *)"extra";
    out.extra_len = 5;
    out.time = 1234;
    z_stream s;
    memset(&s, 0, sizeof s);
    deflateInit2(&s, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    printf("header %d\n", deflateSetHeader(&s, &out));
    s.next_in = data;
    s.avail_in = 100;
    s.next_out = packed;
    s.avail_out = sizeof packed;
    int result = deflate(&s, Z_FINISH);
    unsigned long size = s.total_out;
    hash("with header", result, packed, size);
    deflateEnd(&s);
    Bytef name[20] = "zzzz", comment[20] = "", extra[20] = "";
    memset(&in, 0, sizeof in);
    in.name = name;
    in.name_max = sizeof name;
    in.comment = comment;
    in.comm_max = sizeof comment;
    in.extra = extra;
    in.extra_max = sizeof extra;
    memset(&s, 0, sizeof s);
    inflateInit2(&s, 31);
    printf("header %d\n", inflateGetHeader(&s, &in));
    s.next_in = packed;
    s.avail_in = (unsigned)size;
    s.next_out = back;
    s.avail_out = SIZE;
    result = inflate(&s, Z_FINISH);
    printf("%d: '%s' '%s' %.5s %u %lu %d\n", result, name, comment, extra, in.extra_len, in.time, in.done);
    inflateEnd(&s);
}

static void files(const char *path)
{
    gzFile file = gzopen(path, "wb6");
    printf("open %d\n", file != NULL);
    printf("write %d\n", gzwrite(file, data, SIZE / 5 * 2));
    printf("printf %d\n", gzprintf(file, "hello %d %s\n", 42, "world"));
    printf("puts %d\n", gzputs(file, "line two\n"));
    printf("at %ld\n", (long)gztell(file));
    printf("close %d\n", gzclose(file));
    file = gzopen(path, "rb");
    int count = gzread(file, back, SIZE / 5 * 2);
    hash("read", count, back, SIZE / 5 * 2);
    char line[100];
    char *got = gzgets(file, line, sizeof line);
    printf("gets %d %s", got == line, line);
    printf("getc %c\n", gzgetc(file));
#ifndef WITHOUT_UNGETC
    printf("ungetc %c\n", gzungetc('Q', file));
#endif
    got = gzgets(file, line, sizeof line);
    printf("gets %s", got);
    int code = 5;
    const char *said = gzerror(file, &code);
    printf("eof %d, '%s' %d\n", gzeof(file), said, code);
    printf("close %d\n", gzclose(file));
    errno = 0;
    file = gzopen("/no such folder/file", "rb");
    printf("open %d, errno %d\n", file != NULL, errno);
}

static void *thread(void *of)
{
    static unsigned long sizes[4];
    static unsigned char room[4][SIZE];
    int n = (int)(size_t)of;
    for (int round = 0; round < 20; round++) {
        uLongf size = SIZE;
        if (compress2(room[n], &size, data, SIZE / 2, 1 + n) != Z_OK || (round > 0 && size != sizes[n]))
            abort();
        sizes[n] = size;
    }
    return &sizes[n];
}

int main(int count, char **arguments)
{
    unsigned state = 1;
    for (int i = 0; i < SIZE; i++) {
        state = state * 1103515245u + 12345u;
        data[i] = i % 3 ? (unsigned char)(state >> 28) : (unsigned char)(i >> 6);
    }
    helpers();
    unsigned long size = pack(6, -15, Z_DEFAULT_STRATEGY, SIZE, sizeof packed);
    callbacks(size);
    unpack(-15, size, 777, 333);
    unpack(31, pack(1, 31, Z_FILTERED, 1000, 100), SIZE, SIZE);
    unpack(15, pack(9, 15, Z_RLE, 1, 5000), 100, SIZE);
    unpack(15, pack(0, 15, Z_FIXED, 4096, 4096), 1, 1 << 15);
    dictionaries();
    copies();
    headers();
    if (count > 1)
        files(arguments[1]);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (size_t i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("thread %lu\n", *(unsigned long *)result);
    }
    return 0;
}
