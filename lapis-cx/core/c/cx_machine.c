/* cx_machine.c, version 1: the machine itself. Before it stand the table of the platform's units, cxm_units, its length
 * CXM_UNITS, and CXM_IMAGE_WORDS, the words of the largest image of a state. It is the small sibling of lapis_cx_core::machine, and
 * says what that says; names of its own begin with cxm_. */

#ifndef CX_MAX_OPEN
#define CX_MAX_OPEN 16
#endif
#if CX_MAX_OPEN < 1 || CX_MAX_OPEN > 1022
#error "CX_MAX_OPEN is 1 to 1022: a selector has so many indices"
#endif
#ifndef CX_MCX_TABLE
#define CX_MCX_TABLE 0
#endif
#ifndef CX_HARDWARE
#define CX_HARDWARE 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* mcx_selector. Poisoned: each custom instruction traps (state context virtualization). */
#define CXM_POISONED 0x10000000u
#define CXM_VERSION_1 0x20000000u

/* cs of a status word. */
#define CXM_CS 3u
#define CXM_INITIAL 1u
#define CXM_CLEAN 2u

/* Commands of IStateContext. */
#define CXM_WRITE_STATE 1020u
#define CXM_READ_STATE 1021u
#define CXM_WRITE_STATUS 1022u
#define CXM_READ_STATUS 1023u

#define CXM_GENERATIONS 0x200000u /* modulo this, so that a selector is never negative */
#define CXM_INDEX 0x3FFu

/* Where a state is. */
enum cxm_place {
    CXM_STATELESS, /* there is none */
    CXM_RESET,     /* nowhere: it is the reset state */
    CXM_SAVED,     /* in the image */
    CXM_RESIDENT   /* in a state context */
};

/* An open CX, or an index that is free. */
struct cxm_open {
    uint32_t generation; /* how often the index was closed */
    uint32_t opens;      /* that were not closed; 0 if the index is free */
    uint16_t next_free;
    uint16_t unit;
    uint16_t state_id;
    bool is_exclusive;
    bool is_saved; /* the image has what the context had when it was saved or loaded */
    enum cxm_place place;
    cx_word_t cs; /* as its user left it: the context says clean after its state was saved or loaded */
};

static struct cxm_machine {
    uint16_t used;       /* indices that were ever open */
    uint16_t first_free; /* those that were closed, in the order in which they are used again; 0 if there are none */
    uint16_t last_free;
    int selected;      /* cx_index, with the generation */
    uint32_t selector; /* mcx_selector */
    uint32_t status;   /* cx_status */
    int error;
    struct cx_counters counters;
    uint16_t next_victim[CXM_UNITS + 1];
    struct cxm_open open[CX_MAX_OPEN + 1]; /* index 0 is built-in */
} cxm;

static cx_word_t cxm_images[CX_MAX_OPEN + 1][CXM_IMAGE_WORDS]; /* the first one is for copies */

#if CX_MCX_TABLE
/* A hart looks up all of 10 bits, and wants the table aligned to a page. */
#if CX_HARDWARE
#define CXM_ENTRIES 1024
static uint32_t cxm_table[CXM_ENTRIES] __attribute__((aligned(4096)));
#else
#define CXM_ENTRIES (CX_MAX_OPEN + 1)
static uint32_t cxm_table[CXM_ENTRIES];
#endif
#endif

/* ---- The hart ---- */

#if CX_HARDWARE
#if CX_ON_HART
#define CXM_WRITE_CSR(number, value) __asm__ volatile("csrw " #number ", %0" : : "r"((cx_reg_t)(value)) : "memory")
#if CX_MCX_TABLE
static cx_word_t cxm_read_index(void)
{
    cx_word_t value;
    __asm__ volatile("csrr %0, 0x800" : "=r"(value));
    return value;
}
#endif
static cx_word_t cxm_swap_status(cx_word_t new_value)
{
    cx_word_t value;
    __asm__ volatile("csrrw %0, 0x801, %1" : "=r"(value) : "r"(new_value));
    return value;
}
/* A command of IStateContext at what mcx_selector names. */
#define CXM_COMMAND(name, funct3)                                                                                 \
    static cx_word_t name(cx_word_t rs1, cx_word_t rs2)                                                           \
    {                                                                                                             \
        cx_word_t rd;                                                                                             \
        __asm__ volatile(".insn r 0x0B, " #funct3 ", 127, %0, %1, %2" : "=r"(rd) : "r"(rs1), "r"(rs2) : "memory"); \
        return rd;                                                                                                \
    }
CXM_COMMAND(cxm_hart_write_state, 4)
CXM_COMMAND(cxm_hart_read_state, 5)
CXM_COMMAND(cxm_hart_write_status, 6)
CXM_COMMAND(cxm_hart_read_status, 7)
#else
#error "CX_HARDWARE is for harts: this compiler has another target, or another CX_XLEN"
#endif
#endif

/* The index of an open selector; 0 for all others. */
static uint32_t cxm_index_of(int selector)
{
    uint32_t bits = (uint32_t)selector;
    uint32_t index = bits & CXM_INDEX;
    if (selector <= 0 || index > CX_MAX_OPEN || cxm.open[index].opens == 0 || cxm.open[index].generation != bits >> 10) {
        return 0;
    }
    return index;
}

static cx_sel_t cxm_selector_of(uint32_t index)
{
    return (cx_sel_t)(cxm.open[index].generation << 10 | index);
}

/* The entry of an index: what a write of cx_index brings to mcx_selector. */
static uint32_t cxm_entry(uint32_t index)
{
    const struct cxm_open *cx = &cxm.open[index];
    uint32_t entry;
    if (cx->opens == 0) {
        return CXM_POISONED;
    }
    entry = CXM_VERSION_1 | cxm_units[cx->unit].id;
    switch (cx->place) {
    case CXM_STATELESS:
        return entry;
    case CXM_RESIDENT:
        return entry | (uint32_t)cx->state_id << 16;
    default:
        return entry | CXM_POISONED;
    }
}

/* What is selected: an index that is open, else 0; whether it is built-in goes to *is_builtin. */
static uint32_t cxm_selected(bool *is_builtin)
{
#if CX_HARDWARE && CX_MCX_TABLE
    /* The hart may keep the index alone. */
    uint32_t index = (uint32_t)cxm_read_index() & CXM_INDEX;
    *is_builtin = index == 0;
    return index <= CX_MAX_OPEN && cxm.open[index].opens != 0 ? index : 0;
#else
    *is_builtin = cxm.selected == 0;
    return cxm_index_of(cxm.selected);
#endif
}

/* Writes cx_index with its own value, so that mcx_selector is what the entry says. */
static void cxm_select_again(void)
{
#if CX_HARDWARE && CX_MCX_TABLE
    CXM_WRITE_CSR(0x800, cxm_read_index());
#else
    bool is_builtin;
    uint32_t index = cxm_selected(&is_builtin);
#if CX_MCX_TABLE
    cxm.selector = is_builtin ? 0 : index != 0 ? cxm_table[index] : CXM_POISONED;
#else
    cxm.selector = is_builtin ? 0 : index != 0 ? cxm_entry(index) : CXM_POISONED;
#endif
#if CX_HARDWARE
    CXM_WRITE_CSR(0xBC0, cxm.selector);
#endif
#endif
}

/* The place of a CX has changed. */
static void cxm_changed(uint32_t index)
{
#if CX_MCX_TABLE
    cxm_table[index] = cxm_entry(index);
#endif
    (void)index;
    cxm_select_again();
}

static void cxm_raise(uint32_t response)
{
    uint32_t known = response <= CX_RESPONSE_CUSTOM ? response : CX_RESPONSE_CXU;
    uint32_t flags = (1u << known) & ~1u;
#if CX_HARDWARE
    cxm_swap_status(cxm_swap_status(0) | flags);
#else
    cxm.status |= flags;
#endif
}

/* ---- State contexts of a unit ---- */

static bool cxm_is_stateless(const struct cxm_unit *unit)
{
    return unit->cxu->sharing == CX_SHARING_STATELESS;
}

static bool cxm_is_virtualizable(const struct cxm_unit *unit)
{
    return (unit->cxu->flags & CX_SOFT_STATE_CONTEXT) != 0;
}

static size_t cxm_image_words(const struct cxm_unit *unit)
{
    return cxm_is_stateless(unit) ? 0 : 1u + unit->cxu->state_words;
}

#if CX_HARDWARE
/* What comes next goes to this context. Whoever moves states selects again at the end. */
static void cxm_enter(const struct cxm_unit *unit, uint32_t state_id)
{
    CXM_WRITE_CSR(0xBC0, CXM_VERSION_1 | state_id << 16 | unit->id);
}

static cx_word_t cxm_read_status(const struct cxm_unit *unit, uint32_t state_id)
{
    cxm_enter(unit, state_id);
    return cxm_hart_read_status(0, 0);
}

static void cxm_write_status(const struct cxm_unit *unit, uint32_t state_id, cx_word_t status)
{
    cxm_enter(unit, state_id);
    cxm_hart_write_status(status, 0);
}

static void cxm_reset_state(const struct cxm_unit *unit, uint32_t state_id)
{
    if (cxm_is_virtualizable(unit)) {
        cxm_write_status(unit, state_id, CXM_INITIAL);
    }
}

static bool cxm_save_state(const struct cxm_unit *unit, uint32_t state_id, cx_word_t *image)
{
    cx_word_t word;
    if (!cxm_is_virtualizable(unit)) {
        return false;
    }
    image[0] = cxm_read_status(unit, state_id);
    for (word = 0; word < unit->cxu->state_words; word++) {
        image[1 + word] = (image[0] & CXM_CS) == 0 ? 0 : cxm_hart_read_state(word, 0);
    }
    return true;
}

static bool cxm_load_state(const struct cxm_unit *unit, uint32_t state_id, const cx_word_t *image)
{
    cx_word_t word;
    if (!cxm_is_virtualizable(unit)) {
        return false;
    }
    cxm_write_status(unit, state_id, CXM_INITIAL);
    for (word = 0; word < unit->cxu->state_words && (image[0] & CXM_CS) != 0; word++) {
        cxm_hart_write_state(word, image[1 + word]);
    }
    cxm_hart_write_status(image[0], 0);
    return true;
}
#else
static void *cxm_state(const struct cxm_unit *unit, uint32_t state_id)
{
    return unit->contexts == 0 ? NULL : (void *)((unsigned char *)unit->states + state_id * unit->cxu->state_size);
}

static cx_word_t cxm_read_status(const struct cxm_unit *unit, uint32_t state_id)
{
    cx_reg_t rd = 0;
    (void)unit->cxu->issue(cxm_state(unit, state_id), CXM_READ_STATUS, 0, 0, &rd);
    return (cx_word_t)rd;
}

static void cxm_write_status(const struct cxm_unit *unit, uint32_t state_id, cx_word_t status)
{
    cx_reg_t rd = 0;
    (void)unit->cxu->issue(cxm_state(unit, state_id), CXM_WRITE_STATUS, status, 0, &rd);
}

static void cxm_reset_state(const struct cxm_unit *unit, uint32_t state_id)
{
    unsigned char *state = (unsigned char *)cxm_state(unit, state_id);
    size_t byte;
    for (byte = 0; byte < unit->cxu->state_size; byte++) {
        state[byte] = 0;
    }
    unit->cxu->init(state);
}

static bool cxm_save_state(const struct cxm_unit *unit, uint32_t state_id, cx_word_t *image)
{
    unit->cxu->save(cxm_state(unit, state_id), image);
    return true;
}

static bool cxm_load_state(const struct cxm_unit *unit, uint32_t state_id, const cx_word_t *image)
{
    unit->cxu->restore(cxm_state(unit, state_id), image);
    return true;
}
#endif

/* A context that holds no state; the number of contexts if there is none. */
static uint32_t cxm_idle(const struct cxm_unit *unit)
{
    uint32_t state_id = 0;
    while (state_id < unit->contexts && unit->owners[state_id] != 0) {
        state_id++;
    }
    return state_id;
}

/* A status word as the user of the CX left it. */
static cx_word_t cxm_shown(const struct cxm_open *cx, cx_word_t status)
{
    bool is_ours = cx->place == CXM_RESIDENT && cx->is_saved && (status & CXM_CS) == CXM_CLEAN;
    return is_ours ? (status & ~(cx_word_t)CXM_CS) | cx->cs : status;
}

/* Frees a context: its state goes to the image of its CX, unless it is the reset state, or the image has it. */
static void cxm_put_away(const struct cxm_unit *unit, uint32_t state_id)
{
    uint32_t index = unit->owners[state_id];
    struct cxm_open *cx = &cxm.open[index];
    cx_word_t *image = cxm_images[index];
    cx_word_t status = cxm_read_status(unit, state_id);
    if ((status & CXM_CS) == CXM_INITIAL && status >> 24 == 0) {
        cx->place = CXM_RESET;
        cx->cs = CXM_INITIAL;
    } else {
        /* An error that was raised is in the status word, and does not make the state dirty. */
        if (!cx->is_saved || status != ((image[0] & ~(cx_word_t)CXM_CS) | CXM_CLEAN)) {
            cx_word_t shown = cxm_shown(cx, status);
            (void)cxm_save_state(unit, state_id, image);
            image[0] = shown;
            cxm.counters.saved_bytes += cxm_image_words(unit) * sizeof(cx_word_t);
        }
        cx->place = CXM_SAVED;
    }
    unit->owners[state_id] = 0;
    cxm_changed(index);
}

/* Brings the state of a CX into a context that is free. */
static void cxm_bring_in(uint32_t index, uint32_t state_id)
{
    struct cxm_open *cx = &cxm.open[index];
    const struct cxm_unit *unit = &cxm_units[cx->unit];
    cx->is_saved = cx->place == CXM_SAVED;
    if (cx->is_saved) {
        cx_word_t status = cxm_images[index][0];
        (void)cxm_load_state(unit, state_id, cxm_images[index]);
        cxm.counters.loaded_bytes += cxm_image_words(unit) * sizeof(cx_word_t);
        cx->cs = status & CXM_CS;
        /* From here on cs of the context says whether the image has the same. */
        if (cx->cs > CXM_INITIAL) {
            cxm_write_status(unit, state_id, (status & ~(cx_word_t)CXM_CS) | CXM_CLEAN);
        }
    } else {
        cxm_reset_state(unit, state_id);
    }
    cx->place = CXM_RESIDENT;
    cx->state_id = (uint16_t)state_id;
    unit->owners[state_id] = (uint16_t)index;
    cxm_changed(index);
}

/* Brings the state of a CX into a context, of which another may have to leave, each in turn. */
static void cxm_swap_in(uint32_t index)
{
    uint32_t number = cxm.open[index].unit;
    const struct cxm_unit *unit = &cxm_units[number];
    uint32_t state_id = cxm_idle(unit);
    if (state_id == unit->contexts) {
        state_id = (uint32_t)cxm.next_victim[number] % unit->contexts;
        cxm.next_victim[number] = (uint16_t)(state_id + 1u);
        cxm_put_away(unit, state_id);
    }
    cxm_bring_in(index, state_id);
    cxm.counters.swaps++;
}
