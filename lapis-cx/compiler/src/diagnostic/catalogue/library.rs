//! Catalogue: libraries.

super::entries! {
    BINDING = 801 {
        title: "a fact about C that cannot be",
        cause: "`c key \"…\"` states a fact: `prefix header soname cflags libs export identifier number sources(guest) sources(worker)`, each with values of its own kind.",
        remedy: "Correct the key, the side or the value.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    c soname 3;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    c soname \"libl.so.1\";\n}\n",
    }
    UNKNOWN_CLAUSE = 802 {
        title: "a clause that is not known",
        cause: "No clause of a function, callback or handle has this name.",
        remedy: "Correct the spelling.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f() -> int { unorderd; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f() -> int { unordered; }\n}\n",
    }
    CLAUSE_PLACE = 803 {
        title: "a clause where it says nothing",
        cause: "Each clause stands on functions, callbacks or handles, as the message says; some hold always and cannot stand under `when`.",
        remedy: "Move it to where it means something.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H { sync; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H { record; }\n}\n",
    }
    CLAUSE_ARGUMENTS = 804 {
        title: "a clause with wrong arguments",
        cause: "The clause takes other arguments, or none.",
        remedy: "Write it in the form that the message shows.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f() -> int { thread(second); }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f() -> int { thread(main); }\n}\n",
    }
    REPEATED = 805 {
        title: "something that is said twice",
        cause: "Clauses of one family (`sync async flush`, `ordered unordered`, `monitor atomic`, `success`, `fails`) exclude each other in one body, and a fact is stated once.",
        remedy: "Remove one, or let `when` choose.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f() -> int { sync; async returns 0; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f() -> int { async returns 0; }\n}\n",
    }
    ATTRIBUTE = 806 {
        title: "an attribute that is unknown here",
        cause: "Places take `@valid @on @lifetime @allocator @room @zero_copy @align`, each on the kinds of places that the message names.",
        remedy: "Correct or remove it.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int @valid(1)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; n] @valid(1), n: int) -> int;\n}\n",
    }
    DIRECTION = 807 {
        title: "a direction that is missing or makes no sense",
        cause: "A pointer says whether its contents go (`in`), come back (`out`), do both (`inout`) or stay (`local`); `new` and `own` pass references and blocks; a value that is passed by value has no direction.",
        remedy: "Say what travels.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: [u8; n], n: int) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; n], n: int) -> int;\n}\n",
    }
    NOT_AT_ENTRY = 808 {
        title: "a value that is not known yet",
        cause: "The result, what `out` pointers point to, `errno` and `elapsed` are known after the real call; a function of the API is asked on the worker. What must be decided before the call is sent cannot use them.",
        remedy: "Use arguments, what `in` brings, or metadata.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; ret]) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; n], n: int) -> int;\n}\n",
    }
    OUT_OF_SCOPE = 809 {
        title: "a name that means nothing where it arrives",
        cause: "`defaults` and structs are written once and used in many places. A name in them is looked up where they arrive, and there it is missing.",
        remedy: "State another clause there, or move the function out of the body with the `defaults`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    defaults { ordered(h); }\n    handle H;\n    func f(n: int) -> int;\n    func g(h: H) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    defaults { ordered(h); }\n    handle H;\n    func f(n: int) -> int { unordered; }\n    func g(h: H) -> int;\n}\n",
    }
    MATCH_TYPE = 810 {
        title: "a `match` type with missing, doubled or impossible cases",
        cause: "Each value of the expression needs exactly one case. `_` is needed unless all cases are named.",
        remedy: "Add `_ => …;` last; remove what is matched before.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(k: int, p: match (k) { 0 => in cstr; }) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(k: int, p: match (k) { 0 => in cstr; _ => ptr; }) -> int;\n}\n",
    }
    HANDLE_CYCLE = 811 {
        title: "handles that die with each other in a circle",
        cause: "`handle H with P` says that H dies when P does.",
        remedy: "Let the outermost handle stand alone.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle A with B;\n    handle B with A;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle A;\n    handle B with A;\n}\n",
    }
    VARIADIC = 812 {
        title: "variable arguments that nobody can pass on",
        cause: "What `...` holds cannot be seen. Either `replace` reads it in the caller, or a `match` type says what it is.",
        remedy: "Give the function a `replace`, or type the `...`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(fmt: in cstr, ...) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(fmt: in cstr, ...) -> int { replace c\"\"\"return 0;\"\"\" }\n}\n",
    }
    RESOURCE = 813 {
        title: "a resource of the wrong kind",
        cause: "A rate is used up with `consumes`; a store is taken with `acquires` and given back with `releases`.",
        remedy: "Use the clause of its kind, or declare it as the other.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    resource rate time;\n    func f(n: int) -> int { acquires(time: n); }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    resource rate time;\n    func f(n: int) -> int { consumes(time: n); }\n}\n",
    }
    VALUE = 814 {
        title: "a value of the wrong kind",
        cause: "The expressions of a library are exact integers, truth values, pointers and handles, which never mix.",
        remedy: "Compare numbers with numbers and pointers with `null`; write conditions as comparisons.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { success ret; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { success ret == 0; }\n}\n",
    }
    TYPE_ARGUMENTS = 815 {
        title: "a type with the wrong number of arguments",
        cause: "A parametrised type takes as many arguments as it has parameters.",
        remedy: "Give as many.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    type T(n) = in [u8; n];\n    func f(p: T) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    type T(n) = in [u8; n];\n    func f(p: T(4)) -> int;\n}\n",
    }
    USERDATA = 816 {
        title: "userdata that belongs to no callback",
        cause: "`userdata(f, g)` is the tag of the registrations that the parameters f and g make. In a callback, one argument is the tag.",
        remedy: "Name parameters that are callbacks.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int, user: userdata(n)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void;\n    func f(c: C, user: userdata(c)) -> int;\n}\n",
    }
    METADATA = 817 {
        title: "a member that is not there, or cannot be kept",
        cause: "Values are attached to handles, structs and named pointers with `metadata`. They have a fixed size.",
        remedy: "Declare the member, or give it a type of a fixed size.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    func f(h: H) -> int { ordered(h.parent); }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    metadata H { parent: H; }\n    func f(h: H) -> int { ordered(h.parent); }\n}\n",
    }
    LIFETIME = 818 {
        title: "a lifetime that never ends",
        cause: "What a lifetime ends with is a handle that dies, a scope that `ends`, or a callback that is called; or `call`, `static`, `manual`.",
        remedy: "Name one of these.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int, p: in cstr @lifetime(n)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    func f(h: H, p: in cstr @lifetime(h)) -> int;\n}\n",
    }
    OUTCOME = 819 {
        title: "a made-up result that goes nowhere",
        cause: "`fails`, `requires … else` and `returns` make up a result without a call: a value for the result, or `place = value` for what an `out` pointer points to, or `errno = …`.",
        remedy: "Name something that the caller gets.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> void { fails 3; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> void { fails errno = 3; }\n}\n",
    }
    SET = 820 {
        title: "something that cannot be set",
        cause: "`set` gives metadata, or a `local` place of the caller, a value; `pass` gives the library another value of a parameter.",
        remedy: "Declare metadata, or use `pass`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { set n = 3; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { pass n = 3; }\n}\n",
    }
    REFINE = 821 {
        title: "a place that is not there",
        cause: "`arg p`, `arg p[]`, `arg p[].m` and `arg ret` name a place inside of an argument or the result.",
        remedy: "Follow the type of the argument.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { arg n[] @on(true); }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: out [int; 1]) -> int { arg p[] @on(true); }\n}\n",
    }
    HOOK = 822 {
        title: "an event that does not happen",
        cause: "Text runs at `guest_init guest_fini worker_init worker_fini fork_child send reply arguments`; some of these are one moment, without `before` and `after`.",
        remedy: "Correct the event.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    on start c\"\"\"x();\"\"\"\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    on guest_init after c\"\"\"x();\"\"\"\n}\n",
    }
    CODE = 823 {
        title: "text of a language that is not known",
        cause: "Text in triple quotes begins with the name of its language. C is the only one.",
        remedy: "Write `c\"\"\"…\"\"\"`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    utility rust\"\"\"fn f() {}\"\"\"\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    utility c\"\"\"int f(void);\"\"\"\n}\n",
    }
    LAYOUT = 824 {
        title: "a struct without a layout",
        cause: "What stands in a struct without a pointer lies inside of it. So a struct cannot hold itself, and an inline array with a member as its length (or a struct that ends with one) is the last thing in its struct and no element of an array or buffer.",
        remedy: "Point to the other struct, or move the array to the end.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    struct S { n: u32; tail: u8[n]; sum: u32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    struct S { n: u32; sum: u32; tail: u8[n]; }\n}\n",
    }
    NO_RESULT = 825 {
        title: "a result that nothing says",
        cause: "A call that is not made (`requires`) or not waited for (`async`, `flush`) returns all the same. A function with a result says which one: `else`, `fails` or `returns`. `success` is a condition, from which no value follows.",
        remedy: "Say the value.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { async; requires n > 0; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { async returns 0; requires n > 0 else -1; }\n}\n",
    }
    ROOM = 826 {
        title: "memory of the caller without a bound",
        cause: "`out` gives room in the caller's memory. `cstr` and `[T; until z]` say where the contents end, and not how much fits, so that a long answer would write behind the caller's memory. A struct that only comes back and ends with as many elements as it says itself is the same.",
        remedy: "Say how much fits: `out [T; n until z]`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(name: out cstr) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(name: out [char; n until 0], n: size) -> int;\n}\n",
    }
    NO_NULL = 827 {
        title: "a value that is never null",
        cause: "`?` says that a pointer, a handle or a callback may be null. A number, an enum, a struct by value or an inline array is always there.",
        remedy: "Remove `?`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(t: int?) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(t: in [int; 1]?) -> int;\n}\n",
    }
    FILE = 828 {
        title: "a file by what names none",
        cause: "`file` stands over a path, which is a string, or over a descriptor, which is an integer.",
        remedy: "Declare it as one of these.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(fd: double as in file) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(fd: int as in file) -> int;\n}\n",
    }
    SAME_IN_C = 829 {
        title: "two things that are one in C",
        cause: "Each function, handle, struct and type of callback has one name in C, its spelling or the prefix and its name, and each library of a file its own number and functions.",
        remedy: "Describe it once, or correct the spelling.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f = \"run\" (n: int) -> int;\n    func run(n: int) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f = \"run\" (n: int) -> int;\n    func walk(n: int) -> int;\n}\n",
    }
    BODY = 830 {
        title: "what the body of a library's function cannot do",
        cause: "Such a body becomes a function of C and of Rust that runs on hardware, or on the fallback where there is none. It computes with numbers. A buffer lies in the caller's memory and is looked into element by element; of what the body cannot hold, nothing can be returned. Each command must have a form that selected CXs are issued, and a meaning where no CX is found.",
        remedy: "As the help says: look into buffers in a loop, return a number, or give `with` an `else`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: inout [u8; n], n: size) -> void {\n        impl { let all = p; }\n    }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: inout [u8; n], n: size) -> void {\n        impl { for i in 0..n { p[i] = p[i] +% 1; } }\n    }\n}\n",
    }
    CONVENTION = 831 {
        title: "a promise that a callee does not keep",
        cause: "A function of the CX calling convention (`cx_call`) gives the state of every shared CX back to its caller. One of the default convention does not, and nobody knows which CXs it uses: what it changes is changed for the caller too.",
        remedy: "Declare the callee `cx_call` if it keeps that promise, or leave `cx_call` out here.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func legacy(x: u32) -> u32;\n    func f(x: u32) -> u32 {\n        cx_call;\n        impl { return legacy(x); }\n    }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func legacy(x: u32) -> u32 { cx_call; }\n    func f(x: u32) -> u32 {\n        cx_call;\n        impl { return legacy(x); }\n    }\n}\n",
    }
    SIZE_CIRCLE = 832 {
        title: "sizes that need each other",
        cause: "Whoever receives arguments reads them one after the other, and knows how large each is from those before it. A length that needs what stands in its own buffer, or two that need each other, are never known.",
        remedy: "Pass one of the sizes as a number of its own.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; q[0]], q: in [u8; p[0]]) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; q[0]], q: in [u8; n], n: size) -> int;\n}\n",
    }
    DIES_FIRST = 833 {
        title: "a lifetime that is over as it begins",
        cause: "`own` takes a reference; with the last one a handle dies, and with it all that lives until then: its handles (`with`), memory and registrations. What a call makes or keeps cannot live with what the same call takes.",
        remedy: "Let it live with something that stays.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    func f(h: own H, p: in cstr @lifetime(h)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    func f(h: H, p: in cstr @lifetime(h)) -> int;\n}\n",
    }
    NO_TAG = 834 {
        title: "a callback whose registration nobody finds",
        cause: "The worker is called back with the tag of a registration and finds by it which function of the caller is meant. A callback with a `userdata` parameter needs a call that gives it one.",
        remedy: "Say which argument is the tag: `userdata(f)`. A callback without any has `slots`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void;\n    func f(c: C, user: ptr) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void;\n    func f(c: C, user: userdata(c)) -> int;\n}\n",
    }
    VALID = 835 {
        title: "more valid elements than there are",
        cause: "`@valid(e)` says how many of a buffer's elements carry contents. More than the buffer has are a fault of each call.",
        remedy: "Correct the length, or the number of valid elements.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: out [u8; 8] @valid(9)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: out [u8; 8] @valid(8)) -> int;\n}\n",
    }
    OUT_OF_RANGE = 836 {
        title: "a made-up result that its type cannot be",
        cause: "`fails`, `requires … else` and `returns` make up a result. A number that the result's type does not hold would reach the caller as another one: -4 as a huge size. Of `defaults` a `fails` does not apply to such functions, which return 0 instead, with a warning; everything else is an error.",
        remedy: "Say a value for this function that its callers know for a failure, and survive.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func read(n: size) -> size { fails -1; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func read(n: size) -> size { fails 0; }\n}\n",
    }
    NULL_RESULT = 837 {
        title: "a made-up null that nobody expects",
        cause: "A text without `?`, or a table that is `static`, is never null, so callers look at it at once. If a call that is not made returns null, they crash.",
        remedy: "Let `fails` be text of C: an expression in the caller, whose memory stays. Where null is a result of the library's own, write `?`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func version() -> cstr @lifetime(static) { fails null; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func version() -> cstr @lifetime(static) { fails c\"\"\" \"1.0\" \"\"\"; }\n}\n",
    }
    POSITION = 838 {
        title: "a position that may be one of several",
        cause: "`index` is the position of a value in the list of elements around it. Where lists stand in lists, it does not say which list is meant.",
        remedy: "Let a struct hold the inner list, or name a length that needs no position.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int, k: in [int; n], p: in [in [in [u8; k[index]]; 2]; n]) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int, k: in [int; n], p: in [in [u8; k[index]]; n]) -> int;\n}\n",
    }
    ENDS_EARLY = 839 {
        title: "a registration that ends before its callback",
        cause: "Memory with `@lifetime(cb)` lives until `cb` was called. The worker finds the caller's function by the tag of the registration, which by default lives until the call returns: a later call of `cb` would find nothing.",
        remedy: "Say how long the registration lives: `userdata(cb) @lifetime(cb)`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void { once; }\n    func f(p: in [u8; 4] @lifetime(cb), cb: C, user: userdata(cb)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void { once; }\n    func f(p: in [u8; 4] @lifetime(cb), cb: C, user: userdata(cb) @lifetime(cb)) -> int;\n}\n",
    }
    MAY_END_EARLY = 840 {
        title: "a callback that may come after its registration",
        cause: "A library calls a callback with `once` when something is done, often after the call that registers it. The registration lives until that call returns unless `@lifetime` says more.",
        remedy: "Write `userdata(cb) @lifetime(cb)`, or `@lifetime(call)` if the callback never comes later.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void { once; }\n    func f(cb: C, user: userdata(cb)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void { once; }\n    func f(cb: C, user: userdata(cb) @lifetime(cb)) -> int;\n}\n",
    }
    WIDTH = 841 {
        title: "width mismatch between the C type and the type that is sent",
        cause: "Behind `\"C type\" as` stands the type with which a value is sent. A number of more bytes in C would lose bits, so a number is sent as a type of at least as many bytes: a `long`, a `size_t` and a pointer have 8. An address is sent as an address, and a handle has 4 or 8 bytes. The elements of a buffer have the size of the elements that its C type points to.",
        remedy: "Send it as the type that the C type is: `u64` for `uint64_t`, `size` for `size_t`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: \"uint64_t\" as u32) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: u64) -> int;\n}\n",
    }
    FAILS_AS_SUCCESS = 842 {
        title: "a call that is not made and looks like a success",
        cause: "A call is not made if the library's process is not available. The function then returns what `fails` says, and 0 or null without `fails`. If 0 fulfils the condition of `success`, the program takes the call for one that was made, and reads results that do not exist.",
        remedy: "Write `fails` with a value that callers know for a failure, in `defaults` or for the function. If every call is a success, write `success true`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { success ret == 0; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { success ret == 0; fails -1; }\n}\n",
    }
    NO_END = 843 {
        title: "an end that no element can be equal to",
        cause: "`[T; until z]` ends with the first element that is equal to z. If no T can be equal to z, the elements are read beyond the end of the caller's memory. An unsigned number is never -1, and floating-point numbers are only compared with 0. An object or a pointer is null only with `?`.",
        remedy: "Write the value that the element has in its type, as 0xffffffff for (unsigned)-1, or say the number of elements.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(list: in [uint; until -1]);\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(list: in [uint; until 0xffffffff]);\n}\n",
    }
}
