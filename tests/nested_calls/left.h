#ifndef LEFT_H
#define LEFT_H
#ifdef __cplusplus
extern "C" {
#endif
typedef struct left_box left_box;
typedef int (*left_seen)(int value, void *user);
left_box *left_open(left_seen seen, void *user);
void left_close(left_box *box);
/* Adds the data. If `calls`, calls the function of the program with the sum. */
int left_sum(left_box *box, const unsigned char *data, int n, int calls);
int left_fill(left_box *box, unsigned char *data, int n, int value);
/* Keeps the data, then calls the function. */
int left_keep(left_box *box, const unsigned char *data, int n);
int left_kept(left_box *box);
/* The library's own memory. */
unsigned char *left_memory(left_box *box);
/* Stores a B into it, then calls the function. */
int left_change(left_box *box, unsigned char *memory);
int left_first(left_box *box, const unsigned char *memory);
/* Calls the function on a thread of the library. */
int left_thread(left_box *box);
#ifdef __cplusplus
}
#endif
#endif
