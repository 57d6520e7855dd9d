/* What an emulated command costs beside the signal that it takes: nanoseconds, of the same qemu, in turns. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "cx.h"
#include "mulacc.h"

enum { COUNT = 20000, ROUNDS = 10 };

static const cx_uuid_t MULACC = {MULACC_HIGH, MULACC_LOW};

static void pass_over(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    ((ucontext_t *)context)->uc_mcontext.__gregs[0] += 4;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double bare(void)
{
    double start = now();
    int i;
    for (i = 0; i < COUNT; i++) {
        __asm__ volatile(".word 0");
    }
    return (now() - start) / COUNT;
}

static double command(void)
{
    double start = now();
    int i;
    for (i = 0; i < COUNT; i++) {
        mulacc_mulacc(3, 4);
    }
    return (now() - start) / COUNT;
}

static double selection(cx_sel_t sel)
{
    double start = now();
    int i;
    for (i = 0; i < COUNT; i++) {
        cx_select(sel);
    }
    return (now() - start) / COUNT;
}

static double least(double a, double b) { return a < b ? a : b; }

int main(void)
{
    double costs[3] = {1e9, 1e9, 1e9};
    struct sigaction ours, runtimes;
    int round;
    cx_sel_t sel;
    if (cx_soft_register(&mulacc_soft) != CX_ERROR_NONE || (sel = cx_open(&MULACC, cx_open_exclusive)) == cx_sel_invalid) {
        return 1;
    }
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = pass_over;
    ours.sa_flags = SA_SIGINFO;
    cx_select(sel);
    for (round = 0; round < ROUNDS; round++) {
        sigaction(SIGILL, &ours, &runtimes);
        costs[0] = least(costs[0], bare());
        sigaction(SIGILL, &runtimes, NULL);
        costs[1] = least(costs[1], command());
        costs[2] = least(costs[2], selection(sel));
    }
    printf("%.0f %.0f %.0f\n", costs[0], costs[1], costs[2]);
    return 0;
}
