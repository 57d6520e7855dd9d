#include "p.h"
#include <stdio.h>

static p_node nodes[2];
static p_state state;

int main(void)
{
    int wrong = p_start(&state, &nodes[0], &nodes[1]);
    for (int n = 1; n <= 3000; n++) {
        state.count = n;
        wrong += p_look(&state) != n;
        wrong += state.node && state.node != &nodes[0] && state.node != &nodes[1];
    }
    wrong += p_stop(&state);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
