/* User contexts that carry CXs along, for binaries that were built without cx_context.h: a shared library to preload before
 * such a program, which is linked with the shared library of the runtime, or exports its symbols.
 *
 *     cc -shared -fPIC -O2 -o libcx_interpose.so cx_interpose.c -ldl
 *     LD_PRELOAD=./libcx_interpose.so ./program
 *
 * What is taken over: swapcontext; setjmp, _setjmp and __sigsetjmp; longjmp, _longjmp, siglongjmp and __longjmp_chk.
 *
 * What is not, and cannot be: setcontext to a context of getcontext goes on with the selection of whoever calls it, as no
 * function can be put before getcontext that is still there when it returns again. Calls that the compiler made itself
 * (__builtin_setjmp, exceptions of C++, which cx_select callers see to by destructors), calls inside libraries that are bound
 * without the dynamic linker (static programs, -Bsymbolic), and coroutines of libraries that switch stacks by assembly of their own:
 * these call cx_context_save and cx_context_restore, or cx_get_sel and cx_select. */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

/* cx.h; absent in a program without CXs. */
extern size_t cx_context_save(void *pv, size_t size) __attribute__((weak));
extern void cx_context_restore(const void *pv, size_t size) __attribute__((weak));
extern int cx_select(int sel) __attribute__((weak));

int swapcontext(ucontext_t *restrict from, const ucontext_t *restrict to)
{
    static int (*real)(ucontext_t *, const ucontext_t *);
    size_t size = 0;
    void *context = NULL;
    int result;
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "swapcontext");
    }
    if (cx_context_save != NULL) {
        size = cx_context_save(NULL, 0);
        context = alloca(size);
        size = cx_context_save(context, size);
        cx_select(0);
    }
    result = real(from, to);
    if (context != NULL) {
        cx_context_restore(context, size);
    }
    return result;
}

/* What was saved for each jmp_buf, by its address. One that is set again takes its place again. Of more than there is room
 * for, the one that was set first is forgotten: a longjmp to it leaves the selection as it is. */
#define KEPT 64
struct kept {
    const void *env;
    void *context;
    size_t room, size;
};
static _Thread_local struct kept kept[KEPT];
static _Thread_local unsigned next_kept;

static struct kept *find(const void *env)
{
    unsigned i;
    for (i = 0; i < KEPT; i++) {
        if (kept[i].env == env) return &kept[i];
    }
    return NULL;
}

/* Called before a setjmp, with its jmp_buf. */
__attribute__((used, visibility("hidden"))) void cx_interpose_set(const void *env)
{
    struct kept *place = find(env);
    size_t size;
    if (cx_context_save == NULL) return;
    if (place == NULL) {
        place = &kept[next_kept++ % KEPT];
    }
    /* Should there be no memory, nothing is kept for it, and nothing of before. */
    place->env = NULL;
    size = cx_context_save(NULL, 0);
    if (size > place->room) {
        void *context = realloc(place->context, size);
        if (context == NULL) return;
        place->context = context;
        place->room = size;
    }
    place->size = cx_context_save(place->context, size);
    place->env = env;
}

static void go_back(const void *env)
{
    struct kept *place = find(env);
    if (place != NULL && cx_context_restore != NULL) cx_context_restore(place->context, place->size);
}

/* A function that calls setjmp for another would be gone when it returns again. So these note the jmp_buf, and go on to the
 * one of the C library with the registers and the stack as they found them. */
__attribute__((used, visibility("hidden"))) void *cx_interpose_real[3];

__attribute__((constructor)) static void find_real(void)
{
    cx_interpose_real[0] = dlsym(RTLD_NEXT, "setjmp");
    cx_interpose_real[1] = dlsym(RTLD_NEXT, "_setjmp");
    cx_interpose_real[2] = dlsym(RTLD_NEXT, "__sigsetjmp");
}

#if defined __x86_64__
#define BEFORE(name, place) \
    __asm__(".text\n.globl " name "\n.type " name ", @function\n" name ":\n" \
            "endbr64\n" \
            "push %rdi\npush %rsi\nsub $8, %rsp\n" \
            "call cx_interpose_set\n" \
            "add $8, %rsp\npop %rsi\npop %rdi\n" \
            "jmp *cx_interpose_real+" place "(%rip)\n.size " name ", .-" name "\n")
#elif defined __riscv && __riscv_xlen == 64
#define BEFORE(name, place) \
    __asm__(".text\n.globl " name "\n.type " name ", @function\n" name ":\n" \
            "addi sp, sp, -32\nsd ra, 0(sp)\nsd a0, 8(sp)\nsd a1, 16(sp)\n" \
            "call cx_interpose_set\n" \
            "ld ra, 0(sp)\nld a0, 8(sp)\nld a1, 16(sp)\naddi sp, sp, 32\n" \
            "lla t0, cx_interpose_real\nld t0, " place "(t0)\njr t0\n.size " name ", .-" name "\n")
#elif defined __aarch64__
#define BEFORE(name, place) \
    __asm__(".text\n.globl " name "\n.type " name ", %function\n" name ":\n" \
            "stp x29, x30, [sp, -32]!\nstp x0, x1, [sp, 16]\n" \
            "bl cx_interpose_set\n" \
            "ldp x0, x1, [sp, 16]\nldp x29, x30, [sp], 32\n" \
            "adrp x16, cx_interpose_real\nadd x16, x16, :lo12:cx_interpose_real\nldr x16, [x16, " place "]\nbr x16\n" \
            ".size " name ", .-" name "\n")
#else
#error "cx_interpose.c knows the calling conventions of x86-64, AArch64 and RV64"
#endif

BEFORE("setjmp", "0");
BEFORE("_setjmp", "8");
BEFORE("__sigsetjmp", "16");

#define JUMP(name) \
    __attribute__((noreturn)) void name(struct __jmp_buf_tag env[1], int value) \
    { \
        void (*real)(struct __jmp_buf_tag *, int); \
        *(void **)&real = dlsym(RTLD_NEXT, #name); \
        go_back(env); \
        real(env, value); \
        abort(); \
    }

/* The headers may have given them other attributes. */
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
void __longjmp_chk(struct __jmp_buf_tag env[1], int value);
JUMP(__longjmp_chk)
