"""Much data: the same natively and with zlib in another process."""
import hashlib, random, zlib

SIZE = 100_000_000
random.seed(3)
WORDS = [bytes(random.choices(range(97, 123), k=random.randrange(2, 9))) for _ in range(500)]
text = b" ".join(random.choices(WORDS, k=1_000_000))
CORPUS = {
    "text": (text * (SIZE // len(text) + 1))[:SIZE],
    "random": random.randbytes(SIZE),
    "zeros": bytes(SIZE),
}
for name, data in CORPUS.items():
    packed = zlib.compress(data, 1)
    print(name, len(packed), hashlib.sha256(packed).hexdigest())
    assert zlib.decompress(packed) == data
    packer, unpacker, check = zlib.compressobj(6, zlib.DEFLATED, 31), zlib.decompressobj(31), hashlib.sha256()
    size, back = 0, 0
    for at in range(0, SIZE, 1_000_003):
        piece = packer.compress(data[at : at + 1_000_003])
        check.update(piece)
        size += len(piece)
        back = zlib.crc32(unpacker.decompress(piece), back)
    piece = packer.flush()
    check.update(piece)
    back = zlib.crc32(unpacker.decompress(piece), back)
    assert unpacker.eof and back == zlib.crc32(data)
    print(" ", size + len(piece), check.hexdigest())
