/* Software CXUs in another process: a worker has the CXU of an interface and its states. A program gets descriptors, registers them with
 * the runtime, and then uses the CX API as with any CXU. Linux, 64 bits; C11 and C++17.
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
#define CXR_CXU_REACH 2     /* `reach` is neither "unix:PATH" nor "private:FILE" */
#define CXR_CXU_NO_WORKER 3 /* the worker does not start, does not listen there, or ended */
#define CXR_CXU_REFUSED 4   /* the worker refused the guest: it serves no CXUs, has another version, or belongs to another user */
#define CXR_CXU_ANSWER 5    /* the worker's list of CXUs is malformed */
#define CXR_CXU_ABSENT 6    /* the worker has no such CXU */
#define CXR_CXU_CONTRACT 7  /* the worker's CXU has another contract */
#define CXR_CXU_FULL 8      /* CXR_CXU_MOST descriptors are in use */

/* The maximum number of descriptors in one program. */
#define CXR_CXU_MOST 64

/* A connection to a worker. It lasts until the process ends. */
typedef struct cxr_cxus cxr_cxus;

/* Connects to a worker. With "unix:PATH" as `reach`, that is the worker that listens at PATH; with "private:FILE ARGUMENTS", this function
 * starts FILE with these arguments, separated by blanks, and the worker ends with the program. Returns CXR_CXU_OK, or stores a null
 * pointer in *cxus and returns CXR_CXU_FAULT, _REACH, _NO_WORKER, _REFUSED or _ANSWER. */
int cxr_cxu_connect(const char *reach, cxr_cxus **cxus);

/* Returns the number of CXUs of the worker. */
size_t cxr_cxu_count(const cxr_cxus *cxus);

/* Stores the descriptor of the CXU with this index in *cxu and returns CXR_CXU_OK, or stores a null pointer and returns CXR_CXU_FAULT,
 * _ABSENT, _FULL or _ANSWER. A descriptor is valid until the process ends. Each index has one descriptor.
 *
 * A command returns 0 with CX_RESPONSE_CXU if the worker ended, or if the thread gets no channel: 128 can be open at a time. It returns
 * CX_RESPONSE_STATE if the worker has no state for it: the memory limit CX_REMOTE_KEPT_BYTES was reached, the memory of the state was
 * copied to another address, or the process was forked since the state was made. The child of a fork starts its own worker, or
 * connects to the worker that listens. It must open its CXs again, or restore images into the CXs that it has. The saved image of a
 * lost state is all zero. cx_restore rejects it, and a CXU that is restored from it is off. */
int cxr_cxu_at(const cxr_cxus *cxus, size_t index, const struct cx_soft_cxu **cxu);

/* Finds the CXU of an interface at an XLEN, usually CX_XLEN. Unless `contract` is NULL, the CXU must have this contract, whose 32 bytes
 * generated headers define. Same results as cxr_cxu_at, and CXR_CXU_CONTRACT. */
int cxr_cxu_find(const cxr_cxus *cxus, const cx_uuid_t *uuid, uint32_t xlen, const uint8_t *contract,
                 const struct cx_soft_cxu **cxu);

/* Returns a description of the error of the last function of this header that this thread called; an empty string if it succeeded. The
 * string is valid until the thread calls the next one. Never returns null. */
const char *cxr_cxu_error(void);

/* The main function of a worker with these CXUs. It serves the program that started it, or with `--listen PATH` all programs of the same
 * user that connect there. Each guest has separate states. Returns the exit status for main; errors are logged to standard error.
 * cx-cxu-worker is such a worker for generated fallbacks in shared libraries. */
int cxr_cxu_worker_main(const struct cx_soft_cxu *const *cxus, size_t count, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
