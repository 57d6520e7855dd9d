#ifndef POSTS_H
#define POSTS_H
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
#endif
