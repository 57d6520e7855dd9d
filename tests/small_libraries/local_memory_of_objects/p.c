#include "p.h"
#include <stdlib.h>
struct p_box { int *memory; int count; };
static int own[6];
p_box *p_open(void) { return calloc(1, sizeof(p_box)); }
void p_close(p_box *box) { free(box); }
void p_room(p_box *box, int *memory, int count) { box->memory = memory; box->count = count; for (int i = 0; i < count; i++) memory[i] = i * 3; }
void p_room_async(p_box *box, int *memory, int count) { p_room(box, memory, count); }
static int sum(p_box *box) { int s = 0; for (int i = 0; i < box->count; i++) s += box->memory[i]; return s; }
int p_read(p_box *box, const int *memory, int count) { return (memory == box->memory) * 1000000 + sum(box) + memory[count - 1]; }
int p_copy(p_box *box, int *memory, int count) { for (int i = 0; i < count; i++) memory[i] += 0, memory[i] = 50 + i; return (memory == box->memory) * 1000000 + sum(box); }
int p_change(p_box *box, int *memory, int count) { for (int i = 0; i < count; i++) memory[i] += 2; return (memory == box->memory) * 1000000 + sum(box); }
int p_part(p_box *box, int *memory) { *memory += 100; return (int)(memory - box->memory) * 1000 + sum(box); }
int *p_get(p_box *box) { return box->memory; }
int *p_find(p_box *box) { return box->memory + 1; }
int p_walk(p_box *box, p_visit *f, void *user) { (void)box; for (int i = 0; i < 6; i++) own[i] = i; f(own, 6, user); int s = 0; for (int i = 0; i < 6; i++) s += own[i]; return s; }
int p_same(const int *memory, int count) { (void)count; return memory == own; }
