/* The program in C. It prints the same as the client in Rust. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "desk.h"
static int adds(int value, void *user) { *(int *)user += value; return value * 2; }
static int nests(int value, void *user) { (void)user; return desk_add(value, 100); }
static int compares(const int *a, const int *b) { return (*a > *b) - (*a < *b); }
static int backwards(const int *a, const int *b) { return compares(b, a); }
int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "twice") == 0) {
        uint8_t memory[4] = { 1, 2, 3, 4 };
        printf("%d %d\n", desk_copy(memory, memory, 2), desk_copy(memory, memory + 2, 2));
        return 0;
    }
    printf("add %d\n", desk_add(2, 3));
    printf("mixed %.2f\n", desk_mixed(-5, 1ull << 40, true, 0.25, 2));
    int values[] = { 5, -1, 7, 3 };
    printf("sum %lld %lld\n", (long long)desk_sum(values, 4), (long long)desk_sum(values, 0));
    int filled[6];
    printf("fill %d", desk_fill(filled, 2, 3, 40));
    for (int i = 0; i < 6; i++) printf(" %d", filled[i]);
    double reals[] = { 1.5, 2.5 };
    printf("\nscale %d", desk_scale(reals, 2, 4));
    printf(" %.1f %.1f\n", reals[0], reals[1]);
    uint8_t bytes[3] = { 1, 2, 3 }, copied[3] = { 9, 9, 9 };
    printf("copy %d", desk_copy(bytes, copied, 3));
    printf(" %d %d %d %d %d\n", copied[0], copied[1], copied[2], desk_copy(NULL, copied, 3), desk_copy(bytes, NULL, 3));
    char text[16];
    int length = desk_greet("you", text, sizeof text);
    printf("greet %d %s %d\n", length, text, desk_greet("somebody who is long", text, sizeof text));
    printf("length %d %d\n", desk_length("four"), desk_length(NULL));
    desk_field field = { { 1, 2 }, { 3, 4 }, 5 };
    int grown = desk_grow(&field, 10);
    desk_point corner = desk_corner(field);
    printf("grow %d %d %d %d %d %d, corner %d %d\n", grown, field.low.x, field.low.y, field.high.x, field.high.y, field.tag, corner.x, corner.y);
    int out = 0, in = 21;
    int all = desk_maybe(&out, &in); int first = out; int half = desk_maybe(&out, NULL);
    printf("maybe %d %d %d %d %d %d\n", all, first, half, out, desk_maybe(NULL, &in), desk_maybe(NULL, NULL));
    printf("first4 %d\n", desk_first4((int[]){ 1, 2, 3, 4 }));
    desk_counter counter = desk_open(10), twins[2];
    int counted = desk_count(counter, 5), made = desk_twins(twins, 30);
    printf("counter %d %d %d %d %d\n", counted, made, desk_count(twins[0], 0), desk_count(twins[1], 0), desk_open(-1) == NULL);
    int sum = 0, each = desk_each(values, 4, adds, &sum);
    printf("each %d %d %d\n", each, sum, desk_each(values, 2, nests, NULL));
    int perhaps = desk_perhaps(adds, &sum, 1), none = desk_perhaps(NULL, NULL, 1);
    printf("perhaps %d %d %d\n", perhaps, none, sum);
    for (int i = 0; i < 6; i++) desk_sort(values, 4, i % 2 ? backwards : compares);
    printf("sort %d %d %d %d", values[0], values[1], values[2], values[3]);
    desk_sort(values, 4, compares);
    printf(", %d %d %d %d\n", values[0], values[1], values[2], values[3]);
    int watched = desk_watch(counter, adds, &sum), woken = desk_wake(counter, 6);
    printf("watch %d %d %d\n", watched, woken, sum);
    for (int i = 0; i < 10; i++) desk_later(counter, 1);
    printf("later %d\n", desk_count(counter, 0));
    const int one[] = { 1, 2, 3 }, two[] = { 10 };
    const desk_row rows[] = { { 3, one }, { 0, NULL }, { 1, two } };
    printf("total %d\n", desk_total(rows, 3));
    int failed = desk_check(13), why = errno;
    printf("check %d %d %d\n", failed, why, desk_check(0));
    printf("bounded %d %d\n", desk_bounded(9), desk_bounded(10));
    if (count > 1) return 0; /* fault injection: the process id of the worker is unknown */
    int value = desk_close(counter);
    printf("close %d, dead %d, forged %d, null %d\n", value, desk_count(counter, 1), desk_count((desk_counter)(uintptr_t)0x1234567, 1), desk_count(NULL, 1));
    int worker = desk_process();
    if (worker <= 1) return 1; /* not a process id; a signal could reach another process */
    kill(worker, SIGKILL);
    int dead = desk_add(1, 1);
    printf("killed %d %d\n", dead, desk_check(0));
    return 0;
}
