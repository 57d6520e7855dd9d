/* Functions of zlib.h that programs rarely call: they print the same natively and with zlib in another process. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "prints.h"

/* Declared for programs that ask for offsets of 64 bits, which on this machine all are. */
extern gzFile gzopen64(const char *, const char *);
extern off64_t gzseek64(gzFile, off64_t, int), gztell64(gzFile), gzoffset64(gzFile);
extern uLong adler32_combine64(uLong, uLong, off64_t), crc32_combine64(uLong, uLong, off64_t);
extern uLong crc32_combine_gen64(off64_t);

enum { SIZE = 60000, ROOM = SIZE + 1000 };

static unsigned char data[SIZE], packed[ROOM], back[SIZE];

static void hash(const char *what, int result, const unsigned char *bytes, unsigned long count)
{
    unsigned long sum = 5381;
    for (unsigned long i = 0; i < count; i++)
        sum = sum * 33 + bytes[i];
    printf("%s: %d, %lu bytes, %lx\n", what, result, count, sum);
}

static void stream(const char *what, int result, const z_stream *s)
{
    printf("%s: %d, in %u %lu, out %u %lu, type %d, adler %lx, '%s'\n", what, result, s->avail_in, s->total_in,
           s->avail_out, s->total_out, s->data_type, s->adler, s->msg ? s->msg : "none");
}

static void give(z_stream *s, unsigned char *in, unsigned long in_size, unsigned char *out, unsigned long out_size)
{
    s->next_in = in;
    s->avail_in = (unsigned)in_size;
    s->next_out = out;
    s->avail_out = (unsigned)out_size;
}

static void sums(void)
{
    unsigned half = SIZE / 2;
    uLong a = crc32(0, data, half), b = crc32(0, data + half, half);
    printf("%lx %lx %lx\n", crc32_z(0, data, SIZE), crc32_combine(a, b, half), crc32_combine64(a, b, half));
    uLong op = crc32_combine_gen(half);
    printf("%lx %d %lx\n", op, crc32_combine_gen64(half) == op, crc32_combine_op(a, b, op));
    a = adler32(1, data, half);
    b = adler32(1, data + half, half);
    printf("%lx %lx %lx\n", adler32_z(1, data, SIZE), adler32_combine(a, b, half), adler32_combine64(a, b, half));
    printf("%lx %lx %lx\n", crc32_z(7, Z_NULL, 0), adler32_z(7, Z_NULL, 0), adler32_combine(1, 2, -1));
    printf("%lx\n", zlibCompileFlags());
    uLongf size = ROOM;
    int result = compress(packed, &size, data, SIZE);
    hash("compress", result, packed, size);
    /* What follows the packed bytes is not used. */
    uLongf room = SIZE;
    uLong used = ROOM;
    result = uncompress2(back, &room, packed, &used);
    hash("uncompress2", result, back, room);
    printf("used all %d\n", used == size);
    room = 1000;
    used = size;
    result = uncompress2(back, &room, packed, &used);
    hash("no room", result, back, room);
    printf("used %lu\n", used);
    room = SIZE;
    used = 1000;
    result = uncompress2(back, &room, packed, &used);
    hash("cut", result, back, room);
    printf("used %lu\n", used);
    size = ROOM;
    result = compress(packed, &size, Z_NULL, 0);
    hash("nothing", result, packed, size);
    size = 300;
    result = compress(packed, &size, data, SIZE);
    hash("too small", result, packed, size);
}

/* Prints the numbers of a stream that is compressed with all settings. */
static unsigned long packs(void)
{
    z_stream s;
    memset(&s, 0x55, sizeof s);
    s.zalloc = Z_NULL;
    s.zfree = Z_NULL;
    s.opaque = Z_NULL;
    printf("init %d\n", deflateInit(&s, 6));
    /* Nothing is compressed before the first deflate, so buffers need not be set. */
    printf("params %d\n", deflateParams(&s, 9, Z_FILTERED));
    printf("reset %d\n", deflateReset(&s));
    printf("params %d\n", deflateParams(&s, 6, Z_DEFAULT_STRATEGY));
    printf("bound %lu\n", deflateBound(&s, SIZE));
    printf("tune %d\n", deflateTune(&s, 8, 16, 64, 32));
    give(&s, data, 1000, packed, ROOM);
    stream("first", deflate(&s, Z_BLOCK), &s);
    unsigned pending = 99;
    int bits = 99, result = deflatePending(&s, &pending, &bits);
    printf("pending %d: %u %d\n", result, pending, bits);
    result = deflatePending(&s, &pending, Z_NULL);
    printf("pending %d: %u\n", result, pending);
    printf("pending %d\n", deflatePending(&s, Z_NULL, Z_NULL));
    s.avail_in = 5000;
    stream("params", deflateParams(&s, 1, Z_FILTERED), &s);
    s.avail_in = 0;
    stream("full", deflate(&s, Z_FULL_FLUSH), &s);
    unsigned char words[32768];
    unsigned count = 7;
    result = deflateGetDictionary(&s, words, &count);
    hash("dictionary", result, words, count);
    printf("asked %d\n", deflateGetDictionary(&s, Z_NULL, &count));
    s.next_in = data + s.total_in;
    s.avail_in = (unsigned)(SIZE - s.total_in);
    stream("last", deflate(&s, Z_FINISH), &s);
    unsigned long size = s.total_out;
    hash("packed", 0, packed, size);
    stream("more", deflate(&s, Z_NO_FLUSH), &s);
    s.next_out = Z_NULL;
    stream("nowhere", deflate(&s, Z_FINISH), &s);
    printf("null %d %d\n", deflateReset(Z_NULL), deflateSetDictionary(&s, Z_NULL, 0));
    stream("keep", deflateResetKeep(&s), &s);
    stream("reset", deflateReset(&s), &s);
    /* The output before an error is present. */
    give(&s, data, 20000, packed + size, 50);
    stream("little room", deflate(&s, Z_NO_FLUSH), &s);
    stream("params", deflateParams(&s, 9, Z_DEFAULT_STRATEGY), &s);
    hash("so far", 0, packed + size, 50);
    printf("reset %d\n", deflateReset(&s));
    memset(&s.next_in, 0x55, sizeof s.next_in);
    s.avail_in = 0x55555555;
    printf("params %d\n", deflateParams(&s, 6, Z_DEFAULT_STRATEGY));
    /* Ending an unfinished stream returns an error. */
    give(&s, data, 1000, back, SIZE);
    deflate(&s, Z_NO_FLUSH);
    printf("end %d\n", deflateEnd(&s));
    /* Another stream in the same place has not begun either. */
    memset(&s.next_in, 0x55, sizeof s.next_in);
    s.avail_in = 0x55555555;
    printf("init %d\n", deflateInit(&s, 6));
    printf("params %d\n", deflateParams(&s, 9, Z_FILTERED));
    printf("end %d\n", deflateEnd(&s));
    printf("wrong level %d\n", deflateInit(&s, 77));
    printf("wrong size %d\n", deflateInit_(&s, 6, ZLIB_VERSION, 5));
    printf("wrong version %d\n", deflateInit_(&s, 6, "0.1", (int)sizeof s));
    return size;
}

static void unpacks(unsigned long size)
{
    z_stream s;
    memset(&s, 0x55, sizeof s);
    s.zalloc = Z_NULL;
    s.zfree = Z_NULL;
    s.opaque = Z_NULL;
    s.next_in = Z_NULL;
    s.avail_in = 0;
    printf("init %d\n", inflateInit(&s));
    give(&s, packed, size, back, 0);
    stream("no room", inflate(&s, Z_NO_FLUSH), &s);
    s.avail_in = 0;
    s.next_out = back;
    s.avail_out = SIZE;
    stream("no input", inflate(&s, Z_NO_FLUSH), &s);
    s.avail_in = (unsigned)(size - s.total_in);
    stream("block", inflate(&s, Z_BLOCK), &s);
    stream("trees", inflate(&s, Z_TREES), &s);
    printf("mark %ld, point %d, codes %lu\n", inflateMark(&s), inflateSyncPoint(&s), inflateCodesUsed(&s));
    s.avail_out = 100;
    stream("some", inflate(&s, Z_NO_FLUSH), &s);
    printf("mark %ld\n", inflateMark(&s));
    unsigned char words[32768];
    unsigned count = 7;
    int result = inflateGetDictionary(&s, words, &count);
    hash("dictionary", result, words, count);
    result = inflateGetDictionary(&s, Z_NULL, &count);
    printf("asked %d %u\n", result, count);
    /* A stream and its copy continue from the same point. */
    z_stream copy;
    memset(&copy, 0xaa, sizeof copy);
    printf("copy %d\n", inflateCopy(&copy, &s));
    printf("points on %d %d\n", copy.next_in == s.next_in, copy.next_out == s.next_out);
    static unsigned char other[SIZE];
    memcpy(other, back, s.total_out);
    copy.next_out = other + s.total_out;
    copy.avail_out = (unsigned)(SIZE - s.total_out);
    s.avail_out = (unsigned)(SIZE - s.total_out);
    stream("rest", inflate(&s, Z_FINISH), &s);
    stream("rest of the copy", inflate(&copy, Z_FINISH), &copy);
    printf("same %d %d\n", memcmp(back, data, SIZE), memcmp(other, data, SIZE));
    printf("end %d\n", inflateEnd(&copy));
    stream("keep", inflateResetKeep(&s), &s);
    stream("reset", inflateReset(&s), &s);
    stream("raw", inflateReset2(&s, -15), &s);
    printf("validate %d, undermine %d\n", inflateValidate(&s, 0), inflateUndermine(&s, 1));
    give(&s, packed + 2, size - 6, back, SIZE);
    stream("raw", inflate(&s, Z_FINISH), &s);
    printf("same %d\n", memcmp(back, data, SIZE));
    printf("wrong bits %d\n", inflateReset2(&s, 3));
    printf("end %d\n", inflateEnd(&s));
    printf("again %d\n", inflateEnd(&s));
}

/* Bits that do not begin at a byte. */
static void bits(void)
{
    z_stream s;
    memset(&s, 0, sizeof s);
    deflateInit2(&s, 9, Z_DEFLATED, -15, 9, Z_HUFFMAN_ONLY);
    printf("prime %d\n", deflatePrime(&s, 5, 21));
    give(&s, data, 2000, packed, ROOM);
    int result = deflate(&s, Z_FINISH);
    unsigned long size = s.total_out;
    hash("primed", result, packed, size);
    printf("end %d\n", deflateEnd(&s));
    memset(&s, 0, sizeof s);
    inflateInit2(&s, -15);
    printf("prime %d\n", inflatePrime(&s, 3, packed[0] >> 5));
    give(&s, packed + 1, size - 1, back, SIZE);
    stream("primed", inflate(&s, Z_FINISH), &s);
    printf("same %d\n", memcmp(back, data, 2000));
    printf("too many %d\n", inflatePrime(&s, 17, 0));
    inflateEnd(&s);
}

/* Damaged input, its messages, and the point at which decoding can continue. */
static void damage(unsigned long size)
{
    z_stream s;
    memset(&s, 0, sizeof s);
    inflateInit(&s);
    /* The last byte is of the checksum: all is decoded before that is found out. */
    packed[size - 1] ^= 1;
    memset(back, 0, SIZE);
    give(&s, packed, size, back, SIZE);
    stream("checksum", inflate(&s, Z_FINISH), &s);
    printf("same %d\n", memcmp(back, data, SIZE));
    packed[size - 1] ^= 1;
    printf("reset %d\n", inflateReset(&s));
    give(&s, packed, size, back, SIZE);
    packed[0] ^= 1;
    stream("header", inflate(&s, Z_FINISH), &s);
    packed[0] ^= 1;
    /* Without space for output, the pointer is not used. */
    give(&s, packed, size, Z_NULL, 0);
    stream("sync", inflateSync(&s), &s);
    s.next_out = back;
    s.avail_out = SIZE;
    int result = inflate(&s, Z_SYNC_FLUSH);
    hash("after it", result, back, s.total_out);
    printf("'%s'\n", s.msg ? s.msg : "none");
    memset(back, 0, 64);
    give(&s, back, 64, back + 1000, 1000);
    stream("nothing to find", inflateSync(&s), &s);
    s.avail_in = 0;
    stream("nothing at all", inflateSync(&s), &s);
    printf("end %d\n", inflateEnd(&s));
    memset(&s, 0, sizeof s);
    printf("no stream %d %d %ld %lx\n", inflateSync(&s), deflatePrime(&s, 1, 1), inflateMark(&s), inflateCodesUsed(&s));
    printf("%d %d %d\n", inflateReset(&s), inflateSyncPoint(&s), deflateTune(&s, 1, 1, 1, 1));
}

static void files(const char *path)
{
    gzFile file = gzopen64(path, "wb1");
    printf("buffer %d\n", gzbuffer(file, 4096));
    printf("write %lu\n", (unsigned long)gzfwrite(data, 100, 300, file));
    printf("params %d\n", gzsetparams(file, 9, Z_FILTERED));
    printf("put %d\n", gzputc(file, 'x'));
    printf("put %d\n", gzputc(file, 511));
    printf("prints %d\n", prints(file, "%s %5.2f %c\n", "a line", 2.5, 'z'));
    printf("flush %d\n", gzflush(file, Z_SYNC_FLUSH));
    printf("at %ld %ld\n", (long)gztell64(file), (long)gzoffset64(file));
    printf("seek %ld\n", (long)gzseek64(file, 100, SEEK_CUR));
    printf("back %ld\n", (long)gzseek(file, 1, SEEK_SET));
    printf("read %d\n", gzread(file, back, 10));
    printf("for reading %d\n", gzclose_r(file));
    printf("close %d\n", gzclose_w(file));

    file = gzopen64(path, "rb");
    printf("direct %d\n", gzdirect(file));
    unsigned long count = gzfread(back, 100, 250, file);
    hash("read", (int)count, back, 100 * count);
    printf("seek %ld\n", (long)gzseek64(file, 30000, SEEK_SET));
    printf("get %d\n", gzgetc_(file));
    printf("get %d\n", gzgetc(file));
    char line[100];
    char *got = gzgets(file, line, sizeof line);
    printf("gets %s", got);
    printf("at %ld %ld, offset known %d\n", (long)gztell(file), (long)gztell64(file), gzoffset(file) > 0);
    printf("rewind %d\n", gzrewind(file));
    printf("at %ld\n", (long)gztell(file));
    /* The last item is incomplete, and the bytes behind it are unchanged. */
    memset(back, '=', SIZE);
    count = gzfread(back, 1000, 40, file);
    hash("items", (int)count, back, 40000);
    printf("rewind %d\n", gzrewind(file));
    printf("read %d\n", gzread(file, back, SIZE));
    printf("at %ld\n", (long)gzseek(file, 0, SEEK_CUR));
    printf("read %d\n", gzread(file, back, 10));
    printf("eof %d\n", gzeof(file));
    gzclearerr(file);
    printf("eof %d\n", gzeof(file));
    printf("write %d\n", gzwrite(file, "x", 1));
    int code = 0;
    const char *said = gzerror(file, &code);
    printf("'%s' %d\n", said, code);
    printf("for writing %d\n", gzclose_w(file));
    printf("close %d\n", gzclose_r(file));

    /* Appends to a file, and reads a truncated file. */
    file = gzopen(path, "ab");
    printf("append %d\n", gzputs(file, "more\n"));
    printf("close %d\n", gzclose(file));
    file = gzopen(path, "rb");
    printf("seek %ld\n", (long)gzseek(file, 30000, SEEK_SET));
    while (gzgets(file, line, sizeof line) && strcmp(line, "more\n") != 0)
        continue;
    printf("last %s", line);
    printf("close %d\n", gzclose(file));
    if (truncate(path, 5000))
        abort();
    file = gzopen(path, "rb");
    int had = gzread(file, back, SIZE);
    said = gzerror(file, &code);
    printf("cut %d, %d, ends '%s'\n", had, code, strchr(said, ':') ? strrchr(said, ':') : said);
    printf("close %d\n", gzclose(file));
    printf("mode %d\n", gzopen(path, "+r") != NULL);
}

/* Two streams at once in each thread, piece by piece. */
static void *thread(void *of)
{
    unsigned long *result = of;
    z_stream one, two;
    unsigned char *rooms[2] = {malloc(ROOM), malloc(ROOM)};
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    deflateInit(&one, 1);
    deflateInit2(&two, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
    give(&one, data, 0, rooms[0], ROOM);
    give(&two, data, 0, rooms[1], ROOM);
    for (unsigned at = 0; at < SIZE; at += 1000) {
        one.avail_in = two.avail_in = 1000;
        int flush = at + 1000 == SIZE ? Z_FINISH : Z_NO_FLUSH;
        deflate(&one, flush);
        deflate(&two, flush);
    }
    result[0] = crc32(0, rooms[0], (unsigned)one.total_out);
    result[1] = crc32(0, rooms[1], (unsigned)two.total_out);
    result[2] = (unsigned long)(deflateEnd(&one) == Z_OK && deflateEnd(&two) == Z_OK);
    free(rooms[0]);
    free(rooms[1]);
    return NULL;
}

int main(int count, char **arguments)
{
    (void)count;
    unsigned state = 9;
    for (int i = 0; i < SIZE; i++) {
        state = state * 1103515245u + 12345u;
        data[i] = i % 4 ? (unsigned char)(state >> 28) : (unsigned char)(i >> 7);
    }
    sums();
    unsigned long size = packs();
    unpacks(size);
    damage(size);
    bits();
    files(arguments[1]);
    pthread_t threads[2];
    unsigned long results[2][3];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, results[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        printf("thread %lx %lx %lu\n", results[i][0], results[i][1], results[i][2]);
    }
    return 0;
}
