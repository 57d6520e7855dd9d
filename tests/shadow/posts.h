#ifndef POSTS_H
#define POSTS_H
void posts_fill(int *to, int n);
void posts_add(int *to, int n);
int posts_wait(void);
#endif
