#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "places.h"
static int is_remote;
static int tells(int value, void *user) { return value + *(int *)user; }
static int nests(int value, void *user) { return value == 0 ? *(int *)user : places_call(nests, user, value - 1); }
static int compares(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int backwards(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
static int third(const void *a, const void *b) { return compares(a, b); }
static int thread_of_tell;
static int told(int value, void *user) { thread_of_tell = gettid(); (void)value; return *(int *)user; }
static void *churns(void *arg) {
    int mine = places_thread();
    for (int i = 0; i < 200; i++) assert(places_thread() == mine);
    *(int *)arg = mine;
    return NULL;
}
static void buffers(void) {
    static unsigned char a[4 << 20], b[4 << 20];
    for (size_t i = 0; i < sizeof a; i++) a[i] = (unsigned char)(i * 31 >> 3);
    for (size_t n = 8; n <= sizeof a; n *= 8) { memset(b, 0, n); assert(places_copy(a, b, n) == (int)n && memcmp(a, b, n) == 0); }
    assert(places_copy(a, b, sizeof a) == (int)sizeof a && memcmp(a, b, sizeof a) == 0);
    assert(places_copy(NULL, b, 8) == -1 && places_copy(a, NULL, 8) == -1 && places_copy(NULL, NULL, 0) == -1 && places_copy(NULL, NULL, (size_t)1 << 62) == -1);
    int value = 5; assert(places_maybe(&value, 0) == 1 && value == 5 && places_maybe(&value, 1) == 1 && value == 7 && places_maybe(NULL, 1) == 0);
    int one[] = {1, 2, 3}, two[] = {10}; places_row rows[] = {{3, one}, {0, NULL}, {1, two}};
    assert(places_sum(rows, 3) == 16 && places_sum(rows, 0) == 0);
    int narrow[] = {1, 2, 3}, wide[] = {1, 2, 3}; places_turn turns[] = {{0, narrow}, {5, wide}};
    assert(places_turn_all(turns, 2) == 0 && turns[0].wide == 1 && turns[1].wide == 0);
    assert(narrow[0] == 2 && narrow[1] == 2 && wide[0] == 2 && wide[1] == 3 && wide[2] == 4);
    int filled[4] = {0}; unsigned room = 4; assert(places_fill(filled, &room) == 0 && room == 2 && filled[0] == 1 && filled[3] == 4);
    const char *texts[] = {"one", "", "three", NULL}; assert(places_length(texts) == 8);
    char text[] = "find it"; assert(places_find(text, 'i') == text + 1 && places_find(text, 'z') == NULL);
    puts("buffers");
}
static void lifetimes(void) {
    places_box box = places_open(3);
    const places_info *info = places_look(box); assert(info && info->size == 3 && info->uses == 1 && strcmp(info->name, "a box") == 0);
    const places_info *again = places_look(box); assert(again == info && info->uses == 2);
    assert(places_close(box) == 0);
    for (int round = 0; round < 3; round++) {
        int *numbers = malloc(sizeof(int) * 100); for (int i = 0; i < 100; i++) numbers[i] = i + round;
        assert(places_keep(numbers, 100) == 0 && places_kept(50) == 50 + round && places_where() == numbers);
        numbers[50] = -3; assert(places_keep(numbers, 100) == 0 && places_kept(50) == -3 && places_where() == numbers);
        assert(places_drop(numbers) == 0 && places_where() == NULL);
        free(numbers);
    }
    puts("lifetimes");
}
static void handles(void) {
    places_box box = places_open(1), other = places_open(2); places_item item, second;
    assert(box && other && box != other && places_open(-1) == NULL);
    assert(places_item_new(box, &item) == 0 && places_item_new(box, &second) == 0 && item != second);
    int value = places_item_value(item); assert(places_item_value(second) == value + 1);
    if (is_remote) { char *room = (char *)box; for (int i = 0; i < 64; i++) assert(room[i] == 0); memset(room, 1, 64); }
    places_item old = item; assert(places_item_free(&item) == 0 && item == NULL);
    if (is_remote) {
        assert(places_item_value(old) == -99 && places_item_value(NULL) == -99 && places_item_value((places_item)(uintptr_t)0x1234567) == -99 && places_item_value((places_item)UINTPTR_MAX) == -99);
        assert(places_item_value((places_item)other) == -99 && places_look((places_box)second) == NULL);
        places_item third; assert(places_item_new(box, &third) == 0 && third != old && places_item_value(old) == -99);
        assert(places_close(box) == 0 && places_item_value(second) == -99 && places_item_value(third) == -99 && places_look(box) == NULL && places_close(box) == -99);
        assert(places_look(other)->size == 2);
    }
    puts("handles");
}
static void callbacks(void) {
    int ten = 10, twenty = 20; assert(places_call(tells, &ten, 5) == 16 && places_call(NULL, &ten, 5) == -7);
    assert(places_call(nests, &ten, 6) == 10 + 7);
    assert(places_two(tells, &ten, tells, &twenty) == 1100 + 22 && places_two(tells, &ten, NULL, NULL) == 1150);
    places_pair pair = {tells, NULL, &ten}; assert(places_pairs(&pair) == 13); pair.second = tells; assert(places_pairs(&pair) == 27);
    places_box box = places_open(1); assert(places_start(box, told, &ten) == 0 && places_join(box) == 100);
    assert(thread_of_tell != gettid());
    assert(places_again(1) == 10 && thread_of_tell == gettid() && places_again_of(box, 1) == 10);
    places_close(box);
    int numbers[] = {3, 1, 2}; assert(places_sort(numbers, 3, compares) == 0 && numbers[0] == 1 && numbers[2] == 3);
    assert(places_sort(numbers, 3, backwards) == 0 && numbers[0] == 3);
    for (int i = 0; i < 20; i++) assert(places_sort(numbers, 3, i % 3 == 0 ? compares : i % 3 == 1 ? backwards : third) == 0);
    puts("callbacks");
}
/* Many threads pass one function at once: each call counts as a separate use of the registration. */
static void *sorts(void *arg) {
    for (int i = 0; i < 300; i++) {
        int numbers[] = {3, 1, 2}; assert(places_sort(numbers, 3, compares) == 0 && numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
    }
    return arg;
}
/* Calls that a thread makes while it ends run on the same thread of the library as its earlier calls. */
static pthread_key_t ending;
static void ends(void *seen) { *(int *)seen = places_thread() == *(int *)seen; }
static void *ends_later(void *seen) { *(int *)seen = places_thread(); pthread_setspecific(ending, seen); return NULL; }
static void threads(void) {
    int mine = places_thread(); pthread_t all[8]; int seen[8];
    assert(pthread_key_create(&ending, ends) == 0);
    pthread_create(&all[0], NULL, ends_later, &seen[0]); pthread_join(all[0], NULL); assert(seen[0] == 1);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 8; i++) pthread_create(&all[i], NULL, churns, &seen[i]);
        for (int i = 0; i < 8; i++) pthread_join(all[i], NULL);
        assert(places_thread() == mine);
    }
    for (int i = 0; i < 4; i++) pthread_create(&all[i], NULL, sorts, NULL);
    for (int i = 0; i < 4; i++) pthread_join(all[i], NULL);
    puts("threads");
}
/* A signal handler makes calls at any moment. During a call of its thread they fail, and no call gets another's reply. */
static pthread_t interrupted;
static _Atomic int stops, process, handled;
static void on_signal(int signal) {
    (void)signal; int before = errno, said = places_process();
    if (said != process && !(is_remote && said == -99)) abort();
    handled++; errno = before;
}
static void *interrupts(void *arg) {
    while (!stops) { int seen = handled; pthread_kill(interrupted, SIGUSR1); while (handled == seen && !stops) sched_yield(); }
    return arg;
}
static void signals(void) {
    int ten = 10; unsigned char from[100], to[100]; memset(from, 7, sizeof from); process = places_process(); interrupted = pthread_self();
    struct sigaction action; memset(&action, 0, sizeof action); action.sa_handler = on_signal; action.sa_flags = SA_RESTART;
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    pthread_t other; pthread_create(&other, NULL, interrupts, NULL);
    for (int i = 0; i < 2000 || handled < 100; i++) {
        assert(places_process() == process && places_call(tells, &ten, 3) == 14);
        memset(to, 0, sizeof to); assert(places_copy(from, to, sizeof to) == (int)sizeof to && memcmp(from, to, sizeof to) == 0);
    }
    stops = 1; pthread_join(other, NULL); assert(places_process() == process);
    puts("signals");
}
static void *blocks(void *arg) { *(int *)arg = places_block(); return NULL; }
static void killed(void) {
    pthread_t all[4]; int results[4] = {0}; int worker = places_process(); assert(worker > 1);
    if (is_remote) {
        for (int i = 0; i < 4; i++) pthread_create(&all[i], NULL, blocks, &results[i]);
        kill(worker, SIGKILL);
        for (int i = 0; i < 4; i++) { pthread_join(all[i], NULL); assert(results[i] == -99); }
        for (int i = 0; i < 1000; i++) assert(places_process() == -99);
    }
    puts("killed");
}
/* A stopped worker delays a call at most by the timeout. */
static void stopped(void) {
    pthread_t all[4]; int results[4] = {0}; int worker = places_process(); assert(worker > 1);
    for (int i = 0; i < 2; i++) pthread_create(&all[i], NULL, blocks, &results[i]);
    kill(worker, SIGSTOP);
    for (int i = 2; i < 4; i++) pthread_create(&all[i], NULL, blocks, &results[i]);
    for (int i = 0; i < 4; i++) { pthread_join(all[i], NULL); assert(results[i] == -99); }
    for (int i = 0; i < 1000; i++) assert(places_process() == -99);
    kill(worker, SIGKILL);
    puts("stopped");
}
/* A program that ends while the library does not return leaves no worker behind. */
static void leaves(void) {
    pthread_t all[4]; int results[4] = {0}; int worker = places_process();
    for (int i = 0; i < 4; i++) pthread_create(&all[i], NULL, blocks, &results[i]);
    for (int i = 0; i < 1000; i++) assert(places_process() == worker);
    printf("%d\n", worker); fflush(stdout); _exit(0);
}
/* The child of a fork in a callback has no part in the call: the parent gets its result, and the child the failure result. */
static pid_t forked;
static int forks_in_call(int value, void *user) { forked = fork(); return forked == 0 ? 1000 : value + *(int *)user; }
static void *forks_often(void *arg) {
    int ten = 10;
    for (int round = 0; round < 5; round++) {
        pid_t child = fork(); assert(child >= 0);
        if (child == 0) _exit(places_call(tells, &ten, 5) == 16 ? 7 : 1);
        int status; assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    return arg;
}
static void forks(void) {
    int ten = 10, seen = 0; pthread_t other;
    int result = places_call(forks_in_call, &ten, 5);
    if (forked == 0) _exit(result == (is_remote ? -99 : 1001) && (places_process() != getppid()) ? 7 : 1);
    int of_child; assert(result == 16 && waitpid(forked, &of_child, 0) == forked && WIFEXITED(of_child) && WEXITSTATUS(of_child) == 7);
    /* One thread forks while another makes calls. */
    pthread_create(&other, NULL, forks_often, NULL);
    for (int i = 0; i < 2000; i++) seen += places_call(tells, &ten, i) == i + 11;
    pthread_join(other, NULL); assert(seen == 2000);
    for (int round = 0; round < 3; round++) {
        fflush(stdout); pid_t child = fork(); assert(child >= 0);
        if (child == 0) _exit(places_call(tells, &ten, 5) == 16 && places_process() != getppid() ? 7 : 1);
        int status; assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
        assert(places_call(tells, &ten, 5) == 16);
    }
    assert(waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
    puts("forks");
}
static void *process_of(void *unused) { (void)unused; return (void *)(intptr_t)places_process(); }
static int closes(void) {
    int process = places_process();
    for (int file = 3; file < 1024; file++) close(file);
    for (int round = 0; round < 100; round++) assert(places_process() == process);
    /* The new socket reuses the number of the closed control socket. The engine does not write to it, and the first call of another thread returns. */
    int own[2]; assert(socketpair(AF_UNIX, SOCK_STREAM, 0, own) == 0);
    pthread_t thread; void *other; char byte = 7;
    assert(pthread_create(&thread, NULL, process_of, NULL) == 0 && pthread_join(thread, &other) == 0);
    assert((intptr_t)other == (is_remote ? -99 : process));
    assert(write(own[0], "x", 1) == 1 && read(own[1], &byte, 1) == 1 && byte == 'x');
    assert(write(own[1], "y", 1) == 1 && read(own[0], &byte, 1) == 1 && byte == 'y');
    return puts("closed"), 0;
}
int main(int count, char **arguments) {
    is_remote = count > 1 && strcmp(arguments[1], "remote") == 0;
    if (count > 2 && strcmp(arguments[2], "stops-worker") == 0) return stopped(), 0;
    if (count > 2 && strcmp(arguments[2], "leaves") == 0) leaves();
    if (count > 2 && strcmp(arguments[2], "closes") == 0) return closes();
    if (count > 2 && strcmp(arguments[2], "without-worker") == 0) return puts(places_process() == -99 ? "none" : "one"), 0;
    errno = 77; int process = places_process(); assert(errno == 77 && (process != getpid()) == is_remote);
    buffers(); lifetimes(); handles(); callbacks(); threads(); signals();
    if (count > 2 && strcmp(arguments[2], "without-end") == 0) return 0;
    if (count < 3 || strcmp(arguments[2], "without-forks") != 0) forks();
    killed();
    return 0;
}
