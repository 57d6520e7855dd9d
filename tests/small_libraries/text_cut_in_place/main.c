#include "p.h"
#include <string.h>

static void cut(char *text) {
    for (; *text; text++)
        if (*text == ',')
            *text = 0;
}

int main(void) {
    char text[] = "a,bb,,ccc", *parts[8];
    if (p_split(text, ',', parts, 8) != 4 || memcmp(text, "a\0bb\0\0ccc", sizeof text) != 0)
        return 1;
    if (parts[0] != text || parts[1] != text + 2 || strcmp(parts[1], "bb") != 0 || strcmp(parts[2], "") != 0 ||
        strcmp(parts[3], "ccc") != 0)
        return 2;
    char blanks[] = "  some text  ";
    if (strcmp(p_trim(blanks), "some text") != 0 || blanks[11] != 0 || blanks[12] != 0)
        return 3;
    int numbers[] = {1, 0, 2, 3, 0, 4, -1}, split[] = {2, -1, 4, 6, -1, 8, -1};
    if (p_split_numbers(numbers) != 3 || memcmp(numbers, split, sizeof split) != 0)
        return 4;
    char half[16] = "abcdefgh";
    p_halve(half, sizeof half);
    if (memcmp(half, "abcd\0zzz", 9) != 0)
        return 5;
    static char kept[] = "left,right";
    p_keep(kept);
    if (p_cut_kept(kept) != 1 || memcmp(kept, "left\0!ight", sizeof kept) != 0)
        return 6;
    return p_sum(cut) == 346 ? 0 : 7;
}
