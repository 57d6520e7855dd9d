//! Catalogue: interfaces.

super::entries! {
    REPEATED = 401 {
        title: "a duplicate clause",
        cause: "An interface has at most one each of `uuid`, `xintf`, `contract`, `short` and `xlen`.",
        remedy: "Remove one.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    short x;\n    short y;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    short x;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    NO_IDENTITY = 402 {
        title: "an interface without identity",
        cause: "A contract is found by its UUID or its xintf id; this interface has neither.",
        remedy: "Add `uuid auto;`, a literal UUID, or an `xintf` id; or make it `abstract`.",
        bad: "cxspec 1;\npackage a.b;\ninterface X { command c = 0 : R (a: u8) -> u8 { return a; } }\n",
        good: "cxspec 1;\npackage a.b;\ninterface X { uuid auto; command c = 0 : R (a: u8) -> u8 { return a; } }\n",
    }
    BAD_UUID = 403 {
        title: "a UUID that cannot be read",
        cause: "A UUID is 32 hexadecimal digits, written 8-4-4-4-12 (RFC 9562), and not all zero.",
        remedy: "Paste one from `uuidgen`, or write `uuid auto;`.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X { uuid \"1234\"; command c = 0 : R (a: u8) -> u8 { return a; } }\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X { uuid auto; command c = 0 : R (a: u8) -> u8 { return a; } }\n",
    }
    BAD_XINTF = 404 {
        title: "an xintf id out of range",
        cause: "The first id has 20 bits, the second, for RV64, has 52.",
        remedy: "Use a registered id, or `xintf auto;`.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    xintf 0x123456;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    xintf 0x12345;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    COMMAND_ID = 405 {
        title: "a function id that cannot be used",
        cause: "Function ids are 0 to 1007, each used once; 1008 to 1023 are the standard functions'.",
        remedy: "Choose a free id.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 0 : R (a: u8) -> u8 { return a; }\n    command d = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 0 : R (a: u8) -> u8 { return a; }\n    command d = 1 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    FORM = 406 {
        title: "a form that cannot carry the command",
        cause: "R carries two registers, I a register and a 12-bit immediate, flex two registers and five bits, flex25 fifteen bits, xcmd two registers. I and xcmd have room for ids 0 to 7.",
        remedy: "Change the form, the operands or the id.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 9 : I (a: u8, b: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 3 : I (a: u8, b: u8) -> u8 { return a; }\n}\n",
    }
    OPERANDS = 407 {
        title: "an operand or result that does not fit a register",
        cause: "Operands and results are scalars of at most XLEN bits; the first operand of an xcmd has XLEN - 12.",
        remedy: "Narrow it, keep more in state, or restrict the command with `@xlen(64)`.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 0 : R (a: u64) -> u8 { return 1; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 0 : R (a: u64) -> u8 @xlen(64) { return 1; }\n}\n",
    }
    STATE = 408 {
        title: "a state block that cannot be",
        cause: "There is one state block with one sharing model, of at most 1023 words; a state context needs one.",
        remedy: "Correct the block.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state shared(everyone) { s: u8 = 0; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state shared(callee_save) { s: u8 = 0; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    ERROR_CODE = 409 {
        title: "an error that cannot be declared",
        cause: "Error codes are 1 to 255, each used once; `ok cxu state off func op custom` name responses of every CXU.",
        remedy: "Choose another code or name.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u8 = 0; }\n    error bad = 0;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u8 = 0; }\n    error bad = 1;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    BASE = 410 {
        title: "a base that is no interface",
        cause: "After the `:` of an interface stand interfaces.",
        remedy: "Name an interface.",
        bad: "cxspec 1;\npackage a.b;\nconst B: u8 = 1;\ndraft interface X : B { uuid auto; command c = 0 : R (a: u8) -> u8 { return a; } }\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X { uuid auto; command c = 0 : R (a: u8) -> u8 { return a; } }\n",
    }
    SHORT = 411 {
        title: "a name that targets cannot use",
        cause: "A short name holds no underscore, and a long name is an identifier of C: so derived names stay distinct. A short \
                name is no header of C either, nor `cx`: the generated header would hide it.",
        remedy: "Choose another name.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    short a_b;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    short ab;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    ATTRIBUTE = 412 {
        title: "an attribute that is unknown here",
        cause: "Commands take `@latency` and `@xlen`, operands `@rs2`, state `@ucontext`, fields of CSRs `@warl`, examples `@xlen`, `raise` takes `@commit`.",
        remedy: "Correct or remove it.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 0 : R (a: u8) -> u8 @latecy(3) { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 0 : R (a: u8) -> u8 @latency(3) { return a; }\n}\n",
    }
    XLEN = 413 {
        title: "an XLEN that is not 32 or 64",
        cause: "Registers have 32 or 64 bits.",
        remedy: "Write `xlen 32, 64;` or one of the two.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    xlen 16;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    xlen 32;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    FAMILY = 414 {
        title: "a command family that cannot be",
        cause: "A family `[k in lo..hi]` has 1 to 1024 members.",
        remedy: "Correct the range.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c[k in 3..3] = k : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c[k in 3..4] = k : R (a: u8) -> u8 { return a; }\n}\n",
    }
    // 415 was: a construct that this version cannot compile.
    LATENT_ERROR = 416 {
        title: "an error without state",
        cause: "A declared error is kept in the status word of a state context; a stateless interface has none.",
        remedy: "Give the interface state, or raise `op`.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    error bad = 1;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u8 = 0; }\n    error bad = 1;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    XCMD_RAISES = 430 {
        title: "an error that an xcmd cannot report",
        cause: "An overloadable opcode has a result and no response: what `raise` says is lost, its value is returned.",
        remedy: "Let the value say so, or leave out the form xcmd.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    xintf 0x12345;\n    command c = 0 : xcmd (a: u8) -> u8 { if (a == 0) { raise op; } return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    xintf 0x12345;\n    command c = 0 : xcmd (a: u8) -> u8 { return a; }\n}\n",
    }
    NO_WAY_TO_ISSUE = 431 {
        title: "a form that cannot be issued",
        cause: "A device for an xcmd is found by the xintf id, a CX for the other forms by the UUID. This interface has not the one that the form needs.",
        remedy: "Add the identity, or leave out the form.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 0 : xcmd (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    xintf auto;\n    command c = 0 : R | xcmd (a: u8) -> u8 { return a; }\n}\n",
    }
    REFINES = 432 {
        title: "an interface that is not what it refines",
        cause: "`refines A` says that each command of `A` is here too, with the same function id, operand and result types and forms, and that the examples and laws of `A` hold here.",
        remedy: "Make the commands the same, or remove the clause.",
        bad: "cxspec 1;\npackage a.b;\ninterface A { xintf 0x12345; command c = 0 : xcmd (a: u8) -> u8; }\ninterface B {\n    xintf 0x12346;\n    refines A;\n    command c = 1 : xcmd (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface A { xintf 0x12345; command c = 0 : xcmd (a: u8) -> u8; }\ninterface B {\n    xintf 0x12346;\n    refines A;\n    command c = 0 : xcmd (a: u8) -> u8 { return a; }\n}\n",
    }
    LOST_RESULT = 433 {
        title: "a result that no instruction returns",
        cause: "Instructions of the forms flex and flex25 have no result register. A command that has only these forms would have a result in software and none on hardware.",
        remedy: "Remove the result, or add a form that returns it: R, I or xcmd.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 0 : flex (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    command c = 0 : R | flex (a: u8) -> u8 { return a; }\n}\n",
    }
    ABSTRACT_IDENTITY = 435 {
        title: "an abstract interface with an identity",
        cause: "Nobody can open an abstract interface: its members are copied into those that inherit from it, each of which has an identity of its own.",
        remedy: "Remove the clause, or the word `abstract`.",
        bad: "cxspec 1;\npackage a.b;\nabstract interface X {\n    uuid auto;\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nabstract interface X {\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    CSR_ADDRESS = 440 {
        title: "a CSR address that cannot be used",
        cause: "CSRs of an interface are at custom addresses of the RISC-V privileged specification, each used once. Read and write: user 0x802 to 0x8FF, supervisor 0x5C0 to 0x5FF and 0x9C0 to 0x9FF, hypervisor 0x6C0 to 0x6FF and 0xAC0 to 0xAFF, machine 0x7C0 to 0x7FF and 0xBC2 to 0xBFF. Read only: user 0xCC0 to 0xCFF, supervisor 0xDC0 to 0xDFF, hypervisor 0xEC0 to 0xEFF, machine 0xFC0 to 0xFFF. The CX-ISA itself has 0x800, 0x801, 0xBC0 and 0xBC1.",
        remedy: "Choose a free custom address; a `rw` CSR needs one below 0xC00.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u2 = 0; t: u2 = 0; }\n    csr k = 0x800 rw { s [1:0]: u2 = s; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u2 = 0; t: u2 = 0; }\n    csr k = 0x810 rw { s [1:0]: u2 = s; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    CSR_BITS = 441 {
        title: "bits of a CSR that do not fit",
        cause: "A field of a CSR takes the bits `[hi:lo]`, as many as its type has, below XLEN, and none that another field has.",
        remedy: "Correct the bits or the type.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u2 = 0; t: u2 = 0; }\n    csr k = 0x810 rw { s [2:0]: u2 = s; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u2 = 0; t: u2 = 0; }\n    csr k = 0x810 rw { s [1:0]: u2 = s; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    CSR_FIELD = 442 {
        title: "a CSR that cannot be written as declared",
        cause: "Each field of a `rw` CSR names a whole state field of its own type, which no other field of that CSR names: a write goes there, and what is read is what is kept. Fields of a `ro` CSR read any expression over state and constants.",
        remedy: "Name the state field, or make the CSR `ro`.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u2 = 0; t: u2 = 0; }\n    csr k = 0x810 rw { s [1:0]: u2 = s ^ t; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u2 = 0; t: u2 = 0; }\n    csr k = 0x810 ro { s [1:0]: u2 = s ^ t; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    CSR_WRITE = 443 {
        title: "a write to a read-only CSR",
        cause: "A CSR that is declared `ro` has no writes: `c()` reads it.",
        remedy: "Read it, or declare it `rw`.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u2 = 0; t: u2 = 0; }\n    csr k = 0x810 ro { s [1:0]: u2 = s; }\n    example { k(1) == 0; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state exclusive { s: u2 = 0; t: u2 = 0; }\n    csr k = 0x810 ro { s [1:0]: u2 = s; }\n    example { k() == 0; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
    LIVE = 444 {
        title: "a function that cannot say what is live",
        cause: "In `shared(custom, save: f, restore: g)`, `f` and `g` are functions without generics that return a bool. The first parameter is the index of a state word, unsigned and of at least 10 bits; the others have the types of the first state fields, and get their values in that order. An image carries the words that `f` calls live; a restore resets the state and takes back, by ascending index, the words that `g` calls live, given the fields as restored so far.",
        remedy: "Give the functions such parameters, and put the fields that they need in front.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state shared(custom, save: live, restore: live) { n: u4 = 0; v: u32[8] = 0; }\n    fn live(depth: u4) -> bool { return depth > 0; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    state shared(custom, save: live, restore: live) { n: u4 = 0; v: u32[8] = 0; }\n    fn live(index: u10, depth: u4) -> bool { return index <= depth; }\n    command c = 0 : R (a: u8) -> u8 { return a; }\n}\n",
    }
}
