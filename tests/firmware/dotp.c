/* Dot products by two libraries that share one state context, the interface's other commands, and what the machine says of
 * itself. It prints the same on a board and on a computer. */
#include "cx.h"

#include "bk.h"
#include "mulacc.h"
#include "org_example_firmware__Board_machine.h"
#include "start.h"

#define COUNT 16u

static void say(const char *text)
{
    while (*text != 0) {
        say_byte(*text++);
    }
}

static void say_number(uint64_t number)
{
    /* By halves: a shift of 64 bits would need a library where registers have 32. */
    const uint32_t halves[2] = {(uint32_t)(number >> 32), (uint32_t)number};
    unsigned digit;
    for (digit = 0; digit < 16; digit++) {
        say_byte("0123456789abcdef"[halves[digit / 8] >> (28u - digit % 8 * 4) & 15u]);
    }
    say_byte(' ');
}

/* A library: it works with the CX, or without. */
struct library {
    cx_sel_t sel;
    cx_word_t total;
};

static void open_library(struct library *library)
{
    library->sel = cx_open(&mulacc_uuid, cx_open_exclusive);
    library->total = 0;
}

static cx_word_t add(struct library *library, cx_word_t a, cx_word_t b)
{
    if (cx_sel_is_cx(library->sel)) {
        const cx_sel_t outer = cx_select(library->sel);
        const cx_word_t total = mulacc_mulacc(a, b);
        cx_select(outer);
        return total;
    }
    library->total += a * b;
    return library->total;
}

static void say_counters(void)
{
    struct cx_counters counters;
    cx_read_counters(&counters);
    say_number(counters.traps);
    say_number(counters.swaps);
    say_number(counters.saved_bytes);
    say_number(counters.loaded_bytes);
    say("counters\n");
}

static void say_status(const char *what)
{
    say_number(cx_status_write(0));
    say_number((uint64_t)(uint32_t)cx_last_error());
    say(what);
    say("\n");
}

#if CX_ON_HART
/* Gives a command under built-in, which is an instruction that no hart has here, the answer that computers give. */
void cx_machine_other_trap(struct cx_trap_frame *frame, cx_word_t cause, cx_word_t value)
{
    const uint32_t instruction = cx_machine_fetch((const void *)(uintptr_t)frame->pc);
    (void)value;
    if (cause != 2u || (instruction & 0x7Fu) != 0x0Bu || cx_get_sel() != cx_sel_builtin) {
        say("unexpected trap\n");
        for (;;) {
        }
    }
    frame->regs[instruction >> 7 & 31u] = 0;
    frame->pc += 4;
    (void)cx_status_write(cx_status_read() | CX_STATUS_IF);
}
#endif

void run(void)
{
    struct library one, two;
    cx_word_t i, seed = 1, image[2];
    cx_sel_t bits, stale;
#if CX_ON_HART
    cx_machine_install();
#endif
    say_number((uint64_t)cx_get_sel());
    open_library(&one);
    open_library(&two);
    say_number(cx_sel_is_cx(one.sel) && cx_sel_is_cx(two.sel) && one.sel != two.sel);
    for (i = 0; i < COUNT; i++) {
        seed = seed * 1103515245u + 12345u;
        say_number(add(&one, seed >> 8, i));
        say_number(add(&two, seed >> 4, i + 3u));
    }
    say("\n");
    say_counters();
    /* The state as an image. */
    cx_select(one.sel);
    say_number(cx_save(NULL, 0));
    say_number(cx_save(image, sizeof(image)));
    say_number(image[0]);
    say_number(image[1]);
    image[1] = 5;
    cx_restore(image, sizeof(image));
    say_number(mulacc_mulacc(2, 3));
    say_number(mulacc_read_status());
    say_status("image");
    /* Another CX, without state. */
    bits = cx_open(&bk_uuid, cx_open_shared);
    cx_select(bits);
    say_number(bk_popcnt(0x12345678u));
    say_number(bk_divchk(7u, 0u));
    say_status("stateless");
    /* What goes wrong. */
    say_number((uint64_t)(uint32_t)cx_open(&mulacc_uuid, cx_open_shared));
    say_status("permission");
    cx_select(cx_sel_builtin);
    say_number(mulacc_mulacc(1, 2));
    say_status("built-in");
    cx_select(cx_sel_invalid);
    say_number(mulacc_mulacc(1, 2));
    say_status("invalid");
    stale = two.sel;
    cx_close(two.sel);
    cx_select(stale);
    say_number(mulacc_mulacc(1, 2));
    say_number((uint64_t)(uint32_t)cx_get_sel() & 0x3FFu);
    say_status("stale");
    cx_close(stale);
    say_status("bad selector");
    cx_close(one.sel);
    cx_close(bits);
    say_counters();
}
