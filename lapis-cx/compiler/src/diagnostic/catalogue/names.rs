//! Catalogue: names, packages and imports.

super::entries! {
    UNKNOWN_NAME = 101 {
        title: "a name that means nothing here",
        cause: "Nothing of this name is declared in the interface or the file, and no `use` brings it in.",
        remedy: "Correct the spelling, declare it, or import it.",
        bad: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { return y; }\n",
        good: "cxspec 1;\npackage a.b;\nfn f(x: u8) -> u8 { return x; }\n",
    }
    DUPLICATE = 102 {
        title: "a name that is taken",
        cause: "Locals, parameters, state fields, constants, functions, types and commands share one name space, and nothing hides anything.",
        remedy: "Choose another name for one of them.",
        bad: "cxspec 1;\npackage a.b;\nconst x: u8 = 1;\nfn f(x: u8) -> u8 { return x; }\n",
        good: "cxspec 1;\npackage a.b;\nconst LIMIT: u8 = 1;\nfn f(x: u8) -> u8 { return x; }\n",
    }
    UNKNOWN_PACKAGE = 103 {
        title: "a package that no file defines",
        cause: "`use` names a package that is not built in and that no `.cxspec` file of the folder or the search path declares.",
        remedy: "Correct the name, or add the folder of the package with `-I`.",
        bad: "cxspec 1;\npackage a.b;\nuse cx.standard:IStateContext;\n",
        good: "cxspec 1;\npackage a.b;\nuse cx.std:IStateContext;\n",
    }
    BAD_NAME = 104 {
        title: "a package name with an underscore",
        cause: "Derived names join the parts of a package with `_`, as in `org_example__Name__member`; they could not be taken apart again.",
        remedy: "Write the words of the part together, or make two parts of it.",
        bad: "cxspec 1;\npackage org.fast_math;\nconst A: u8 = 1;\n",
        good: "cxspec 1;\npackage org.fastmath;\nconst A: u8 = 1;\n",
    }
    CYCLE = 105 {
        title: "a definition that needs itself",
        cause: "A constant, function or interface depends on itself, directly or through others. There is no recursion: every command ends.",
        remedy: "Break the circle; use a `for` loop instead of recursion.",
        bad: "cxspec 1;\npackage a.b;\nconst X: u8 = Y;\nconst Y: u8 = X;\n",
        good: "cxspec 1;\npackage a.b;\nconst X: u8 = Y;\nconst Y: u8 = 1;\n",
    }
    WRONG_KIND = 106 {
        title: "a name of another kind",
        cause: "The name is known, but what it names cannot be used in this way: a function is no value, a constant cannot be called.",
        remedy: "Call functions, name enum cases as `Enum.case`, and use constants without parentheses.",
        bad: "cxspec 1;\npackage a.b;\nfn g(x: u8) -> u8 { return x; }\nfn f(x: u8) -> u8 { return g; }\n",
        good: "cxspec 1;\npackage a.b;\nfn g(x: u8) -> u8 { return x; }\nfn f(x: u8) -> u8 { return g(x); }\n",
    }
    OPEN_CONSTANT = 107 {
        title: "a constant without a value",
        cause: "Only an abstract interface may leave a constant open; whoever inherits it gives the value.",
        remedy: "Write a value.",
        bad: "cxspec 1;\npackage a.b;\nconst X: u8;\n",
        good: "cxspec 1;\npackage a.b;\nconst X: u8 = 3;\n",
    }
}
