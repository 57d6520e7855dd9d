/* What tests/spec_rules/rules.cxspec describes. */
#ifndef RULES_H
#define RULES_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define RULES_API

typedef struct rules_box rules_box;
typedef int (*rules_hook)(int value, void *user);
typedef int (*rules_said)(const char *text, void *user);
typedef int (*rules_fill)(int *to, int *used, void *user);
typedef struct rules_text { int n; const char *text; } rules_text;
typedef struct rules_name { const char *text; } rules_name;

int rules_length(const char *text, size_t n);
int rules_length_by_name(const char *text);
int rules_lengths(unsigned n, const char *const *texts, const size_t *lengths);
int rules_words(unsigned n, const char *const *texts, const int *sizes);
int rules_to_separator(const char *text);
int rules_by_text(const char *text);
int rules_struct_text(const rules_text *text, unsigned n);
int rules_struct_name(const rules_name *name);
int rules_upper(char *text);
int rules_kept(rules_box *box, const char *text);
int rules_kept_length(rules_box *box);
int rules_call_text(rules_said hook, void *user);

int rules_list(unsigned n, int *to, unsigned *count);
int rules_boxes(unsigned n, rules_box **to, unsigned *count);
int rules_on(int *to, int *state);
int rules_checked(int *to, int *error);
int rules_level(rules_box *box, unsigned *level);
int rules_see_level(rules_box *box, int *to);
char *rules_text_of(size_t *size);
int rules_filled(rules_fill hook, void *user);

rules_box *rules_open(unsigned n);
int rules_kind(rules_box *box, unsigned i, const void *value);
int rules_kind_of(rules_box *box, unsigned i, unsigned n);
int rules_level_of(rules_box *box, unsigned n);
int rules_close(rules_box *box);
int rules_set_hook(rules_box *box, rules_hook hook, void *user);
int rules_fire(rules_box *box, int value);
int rules_local_to(int n, int *to);
void *rules_symbol(const char *name);
int rules_secret(int n);
int rules_sum(int a, int b);
int rules_local(int n);
double rules_numbers(int8_t a, short b, int16_t c, unsigned short d, uint16_t e, uint64_t f, uintptr_t g, float h);
int rules_turned(int *there);
int rules_marked(int *p);
int rules_shared_by(int n);
#endif
