/* Where qemu's machine `virt` starts, without an operating system: a stack, zeroed memory, the UART and the device that ends
 * qemu. */
#include <stddef.h>
#include <stdint.h>

#include "start.h"

__asm__(".section .init, \"ax\", @progbits\n"
        ".globl _start\n"
        "_start:\n"
        ".option push\n"
        ".option norelax\n"
        "    la gp, __global_pointer$\n"
        ".option pop\n"
        "    la sp, stack_top\n"
        "    la t0, bss_begin\n"
        "    la t1, bss_end\n"
        "1:  bgeu t0, t1, 2f\n"
        "    sw zero, 0(t0)\n"
        "    addi t0, t0, 4\n"
        "    j 1b\n"
        "2:  call run\n"
        "    li t0, 0x100000\n"
        "    li t1, 0x5555\n"
        "    sw t1, 0(t0)\n"
        "3:  j 3b\n"
        ".text\n");

void say_byte(char byte)
{
    volatile uint8_t *uart = (volatile uint8_t *)0x10000000u;
    while ((uart[5] & 0x20u) == 0) {
    }
    *uart = (uint8_t)byte;
}

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
