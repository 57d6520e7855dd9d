#include "room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct room_hall {
    room_tell tell;
    void *user;
};

static int64_t sum;

int room_is_shared(const void *bytes, size_t n)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    int is_shared = -1;
    char line[1024];
    unsigned long begin, end, first = (unsigned long)(uintptr_t)bytes;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && begin <= first && first + n <= end)
            is_shared = strstr(line, "memfd:lapis-cx") != NULL;
    if (maps != NULL)
        fclose(maps);
    return is_shared;
}

int room_are_shared(const void *first, size_t n, const void *second, size_t m)
{
    return (first != NULL && room_is_shared(first, n) == 1) | (second != NULL && room_is_shared(second, m) == 1) << 1;
}

int room_copy(const void *from, void *to, size_t n, size_t writes)
{
    if (writes > n)
        return -1;
    memcpy(to, from, writes);
    return 0;
}

void room_put(const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum += ((const unsigned char *)bytes)[i];
}

int64_t room_sum(void)
{
    return sum;
}

room_hall room_open(void)
{
    return calloc(1, sizeof(struct room_hall));
}

int room_close(room_hall hall)
{
    free(hall);
    return 0;
}

int room_hear(room_hall hall, room_tell tell, void *user)
{
    hall->tell = tell;
    hall->user = user;
    return 0;
}

int room_turn(room_hall hall, uint32_t *cells, size_t n)
{
    for (size_t i = 0; i < n / 2; i++)
        cells[i]++;
    int told = hall->tell != NULL ? hall->tell((int)n, hall->user) : 0;
    for (size_t i = n / 2; i < n; i++)
        cells[i]++;
    return told;
}
