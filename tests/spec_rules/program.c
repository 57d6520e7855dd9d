/* Uses each function of the library, and prints the same natively and with the library in another process. */
#include "rules.h"
#include <stdio.h>
#include <stdlib.h>

static int hooked(int value, void *user) { return value + (user ? *(int *)user : 1000); }
static int said(const char *text, void *user) { (void)user; return (int)strlen(text); }

static int fill(int *to, int *used, void *user)
{
    (void)user;
    to[0] = 4;
    to[1] = 5;
    if (used) *used = 2;
    return 1;
}

static void sizes(void)
{
    const char *texts[3] = { "one", "three", "fourteen chars" };
    const size_t lengths[3] = { 0, 2, 0 };
    const int n[3] = { -1, 2, -1 };
    const char *words[3] = { "ab", "12345", "abcd" };
    const rules_text all[2] = { { -1, "seven77" }, { 2, "123" } };
    const rules_name name = { "name" };
    char text[] = "mixed Case";
    printf("length %d %d %d\n", rules_length("text", 0), rules_length("", 0), rules_length("bytes", 3));
    printf("by name %d %d\n", rules_length_by_name("a longer text"), rules_length_by_name(""));
    printf("lengths %d %d\n", rules_lengths(3, texts, lengths), rules_lengths(3, texts, NULL));
    printf("words %d\n", rules_words(3, words, n));
    printf("separator %d\n", rules_to_separator("first;second"));
    printf("text of C %d\n", rules_by_text("measured"));
    printf("structs %d %d\n", rules_struct_text(all, 2), rules_struct_name(&name));
    printf("upper %d", rules_upper(text));
    printf(" %s\n", text);
    printf("callback %d\n", rules_call_text(said, text));
}

static void left_out(void)
{
    int to[4] = { 9, 9, 9, 9 };
    unsigned count = 0;
    rules_box *boxes[3] = { NULL, NULL, NULL };
    printf("list %d", rules_list(4, to, NULL));
    printf(" %d %d %d %d", to[0], to[1], to[2], to[3]);
    printf(" %d", rules_list(0, NULL, &count));
    printf(" %u %d\n", count, rules_list(0, NULL, NULL));
    printf("boxes %d", rules_boxes(3, boxes, NULL));
    printf(" %d %d\n", boxes[0] != NULL && boxes[1] != NULL, boxes[2] == NULL);
    rules_close(boxes[0]);
    rules_close(boxes[1]);
    printf("on %d", rules_on(to, NULL));
    printf(" %d %d %d\n", to[0], to[1], rules_on(NULL, NULL));
    printf("checked %d", rules_checked(to, NULL));
    printf(" %d\n", to[0]);
    char *text = rules_text_of(NULL);
    printf("text %s\n", text ? text : "NULL");
    free(text);
    printf("filled %d\n", rules_filled(fill, to));
}

static void remembered(void)
{
    rules_box *box = rules_open(2);
    int to[4] = { 0, 0, 0, 0 }, added = 7;
    int (*found)(int);
    int (*sum)(int, int);
    printf("level %d\n", rules_level_of(box, 2));
    printf("left out %d", rules_level(box, NULL));
    printf(" %d", rules_see_level(box, to));
    printf(" %d %d %d %d\n", to[0], to[1], to[2], to[3]);
    printf("kinds %d %d\n", rules_kind_of(box, 0, 10), rules_kind_of(box, 7, 17));
    printf("kind %d %d\n", rules_kind(box, 3, "four"), rules_kind(box, 1, "0123456789abcdef"));
    printf("kept %d", rules_kept(box, "kept for long"));
    printf(" %d\n", rules_kept_length(box));
    printf("hook %d", rules_set_hook(box, hooked, &added));
    printf(" %d", rules_fire(box, 1));
    printf(" %d %d", rules_set_hook(box, hooked, NULL), rules_fire(box, 2));
    printf(" %d %d\n", rules_set_hook(box, NULL, NULL), rules_fire(box, 3));
    printf("local %d", rules_local_to(5, to));
    printf(" %d %d\n", to[0], to[1]);
    *(void **)&found = rules_symbol("rules_secret");
    printf("secret %d", found ? found(5) : -1);
    *(void **)&sum = rules_symbol("rules_sum");
    printf(" sum %d", sum ? sum(1, 2) : -1);
    *(void **)&found = rules_symbol("rules_local");
    printf(" local %d none %d\n", found ? found(1) : -1, rules_symbol("rules_none") == NULL);
    rules_close(box);
}

static void others(int is_remote)
{
    int two[2] = { 3, 4 }, marked[2] = { 10, 20 };
    printf("numbers %.3f\n", rules_numbers(-8, -300, 301, 65535, 65000, 1ull << 60, 0xabcdefu, 0.5f));
    printf("turned %d", rules_turned(two));
    printf(" %d %d\n", two[0], two[1]);
    printf("marked %d", rules_marked(marked));
    printf(" %d %d\n", marked[0], marked[1]);
    /* The text of C adds 100 + n and 100 in the worker. */
    printf("shared %d\n", rules_shared_by(5) - (is_remote ? 205 : 0));
}

int main(int argc, char **argv)
{
    (void)argv;
    /* The native library has no hooks. */
    if (argc == 1) puts("guest_init");
    sizes();
    left_out();
    remembered();
    others(argc > 1);
    if (argc == 1) puts("guest_fini");
    return 0;
}
