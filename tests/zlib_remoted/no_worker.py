# Python's zlib without a worker: the module loads, and its functions raise errors.
import sys
import zlib

assert zlib.ZLIB_RUNTIME_VERSION == zlib.ZLIB_VERSION
packed = bytes.fromhex("789c4b040000620062")


def fails(what, function):
    try:
        print(what, "did", function())
    except MemoryError as error:
        print(what, "said", error)


fails("compress", lambda: zlib.compress(b"a"))
fails("decompress", lambda: zlib.decompress(packed))
fails("compressobj", zlib.compressobj)
fails("decompressobj", zlib.decompressobj)
fails("gzip", lambda: zlib.decompressobj(31))
# These functions have no error value. They return all ones, which is not a valid Adler-32.
print("sums", hex(zlib.crc32(b"a")), hex(zlib.adler32(b"a")))
sys.exit(3)
