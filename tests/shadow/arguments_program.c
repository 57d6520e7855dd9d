#include "arguments.h"
#include <pthread.h>
#include <stdio.h>

static int one(int value) { return value + 1; }
static int two(int value) { return value + 2; }
static int three(int value) { return value + 3; }

static int read_number(void *user, int n) { return *(int *)user + n; }

static pthread_key_t ending;
static void ends(void *node) { printf("while its thread ends %d\n", arguments_sum(node)); }
static void *thread(void *node)
{
    pthread_setspecific(ending, node);
    printf("thread %d\n", arguments_sum(node));
    return NULL;
}

int main(void)
{
    char text[20] = "";
    size_t length = 0, n = 5;
    unsigned char bytes[5];
    int first = 0, second = 0;
    printf("name %d", arguments_name(text, sizeof text, &length));
    printf(" %s %zu", text, length);
    text[0] = 'L';
    printf(" %d %s", arguments_name(text, sizeof text, NULL), text);
    printf(" %d", arguments_name(NULL, 0, &length));
    printf(" %d\n", arguments_name(NULL, 0, NULL));
    printf("both %d", arguments_both(&first, &second));
    printf(" %d %d", first, second);
    second = 0;
    printf(" %d", arguments_both(NULL, &second));
    printf(" %d\n", second);
    printf("pull %d", arguments_pull(bytes, &n));
    printf(" %d %zu %d", bytes[4], n, arguments_pull(NULL, &n));
    printf(" %d\n", arguments_pull(NULL, NULL));
    arguments_map_function all[] = {one, two, three};
    for (int n = 0; n < 6; n++)
        printf("map %d\n", arguments_map(n, all[n % 3]));
    static arguments_node list[5000];
    for (int n = 0; n < 5000; n++)
        list[n] = (arguments_node){n, n ? &list[n - 1] : NULL};
    printf("list %d\n", arguments_sum(&list[4999]));
    const arguments_reader reader = { read_number };
    printf("run %d %d\n", arguments_run(reader, &first, 2), arguments_run_at(&reader, &first, 3));
    pthread_t other;
    if (pthread_key_create(&ending, ends) || pthread_create(&other, NULL, thread, &list[2])) return 1;
    pthread_join(other, NULL);
    return 0;
}
