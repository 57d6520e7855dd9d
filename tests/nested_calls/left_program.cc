#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include "left.h"

static __thread jmp_buf back;
static unsigned char data[8192], other[8192];

static int jumps(int, void *) { longjmp(back, 1); }
static int throws(int, void *) { throw 1; }
static int returns(int value, void *) { return value; }

[[noreturn]] static void end_thread() {
    fflush(stdout);
    pthread_exit(nullptr);
}

static void start(void *(*run)(void *), void *argument) {
    pthread_attr_t detached;
    pthread_t thread;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &detached, run, argument))
        abort();
}

static void join(void *(*run)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, run, argument))
        abort();
    pthread_join(thread, nullptr);
}

/* Buffers that the library uses in memory that both processes share. */
static void in_place() {
    left_box *box = left_open(jumps, nullptr);
    for (int i = 1; i < 4; i++) {
        memset(data, i, sizeof data);
        if (!setjmp(back))
            left_sum(box, data, sizeof data, 1);
        printf("%d", left_sum(box, data, sizeof data, 0));
        int filled = left_fill(box, other, sizeof other, 7 * i);
        printf(" %d %d %d\n", filled, other[0], other[8191]);
    }
    left_close(box);
}

/* The library has kept and changed memory before the program leaves the call. */
static void kept() {
    left_box *box = left_open(jumps, nullptr);
    memset(data, 1, sizeof data);
    memset(other, 9, sizeof other);
    if (!setjmp(back))
        left_keep(box, data, 4096);
    for (int i = 0; i < 5; i++)
        left_sum(box, other, 1000 * i, 0);
    printf("kept %d", left_kept(box));
    unsigned char *memory = left_memory(box);
    memory[0] = 'A';
    if (!setjmp(back))
        left_change(box, memory);
    printf(" first %c\n", left_first(box, memory));
    left_close(box);
}

__attribute__((noinline)) static int deep(int n) {
    volatile char frame[256];
    memset((void *)frame, 'A', sizeof frame);
    if (n == 0)
        longjmp(back, 1);
    return n < 0 ? 0 : deep(n - 1) + frame[3];
}

static void *catches(void *then_jumps) {
    left_box *box = left_open(throws, nullptr);
    for (int i = 0; i < 3; i++)
        try {
            left_sum(box, data, 16, 1);
        } catch (int) {
            puts("caught");
        }
    if (!then_jumps)
        end_thread();
    if (!setjmp(back))
        deep(200);
    puts("back");
    return nullptr;
}

/* Coroutines that are suspended in a callback and never continue. The next one has the same stack. */
static ucontext_t outside, inside;
static void *stack;
static bool switches = true;
static left_box *box;

static int suspends(int, void *) {
    if (!switches)
        longjmp(back, 1);
    swapcontext(&inside, &outside);
    return 0;
}
static void body() {
    if (!setjmp(back))
        left_sum(box, data, 16, 1);
    else
        puts("left");
    swapcontext(&inside, &outside);
}
static void resume() {
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = 1 << 20;
    inside.uc_link = nullptr;
    makecontext(&inside, body, 0);
    swapcontext(&outside, &inside);
}
static void *suspended(void *then_jumps) {
    stack = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    box = left_open(suspends, nullptr);
    resume();
    resume();
    puts("suspended");
    if (then_jumps) {
        switches = false;
        resume();
        return nullptr;
    }
    munmap(stack, 1 << 20);
    end_thread();
}

/* Each thread leaves a call and ends. One thread leaves many. */
static void *leaves(void *) {
    left_box *mine = left_open(jumps, nullptr);
    if (mine == nullptr)
        puts("not opened");
    else if (!setjmp(back))
        left_sum(mine, data, 16, 1);
    left_close(mine);
    return nullptr;
}
static long pages() {
    long all, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == nullptr || fscanf(file, "%ld %ld", &all, &resident) != 2)
        abort();
    fclose(file);
    return resident;
}
static void threads() {
    for (int i = 0; i < 300; i++)
        join(leaves, nullptr);
    long before = 0;
    for (int i = 0; i < 6000; i++) {
        leaves(nullptr);
        if (i == 1000)
            before = pages();
    }
    long grown = pages() - before;
    printf("threads left, %s\n", grown < 512 ? "memory is constant" : "memory grows");
}

/* Main ends first; what is left are threads that the program started in a callback, or that follow each other. */
static void *works(void *) {
    usleep(300000);
    puts("worked");
    fflush(stdout);
    return nullptr;
}
static int starts(int, void *) {
    start(works, nullptr);
    return 0;
}
static void *chain(void *) {
    static int links;
    if (links++ < 20000)
        start(chain, nullptr);
    else {
        puts("chain over");
        fflush(stdout);
    }
    return nullptr;
}
static void *calls(void *) {
    left_box *mine = left_open(returns, nullptr);
    printf("%d\n", left_sum(mine, data, 16, 1));
    left_close(mine);
    return nullptr;
}

int main(int, char **arguments) {
    std::string mode = arguments[1];
    if (mode == "in place")
        in_place();
    else if (mode == "kept")
        kept();
    else if (mode == "exceptions" || mode == "exceptions, jump")
        join(catches, mode == "exceptions" ? nullptr : data);
    else if (mode == "coroutines" || mode == "coroutines, jump")
        join(suspended, mode == "coroutines" ? nullptr : data);
    else if (mode == "threads")
        threads();
    else if (mode == "main without calls") {
        join(calls, nullptr);
        end_thread();
    } else if (mode == "started in a callback") {
        left_thread(left_open(starts, nullptr));
        end_thread();
    } else if (mode == "chain") {
        calls(nullptr);
        start(chain, nullptr);
        end_thread();
    }
    puts("end");
    return 0;
}
