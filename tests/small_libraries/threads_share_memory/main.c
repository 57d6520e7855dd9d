#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include "p.h"

enum { COUNT = 1000 };
static const char *texts[2][COUNT];
static p_row *boxes[2][COUNT], *counter, *box;
static char kept[COUNT][16];
static atomic_int round_of[2];

/* Both threads make the calls of a round at the same time. */
static void *run(void *argument) {
    int thread = argument != NULL;
    for (int i = 0; i < COUNT; i++) {
        atomic_store(&round_of[thread], i);
        for (int tries = 0; atomic_load(&round_of[!thread]) < i && tries < 100000; tries++)
            ;
        texts[thread][i] = p_text(i);
        boxes[thread][i] = p_box(i);
        p_keep(thread, i, kept[i]);
        p_increment(counter);
        p_increment_box(box);
    }
    atomic_store(&round_of[thread], COUNT);
    return NULL;
}

int main(void) {
    counter = p_counter();
    box = p_box(0);
    pthread_t other;
    pthread_create(&other, NULL, run, kept);
    run(NULL);
    pthread_join(other, NULL);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += texts[0][i] != texts[1][i] || strcmp(texts[0][i], "text") != 0 || boxes[0][i] != boxes[1][i];
    printf("%d wrong, %d differ\n", wrong, p_differ());
    printf("%d %d\n", p_increment(counter), p_increment_box(box));
    return 0;
}
