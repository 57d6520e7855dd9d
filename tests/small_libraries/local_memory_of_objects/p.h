#ifndef P_H
#define P_H
typedef struct p_box p_box;
typedef void p_visit(int *memory, int count, void *user);
p_box *p_open(void);
void p_close(p_box *box);
void p_room(p_box *box, int *memory, int count);
void p_room_async(p_box *box, int *memory, int count);
int p_read(p_box *box, const int *memory, int count);
int p_copy(p_box *box, int *memory, int count);
int p_change(p_box *box, int *memory, int count);
int p_part(p_box *box, int *memory);
int *p_get(p_box *box);
int *p_find(p_box *box);
int p_walk(p_box *box, p_visit *f, void *user);
int p_same(const int *memory, int count);
#endif
