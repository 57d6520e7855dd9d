/* small_worker.c
 * Generated from test.small:Small by cxc; do not edit.
 *
 * The worker: calls the real library for the program, and the program's callbacks for the library.
 */
#define SMALL_CXR_WORKER
#include "small_remote.h"
#include <setjmp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's functions under their own names, for the specification's text in C. */
#undef small_old
__attribute__((visibility("hidden"))) int small_old(int arg_n)
{
    return ((int (*)(int))small_cxr_reals[2])(arg_n);
}

static void small_cxr_thunk_add(void *arguments)
{
    struct small_cxr_call_add *const cxr = (struct small_cxr_call_add *)arguments;
    cxr->result = ((int (*)(int, int))small_cxr_reals[0])(cxr->arg_a, cxr->arg_b);
}

static void small_cxr_thunk_sum(void *arguments)
{
    struct small_cxr_call_sum *const cxr = (struct small_cxr_call_sum *)arguments;
    cxr->result = ((int (*)(const int[4]))small_cxr_reals[1])(cxr->arg_values);
}

static void small_cxr_thunk_knr(void *arguments)
{
    struct small_cxr_call_knr *const cxr = (struct small_cxr_call_knr *)arguments;
    cxr->result = ((int (*)(int))small_cxr_reals[2])(cxr->arg_n);
}

static void small_cxr_thunk_move(void *arguments)
{
    struct small_cxr_call_move *const cxr = (struct small_cxr_call_move *)arguments;
    cxr->result = ((small_point (*)(small_point, int))small_cxr_reals[3])(cxr->arg_p, cxr->arg_by);
}

static void small_cxr_thunk_open(void *arguments)
{
    struct small_cxr_call_open *const cxr = (struct small_cxr_call_open *)arguments;
    cxr->result = ((small_handle (*)(const char *))small_cxr_reals[4])(cxr->arg_name);
}

static void small_cxr_thunk_close(void *arguments)
{
    struct small_cxr_call_close *const cxr = (struct small_cxr_call_close *)arguments;
    ((void (*)(small_handle))small_cxr_reals[5])(cxr->arg_thing);
}

static void small_cxr_thunk_each(void *arguments)
{
    struct small_cxr_call_each *const cxr = (struct small_cxr_call_each *)arguments;
    cxr->result = ((int (*)(const int *, int, small_visit))small_cxr_reals[6])(cxr->arg_values, cxr->arg_n, cxr->arg_visit);
}

static void small_cxr_thunk_watch(void *arguments)
{
    struct small_cxr_call_watch *const cxr = (struct small_cxr_call_watch *)arguments;
    ((void (*)(small_note, void *))small_cxr_reals[7])(cxr->arg_note, cxr->arg_user);
}

static void small_cxr_thunk_control(void *arguments)
{
    struct small_cxr_call_control *const cxr = (struct small_cxr_call_control *)arguments;
    const long long cxr_case = (long long)cxr->arg_operation;
    if (cxr_case == 1ll) {
        cxr->result = ((int (*)(int, ...))small_cxr_reals[9])(cxr->arg_operation, cxr->arg_0_x);
    } else if ((cxr_case >= -9ll && cxr_case <= -2ll) || cxr_case == 4ll) {
        cxr->result = ((int (*)(int, ...))small_cxr_reals[9])(cxr->arg_operation, cxr->arg_1_f, cxr->arg_1_c, cxr->arg_1_p);
    } else if (cxr_case == 0ll || (cxr_case >= 2ll && cxr_case <= 3ll)) {
        cxr->result = ((int (*)(int, ...))small_cxr_reals[9])(cxr->arg_operation);
    } else {
        cxr->result = ((int (*)(int, ...))small_cxr_reals[9])(cxr->arg_operation);
    }
}

static void small_cxr_thunk_request(void *arguments)
{
    struct small_cxr_call_request *const cxr = (struct small_cxr_call_request *)arguments;
    const long long cxr_case = (long long)cxr->arg_number;
    if ((cxr_case >= 9223372036854775807ll || cxr_case <= (-9223372036854775807ll - 1))) {
        cxr->result = ((int (*)(unsigned long long, ...))small_cxr_reals[10])(cxr->arg_number, cxr->arg_0_f);
    } else if (0) {
        cxr->result = ((int (*)(unsigned long long, ...))small_cxr_reals[10])(cxr->arg_number);
    } else if (cxr_case == -1ll) {
        cxr->result = ((int (*)(unsigned long long, ...))small_cxr_reals[10])(cxr->arg_number, cxr->arg_2_x);
    } else {
        cxr->result = ((int (*)(unsigned long long, ...))small_cxr_reals[10])(cxr->arg_number);
    }
}

static void small_cxr_thunk_secret(void *arguments)
{
    struct small_cxr_call_secret *const cxr = (struct small_cxr_call_secret *)arguments;
    cxr->result = ((int (*)(int))small_cxr_reals[11])(cxr->arg_n);
}

static void small_cxr_thunk_find(void *arguments)
{
    struct small_cxr_call_find *const cxr = (struct small_cxr_call_find *)arguments;
    cxr->result = ((void *(*)(const char *))small_cxr_reals[12])(cxr->arg_name);
}

static void small_cxr_thunk_mix(void *arguments)
{
    struct small_cxr_call_mix *const cxr = (struct small_cxr_call_mix *)arguments;
    cxr->result = ((unsigned long long (*)(unsigned long long, int, const void *, uint8_t))small_cxr_reals[13])(cxr->arg_big, cxr->arg_negative, cxr->arg_at, cxr->arg_byte);
}

static void small_cxr_thunk_nothing(void *arguments)
{
    (void)arguments;
    ((void (*)(void))small_cxr_reals[14])();
}

static const cxr_thunk small_cxr_thunks[] = {
    small_cxr_thunk_add, small_cxr_thunk_sum, small_cxr_thunk_knr, small_cxr_thunk_move, small_cxr_thunk_open,
    small_cxr_thunk_close, small_cxr_thunk_each, small_cxr_thunk_watch, NULL, small_cxr_thunk_control,
    small_cxr_thunk_request, small_cxr_thunk_secret, small_cxr_thunk_find, small_cxr_thunk_mix, small_cxr_thunk_nothing,
};

static const char *const small_cxr_symbols[] = {
    "small_add", "small_sum", "small_old", "small_move", "small_open", "small_close", "small_each", "small_watch",
    "small_format", "small_control", "small_request", "small_secret", "small_find", "small_mix", "small_nothing",
};

extern cxr_worker small_cxr_worker;
#ifdef CX_REMOTE_SHADOW
/* With CX_REMOTE=shadow the guest library loads this file as a library and calls the real library through it, to compare results. */
extern __attribute__((visibility("default"))) cxr_shadow cx_remote_shadow;
#define cxr_callback (*cx_remote_shadow.callback)
#endif
/* A call of the library. */
struct small_cxr_frame {
    jmp_buf state;
    struct small_cxr_frame *outer;
};

/* The innermost call of a thread. */
static __thread struct small_cxr_frame *small_cxr_innermost;

/* Runs a thunk until it returns, or until the program leaves the call during a callback. */
static void small_cxr_enter(cxr_thunk thunk, void *arguments)
{
    struct small_cxr_frame frame;
    frame.outer = small_cxr_innermost;
    small_cxr_innermost = &frame;
    if (_setjmp(frame.state) == 0) {
        thunk(arguments);
    }
    small_cxr_innermost = frame.outer;
}

/* Leaves the innermost call, as the program has done. */
static void small_cxr_leave(void)
{
    if (small_cxr_innermost != NULL) {
        longjmp(small_cxr_innermost->state, 1);
    }
}

static int small_cxr_trampoline_Visit(uint32_t cxr_slot, int arg_value)
{
    struct small_cxr_callback_Visit cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_value = arg_value;
    if (cxr_callback(&small_cxr_worker, 0, cxr_slot, &cxr) != 0) {
        small_cxr_leave();
    }
    return cxr.result;
}
#define SMALL_CXR_SLOT_0(slot) \
    static int small_cxr_trampoline_Visit_##slot(int arg_value) { return small_cxr_trampoline_Visit(slot##u, arg_value); }
SMALL_CXR_SLOT_0(0) SMALL_CXR_SLOT_0(1) SMALL_CXR_SLOT_0(2)
static const cxr_function small_cxr_slots_Visit[] = {
    (cxr_function)small_cxr_trampoline_Visit_0, (cxr_function)small_cxr_trampoline_Visit_1,
    (cxr_function)small_cxr_trampoline_Visit_2,
};
#ifndef __cplusplus
_Static_assert(_Generic(&small_cxr_trampoline_Visit_0, small_visit: 1, default: 0), "small_visit is of another type in the header");
#endif

static void small_cxr_trampoline_Note(uint32_t cxr_slot, void *arg_user, const char *arg_text)
{
    struct small_cxr_callback_Note cxr;
    memset(&cxr, 0, sizeof cxr);
    cxr.arg_user = arg_user;
    cxr.arg_text = arg_text;
    if (cxr_callback(&small_cxr_worker, 1, cxr_slot, &cxr) != 0) {
        small_cxr_leave();
    }
}
#define SMALL_CXR_SLOT_1(slot) \
    static void small_cxr_trampoline_Note_##slot(void *arg_user, const char *arg_text) { small_cxr_trampoline_Note(slot##u, arg_user, arg_text); }
SMALL_CXR_SLOT_1(0) SMALL_CXR_SLOT_1(1) SMALL_CXR_SLOT_1(2) SMALL_CXR_SLOT_1(3) SMALL_CXR_SLOT_1(4) SMALL_CXR_SLOT_1(5)
SMALL_CXR_SLOT_1(6) SMALL_CXR_SLOT_1(7) SMALL_CXR_SLOT_1(8) SMALL_CXR_SLOT_1(9) SMALL_CXR_SLOT_1(10)
SMALL_CXR_SLOT_1(11) SMALL_CXR_SLOT_1(12) SMALL_CXR_SLOT_1(13) SMALL_CXR_SLOT_1(14) SMALL_CXR_SLOT_1(15)
SMALL_CXR_SLOT_1(16)
static const cxr_function small_cxr_slots_Note[] = {
    (cxr_function)small_cxr_trampoline_Note_0, (cxr_function)small_cxr_trampoline_Note_1,
    (cxr_function)small_cxr_trampoline_Note_2, (cxr_function)small_cxr_trampoline_Note_3,
    (cxr_function)small_cxr_trampoline_Note_4, (cxr_function)small_cxr_trampoline_Note_5,
    (cxr_function)small_cxr_trampoline_Note_6, (cxr_function)small_cxr_trampoline_Note_7,
    (cxr_function)small_cxr_trampoline_Note_8, (cxr_function)small_cxr_trampoline_Note_9,
    (cxr_function)small_cxr_trampoline_Note_10, (cxr_function)small_cxr_trampoline_Note_11,
    (cxr_function)small_cxr_trampoline_Note_12, (cxr_function)small_cxr_trampoline_Note_13,
    (cxr_function)small_cxr_trampoline_Note_14, (cxr_function)small_cxr_trampoline_Note_15,
    (cxr_function)small_cxr_trampoline_Note_16,
};
#ifndef __cplusplus
_Static_assert(_Generic(&small_cxr_trampoline_Note_0, small_note: 1, default: 0), "small_note is of another type in the header");
#endif

static const cxr_function *const small_cxr_trampolines[] = {
    small_cxr_slots_Visit, small_cxr_slots_Note,
};

static const uint32_t small_cxr_trampoline_counts[] = {
    3, 17,
};

cxr_worker small_cxr_worker = {
    &small_cxr_library, small_cxr_thunks, small_cxr_symbols, small_cxr_reals, small_cxr_trampolines, small_cxr_trampoline_counts, small_cxr_enter,
};

#ifdef CX_REMOTE_SHADOW
cxr_shadow cx_remote_shadow = { &small_cxr_worker, CX_REMOTE_SHADOW, NULL };
#endif

#ifdef __cplusplus
}
#endif

#ifndef CX_REMOTE_SHADOW
int main(int argc, char **argv)
{
    return cxr_worker_main(&small_cxr_worker, argc, argv);
}
#endif
