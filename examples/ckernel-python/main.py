"""The commands of two interfaces over NumPy arrays: main.py RUNTIME BITKIT MULACC, three shared libraries."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ckernels import Interface, Raised, Runtime

runtime = Runtime(sys.argv[1])
bits = Interface(runtime, sys.argv[2], "bk_ckernels")
mac = Interface(runtime, sys.argv[3], "mulacc_ckernels")

x = np.arange(1, 13, dtype=np.uint64)

# A command as a function of arrays. Arrays are read where they lie, whatever their strides.
ror = bits["ror"]
print("ror       ", ror(x, 63))
print("backwards ", ror(x[::-3], 63))
print("a table   ", ror(x.reshape(3, 4)[:, ::2], 63).tolist())

# An operand that stays: a parent that owns it, and the command as its child.
double = bits.bind("ror", 1, 63)
print("bound     ", double(x[:4]))

# One command after another, as one ckernel: the bits that are set in a CRC.
weight = bits.compose("popcnt", 0, bits, "crc32_b")
print("composed  ", weight(np.full(5, 0xFFFFFFFF, np.uint32), np.frombuffer(b"hello", np.uint8)))

# A command can fail. What was done before the element that failed is there.
quotients = np.zeros(4, np.uint64)
try:
    bits["divchk"](x[:4] * 100, np.array([1, 2, 0, 4], np.uint64), out=quotients)
except Raised as raised:
    print("raised    ", raised, quotients.tolist())

# A command with a state: each call begins in the same one, and gives the last one back, here as status word and accumulator.
state = np.zeros(2, np.uint64)
print("dot       ", mac["mulacc"](x, x, state=state)[-1], state[1])
print("and on    ", mac["mulacc"](x, x, initial=state, state=state)[-1], state[1])

# So one ckernel runs on many threads at once.
dot = mac["mulacc"]
with ThreadPoolExecutor(4) as pool:
    print("threads   ", list(pool.map(lambda k: int(dot(x, x + np.uint64(k))[-1]), range(4))))
