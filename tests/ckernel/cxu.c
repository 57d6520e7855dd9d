/* The ckernels of an interface as the commands of a CXU, beside its fallback: the same random commands give both the same
 * results, flags and states. SET, SOFT and REGISTERS are as for the driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cx_ckernel.h"
#include "part.h"

static uint64_t seed = 0x9E3779B97F4A7C15u;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Small and large ones, and such that bits above xlen do not count. */
static cx_reg_t number(void)
{
    uint64_t value = next();
    switch (next() % 4) {
    case 0: return (cx_reg_t)(value % 8);
    case 1: return (cx_reg_t)(0 - value % 8);
    default: return (cx_reg_t)value;
    }
}

static void fail(const char *what, unsigned long line)
{
    printf("%lu: %s: %s\n", line, what, cx_last_error_string());
    exit(1);
}
#define MUST(x) ((x) ? (void)0 : fail(#x, __LINE__))

enum { MOST = 1024, WORDS = 1 + 1023 };

int main(void)
{
    static cx_ckernel_command commands[MOST];
    static ckernel_builder builders[MOST];
    static cx_word_t image[WORDS], other[WORDS];
    size_t count = 0;
    cx_uuid_t uuid = SOFT.uuid;
    uuid.low ^= 1;
    cx_ckernel_cxu cxu = {.abi_version = CKERNEL_ABI_VERSION, .struct_size = sizeof cxu, .uuid = uuid, .xlen = CX_XLEN,
        .sharing = SOFT.sharing, .flags = SOFT.flags, .state_words = SOFT.state_words, .name = SOFT.name,
        .commands = commands};
    MUST(SOFT.state_words < WORDS);
    if (SOFT.state_words) {
        void *state = aligned_alloc(64, (SOFT.state_size + 63) / 64 * 64);
        MUST(state);
        memset(state, 0, SOFT.state_size);
        SOFT.init(state);
        SOFT.save(state, image);
        free(state);
        cxu.reset = image + 1;
    }
    for (uint32_t i = 0; i < SET.count; i++) {
        const ckernel_command *command = &SET.commands[i];
        if ((SOFT.flags & CX_SOFT_STATE_CONTEXT) && command->id >= 1020) continue;
        cx_ckernel_command *to = &commands[count];
        *to = (cx_ckernel_command){.function = command->id, .operands = command->operands, .result = command->result,
            .ckb = &builders[count]};
        memcpy(to->operand, command->operand, sizeof to->operand);
        for (uint32_t k = 0; k < command->operands; k++) to->place[k] = (uint8_t)(REGISTERS[i][k] + 1);
        ckernel_builder_construct(to->ckb);
        MUST(ckernel_make(to->ckb, 0, &SET, command->name, CKERNEL_SINGLE, NULL, 0) > 0);
        count++;
    }
    cxu.count = count;
    MUST(cx_soft_register(&SOFT) == 0 && cx_ckernel_register(&cxu) == 0);
    for (size_t i = 0; i < count; i++) ckernel_builder_destruct(commands[i].ckb);
    cx_open_flags flags = SOFT.sharing == CX_SHARING_EXCLUSIVE ? cx_open_exclusive : cx_open_shared;
    cx_sel_t soft = cx_open(&SOFT.uuid, flags), made = cx_open(&uuid, flags);
    MUST(soft > 0 && made > 0);
    for (unsigned long turn = 0; turn < 20000; turn++) {
        uint32_t function = count && next() % 16 ? commands[next() % count].function : (uint32_t)(1018 + next() % 6);
        function = CX_WITH_IMMEDIATE(function, next() & 0xFFFF);
        cx_reg_t a = number(), b = number();
        /* Seldom off, and on again. */
        if ((function & 0xFFFF) == 1022 && a % 4 == 0 && next() % 8) a |= 3;
        cx_select(soft);
        cx_status_write(0);
        cx_reg_t want = cx_issue(function, a, b);
        uint32_t want_status = cx_status_write(0);
        cx_select(made);
        cx_reg_t found = cx_issue(function, a, b);
        uint32_t found_status = cx_status_write(0);
        if (want != found || want_status != found_status) {
            printf("command %u (%llx, %llx): %llx flags %x, and not %llx flags %x\n", function & 0xFFFFu,
                (unsigned long long)a, (unsigned long long)b, (unsigned long long)found, found_status,
                (unsigned long long)want, want_status);
            return 1;
        }
        if (turn % 16 == 0) {
            size_t size = cx_save(NULL, 0);
            MUST(cx_save(image, sizeof image) == size);
            cx_select(soft);
            MUST(cx_save(other, sizeof other) == size);
            if (memcmp(image, other, size) != 0) {
                printf("turn %lu, command %u: the states differ\n", turn, function & 0xFFFFu);
                return 1;
            }
            /* Sometimes the states change places. */
            if (turn % 64 == 0) {
                cx_restore(image, size);
                cx_select(made);
                cx_restore(other, size);
            }
        }
    }
    cx_select(made);
    MUST(cx_ckernel_withdraw(&uuid) == 0);
    MUST(cx_issue(count ? commands[0].function : 0, 1, 1) == 0 && cx_status_read() == CX_STATUS_IC);
    cx_close(made);
    cx_close(soft);
    printf("%zu commands\n", count);
    return 0;
}
