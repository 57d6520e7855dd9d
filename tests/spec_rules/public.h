/* Handles that point to structs whose members programs read and write. */
#ifndef PUBLIC_H
#define PUBLIC_H
typedef enum { PUBLIC_IDLE, PUBLIC_BUSY } public_state;
typedef struct { int x; double y; } public_point;
typedef struct public_node {
    int value;
    long count;
    public_state state;
    float weights[3];
    public_point at;
    const char *name;
    struct public_node *next;
    void *user;
} public_node;
typedef struct { unsigned char first; char rest[7]; } public_small;
typedef void (*public_told)(public_node *node, void *user);
typedef int (*public_asked)(void *user);

public_node *public_open(int value);
int public_open_two(public_node **nodes);
void public_close(public_node *node);
int public_step(public_node *node);
int public_fail(public_node *node);
int public_both(public_node *first, public_node *second);
int public_sum(int n, public_node *const *nodes);
int public_touch(public_node *node);
int public_link(public_node *node, public_node *next);
int public_rename(public_node *node, const char *name);
void public_later(public_node *node, int value);
int public_wait(void);
int public_tell(public_node *node, public_told told, void *user);
int public_ask(public_node *node, public_asked asked, void *user);
public_small *public_small_of(int first);
int public_small_sum(public_small *small);
#endif
