#include "numbers.h"
#include <errno.h>
#include <string.h>

int numbers_noop(int value) { return value; }
int numbers_set(int value) { return errno = value; }
const char *numbers_text(void) { return strerror(errno); }

int numbers_call(numbers_cb function, void *user, int restore)
{
    int before = errno, result = function(before, user), seen = errno;
    if (restore) errno = before;
    return result * 100 + seen;
}

int numbers_raise(numbers_cb function, void *user, int value)
{
    errno = value;
    return function(value, user);
}

int numbers_buf(const char *text, int n)
{
    errno = text[0];
    return n;
}

int numbers_fails(int value)
{
    errno = value;
    return value ? -1 : 0;
}

void numbers_void(int value) { errno = value; }
int numbers_see(void) { return errno; }
