/* A worker of the fallbacks that are linked into it. */
#include "cx_remote_cxu.h"

#include "bk.h"
#include "mulacc.h"
#include "own.h"
#include "plain.h"
#include "tile.h"

int main(int argc, char **argv)
{
    static const struct cx_soft_cxu *const CXUS[] = {
        &mulacc_soft_cxu, &bk_soft_cxu, &tile_soft_cxu, &own_soft_cxu, &plain_soft_cxu,
    };
    return cxr_cxu_worker_main(CXUS, sizeof CXUS / sizeof *CXUS, argc, argv);
}
