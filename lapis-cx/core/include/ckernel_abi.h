/* ckernel ABI 1: what a ckernel is, how it is called and how it reports an error (Blaze CKernel Interface). C11 and C++17.
 * Generated headers carry this text as it stands; it needs no library. Any change here that an already compiled object
 * could notice takes a new CKERNEL_ABI_VERSION. */
#ifdef CKERNEL_ABI_H
#if CKERNEL_ABI_VERSION != 1
#ifdef __cplusplus
static_assert(
#else
_Static_assert(
#endif
    CKERNEL_ABI_VERSION == 1, "this header is for ckernel ABI 1, but one before it for another: generate all of them with the "
    "cxc of the runtime in use");
#endif
#else
#define CKERNEL_ABI_H
#define CKERNEL_ABI_VERSION 1

#include <stddef.h>
#include <stdint.h>

/* memcpy, also where there is no <string.h>. */
#ifdef __GNUC__
#define CKERNEL_COPY(to, from, size) ((void)__builtin_memcpy(to, from, size))
#else
#include <string.h>
#define CKERNEL_COPY(to, from, size) ((void)memcpy(to, from, size))
#endif

/* What a loop over ckernel operands is made of; a call in each turn would keep compilers from using vectors. */
#ifdef __GNUC__
#define CKERNEL_INLINE static inline __attribute__((always_inline))
/* What is known not to be so: then compilers need not ask in each turn. */
#define CKERNEL_NEVER(condition) \
    do { \
        if (condition) { \
            __builtin_unreachable(); \
        } \
    } while (0)
#else
#define CKERNEL_INLINE static inline
#define CKERNEL_NEVER(condition) ((void)0)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A ckernel is memory that begins with this, and goes on with whatever the ckernel owns. It is aligned to a pointer, and so
 * is its size. memcpy may move it to any place with that alignment, so it holds no pointer into itself: children are found
 * by their offset. The original is not destroyed then; the copy is. */
typedef struct ckernel_prefix ckernel_prefix;
typedef void (*destructor_fn_t)(ckernel_prefix *);
struct ckernel_prefix {
    void *function;             /* the prototype is known from elsewhere; see ckernel_single_t and ckernel_strided_t */
    destructor_fn_t destructor; /* null: there is nothing to destroy; so zeroed memory is no ckernel and needs no care */
};

/* Destroys a ckernel, once: another call does nothing. */
static inline void ckernel_destroy(ckernel_prefix *kernel)
{
    destructor_fn_t destructor = kernel->destructor;
    kernel->destructor = 0;
    if (destructor) {
        destructor(kernel);
    }
}

/* The child at `offset` bytes behind the beginning of its parent; null at offset 0, for a child that was never made. */
static inline ckernel_prefix *ckernel_child(ckernel_prefix *parent, intptr_t offset)
{
    return offset ? (ckernel_prefix *)(void *)((char *)parent + offset) : (ckernel_prefix *)0;
}

/* What the destructor of a parent calls for each child. */
static inline void ckernel_destroy_child(ckernel_prefix *parent, intptr_t offset)
{
    if (offset) {
        ckernel_destroy(ckernel_child(parent, offset));
    }
}

/* A size as ckernels have it: the next multiple of a pointer's. */
#define CKERNEL_ALIGNED(size) (((intptr_t)(size) + (intptr_t)sizeof(void *) - 1) & -(intptr_t)sizeof(void *))

/* ---- Errors ----
 * A ckernel returns CKERNEL_OK, the response of the command that failed (CX_RESPONSE_*, positive), or one of the negative
 * numbers. It never unwinds, never longjmps, and touches neither errno nor anything else of a thread: what there is to say
 * of a failure goes to an error slot, which the caller gives with the call. So errors cross any language and any compiler,
 * and many threads may run one ckernel. The slot is written on failure only. Its text is a copy: it outlives the ckernel,
 * and the library that the ckernel came from. */
#define CKERNEL_OK 0
#define CKERNEL_NO_MEMORY (-1) /* an allocation failed */
#define CKERNEL_INVALID (-2)   /* an argument has no meaning: what was asked for is not there, or a buffer has another size */

#define CKERNEL_MESSAGE_SIZE 112
/* 128 bytes, laid out alike for every target. */
typedef struct ckernel_error {
    int32_t status;                     /* what the ckernel returned */
    uint32_t code;                      /* a declared error of the interface, 1 to 255; else 0 */
    uint64_t index;                     /* the element at which a strided ckernel stopped; else 0 */
    char message[CKERNEL_MESSAGE_SIZE]; /* UTF-8, ends with 0 */
} ckernel_error;

/* ---- Calls ----
 * What a call gives beside its operands. A null pointer to it is the same as one to zeros.
 *
 * An invocation of a ckernel with state begins in the state that the ckernel was made with, which never changes, or in the
 * one that `initial` has. The state after the last element, also after an error, goes to `state`. Both are images as
 * cx_save makes them: words of xlen bits, the status word first. They need no alignment, and may be the same memory. So
 * a ckernel may run on many threads at once, and a long loop may be cut into invocations, each beginning where the one
 * before ended; of a state with a discipline of its own an image carries what is live, and the cut loses the rest. */
typedef struct ckernel_call {
    ckernel_error *error; /* null: the status alone is wanted */
    const void *initial;  /* null: the state that the ckernel was made with */
    void *state;          /* null: the final state is not wanted */
    intptr_t state_size;  /* bytes in `initial`, and in `state`, as far as they are not null; CKERNEL_INVALID if too few */
} ckernel_call;

/* One value: a ckernel's `function` may be this. `src` has an address for each operand. Memory needs no alignment. `dst` and
 * sources may be the same. A command without a result leaves `dst` alone, one without operands `src`. After an error of the
 * command `*dst` is what the command gives with the error. */
typedef int (*ckernel_single_t)(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call);

/* `count` values, one after another: element i lies i times the stride behind the beginning. Strides are in bytes; they may
 * be 0 or negative, and the same memory may be source and destination. An error stops the loop: elements before its index
 * are done, the one at the index is as a single call leaves it, later ones are untouched. */
typedef int (*ckernel_strided_t)(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
    size_t count, ckernel_prefix *extra, const ckernel_call *call);

/* Whether nothing of `a_size` bytes at `a` is among `b_size` bytes at `b`. */
static inline int ckernel_apart(const char *a, size_t a_size, const char *b, size_t b_size)
{
    return (uintptr_t)a - (uintptr_t)b >= b_size && (uintptr_t)b - (uintptr_t)a >= a_size;
}

#define CKERNEL_SINGLE 0  /* `function` is a ckernel_single_t */
#define CKERNEL_STRIDED 1 /* `function` is a ckernel_strided_t */

static inline int ckernel_call_single(ckernel_prefix *kernel, char *dst, const char *const *src, const ckernel_call *call)
{
    ckernel_single_t function;
    CKERNEL_COPY(&function, &kernel->function, sizeof function);
    return function(dst, src, kernel, call);
}

static inline int ckernel_call_strided(ckernel_prefix *kernel, char *dst, intptr_t dst_stride, const char *const *src,
    const intptr_t *src_stride, size_t count, const ckernel_call *call)
{
    ckernel_strided_t function;
    CKERNEL_COPY(&function, &kernel->function, sizeof function);
    return function(dst, dst_stride, src, src_stride, count, kernel, call);
}

/* What a ckernel returns that fails: `status`, after the error slot is filled, if there is one. The text is `who`, a colon
 * and `what`; what does not fit is cut off between two characters. */
static inline int ckernel_raise(const ckernel_call *call, int status, uint32_t code, uint64_t index, const char *who,
    const char *what)
{
    ckernel_error *error = call ? call->error : (ckernel_error *)0;
    if (error) {
        const char *parts[3] = {who, ": ", what};
        size_t n = 0;
        error->status = status;
        error->code = code;
        error->index = index;
        for (int i = 0; i < 3; i++) {
            for (const char *p = parts[i]; *p && n < CKERNEL_MESSAGE_SIZE; p++) {
                error->message[n++] = *p;
            }
        }
        if (n == CKERNEL_MESSAGE_SIZE) {
            do {
                n--;
            } while (n > 0 && ((unsigned char)error->message[n] & 0xC0u) == 0x80u);
        }
        error->message[n] = 0;
    }
    return status;
}

/* ---- The commands of an interface as ckernels ----
 * What lies in memory for an operand or a result. Of an operand the low `width` bits count. */
typedef struct ckernel_type {
    uint8_t kind;   /* 'u' unsigned, 'i' signed, 'b' a byte that is 0 or 1; 0: there is none */
    uint8_t size;   /* bytes: 1, 2, 4 or 8 */
    uint16_t width; /* bits */
} ckernel_type;

#define CKERNEL_CAN_RAISE 1u /* the command can answer anything but CX_RESPONSE_OK in a context that is not off */
#define CKERNEL_HAS_STATE 2u /* the command has a state before and after */

typedef struct ckernel_command {
    const char *name; /* as the interface has it */
    uint32_t id;      /* its function id */
    uint32_t flags;   /* CKERNEL_CAN_RAISE, CKERNEL_HAS_STATE */
    uint32_t operands;
    ckernel_type result;
    ckernel_type operand[3];
    ckernel_single_t single;
    ckernel_strided_t strided;
} ckernel_command;

/* All of it stays, unchanged, as long as one of its ckernels is there. */
typedef struct ckernel_set {
    uint32_t abi_version;  /* CKERNEL_ABI_VERSION */
    uint32_t struct_size;  /* sizeof(ckernel_set) */
    const char *name;      /* package and interface */
    uint8_t contract[32];  /* SHA-256 of the contract; 0 if there is none */
    uint32_t xlen;         /* CX_XLEN of the functions below */
    uint32_t count;        /* of commands */
    const ckernel_command *commands; /* by ascending id */
    intptr_t data_size;    /* bytes of a ckernel behind its prefix, a multiple of a pointer's */
    intptr_t state_size;   /* bytes of an image of the state; 0 without state */
    /* Fills what is behind the prefix with the state that an image has, or the reset state for a null `image`. Returns
     * CKERNEL_OK, or CKERNEL_INVALID if `size` is below state_size or the image is that of another state. Null without
     * state. */
    int (*init)(void *data, const void *image, intptr_t size);
} ckernel_set;

/* The command of this name; null if there is none. */
static inline const ckernel_command *ckernel_find(const ckernel_set *set, const char *name)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const char *a = set->commands[i].name, *b = name;
        while (*a && *a == *b) {
            a++;
            b++;
        }
        if (*a == *b) {
            return &set->commands[i];
        }
    }
    return (const ckernel_command *)0;
}

/* Makes a ckernel of a command in memory of sizeof(ckernel_prefix) + set->data_size bytes; `kind` is CKERNEL_SINGLE or
 * CKERNEL_STRIDED. `image` is the state that invocations begin in, null for the reset state. Returns as init does. */
static inline int ckernel_init(ckernel_prefix *kernel, const ckernel_set *set, const ckernel_command *command, int kind,
    const void *image, intptr_t size)
{
    int status = set->init ? set->init(kernel + 1, image, size) : CKERNEL_OK;
    if (status == CKERNEL_OK) {
        if (kind == CKERNEL_SINGLE) {
            CKERNEL_COPY(&kernel->function, &command->single, sizeof kernel->function);
        } else {
            CKERNEL_COPY(&kernel->function, &command->strided, sizeof kernel->function);
        }
        kernel->destructor = 0;
    }
    return status;
}

#ifdef __cplusplus
}
#endif
#endif
