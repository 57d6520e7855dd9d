# Compresses a disk image, checks it and unpacks it again.
set -eu
"$PYTHON" -c '
with open("disk.raw", "wb") as disk:
    for block in range(256):
        disk.write(bytes([block * 37 % 11]) * 4096 + bytes(range(256)) * 8 + bytes(6144))
'
qemu-img convert -c -O qcow2 disk.raw disk.qcow2
qemu-img check disk.qcow2
qemu-img convert -O raw disk.qcow2 back.raw
qemu-img compare disk.raw disk.qcow2
cmp disk.raw back.raw
cksum disk.qcow2
