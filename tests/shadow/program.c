/* Uses zlib in all ways in which its specification can be wrong. It prints nothing; the engine logs the differences. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { TEXT = 20000 };

static unsigned char text[TEXT], packed[2 * TEXT], unpacked[TEXT];

static void one_call(void)
{
    uLongf size = sizeof packed, length = sizeof unpacked;
    assert(compress2(packed, &size, text, sizeof text, 6) == Z_OK);
    assert(uncompress(unpacked, &length, packed, size) == Z_OK);
    assert(length == sizeof text && memcmp(unpacked, text, length) == 0);
    /* The output that fits is present, even if it is incomplete. */
    memset(unpacked, 0, sizeof unpacked);
    length = 1000;
    assert(uncompress(unpacked, &length, packed, size) == Z_BUF_ERROR);
    assert(crc32(0, text, sizeof text) == crc32(crc32(0, text, 7000), text + 7000, sizeof text - 7000));
    assert(adler32(1, text, sizeof text) != 1 && adler32(1, NULL, 0) == 1);
    assert(zlibVersion()[0] == '1' && zError(Z_DATA_ERROR)[0] == 'd' && get_crc_table()[1] == 0x77073096);
}

/* A stream with a header and a dictionary, in small pieces, and a copy of it in the middle. */
static void streams(void)
{
    z_stream stream, copy;
    memset(&stream, 0, sizeof stream);
    assert(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    Bytef name[] = "the name of a file";
    gz_header header;
    memset(&header, 0, sizeof header);
    header.name = name;
    header.os = 3;
    header.time = 12345;
    assert(deflateSetHeader(&stream, &header) == Z_OK);
    stream.next_in = text;
    stream.next_out = packed;
    for (int last = 0; !last;) {
        stream.avail_in = text + sizeof text - stream.next_in < 3000 ? (uInt)(text + sizeof text - stream.next_in) : 3000;
        last = stream.next_in + stream.avail_in == text + sizeof text;
        int result;
        do {
            stream.avail_out = 700;
            result = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
            assert(result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR);
        } while (stream.avail_out == 0);
        if (!last && stream.total_in < 4000) {
            assert(deflateCopy(&copy, &stream) == Z_OK);
            assert(deflateEnd(&copy) == Z_DATA_ERROR);
        }
    }
    uLong size = stream.total_out;
    assert(deflateEnd(&stream) == Z_OK);

    memset(&stream, 0, sizeof stream);
    Bytef read_name[100];
    memset(read_name, 0, sizeof read_name);
    memset(&header, 0, sizeof header);
    header.name = read_name;
    header.name_max = sizeof read_name;
    assert(inflateInit2(&stream, 15 + 32) == Z_OK);
    assert(inflateGetHeader(&stream, &header) == Z_OK);
    stream.next_in = packed;
    stream.next_out = unpacked;
    int result = Z_OK;
    while (result != Z_STREAM_END) {
        uLong rest = size - stream.total_in;
        stream.avail_in = rest < 500 ? (uInt)rest : 500;
        stream.avail_out = (uInt)(sizeof unpacked - stream.total_out);
        result = inflate(&stream, Z_NO_FLUSH);
        assert(result == Z_OK || result == Z_STREAM_END);
    }
    assert(stream.total_out == sizeof text && memcmp(unpacked, text, sizeof text) == 0);
    assert(header.done == 1 && strcmp((char *)read_name, "the name of a file") == 0);
    assert(inflateEnd(&stream) == Z_OK);

    /* Invalid input sets a message. */
    memset(&stream, 0, sizeof stream);
    assert(inflateInit(&stream) == Z_OK);
    stream.next_in = text;
    stream.avail_in = 10;
    stream.next_out = unpacked;
    stream.avail_out = 10;
    assert(inflate(&stream, Z_NO_FLUSH) == Z_DATA_ERROR && stream.msg != NULL);
    assert(inflateEnd(&stream) == Z_OK);

    memset(&stream, 0, sizeof stream);
    assert(deflateInit(&stream, 6) == Z_OK);
    assert(deflateSetDictionary(&stream, text, 1000) == Z_OK);
    unsigned char dictionary[32768];
    uInt length = 0;
    assert(deflateGetDictionary(&stream, dictionary, &length) == Z_OK && length == 1000);
    assert(memcmp(dictionary, text, length) == 0);
    assert(deflateEnd(&stream) == Z_OK);
}

/* Callbacks that reuse one buffer for each piece. */
struct source { const unsigned char *next; size_t left; unsigned char piece[100]; int calls; };

static unsigned pull(void *desc, z_const unsigned char **buf)
{
    struct source *source = desc;
    size_t size = source->left < sizeof source->piece ? source->left : sizeof source->piece;
    memcpy(source->piece, source->next, size);
    source->next += size;
    source->left -= size;
    source->calls++;
    *buf = source->piece;
    return (unsigned)size;
}

struct sink { size_t size; };

static int push(void *desc, unsigned char *buf, unsigned length)
{
    struct sink *sink = desc;
    assert(memcmp(buf, text + sink->size, length) == 0);
    sink->size += length;
    return 0;
}

static void callbacks(void)
{
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    assert(deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = text;
    stream.avail_in = sizeof text;
    stream.next_out = packed;
    stream.avail_out = sizeof packed;
    assert(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    struct source source = { packed, stream.total_out, { 0 }, 0 };
    struct sink sink = { 0 };
    assert(deflateEnd(&stream) == Z_OK);

    static unsigned char window[1 << 15];
    memset(&stream, 0, sizeof stream);
    assert(inflateBackInit(&stream, 15, window) == Z_OK);
    size_t pieces = (source.left + sizeof source.piece - 1) / sizeof source.piece;
    assert(inflateBack(&stream, pull, &source, push, &sink) == Z_STREAM_END);
    assert(sink.size == sizeof text && (size_t)source.calls == pieces);
    assert(inflateBackEnd(&stream) == Z_OK);
}

static void files(const char *path)
{
    gzFile file = gzopen(path, "wb");
    assert(file != NULL && gzwrite(file, text, sizeof text) == sizeof text);
    assert(gzclose(file) == Z_OK);
    file = gzopen(path, "rb");
    assert(file != NULL && gzread(file, unpacked, 5000) == 5000);
    assert(gzclose(file) == Z_OK);
    file = gzopen(path, "rb");
    assert(file != NULL && gzread(file, unpacked, sizeof unpacked) == sizeof unpacked);
    assert(memcmp(unpacked, text, sizeof text) == 0);
    assert(gzclose(file) == Z_OK);
}

int main(int argc, char **argv)
{
    for (size_t n = 0, seed = 1; n < sizeof text; n++) {
        seed = seed * 1103515245 + 12345;
        text[n] = (unsigned char)("etaoin shrdlu"[seed >> 16 & 7]);
    }
    one_call();
    streams();
    callbacks();
    if (argc == 2) files(argv[1]);
    return 0;
}
