//! Catalogue: libraries.

super::entries! {
    BINDING = 801 {
        title: "an invalid fact about C",
        cause: "`c key \"…\"` states a fact: `prefix header soname cflags libs export identifier number sources(guest) sources(worker)`, each with values of its own kind.",
        remedy: "Correct the key, the side or the value.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    c soname 3;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    c soname \"libl.so.1\";\n}\n",
    }
    UNKNOWN_CLAUSE = 802 {
        title: "an unknown clause",
        cause: "No clause of a function, callback or handle has this name.",
        remedy: "Correct the spelling.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f() -> int { unorderd; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f() -> int { unordered; }\n}\n",
    }
    CLAUSE_PLACE = 803 {
        title: "a clause without effect",
        cause: "Each clause applies to functions, callbacks or handles, as the message says. Some clauses cannot depend on a condition, so they are not allowed under `when`.",
        remedy: "Move it to a declaration that it applies to.",
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
        title: "a duplicate clause",
        cause: "Clauses of one family (`sync async flush`, `ordered unordered`, `monitor atomic`, `success`, `fails`) exclude each other in one body, and each fact is stated once.",
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
        title: "a missing or impossible direction",
        cause: "A pointer states whether the call copies its contents to the callee (`in`), back to the caller (`out`), both (`inout`) or not at all (`local`). `new` and `own` transfer references and blocks. A value that is passed by value has no direction.",
        remedy: "Write the direction, or remove it from a value.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: [u8; n], n: int) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; n], n: int) -> int;\n}\n",
    }
    NOT_AT_ENTRY = 808 {
        title: "a value not available before the call",
        cause: "The result, what `out` pointers point to, `errno` and `elapsed` are available after the real call, and a function of the API is called on the worker. Expressions that are evaluated before the call is sent cannot use them.",
        remedy: "Use arguments, the contents of `in` buffers, or metadata.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; ret]) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; n], n: int) -> int;\n}\n",
    }
    OUT_OF_SCOPE = 809 {
        title: "an inherited name that is not defined",
        cause: "`defaults` and structs are written once and used in many places. Their names are looked up where they are used, and one of them is not defined there.",
        remedy: "Write another clause there, or move the function out of the body with the `defaults`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    defaults { ordered(h); }\n    handle H;\n    func f(n: int) -> int;\n    func g(h: H) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    defaults { ordered(h); }\n    handle H;\n    func f(n: int) -> int { unordered; }\n    func g(h: H) -> int;\n}\n",
    }
    MATCH_TYPE = 810 {
        title: "a `match` type with missing, duplicate or impossible cases",
        cause: "Each value of the expression needs exactly one case. `_` is needed unless all cases are named.",
        remedy: "Add `_ => …;` last; remove what is matched before.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(k: int, p: match (k) { 0 => in cstr; }) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(k: int, p: match (k) { 0 => in cstr; _ => ptr; }) -> int;\n}\n",
    }
    HANDLE_CYCLE = 811 {
        title: "a cycle of parent handles",
        cause: "`handle H with P` states that destroying P destroys H.",
        remedy: "Declare the outermost handle without `with`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle A with B;\n    handle B with A;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle A;\n    handle B with A;\n}\n",
    }
    VARIADIC = 812 {
        title: "untyped variable arguments",
        cause: "The types of the arguments in `...` are unknown. Either `replace` reads them in the caller, or a `match` type describes them.",
        remedy: "Give the function a `replace`, or type the `...`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(fmt: in cstr, ...) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(fmt: in cstr, ...) -> int { replace c\"\"\"return 0;\"\"\" }\n}\n",
    }
    RESOURCE = 813 {
        title: "a clause for another kind of resource",
        cause: "`consumes` uses a rate. `acquires` takes from a store, and `releases` gives back to it.",
        remedy: "Use the clause for its kind, or declare the resource with the other kind.",
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
        cause: "The number of arguments must equal the number of parameters of the type.",
        remedy: "Pass one argument for each parameter.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    type T(n) = in [u8; n];\n    func f(p: T) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    type T(n) = in [u8; n];\n    func f(p: T(4)) -> int;\n}\n",
    }
    USERDATA = 816 {
        title: "userdata without a callback",
        cause: "`userdata(f, g)` is the userdata that the library passes to the callbacks f and g. In a callback, one parameter is `userdata`.",
        remedy: "Name callback parameters in the parentheses.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int, user: userdata(n)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void;\n    func f(c: C, user: userdata(c)) -> int;\n}\n",
    }
    METADATA = 817 {
        title: "an unknown or unsupported metadata member",
        cause: "`metadata` attaches values to handles, structs and named pointers. Each value has a fixed size.",
        remedy: "Declare the member, or give it a type of a fixed size.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    func f(h: H) -> int { ordered(h.parent); }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    metadata H { parent: H; }\n    func f(h: H) -> int { ordered(h.parent); }\n}\n",
    }
    LIFETIME = 818 {
        title: "a lifetime without an end",
        cause: "A lifetime ends when a handle is destroyed, a scope `ends`, or a callback was called. `call`, `static` and `manual` are lifetimes too.",
        remedy: "Name one of these.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int, p: in cstr @lifetime(n)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    func f(h: H, p: in cstr @lifetime(h)) -> int;\n}\n",
    }
    OUTCOME = 819 {
        title: "a failure result without a destination",
        cause: "`fails`, `requires … else` and `returns` give the result of a call that is not made or not waited for: a value for the result, `place = value` for memory behind an `out` pointer, or `errno = …`.",
        remedy: "Assign the result, memory behind an `out` pointer, or `errno`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> void { fails 3; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> void { fails errno = 3; }\n}\n",
    }
    SET = 820 {
        title: "an invalid target of `set` or `pass`",
        cause: "`set` assigns metadata or `local` memory of the caller. `pass` replaces the value of a parameter that the library gets.",
        remedy: "Declare metadata, or use `pass`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { set n = 3; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { pass n = 3; }\n}\n",
    }
    REFINE = 821 {
        title: "an unknown part of an argument",
        cause: "`arg p`, `arg p[]`, `arg p[].m` and `arg ret` name an argument, its elements, a member of its elements, or the result.",
        remedy: "Follow the type of the argument.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { arg n[] @on(true); }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: out [int; 1]) -> int { arg p[] @on(true); }\n}\n",
    }
    HOOK = 822 {
        title: "an unknown event",
        cause: "Text runs at `guest_init guest_fini worker_init worker_fini fork_child send reply arguments`; some of these are one moment, without `before` and `after`.",
        remedy: "Correct the event.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    on start c\"\"\"x();\"\"\"\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    on guest_init after c\"\"\"x();\"\"\"\n}\n",
    }
    CODE = 823 {
        title: "text in an unknown language",
        cause: "Text in triple quotes begins with the name of its language. C is the only one.",
        remedy: "Write `c\"\"\"…\"\"\"`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    utility rust\"\"\"fn f() {}\"\"\"\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    utility c\"\"\"int f(void);\"\"\"\n}\n",
    }
    LAYOUT = 824 {
        title: "a struct without a finite layout",
        cause: "A member that is no pointer is stored inside of the struct. So a struct cannot contain itself. An inline array whose length is a member (or a struct that ends with such an array) must be the last member of its struct, and cannot be an element of an array or buffer.",
        remedy: "Point to the other struct, or move the array to the end.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    struct S { n: u32; tail: u8[n]; sum: u32; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    struct S { n: u32; sum: u32; tail: u8[n]; }\n}\n",
    }
    NO_RESULT = 825 {
        title: "a missing failure result",
        cause: "A call that is not made (`requires`) or not waited for (`async`, `flush`) still returns a value. If the function has a result, `else`, `fails` or `returns` gives this value. `success` is a condition and gives no value.",
        remedy: "Add `else value`, `fails value;` or `returns value`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { async; requires n > 0; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { async returns 0; requires n > 0 else -1; }\n}\n",
    }
    ROOM = 826 {
        title: "an output buffer without a capacity",
        cause: "The library writes to an `out` buffer, so its capacity must be known. `cstr` and `[T; until z]` describe where the contents end, but not how many elements fit: long contents would be written beyond the end of the caller's memory. The same holds for an `out` struct whose own member is the length of its trailing array.",
        remedy: "Write the capacity n: `out [T; n until z]`.",
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
        title: "a file of an invalid type",
        cause: "A file is a path, which is a string, or a descriptor, which is an integer.",
        remedy: "Declare it as a string or an integer.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(fd: double as in file) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(fd: int as in file) -> int;\n}\n",
    }
    SAME_IN_C = 829 {
        title: "a duplicate name in C",
        cause: "Each function, handle, struct and type of callback has one name in C, its spelling or the prefix and its name, and each library of a file its own number and functions.",
        remedy: "Describe it once, or correct the spelling.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f = \"run\" (n: int) -> int;\n    func run(n: int) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f = \"run\" (n: int) -> int;\n    func walk(n: int) -> int;\n}\n",
    }
    BODY = 830 {
        title: "an operation not available in the body of a library's function",
        cause: "Such a body becomes a function of C and of Rust that runs on hardware, or on the fallback where there is none. It computes with numbers. The body reads buffers of the caller element by element, and returns numbers only. Each command must have a form that can be issued to a selected CX, and a body for the case that no CX is found.",
        remedy: "As the help says: read buffers in a loop, return a number, or add an `else` to `with`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: inout [u8; n], n: size) -> void {\n        impl { let all = p; }\n    }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: inout [u8; n], n: size) -> void {\n        impl { for i in 0..n { p[i] = p[i] +% 1; } }\n    }\n}\n",
    }
    CONVENTION = 831 {
        title: "a `cx_call` function that calls another convention",
        cause: "A function of the CX calling convention (`cx_call`) restores the state of every shared CX before it returns. A function of the default convention does not restore it, and the CXs that it uses are unknown.",
        remedy: "Declare the callee `cx_call` if it restores the state, or remove `cx_call` here.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func legacy(x: u32) -> u32;\n    func f(x: u32) -> u32 {\n        cx_call;\n        impl { return legacy(x); }\n    }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func legacy(x: u32) -> u32 { cx_call; }\n    func f(x: u32) -> u32 {\n        cx_call;\n        impl { return legacy(x); }\n    }\n}\n",
    }
    SIZE_CIRCLE = 832 {
        title: "a cycle of sizes",
        cause: "The receiver decodes arguments in order, and computes the size of each one from those before it. So the length of a buffer cannot depend on the contents of this buffer, and two lengths cannot depend on each other.",
        remedy: "Pass one of the sizes as a separate number.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; q[0]], q: in [u8; p[0]]) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: in [u8; q[0]], q: in [u8; n], n: size) -> int;\n}\n",
    }
    DIES_FIRST = 833 {
        title: "a lifetime that ends with its own call",
        cause: "`own` takes a reference. The last one destroys the handle, and with it all that has its lifetime: its handles (`with`), memory and registrations. So the results and the kept memory of a call cannot have the lifetime of a handle that the same call takes.",
        remedy: "Use the lifetime of another handle, or `@lifetime(call)`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    func f(h: own H, p: in cstr @lifetime(h)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    handle H;\n    func f(h: H, p: in cstr @lifetime(h)) -> int;\n}\n",
    }
    NO_TAG = 834 {
        title: "a callback without userdata",
        cause: "The library passes the userdata of a registration to the worker, which finds the caller's function by it. So a function with a parameter for a callback with `userdata` also needs a `userdata` parameter.",
        remedy: "Declare the userdata argument as `userdata(f)`. A callback without userdata needs `slots`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void;\n    func f(c: C, user: ptr) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void;\n    func f(c: C, user: userdata(c)) -> int;\n}\n",
    }
    VALID = 835 {
        title: "more valid elements than there are",
        cause: "`@valid(e)` is the number of elements of a buffer that are copied. It cannot be larger than the length of the buffer.",
        remedy: "Correct the length, or the number of valid elements.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: out [u8; 8] @valid(9)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(p: out [u8; 8] @valid(8)) -> int;\n}\n",
    }
    OUT_OF_RANGE = 836 {
        title: "a failure result out of range",
        cause: "`fails`, `requires … else` and `returns` give the result of a call that is not made. A number outside the range of the result's type would arrive as another number: -4 as a huge size. A `fails` in `defaults` does not apply to such functions: they return 0 instead, and the compiler warns. In all other cases, such a number is an error.",
        remedy: "Write a value for this function that its callers treat as a failure.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func read(n: size) -> size { fails -1; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func read(n: size) -> size { fails 0; }\n}\n",
    }
    NULL_RESULT = 837 {
        title: "a failure result of null for a pointer that is never null",
        cause: "A text without `?` and a `static` table are never null, so callers read them without a check. If a call that is not made returns null, they crash.",
        remedy: "Write C text behind `fails`: an expression for static memory in the caller. If the library can return null, write `?` behind the type.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func version() -> cstr @lifetime(static) { fails null; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func version() -> cstr @lifetime(static) { fails c\"\"\" \"1.0\" \"\"\"; }\n}\n",
    }
    POSITION = 838 {
        title: "an ambiguous `index`",
        cause: "`index` is the position of a value in the list of elements around it. If lists contain lists, it is ambiguous which list is meant.",
        remedy: "Put the inner list into a struct, or use a length that does not depend on `index`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int, k: in [int; n], p: in [in [in [u8; k[index]]; 2]; n]) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int, k: in [int; n], p: in [in [u8; k[index]]; n]) -> int;\n}\n",
    }
    ENDS_EARLY = 839 {
        title: "a registration that ends before its callback",
        cause: "Memory with `@lifetime(cb)` lasts until `cb` was called. The worker finds the caller's function by the registration, which by default lasts until the call returns. A later call of `cb` would find no registration.",
        remedy: "Write the lifetime of the registration: `userdata(cb) @lifetime(cb)`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void { once; }\n    func f(p: in [u8; 4] @lifetime(cb), cb: C, user: userdata(cb)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void { once; }\n    func f(p: in [u8; 4] @lifetime(cb), cb: C, user: userdata(cb) @lifetime(cb)) -> int;\n}\n",
    }
    MAY_END_EARLY = 840 {
        title: "a `once` callback that may outlive its registration",
        cause: "A library calls a callback with `once` when an operation completes, often after the call that registers it. Without `@lifetime`, the registration lasts until that call returns.",
        remedy: "Write `userdata(cb) @lifetime(cb)`, or `@lifetime(call)` if the library never calls the callback later.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void { once; }\n    func f(cb: C, user: userdata(cb)) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    callback C(user: userdata) -> void { once; }\n    func f(cb: C, user: userdata(cb) @lifetime(cb)) -> int;\n}\n",
    }
    WIDTH = 841 {
        title: "width mismatch between the C type and the type that is sent",
        cause: "`\"C type\" as T` sends a value as type T. T must have at least as many bytes as the C type, because a smaller T would lose bits: a `long`, a `size_t` and a pointer have 8 bytes. An address is sent as an address, and a handle has 4 or 8 bytes. The elements of a buffer have the size of the elements that its C type points to.",
        remedy: "Send it as the type of equal size: `u64` for `uint64_t`, `size` for `size_t`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: \"uint64_t\" as u32) -> int;\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: u64) -> int;\n}\n",
    }
    FAILS_AS_SUCCESS = 842 {
        title: "a failure result that satisfies `success`",
        cause: "A call is not made if the library's process is not available. The function then returns the value of `fails`, or 0 or null without `fails`. If 0 satisfies the condition of `success`, the program treats the call as a success and reads results that do not exist.",
        remedy: "Write `fails` with a value that callers treat as a failure, in `defaults` or for the function. If every call is a success, write `success true`.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { success ret == 0; }\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(n: int) -> int { success ret == 0; fails -1; }\n}\n",
    }
    NO_END = 843 {
        title: "an end value that no element can equal",
        cause: "`[T; until z]` ends with the first element that is equal to z. If no T can be equal to z, the elements are read beyond the end of the caller's memory. An unsigned number is never -1, and floating-point numbers are only compared with 0. An object or a pointer is null only with `?`.",
        remedy: "Write a value in the range of the element's type, for example 0xffffffff for (unsigned)-1, or give the number of elements.",
        bad: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(list: in [uint; until -1]);\n}\n",
        good: "cxspec 1;\npackage a.b;\nlibrary L {\n    func f(list: in [uint; until 0xffffffff]);\n}\n",
    }
}
