//! Catalogue: platforms.

super::entries! {
    REPEATED = 701 {
        title: "a duplicate clause or property",
        cause: "A platform has at most one each of `xlen`, `xcmds`, `harts` and `levels`, a CXU one each of `level`, `latency`, `contexts` and `omits`; a list names each thing once.",
        remedy: "Remove one.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    harts 2;\n    harts 4;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    harts 4;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    MISSING = 702 {
        title: "a platform that leaves out what must be said",
        cause: "A platform says its `xlen`, and its `levels` if it has luns; a CXU says its `level`, and its `contexts` if its interface has state.",
        remedy: "Add what the message names.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    NUMBER = 703 {
        title: "a number out of range",
        cause: "Units, luns and sequence numbers have twelve bits, CXU ids eight, `xcmds` is 1 to 8, `contexts` at most 256, `level` 0 to 3, `xlen` 32 or 64, and there is at least one hart.",
        remedy: "Write a number in the range that the message names.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 4096 = X; }\n    lun 32 = X { u, s -> d.4096; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    RESERVED_LUN = 704 {
        title: "a lun that is not free",
        cause: "Luns 0 to 2 are the three fallbacks, which every platform answers without saying so; 3 to 7 are reserved for more of them, 8 to 30 are error numbers, 31 is reserved.",
        remedy: "Use 32 to 4095.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 8 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 8; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    TWICE = 705 {
        title: "something that is declared twice",
        cause: "Each device, unit, lun and CXU id is declared once in a platform, and so is the `discover` of each interface.",
        remedy: "Remove one, put the two together, or give one another number.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    UNKNOWN = 706 {
        title: "a device, unit, level or lun that is not there",
        cause: "The platform declares nothing of this name or number.",
        remedy: "Correct it, or declare what is missing.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.64; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 64 = X; }\n    lun 32 = X { u, s -> d.64; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    NOT_ANSWERABLE = 707 {
        title: "something that hardware cannot answer",
        cause: "Hardware answers the commands of an interface. An `abstract` interface is only a base of others, and constants, functions and libraries are no interfaces.",
        remedy: "Name an interface that is not abstract.",
        bad: "cxspec 1;\npackage a.b;\nabstract interface X {\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    TWO_TARGETS = 708 {
        title: "a lun that leads to two places at one level",
        cause: "An `xcmd` at one level goes to one unit of one device.",
        remedy: "Keep one of the two, or use another lun.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\ninterface Y {\n    xintf 0x12346;\n    command e = 0 : xcmd (a: u8, b: word) -> word { return b ^ 1; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; unit 1 = Y; }\n    lun 32 = X { u, s -> d.0; s -> d.1; }\n    lun 33 = Y { u, s -> d.1; }\n    discover X { 0 at u, s -> lun 32; }\n    discover Y { 0 at u, s -> lun 33; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\ninterface Y {\n    xintf 0x12346;\n    command e = 0 : xcmd (a: u8, b: word) -> word { return b ^ 1; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; unit 1 = Y; }\n    lun 32 = X { u, s -> d.0; }\n    lun 33 = Y { u, s -> d.1; }\n    discover X { 0 at u, s -> lun 32; }\n    discover Y { 0 at u, s -> lun 33; }\n}\n",
    }
    OTHER_INTERFACE = 709 {
        title: "a lun and an interface that do not belong together",
        cause: "A lun leads to units that implement its interface, and an interface is discovered at luns of that interface. Otherwise software would issue the commands of one interface to hardware of another.",
        remedy: "Correct the unit, the lun or the interface.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\ninterface Y {\n    xintf 0x12346;\n    command e = 0 : xcmd (a: u8, b: word) -> word { return b ^ 1; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; unit 1 = Y; }\n    lun 32 = X { u, s -> d.0; }\n    lun 33 = Y { u, s -> d.1; }\n    discover X { 0 at u, s -> lun 32; }\n    discover Y { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\ninterface Y {\n    xintf 0x12346;\n    command e = 0 : xcmd (a: u8, b: word) -> word { return b ^ 1; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; unit 1 = Y; }\n    lun 32 = X { u, s -> d.0; }\n    lun 33 = Y { u, s -> d.1; }\n    discover X { 0 at u, s -> lun 32; }\n    discover Y { 0 at u, s -> lun 33; }\n}\n",
    }
    NOT_MAPPED = 710 {
        title: "a lun that is discovered where it leads nowhere",
        cause: "At this level, no unit has the lun: `xext` would find it, and each `xcmd` to it would trap.",
        remedy: "Map the lun at this level, or do not discover it there.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    SEQUENCE = 711 {
        title: "sequence numbers with a gap or a duplicate",
        cause: "At each level the implementations of an interface are numbered 0, 1, 2 and so on: software asks for one after the other until there is none, and 0 is the default.",
        remedy: "Number them without gaps, each once.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 1 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    SAME_ID = 712 {
        title: "one id for two interfaces",
        cause: "`xext` knows an interface by its xintf id, `cx_open` by its UUID. Two that share one cannot be told apart on this platform.",
        remedy: "Give one of the two interfaces another id.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\ninterface Y {\n    xintf 0x12345;\n    command e = 0 : xcmd (a: u8, b: word) -> word { return b ^ 1; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; unit 1 = Y; }\n    lun 32 = X { u, s -> d.0; }\n    lun 33 = Y { u, s -> d.1; }\n    discover X { 0 at u, s -> lun 32; }\n    discover Y { 0 at u, s -> lun 33; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\ninterface Y {\n    xintf 0x12346;\n    command e = 0 : xcmd (a: u8, b: word) -> word { return b ^ 1; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; unit 1 = Y; }\n    lun 32 = X { u, s -> d.0; }\n    lun 33 = Y { u, s -> d.1; }\n    discover X { 0 at u, s -> lun 32; }\n    discover Y { 0 at u, s -> lun 33; }\n}\n",
    }
    NO_ID = 713 {
        title: "an interface without the id that its place needs",
        cause: "Interfaces of units and luns are found by their xintf id, interfaces of CXUs by their UUID.",
        remedy: "Give the interface an `xintf` or a `uuid`.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    xintf 0x12345;\n    command c = 0 : xcmd (a: u8, b: word) -> word { return b; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; }\n}\n",
    }
    XCMD = 714 {
        title: "commands that no xcmd of the platform reaches",
        cause: "`xcmds N` gives the instructions `xcmd0` to `xcmd N-1`. A command reaches a device under its id, and only in the form `xcmd`.",
        remedy: "Raise `xcmds`, give the commands smaller ids, or give them the form `xcmd`.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    xcmds 1;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    xcmds 2;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    XLEN = 715 {
        title: "an interface that does not have the XLEN of the platform",
        cause: "An interface says with `xlen` for which widths of registers it has a meaning.",
        remedy: "Change the `xlen` of one of the two.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    xlen 32;\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    CONTEXTS = 716 {
        title: "state contexts that do not fit",
        cause: "A CXU has state contexts exactly if its interface has state; at level 0 it is combinational and has none.",
        remedy: "Correct `contexts` or `level`.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; contexts 4; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; }\n}\n",
    }
    LATENCY = 717 {
        title: "a latency that cannot be",
        cause: "A latency is one number of cycles, or the fewest and the most of them. A CXU of level 0 answers in the same cycle, one of level 1 always after the same number of cycles.",
        remedy: "Correct the latency or the level.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 2; latency 4..1; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 2; latency 1..4; }\n}\n",
    }
    OMITS = 718 {
        title: "a command that a CXU cannot leave out",
        cause: "Software emulates the commands that `omits` names, so the interface must define them; and the standard functions are how software reaches the state.",
        remedy: "Name commands of the interface that have a body.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; omits e; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; omits d; }\n}\n",
    }
    EMPTY = 719 {
        title: "a table without entries",
        cause: "A device has units, a lun leads somewhere, and `discover` says where to.",
        remedy: "Add an entry, or remove the whole.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d {   }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    UNREACHABLE = 720 {
        title: "hardware that no software finds",
        cause: "No `discover` leads to this lun, or no lun to this unit.",
        remedy: "Add what leads there, or remove it.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    ALIAS = 721 {
        title: "one unit that is found twice",
        cause: "Two luns lead to one unit at one level, or one lun has two sequence numbers. That is allowed, but software that looks for two units finds the same one twice.",
        remedy: "Keep one of the two, unless it is meant.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; 1 at u -> lun 32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    levels u, s;\n    device d { unit 0 = X; }\n    lun 32 = X { u, s -> d.0; }\n    discover X { 0 at u, s -> lun 32; }\n}\n",
    }
    DRAFT = 722 {
        title: "hardware for a draft",
        cause: "The contract of a `draft` interface may still change, under the same UUID. Hardware that answers it would then answer another contract.",
        remedy: "Freeze the interface with `cxc freeze`, and remove `draft`.",
        bad: "cxspec 1;\npackage a.b;\ndraft interface X {\n    uuid \"0b7c2a52-6f0e-4d0b-9b37-5a1f6a2c9e11\";\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; }\n}\n",
    }
    PROPERTY = 723 {
        title: "a property that CXUs do not have",
        cause: "A CXU has `level`, `latency`, `contexts` and `omits`.",
        remedy: "Correct the word.",
        bad: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; latencies 3; }\n}\n",
        good: "cxspec 1;\npackage a.b;\ninterface X {\n    uuid auto;\n    xintf 0x12345;\n    command c = 0 : R | xcmd (a: u8, b: word) -> word { return b; }\n    command d = 1 : R | xcmd (a: u8, b: word) -> word { return a; }\n}\nplatform P {\n    xlen 64;\n    cxu 0 = X { level 1; }\n}\n",
    }
}
