#ifndef FILES_H
#define FILES_H
#include <stdbool.h>
typedef struct files_set *files_set;
typedef struct files_job { int input; const char *to; long copied; } files_job;
typedef int (*files_give)(int fd, void *user);

/* Returns the sum of the remaining bytes. */
long files_sum(int fd);
int files_put(int fd, const char *text);
long files_eat(int fd);
/* Returns the number of bytes copied; without a target the name gets the suffix ".copy". */
long files_copy(const char *input, const char *to);
int files_run(files_job *jobs, unsigned n);
int files_post(int fd, const char *text);
int files_post_last(int fd, const char *text);
int files_finish(void);

files_set files_set_new(void);
int files_add(files_set set, int fd);
int files_find(files_set set, int fd);
int files_put_all(files_set set, const char *text);
int files_name(files_set set, const char *path);
long files_look(files_set set);
int files_end(files_set set, bool closes);

int files_give_text(const char *text, files_give give, void *user);
#endif
