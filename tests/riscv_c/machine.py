"""Runs compiled stubs in unicorn, and is the CX and the CPU with overloadable opcodes that they talk to.

usage: machine.py TABLE. The table has functions as instruction words, and for each what it is called with, what its custom
instructions must see, what they give, and what comes out. Decoding and the calling convention are written here anew, from the
documents: CX API, "CX library examples"; overloadable opcodes, "Description of the instructions"; RISC-V unprivileged, "R-type"
and "I-type"; RISC-V psABI, "Integer calling convention".
"""

import json
import sys

from unicorn import UC_ARCH_RISCV, UC_HOOK_INTR, UC_MODE_RISCV32, UC_MODE_RISCV64, Uc, UcError
from unicorn import riscv_const as r

CODE, STOP = 0x10000, 0x20000
REGISTERS = [r.UC_RISCV_REG_X0 + i for i in range(32)]
WIDTHS = {"bool": 1, "uint8_t": 8, "int8_t": 8, "uint16_t": 16, "int16_t": 16, "uint32_t": 32, "int32_t": 32,
          "uint64_t": 64, "int64_t": 64}


def signed(bits, width):
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) & 1 else bits


def register(typed, xlen):
    """A C value in a register: extended by its type to 32 bits, and from there by the sign."""
    ty, bits = typed[0], int(typed[1], 16)
    width = min(WIDTHS[ty], xlen)
    value = signed(bits, width) if ty.startswith("int") else bits & ((1 << width) - 1)
    return signed(value, 32) & ((1 << xlen) - 1) if width <= 32 else value & ((1 << xlen) - 1)


def decode(word):
    """Which instruction, its number and immediate; which registers are read (None: no register), and which is written."""
    opcode, rd, rs1, rs2 = word & 0x7F, word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
    funct3, funct7 = word >> 12 & 7, word >> 25
    number = funct7 << 3 | funct3
    if opcode == 0b0001011:  # custom-0
        return "R", number, 0, rs1, rs2, rd
    if opcode == 0b0101011:  # custom-1
        return "I", funct3, signed(word >> 20, 12), rs1, None, rd
    if opcode == 0b1011011:  # custom-2: no result; five bits of a constant stand in place of rd, or fifteen of all registers
        return "flex", number, rd, rs1, rs2, 0
    if opcode == 0b1111011 and funct7 == 0:  # custom-3
        return "xcmd", funct3, 0, rs1, rs2, rd
    if opcode == 0b1111011 and funct7 == 1 and funct3 < 3:
        return "xext", funct3, 0, rs1, rs2, rd
    if opcode == 0b1110011 and funct3 & 3 == 1:  # csrrw, or csrrwi with a number in place of rs1
        return ("csrrwi" if funct3 & 4 else "csrrw"), word >> 20, rs1, rs1, None, rd
    raise AssertionError(f"no custom instruction: {word:08x}")


class Hart:
    def __init__(self, xlen):
        self.xlen = xlen
        self.uc = Uc(UC_ARCH_RISCV, UC_MODE_RISCV64 if xlen == 64 else UC_MODE_RISCV32)
        self.uc.mem_map(CODE, 0x1000)
        self.uc.mem_map(STOP, 0x1000)
        self.uc.mem_map(0x30000, 0x1000)
        self.uc.hook_add(UC_HOOK_INTR, self.trap)
        self.failed = self.steps = None

    def read(self, n):
        return self.uc.reg_read(REGISTERS[n]) & ((1 << self.xlen) - 1)

    def trap(self, uc, cause, _):
        """An exception: cause 2 is an illegal instruction. What goes wrong here must not leave through C."""
        try:
            assert cause == 2, f"exception {cause}"
            # unicorn has gone on to the next instruction, where it continues.
            pc = uc.reg_read(r.UC_RISCV_REG_PC) - 4
            self.issue(self.words[(pc - CODE) // 4])
        except Exception as e:
            self.failed = e
            uc.emu_stop()

    def issue(self, word):
        op, number, immediate, rs1, rs2, rd = decode(word)
        assert self.steps, f"one instruction too many: {word:08x}"
        step = self.steps.pop(0)
        if step["op"] == "flex25":
            assert op == "flex"
            op, immediate, rs1, rs2 = "flex25", rs2 << 10 | rs1 << 5 | immediate, 0, 0
        if op in ("csrrw", "csrrwi"):
            assert (step["op"], number) == ("csrrw", step["number"]), (op, number, step)
            value = immediate if op == "csrrwi" else self.read(rs1)
            assert value == int(step["rs1"][1], 16), f"{value:#x} is selected: {step}"
            self.give(rd, step)
            return
        assert (op, number, immediate) == (step["op"], step["number"], step["imm"]), (op, number, immediate, step)
        for name, n in (("rs1", rs1), ("rs2", rs2)):
            if step[name] is None:
                assert n in (0, None), f"{name} is x{n}, but there is no operand: {step}"
            else:
                want = register(step[name], self.xlen)
                assert n is not None and self.read(n) == want, f"{name}: x{n} is {self.read(n):#x}, not {want:#x}: {step}"
        self.give(rd, step)

    def give(self, rd, step):
        if rd:
            self.uc.reg_write(REGISTERS[rd], int(step["rd"], 16))

    def call(self, words, arguments, steps):
        self.words, self.steps, self.failed = words, list(steps), None
        for n in range(1, 32):
            self.uc.reg_write(REGISTERS[n], 0x5A5A5A5A5A5A5A5A & ((1 << self.xlen) - 1))
        self.uc.reg_write(REGISTERS[1], STOP)
        self.uc.reg_write(REGISTERS[2], 0x30800)
        for n, argument in enumerate(arguments):
            self.uc.reg_write(REGISTERS[10 + n], register(argument, self.xlen))
        self.uc.emu_start(CODE, STOP, 0, 1000)
        if self.failed:
            raise self.failed
        assert self.uc.reg_read(r.UC_RISCV_REG_PC) == STOP, "it did not return"
        assert not self.steps, f"never issued: {self.steps}"
        return self.read(10)


def main():
    harts = {xlen: Hart(xlen) for xlen in (32, 64)}
    runs = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        table = json.load(file)
    for function in table:
        hart = harts[function["xlen"]]
        words = function["words"]
        hart.uc.mem_write(CODE, b"".join(word.to_bytes(4, "little") for word in words))
        hart.uc.ctl_remove_cache(CODE, CODE + 0x1000)
        for run in function["runs"]:
            try:
                got = hart.call(words, run["args"], run["steps"])
                if run["ret"] is not None:
                    want = register(run["ret"], hart.xlen)
                    assert got == want, f"gives {got:#x}, not {want:#x}"
            except (AssertionError, UcError) as e:
                sys.exit(f"{function['on']}: {function['name']}: {run}: {e!r}")
            runs += 1
    print(f"{runs} runs")


if __name__ == "__main__":
    main()
