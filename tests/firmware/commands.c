/* Commands as instructions, which trap in a process: the handler of SIGILL gives them to the machine. Each is held against what
 * the oracle says. There is no C library and no operating system but for three calls. */
#include "cx.h"

#include "vectors.h"

typedef unsigned long word;

static word call(word number, word a, word b, word c, word d)
{
    register word a0 __asm__("a0") = a;
    register word a1 __asm__("a1") = b;
    register word a2 __asm__("a2") = c;
    register word a3 __asm__("a3") = d;
    register word a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
    return a0;
}

static void leave(word code)
{
    call(93, code, 0, 0, 0);
    for (;;) {
    }
}

static void say(const char *text)
{
    word length = 0;
    while (text[length] != 0) {
        length++;
    }
    call(64, 1, (word)text, length, 0);
}

static void say_number(uint64_t number)
{
    const uint32_t halves[2] = {(uint32_t)(number >> 32), (uint32_t)number};
    char text[18];
    unsigned digit;
    for (digit = 0; digit < 16; digit++) {
        text[digit] = "0123456789abcdef"[halves[digit / 8] >> (28u - digit % 8 * 4) & 15u];
    }
    text[16] = ' ';
    text[17] = 0;
    say(text);
}

/* What the kernel gives to a handler of a signal, up to the registers: pc, then x1 to x31. */
struct context {
    word flags;
    void *link;
    word stack[3];
    unsigned char mask[128];
    cx_word_t registers[32] __attribute__((aligned(16)));
};

static unsigned traps;

static void on_trap(int signal, void *information, struct context *context)
{
    cx_word_t pc = context->registers[0];
    (void)signal;
    (void)information;
    context->registers[0] = 0;
    traps++;
    if (!cx_trap(context->registers, &pc, cx_machine_fetch((const void *)pc))) {
        say("not an instruction of the machine\n");
        leave(2);
    }
    context->registers[0] = pc;
}

/* One instruction, with rd and rs1 in a0 and rs2 in a1; and `ret`. The page is its own. */
static uint32_t code[1024] __attribute__((aligned(4096))) = {0, 0x00008067u};

static cx_word_t issue(uint32_t instruction, cx_word_t rs1, cx_word_t rs2)
{
    union {
        uint32_t *words;
        cx_word_t (*function)(cx_word_t, cx_word_t);
    } at;
    at.words = code;
    *(volatile uint32_t *)code = instruction;
    __asm__ volatile(".word 0x0000100F" : : : "memory"); /* fence.i, which not every assembler has without a name for it */
    return at.function(rs1, rs2);
}

static unsigned failures;

static void expect(const struct cx *cx, unsigned vector, const char *what, uint64_t found, uint64_t wanted)
{
    if (found != wanted && failures++ < 10) {
        say(cx->name);
        say(" ");
        say_number(vector);
        say(what);
        say_number(found);
        say_number(wanted);
        say("\n");
    }
}

static void check(const struct cx *cx)
{
    static cx_word_t image[IMAGE_WORDS];
    const cx_word_t *at = cx->words;
    const cx_sel_t sel = cx_open(cx->uuid, cx->flags);
    const size_t bytes = cx->image_words * sizeof(cx_word_t);
    unsigned vector, word_of;
    expect(cx, 0, ": open ", cx_sel_is_cx(sel), 1);
    for (vector = 0; vector < cx->vectors; vector++) {
        const cx_word_t instruction = at[0], rs1 = at[1], rs2 = at[2], rd = at[3], status = at[4];
        const cx_word_t *before = at + 5, *after = before + cx->image_words;
        cx_word_t found;
        const unsigned trapped = traps;
        at = after + cx->image_words;
        cx_select(sel);
        for (word_of = 0; word_of < cx->image_words; word_of++) {
            image[word_of] = before[word_of];
        }
        cx_restore(image, bytes);
        expect(cx, vector, ": restore ", (uint64_t)(uint32_t)cx_last_error(), 0);
        cx_status_write(0);
        found = issue((uint32_t)instruction, rs1, rs2);
        expect(cx, vector, ": traps ", traps, trapped + 2u);
        expect(cx, vector, ": rd ", found, (instruction & 0x7Fu) == 0x5Bu ? rs1 : rd);
        expect(cx, vector, ": cx_status ", cx_status_read(), status);
        expect(cx, vector, ": save ", cx_save(image, sizeof(image)), bytes);
        for (word_of = 0; word_of < cx->image_words; word_of++) {
            expect(cx, vector, ": state ", image[word_of], after[word_of]);
        }
    }
    cx_close(sel);
}

void run(void);
void run(void)
{
    static const struct {
        void (*handler)(int, void *, struct context *);
        word flags;
        word mask[2];
    } action = {on_trap, 4, {0, 0}};
    unsigned place;
    call(134, 4, (word)&action, 0, 8);
    for (place = 0; place < sizeof(cxs) / sizeof(cxs[0]); place++) {
        check(&cxs[place]);
    }
    say_number(traps);
    say(failures == 0 ? "traps, all as the oracle says\n" : "traps\n");
    leave(failures != 0);
}

__asm__(".globl _start\n"
        "_start:\n"
        "    andi sp, sp, -16\n"
        "    call run\n");

/* What compilers call for loops. */
void *memset(void *to, int byte, size_t count);
void *memset(void *to, int byte, size_t count)
{
    volatile unsigned char *target = (volatile unsigned char *)to;
    while (count-- != 0) {
        *target++ = (unsigned char)byte;
    }
    return to;
}

void *memcpy(void *to, const void *from, size_t count);
void *memcpy(void *to, const void *from, size_t count)
{
    volatile unsigned char *target = (volatile unsigned char *)to;
    const unsigned char *source = (const unsigned char *)from;
    while (count-- != 0) {
        *target++ = *source++;
    }
    return to;
}

#if CX_XLEN == 32
/* And for shifts of 64 bits, which a library of the compiler has for firmware. */
uint64_t __ashldi3(uint64_t value, int count);
uint64_t __ashldi3(uint64_t value, int count)
{
    union {
        uint32_t words[2];
        uint64_t whole;
    } to;
    to.whole = value;
    while (count-- > 0) {
        to.words[1] = to.words[1] << 1 | to.words[0] >> 31;
        to.words[0] <<= 1;
    }
    return to.whole;
}

uint64_t __lshrdi3(uint64_t value, int count);
uint64_t __lshrdi3(uint64_t value, int count)
{
    union {
        uint32_t words[2];
        uint64_t whole;
    } to;
    to.whole = value;
    while (count-- > 0) {
        to.words[0] = to.words[0] >> 1 | to.words[1] << 31;
        to.words[1] >>= 1;
    }
    return to.whole;
}
#endif
