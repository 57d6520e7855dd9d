# Writes a picture without compression and has optipng compress it.
set -eu
"$PYTHON" -c '
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
side = 96
rows = b"".join(b"\0" + bytes((x * y >> 3) & 255 for x in range(side)) for y in range(side))
with open("plain.png", "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)))
    file.write(chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))
'
optipng -quiet -o2 -out picture.png plain.png
cksum picture.png
