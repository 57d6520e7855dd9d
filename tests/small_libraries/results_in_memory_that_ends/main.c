#include <string.h>
#include "p.h"

int main(void) {
    p_counter counter;
    p_begin(&counter);
    for (int i = 1; i < 5; i++)
        p_add(&counter, i);
    if (counter.count != 4 || counter.total != 10)
        return 1;
    p_end(&counter);
    if (counter.count != -1 || counter.total != 20)
        return 2;
    p_store *store = p_open();
    static char bytes[2][41];
    for (int i = 0; i < 2; i++) {
        memset(bytes[i], i ? 'b' : '!', 40);
        /* The worker has the first bytes no longer, because the call fails there. */
        p_keep(store, bytes[i], 40);
        if (p_fill(bytes[i], 20) != 20 || strspn(bytes[i], "f") != 20 || strspn(bytes[i] + 20, i ? "b" : "!") != 20)
            return 3 + i;
    }
    p_close(store);
    return 0;
}
