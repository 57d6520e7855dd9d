/* A library that measures texts, leaves out what is not asked for, and remembers. */
#include "rules.h"
#include <ctype.h>
#include <stdlib.h>

struct rules_box { unsigned n; rules_hook hook; void *user; const char *kept; };

int rules_length(const char *text, size_t n) { return n ? (int)n * 100 + text[n - 1] : (int)strlen(text); }
int rules_length_by_name(const char *text) { return (int)strlen(text); }

int rules_lengths(unsigned n, const char *const *texts, const size_t *lengths)
{
    int sum = 0;
    for (unsigned i = 0; i < n; i++) sum += (int)(i + 1) * (int)(lengths && lengths[i] ? lengths[i] : strlen(texts[i]));
    return sum;
}

int rules_words(unsigned n, const char *const *texts, const int *sizes)
{
    int sum = 0;
    for (unsigned i = 0; i < n; i++) sum = sum * 10 + (sizes[i] < 0 ? (int)strlen(texts[i]) : texts[i][sizes[i] - 1] - '0');
    return sum;
}

int rules_to_separator(const char *text) { return (int)strcspn(text, ";"); }
int rules_by_text(const char *text) { return (int)strlen(text); }

int rules_struct_text(const rules_text *text, unsigned n)
{
    int sum = 0;
    for (unsigned i = 0; i < n; i++) sum = sum * 10 + (text[i].n < 0 ? (int)strlen(text[i].text) : text[i].text[text[i].n - 1] - '0');
    return sum;
}

int rules_struct_name(const rules_name *name) { return (int)strlen(name->text); }

int rules_upper(char *text)
{
    int n = 0;
    for (; *text; text++, n++) *text = (char)toupper(*text);
    return n;
}

int rules_kept(rules_box *box, const char *text) { box->kept = text; return 0; }
int rules_kept_length(rules_box *box) { return (int)strlen(box->kept); }
int rules_call_text(rules_said hook, void *user) { return hook("from the library", user); }

int rules_list(unsigned n, int *to, unsigned *count)
{
    for (unsigned i = 0; to && i < n && i < 3; i++) to[i] = 10 + (int)i;
    if (count) *count = 3;
    return 0;
}

int rules_boxes(unsigned n, rules_box **to, unsigned *count)
{
    for (unsigned i = 0; to && i < n && i < 2; i++) to[i] = rules_open(40 + i);
    if (count) *count = 2;
    return 0;
}

int rules_on(int *to, int *state)
{
    if (state) *state = 7;
    if (to) to[0] = to[1] = 77;
    return 0;
}

int rules_checked(int *to, int *error)
{
    *to = 5;
    if (error) *error = 0;
    return 0;
}

int rules_level(rules_box *box, unsigned *level)
{
    box->n = 3;
    if (level) *level = 3;
    return 0;
}

int rules_see_level(rules_box *box, int *to)
{
    for (unsigned i = 0; i < box->n; i++) to[i] = (int)i + 1;
    return 0;
}

char *rules_text_of(size_t *size)
{
    if (size) *size = 5;
    char *text = malloc(5);
    return text ? strcpy(text, "four") : NULL;
}

int rules_filled(rules_fill hook, void *user)
{
    int to[4] = { 1, 1, 1, 1 }, used = 0;
    int sum = hook(to, &used, user);
    return sum + to[0] * 1000 + used * 100;
}

rules_box *rules_open(unsigned n)
{
    rules_box *box = calloc(1, sizeof *box);
    box->n = n;
    return box;
}

int rules_kind(rules_box *box, unsigned i, const void *value)
{
    (void)box;
    return i == 3 ? (int)strlen(value) : ((const char *)value)[9 + i];
}

int rules_kind_of(rules_box *box, unsigned i, unsigned n) { (void)box; (void)i; return (int)n; }
int rules_level_of(rules_box *box, unsigned n) { (void)box; return (int)n; }
int rules_close(rules_box *box) { free(box); return 0; }

int rules_set_hook(rules_box *box, rules_hook hook, void *user)
{
    box->hook = hook;
    box->user = user;
    return 0;
}

int rules_fire(rules_box *box, int value) { return box->hook ? box->hook(value, box->user) : -1 + 1; }

int rules_local_to(int n, int *to)
{
    if (to) { to[0] = n; to[1] = n + 1; }
    return 0;
}

int rules_secret(int n) { return n * 3; }
int rules_sum(int a, int b) { return a + b; }
int rules_local(int n) { return n + 1; }
int rules_shared_by(int n) { return n; }

double rules_numbers(int8_t a, short b, int16_t c, unsigned short d, uint16_t e, uint64_t f, uintptr_t g, float h)
{
    return a + b * 2.0 + c * 3.0 + d * 4.0 + e * 5.0 + (double)(f >> 40) + (double)(g >> 8) + h;
}

int rules_turned(int *there)
{
    int sum = there[0] * 10 + there[1];
    there[0] = sum;
    there[1] = -sum;
    return sum;
}

int rules_marked(int *p)
{
    p[0] += 1;
    p[1] += 2;
    return 1;
}

void *rules_symbol(const char *name)
{
    if (!strcmp(name, "rules_secret")) return (void *)rules_secret;
    if (!strcmp(name, "rules_sum")) return (void *)rules_sum;
    if (!strcmp(name, "rules_local")) return (void *)rules_local;
    return NULL;
}
