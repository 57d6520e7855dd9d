#include "p.h"

static int links;

void p_first(const char *a) { links = *a; }

void p_link(const char *a, const char *b) { links += *b - *a; }

void p_drop(const char *a) { (void)a; }

int p_links(void) { return links; }
