/* The C half: it makes the software CXU known, and accumulates on whatever MulAcc the caller has selected. */
#include "cx.h"
#include "mulacc.h"

int dot_register(void)
{
    return cx_soft_register(&mulacc_soft_cxu);
}

void dot_accumulate(const uint32_t *a, const uint32_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)mulacc_mulacc(a[i], b[i]);
    }
}
