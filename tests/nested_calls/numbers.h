/* Functions that read and set `errno`. */
#ifndef NUMBERS_H
#define NUMBERS_H
typedef int (*numbers_cb)(int value, void *user);
int numbers_noop(int value);
int numbers_set(int value);
const char *numbers_text(void);
int numbers_call(numbers_cb function, void *user, int restore);
int numbers_raise(numbers_cb function, void *user, int value);
int numbers_buf(const char *text, int n);
int numbers_fails(int value);
void numbers_void(int value);
int numbers_see(void);
#endif
