/* Custom instructions by hand, and the CX calling convention (CX API, "CX calling conventions" and "CX library examples"):
 * CX_CALL, CUSTOM0_R and CX_NAME_R. For code that has no header generated from a .cxspec file. It needs cx_abi.h and, off
 * RISC-V, something that has cx_issue. C11 and C++17, gcc and clang. */
#ifndef CX_INSN_H
#define CX_INSN_H

#include "cx_abi.h"

/* Behind the parameters of a function: it is of the CX calling convention, so it leaves the selection and the states of
 * shared CXs as they were. A compiler that has the attribute sees to that; with all others the function's author does, and
 * this is nothing. As an attribute it is the one of a type, in the brackets of C23 and C++11: unlike __attribute__ these may
 * stand there in definitions too. C11 has them after __extension__, in compilers of the time after C23. */
#ifndef CX_CALL
#ifdef __has_attribute
#if __has_attribute(riscv_cx_cc)
#ifdef __cplusplus
#define CX_CALL [[gnu::riscv_cx_cc]]
#else
#define CX_CALL __extension__ [[gnu::riscv_cx_cc]]
#endif
#endif
#endif
#ifndef CX_CALL
#define CX_CALL
#endif
#endif

/* The text is read by the compiler: these are constant expressions. The blanks keep all of it inside of the literal. */
#define CX_INSN_IS_(insn, at, what) (__builtin_memcmp(&(insn "                     ")[at], what, sizeof(what) - 1) == 0)
#define CX_INSN_IS_DIRECTIVE_(insn) CX_INSN_IS_(insn, 0, ".")

#define CX_INSN_PASTE_(a, b) CX_INSN_PASTED_(a, b)
#define CX_INSN_PASTED_(a, b) a##b
#ifdef __cplusplus
#define CX_INSN_ASSERT_ static_assert
#else
#define CX_INSN_ASSERT_ _Static_assert
#endif

/* CUSTOM0_R(insn, a, b) issues a command of form R to the selected CX, with the integers a and b in rs1 and rs2, and is rd,
 * as a cx_word_t. `insn` is a string literal, which names the command:
 * - ".insn r 0x0B, F3, F7", in just this spelling, with decimal numbers. The number of the command is F3 + 8 * F7.
 * - A mnemonic, which CX_NAME_R has named in this translation unit. On RISC-V any macro of the assembler does, and any
 *   instruction that it knows.
 *
 * CX_NAME_R("name", NUMBER); at file scope names the command with this number, 0 to 1023, a literal. The name is one of the
 * translation unit: headers can hold it.
 *
 * What is wrong stops the build. A spelling that this cannot read is a failed assertion, or an error of the assembler. A
 * mnemonic without a CX_NAME_R is one too, and off RISC-V an undefined symbol for the linker: cx_insn_ and the mnemonic.
 * That is also what gcc -flto says, which parts names from their uses: give it ".insn", or -fno-lto for that file. */
#define CUSTOM0_R(insn, a, b) CX_CUSTOM0_R_(insn, a, b, __COUNTER__)
#define CX_CUSTOM0_R_(insn, a, b, n) \
    CX_CUSTOM0_R_NAMED_(insn, a, b, CX_INSN_PASTE_(cx_rd_, n), CX_INSN_PASTE_(cx_rs1_, n), CX_INSN_PASTE_(cx_rs2_, n))
#if CX_ON_HART
/* Operands follow a mnemonic after a blank, what a directive begins after a comma. */
#define CX_CUSTOM0_R_NAMED_(insn, a, b, rd, rs1, rs2)                                                                    \
    __extension__({                                                                                                      \
        cx_word_t rd, rs1 = (cx_word_t)(a), rs2 = (cx_word_t)(b);                                                        \
        if (CX_INSN_IS_DIRECTIVE_(insn))                                                                                 \
            __asm__ volatile(insn ", %0, %1, %2" : "=r"(rd) : "r"(rs1), "r"(rs2));                                       \
        else                                                                                                             \
            __asm__ volatile(insn " %0, %1, %2" : "=r"(rd) : "r"(rs1), "r"(rs2));                                        \
        rd;                                                                                                              \
    })
#define CX_NAME_R(name, number)                                                                                          \
    __asm__(".macro " name " rd, rs1, rs2\n.insn r 0x0B, (" #number ") & 7, (" #number ") >> 3, \\rd, \\rs1, \\rs2\n"     \
            ".endm\n");                                                                                                  \
    CX_INSN_ASSERT_((number) >= 0 && (number) < 1024, "CX_NAME_R: commands are 0 to 1023")
#else
#define CX_CUSTOM0_R_NAMED_(insn, a, b, named, rs1, rs2)                                                                 \
    __extension__({                                                                                                      \
        CX_INSN_ASSERT_(!CX_INSN_IS_DIRECTIVE_(insn) || CX_INSN_IS_READ_(insn),                                          \
                        "CUSTOM0_R: write \".insn r 0x0B, F3, F7\", with F3 from 0 to 7 and F7 from 0 to 127");          \
        extern const uint32_t named __asm__("cx_insn_" insn);                                                            \
        cx_word_t rs1 = (cx_word_t)(a), rs2 = (cx_word_t)(b);                                                            \
        (cx_word_t)cx_issue(CX_INSN_IS_DIRECTIVE_(insn) ? CX_INSN_NUMBER_(insn) : named, rs1, rs2);                      \
    })
/* A constant with the mnemonic in its symbol, as a string cannot become a name in C. */
#define CX_NAME_R(name, number) CX_NAME_R_(name, number, __COUNTER__)
#define CX_NAME_R_(name, number, n)                                                                                      \
    static const uint32_t CX_INSN_PASTE_(cx_named_, n) __asm__("cx_insn_" name) __attribute__((used)) = (number);         \
    CX_INSN_ASSERT_((number) >= 0 && (number) < 1024, "CX_NAME_R: commands are 0 to 1023")

/* The digit there, 10 if there is none. */
#define CX_INSN_DIGIT_(insn, at)                                                                          \
    (CX_INSN_IS_(insn, at, "0") ? 0u : CX_INSN_IS_(insn, at, "1") ? 1u : CX_INSN_IS_(insn, at, "2") ? 2u  \
     : CX_INSN_IS_(insn, at, "3") ? 3u : CX_INSN_IS_(insn, at, "4") ? 4u : CX_INSN_IS_(insn, at, "5") ? 5u \
     : CX_INSN_IS_(insn, at, "6") ? 6u : CX_INSN_IS_(insn, at, "7") ? 7u : CX_INSN_IS_(insn, at, "8") ? 8u \
     : CX_INSN_IS_(insn, at, "9") ? 9u : 10u)
#define CX_INSN_F3_(insn) CX_INSN_DIGIT_(insn, 14)
/* With one, two or three digits. */
#define CX_INSN_F7_(insn)                                                                                          \
    (sizeof(insn) == 19   ? CX_INSN_DIGIT_(insn, 17)                                                               \
     : sizeof(insn) == 20 ? CX_INSN_DIGIT_(insn, 17) * 10 + CX_INSN_DIGIT_(insn, 18)                               \
                          : CX_INSN_DIGIT_(insn, 17) * 100 + CX_INSN_DIGIT_(insn, 18) * 10 + CX_INSN_DIGIT_(insn, 19))
#define CX_INSN_NUMBER_(insn) (CX_INSN_F3_(insn) | CX_INSN_F7_(insn) << 3)
#define CX_INSN_IS_READ_(insn)                                                                                     \
    (sizeof(insn) >= 19 && sizeof(insn) <= 21 && CX_INSN_IS_(insn, 0, ".insn r 0x0B, ") && CX_INSN_F3_(insn) < 8 &&  \
     CX_INSN_IS_(insn, 15, ", ") && CX_INSN_DIGIT_(insn, 17) < 10 &&                                               \
     (sizeof(insn) < 20 || CX_INSN_DIGIT_(insn, 18) < 10) && (sizeof(insn) < 21 || CX_INSN_DIGIT_(insn, 19) < 10) && \
     CX_INSN_F7_(insn) < 128)
#endif
#endif
