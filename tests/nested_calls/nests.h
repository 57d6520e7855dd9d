#ifndef NESTS_H
#define NESTS_H
typedef struct nests_object_s *nests_object;
typedef int (*nests_hook)(int value, void *user);
typedef void (*nests_event)(int value, void *user);
typedef int (*nests_single)(int value, void *user);
enum { NESTS_HERE, NESTS_THREAD };

int nests_hook_number(nests_hook hook, void *user, int n, int where);
int nests_hook_buffer(nests_hook hook, void *user, int n, int where, int *to);
nests_object nests_hook_handle(nests_hook hook, void *user, int n, int where);
void nests_hook_none(nests_hook hook, void *user, int n, int where);
int nests_event_number(nests_event event, void *user, int n, int where);
int nests_event_buffer(nests_event event, void *user, int n, int where, int *to);
nests_object nests_event_handle(nests_event event, void *user, int n, int where);
void nests_event_none(nests_event event, void *user, int n, int where);
int nests_single_number(nests_single single, void *user, int n, int where);
int nests_single_buffer(nests_single single, void *user, int n, int where, int *to);
nests_object nests_single_handle(nests_single single, void *user, int n, int where);
void nests_single_none(nests_single single, void *user, int n, int where);
void nests_later(nests_hook hook, void *user, int n, int where);
int nests_watch(nests_object object, nests_hook hook, nests_event event, void *user);
int nests_fire(nests_object object, int n, int where);
int nests_await(nests_single single, void *user);
int nests_arrive(int value);

int nests_errno(nests_hook hook, void *user, int value);
int nests_nulls(nests_hook hook, void *user);
int nests_keep(int *data, int n);
void nests_drop(int *data);

int nests_number(int value);
int nests_plain(int value);
int nests_buffer(const int *from, int *to, int n);
nests_object nests_make(int value);
int nests_value(nests_object object);
void nests_free(nests_object object);
void nests_add(int value);
void nests_none(int value);
int nests_total(void);
/* The id of the process in which the library runs. */
int nests_process(void);
#endif
