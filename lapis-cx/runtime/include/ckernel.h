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

#ifdef __cplusplus
}
#endif
#endif
