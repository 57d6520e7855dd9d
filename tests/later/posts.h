#ifndef POSTS_H
#define POSTS_H
#include <stddef.h>
typedef struct posts_source *posts_source;
typedef void (*posts_hook)(int value, void *user);
/* Calls `post` with 0 to `count - 1` on a thread of the library, and returns after that thread ended. */
int posts_run(posts_hook post, void *user, int count);
/* Starts such a thread. */
posts_source posts_open(posts_hook post, void *user, int count);
/* Waits for the thread. */
int posts_close(posts_source source);
/* Does the same as `posts_run`. */
int posts_start(posts_hook post, void *user, int count);
int posts_wait(void);
typedef int (*posts_done)(int sum, void *user);
/* Keeps `bytes` until `posts_pump`, which calls `done` with their sum. */
int posts_write(const unsigned char *bytes, size_t n, posts_done done, void *user);
int posts_pump(void);
/* Keeps `bytes` as long as `source`, and returns the sum of the earlier bytes and of these. */
int posts_keep(posts_source source, const unsigned char *bytes, size_t n);
int posts_drop(posts_source source);
typedef void (*posts_end)(int value, void *user);
/* Calls `first` with 1 on a thread of the library, and `second` with 2 unless it is null. */
int posts_finish(posts_end first, posts_end second, void *user);
#endif
