#include "shapes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static unsigned seed = 1;

static unsigned number(unsigned below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 8) % below;
}

/* Makes a list of nodes. The last node points to node `last`, unless that is negative. */
static shapes_node *list(long count, long last)
{
    shapes_node *nodes = calloc((size_t)count, sizeof *nodes);
    for (long n = 0; n < count; n++) {
        nodes[n].value = (int)(n % 1000) - 400;
        nodes[n].next = n + 1 < count ? &nodes[n + 1] : last < 0 ? NULL : &nodes[last];
    }
    return nodes;
}

static void lists(void)
{
    for (long count = 1; count <= 300000; count *= count < 100 ? 7 : 50) {
        shapes_node *straight = list(count, -1), *round = list(count, 0), *tail = list(count, count / 2);
        printf("%ld: %ld %ld %ld\n", count, shapes_sum(straight), shapes_sum(round), shapes_reached(tail));
        free(straight), free(round), free(tail);
    }
    shapes_node *all = list(300000, -1);
    printf("long: %ld, none: %ld\n", shapes_sum(all), shapes_sum(NULL));
    free(all);
}

/* Each node of a ladder is reached from two nodes, so there are 2^n paths. */
static void shared(void)
{
    shapes_node *nodes = list(60, -1);
    for (int n = 0; n + 1 < 60; n++)
        nodes[n].other = &nodes[n + 1];
    printf("ladder: %ld\n", shapes_reached(nodes));
    nodes[59].next = &nodes[59], nodes[59].other = nodes;
    printf("closed: %ld\n", shapes_reached(nodes));
    free(nodes);
    for (unsigned round = 1; round <= 20; round++) {
        unsigned count = 1 + number(3000);
        nodes = calloc(count, sizeof *nodes);
        for (unsigned n = 0; n < count; n++) {
            nodes[n].next = number(9) ? &nodes[number(count)] : NULL;
            nodes[n].other = number(3) ? &nodes[number(count)] : NULL;
        }
        printf("graph: %ld of %u\n", shapes_reached(nodes + number(count)), count);
        free(nodes);
    }
}

static void changed(void)
{
    shapes_cell cells[50];
    for (int n = 0; n < 50; n++)
        cells[n] = (shapes_cell){n, n < 49 ? &cells[n + 1] : NULL};
    int count = shapes_negate(cells);
    long sum = 0;
    for (int n = 0; n < 50; n++)
        sum = sum * 3 + cells[n].value;
    printf("negated: %d, %ld\n", count, sum);
}

static void inside(void)
{
    unsigned char one[5] = "xxxx", two[300] = {0}, three[70000];
    shapes_part parts[] = {{one, 5}, {two, 300}, {NULL, 0}, {three, sizeof three}};
    int read = shapes_read(parts, 4);
    printf("read: %d, %d %d %d\n", read, one[4], two[299], three[69999]);
    int single = 21, many[] = {1, 2, 3};
    shapes_change changes[] = {{&single, 1}, {many, 3}, {many, 0}};
    shapes_double_all(changes, 3);
    printf("doubled: %d %d %d %d\n", single, many[0], many[1], many[2]);
    int cells[3][4] = {{0}}, *rows[] = {cells[2], cells[0], cells[1]};
    int filled = shapes_rows(rows, 3, 4);
    printf("rows: %d, %d %d %d\n", filled, cells[0][3], cells[1][0], cells[2][2]);
}

static void measured(void)
{
    const char *texts[] = {"one", "", "a much longer text", "four"};
    size_t lens[] = {2, 0, 0, 4}, zeros[] = {0, 0, 0, 0};
    printf("texts: %ld %ld %ld %ld\n", shapes_texts(4, texts, NULL), shapes_texts(4, texts, lens),
           shapes_texts(4, texts, zeros), shapes_texts(0, NULL, NULL));
    int length = -1, written = shapes_measure(6, "measured", &length);
    printf("measure: %d %d\n", written, length);
    printf("text: %ld %ld %ld\n", shapes_text("measured", -1), shapes_text("measured", 3), shapes_text("", -1));
    char *large = malloc(100001);
    memset(large, 'x', 100000), large[100000] = 0;
    printf("large: %ld\n", shapes_text(large, -1));
    free(large);
}

static void ends(void)
{
    const char *texts[] = {"42", "7x", "", " -3 ", "nothing"};
    for (int n = 0; n < 5; n++) {
        char *end = NULL;
        long value = shapes_number(texts[n], &end);
        printf("number: %ld, %ld of %zu, %ld\n", value, (long)(end - texts[n]), strlen(texts[n]), shapes_number(texts[n], NULL));
    }
    /* Arrays that touch: the end of the first is the start of the second. */
    int all[16] = {0};
    for (size_t n = 1; n <= 8; n++) {
        const int *end = NULL, *middle = shapes_middle(all, n, &end);
        printf("middle: %ld, end: %ld\n", (long)(middle - all), (long)(end - all));
    }
}

static void aligned(void)
{
    char *pages = aligned_alloc(4096, 65536);
    memset(pages, 1, 65536);
    for (int at = 1; at <= 4096; at *= 2) {
        int all = 1;
        /* Several times, because memory can be aligned by chance. */
        for (size_t n = 1; n < 6000; n += 111)
            all &= shapes_alignment(pages + at, n) >= at && shapes_fill(pages + at, n) >= at;
        printf("aligned: %d %d\n", all, pages[at]);
    }
    /* Natively the program has to align both; remoted, the specification does. */
    int demands = shapes_demanding(pages + 1024, NULL, 100) + shapes_demanding(pages, pages + 4096, 3000);
    printf("demands: %d %d\n", demands, memcmp(pages, pages + 4096, 3000));
    if (getenv("CX_REMOTE_LIBRARY"))
        for (int at = 1; at < 20; at++)
            demands += shapes_demanding(pages + at, pages + 32768 + at, 1000 * at) + shapes_demanding(pages + at, NULL, at) - 2;
    printf("demands: %d\n", demands);
    printf("pages: %d %d\n", shapes_alignment(pages, 8192), shapes_fill(pages + 4096, 16384));
    free(pages);
}

/* Unwritten bytes of a large buffer do not come from an earlier call, and most of 1 GiB is not copied. */
static void large(void)
{
    size_t sizes[] = {100000, 1 << 20, (size_t)1 << 30};
    for (int n = 0; n < 3; n++) {
        size_t size = sizes[n], sum = 0;
        char *other = malloc(100000), *p = calloc(1, size);
        shapes_fill(other, 100000);
        if (n == 1)
            shapes_fill(p, size), memset(p, 0, size);
        int done = shapes_mark(p, size, size - 1);
        for (size_t at = 0; at < size && at < 1 << 20; at++)
            sum += p[at];
        printf("large: %d %zu %d\n", done, sum, p[size - 1]);
        free(other), free(p);
    }
}

static void arrays(void)
{
    shapes_vector a = {1, 2, 3}, b = {4, 5, 6};
    int apart = shapes_product(a, b), same = shapes_product(b, b);
    printf("product: %d %d %d, %d\n", apart, same, a[0], b[2]);
    unsigned char to[10], from[] = "abc";
    int none = shapes_drain(to + 5, 0, to, sizeof to), at_end = shapes_drain(to + 10, 0, to, sizeof to);
    printf("drained: %d %d %d %c%c\n", none, at_end, shapes_drain(from, 3, to, sizeof to), to[2], to[3]);
}

/* The library reallocates memory of the program, and the program frees it. */
static void grown(void)
{
    shapes_growing all = {0, 0, NULL};
    int in_order = 1;
    for (int n = 0; n < 500; n++)
        in_order &= shapes_append(&all, n) == n + 1 && all.items[n] == n;
    printf("grown: %d, %u of %u, %ld\n", in_order, all.n, all.room, shapes_total(&all));
    all.items[7] = 1000;
    printf("changed: %ld\n", shapes_total(&all));
    free(all.items);
    char *line = NULL;
    size_t room = 0;
    int lengths[] = {3, 200, 10, 5000};
    for (int n = 0; n < 4; n++) {
        int length = shapes_line(&line, &room, lengths[n]);
        printf("line: %d %zu %zu\n", length, room, strlen(line));
    }
    free(line);
}

static int spell(char *text, void *user)
{
    return shapes_replace(text, 'x', 'y') + (int)strlen(text) + *(int *)user;
}

/* What the library does not change may be constant, of any shape and size. */
static void constant(void)
{
    static const shapes_cell zero = {0, NULL};
    static const shapes_cell zeros = {0, (shapes_cell *)&zero};
    int one = 1;
    printf("constant: %d %d", shapes_replace("a literal", 'x', 'y'), shapes_negate((shapes_cell *)&zeros));
    printf(" %d", shapes_replace_bytes((unsigned char *)"bytes", 5, 'x', 'y'));
    printf(" %d\n", shapes_greet(spell, &one));
    /* In a record, in place, and as runs of pages. The first byte is in a page that the program may write. */
    size_t page = 4096, sizes[] = {2 * page, 64 * page, (size_t)70 << 20};
    for (int n = 0; n < 3; n++) {
        unsigned char *bytes = mmap(NULL, sizes[n], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (bytes == MAP_FAILED) return;
        bytes[0] = 'a';
        bytes[page - 1] = 'a';
        mprotect(bytes + page, sizes[n] - page, PROT_READ);
        printf("pages: %d", shapes_replace_bytes(bytes, sizes[n], 'a', 'b'));
        printf(" %c%c", bytes[0], bytes[page - 1]);
        printf(" %d\n", shapes_replace_bytes(bytes + page, sizes[n] - page, 'a', 'b'));
        munmap(bytes, sizes[n]);
    }
}

int main(void)
{
    large();
    lists();
    shared();
    changed();
    inside();
    measured();
    ends();
    aligned();
    arrays();
    grown();
    constant();
    return 0;
}
