/* Runs the ckernels of an interface: one value at a time on the vectors that it reads, whose answers it writes; then many at
 * once, in memory laid out in all kinds of ways and on several threads, which must come to the same as one at a time.
 *
 * PARTIAL_IMAGES: an image carries what is live, and so not all that the next command may ask of the one before.
 * SET is the table of the ckernels, REGISTERS says for each of its commands where the operands are: 0 in rs1, 1 in rs2, 2 above
 * the function id. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "part.h"

enum { MOST = 400, THREADS = 4 };

typedef struct vector {
    uint64_t function, registers[2];
    cx_word_t image[1 + 1023];
} vector;

static vector *vectors;
static size_t vector_count, words;

static void fail(const char *command, const char *what)
{
    fprintf(stderr, "%s: %s\n", command, what);
    exit(1);
}

/* An operand of a vector, as it lies in memory; the high bits are those of the register. */
static void operand(char *to, const ckernel_command *command, uint32_t i, const vector *v)
{
    unsigned place = REGISTERS[command - SET.commands][i];
    uint64_t value = place == 2 ? v->function >> 16 : v->registers[place];
    /* In the machine's byte order. */
    uint8_t b = (uint8_t)value;
    uint16_t h = (uint16_t)value;
    uint32_t w = (uint32_t)value;
    switch (command->operand[i].size) {
    case 1: memcpy(to, &b, 1); break;
    case 2: memcpy(to, &h, 2); break;
    case 4: memcpy(to, &w, 4); break;
    default: memcpy(to, &value, 8); break;
    }
}

/* What is in memory, as a register of xlen bits holds it. */
static uint64_t result(const char *from, ckernel_type type)
{
    uint8_t b;
    uint16_t h;
    uint32_t w;
    uint64_t value = 0;
    switch (type.size) {
    case 0: return 0;
    case 1: memcpy(&b, from, 1); value = b; break;
    case 2: memcpy(&h, from, 2); value = h; break;
    case 4: memcpy(&w, from, 4); value = w; break;
    default: memcpy(&value, from, 8); break;
    }
    if (type.kind == 'i' && type.size < 8 && value >> (8 * type.size - 1)) {
        value |= UINT64_MAX << 8 * type.size;
    }
    return (cx_word_t)value;
}

/* A ckernel in memory of its own, which is aligned to a pointer and no more. */
static ckernel_prefix *make(const ckernel_command *command, int kind, const cx_word_t *image)
{
    size_t size = sizeof(ckernel_prefix) + (size_t)SET.data_size;
    char *memory = malloc(sizeof(void *) + size);
    ckernel_prefix *kernel = (ckernel_prefix *)(void *)(memory + sizeof(void *));
    if (!memory || ckernel_init(kernel, &SET, command, kind, image, image ? SET.state_size : 0) != CKERNEL_OK) {
        fail(command->name, "is not made");
    }
    return kernel;
}

static void drop(ckernel_prefix *kernel)
{
    ckernel_destroy(kernel);
    free((char *)kernel - sizeof(void *));
}

/* One value at a time: made in the state of the vector, and told it in the call. */
static void singles(void)
{
    for (size_t n = 0; n < vector_count; n++) {
        const vector *v = &vectors[n];
        const ckernel_command *command = 0;
        for (uint32_t i = 0; i < SET.count; i++) {
            if (SET.commands[i].id == (v->function & 0xFFFFu)) {
                command = &SET.commands[i];
            }
        }
        if (!command) {
            fail("?", "a vector of no command");
        }
        char operands[3][8];
        const char *src[3] = {operands[0], operands[1], operands[2]};
        for (uint32_t i = 0; i < command->operands; i++) {
            operand(operands[i], command, i, v);
        }
        uint64_t answers[2][2 + 1 + 1023];
        for (int told = 0; told < 2; told++) {
            ckernel_prefix *kernel = make(command, CKERNEL_SINGLE, words && !told ? v->image : 0);
            /* Unaligned. */
            char image[1 + sizeof v->image], dst[9];
            memset(dst, 0xA5, sizeof dst);
            memcpy(image + 1, v->image, sizeof v->image);
            ckernel_error error = {-9, 9, 9, "none"};
            ckernel_call call = {&error, told && words ? image + 1 : 0, words ? image + 1 : 0, SET.state_size};
            int status = ckernel_call_single(kernel, dst + 1, src, &call);
            if (status < 0 || error.status != (status ? status : -9) || error.index != (status ? 0 : 9) ||
                (error.code != 0) != (status == 0 || (status == CX_RESPONSE_CUSTOM && words))) {
                fail(command->name, "another error than was returned");
            }
            if (dst[0] != (char)0xA5 || memchr(error.message, 0, sizeof error.message) == 0) {
                fail(command->name, "memory that is none of its own");
            }
            uint64_t *answer = answers[told];
            answer[0] = result(dst + 1, command->result);
            answer[1] = (uint64_t)status;
            for (size_t i = 0; i < words; i++) {
                cx_word_t word;
                memcpy(&word, image + 1 + i * sizeof word, sizeof word);
                answer[2 + i] = word;
            }
            drop(kernel);
        }
        if (memcmp(answers[0], answers[1], (2 + words) * 8) != 0) {
            fail(command->name, "the state in the call and in the ckernel give different answers");
        }
        fwrite(answers[0], 8, 2 + words, stdout);
    }
}

/* How elements lie: where the first is, and the step to the next. */
typedef struct lane {
    char *memory;
    char *first;
    intptr_t stride;
} lane;

static uint32_t random_state = 1;

static uint32_t any(uint32_t below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

/* A lane of n elements; `way` is 0 for neighbours, 1 for one element over and over, else anything without overlap. */
static lane make_lane(size_t n, size_t size, unsigned way)
{
    intptr_t stride = way == 0 ? (intptr_t)size : way == 1 ? 0 : (intptr_t)(size + any(9));
    int back = way > 1 && any(2);
    size_t offset = way == 0 ? 0 : any(8), length = offset + (n + 1) * (size + 9);
    lane made = {malloc(length), 0, back ? -stride : stride};
    if (!made.memory) {
        fail("?", "no memory");
    }
    memset(made.memory, 0xA5, length);
    made.first = made.memory + offset + (back ? (intptr_t)(n - 1) * stride : 0);
    return made;
}

/* What a ckernel comes to. */
typedef struct outcome {
    char values[MOST][8];
    int status[MOST];
    uint32_t code[MOST];
    cx_word_t image[1 + 1023];
} outcome;

typedef struct job {
    ckernel_prefix *kernel;
    const ckernel_command *command;
    const lane *src;
    size_t n;
    lane dst;
    outcome out;
} job;

/* All elements at once, as often as errors stop it. */
static void *strided(void *argument)
{
    job *j = argument;
    size_t size = j->command->result.size, done = 0;
    int begun = 0;
    lane dst = j->dst;
    memset(j->out.status, 0, sizeof j->out.status);
    memset(j->out.code, 0, sizeof j->out.code);
    while (done < j->n || !begun) {
        const char *src[3] = {0, 0, 0};
        intptr_t strides[3] = {0, 0, 0};
        for (uint32_t i = 0; i < j->command->operands; i++) {
            src[i] = j->src[i].first + (intptr_t)done * j->src[i].stride;
            strides[i] = j->src[i].stride;
        }
        ckernel_error error;
        ckernel_call call = {&error, begun && words ? j->out.image : 0, words ? j->out.image : 0, SET.state_size};
        int status = ckernel_call_strided(j->kernel, size ? dst.first + (intptr_t)done * dst.stride : 0, dst.stride, src, strides,
            j->n - done, &call);
        begun = 1;
        if (!status) {
            break;
        }
        if (status < 0 || error.status != status || error.index >= j->n - done) {
            fail(j->command->name, "another error than was returned");
        }
        done += (size_t)error.index;
        j->out.status[done] = status;
        j->out.code[done] = error.code;
        done++;
        /* What comes later was not touched. */
        for (size_t i = done; i < j->n && dst.stride && size; i++) {
            for (size_t k = 0; k < size; k++) {
                if (dst.first[(intptr_t)i * dst.stride + (intptr_t)k] != (char)0xA5) {
                    fail(j->command->name, "elements behind the error were written");
                }
            }
        }
    }
    for (size_t i = 0; i < j->n && size; i++) {
        char *at = dst.first + (intptr_t)i * dst.stride;
        memcpy(j->out.values[i], at, size);
        if (dst.stride || i == j->n - 1) {
            memset(at, 0xA5, size);
        }
    }
    for (size_t i = 0; i < j->n * (size ? size : 1); i++) {
        if (dst.memory[i] != (char)0xA5) {
            fail(j->command->name, "memory between the elements was written");
        }
    }
    return 0;
}

/* The same one by one. */
static void one_by_one(const ckernel_command *command, const lane *src, size_t n, outcome *out)
{
    ckernel_prefix *kernel = make(command, CKERNEL_SINGLE, 0);
    for (size_t i = 0; i < n; i++) {
        const char *from[3] = {0, 0, 0};
        for (uint32_t k = 0; k < command->operands; k++) {
            from[k] = src[k].first + (intptr_t)i * src[k].stride;
        }
        ckernel_error error = {0, 0, 0, ""};
        ckernel_call call = {&error, i && words ? out->image : 0, words ? out->image : 0, SET.state_size};
        out->status[i] = ckernel_call_single(kernel, out->values[i], from, &call);
        out->code[i] = error.code;
    }
    drop(kernel);
}

static void compare(const ckernel_command *command, const outcome *a, const outcome *b, size_t n, int last)
{
    for (size_t i = 0; i < n; i++) {
        if (a->status[i] != b->status[i] || a->code[i] != b->code[i]) {
            fail(command->name, "other errors, many at once");
        }
        if ((!last || i == n - 1) && memcmp(a->values[i], b->values[i], command->result.size) != 0) {
            fail(command->name, "other values, many at once");
        }
    }
    if (n && memcmp(a->image, b->image, words * sizeof(cx_word_t)) != 0) {
        fail(command->name, "another state, many at once");
    }
}

static void many(const ckernel_command *command, const vector *const *chosen, size_t n)
{
    static outcome expected;
    static job jobs[THREADS];
    for (unsigned layout = 0; layout < 16; layout++) {
        /* Neighbours, each operand alone over and over, all of them, and 11 of any kind. */
        lane src[3];
        for (uint32_t i = 0; i < command->operands; i++) {
            size_t size = command->operand[i].size;
            src[i] = make_lane(n, size, layout == 0 ? 0 : layout <= 3 ? layout == i + 1 : layout == 4 ? 1 : any(4));
            for (size_t k = 0; k < (src[i].stride ? n : n != 0); k++) {
                operand(src[i].first + (intptr_t)k * src[i].stride, command, i, chosen[k]);
            }
        }
        memset(&expected, 0, sizeof expected);
        one_by_one(command, src, n, &expected);
        ckernel_prefix *kernel = make(command, CKERNEL_STRIDED, 0);
        pthread_t threads[THREADS];
        unsigned way = layout < 4 ? 0 : layout == 5 ? 1 : 2;
        for (int t = 0; t < THREADS; t++) {
            jobs[t].kernel = kernel;
            jobs[t].command = command;
            jobs[t].src = src;
            jobs[t].n = n;
            jobs[t].dst = make_lane(n, command->result.size ? command->result.size : 1, way);
        }
        /* One ckernel, on all threads at once. */
        for (int t = 1; layout == 6 && t < THREADS; t++) {
            if (pthread_create(&threads[t], 0, strided, &jobs[t])) {
                fail("?", "no thread");
            }
        }
        strided(&jobs[0]);
        compare(command, &expected, &jobs[0].out, n, way == 1);
        for (int t = 1; layout == 6 && t < THREADS; t++) {
            pthread_join(threads[t], 0);
            compare(command, &expected, &jobs[t].out, n, 0);
        }
        for (int t = 0; t < THREADS; t++) {
            free(jobs[t].dst.memory);
        }
        drop(kernel);
        for (uint32_t i = 0; i < command->operands; i++) {
            free(src[i].memory);
        }
    }
}

#ifndef PARTIAL_IMAGES
/* In place: the result goes where the first operand was, or over and over where the second one is; or where the first one was,
 * while the second one stays at one of these places, so that it changes under way. */
static void in_place(const ckernel_command *command, const vector *const *chosen, size_t n)
{
    static outcome expected, found;
    size_t size = command->result.size;
    for (unsigned how = 0; how < 3; how++) {
        unsigned way = how == 1;
        int inside = how == 2;
        if (inside && (command->operands < 2 || command->operand[1].size != size || n < 4)) {
            continue;
        }
        if (command->operands <= way || command->operand[way].size != size || (command->flags & CKERNEL_CAN_RAISE) || n == 0) {
            continue;
        }
        for (unsigned pass = 0; pass < 2; pass++) {
            lane src[3];
            for (uint32_t i = 0; i < command->operands; i++) {
                src[i] = make_lane(n, command->operand[i].size, way == 1 && i == 1);
                for (size_t k = 0; k < (src[i].stride ? n : 1); k++) {
                    operand(src[i].first + (intptr_t)k * src[i].stride, command, i, chosen[k]);
                }
            }
            if (inside) {
                free(src[1].memory);
                src[1].memory = 0;
                src[1].first = src[0].first + 3 * size;
                src[1].stride = 0;
            }
            outcome *out = pass ? &found : &expected;
            memset(out, 0, sizeof *out);
            ckernel_prefix *kernel = make(command, pass ? CKERNEL_STRIDED : CKERNEL_SINGLE, 0);
            const char *from[3] = {0, 0, 0};
            intptr_t strides[3] = {0, 0, 0};
            for (size_t i = 0; i < (pass ? 1 : n); i++) {
                for (uint32_t k = 0; k < command->operands; k++) {
                    from[k] = src[k].first + (intptr_t)i * src[k].stride;
                    strides[k] = src[k].stride;
                }
                ckernel_call call = {0, i && words ? out->image : 0, words ? out->image : 0, SET.state_size};
                char *dst = src[way].first + (intptr_t)i * src[way].stride;
                out->status[i] = pass ? ckernel_call_strided(kernel, dst, strides[way], from, strides, n, &call)
                                      : ckernel_call_single(kernel, dst, from, &call);
            }
            for (size_t i = 0; i < n; i++) {
                memcpy(out->values[i], src[way].first + (intptr_t)i * src[way].stride, size);
            }
            drop(kernel);
            for (uint32_t i = 0; i < command->operands; i++) {
                free(src[i].memory);
            }
        }
        compare(command, &expected, &found, n, 0);
    }
}

#endif

int main(void)
{
    uint64_t head[2];
    if (SET.abi_version != CKERNEL_ABI_VERSION || SET.struct_size != sizeof SET || SET.xlen != CX_XLEN ||
        SET.data_size % (intptr_t)sizeof(void *) || fread(head, sizeof head, 1, stdin) != 1) {
        fail("?", "not the table that was expected");
    }
    vector_count = (size_t)head[0];
    words = (size_t)head[1];
    if ((size_t)SET.state_size != words * sizeof(cx_word_t) || words > 1024) {
        fail("?", "another size of the state");
    }
    vectors = calloc(vector_count ? vector_count : 1, sizeof *vectors);
    for (size_t n = 0; n < vector_count; n++) {
        uint64_t in[3 + 1024];
        if (fread(in, 8, 3 + words, stdin) != 3 + words) {
            fail("?", "the input ends early");
        }
        vectors[n].function = in[0];
        vectors[n].registers[0] = in[1];
        vectors[n].registers[1] = in[2];
        for (size_t i = 0; i < words; i++) {
            vectors[n].image[i] = (cx_word_t)in[3 + i];
        }
    }
    singles();
    for (uint32_t c = 0; c < SET.count; c++) {
        const ckernel_command *command = &SET.commands[c];
        const vector *chosen[MOST];
        size_t n = 0;
        if (ckernel_find(&SET, command->name) != command) {
            fail(command->name, "is not found by its name");
        }
        for (size_t i = 0; i < vector_count; i++) {
            if ((vectors[i].function & 0xFFFFu) == command->id) {
                /* Any of them, if there are many. */
                size_t place = n < MOST ? n : any((uint32_t)i + 1);
                if (place < MOST) {
                    chosen[place] = &vectors[i];
                    n += n < MOST;
                }
            }
        }
        many(command, chosen, 0);
#ifdef PARTIAL_IMAGES
        for (size_t i = 0; i < n; i++) {
            many(command, chosen + i, 1);
        }
#else
        many(command, chosen, n);
        in_place(command, chosen, n);
#endif
    }
    if (ckernel_find(&SET, "no such command")) {
        fail("?", "a command that there is not");
    }
    free(vectors);
    return 0;
}
