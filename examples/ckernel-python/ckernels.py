"""ckernels over NumPy arrays. It needs the shared library of the runtime, and one made of a generated `*_ckernels.c`; of
Python it needs nothing but ctypes and NumPy. `ckernel.h` and `ckernel_abi.h` say what is behind it."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_int, c_int32, c_size_t, c_ssize_t, c_uint8, c_uint16, \
    c_uint32, c_uint64, c_void_p

import numpy as np

ABI_VERSION = 1
STRIDED = 1


class Prefix(Structure):
    _fields_ = [("function", c_void_p), ("destructor", c_void_p)]


class Builder(Structure):
    _fields_ = [("m_data", c_void_p), ("m_capacity", c_ssize_t), ("m_static_data", c_ssize_t * 16)]


class Error(Structure):
    _fields_ = [("status", c_int32), ("code", c_uint32), ("index", c_uint64), ("message", c_char * 112)]


class Call(Structure):
    _fields_ = [("error", POINTER(Error)), ("initial", c_void_p), ("state", c_void_p), ("state_size", c_ssize_t)]


class Type(Structure):
    _fields_ = [("kind", c_uint8), ("size", c_uint8), ("width", c_uint16)]

    def dtype(self):
        """As NumPy has it; None if there is nothing."""
        return np.dtype(bool) if self.kind == ord("b") else np.dtype(f"{chr(self.kind)}{self.size}") if self.kind else None


class Command(Structure):
    _fields_ = [("name", c_char_p), ("id", c_uint32), ("flags", c_uint32), ("operands", c_uint32), ("result", Type),
                ("operand", Type * 3), ("single", c_void_p), ("strided", c_void_p)]


class Set(Structure):
    _fields_ = [("abi_version", c_uint32), ("struct_size", c_uint32), ("name", c_char_p), ("contract", c_uint8 * 32),
                ("xlen", c_uint32), ("count", c_uint32), ("commands", POINTER(Command)), ("data_size", c_ssize_t),
                ("state_size", c_ssize_t), ("init", c_void_p)]


Strided = CFUNCTYPE(c_int, c_void_p, c_ssize_t, POINTER(c_void_p), POINTER(c_ssize_t), c_size_t, c_void_p, POINTER(Call))


class Raised(Exception):
    """A command failed: its response, the declared error, and the index of the element in the order of the loop."""

    def __init__(self, error):
        self.status, self.code, self.index = error.status, error.code, error.index
        super().__init__(f"{error.message.decode()} (element {error.index})")


class Runtime:
    """The builder, and what makes ckernels of others."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        for name, result, *parameters in [
            ("ckernel_builder_construct", None, c_void_p),
            ("ckernel_builder_destruct", None, c_void_p),
            ("ckernel_make", c_ssize_t, c_void_p, c_ssize_t, POINTER(Set), c_char_p, c_int, c_void_p, c_ssize_t),
            ("ckernel_bind", c_ssize_t, c_void_p, c_ssize_t, c_int, c_uint32, c_uint32, c_void_p, c_ssize_t),
            ("ckernel_compose", c_ssize_t, c_void_p, c_ssize_t, c_int, POINTER(Set), c_char_p, c_uint32, POINTER(Set),
             c_char_p),
        ]:
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, parameters


class Interface:
    """The commands of an interface: `interface["ror"]` is a ckernel that works on arrays."""

    def __init__(self, runtime, path, table):
        self.runtime = runtime
        self.library = ctypes.CDLL(path)
        self.set = Set.in_dll(self.library, table)
        if self.set.abi_version != ABI_VERSION or self.set.struct_size != ctypes.sizeof(Set):
            raise ImportError(f"{path} is for another version of ckernels")
        self.commands = {c.name.decode(): c for c in self.set.commands[:self.set.count]}

    def __getitem__(self, name):
        return self.make(name)

    def make(self, name, image=None):
        """A command, which begins in the state of an image; without one in the reset state."""
        command = self.commands[name]
        size = 0 if image is None else image.nbytes
        address = None if image is None else image.ctypes.data
        return Kernel(self.runtime, [self], command_types(command), command.result.dtype(), self.set.state_size,
                      lambda lib, ckb: lib.ckernel_make(ckb, 0, self.set, name.encode(), STRIDED, address, size))

    def bind(self, name, at, value):
        """A command with an operand that is always the same."""
        command = self.commands[name]
        types = command_types(command)
        value = np.array(value, types[at])

        def build(lib, ckb):
            child = lib.ckernel_bind(ckb, 0, STRIDED, len(types), at, value.ctypes.data, value.nbytes)
            return child if child < 0 else lib.ckernel_make(ckb, child, self.set, name.encode(), STRIDED, None, 0)

        rest = types[:at] + types[at + 1:]
        return Kernel(self.runtime, [self], rest, command.result.dtype(), self.set.state_size, build)

    def compose(self, outer, at, other, inner):
        """`outer(…, inner(…), …)`, where `inner` is a command of another interface, or of this one."""
        first, second = other.commands[inner], self.commands[outer]
        types = command_types(second)
        return Kernel(self.runtime, [self, other], types[:at] + command_types(first) + types[at + 1:],
                      second.result.dtype(), other.set.state_size + self.set.state_size,
                      lambda lib, ckb: lib.ckernel_compose(ckb, 0, STRIDED, self.set, outer.encode(), at, other.set,
                                                           inner.encode()))


def command_types(command):
    return [command.operand[i].dtype() for i in range(command.operands)]


class Kernel:
    """A ckernel in a builder. It may be called on many threads at once."""

    def __init__(self, runtime, interfaces, types, result, state_size, build):
        # The code of the ckernel stays loaded as long as the ckernel is there.
        self.library, self.interfaces = runtime.library, interfaces
        self.types, self.result, self.state_size = types, result, state_size
        # A builder must not move; ctypes never moves it.
        self.builder = Builder()
        self.library.ckernel_builder_construct(ctypes.byref(self.builder))
        made = build(self.library, ctypes.byref(self.builder))
        if made < 0:
            raise {-1: MemoryError, -2: ValueError}[made](f"no ckernel: {made}")
        self.strided = Strided(Prefix.from_address(self.builder.m_data).function)

    def __del__(self):
        if hasattr(self, "builder"):
            self.library.ckernel_builder_destruct(ctypes.byref(self.builder))

    def __call__(self, *operands, out=None, initial=None, state=None):
        """Runs over arrays, which are broadcast as NumPy does, and read where they lie. `initial` and `state` are images:
        arrays of bytes, the state to begin in and the one after the last element."""
        if len(operands) != len(self.types):
            raise TypeError(f"{len(self.types)} operands, not {len(operands)}")
        arrays = [np.asarray(o).astype(t, casting="same_kind", copy=False) if isinstance(o, np.ndarray) else np.array(o, t)
                  for o, t in zip(operands, self.types)]
        shape = np.broadcast_shapes(*(a.shape for a in arrays)) if out is None else out.shape
        if out is None and self.result is not None:
            out = np.empty(shape, self.result)
        elif out is not None and out.dtype != self.result:
            raise TypeError(f"out is {out.dtype}, the result {self.result}")
        for image in (initial, state):
            if image is not None and (image.nbytes < self.state_size or not image.flags.c_contiguous):
                raise ValueError(f"an image has {self.state_size} bytes, one after another")
        if state is not None and initial is not None and initial.nbytes < state.nbytes:
            raise ValueError("the images are of different sizes")
        if len(shape) != 1:
            if len(shape) > 1 and self.state_size:
                raise ValueError("a ckernel with a state goes along one dimension")
            # One loop for each line of the last dimension.
            lines = [np.broadcast_to(a, shape) for a in arrays]
            for place in np.ndindex(shape[:-1]):
                end = place + (slice(None),) if shape else place
                line = [np.atleast_1d(a[end]) for a in lines]
                target = out[end] if shape else out.reshape(1)
                self._line(line, target, initial, state)
            return out
        self._line([np.broadcast_to(a, shape) for a in arrays], out, initial, state)
        return out

    def _line(self, arrays, out, initial, state):
        n = out.shape[0] if out is not None else arrays[0].shape[0]
        error = Error()
        size = self.state_size if initial is not None or state is not None else 0
        call = Call(ctypes.pointer(error), None if initial is None else initial.ctypes.data,
                    None if state is None else state.ctypes.data, size)
        src = (c_void_p * max(1, len(arrays)))(*(a.ctypes.data for a in arrays))
        strides = (c_ssize_t * max(1, len(arrays)))(*(a.strides[0] for a in arrays))
        dst, step = (None, 0) if out is None else (out.ctypes.data, out.strides[0])
        if self.strided(dst, step, src, strides, n, self.builder.m_data, ctypes.byref(call)):
            raise Raised(error)
