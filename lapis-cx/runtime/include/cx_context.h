/* User contexts that carry CXs along: setjmp and longjmp, and the functions of <ucontext.h> (CX API, "User thread context
 * includes the thread's current CX selection"). C11 and C++17, for systems that have these headers.
 *
 * The selection is always part of a user context. The states of instances are, that were opened with cx_open_ucontext, or
 * whose contract says so; other instances are objects that the program owns, like its memory.
 *
 * What is saved lies on the stack of whoever saves it, and is gone with it: nothing is to be freed. */
#ifndef CX_CONTEXT_H
#define CX_CONTEXT_H

#include <alloca.h>
#include <setjmp.h>
#include <ucontext.h>

#include "cx.h"

/* As jmp_buf. */
typedef struct cx_jmp_buf_tag {
    jmp_buf env;
    void *context;
    size_t size;
} cx_jmp_buf[1];

static inline struct cx_jmp_buf_tag *cx_jmp_keep(struct cx_jmp_buf_tag *buf, void *context, size_t size)
{
    buf->context = context;
    buf->size = cx_context_save(context, size);
    return buf;
}

/* As setjmp, where that may stand: the buffer is good until the function that calls it returns. Each time takes stack of that
 * function for what is saved, so a loop calls a function that does this. */
#define cx_setjmp(buf) \
    setjmp(cx_jmp_keep((buf), alloca(cx_context_save(NULL, 0)), cx_context_save(NULL, 0))->env)

/* As longjmp: selection and states are what they were at cx_setjmp. */
static inline void cx_longjmp(struct cx_jmp_buf_tag *buf, int value)
{
    cx_context_restore(buf->context, buf->size);
    longjmp(buf->env, value);
}

/* As swapcontext. A context that makecontext made starts with built-in selected, and with the states that it finds. One that
 * was left with this function goes on with the selection and the states that it left, whatever brings it back: this
 * function, setcontext, or the end of a context whose uc_link it is. */
static inline int cx_swapcontext(ucontext_t *from, const ucontext_t *to)
{
    size_t size = cx_context_save(NULL, 0);
    void *context = alloca(size);
    int result;
    size = cx_context_save(context, size);
    cx_select(cx_sel_builtin);
    result = swapcontext(from, to);
    cx_context_restore(context, size);
    return result;
}

#endif
