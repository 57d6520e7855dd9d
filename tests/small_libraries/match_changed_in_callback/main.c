#include "p.h"

static int change(p_s *s) {
    s->kind = 1;
    return 0;
}

int main(void) { return p_run(change) != -3000; }
