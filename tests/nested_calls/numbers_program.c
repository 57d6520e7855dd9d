/* Reads and sets `errno` around calls: prints the same natively and with the library in another process. */
#include "numbers.h"
#include <errno.h>
#include <stdio.h>

static int sets(int value, void *user) { (void)user; errno = 33; return value; }
static int calls(int value, void *user) { (void)user; int seen = errno; numbers_set(44); return (seen == value) * 10 + (errno == 44); }
static int sees(int value, void *user) { (void)user; return errno == value; }

static void show(int result) { printf(" %d/%d", result, errno); }

int main(void)
{
    static const numbers_cb all[] = { sets, calls, sees };
    printf("numbers");
    errno = 42, show(numbers_noop(1));
    errno = 42, show(numbers_set(7));
    show(numbers_set(0));
    errno = 5, show(numbers_noop(2));
    show(numbers_see());
    for (int n = 0; n < 5; n++) errno = n, show(numbers_see());
    numbers_set(2);
    printf("\ntext %s", numbers_text());
    errno = 9;
    printf(", %s\ncallbacks", numbers_text());
    for (int n = 0; n < 6; n++) errno = 1, show(numbers_call(all[n / 2], NULL, n % 2));
    for (int n = 0; n < 3; n++) errno = 1, show(numbers_raise(all[n], NULL, 20));
    printf("\nbuffers");
    errno = 6, show(numbers_buf("A", 1));
    show(numbers_buf("", 1));
    errno = 8, show(numbers_fails(0));
    show(numbers_fails(11));
    show(numbers_noop(3));
    numbers_void(3), show(0);
    printf("\n");
    return 0;
}
