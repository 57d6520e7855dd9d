/* The CRC-32C of a file: by the CX where there is one, else by the fallback that is linked in. */
#include <stdio.h>
#include <stdlib.h>

#include "crc32c.h"
#include "cx.h"

/* The CRC of what is in a file from here on. */
static uint32_t checksum(FILE *file)
{
    cx_sel_t sel = cx_open(&crc32c_uuid, cx_open_shared);
    bool has_cx = cx_sel_is_cx(sel);
    fprintf(stderr, "crc32c: by %s\n", has_cx ? "the CX" : "the fallback");
    uint32_t crc = UINT32_MAX;
    unsigned char bytes[4096];
    size_t count;
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0) {
        cx_sel_t outer = has_cx ? cx_select(sel) : cx_sel_builtin;
        for (size_t i = 0; i < count; i++) {
            crc = has_cx ? crc32c_crc_b(crc, bytes[i]) : crc32c_sw_crc_b(crc, bytes[i]);
        }
        if (has_cx) {
            cx_select(outer); /* fread expects what was selected before */
        }
    }
    if (has_cx) {
        cx_close(sel);
    }
    return ~crc;
}

static void show(FILE *file)
{
    rewind(file);
    uint32_t crc = checksum(file);
    if (ferror(file)) {
        perror("crc32c: the file cannot be read");
        exit(1);
    }
    printf("crc32c %08x\n", (unsigned)crc);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "crc32c FILE: there is no file to read\n");
        return 1;
    }
    show(file);
    /* From here on the runtime knows a CXU: the generated software, in place of hardware. */
    if (cx_soft_register(&crc32c_soft_cxu) != CX_ERROR_NONE) {
        fprintf(stderr, "%s\n", cx_last_error_string());
        return 1;
    }
    show(file);
    fclose(file);
    return 0;
}
