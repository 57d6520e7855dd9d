//! Catalogue: types and expressions.

super::entries! {
    MISMATCH = 201 {
        title: "a value that does not fit the type wanted",
        cause: "A value converts by itself only where every value of its type fits the other type.",
        remedy: "Narrow it with `.trunc(N)`, `.sat(N)` or `.usat(N)`, change its sign kind with `.signed()` or `.unsigned()`, or use a wider type.",
        bad: "cxspec 1;\npackage a.b;\nfn f(a: u8, b: u8) -> u8 { return a + b; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(a: u8, b: u8) -> u8 { return a +% b; }\n",
    }
    BAD_WIDTH = 202 {
        title: "a width or length that no type has",
        cause: "Integers are 1 to 1024 bits wide; arrays have 1 to 65536 elements, those of arrays in them counted, and at most 16 dimensions.",
        remedy: "Correct the number; operators such as `+%` keep a width that `+` would widen.",
        bad: "cxspec 1;\npackage a.b;\nfn f(a: u<0>) -> u8 { return 1; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(a: u<1>) -> u8 { return 1; }\n",
    }
    NOT_CONSTANT = 203 {
        title: "a constant is needed",
        cause: "Widths, lengths, bounds of slices and loops, and ids must be known before anything runs. A loop variable is no constant.",
        remedy: "Compute it from literals, `const`, XLEN, generics and family indices; take bits at a varying position with `x[b +: W]`.",
        bad: "cxspec 1;\npackage a.b;\nfn f(a: u8, n: u3) -> u4 { return a[n + 3:n]; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(a: u8, n: u3) -> u4 { return a[n +: 4]; }\n",
    }
    OPERANDS = 204 {
        title: "operands that an operator does not take",
        cause: "Bool, enum and number never mix, `& | ^` want one type on both sides, `+% -% *% / %` want a side whose type holds the other's values, and positions are unsigned.",
        remedy: "Convert one side, as in `u32(x)`, `x.trunc(8)` or `x.unsigned()`.",
        bad: "cxspec 1;\npackage a.b;\nfn f(a: u8, b: u16) -> u16 { return a ^ b; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(a: u8, b: u16) -> u16 { return u16(a) ^ b; }\n",
    }
    NEEDS_SIZE = 205 {
        title: "a number that needs a type",
        cause: "A literal or loop variable is a mathematical integer without a width; here a width matters.",
        remedy: "Give it a type, as in `u8(x)` or `0x80u8`.",
        bad: "cxspec 1;\npackage a.b;\nfn f(a: u8) -> u16 { return cat(1, a).zext(16); }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(a: u8) -> u16 { return cat(1u1, a).zext(16); }\n",
    }
    OUT_OF_RANGE = 206 {
        title: "a constant position outside",
        cause: "A constant position, slice or range lies outside of what it is taken from. (A varying position outside reads 0.)",
        remedy: "Correct the position; bits and elements are counted from 0.",
        bad: "cxspec 1;\npackage a.b;\nfn f(a: u8) -> u1 { return a[8]; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(a: u8) -> u1 { return a[7]; }\n",
    }
    CONDITION = 207 {
        title: "a condition that is no bool",
        cause: "`if`, `? :`, `&&`, `||` and `!` take a `bool` or a `u1`.",
        remedy: "Compare the number, as in `x != 0`.",
        bad: "cxspec 1;\npackage a.b;\nfn f(a: u8) -> u8 { return a ? 1 : 2; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(a: u8) -> u8 { return a != 0 ? 1 : 2; }\n",
    }
    ARGUMENTS = 208 {
        title: "too few or too many arguments",
        cause: "A function, command or method is called with another number of arguments than it has parameters.",
        remedy: "Pass exactly the declared arguments; they have no names and no defaults.",
        bad: "cxspec 1;\npackage a.b;\nfn g(x: u8) -> u8 { return x; }\nfn f(x: u8) -> u8 { return g(x, 1); }\n",
        good: "cxspec 1;\npackage a.b;\nfn g(x: u8) -> u8 { return x; }\nfn f(x: u8) -> u8 { return g(x); }\n",
    }
    UNKNOWN_METHOD = 209 {
        title: "a method or field that does not exist",
        cause: "The methods are trunc, zext, sext, ext, wrap, sat, usat, signed, unsigned, split and join; only enums have fields, their cases.",
        remedy: "Use one of these.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u4 { return x.truncate(4); }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u4 { return x.trunc(4); }\n",
    }
    BAD_LITERAL = 210 {
        title: "a number that cannot be read",
        cause: "A literal has no digits, more than 1024 bits, or does not fit the type written behind it.",
        remedy: "Correct the digits or the type.",
        bad: "cxspec 1;\npackage a.b;\nconst X: u16 = 0x100u8;\n",
        good: "cxspec 1;\npackage a.b;\nconst X: u16 = 0x100u16;\n",
    }
    UNKNOWN_TYPE = 211 {
        title: "a type that does not exist",
        cause: "The types are uN and sN, `u<…>`, bool, word, sword, the enums in sight, and arrays of them.",
        remedy: "Correct the name.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: uint8_t) -> u8 { return x; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { return x; }\n",
    }
    GENERIC = 212 {
        title: "a generic that the arguments do not give",
        cause: "A generic `<N>` is found from a parameter of type `u<N>`, `s<N>` or an array of length `N`. None has one.",
        remedy: "Use `N` as the whole width or length of a parameter.",
        bad: "cxspec 1;\npackage a.b;\nfn g<N>(x: u<N + 1>) -> u8 { return 1; }\nfn f(x: u8) -> u8 { return g(x); }\n",
        good: "cxspec 1;\npackage a.b;\nfn g<N>(x: u<N>) -> u8 { return 1; }\nfn f(x: u8) -> u8 { return g(x); }\n",
    }
    EVALUATION = 213 {
        title: "a constant that cannot be computed",
        cause: "The constants of the file take more steps or more memory than the compiler allows for all constants of a file.",
        remedy: "Compute them in fewer steps, make arrays shorter, or write the values.",
        bad: "cxspec 1;\npackage a.b;\nfn spin(n: u32) -> u32 { var s: u32 = n; for i in 0..100000000 { s = s ^ i; } return s; }\nconst X: u32 = spin(1);\n",
        good: "cxspec 1;\npackage a.b;\nfn spin(n: u32) -> u32 { var s: u32 = n; for i in 0..100 { s = s ^ i; } return s; }\nconst X: u32 = spin(1);\n",
    }
    // No example: a file that shows it takes seconds.
    TOO_LARGE = 214 {
        title: "a file that takes too long to check",
        cause: "The body of a command family is checked for each member, and a generic function for each width it is called with. Together they are far more than the text of the file.",
        remedy: "Move what the members of a family share into a function.",
        bad: "",
        good: "",
    }
    IMMEDIATE = 215 {
        title: "an operand that no instruction carries",
        cause: "The command has form I only, whose immediate has 12 bits: sign-extended and cut to the type of the operand. Programs cannot issue it with another value, so examples, constants in laws and the body of a library cannot either.",
        remedy: "Take a value from -2048 to 2047 (or its pattern, as 0xFFFFF800 of `u32`), narrow the operand, or give the command form R too.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    command add = 0 : I (a: u32, b: u32) -> u32 { return a +% b; }\n    example { add(1, 4096) == 4097; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    command add = 0 : R | I (a: u32, b: u32) -> u32 { return a +% b; }\n    example { add(1, 4096) == 4097; }\n}\n",
    }
    SHIFT_WIDENED = 230 {
        title: "a left shift that loses bits for which there would be room",
        cause: "`x << n` has the width of `x`, and bits that leave it are lost. Here the result becomes a wider type at once, which would have held them.",
        remedy: "Widen first: `u32(x) << n`. If the bits shall go, say so: `(x << n).trunc(8)`.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: s16) -> s32 { let y: s32 = x << 8; return y; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: s16) -> s32 { let y: s32 = s32(x) << 8; return y; }\n",
    }
}
