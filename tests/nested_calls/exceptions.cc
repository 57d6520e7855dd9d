// Exceptions that leave callbacks, and the calls of the library around them.
#include <cstdio>
#include <stdexcept>

extern "C" {
#include "nests.h"
}

static int throws(int value, void *user)
{
    *static_cast<int *>(user) += value;
    throw std::runtime_error("left");
}

static int catches(int value, void *user)
{
    try {
        nests_hook_number(throws, user, value, NESTS_HERE);
    } catch (const std::exception &) {
        return nests_number(value);
    }
    return -1;
}

int main()
{
    int seen = 0, caught = 0;
    for (int round = 0; round < 1000; round++) {
        try {
            nests_hook_number(throws, &seen, 1, NESTS_HERE);
        } catch (const std::exception &) {
            caught++;
        }
    }
    std::printf("caught %d, called %d\n", caught, seen);
    int nested = nests_hook_number(catches, &seen, 2, NESTS_HERE), after = nests_number(5);
    std::printf("nested %d, after %d, called %d\n", nested, after, seen);
}
