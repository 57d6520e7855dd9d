/* An older message has null where a later message, which the worker decoded first, has a pointer to memory of its call. */
#include "p.h"
#include <pthread.h>
#include <unistd.h>

static p_cursor cursor = { 1, 0 };
static pthread_barrier_t sent;

static void *other(void *result)
{
    p_wait(getpid());
    p_read(&cursor);
    pthread_barrier_wait(&sent);
    *(int *)result = p_got();
    return 0;
}

int main(void)
{
    pthread_t thread;
    const char text[] = "hello";
    int got;
    p_begin(&cursor);
    pthread_barrier_init(&sent, 0, 2);
    pthread_create(&thread, 0, other, &got);
    pthread_barrier_wait(&sent);
    cursor.at = text;
    if (p_first(text, sizeof text, &cursor) != 'h') return 1;
    p_release();
    pthread_join(thread, 0);
    return got > 1;
}
