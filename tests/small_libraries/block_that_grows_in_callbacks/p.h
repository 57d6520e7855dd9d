#pragma once
typedef struct p_object p_object;
typedef struct { int length; char *data; } p_entry;
typedef int (*p_walk)(p_object *object, p_entry *entry, void *user);
p_object *p_open(void);
p_entry *p_get(p_object *object);
p_entry *p_put(p_object *object, int length, int c);
int p_each(p_object *object, p_walk walk, void *user);
