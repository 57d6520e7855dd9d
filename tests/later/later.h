#ifndef LATER_H
#define LATER_H
typedef struct later_queue *later_queue;
typedef struct later_event *later_event;
typedef int (*later_hook)(int value, void *user);
later_queue later_open(void);
int later_close(later_queue queue);
int later_add(later_queue queue, int value);
int later_fill(later_queue queue, int *to, int count, int from);
int later_event_new(later_queue queue, int value, later_event *event);
int later_event_value(later_event event);
int later_event_use(later_event event);
int later_event_free(later_event event);
int later_freed_in_use(void);
int later_call(later_queue queue, later_hook hook, void *user);
/* Calls back at once. */
int later_now(later_queue queue, later_hook hook, void *user);
int later_finish(later_queue queue);
int later_log(later_queue queue, int *to, int count);
#endif
