/* CXUs of ckernels that are written in C: operands, responses, states, and that each ckernel is destroyed once. C11 and C++17. */
#ifndef __cplusplus
#define _POSIX_C_SOURCE 200809L
#endif
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cx_ckernel.h"
#include "mulacc.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #x)))
#define SAYS(word) (strstr(cx_last_error_string(), word) != NULL)

/* What a ckernel owns: a number, and how often it was destroyed. */
typedef struct {
    ckernel_prefix base;
    int *destroyed;
    int32_t offset;
} owned;

static void destroy(ckernel_prefix *kernel) { ++*((owned *)(void *)kernel)->destroyed; }

/* x + y + offset in 16 bits, signed; with more, an operand error and the largest number. */
static int add(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call) {
    int16_t x, y, sum;
    int32_t all;
    memcpy(&x, src[0], 2);
    memcpy(&y, src[1], 2);
    all = x + y + ((owned *)(void *)extra)->offset;
    sum = (int16_t)(all > INT16_MAX ? INT16_MAX : all);
    memcpy(dst, &sum, 2);
    return all > INT16_MAX ? ckernel_raise(call, CX_RESPONSE_OP, 0, 0, "add", "more than 16 bits") : CKERNEL_OK;
}

/* No result, no operands: an answer that is the offset. */
static int answer(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call) {
    (void)src;
    (void)dst;
    CHECK(call->initial == NULL && call->state == NULL && call->state_size == 0);
    return ((owned *)(void *)extra)->offset;
}

/* total += x; above 100 an error of the CX's own, after which the total is 0. Knows nothing of the status word. */
static int total(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call) {
    cx_word_t x, image[3];
    (void)extra;
    if (call->state_size != sizeof image) return CKERNEL_INVALID;
    memcpy(image, call->initial, sizeof image);
    memcpy(&x, src[0], sizeof x);
    image[1] += x;
    image[2]++;
    memcpy(dst, &image[1], sizeof x);
    if (image[1] > 100) {
        image[1] = 0;
        memcpy(call->state, image, sizeof image);
        return ckernel_raise(call, CX_RESPONSE_CUSTOM, 9, 0, "total", "above 100");
    }
    memcpy(call->state, image, sizeof image);
    return CKERNEL_OK;
}

#define WORD_TYPE {'u', CX_XLEN / 8, CX_XLEN}
static const ckernel_type i16 = {'i', 2, 16}, word = WORD_TYPE, none = {0, 0, 0};

/* A builder with such a ckernel, in `at`. */
static void *build(ckernel_builder *at, ckernel_single_t function, int32_t offset, int *destroyed) {
    owned *kernel;
    ckernel_builder_construct(at);
    CHECK(ckernel_builder_ensure_capacity_leaf(at, 4096) == 0);
    kernel = (owned *)(void *)at->m_data;
    CKERNEL_COPY(&kernel->base.function, &function, sizeof function);
    kernel->base.destructor = destroy;
    kernel->offset = offset;
    kernel->destroyed = destroyed;
    return at;
}

static cx_ckernel_cxu cxu_of(uint64_t low, const cx_ckernel_command *commands, size_t count) {
    cx_ckernel_cxu cxu;
    memset(&cxu, 0, sizeof cxu);
    cxu.abi_version = CKERNEL_ABI_VERSION;
    cxu.struct_size = sizeof cxu;
    cxu.uuid.high = 77;
    cxu.uuid.low = low;
    cxu.xlen = CX_XLEN;
    cxu.commands = commands;
    cxu.count = count;
    return cxu;
}

static cx_ckernel_command command(uint32_t function, uint32_t operands, ckernel_type type, ckernel_type result, void *ckb) {
    cx_ckernel_command made;
    memset(&made, 0, sizeof made);
    made.function = function;
    made.operands = operands;
    made.operand[0] = made.operand[1] = made.operand[2] = type;
    made.result = result;
    made.ckb = ckb;
    return made;
}

static cx_reg_t reg(long value) { return (cx_reg_t)(cx_word_t)value; }

static void stateless(void) {
    ckernel_builder builders[9];
    cx_ckernel_command commands[9];
    cx_ckernel_cxu cxu;
    int destroyed[9] = {0}, i;
    cx_sel_t sel;
    /* Answers, also such that are none. */
    static const int answers[7] = {CKERNEL_OK, CX_RESPONSE_STATE, CX_RESPONSE_OFF, CX_RESPONSE_FUNC, CX_RESPONSE_CUSTOM, 1000,
        CKERNEL_NO_MEMORY};
    static const uint32_t flags[7] = {0, CX_STATUS_IS, CX_STATUS_OF, CX_STATUS_IF, CX_STATUS_CU, CX_STATUS_IC, CX_STATUS_IC};
    commands[0] = command(1023, 2, i16, i16, build(&builders[0], add, 1, &destroyed[0]));
    commands[1] = command(5, 2, i16, i16, build(&builders[1], add, 0, &destroyed[1]));
    /* An immediate beside rs2; rs1 does not count. */
    commands[1].place[0] = CX_PLACE_IMMEDIATE;
    for (i = 0; i < 7; i++) {
        commands[2 + i] = command(20 + (uint32_t)i, 0, none, none, build(&builders[2 + i], answer, answers[i], &destroyed[2 + i]));
    }
    cxu = cxu_of(1, commands, 9);
    CHECK(cx_ckernel_register(&cxu) == CX_ERROR_NONE);
    /* The builders are as new ones. */
    for (i = 0; i < 9; i++) {
        CHECK(builders[i].m_data == builders[i].m_static_data && builders[i].m_data[1] == 0);
        ckernel_builder_destruct(&builders[i]);
    }
    sel = cx_open(&cxu.uuid, cx_open_shared);
    cx_select(sel);
    (void)cx_status_write(0);
    CHECK(cx_issue(1023, reg(20), reg(21)) == 42 && cx_issue(1023, reg(-20), reg(5)) == reg(-14));
    /* Of the registers 16 bits count. */
    CHECK(cx_issue(1023, (cx_reg_t)0x10014u, (cx_reg_t)0xF0015u) == 42 && cx_status_read() == 0);
    CHECK(cx_issue(1023, reg(32000), reg(1000)) == 32767 && cx_status_write(0) == CX_STATUS_OP);
    CHECK(cx_issue(CX_WITH_IMMEDIATE(5, 0xFFFE), reg(1000), reg(44)) == 42 && cx_status_read() == 0);
    CHECK(cx_issue(CX_WITH_IMMEDIATE(1023, 1), 1, 1) == 0 && cx_status_write(0) == CX_STATUS_IF);
    CHECK(cx_issue(6, 1, 1) == 0 && cx_status_write(0) == CX_STATUS_IF);
    for (i = 0; i < 7; i++) CHECK(cx_issue(20 + (uint32_t)i, 1, 1) == 0 && cx_status_write(0) == flags[i]);
    CHECK(cx_save(NULL, 0) == 0);

    for (i = 0; i < 9; i++) CHECK(destroyed[i] == 0);
    CHECK(cx_ckernel_withdraw(&cxu.uuid) == CX_ERROR_NONE);
    for (i = 0; i < 9; i++) CHECK(destroyed[i] == 1);
    /* It is open still, and answers nothing; nobody opens it. */
    CHECK(cx_sel_is_cx(sel) && cx_issue(1023, 1, 1) == 0 && cx_status_write(0) == CX_STATUS_IC);
    CHECK(cx_open(&cxu.uuid, cx_open_shared) == cx_sel_invalid && cx_last_error() == CX_ERROR_NO_DEVICE);
    CHECK(cx_ckernel_withdraw(&cxu.uuid) == CX_ERROR_NO_DEVICE && cx_ckernel_withdraw(NULL) == CX_ERROR_FAULT);
    CHECK(cx_soft_register(&adder_soft) == CX_ERROR_NONE);
    CHECK(cx_ckernel_withdraw(&adder_soft.uuid) == CX_ERROR_INVALID && SAYS("not one of ckernels"));
    /* Its UUID is free: another one does not reach what is open. */
    commands[0] = command(1023, 2, i16, i16, build(&builders[0], add, 2, &destroyed[0]));
    cxu.count = 1;
    CHECK(cx_ckernel_register(&cxu) == CX_ERROR_NONE);
    CHECK(cx_issue(1023, 1, 1) == 0 && cx_status_write(0) == CX_STATUS_IC);
    cx_close(sel);
    sel = cx_open(&cxu.uuid, cx_open_exclusive);
    cx_select(sel);
    CHECK(cx_issue(1023, 20, 20) == 42);
    cx_select(cx_sel_builtin);
    cx_close(sel);
    CHECK(cx_ckernel_withdraw(&cxu.uuid) == CX_ERROR_NONE && destroyed[0] == 2);
    ckernel_builder_destruct(&builders[0]);
    CHECK(destroyed[0] == 2);
}

static void stateful(void) {
    static const cx_word_t reset[2] = {40, 7};
    ckernel_builder builder;
    cx_ckernel_command one;
    cx_ckernel_cxu cxu;
    cx_word_t image[3], other[3];
    int destroyed = 0;
    cx_sel_t sel, twin;
    one = command(0, 1, word, word, build(&builder, total, 0, &destroyed));
    cxu = cxu_of(2, &one, 1);
    cxu.sharing = CX_SHARING_EXCLUSIVE;
    cxu.flags = CX_SOFT_STATE_CONTEXT;
    cxu.state_words = 2;
    cxu.reset = reset;
    CHECK(cx_ckernel_register(&cxu) == CX_ERROR_NONE);
    sel = cx_open(&cxu.uuid, cx_open_exclusive);
    twin = cx_open(&cxu.uuid, cx_open_exclusive);
    cx_select(sel);
    (void)cx_status_write(0);
    /* Initial; a call that changes words makes it dirty. */
    CHECK(mulacc_read_status() == (1 | 2 << 2) && cx_issue(1021, 0, 0) == 40);
    CHECK(cx_issue(0, 2, 0) == 42 && mulacc_read_status() == (3 | 2 << 2) && cx_issue(1021, 1, 0) == 8);
    CHECK(cx_save(image, sizeof image) == sizeof image && image[1] == 42 && image[2] == 8);
    /* An error of its own: its code is in the status word until it is cleared; the result is there, and the state too. */
    CHECK(cx_issue(0, 60, 0) == 102 && cx_status_write(0) == CX_STATUS_CU);
    CHECK(mulacc_read_status() == (3 | 2 << 2 | 9u << 24) && cx_issue(1021, 0, 0) == 0 && cx_issue(1021, 1, 0) == 9);
    CHECK(cx_save(other, sizeof other) == sizeof other && other[0] == (3 | 2 << 2 | 9u << 24));
    CHECK(mulacc_write_status(3) == (3 | 2 << 2 | 9u << 24) && mulacc_read_status() == (3 | 2 << 2));
    cx_restore(image, sizeof image);
    CHECK(cx_issue(0, 0, 0) == 42 && cx_status_read() == 0);
    /* The other instance has a state of its own. */
    cx_select(twin);
    CHECK(cx_issue(0, 1, 0) == 41);
    CHECK(cx_issue(1020, 0, 99) == 99 && cx_issue(0, 1, 0) == 100 && cx_issue(1020, 2, 5) == 5 && cx_issue(1021, 2, 0) == 0);
    (void)mulacc_write_status(0);
    CHECK(cx_issue(0, 1, 0) == 0 && cx_status_write(0) == CX_STATUS_OF && mulacc_read_status() == (2 << 2));
    (void)mulacc_write_status(1);
    CHECK(cx_issue(0, 1, 0) == 41);
    /* States stay where a CXU is withdrawn. */
    CHECK(cx_ckernel_withdraw(&cxu.uuid) == CX_ERROR_NONE && destroyed == 1);
    CHECK(cx_save(image, sizeof image) == sizeof image && image[1] == 41);
    CHECK(cx_issue(0, 1, 0) == 0 && cx_status_write(0) == CX_STATUS_IC);
    cx_select(cx_sel_builtin);
    cx_close(sel);
    cx_close(twin);
    ckernel_builder_destruct(&builder);
    CHECK(destroyed == 1);
}

static void refused(void) {
    ckernel_builder builder, empty;
    cx_ckernel_command commands[2];
    cx_ckernel_cxu cxu, bad;
    const ckernel_type wide = {'u', 8, 65}, no_kind = {'x', 4, 32}, no_size = {'u', 3, 24}, large_bool = {'b', 4, 1};
    int destroyed = 0;
    ckernel_builder_construct(&empty);
    commands[0] = commands[1] = command(3, 2, i16, i16, build(&builder, add, 0, &destroyed));
    cxu = cxu_of(3, commands, 1);
    CHECK(cx_ckernel_register(NULL) == CX_ERROR_FAULT);
#define REFUSED(change, error, words) \
    (bad = cxu, (change), cx_ckernel_register(&bad) == (error) && cx_last_error() == (error) && SAYS(words))
#define INVALID(change, words) CHECK(REFUSED(change, CX_ERROR_INVALID, words))
    INVALID(bad.abi_version = 0, "another ckernel ABI");
    INVALID(bad.struct_size = 8, "another ckernel ABI");
    INVALID(bad.xlen = 128, "XLEN");
    INVALID(bad.sharing = 9, "sharing");
    INVALID(bad.sharing = CX_SHARING_EXCLUSIVE, "state words");
    INVALID(bad.state_words = 1, "state words");
    INVALID(bad.flags = CX_SOFT_STATE_CONTEXT, "state words");
    INVALID(bad.flags = 4, "flag");
    INVALID(bad.count = 2, "two commands");
    INVALID(bad.count = 1025, "1024 commands");
    CHECK(REFUSED(bad.commands = NULL, CX_ERROR_FAULT, "fault"));
    commands[1] = commands[0];
#define COMMAND(change, words) commands[0] = commands[1], (change), INVALID((void)0, words)
    COMMAND(commands[0].function = 1024, "above 1023");
    COMMAND(commands[0].operands = 4, "three operands");
    COMMAND(commands[0].place[1] = 4, "CX_PLACE_");
    COMMAND(commands[0].operand[0] = wide, "type");
    COMMAND(commands[0].operand[1] = no_kind, "type");
    COMMAND(commands[0].result = no_size, "type");
    COMMAND(commands[0].result = large_bool, "type");
    COMMAND(commands[0].ckb = &empty, "no ckernel");
    commands[0] = commands[1];
    commands[0].ckb = NULL;
    CHECK(REFUSED((void)0, CX_ERROR_FAULT, "fault"));
    commands[0] = commands[1];
    CHECK(REFUSED(bad.uuid = adder_soft.uuid, CX_ERROR_BUSY, "another CXU has this UUID"));
    /* After all that the builder has its ckernel, and destroys it. */
    CHECK(destroyed == 0);
    ckernel_builder_destruct(&builder);
    ckernel_builder_destruct(&empty);
    CHECK(destroyed == 1);
}

static cx_uuid_t running;
static pthread_barrier_t both;

/* Runs while another thread takes it away. */
static int waits(char *dst, const char *const *src, ckernel_prefix *extra, const ckernel_call *call) {
    (void)dst;
    (void)src;
    (void)call;
    (void)pthread_barrier_wait(&both);
    (void)pthread_barrier_wait(&both);
    CHECK(*((owned *)(void *)extra)->destroyed == 0);
    /* A piece of hardware issues nothing, and closes nothing. */
    CHECK(cx_issue(0, 0, 0) == 0);
    cx_close(cx_get_sel());
    CHECK(cx_last_error() == CX_ERROR_BUSY);
    return CKERNEL_OK;
}

static void *runs(void *argument) {
    cx_sel_t sel = cx_open(&running, cx_open_shared);
    (void)argument;
    cx_select(sel);
    (void)cx_issue(0, 0, 0);
    cx_select(cx_sel_builtin);
    cx_close(sel);
    return NULL;
}

static void withdrawn_while_it_runs(void) {
    ckernel_builder builder;
    cx_ckernel_command one;
    cx_ckernel_cxu cxu;
    pthread_t thread;
    int destroyed = 0;
    one = command(0, 0, none, none, build(&builder, waits, 0, &destroyed));
    cxu = cxu_of(4, &one, 1);
    running = cxu.uuid;
    CHECK(pthread_barrier_init(&both, NULL, 2) == 0);
    CHECK(cx_ckernel_register(&cxu) == CX_ERROR_NONE);
    CHECK(pthread_create(&thread, NULL, runs, NULL) == 0);
    (void)pthread_barrier_wait(&both);
    CHECK(cx_ckernel_withdraw(&running) == CX_ERROR_NONE && destroyed == 0);
    (void)pthread_barrier_wait(&both);
    CHECK(pthread_join(thread, NULL) == 0 && destroyed == 1);
    ckernel_builder_destruct(&builder);
    CHECK(destroyed == 1 && pthread_barrier_destroy(&both) == 0);
}

/* As many as a process can have; the ones before count. */
static void many(void) {
    int destroyed = 0, made = 0;
    uint64_t i;
    for (i = 0; i < 64; i++) {
        ckernel_builder builder;
        cx_ckernel_command one = command(0, 2, i16, i16, build(&builder, add, (int32_t)i, &destroyed));
        cx_ckernel_cxu cxu = cxu_of(100 + i, &one, 1);
        int error = cx_ckernel_register(&cxu);
        made += error == CX_ERROR_NONE;
        CHECK(error == CX_ERROR_NONE || (error == CX_ERROR_TABLE_FULL && SAYS("64 CXUs")));
        ckernel_builder_destruct(&builder);
    }
    CHECK(made == 60 && destroyed == 64 - made);
    /* Each has its own functions. */
    for (i = 0; i < (uint64_t)made; i++) {
        cx_uuid_t uuid = {77, 0};
        cx_sel_t sel;
        uuid.low = 100 + i;
        sel = cx_open(&uuid, cx_open_shared);
        cx_select(sel);
        CHECK(cx_issue(0, 1, 2) == 3 + i);
        cx_select(cx_sel_builtin);
        cx_close(sel);
        CHECK(cx_ckernel_withdraw(&uuid) == CX_ERROR_NONE);
    }
    CHECK(destroyed == 64);
}

int main(void) {
    stateless();
    stateful();
    refused();
    withdrawn_while_it_runs();
    many();
    printf("%d failures\n", failures);
    return failures != 0;
}
