/* gzvprintf, which takes its arguments from a function. */
#include <stdarg.h>

#include <zlib.h>

static int prints(gzFile file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = gzvprintf(file, format, list);
    va_end(list);
    return result;
}
