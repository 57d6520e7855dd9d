#ifndef KEPT_H
#define KEPT_H
typedef struct kept_log *kept_log;
typedef struct {
    int value;
    const char *name;
} kept_row;
typedef int (*kept_change)(int value, void *user);
typedef void (*kept_say)(const char *text, void *user);
typedef int (*kept_show)(const kept_row *rows, int n, void *user);
typedef struct {
    kept_change first;
    kept_say say;
    kept_change second;
    void *user;
} kept_events;
typedef struct {
    kept_log log;
    const kept_row *rows;
    int n;
} kept_table;
kept_log kept_open(const kept_events *events);
/* Calls each function that is not null, and returns the sum of their results; 50 more if the userdata is null. */
int kept_fire(kept_log log, int value);
/* Keeps the rows as long as the log. */
int kept_set(const kept_table *table);
/* Replaces the hook, which may be null. Returns the userdata of the one before. */
void *kept_replace_hook(kept_log log, kept_change hook, void *user);
/* Calls the hook; without one, returns -1. */
int kept_run_hook(kept_log log, int value);
/* Calls `show` with the rows. */
int kept_show_rows(kept_log log, kept_show show, void *user);
int kept_close(kept_log log);
#endif
