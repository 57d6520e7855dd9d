//! Catalogue entries of this area; see the table in [the parent](super).

super::entries! {
    EXAMPLE_FALSE = 601 {
        title: "an example does not hold",
        cause: "A step of an example is false when it runs as written, from reset.",
        remedy: "Compare both sides as they are shown: either the example or the command is wrong.",
        bad: r#"cxspec 1;
package org.example.doc;
interface Inc {
    uuid auto;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
    example { inc(1) == 3; }
}
"#,
        good: r#"cxspec 1;
package org.example.doc;
interface Inc {
    uuid auto;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
    example { inc(1) == 2; }
}
"#,
    }
    EXAMPLE_RESPONSE = 602 {
        title: "a command answers otherwise than the example says",
        cause: "Every command of a step must answer ok; the last one as `raises` says, if it stands there.",
        remedy: "End the step with `raises name;` if the error is meant, or mend the command.",
        bad: r#"cxspec 1;
package org.example.doc;
interface Divide {
    uuid auto;
    command divide = 0 : R (a: word, b: word) -> word {
        if (b == 0) { raise op; }
        return a / b;
    }
    example { divide(1, 0) == 0; }
}
"#,
        good: r#"cxspec 1;
package org.example.doc;
interface Divide {
    uuid auto;
    command divide = 0 : R (a: word, b: word) -> word {
        if (b == 0) { raise op; }
        return a / b;
    }
    example { divide(1, 0) == 0 raises op; }
}
"#,
    }
    LAW_BROKEN = 603 {
        title: "a law does not hold",
        cause: "There are values of its parameters for which the law is false. The ones shown were made as small as \
                possible.",
        remedy: "Mend the command, or state what is really true: laws hold for all values, also where sums wrap \
                 around.",
        bad: r#"cxspec 1;
package org.example.doc;
interface Inc {
    uuid auto;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
    law greater(x: word): inc(x) > x;
}
"#,
        good: r#"cxspec 1;
package org.example.doc;
interface Inc {
    uuid auto;
    command inc = 0 : R (x: word) -> word { return x +% 1; }
    law differs(x: word): inc(x) != x;
}
"#,
    }
    NOT_RUN = 604 {
        title: "an example or law cannot be run",
        cause: "A command in it has no body or traps, or it takes more steps than the budget of one example or trial.",
        remedy: "Leave out commands that cannot run here, or do less in one example.",
        bad: r#"cxspec 1;
package org.example.doc;
interface Secret {
    xintf 0x12345;
    command stir = 0 : xcmd (a: u8, b: word) -> word;
    example { stir(1, 2) == 3; }
}
"#,
        good: r#"cxspec 1;
package org.example.doc;
interface Secret {
    xintf 0x12345;
    command stir = 0 : xcmd (a: u8, b: word) -> word { return a +% b; }
    example { stir(1, 2) == 3; }
}
"#,
    }
    LAW_CUT_SHORT = 605 {
        title: "a law was tried less often than asked",
        cause: "One trial takes so many steps that the budget of the law ended before all values were tried.",
        remedy: "Nothing is wrong. State the law on less work for a more thorough search.",
        bad: "",
        good: "",
    }
    LIVE_LOST = 610 {
        title: "live state does not survive a save and a restore",
        cause: "In `shared(custom, save: f, restore: g)` each word that `f` calls live must be the same after a restore, and \
                `f` must call the same words live then; for every value of the fields. `g` sees the fields as restored so \
                far, by ascending index.",
        remedy: "Let `g` take back what `f` calls live, and let no word be live by a field that comes after it or is not live.",
        bad: r#"cxspec 1;
package org.example.doc;
draft interface Stack {
    uuid "0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11";
    xlen 32;
    state shared(custom, save: live, restore: none) { n: u4 = 0; v: u32[8] = 0; }
    fn live(index: u10, depth: u4) -> bool { return index <= depth; }
    fn none(index: u10) -> bool { return index == 0; }
    command push = 0 : R (x: u32) { v[n] = x; n = n +% 1; }
}
"#,
        good: r#"cxspec 1;
package org.example.doc;
draft interface Stack {
    uuid "0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11";
    xlen 32;
    state shared(custom, save: live, restore: live) { n: u4 = 0; v: u32[8] = 0; }
    fn live(index: u10, depth: u4) -> bool { return index <= depth; }
    command push = 0 : R (x: u32) { v[n] = x; n = n +% 1; }
}
"#,
    }
}
