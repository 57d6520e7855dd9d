/* A plugin of qemu: how many instructions were executed in each range of addresses, which arguments give as `name=first:end`. The
 * declarations are those of qemu's plugin interface, version 1. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef struct qemu_info_t qemu_info_t;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, enum qemu_plugin_op, void *, uint64_t);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
extern void qemu_plugin_outs(const char *);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

enum { RANGES = 16 };
static struct {
    const char *name;
    uint64_t first, end, count;
} ranges[RANGES];
static int used;

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    size_t i, n = qemu_plugin_tb_n_insns(tb);
    int range;
    (void)id;
    for (i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        for (range = 0; range < used; range++) {
            if (address >= ranges[range].first && address < ranges[range].end) {
                qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &ranges[range].count, 1);
            }
        }
    }
}

static void at_exit(qemu_plugin_id_t id, void *unused)
{
    int range;
    (void)id;
    (void)unused;
    for (range = 0; range < used; range++) {
        char line[128];
        snprintf(line, sizeof line, "%s %llu\n", ranges[range].name, (unsigned long long)ranges[range].count);
        qemu_plugin_outs(line);
    }
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    int i;
    (void)info;
    for (i = 0; i < argc && used < RANGES; i++) {
        char *value = strchr(argv[i], '=');
        unsigned long long first, end;
        if (!value || sscanf(value + 1, "%llx:%llx", &first, &end) != 2) {
            return -1;
        }
        *value = 0;
        ranges[used].name = argv[i];
        ranges[used].first = first;
        ranges[used].end = end;
        used++;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
