/* Software CXUs whose commands are ckernels: of another language, of another library, or bound and composed ones. C11 and
 * C++17; for ctypes too. */
#ifndef CX_CKERNEL_H
#define CX_CKERNEL_H

#include "ckernel.h"
#include "cx.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where an operand comes from. */
#define CX_PLACE_RS1 1
#define CX_PLACE_RS2 2       /* also the immediate of a command with one register */
#define CX_PLACE_IMMEDIATE 3 /* of CX_WITH_IMMEDIATE, beside two registers */

/* A command. Its ckernel is a CKERNEL_SINGLE, as a set of a generated file has them: an address for each operand, one for
 * the result, and a call with an error slot and, if the CXU has a state, an image of it. A positive status is the command's
 * response (CX_RESPONSE_*), so it sets a flag of cx_status; a negative one counts as CX_RESPONSE_CXU. The text of an error
 * goes nowhere, as a command has no place for it; its code goes to bits 31:24 of the status word if the response is
 * CX_RESPONSE_CUSTOM. */
typedef struct cx_ckernel_command {
    uint32_t function; /* 0 to 1023; with CX_SOFT_STATE_CONTEXT to 1019 */
    uint32_t operands; /* 0 to 3 */
    ckernel_type result; /* kind 0: there is none. No type is wider than xlen */
    ckernel_type operand[3];
    uint8_t place[4]; /* CX_PLACE_* for each operand; 0: each has its own, in this order. The last one is 0 */
    void *ckb;        /* a ckernel_builder with the ckernel at its beginning */
} cx_ckernel_command;

/* The CXU. Its state is an image, which each call begins in and leaves: the state that a ckernel was made with plays no
 * part. The status word is kept here: it is `dirty` after a call that changed a word, and if the state is `off`, commands
 * are answered with CX_RESPONSE_OFF. */
typedef struct cx_ckernel_cxu {
    uint32_t abi_version; /* CKERNEL_ABI_VERSION */
    uint32_t struct_size; /* sizeof(cx_ckernel_cxu) */
    cx_uuid_t uuid;
    uint8_t contract[32]; /* SHA-256 of the contract; 0 if there is none */
    uint32_t xlen;        /* CX_XLEN of the ckernels */
    uint32_t sharing;     /* CX_SHARING_* */
    uint32_t flags;       /* CX_SOFT_*. With CX_SOFT_STATE_CONTEXT commands 1020 to 1023 are there: they read and write the image */
    uint32_t state_words; /* words of state, the status word not counted; 0 without state */
    const char *name;     /* for messages; may be null */
    const void *reset;    /* state_words words of xlen bits; null: zeros */
    const cx_ckernel_command *commands;
    size_t count;
} cx_ckernel_cxu;

/* Makes such a CXU known to all threads. All that the structure leads to is copied. Returns CX_ERROR_NONE, or fault (null or
 * misaligned), invalid (cx_last_error_string() says what), busy (another CXU has this UUID), table full (64 were registered,
 * those that were withdrawn too), no memory.
 *
 * On success the ckernels belong to the CXU, and the builders are as new ones; on failure the builders have them as before.
 * So whoever destructs the builders in either case has each ckernel destroyed once: by the builder, or by
 * cx_ckernel_withdraw. A CXU that is never withdrawn keeps its ckernels until the process ends.
 *
 * Commands run on any thread, on many at once, so the ckernels must be such that they can. Their functions call no CX
 * function: from inside of one cx_close, cx_save and cx_restore fail with busy, and commands are answered with
 * CX_RESPONSE_CXU. */
int cx_ckernel_register(const cx_ckernel_cxu *cxu);

/* Takes it away again: from all threads, also where it is open. A command to it returns 0 and sets CX_STATUS_IC, to open it is
 * `no device`, and its UUID is free. Its ckernels are destroyed: when this returns, or, if some run at this moment, by the
 * thread in which the last one ends. Returns CX_ERROR_NONE, fault (null), no device (no such CXU), invalid (it is not one of
 * ckernels). */
int cx_ckernel_withdraw(const cx_uuid_t *puuid);

#ifdef __cplusplus
}
#endif
#endif
