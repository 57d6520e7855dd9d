#ifndef CALLS_H
#define CALLS_H
#include <stddef.h>
#include <stdint.h>

typedef struct calls_box calls_box;

uint64_t calls_number(uint64_t value);
/* As calls_number, after some 20 us of work. */
uint64_t calls_work(uint64_t value);
void calls_note(uint64_t first, uint64_t second);
void calls_note_in_order(uint64_t first, uint64_t second);
uint64_t calls_noted(void);
int calls_take(const void *bytes, size_t size);
int calls_page(const void *from, void *to, size_t size);
calls_box *calls_open(void);
void calls_close(calls_box *box);
int calls_box_take(calls_box *box, const void *bytes, size_t size);

#endif
