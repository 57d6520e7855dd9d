"""What Python does with zlib: the same natively and with zlib in another process."""
import gzip, hashlib, io, random, sys, threading, zlib

random.seed(7)
WORDS = [bytes(random.choices(range(97, 123), k=random.randrange(2, 9))) for _ in range(500)]
CORPUS = {
    "text": b" ".join(random.choices(WORDS, k=150_000)),
    "random": random.randbytes(500_000),
    "zeros": bytes(1_000_000),
    "runs": b"".join(bytes([random.randrange(256)]) * random.randrange(1, 40) for _ in range(30_000)),
    "empty": b"",
}


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


for name, data in CORPUS.items():
    print(name, len(data), zlib.crc32(data), zlib.adler32(data))
    for level in (0, 1, 6, 9):
        packed = zlib.compress(data, level)
        print(" ", level, len(packed), digest(packed))
        assert zlib.decompress(packed) == data
    packer = zlib.compressobj(6, zlib.DEFLATED, 31, 9, zlib.Z_FILTERED)
    packed = b"".join(packer.compress(data[at : at + 65_537]) for at in range(0, len(data), 65_537)) + packer.flush()
    unpacker, back, rest = zlib.decompressobj(31), b"", packed
    while rest:
        back += unpacker.decompress(rest, 70_001)
        rest = unpacker.unconsumed_tail
    back += unpacker.flush()
    assert back == data and unpacker.eof
    print("  gzip", len(packed), digest(packed))
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as out:
        out.write(data)
    assert gzip.decompress(file.getvalue()) == data
    print("  file", digest(file.getvalue()))

one = zlib.compressobj(9, zlib.DEFLATED, -15)
one.compress(CORPUS["text"])
two = one.copy()
assert one.flush() == two.flush()
zdict = zlib.compressobj(6, zlib.DEFLATED, 15, 8, 0, b"words that come again")
packed = zdict.compress(b"again words that come") + zdict.flush()
print(zlib.decompressobj(zdict=b"words that come again").decompress(packed))
for bad in (b"garbage", zlib.compress(CORPUS["text"])[:-5], b""):
    try:
        zlib.decompress(bad)
    except zlib.error as why:
        print(why)


def work(name, results):
    results[name] = digest(zlib.compress(CORPUS[name], 6))


results = {}
threads = [threading.Thread(target=work, args=(name, results)) for name in CORPUS]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sorted(results.items()))
# Which library it is: nothing else tells.
print(any("remoting" in line for line in open("/proc/self/maps")), file=sys.stderr)
