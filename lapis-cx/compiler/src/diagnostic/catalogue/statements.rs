//! Catalogue: statements and functions.

super::entries! {
    NO_RETURN = 301 {
        title: "a path without a result",
        cause: "A function or command with a result can reach its end. Loops never count as an end, as they may run no time.",
        remedy: "End every path with `return`, `raise` or `trap`.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { if (x == 1) { return 2; } }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { if (x == 1) { return 2; } return x; }\n",
    }
    UNREACHABLE = 302 {
        title: "a statement that is never reached",
        cause: "It follows `return`, `raise` or `trap`.",
        remedy: "Remove it, or move it up.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { return x; return 1; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { return x; }\n",
    }
    NOT_ASSIGNABLE = 303 {
        title: "something that cannot be assigned",
        cause: "Parameters, `let`, loop variables, constants, functions and commands keep their value.",
        remedy: "Use `var`, or a state field.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { let y = x; y = 1; return y; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { var y: u8 = x; y = 1; return y; }\n",
    }
    MATCH = 304 {
        title: "a `match` with missing, doubled or impossible arms",
        cause: "Every value needs exactly one arm. An enum is open: patterns other than its cases may occur.",
        remedy: "Add `_ => { … }` last; remove what is matched before.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u2) -> u8 { match (x) { 0 => { return 1; } 1 => { return 2; } } return 3; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u2) -> u8 { match (x) { 0 => { return 1; } 1 => { return 2; } _ => { return 3; } } }\n",
    }
    NOT_PURE = 305 {
        title: "state, an error or a command where only values are allowed",
        cause: "Functions, constants and laws compute values from values. Only commands read and change state, raise and trap; only examples and laws issue commands.",
        remedy: "Pass values as arguments; move what several commands share into a function.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X { uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\"; state exclusive { s: u8 = 0; }\n fn f(x: u8) -> u8 { return s; }\n command c = 0 : R () -> u8 { return f(s); } }\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X { uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\"; state exclusive { s: u8 = 0; }\n fn f(x: u8) -> u8 { return x; }\n command c = 0 : R () -> u8 { return f(s); } }\n",
    }
    RAISE = 306 {
        title: "an error that is not declared",
        cause: "`raise` and `raises` name an error of the interface, or `op`.",
        remedy: "Declare it with `error name = code \"…\";`.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X { uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\"; command c = 0 : R (a: u8) -> u8 { raise broken; } }\n",
        good: "cxspec 1;\npackage a.b;\ndraft interface X { uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\"; command c = 0 : R (a: u8) -> u8 { raise op; } }\n",
    }
    RETURN = 307 {
        title: "a `return` or `raise` that does not fit the result",
        cause: "A value is returned where none is declared, or none where one is.",
        remedy: "Declare the result with `-> type`, or return without a value.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { return; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { return x; }\n",
    }
    UNCHECKED = 330 {
        title: "a generic function that is not checked",
        cause: "Nothing calls it, and what is wrong in it depends on the values of its generics: it is right for none of 1, 8, 32 and 64, but perhaps for others.",
        remedy: "Call it, or state a `law` about it.",
        bad: "cxspec 1;\npackage a.b;\nfn f<N>(x: u<N>) -> u16 { let y: u16 = x; return y + x[12] > 9 ? y : 0; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f<N>(x: u<N>) -> u16 { let y: u16 = x; return y + x[12] > 9 ? y : 0; }\nlaw small(x: u13): f(x) <= 0x1FFF;\n",
    }
}
