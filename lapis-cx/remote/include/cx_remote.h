/* The C ABI of remoting: what a generated guest library and a generated worker lean on.
 *
 * A guest library has a stub for each function of the API. A stub stores its arguments as members of a struct and calls
 * cxr_call. The worker has a thunk for each: it calls the real function with the members of such a struct. All between them is
 * the engine's, which reads it from the plan in struct cxr_library (lapis-cx-plan has its grammar).
 */
#ifndef CX_REMOTE_H
#define CX_REMOTE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever anything below changes its meaning; an engine refuses others by name. */
#define CXR_ABI 1u

/* A program may define these, and export them (-rdynamic). `library` is a soname. */
/* A call failed after it had returned. */
void cx_remote_late_error(const char *library, const char *function, int64_t result);
/* A call of a guest library in C is not made, and returns next what its `fails` clause says. It may be called in a signal handler. */
void cx_remote_not_made(const char *library, const char *function);

/* A number of 128 bits, in two's complement. */
typedef struct cxr_int {
    uint64_t low;
    int64_t high;
} cxr_int;

/* An expression of C, or text around a call. `arguments` is the struct of the call, or the one in which the expression stands;
 * `operands` may be NULL. */
typedef cxr_int (*cxr_native)(void *arguments, const cxr_int *operands);
/* Calls the real function with the members of the struct, and stores its result there. */
typedef void (*cxr_thunk)(void *arguments);
/* Calls a function of the program, of a callback's type. */
typedef void (*cxr_invoke)(void *function, void *arguments);
/* Any function: it is cast to its own type before it is called. */
typedef void (*cxr_function)(void);
/* Text that runs at an event. */
typedef void (*cxr_hook)(void);

/* What both sides know of a library. It is constant. */
typedef struct cxr_library {
    uint32_t abi; /* CXR_ABI */
    uint32_t function_count;
    uint32_t callback_count;
    const char *name;    /* package:Name */
    const char *version; /* of the API; NULL if the source has none */
    const char *soname;  /* of the real library */
    uint8_t contract[32];
    const uint32_t *words; /* the plan */
    size_t word_count;
    const char *const *texts;
    size_t text_count;
    const cxr_native *natives; /* NULL for what is asked on the other side only */
    size_t native_count;
    const cxr_hook *hooks; /* by event, CXR_HOOKS of them; NULL where there is none */
} cxr_library;

enum { CXR_HOOKS = 12 };

/* The caller's side. Constant but for `state`. */
typedef struct cxr_guest {
    const cxr_library *library;
    const cxr_invoke *callbacks;   /* by callback */
    const cxr_function *functions; /* the stubs by function, for pointers to them */
    const char *worker;            /* the file of the worker, which is looked for beside this library */
    void *state;                   /* the engine's; begins as NULL */
} cxr_guest;

/* The worker's side. */
typedef struct cxr_worker {
    const cxr_library *library;
    const cxr_thunk *thunks;                       /* by function; NULL where the caller's side has all */
    const char *const *symbols;                    /* by function: what the real library calls it, which may lack what has no thunk */
    cxr_function *reals;                           /* by function: filled in from the real library before the first thunk runs */
    const cxr_function *const *trampolines;        /* by callback: functions of its type */
    const uint32_t *trampoline_counts;             /* where the arguments carry userdata, 1 for many functions and some for one each; else the slots */
} cxr_worker;

/* For CX_REMOTE=shadow: a worker compiled as a library (-DCX_REMOTE_SHADOW=FILE), with this under the name `cx_remote_shadow`. The
 * guest library calls the real one by it. */
typedef struct cxr_shadow {
    cxr_worker *worker;
    const char *real; /* the file of the real library */
    void (*callback)(cxr_worker *worker, uint32_t callback, uint32_t slot, void *arguments); /* the engine's */
} cxr_shadow;

/* Makes a call. The result is in the struct; if the call could not be made, it is what the specification says for that. */
void cxr_call(cxr_guest *guest, uint32_t function, void *arguments);

/* A callback's trampoline: asks the guest whose registration it is. `slot` is the position of the trampoline. */
void cxr_callback(cxr_worker *worker, uint32_t callback, uint32_t slot, void *arguments);

/* What a worker's main does: serves the guest whose socket it inherited, or listens. The exit status is returned. */
int cxr_worker_main(cxr_worker *worker, int argc, char **argv);

/* What the caller of `cxr_missing` does next. */
enum { CXR_MISSING_ABORTS = 0, CXR_MISSING_RETURNS_ZERO = 1 };

/* Logs to standard error that the program called a function that the specification does not describe: once for each function, or
 * always if the program is then aborted. */
void cxr_missing(cxr_guest *guest, const char *function, int mode);

/* A guest library calls this when it is loaded: relative paths, of itself and in CX_REMOTE variables, are resolved in the working
 * directory of that moment. */
void cxr_loaded(cxr_guest *guest);

/* Whether this process is the worker of a guest: a guest library that is loaded there says so and serves nobody. */
int cxr_is_worker(void);

#ifdef __cplusplus
}
#endif

#endif
