"""A CXU whose commands are ckernels in Python, with nothing but ctypes and, for what they compute, NumPy.

An argument is the path of the runtime's shared library."""
import ctypes
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, addressof, byref, c_char, c_char_p, c_int, c_int32, c_size_t, c_ssize_t, \
    c_uint8, c_uint16, c_uint32, c_uint64, c_void_p, cast, sizeof

import numpy as np

runtime = ctypes.CDLL(sys.argv[1])


class Uuid(Structure):
    _fields_ = [("high", c_uint64), ("low", c_uint64)]


class Type(Structure):
    _fields_ = [("kind", c_char), ("size", c_uint8), ("width", c_uint16)]


class Command(Structure):
    _fields_ = [("function", c_uint32), ("operands", c_uint32), ("result", Type), ("operand", Type * 3),
                ("place", c_uint8 * 4), ("ckb", c_void_p)]


class Cxu(Structure):
    _fields_ = [("abi_version", c_uint32), ("struct_size", c_uint32), ("uuid", Uuid), ("contract", c_uint8 * 32),
                ("xlen", c_uint32), ("sharing", c_uint32), ("flags", c_uint32), ("state_words", c_uint32),
                ("name", c_char_p), ("reset", c_void_p), ("commands", POINTER(Command)), ("count", c_size_t)]


class Prefix(Structure):
    _fields_ = [("function", c_void_p), ("destructor", c_void_p)]


class Error(Structure):
    _fields_ = [("status", c_int32), ("code", c_uint32), ("index", c_uint64), ("message", c_char * 112)]


class Call(Structure):
    _fields_ = [("error", POINTER(Error)), ("initial", c_void_p), ("state", c_void_p), ("state_size", c_ssize_t)]


Destructor = CFUNCTYPE(None, c_void_p)
Single = CFUNCTYPE(c_int, c_void_p, POINTER(c_void_p), c_void_p, POINTER(Call))
for name, result, parameters in [
    ("ckernel_builder_construct", None, [c_void_p]), ("ckernel_builder_destruct", None, [c_void_p]),
    ("cx_ckernel_register", c_int, [POINTER(Cxu)]), ("cx_ckernel_withdraw", c_int, [POINTER(Uuid)]),
    ("cx_last_error_string", c_char_p, []), ("cx_open", c_int, [POINTER(Uuid), c_int]), ("cx_close", None, [c_int]),
    ("cx_select", c_int, [c_int]), ("cx_status_write", c_uint32, [c_uint32]), ("cx_save", c_size_t, [c_void_p, c_size_t]),
    ("cx_abi3_issue", c_size_t, [c_uint32, c_size_t, c_size_t]),
]:
    function = getattr(runtime, name)
    function.restype, function.argtypes = result, parameters

IF, CU, IC = 0x10, 0x40, 0x02
alive = {}


@Destructor
def destroy(kernel):
    """What a ckernel owns in Python goes with it."""
    del alive[Prefix.from_address(kernel).function]


def build(function):
    """A builder with a ckernel that is a Python function."""
    builder = (c_ssize_t * 18)()
    runtime.ckernel_builder_construct(builder)
    prefix = Prefix.from_address(builder[0])
    single = Single(function)
    prefix.function, prefix.destructor = cast(single, c_void_p).value, cast(destroy, c_void_p).value
    alive[prefix.function] = single
    return builder


def dot(dst, src, extra, call):
    """The dot product of four signed bytes in each operand, added to the total in the state."""
    a, b = (np.frombuffer((c_char * 8).from_address(src[i]), np.int8)[:4].astype(np.int64) for i in range(2))
    call = call.contents
    assert call.state_size == 16
    before = np.frombuffer((c_char * 16).from_address(call.initial), np.uint64)
    after = np.frombuffer((c_char * 16).from_address(call.state), np.uint64)
    total = int(before[1].astype(np.int64)) + int(a @ b)
    if total > 1000:
        error = call.error.contents
        error.status, error.code, error.message = 6, 5, "dot: mehr als 1000 ist zu groß".encode()
        return 6
    after[1] = np.uint64(total % 2**64)
    np.frombuffer((c_char * 8).from_address(dst), np.int64)[0] = total
    return 0


def odd(dst, src, extra, call):
    c_uint8.from_address(dst).value = c_uint8.from_address(src[0]).value & 1
    return 0


word, byte, none = Type(b"u", 8, 64), Type(b"u", 1, 8), Type(b"\0", 0, 0)
flag = Type(b"b", 1, 1)
builders = [build(dot), build(odd)]
commands = (Command * 2)(
    Command(3, 2, word, (Type * 3)(word, word, none), (c_uint8 * 4)(), addressof(builders[0])),
    Command(4, 1, flag, (Type * 3)(byte, none, none), (c_uint8 * 4)(2), addressof(builders[1])))
reset = (c_uint64 * 1)(2)
cxu = Cxu(1, sizeof(Cxu), Uuid(99, 1), (c_uint8 * 32)(), 64, 1, 0, 1, b"dot of python", addressof(reset), commands, 2)
issue, status = runtime.cx_abi3_issue, runtime.cx_status_write


def packed(*values):
    return int(np.array(values, np.int8).view(np.uint32)[0])


cxu.count = 3000
assert runtime.cx_ckernel_register(cxu) == 4 and b"1024" in runtime.cx_last_error_string() and len(alive) == 2
cxu.count = 2
assert runtime.cx_ckernel_register(cxu) == 0, runtime.cx_last_error_string()
for builder in builders:
    runtime.ckernel_builder_destruct(builder)
assert len(alive) == 2
selector = runtime.cx_open(byref(cxu.uuid), 1)
assert selector > 0
runtime.cx_select(selector)
status(0)
assert issue(3, packed(1, 2, 3, 4), packed(5, 6, 7, 8)) == 72
assert issue(3, packed(-1, -2, -3, -4), packed(5, 6, 7, 8)) == 2
assert issue(3, packed(-1, 0, 0, 0), packed(3, 0, 0, 0)) == 2**64 - 1 and status(0) == 0
assert issue(3, packed(100, 0, 0, 0), packed(100, 0, 0, 0)) == 0 and status(0) == CU
image = (c_uint64 * 2)()
assert runtime.cx_save(image, 16) == 16 and image[1] == 2**64 - 1 and image[0] == 3 | 1 << 2 | 5 << 24
# An immediate of a command with one register comes in rs2.
assert [issue(4, 0, n) for n in (6, 7, 255, 256)] == [0, 1, 1, 0] and status(0) == 0
assert issue(5, 0, 0) == 0 and status(0) == IF
assert runtime.cx_ckernel_withdraw(byref(cxu.uuid)) == 0 and not alive
assert issue(3, 1, 1) == 0 and status(0) == IC
runtime.cx_close(selector)
print("good")
