/* The builder of ckernels, and ckernels over ckernels. C11 and C++17; also for ctypes: each function here is a symbol of the
 * runtime's libraries. None of them unwinds, and none ends the program for want of memory. */
#ifndef CKERNEL_H
#define CKERNEL_H

#include "ckernel_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory in which a ckernel is built, children behind their parents. It stays where it was constructed.
 *
 * m_data points to m_capacity bytes, aligned to a pointer; the root ckernel is at its beginning. Small ones fit m_static_data.
 * m_data changes when the builder grows, so a factory keeps offsets, and asks m_data again after each call that may grow.
 * What has not been written yet is 0: a ckernel that was not made has a null destructor. */
typedef struct ckernel_builder {
    intptr_t *m_data;
    intptr_t m_capacity;
    intptr_t m_static_data[16];
} ckernel_builder;

/* Constructs a builder in memory of 18 pointers, aligned to one. */
void ckernel_builder_construct(void *ckb);
/* Destroys the root ckernel, which destroys its children, and frees what the builder owns. Once destructed, a builder has
 * no memory: destructing it again does nothing, and ckernel_builder_reset makes it a new one. */
void ckernel_builder_destruct(void *ckb);
/* As destructed and newly constructed. */
void ckernel_builder_reset(void *ckb);
/* Makes m_capacity at least `requested_capacity`. What was there is moved, as by memcpy, and what is new is 0. Returns 0; on
 * failure -1, and all is as it was. */
int ckernel_builder_ensure_capacity_leaf(void *ckb, intptr_t requested_capacity);
/* The same with sizeof(ckernel_prefix) more, for a ckernel that will have a child behind it: until the child is made, there
 * is one that needs no care. */
int ckernel_builder_ensure_capacity(void *ckb, intptr_t requested_capacity);

/* The ckernel that is `offset` bytes into a builder. */
static inline ckernel_prefix *ckernel_at(const ckernel_builder *ckb, intptr_t offset)
{
    return (ckernel_prefix *)(void *)((char *)ckb->m_data + offset);
}

/* ---- ckernels of commands, and of other ckernels ----
 * Each of these puts a ckernel at `offset`, a multiple of a pointer's size, and returns the offset behind it, which is above 0.
 * On failure it returns CKERNEL_NO_MEMORY or CKERNEL_INVALID; then ckernel_builder_reset or _destruct destroys what is there,
 * each ckernel once. `kind` is CKERNEL_SINGLE or CKERNEL_STRIDED. */

/* The command `name` of a set. It begins in the state of `image`, or, if that is null, in the reset state. Invalid: there is no
 * such command, the set is of another ABI, or the image is not one of its state. */
intptr_t ckernel_make(void *ckb, intptr_t offset, const ckernel_set *set, const char *name, int kind, const void *image,
    intptr_t image_size);

#define CKERNEL_MOST_OPERANDS 8

/* A ckernel that gives its child one operand, always the same: of the child's `operands` the one at `at` is the `size` bytes at
 * `value`, of which there is a copy then. The others are operands of the whole, in their order. The child is to be made next, of
 * the same kind, at the offset that is returned; it is the parent's from then on. State and errors are the child's. Invalid:
 * more than 8 operands, or bytes. */
intptr_t ckernel_bind(void *ckb, intptr_t offset, int kind, uint32_t operands, uint32_t at, const void *value, intptr_t size);

typedef struct ckernel_composition {
    uint32_t inner_operands;
    uint32_t outer_operands;
    uint32_t at;          /* which operand of the outer one is the result of the inner one */
    ckernel_type from;    /* the result of the inner one */
    ckernel_type to;      /* the operand that it becomes; of another size it is extended, by its own sign, or cut */
    intptr_t inner_state; /* bytes of an image of the inner one's state; 0 without */
    intptr_t outer_state;
} ckernel_composition;

/* outer(..., inner(...), ...): a ckernel whose operands are those of the outer one, with those of the inner one in the place of
 * number `at`. Its image is that of the inner state and, behind it, that of the outer one. Both children are strided ckernels,
 * whatever `kind` the whole is:
 *
 *     intptr_t inner = ckernel_compose_begin(ckb, offset, kind, &what);
 *     intptr_t end = ckernel_make(ckb, inner, ..., CKERNEL_STRIDED, ...);
 *     intptr_t outer = ckernel_compose_outer(ckb, offset, end);
 *     end = ckernel_make(ckb, outer, ..., CKERNEL_STRIDED, ...);
 *
 * An element at which the inner one fails does not reach the outer one: what is at its index is left as it was. Invalid: more
 * than 8 operands, or what has no meaning. */
intptr_t ckernel_compose_begin(void *ckb, intptr_t offset, int kind, const ckernel_composition *what);
intptr_t ckernel_compose_outer(void *ckb, intptr_t offset, intptr_t end);

/* All of that for two commands, which begin in their reset states. */
intptr_t ckernel_compose(void *ckb, intptr_t offset, int kind, const ckernel_set *outer_set, const char *outer, uint32_t at,
    const ckernel_set *inner_set, const char *inner);

#ifdef __cplusplus
}
#endif
#endif
