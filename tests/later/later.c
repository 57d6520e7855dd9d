#include <stdlib.h>
#include <sched.h>
#include <stdatomic.h>
#include "later.h"
#ifdef LATER_SAFE
/* Whatever calls it gets, in whatever order, no call crashes: objects are never freed, and no buffer is used after its call. */
#define AT_ONCE(queue) later_finish(queue)
static void free_object(void *object) { (void)object; }
#else
#define AT_ONCE(queue) (void)(queue)
static void free_object(void *object) { free(object); }
#endif
#define LOG 5000
struct later_queue { int log[LOG]; int count; int *to[64]; int to_count[64]; int from[64]; int fills; };
struct later_event { int value; atomic_int uses; };
static atomic_int freed_in_use;
later_queue later_open(void) { return calloc(1, sizeof(struct later_queue)); }
int later_close(later_queue q) { free_object(q); return 0; }
int later_add(later_queue q, int value) { if (value < 0) return value; for (int i = 0; i < value % 7; i++) sched_yield(); q->log[q->count++ % LOG] = value; return 0; }
int later_fill(later_queue q, int *to, int count, int from) { if (q->fills == 64) return -1; q->to[q->fills] = to; q->to_count[q->fills] = count; q->from[q->fills++] = from; AT_ONCE(q); return 0; }
int later_event_new(later_queue q, int value, later_event *event) { (void)q; if (value < 0) return value; for (int i = 0; i < 1000; i++) sched_yield(); *event = calloc(1, sizeof **event); (*event)->value = value; return 0; }
int later_event_value(later_event e) { return e->value; }
/* Runs long enough for a call of another thread to start meanwhile. */
int later_event_use(later_event e) { e->uses++; for (int i = 0; i < 2000 && !freed_in_use; i++) sched_yield(); e->uses--; return 0; }
int later_event_free(later_event e) { if (e->uses) { freed_in_use++; while (e->uses) sched_yield(); } free_object(e); return 0; }
int later_freed_in_use(void) { return freed_in_use; }
int later_call(later_queue q, later_hook hook, void *user) { q->log[q->count++ % LOG] = hook(7, user); return 0; }
/* Fills pending buffers before each synchronous call of the queue, because their memory ends then. */
int later_finish(later_queue q) { for (int i = 0; i < q->fills; i++) for (int n = 0; n < q->to_count[i]; n++) q->to[i][n] = q->from[i] + n; q->fills = 0; return 0; }
int later_now(later_queue q, later_hook hook, void *user) { later_finish(q); return hook(10, user); }
int later_log(later_queue q, int *to, int count) { later_finish(q); int n = q->count < LOG ? q->count : LOG; n = n < count ? n : count; for (int i = 0; i < n; i++) to[i] = q->log[i]; return n; }
