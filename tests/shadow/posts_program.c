/* Makes asynchronous calls, and prints their results once they are there. */
#include "posts.h"

#include <stdio.h>

int main(void)
{
    int numbers[8] = { 0 };
    posts_fill(numbers, 8);
    posts_wait();
    posts_add(numbers, 4);
    posts_wait();
    for (int i = 0; i < 8; i++) printf("%d ", numbers[i]);
    puts("");
    return 0;
}
