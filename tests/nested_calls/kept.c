#include "kept.h"
#include <stdlib.h>

struct kept_log {
    kept_events events;
    const kept_row *rows;
    int n;
    kept_change hook;
    void *hook_user;
};

kept_log kept_open(const kept_events *events) {
    kept_log log = calloc(1, sizeof *log);
    if (log)
        log->events = *events;
    return log;
}

int kept_fire(kept_log log, int value) {
    kept_events *events = &log->events;
    int sum = events->user ? 0 : 50;
    if (events->first)
        sum += events->first(value, events->user);
    if (events->say)
        events->say("fired", events->user);
    if (events->second)
        sum += 1000 * events->second(value, events->user);
    return sum;
}

int kept_set(const kept_table *table) {
    table->log->rows = table->rows;
    table->log->n = table->n;
    return table->n;
}

void *kept_replace_hook(kept_log log, kept_change hook, void *user) {
    void *before = log->hook_user;
    log->hook = hook;
    log->hook_user = user;
    return before;
}

int kept_run_hook(kept_log log, int value) {
    return log->hook ? log->hook(value, log->hook_user) : -1;
}

int kept_show_rows(kept_log log, kept_show show, void *user) {
    return show(log->rows, log->n, user);
}

int kept_close(kept_log log) {
    free(log);
    return 3;
}
