#include "small.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct small_thing { char first; };
int small_counter = 7;

int (small_add)(int a, int b) { return a + b; }
__asm__(".symver small_add_1, small_add@SMALL_1.0");
int small_add_1(int a, int b);
int small_add_1(int a, int b) { return a - b; }
int small_sum(const int values[4]) { return values[0] + values[1] + values[2] + values[3]; }
int small_old(int n) { return n * 2; }
small_point small_move(small_point p, const int by) { p.x += by; return p; }
small_handle small_open(const char *const name)
{
    small_handle thing = malloc(sizeof *thing);
    thing->first = name[0];
    return thing;
}
void small_close(small_handle thing) { free(thing); }
int small_each(const int *values, int n, small_visit visit)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += visit(values[i]);
    return sum;
}
void small_watch(small_note note, void *user) { note(user, "watched"); }
int small_format(char *text, const char *format, ...) { (void)format; strcpy(text, "real"); return 4; }
int small_request(unsigned long long number, ...)
{
    va_list list;
    va_start(list, number);
    int result = number == 18446744073709551615u ? va_arg(list, int) : number >> 62 == 0 ? 1 : (int)va_arg(list, double);
    va_end(list);
    return result;
}
int small_control(int operation, ...)
{
    int result = 0;
    va_list list;
    va_start(list, operation);
    if (operation == 1) {
        result = va_arg(list, int);
    } else if ((operation >= -9 && operation < -1) || operation == 4) {
        result = (int)(va_arg(list, double) * 100);
        result += va_arg(list, int);
        result += (int)strlen(va_arg(list, const char *));
    }
    va_end(list);
    return result;
}
int small_secret(int n) { return n + 1000; }
void *small_find(const char *name) { return strcmp(name, "small_secret") == 0 ? (void *)small_secret : NULL; }
unsigned long long small_mix(unsigned long long big, int negative, const void *at, unsigned char byte)
{
    return big + (unsigned long long)negative + (at != NULL) + byte;
}
int small_left_out(int n) { return n; }
void small_nothing(void) { small_counter++; }
