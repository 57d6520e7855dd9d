/* SIGILL, on a RISC-V Linux whose processor has no CXs: which are the runtime's, which are not, and what is left as it was.
 * The argument says what is tried. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "cx.h"
#include "mulacc.h"

static const cx_uuid_t MULACC = {MULACC_HIGH, MULACC_LOW};

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, cx_last_error_string()); \
            exit(1); \
        } \
    } while (0)

/* No instruction of any processor; and a command under built-in, which this one does not have. */
static void illegal(void) { __asm__ volatile(".word 0"); }
static void built_in(void) { __asm__ volatile(".insn r 0x0B, 0, 0, x0, x0, x0"); }

static cx_sel_t opened(void) {
    cx_sel_t sel;
    CHECK(cx_soft_register(&mulacc_soft) == CX_ERROR_NONE);
    sel = cx_open(&MULACC, cx_open_exclusive);
    CHECK(cx_sel_is_cx(sel));
    return sel;
}

/* The sum of 1 to n, one command each. */
static cx_word_t sum_to(cx_word_t n) {
    cx_word_t i, sum = 0;
    mulacc_mul(0, 0);
    for (i = 1; i <= n; i++) {
        sum = mulacc_mulacc(i, 1);
    }
    return sum;
}

/* What was there before the library: constructors with a number come first. */
static volatile sig_atomic_t caught, sent;
static const char *mode;
static sigjmp_buf out;

static void pass_over(int signal, siginfo_t *info, void *context) {
    ucontext_t *uc = context;
    caught += signal == SIGILL;
    sent += info->si_code <= 0;
    if (info->si_code > 0) {
        uc->uc_mcontext.__gregs[0] += 4;
    }
}
static void jump_out(int signal) {
    caught += signal == SIGILL;
    siglongjmp(out, 1);
}

static void install(void (*with_info)(int, siginfo_t *, void *), void (*plain)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigaddset(&action.sa_mask, SIGUSR2);
    if (with_info) {
        action.sa_sigaction = with_info;
        flags |= SA_SIGINFO;
    } else {
        action.sa_handler = plain;
    }
    action.sa_flags = flags;
    CHECK(sigaction(SIGILL, &action, NULL) == 0);
}


/* In the mode `native` the runtime's handlers are not installed: what traps is passed over, as if the processor had done it. */
static int keeps_handlers;
/* In the mode `probing` each change of the handler is followed by two signals that are not the runtime's. */
static int probing, changes;
int sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict before) {
    static int (*real)(int, const struct sigaction *, struct sigaction *);
    if (!real) {
        *(void **)&real = dlsym(RTLD_NEXT, "sigaction");
    }
    if (keeps_handlers && signal == SIGILL) {
        if (before) {
            memset(before, 0, sizeof *before);
        }
        return 0;
    }
    if (probing && signal == SIGILL && action) {
        CHECK(real(signal, action, before) == 0);
        changes++;
        illegal();
        raise(SIGILL);
        return 0;
    }
    return real(signal, action, before);
}

__attribute__((constructor(101))) static void before_the_library(int argc, char **argv) {
    mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "chain") == 0) {
        install(pass_over, NULL, 0);
    } else if (strcmp(mode, "probing") == 0) {
        install(pass_over, NULL, 0);
        probing = 1;
    } else if (strcmp(mode, "read-only") == 0) {
        install(pass_over, NULL, 0);
    } else if (strcmp(mode, "page") == 0) {
        install(NULL, jump_out, SA_NODEFER);
    } else if (strcmp(mode, "plain") == 0 || strcmp(mode, "deferred") == 0) {
        install(NULL, jump_out, strcmp(mode, "plain") == 0 ? SA_NODEFER : 0);
    } else if (strcmp(mode, "once") == 0) {
        install(pass_over, NULL, (int)SA_RESETHAND);
    } else if (strcmp(mode, "ignored") == 0 || strcmp(mode, "ignored fault") == 0) {
        install(NULL, SIG_IGN, 0);
    } else if (strcmp(mode, "native") == 0) {
        install(pass_over, NULL, 0);
        keeps_handlers = 1;
    }
}

static int waits(int signal) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    return sigismember(&mask, signal);
}

/* A handler that came later, and asks the runtime. */
static volatile int asked;
static void asks(int signal, siginfo_t *info, void *context) {
    asked++;
    if (!cx_trap_handle(signal, info, context)) {
        pass_over(signal, info, context);
    }
}

/* A handler that has a CX of its own, and leaves the interrupted code's selection. */
static cx_sel_t of_handler;
static volatile cx_word_t handled;
static void counts(int signal) {
    cx_sel_t outer = cx_select(of_handler);
    handled = mulacc_mulacc((cx_word_t)(signal == SIGUSR1), 1);
    cx_select(outer);
}

static volatile sig_atomic_t ready;
static void *interrupts(void *argument) {
    pthread_t thread = *(pthread_t *)argument;
    while (!ready) {
    }
    while (handled < 1000) {
        pthread_kill(thread, SIGUSR1);
    }
    return NULL;
}

static void *selects(void *argument) {
    cx_sel_t one = opened(), two = opened();
    cx_word_t i, *sums = argument, a = 0, b = 0;
    for (i = 0; i < 20000; i++) {
        CHECK(cx_select(one) == cx_sel_builtin && cx_get_sel() == one);
        CHECK(i % 100 || mulacc_mulacc(i, 1) == (a += i));
        CHECK(cx_select(two) == one);
        CHECK(i % 100 || mulacc_mulacc(1, 3) == (b += 3));
        CHECK(cx_select(cx_sel_builtin) == two);
    }
    sums[0] = a;
    sums[1] = b;
    return NULL;
}

/* An illegal instruction whose handler leaves by a jump, for the n-th time. */
static void leaves(int n) {
    if (sigsetjmp(out, 0) == 0) {
        illegal();
    }
    /* The mask of the handler was in force, and still is. */
    CHECK(caught == n && waits(SIGUSR2) && waits(SIGILL) == (strcmp(mode, "deferred") == 0));
    if (waits(SIGILL)) {
        sigset_t ill;
        sigemptyset(&ill);
        sigaddset(&ill, SIGILL);
        pthread_sigmask(SIG_UNBLOCK, &ill, NULL);
    }
}

/* With all signals blocked but SIGILL, and then with that too. */
static void *blocks(void *argument) {
    sigset_t all;
    (void)argument;
    cx_select(opened());
    sigfillset(&all);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    CHECK(sum_to(10) == 55);
    printf("55\n");
    fflush(stdout);
    sigaddset(&all, SIGILL);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    return (void *)(intptr_t)cx_get_sel();
}

int main(void) {
    cx_sel_t sel;
    int i;
    if (strcmp(mode, "first") == 0) {
        /* Nothing of the runtime was called. */
        CHECK(cx_get_sel() == cx_sel_builtin && cx_select((cx_sel_t)77) == cx_sel_builtin);
        CHECK(cx_select(cx_sel_invalid) == 77 && mulacc_mul(1, 1) == 0 && cx_get_sel() == cx_sel_invalid);
        CHECK(cx_status_read() == CX_STATUS_IC);
        cx_select(cx_sel_builtin);
    } else if (strcmp(mode, "illegal") == 0) {
        sel = opened();
        cx_select(sel);
        CHECK(sum_to(10) == 55);
        printf("55\n");
        fflush(stdout);
        illegal();
    } else if (strcmp(mode, "built-in") == 0 || strcmp(mode, "ignored fault") == 0) {
        cx_close(opened());
        built_in();
    } else if (strcmp(mode, "sent") == 0) {
        opened();
        raise(SIGILL);
    } else if (strcmp(mode, "ignored") == 0) {
        opened();
        raise(SIGILL);
    } else if (strcmp(mode, "chain") == 0) {
        sel = opened();
        cx_select(sel);
        CHECK(sum_to(10) == 55 && caught == 0);
        illegal();
        CHECK(caught == 1 && sum_to(4) == 10);
        raise(SIGILL);
        CHECK(caught == 2 && sent == 1);
        cx_select(cx_sel_builtin);
        built_in();
        CHECK(caught == 3 && !waits(SIGUSR2) && !waits(SIGILL));
    } else if (strcmp(mode, "plain") == 0 || strcmp(mode, "deferred") == 0) {
        sel = opened();
        leaves(1);
        leaves(2);
        leaves(3);
        cx_select(sel);
        CHECK(sum_to(10) == 55);
    } else if (strcmp(mode, "probing") == 0) {
        /* When the probe begins and ends, and when the handler comes. */
        probing = 0;
        CHECK(changes == 3 && caught == 2 * changes && sent == changes);
        cx_select(opened());
        CHECK(sum_to(10) == 55 && caught == 2 * changes);
    } else if (strcmp(mode, "read-only") == 0) {
        cx_word_t old = 1;
        cx_select(opened());
        CHECK(sum_to(10) == 55);
        __asm__ volatile("csrrs %0, 0xCC0, x0" : "=r"(old));
        CHECK(caught == 0 && old == 1 && cx_status_read() == 0);
        __asm__ volatile("csrrci %0, 0xCC0, 0" : "=r"(old));
        CHECK(caught == 0 && old == 1);
        __asm__ volatile("csrw 0xCC0, x0");
        CHECK(caught == 1);
        __asm__ volatile("csrrs x0, 0xCC0, %0" : : "r"(0));
        CHECK(caught == 2);
        __asm__ volatile("csrrsi x0, 0xCC0, 1");
        CHECK(caught == 3 && cx_status_read() == 0);
    } else if (strcmp(mode, "page") == 0) {
        unsigned char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        /* cfu_reg 0, a0, a0, a1 and ret, the first one in both pages. */
        static const unsigned char COMMAND[] = {0x0B, 0x05, 0xB5, 0x00, 0x82, 0x80};
        cx_word_t (*run)(cx_word_t, cx_word_t);
        CHECK(pages != MAP_FAILED);
        memcpy(pages + 4094, COMMAND, sizeof COMMAND);
        __builtin___clear_cache((char *)pages, (char *)pages + 8192);
        *(void **)&run = pages + 4094;
        cx_select(opened());
        CHECK(run(6, 7) == 42 && caught == 0);
        /* An illegal instruction of 16 bits, and no page behind it. */
        CHECK(munmap(pages + 4096, 4096) == 0);
        memset(pages + 4094, 0, 2);
        __builtin___clear_cache((char *)pages, (char *)pages + 4096);
        if (sigsetjmp(out, 1) == 0) {
            run(6, 7);
        }
        CHECK(caught == 1 && sum_to(10) == 55);
    } else if (strcmp(mode, "blocked") == 0) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, blocks, NULL) == 0 && pthread_join(thread, NULL) == 0);
    } else if (strcmp(mode, "once") == 0) {
        sel = opened();
        illegal();
        CHECK(caught == 1);
        cx_select(sel);
        CHECK(sum_to(10) == 55);
        printf("once\n");
        fflush(stdout);
        illegal();
    } else if (strcmp(mode, "later") == 0) {
        sel = opened();
        install(asks, NULL, 0);
        cx_select(sel);
        CHECK(sum_to(10) == 55 && caught == 0);
        illegal();
        CHECK(caught == 1 && sum_to(3) == 6);
        CHECK(!cx_trap_handle(SIGILL, NULL, NULL));
        /* What a command costs is measured with the signals that it takes. */
        asked = 0;
        CHECK(cx_backing_cost(sel) > 0.0 && asked > 8 && cx_get_sel() == sel);
    } else if (strcmp(mode, "kept") == 0) {
        stack_t stack;
        unsigned char *memory = calloc(1, 65536);
        size_t used = 0, k;
        sigset_t before, after;
        sigemptyset(&before);
        sigemptyset(&after);
        CHECK(memory != NULL);
        stack.ss_sp = memory;
        stack.ss_size = 65536;
        stack.ss_flags = 0;
        sel = opened();
        CHECK(sigaltstack(&stack, NULL) == 0);
        pthread_sigmask(SIG_SETMASK, NULL, &before);
        cx_select(sel);
        errno = 77;
        CHECK(sum_to(10) == 55 && errno == 77);
        pthread_sigmask(SIG_SETMASK, NULL, &after);
        CHECK(memcmp(&before, &after, 8) == 0);
        for (k = 0; k < 65536; k++) {
            used += memory[k] != 0;
        }
        CHECK(used > 100);
    } else if (strcmp(mode, "nested") == 0) {
        pthread_t self = pthread_self(), other;
        cx_word_t rounds = 0;
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = counts;
        sel = opened();
        of_handler = opened();
        CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && pthread_create(&other, NULL, interrupts, &self) == 0);
        cx_select(sel);
        ready = 1;
        while (handled < 1000) {
            CHECK(sum_to(20) == 210 && cx_get_sel() == sel);
            rounds++;
        }
        CHECK(pthread_join(other, NULL) == 0 && rounds > 0 && cx_status_read() == 0);
    } else if (strcmp(mode, "fork") == 0) {
        int status = 0;
        pid_t child;
        sel = opened();
        cx_select(sel);
        mulacc_mul(3, 4);
        child = fork();
        CHECK(child >= 0 && mulacc_mulacc(child == 0, 1) == (child == 0 ? 13u : 12u));
        if (child == 0) {
            _exit(cx_get_sel() == sel ? 7 : 8);
        }
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    } else if (strcmp(mode, "threads") == 0) {
        pthread_t threads[4];
        cx_word_t sums[4][2];
        CHECK(cx_platform_load(&(struct cx_platform_cxu){{MULACC_HIGH, MULACC_LOW}, 1}, 1) == CX_ERROR_NONE);
        for (i = 0; i < 4; i++) {
            CHECK(pthread_create(&threads[i], NULL, selects, sums[i]) == 0);
        }
        for (i = 0; i < 4; i++) {
            CHECK(pthread_join(threads[i], NULL) == 0 && sums[i][0] == 1990000 && sums[i][1] == 600);
        }
    } else if (strcmp(mode, "native") == 0) {
        CHECK(cx_soft_register(&mulacc_soft) == CX_ERROR_NONE);
        CHECK(cx_open(&MULACC, cx_open_exclusive) == cx_sel_invalid && cx_last_error() == CX_ERROR_NO_DEVICE);
        CHECK(strstr(cx_last_error_string(), "custom-0 instructions of its own") != NULL);
    } else {
        return 2;
    }
    printf("good\n");
    return 0;
}
