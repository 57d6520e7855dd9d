/* Does as little as a library can: what is measured is the way there and back. */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

struct calls_box {
    int first;
};

static uint64_t noted;

uint64_t calls_number(uint64_t value)
{
    return value + 1;
}

uint64_t calls_work(uint64_t value)
{
    uint64_t state = value;
    for (int round = 0; round < 15000; round++)
        state = state * 6364136223846793005u + 1442695040888963407u;
    return value + 1 + (state == 1);
}

void calls_note(uint64_t first, uint64_t second)
{
    noted += first + second;
}

void calls_note_in_order(uint64_t first, uint64_t second)
{
    noted += first + second;
}

uint64_t calls_noted(void)
{
    return noted;
}

int calls_take(const void *bytes, size_t size)
{
    return size != 0 ? *(const unsigned char *)bytes : 0;
}

int calls_page(const void *from, void *to, size_t size)
{
    memcpy(to, from, size);
    return 0;
}

calls_box *calls_open(void)
{
    return calloc(1, sizeof(calls_box));
}

void calls_close(calls_box *box)
{
    free(box);
}

int calls_box_take(calls_box *box, const void *bytes, size_t size)
{
    box->first = calls_take(bytes, size);
    return box->first;
}
