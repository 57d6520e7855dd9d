#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../behaviours/places.h"
#include "lends.h"
extern char **environ;
static int is_remote; static char *self;
static volatile sig_atomic_t children;
static void on_child(int signal) { (void)signal; children++; }
static int adds(int value, void *user) { return value + *(int *)user; }
/* Callbacks of each library call the other library, nested. */
static int across(int value, void *user) { return value <= 0 ? *(int *)user : value % 2 ? lends_call(across, user, value - 1) : places_call(across, user, value - 1); }
/* Both libraries have separate workers, and the program has only the children that it started. */
static void both(void) {
    int ten = 10; struct sigaction action; memset(&action, 0, sizeof action); action.sa_handler = on_child; action.sa_flags = SA_RESTART; assert(sigaction(SIGCHLD, &action, NULL) == 0);
    int one = lends_process(), other = places_process(); assert(one > 1 && other > 1);
    if (is_remote) assert(one != getpid() && other != getpid() && one != other); else assert(one == getpid() && other == getpid());
    for (int i = 0; i < 100; i++) assert(lends_process() == one && places_process() == other);
    assert(lends_call(adds, &ten, 5) == 16 && places_call(adds, &ten, 5) == 16 && lends_call(across, &ten, 7) == 18 && places_call(across, &ten, 8) == 19);
    lends_vat vat = lends_open(8); places_box box = places_open(8); unsigned char bytes[8] = {1, 2}, back[8]; assert(vat && box);
    assert(lends_put(vat, bytes) == 8 && places_copy(bytes, back, 8) == 8 && lends_get(vat, back) == 8 && back[1] == 2 && places_look(box)->size == 8);
    assert(lends_close(vat) == 0 && places_close(box) == 0);
    assert(children == 0 && waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
    puts("both");
}
/* The only child ends with status 7. */
static void one_child(pid_t child) {
    int status; assert(child > 0 && waitpid(-1, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert(waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
}
static pid_t started(char **arguments) {
    pid_t child = vfork();
    if (child == 0) { execv(self, arguments); _exit(1); }
    return child;
}
static void programs(void) {
    char *mode = is_remote ? "remote" : "native", *arguments[] = {self, mode, "child", NULL}; pid_t child; int before = children;
    for (int round = 0; round < 2; round++) {
        fflush(stdout); child = fork(); assert(child >= 0);
        if (child == 0) { if (round) assert(lends_process() > 1); execv(self, arguments); _exit(1); }
        one_child(child);
        assert(posix_spawn(&child, self, NULL, NULL, arguments, environ) == 0); one_child(child);
        fflush(stdout); one_child(started(arguments));
        char command[4096]; snprintf(command, sizeof command, "'%s' %s child", self, mode); int status = system(command); assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        FILE *from = popen(command, "r"); char said[16] = ""; assert(from && fgets(said, sizeof said, from) && strcmp(said, "child\n") == 0); status = pclose(from); assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        assert(waitpid(-1, NULL, 0) == -1 && errno == ECHILD && lends_process() > 1 && places_process() > 1);
    }
    assert(children > before);
    /* A program that ignores SIGCHLD can start workers; the programs that it starts inherit that. */
    assert(signal(SIGCHLD, SIG_IGN) != SIG_ERR); fflush(stdout); child = fork(); assert(child >= 0);
    if (child == 0) { int ten = 10; if (lends_call(across, &ten, 4) != 14 + 1) _exit(1); execv(self, arguments); _exit(1); }
    assert(waitpid(child, NULL, 0) == -1 && errno == ECHILD && signal(SIGCHLD, SIG_DFL) != SIG_ERR);
    puts("programs");
}
/* The worker dies during callbacks: the callbacks continue, and each call returns its failure result. */
static int depth_reached, finished, inner[4];
static int dies(int value, void *user) {
    int ten = 10; depth_reached++;
    if (value > 0) inner[value] = value == 2 ? places_call(dies, user, 1) : lends_call(dies, user, value - 1);
    else {
        kill(*(int *)user, SIGKILL);
        assert(lends_text(1) == -99 && lends_call(adds, &ten, 1) == -99 && lends_open(1) == NULL && places_call(adds, &ten, 5) == 16);
    }
    finished++;
    return 20 + value;
}
static void killed(void) {
    if (is_remote) {
        int worker = lends_process(), ten = 10; lends_vat vat = lends_open(10); assert(vat && lends_peek(vat) && lends_call(dies, &worker, 3) == -99 && depth_reached == 4 && finished == 4);
        /* Calls of this library fail, those of the other library succeed. */
        assert(inner[3] == -99 && inner[2] == 22 && inner[1] == -99);
        assert(lends_process() == -99 && lends_close(vat) == -99 && lends_open(1) == NULL && lends_key_new(1) == 0 && places_call(adds, &ten, 5) == 16);
        fflush(stdout); pid_t child = fork(); assert(child >= 0);
        if (child == 0) _exit(lends_call(across, &ten, 6) == 17 && lends_process() != worker ? 7 : 1);
        one_child(child);
    }
    puts("killed");
}
int main(int count, char **arguments) {
    self = arguments[0]; is_remote = count > 1 && strcmp(arguments[1], "remote") == 0;
    if (count > 2 && strcmp(arguments[2], "process") == 0) return printf("%s\n", lends_process() > 1 ? "served" : "refused"), 0;
    if (count > 2) {
        int ten = 10; assert((lends_process() != getpid()) == is_remote && lends_call(across, &ten, 5) == 16 && waitpid(-1, NULL, 0) == -1);
        return puts(arguments[2]), strcmp(arguments[2], "child") == 0 ? 7 : 0;
    }
    both(); programs(); killed();
    /* Replaces this program, whose workers end. */
    fflush(stdout); execl(self, self, is_remote ? "remote" : "native", "last", NULL);
    return 1;
}
