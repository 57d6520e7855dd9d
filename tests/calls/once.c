/* One call: what a process with the library costs. */
#include "calls.h"

int main(void)
{
    return calls_number(1) == 2 ? 0 : 1;
}
