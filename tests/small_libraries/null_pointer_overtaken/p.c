#include "p.h"
#include <semaphore.h>
#include <unistd.h>

static sem_t released;
static int got;

__attribute__((constructor)) static void prepare(void) { sem_init(&released, 0, 0); }

int p_begin(p_cursor *cursor) { return cursor->x; }
int p_first(const char *text, int n, p_cursor *cursor) { return n && cursor->at == text ? *cursor->at : -1; }

void p_wait(int program)
{
    if (program != getpid()) sem_wait(&released);
}

void p_release(void) { sem_post(&released); }
void p_read(p_cursor *cursor) { got = cursor->at ? *cursor->at : 1; }
int p_got(void) { return got; }
