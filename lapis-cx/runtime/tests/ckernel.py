"""ckernels from Python with nothing but ctypes: the builder, a ckernel that is written in Python, a raised error.

An argument is the path of the runtime's shared library."""
import ctypes
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, addressof, c_char, c_int, c_int32, c_size_t, c_ssize_t, c_uint32, \
    c_uint64, c_void_p, cast, memmove, sizeof

WORD = sizeof(c_void_p)
runtime = ctypes.CDLL(sys.argv[1])
for name, result, parameters in [
    ("construct", None, [c_void_p]), ("destruct", None, [c_void_p]), ("reset", None, [c_void_p]),
    ("ensure_capacity", c_int, [c_void_p, c_ssize_t]), ("ensure_capacity_leaf", c_int, [c_void_p, c_ssize_t]),
]:
    function = getattr(runtime, "ckernel_builder_" + name)
    function.restype, function.argtypes = result, parameters


class Builder(Structure):
    """As the document draws it."""
    _fields_ = [("m_data", c_void_p), ("m_capacity", c_ssize_t), ("m_static_data", c_ssize_t * 16)]


class Error(Structure):
    _fields_ = [("status", c_int32), ("code", c_uint32), ("index", c_uint64), ("message", c_char * 112)]


class Call(Structure):
    _fields_ = [("error", POINTER(Error)), ("initial", c_void_p), ("state", c_void_p), ("state_size", c_ssize_t)]


Destructor = CFUNCTYPE(None, c_void_p)
Single = CFUNCTYPE(c_int, c_void_p, POINTER(c_void_p), c_void_p, POINTER(Call))


class Prefix(Structure):
    _fields_ = [("function", c_void_p), ("destructor", c_void_p)]


class Adder(Structure):
    """x + value."""
    _fields_ = [("base", Prefix), ("value", c_int32)]


assert sizeof(Builder) == 18 * WORD and sizeof(Prefix) == 2 * WORD and sizeof(Error) == 128
assert sizeof(Call) == 4 * WORD

# A builder lies in any memory of 18 words.
memory = (c_ssize_t * 18)(*[-1] * 18)
builder = Builder.from_buffer(memory)
runtime.ckernel_builder_construct(memory)
static = addressof(memory) + 2 * WORD
assert builder.m_data == static and builder.m_capacity == 16 * WORD and not any(memory[2:])

destroyed = []


@Destructor
def destroy(kernel):
    destroyed.append(kernel)


@Single
def add(dst, src, extra, call):
    x = c_int32.from_address(src[0]).value + Adder.from_address(extra).value
    if x >= 1 << 31:
        error = call.contents.error.contents
        error.status, error.code, error.message = 6, 9, "adder: größer als 31 bits".encode()
        return 6
    c_int32.from_address(dst).value = x
    return 0


def make(value):
    end = (sizeof(Adder) + WORD - 1) // WORD * WORD
    assert runtime.ckernel_builder_ensure_capacity_leaf(memory, end) == 0
    kernel = Adder.from_address(builder.m_data)
    kernel.base.function = cast(add, c_void_p).value
    kernel.value = value
    kernel.base.destructor = cast(destroy, c_void_p).value


def call(kernel, x):
    """Result and error of a ckernel."""
    operand, result, error = c_int32(x), c_int32(), Error()
    function = Single(Prefix.from_address(kernel).function)
    status = function(addressof(result), (c_void_p * 1)(addressof(operand)), kernel, Call(ctypes.pointer(error), None, None, 0))
    return (result.value, None) if status == 0 else (None, (status, error.status, error.code, error.message.decode()))


make(40)
assert call(builder.m_data, 2) == (42, None)
assert call(builder.m_data, (1 << 31) - 1) == (None, (6, 6, 9, "adder: größer als 31 bits"))
# It grows, and moves.
assert runtime.ckernel_builder_ensure_capacity(memory, 4096) == 0
assert builder.m_data != static and builder.m_capacity >= 4096 + 2 * WORD
assert call(builder.m_data, 3) == (43, None)
assert runtime.ckernel_builder_ensure_capacity(memory, sys.maxsize) == -1
# A copy runs too.
copy = (c_ssize_t * 8)()
memmove(copy, builder.m_data, 8 * WORD)
assert call(addressof(copy), 4) == (44, None)
assert destroyed == []
place = builder.m_data
runtime.ckernel_builder_reset(memory)
assert destroyed == [place] and builder.m_data == static and not any(memory[2:])
make(1)
runtime.ckernel_builder_destruct(memory)
assert destroyed == [place, static]
runtime.ckernel_builder_destruct(memory)
assert len(destroyed) == 2
print("good", c_size_t(len(destroyed)).value)
