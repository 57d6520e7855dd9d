/* The C ABI of remoting, which generated guest libraries and workers use.
 *
 * A guest library has a stub for each function of the API. The stub stores its arguments in a struct and calls cxr_call. The
 * worker has a thunk for each function, which calls the real function with the members of such a struct. The engine transfers
 * the contents of the struct as the plan in struct cxr_library describes (its grammar is in lapis-cx-plan).
 */
#ifndef CX_REMOTE_H
#define CX_REMOTE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. The engine rejects programs with another version, with a message. */
#define CXR_ABI 1u

/* The engine reads a `char` with the sign that it has by default. */
#if defined(__x86_64__) && defined(__CHAR_UNSIGNED__)
#error "compile without -funsigned-char: the engine reads a char with a sign"
#elif (defined(__aarch64__) || defined(__riscv)) && !defined(__CHAR_UNSIGNED__)
#error "compile without -fsigned-char: the engine reads a char without a sign"
#endif

/* A program may define the next two functions and export them (-rdynamic). `library` is a soname. */
/* The engine calls this for an asynchronous call that failed after its stub had returned. `result` is the result of the function. */
void cx_remote_late_error(const char *library, const char *function, int64_t result);
/* A guest library in C calls this for a call that is not made, before the call returns the result of its `fails` clause. This may
 * happen in a signal handler. */
void cx_remote_not_made(const char *library, const char *function);

/* A 128-bit integer in two's complement. */
typedef struct cxr_int {
    uint64_t low;
    int64_t high;
} cxr_int;

/* Evaluates a C expression, or runs C text around a call. `arguments` is the argument struct of the call, or the struct that
 * contains the expression; `operands` may be NULL. */
typedef cxr_int (*cxr_native)(void *arguments, const cxr_int *operands);
/* Calls the real function with the members of the struct and stores the result there. */
typedef void (*cxr_thunk)(void *arguments);
/* Calls a function of the program, which has a callback type, with the members of the struct. */
typedef void (*cxr_invoke)(void *function, void *arguments);
/* A function of any type. The caller casts it to its type before the call. */
typedef void (*cxr_function)(void);
/* Runs C text of the specification at an event. */
typedef void (*cxr_hook)(void);

/* The constant description of a library that guest and worker share. */
typedef struct cxr_library {
    uint32_t abi; /* CXR_ABI */
    uint32_t function_count;
    uint32_t callback_count;
    const char *name;      /* package:Name */
    const char *version;   /* version of the API; NULL if the specification has none */
    const char *soname;    /* soname of the real library */
    uint8_t contract[32];  /* SHA-256 of the contract */
    const uint32_t *words; /* the plan */
    size_t word_count;
    const char *const *texts;
    size_t text_count;
    const cxr_native *natives; /* NULL for expressions that only the other side evaluates */
    size_t native_count;
    const cxr_hook *hooks; /* CXR_HOOKS entries, indexed by event; NULL for an event without text */
} cxr_library;

enum { CXR_HOOKS = 12 };

/* The guest. Only `state` changes. */
typedef struct cxr_guest {
    const cxr_library *library;
    const cxr_invoke *callbacks;   /* indexed by callback */
    const cxr_function *functions; /* stubs, indexed by function, for pointers to functions of the API */
    const char *worker;            /* file name of the worker, which is in the folder of this library */
    void *state;                   /* owned by the engine; initialize with NULL */
} cxr_guest;

/* The worker. */
typedef struct cxr_worker {
    const cxr_library *library;
    const cxr_thunk *thunks;                       /* indexed by function; NULL for functions that run in the guest */
    const char *const *symbols;                    /* indexed by function: its symbol in the real library; optional without a thunk */
    cxr_function *reals;                           /* indexed by function: the engine stores the real function before the first thunk runs */
    const cxr_function *const *trampolines;        /* indexed by callback: functions of its type */
    const uint32_t *trampoline_counts;             /* with userdata: 1 shared trampoline and those for one function each; without: the slots */
    void (*enter)(cxr_thunk thunk, void *arguments); /* runs a thunk until it returns, or a trampoline leaves it; NULL without callbacks */
} cxr_worker;

/* For CX_REMOTE=shadow: a worker compiled as a shared library (-DCX_REMOTE_SHADOW=FILE) exports this struct as `cx_remote_shadow`.
 * The guest library calls the real library through it. */
typedef struct cxr_shadow {
    cxr_worker *worker;
    const char *real; /* file of the real library */
    int (*callback)(cxr_worker *worker, uint32_t callback, uint32_t slot, void *arguments); /* set by the engine */
} cxr_shadow;

/* Makes a call and stores its result in the struct. If the call is not made, the result is that of the `fails` clause. */
void cxr_call(cxr_guest *guest, uint32_t function, void *arguments);

/* Called by the trampoline of a callback: calls the function of the guest that registered it. `slot` is the index of the trampoline. If the
 * result is not 0, the program left the call during the callback, by longjmp or an exception: the trampoline must leave the thunk that
 * called the library, and return from `enter`. */
int cxr_callback(cxr_worker *worker, uint32_t callback, uint32_t slot, void *arguments);

/* The main function of a worker: serves the guest whose socket it inherited, or listens. Returns the exit status. */
int cxr_worker_main(cxr_worker *worker, int argc, char **argv);

/* What the caller of `cxr_missing` does next. */
enum { CXR_MISSING_ABORTS = 0, CXR_MISSING_RETURNS_ZERO = 1 };

/* Logs to standard error that the program called a function that the specification does not describe: once for each function, or
 * always if the program is then aborted. */
void cxr_missing(cxr_guest *guest, const char *function, int mode);

/* A guest library calls this when it is loaded. The engine resolves relative paths, of the library and in CX_REMOTE variables, in the
 * current working directory. */
void cxr_loaded(cxr_guest *guest);

/* Returns 1 if this process is a worker, 0 otherwise. A guest library that is loaded in a worker logs an error, because its calls
 * would reach another worker instead of the real library. */
int cxr_is_worker(void);

#ifdef __cplusplus
}
#endif

#endif
