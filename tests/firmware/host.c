/* The same on a computer. */
#include <stdio.h>

#include "start.h"

void say_byte(char byte)
{
    putchar(byte);
}

int main(void)
{
    run();
    return 0;
}
