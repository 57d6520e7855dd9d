#include <pthread.h>
#include <string.h>
#include "p.h"

enum { COUNT = 1000 };
static char texts[COUNT][32];
static p_row boxes[COUNT], counter = {0, "text"};
static const char *kept[2][COUNT];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

const char *p_text(int i) { return texts[i][0] ? texts[i] : strcpy(texts[i], "text"); }
p_row *p_box(int i) { return &boxes[i]; }
void p_keep(int thread, int i, const char *b) { kept[thread][i] = b; }

int p_differ(void) {
    int count = 0;
    for (int i = 0; i < COUNT; i++)
        count += kept[0][i] != kept[1][i];
    return count;
}

p_row *p_counter(void) { return &counter; }

int p_increment(p_row *row) {
    pthread_mutex_lock(&mutex);
    int value = ++row->value;
    pthread_mutex_unlock(&mutex);
    return value;
}
int p_increment_box(p_row *box) { return p_increment(box); }
