/* Passes each file of its arguments to the entry of libFuzzer. */
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    static uint8_t all[65536];
    for (int i = 1; i < argc; i++) {
        FILE *from = fopen(argv[i], "rb");
        if (!from)
            return 1;
        size_t size = fread(all, 1, sizeof all, from);
        fclose(from);
        LLVMFuzzerTestOneInput(all, size);
    }
    return 0;
}
