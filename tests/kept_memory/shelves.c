#include <stdlib.h>
#include <string.h>
#include "shelves.h"

enum { MOST = 8 };

struct shelves_shelf {
    int references;
    const unsigned char *kept[MOST], *page;
    size_t sizes[MOST], count, page_size;
    const char *text, *name;
    shelves_hook hook;
    void *user;
    const shelves_box *box;
    const shelves_node *first;
};

shelves_shelf shelves_open(void) {
    shelves_shelf shelf = calloc(1, sizeof *shelf);
    if (shelf)
        shelf->references = 1;
    return shelf;
}

int shelves_retain(shelves_shelf shelf) {
    return ++shelf->references;
}

shelves_shelf shelves_again(shelves_shelf shelf) {
    shelf->references++;
    return shelf;
}

int shelves_release(shelves_shelf shelf) {
    int left = --shelf->references;
    if (left == 0)
        free(shelf);
    return left;
}

int shelves_drop(shelves_shelf shelf) {
    shelves_release(shelf);
    return 0;
}

int shelves_close(shelves_shelf shelf) {
    free(shelf);
    return 0;
}

int shelves_keep(shelves_shelf shelf, const unsigned char *bytes, size_t n) {
    if (shelf->count == MOST)
        return -1;
    shelf->kept[shelf->count] = bytes, shelf->sizes[shelf->count++] = n;
    return 0;
}

int shelves_pack(shelves_shelf shelf, const shelves_box *box) {
    shelf->box = box;
    return 0;
}

int shelves_chain(shelves_shelf shelf, shelves_node *first) {
    shelf->first = first;
    return 0;
}

int shelves_both(shelves_shelf shelf, const char *now, const char *kept) {
    shelf->text = kept;
    return (int)strlen(now);
}

int shelves_copy(shelves_shelf shelf, unsigned char *to, const unsigned char *from, size_t n) {
    memmove(to, from, n);
    return shelves_keep(shelf, from, n);
}

int shelves_page(shelves_shelf shelf, const unsigned char *bytes, size_t n) {
    shelf->page = bytes, shelf->page_size = n;
    return 0;
}

int shelves_turn(shelves_shelf shelf) {
    shelf->page_size = 0;
    return 0;
}

static int sum_of(const unsigned char *bytes, size_t n) {
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += bytes[i];
    return sum;
}

int shelves_sum(shelves_shelf shelf) {
    int sum = sum_of(shelf->page, shelf->page_size);
    for (size_t i = 0; i < shelf->count; i++)
        sum += sum_of(shelf->kept[i], shelf->sizes[i]);
    if (shelf->text)
        sum += (int)strlen(shelf->text);
    if (shelf->box)
        sum += sum_of(shelf->box->all, shelf->box->n) + (int)strlen(shelf->box->name);
    const shelves_node *node = shelf->first;
    for (int i = 0; node && i < 10; i++, node = node->next)
        sum += node->value;
    return sum;
}

const char *shelves_label(shelves_shelf shelf) {
    (void)shelf;
    return "a shelf";
}

int shelves_call(shelves_shelf shelf, const char *name) {
    shelf->name = name;
    return 0;
}

const char *shelves_called(shelves_shelf shelf) {
    return shelf->name;
}

static struct {
    const unsigned char *bytes;
    size_t n;
    shelves_done done;
    void *user;
} written;

int shelves_write(const unsigned char *bytes, size_t n, shelves_done done, void *user) {
    written.bytes = bytes, written.n = n, written.done = done, written.user = user;
    return 0;
}

int shelves_pump(void) {
    return written.done(sum_of(written.bytes, written.n), written.user);
}

int shelves_attach(shelves_shelf shelf, shelves_hook hook, void *user) {
    shelf->hook = hook, shelf->user = user;
    return 0;
}

int shelves_fire(shelves_shelf shelf) {
    return shelf->hook ? shelf->hook(shelf->user) : 0;
}

int shelves_pin(unsigned char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        bytes[i]++;
    return 0;
}

void shelves_unpin(unsigned char *bytes, size_t n) {
    (void)bytes, (void)n;
}

static struct {
    shelves_hook hook;
    shelves_gone gone;
    void *user;
} added[MOST];
static int adds;

int shelves_on(shelves_hook hook, shelves_gone gone, void *user) {
    if (adds == MOST)
        return -1;
    added[adds].hook = hook, added[adds].gone = gone, added[adds++].user = user;
    return 0;
}

int shelves_off(shelves_hook hook, void *user) {
    int found = 0;
    for (int i = adds - 1; i >= 0; i--)
        if (added[i].hook == hook && added[i].user == user) {
            if (added[i].gone)
                added[i].gone(user);
            added[i] = added[--adds];
            found++;
        }
    return found;
}

static int passed;

int shelves_pass(unsigned char *bytes, size_t n) {
    if (n != 0 && bytes[0] == 255)
        return -1;
    passed += (int)n;
    free(bytes);
    return 0;
}

int shelves_pass_text(char *text) {
    return shelves_pass((unsigned char *)text, text ? strlen(text) : 0);
}

int shelves_pass_all(char **names, size_t n) {
    if (n == 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (shelves_pass_text(names[i]) != 0)
            return -1;
    free(names);
    return 0;
}

int shelves_pass_later(char *text) {
    return shelves_pass_text(text);
}

int shelves_passed(void) {
    return passed;
}

int shelves_give(shelves_take take, void *user) {
    char *text = strdup("given");
    int got = text ? take(text, user) : -1;
    if (got < 0)
        free(text);
    return got;
}
