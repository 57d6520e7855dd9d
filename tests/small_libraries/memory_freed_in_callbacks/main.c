#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "p.h"

/* Memory at the addresses of freed nodes. */
static long *reused[8];
static int reused_count;

static int remove_node(p_node *node, void *user) {
    int value = node->value;
    (void)user;
    node->value = 12345;
    free(node);
    long *memory = malloc(sizeof *node);
    memory[0] = 1000 + value;
    memory[1] = 2000 + value;
    reused[reused_count++ % 8] = memory;
    return value;
}

static p_node *list(int n) {
    p_node *head = calloc(1, sizeof *head);
    for (int i = 0; i < n; i++) {
        p_node *node = malloc(sizeof *node);
        *node = (p_node){i, head->next};
        head->next = node;
        head->value++;
    }
    return head;
}

static void show(void) {
    for (int i = 0; i < 8 && i < reused_count; i++)
        printf(" %ld %ld", reused[i][0], reused[i][1]);
    printf("\n");
}

static char *bytes;

static int stop(int round, void *user) {
    if (round == 0) {
        p_cancel(user);
        free(bytes);
        bytes = malloc(40);
        memset(bytes, 'n', 40);
    }
    return round;
}

int main(void) {
    p_node *head = list(5);
    for (int i = 0; i < 5; i++) {
        int dropped = p_drop(head, remove_node, NULL);
        printf("%d left %d:", dropped, head->value);
        show();
    }
    free(head);
    head = list(6);
    int sum = p_drop_all(head, remove_node, NULL);
    printf("all %d %d:", sum, head->next == NULL);
    show();
    p_stream *stream = p_open();
    for (int i = 0; i < 2; i++) {
        bytes = malloc(40);
        memset(bytes, 'b', 40);
        int got = p_read(stream, bytes, 40, stop, stream);
        printf("%d %.8s\n", got, bytes);
    }
    p_close(stream);
    return 0;
}
