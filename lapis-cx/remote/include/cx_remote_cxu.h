/* Software CXUs in another process: an interface of which the CXU, with its states, is in a worker. A program gets descriptors and
 * registers them with the runtime; all else it does by the CX API, as with any CXU. Linux, 64 bits; C11 and C++17.
 *
 *     cxr_cxus *cxus;
 *     const struct cx_soft_cxu *cxu;
 *     if (cxr_cxu_connect("unix:/run/user/1000/cx/socket", &cxus) != CXR_CXU_OK ||
 *         cxr_cxu_find(cxus, &mulacc_uuid, CX_XLEN, mulacc_contract, &cxu) != CXR_CXU_OK)
 *         fprintf(stderr, "%s\n", cxr_cxu_error());
 *     else
 *         cx_soft_register(cxu);
 */
#ifndef CX_REMOTE_CXU_H
#define CX_REMOTE_CXU_H

#include <stddef.h>
#include <stdint.h>

#include "cx_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CXR_CXU_OK 0
#define CXR_CXU_FAULT 1     /* a pointer is null */
#define CXR_CXU_REACH 2     /* the text does not say how to reach a worker */
#define CXR_CXU_NO_WORKER 3 /* it does not start, nobody listens there, or it ended */
#define CXR_CXU_REFUSED 4   /* it serves no such guest: it has no CXUs, speaks another version, or is another user's */
#define CXR_CXU_ANSWER 5    /* what it says of its CXUs has no meaning */
#define CXR_CXU_ABSENT 6    /* it has no such CXU */
#define CXR_CXU_CONTRACT 7  /* its CXU has another contract */
#define CXR_CXU_FULL 8      /* CXR_CXU_MOST descriptors are in use */

/* The most CXUs of other processes in one program. */
#define CXR_CXU_MOST 64

/* A connection to a worker. It stays until the process ends. */
typedef struct cxr_cxus cxr_cxus;

/* Connects to a worker. `reach` is "unix:PATH" for one that listens there, or "private:FILE", behind which arguments may stand after
 * blanks, for one that is started from that file and ends with the program. Returns CXR_CXU_OK; CXR_CXU_FAULT, _REACH, _NO_WORKER,
 * _REFUSED or _ANSWER, and *cxus is null. */
int cxr_cxu_connect(const char *reach, cxr_cxus **cxus);

/* How many CXUs the worker has, and each by its number: CXR_CXU_OK; CXR_CXU_FAULT, _ABSENT, _FULL or _ANSWER, and *cxu is null. A
 * descriptor stays until the process ends; to ask again gives the same.
 *
 * Of its commands: once the worker has ended each returns 0 and is answered with CX_RESPONSE_CXU; that is so too on a thread for which
 * there is no channel, of which 128 can be open at a time. CX_RESPONSE_STATE is answered if the worker has no state for it: there
 * was no room (CX_REMOTE_KEPT_BYTES), its memory was copied elsewhere, or the process was forked since. A child has a worker of its own, or
 * joins the one that listens, and opens its CXs anew, or restores images into those that it has. An image that is saved of a lost
 * state is all zero: cx_restore refuses it, and a CXU that takes it is off. */
size_t cxr_cxu_count(const cxr_cxus *cxus);
int cxr_cxu_at(const cxr_cxus *cxus, size_t index, const struct cx_soft_cxu **cxu);

/* The CXU for an interface at an XLEN, mostly CX_XLEN. With a `contract`, of 32 bytes as generated headers have it, it must have that
 * one; NULL takes any. As cxr_cxu_at, and CXR_CXU_CONTRACT. */
int cxr_cxu_find(const cxr_cxus *cxus, const cx_uuid_t *uuid, uint32_t xlen, const uint8_t *contract,
                 const struct cx_soft_cxu **cxu);

/* Why the last of these functions failed on this thread, in words; empty if it did not. Never null; it stays until the next. */
const char *cxr_cxu_error(void);

/* The main function of a worker with these CXUs: it serves the program that started it, or with `--listen PATH` all of the same user
 * that connect there. Each guest has states of its own. Returns what main returns; what stands against it is said on standard error.
 * cx-cxu-worker is such a worker for generated fallbacks in shared libraries. */
int cxr_cxu_worker_main(const struct cx_soft_cxu *const *cxus, size_t count, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
