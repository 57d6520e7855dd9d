/* What the handler of custom instructions does not do: take memory, register a destructor, wait for a lock. So a signal may
 * come while the C library or the runtime does any of these, and its handler may use CXs. The argument says what is tried.
 *
 * Between `begin` and `end` there are instructions only: what is called there, the handler calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cx.h"
#include "mulacc.h"

static const cx_uuid_t MULACC = {MULACC_HIGH, MULACC_LOW};

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, cx_last_error_string()); \
            fflush(stdout); \
            _exit(1); \
        } \
    } while (0)

/* Whether this thread executes instructions only. */
static __thread volatile sig_atomic_t traps;
static void begin(void) { traps = 1; }
static void end(void) { traps = 0; }

/* Called by the handler. */
static void not_in_handler(const char *name) {
    if (traps) {
        if (write(1, name, strlen(name)) < 0 || write(1, " in the handler\n", 16) < 0) {
            _exit(2);
        }
        _exit(1);
    }
}

/* While this is set, each call for memory is interrupted. */
static volatile sig_atomic_t interrupts, interrupted;
static void interrupt(void) {
    if (interrupts && !interrupted) {
        interrupted = 1;
        raise(SIGUSR1);
        interrupted = 0;
    }
}

/* The functions of the C library that these stand before. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
    not_in_handler("malloc");
    interrupt();
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    not_in_handler("calloc");
    interrupt();
    return __libc_calloc(count, size);
}
void *realloc(void *at, size_t size) {
    not_in_handler("realloc");
    interrupt();
    return __libc_realloc(at, size);
}
int posix_memalign(void **at, size_t align, size_t size) {
    not_in_handler("posix_memalign");
    interrupt();
    *at = __libc_memalign(align, size);
    return *at ? 0 : ENOMEM;
}
void *aligned_alloc(size_t align, size_t size) {
    not_in_handler("aligned_alloc");
    interrupt();
    return __libc_memalign(align, size);
}
/* What is freed while calls are interrupted is overwritten first, and nobody writes to it. */
void free(void *at) {
    not_in_handler("free");
    if (at && interrupts && !interrupted) {
        unsigned char *bytes = at;
        size_t i, size = malloc_usable_size(at);
        memset(at, 0xA5, size);
        __asm__ volatile("" ::: "memory");
        interrupt();
        for (i = 0; i < size; i++) {
            CHECK(bytes[i] == 0xA5);
        }
    }
    __libc_free(at);
}

int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *library);
int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *library) {
    static int (*real)(void (*)(void *), void *, void *);
    not_in_handler("__cxa_thread_atexit_impl");
    if (!real) {
        *(void **)&real = dlsym(RTLD_NEXT, "__cxa_thread_atexit_impl");
    }
    return real(destructor, object, library);
}

/* Locks of Rust wait by this. */
long syscall(long number, ...) {
    va_list list;
    register long a0 __asm__("a0"), a1 __asm__("a1"), a2 __asm__("a2"), a3 __asm__("a3"), a4 __asm__("a4"), a5 __asm__("a5");
    register long a7 __asm__("a7");
    long arguments[6];
    int i;
    if (number == SYS_futex) {
        not_in_handler("futex");
    }
    va_start(list, number);
    for (i = 0; i < 6; i++) {
        arguments[i] = va_arg(list, long);
    }
    va_end(list);
    a0 = arguments[0], a1 = arguments[1], a2 = arguments[2], a3 = arguments[3], a4 = arguments[4], a5 = arguments[5];
    a7 = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7) : "memory");
    if (a0 < 0 && a0 > -4096) {
        errno = (int)-a0;
        return -1;
    }
    return a0;
}

static cx_sel_t opened(void) {
    cx_sel_t sel = cx_open(&MULACC, cx_open_exclusive);
    CHECK(cx_sel_is_cx(sel));
    return sel;
}

/* A command on the opcode of flex, which the CXU does not have. */
static void flex(void) { __asm__ volatile(".insn r 0x5B, 5, 0, x3, %0, %0" : : "r"(7)); }

/* Nothing of the runtime was called on this thread. */
static void *first(void *argument) {
    cx_sel_t before, there;
    cx_word_t answer, status;
    (void)argument;
    begin();
    before = cx_select((cx_sel_t)77);
    there = cx_get_sel();
    answer = mulacc_mulacc(3, 4);
    flex();
    status = cx_status_read();
    cx_status_write(0);
    cx_select(cx_sel_builtin);
    end();
    CHECK(before == cx_sel_builtin && there == (cx_sel_t)77 && answer == 0 && status == CX_STATUS_IC);
    return NULL;
}

/* Two states in so many contexts. */
static void works(cx_sel_t one, cx_sel_t two) {
    cx_word_t i, a = 0, b = 0, other = 0;
    begin();
    cx_status_write(0);
    for (i = 1; i < 20; i++) {
        cx_select(one);
        a = mulacc_mulacc(i, 1);
        flex();
        other |= cx_status_read() ^ CX_STATUS_IF;
        cx_select(two);
        b = mulacc_mulacc(i, 2);
        /* Not among those that were selected lately. */
        cx_select((cx_sel_t)(100 + i));
        cx_select(cx_sel_builtin);
    }
    end();
    CHECK(a == 190 && b == 380 && other == 0);
    cx_status_write(0);
}

/* A handler that uses the selection which it finds, and a CX of its own. */
static cx_sel_t own;
static volatile cx_word_t sum, own_sum, signals;

/* The next sum, or no CX. */
static void adds(volatile cx_word_t *expected) {
    cx_word_t found, status;
    begin();
    cx_status_write(0);
    found = mulacc_mulacc(1, 1);
    status = cx_status_read();
    end();
    *expected += status == 0;
    CHECK(status == 0 ? found == *expected : found == 0 && status == CX_STATUS_IC);
}
static void uses(int signal) {
    cx_sel_t outer = cx_get_sel();
    CHECK(signal == SIGUSR1);
    adds(&sum);
    begin();
    cx_select(own);
    end();
    adds(&own_sum);
    begin();
    cx_select(outer);
    end();
    signals++;
}

/* All that is done with CXs, interrupted at each call for memory. */
static void is_interrupted(void) {
    struct sigaction action;
    cx_sel_t sel, other;
    size_t image[16];
    memset(&action, 0, sizeof action);
    action.sa_handler = uses;
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    own = opened();
    sel = opened();
    cx_select(sel);
    interrupts = 1;
    other = cx_open(&MULACC, cx_open_exclusive);
    CHECK(cx_sel_is_cx(other) && signals > 0);
    adds(&sum);
    CHECK(cx_save(image, sizeof image) > 0);
    cx_close(other);
    CHECK(cx_last_error() == CX_ERROR_NONE);
    adds(&sum);
    signals = 0;
    /* It is selected while it is closed, and its state is freed. */
    cx_close(sel);
    CHECK(cx_last_error() == CX_ERROR_NONE && signals > 0);
    adds(&sum);
    CHECK(cx_status_read() == CX_STATUS_IC);
    cx_select(own);
    sum = own_sum;
    adds(&sum);
    CHECK(cx_status_read() == 0);
    interrupts = 0;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    struct cx_platform_cxu platform = {{MULACC_HIGH, MULACC_LOW}, 1};
    pthread_t thread;
    CHECK(setvbuf(stdout, NULL, _IONBF, 0) == 0);
    if (strcmp(mode, "first") == 0) {
        CHECK(pthread_create(&thread, NULL, first, NULL) == 0 && pthread_join(thread, NULL) == 0);
        printf("good\n");
        return 0;
    }
    CHECK(cx_soft_register(&mulacc_soft) == CX_ERROR_NONE);
    if (strcmp(mode, "software") == 0) {
        works(opened(), opened());
    } else if (strcmp(mode, "interrupted") == 0) {
        is_interrupted();
    } else {
        cx_sel_t one, two;
        cx_word_t answer;
        CHECK(cx_platform_load(&platform, 1) == CX_ERROR_NONE);
        if (strcmp(mode, "swaps") == 0) {
            works(opened(), opened());
            CHECK(cx_get_sel() == cx_sel_builtin);
        } else if (strcmp(mode, "interrupted machine") == 0) {
            is_interrupted();
        } else if (strcmp(mode, "revoked") == 0) {
            one = opened();
            cx_select(one);
            mulacc_mul(3, 4);
            CHECK(cx_revoke(&MULACC) == CX_ERROR_NONE);
            begin();
            answer = mulacc_mulacc(1, 1);
            end();
            CHECK(answer == 0 && cx_status_read() == CX_STATUS_IC);
            cx_status_write(0);
            CHECK(cx_emulate_absent(&MULACC) == CX_ERROR_NONE);
            begin();
            answer = mulacc_mulacc(1, 1);
            end();
            CHECK(answer == 0 && cx_status_read() == CX_STATUS_IC);
            one = opened();
            two = opened();
            works(one, two);
        } else if (strcmp(mode, "policy") == 0) {
            /* The first command after the revocation comes while the runtime changes the same platform. */
            struct sigaction action;
            memset(&action, 0, sizeof action);
            action.sa_handler = uses;
            CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
            own = opened();
            cx_select(opened());
            adds(&sum);
            CHECK(sum == 1);
            CHECK(cx_revoke(&MULACC) == CX_ERROR_NONE);
            interrupts = 1;
            CHECK(cx_emulate_absent(&MULACC) == CX_ERROR_NONE);
            interrupts = 0;
            CHECK(signals > 0 && sum == 1 && own_sum == 0);
        } else {
            return 2;
        }
    }
    printf("good\n");
    return 0;
}
