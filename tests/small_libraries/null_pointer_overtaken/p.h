#ifndef P_H
#define P_H
typedef struct p_cursor {
    int x;
    const char *at;
} p_cursor;
int p_begin(p_cursor *cursor);
int p_first(const char *text, int n, p_cursor *cursor);
/* Waits for p_release if the program is another process. */
void p_wait(int program);
void p_release(void);
void p_read(p_cursor *cursor);
int p_got(void);
#endif
