#ifndef P_H
#define P_H
typedef struct p_keeps { int *memory; int count; } p_keeps, p_s1, p_s2, p_s3, p_s4, p_s5, p_s6, p_s7;
#define P_KEEP(way) void p_keep_##way(int *, int); void p_keeps_##way(p_keeps *); void p_row_##way(int **); int p_again_##way(int *, int);
P_KEEP(in) P_KEEP(inout) P_KEEP(out) P_KEEP(local)
#define P_USE(way) int p_use_##way(int *, int); int p_uses_##way(p_keeps *);
P_USE(in) P_USE(inout) P_USE(out)
int p_row_use_inout(int **);
int p_row_use_out(int **);
int p_part(int *);
int p_sum(void);
int *p_give(void);
void p_end(int *);
#endif
