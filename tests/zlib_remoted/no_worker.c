/* A program whose zlib has no worker. Like most programs it does not check texts and tables. It prints the result of each function,
   and goes on with it. */
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE 1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "prints.h"

static Bytef data[100], room[4096];

static void texts(void)
{
    assert(strlen(zlibVersion()) > 0 && zlibVersion()[0] == ZLIB_VERSION[0]);
    for (int code = -7; code <= 3; code++)
        printf("%d '%s'\n", code, zError(code));
    unsigned long sum = 0;
    for (int i = 0; i < 256; i++)
        sum = (sum * 31 + get_crc_table()[i]) & 0xffffffff;
    printf("table %lx %lx, %lx\n", (unsigned long)get_crc_table()[1], (unsigned long)get_crc_table()[255], sum);
    printf("flags %lx\n", zlibCompileFlags());
}

static void sums(void)
{
    printf("%lx %lx\n", crc32(0, data, 100), crc32_z(0, data, 100));
    printf("%lx %lx %lx\n", adler32(1, data, 100), adler32_z(1, data, 100), adler32(0, Z_NULL, 0));
    printf("%lx %lx\n", crc32_combine(1, 2, 3), crc32_combine_op(1, 2, crc32_combine_gen(3)));
    printf("%lx %lx\n", crc32_combine64(1, 2, 3), crc32_combine_gen64(3));
    printf("%lx %lx\n", adler32_combine(1, 2, 3), adler32_combine64(1, 2, 3));
}

static void one_call(void)
{
    uLong size = compressBound(100), used = 50;
    printf("bound %lu %lu\n", size, compressBound(100000000));
    Bytef *packed = malloc(size);
    assert(packed);
    printf("%d %d\n", compress(packed, &size, data, 100), compress2(packed, &size, data, 100, 9));
    printf("%d %d\n", uncompress(packed, &size, data, 100), uncompress2(packed, &size, data, &used));
    printf("as they were %lu %lu\n", size, used);
    free(packed);
}

static void begun(int result, const z_stream *stream)
{
    printf("init %d '%s'\n", result, stream->msg ? stream->msg : "");
}

/* Streams begin with arbitrary contents, also in members that zlib sets. */
static void streams(void)
{
    z_stream s, other;
    gz_header head;
    unsigned n = 7;
    int bits = 7;
    memset(&s, 0x55, sizeof s);
    memset(&head, 0, sizeof head);
    s.zalloc = Z_NULL;
    s.zfree = Z_NULL;
    s.opaque = Z_NULL;
    s.next_in = data;
    s.avail_in = 100;
    begun(deflateInit(&s, 9), &s);
    s.next_out = room;
    s.avail_out = 100;
    printf("%d %d\n", deflate(&s, Z_FINISH), deflate(NULL, Z_FINISH));
    printf("bound %lu\n", deflateBound(&s, 100));
    printf("%d %d %d\n", deflateParams(&s, 1, 0), deflateTune(&s, 1, 2, 3, 4), deflatePrime(&s, 1, 1));
    printf("%d %d %d\n", deflatePending(&s, &n, &bits), deflateReset(&s), deflateResetKeep(&s));
    printf("%d %d\n", deflateSetDictionary(&s, data, 100), deflateGetDictionary(&s, room, &n));
    printf("%d %d %d\n", deflateCopy(&other, &s), deflateSetHeader(&s, &head), deflateEnd(&s));
    memset(&s.msg, 0x55, sizeof s.msg);
    begun(deflateInit2(&s, 9, Z_DEFLATED, 15, 8, 0), &s);
    memset(&s.msg, 0x55, sizeof s.msg);
    begun(inflateInit(&s), &s);
    memset(&s.msg, 0x55, sizeof s.msg);
    begun(inflateInit2(&s, 31), &s);
    printf("%d %d\n", inflate(&s, Z_FINISH), inflate(NULL, Z_FINISH));
    printf("%ld %lx\n", inflateMark(&s), inflateCodesUsed(&s));
    printf("%d %d %d\n", inflatePrime(&s, 1, 1), inflateSync(&s), inflateSyncPoint(&s));
    printf("%d %d\n", inflateUndermine(&s, 1), inflateValidate(&s, 1));
    printf("%d %d %d\n", inflateReset(&s), inflateReset2(&s, 15), inflateResetKeep(&s));
    printf("%d %d\n", inflateSetDictionary(&s, data, 100), inflateGetDictionary(&s, room, &n));
    printf("%d %d %d\n", inflateCopy(&other, &s), inflateGetHeader(&s, &head), inflateEnd(&s));
    memset(&s.msg, 0x55, sizeof s.msg);
    begun(inflateBackInit(&s, 12, room), &s);
    printf("%d %d\n", inflateBack(&s, NULL, NULL, NULL, NULL), inflateBackEnd(&s));
    printf("%u %d\n", n, bits);
}

/* Reads like a program that only checks for the end of the file. */
static void read_all(gzFile file)
{
    int count = 0;
    while (!gzeof(file))
        count += gzread(file, room, sizeof room);
    printf("read %d\n", count);
}

static void files(void)
{
    int fd = open("/dev/null", O_RDWR), code = 7;
    errno = 0;
    gzFile file = gzopen("none.gz", "wb");
    printf("open %d, errno %d\n", file != NULL, errno);
    errno = 0;
    file = gzopen64("none.gz", "rb");
    printf("open %d, errno %d\n", file != NULL, errno);
    errno = 0;
    file = gzdopen(fd, "rb");
    printf("open %d, errno %d\n", file != NULL, errno);
    printf("of none %d", gzerror(NULL, &code) != NULL);
    printf(" %d\n", code);
    /* Simulates a worker that ended after a file was opened: the handle is not inspected. */
    file = (gzFile)calloc(1, 64);
    assert(file);
    printf("%d %d %d\n", gzbuffer(file, 100), gzread(file, room, 100), gzwrite(file, data, 100));
    printf("%zu %zu\n", gzfread(room, 3, 30, file), gzfwrite(data, 3, 30, file));
    printf("%d %d %d\n", gzgets(file, (char *)room, 100) != NULL, gzputs(file, "text"), gzputc(file, 'c'));
    printf("%d %d %d\n", gzprintf(file, "%d", 12), prints(file, "%d", 12), prints(file, "%s", ""));
    printf("%d %d %d\n", gzgetc(file), (gzgetc)(file), gzungetc('c', file));
    printf("%d %d %d\n", gzsetparams(file, 1, 0), gzdirect(file), gzrewind(file));
    printf("%ld %ld %ld %ld\n", gzoffset(file), gzoffset64(file), gzseek(file, 1, SEEK_SET), gzseek64(file, 1, SEEK_SET));
    printf("%ld %ld %d\n", gztell(file), gztell64(file), gzflush(file, Z_FINISH));
    read_all(file);
    const char *said = gzerror(file, &code);
    printf("'%s' %d\n", said, code);
    printf("'%s'\n", gzerror(file, NULL));
    gzclearerr(file);
    printf("%d %d %d\n", gzclose_r(file), gzclose_w(file), gzclose(file));
    free(file);
}

int main(void)
{
    texts();
    sums();
    one_call();
    streams();
    files();
    return 0;
}
