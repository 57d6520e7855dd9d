/* cx_api.c, version 1: the functions of cx.h, for a hart without threads. It stands behind cx_machine.c. */

/* A command of a program says that it touches no memory, as on a hart it does not; one that traps finds what it needs in cxm, and
 * leaves there what it did. So functions that share this with it have a barrier at both ends, for compilers that see function and
 * command in one: LTO, or a program that is one file. */
#if CX_ON_HART
#define CXM_BARRIER() __asm__ volatile("" : : : "memory")
#else
#define CXM_BARRIER() ((void)0)
#endif

void cx_machine_reset(void)
{
    uint32_t index, unit, state_id;
    static const struct cx_counters nothing = {0, 0, 0, 0};
    CXM_BARRIER();
    for (index = 0; index <= CX_MAX_OPEN; index++) {
        cxm.open[index].generation = 0;
        cxm.open[index].opens = 0;
    }
    cxm.used = 0;
    cxm.first_free = 0;
    cxm.last_free = 0;
    cxm.error = CX_ERROR_NONE;
    cxm.counters = nothing;
    for (unit = 0; unit != CXM_UNITS; unit++) {
        cxm.next_victim[unit] = 0;
        for (state_id = 0; state_id < cxm_units[unit].contexts; state_id++) {
            cxm_units[unit].owners[state_id] = 0;
        }
    }
#if CX_MCX_TABLE
    for (index = 0; index < CXM_ENTRIES; index++) {
        cxm_table[index] = index == 0 ? 0 : CXM_POISONED;
    }
#endif
#if CX_HARDWARE && CX_MCX_TABLE
    CXM_WRITE_CSR(0xBC1, (cx_reg_t)cxm_table);
    CXM_WRITE_CSR(0x800, 0);
#else
    cxm.selected = 0;
    cxm_select_again();
#endif
#if CX_HARDWARE
    cxm_swap_status(0);
#endif
    cxm.status = 0;
    CXM_BARRIER();
}

/* The end of cx_open. */
static cx_sel_t cxm_opened(int error, uint32_t index)
{
    cx_sel_t sel = error == CX_ERROR_NONE ? cxm_selector_of(index) : cx_sel_invalid;
    cxm.error = error;
    CXM_BARRIER();
    return sel;
}

/* The index that has been free for the longest time, so that a stale selector stays known for long; 0 if there is none. */
static uint32_t cxm_take_index(void)
{
    uint32_t index = cxm.first_free;
    if (cxm.used < CX_MAX_OPEN) {
        return ++cxm.used;
    }
    if (index != 0) {
        cxm.first_free = cxm.open[index].next_free;
        cxm.last_free = cxm.first_free == 0 ? 0 : cxm.last_free;
    }
    return index;
}

static void cxm_give_index(uint32_t index)
{
    cxm.open[index].generation = (cxm.open[index].generation + 1u) % CXM_GENERATIONS;
    cxm.open[index].next_free = 0;
    if (cxm.last_free == 0) {
        cxm.first_free = (uint16_t)index;
    } else {
        cxm.open[cxm.last_free].next_free = (uint16_t)index;
    }
    cxm.last_free = (uint16_t)index;
}

cx_sel_t cx_open(const cx_uuid_t *puuid, cx_open_flags flags)
{
    const bool is_exclusive = ((unsigned)flags & cx_open_exclusive) != 0;
    uint32_t number, found = CXM_UNITS, with_room = CXM_UNITS, virtualizable = CXM_UNITS, index;
    struct cxm_open *cx;
    CXM_BARRIER();
    if (puuid == NULL) {
        return cxm_opened(CX_ERROR_FAULT, 0);
    }
    if (((unsigned)flags & ~((unsigned)cx_open_exclusive | (unsigned)cx_open_ucontext)) != 0) {
        return cxm_opened(CX_ERROR_INVALID, 0);
    }
    for (number = CXM_UNITS; number-- != 0;) {
        const struct cxm_unit *unit = &cxm_units[number];
        if (unit->cxu->uuid.high == puuid->high && unit->cxu->uuid.low == puuid->low) {
            found = number;
            if (cxm_is_stateless(unit) || cxm_idle(unit) < unit->contexts) {
                with_room = number;
            }
            if (cxm_is_virtualizable(unit)) {
                virtualizable = number;
            }
        }
    }
    if (found == CXM_UNITS) {
        return cxm_opened(CX_ERROR_NO_DEVICE, 0);
    }
    if (!cxm_is_stateless(&cxm_units[found]) && is_exclusive != (cxm_units[found].cxu->sharing == CX_SHARING_EXCLUSIVE)) {
        return cxm_opened(CX_ERROR_PERMISSION, 0);
    }
    for (index = 1; index <= CX_MAX_OPEN && !is_exclusive; index++) {
        cx = &cxm.open[index];
        if (cx->opens != 0 && !cx->is_exclusive && cxm_units[cx->unit].cxu == cxm_units[found].cxu) {
            if (cx->opens == UINT32_MAX) {
                return cxm_opened(CX_ERROR_TABLE_FULL, 0);
            }
            cx->opens++;
            return cxm_opened(CX_ERROR_NONE, index);
        }
    }
    number = with_room != CXM_UNITS ? with_room : virtualizable;
    if (number == CXM_UNITS) {
        return cxm_opened(CX_ERROR_BUSY, 0);
    }
    index = cxm_take_index();
    if (index == 0) {
        return cxm_opened(CX_ERROR_TABLE_FULL, 0);
    }
    cx = &cxm.open[index];
    cx->opens = 1;
    cx->unit = (uint16_t)number;
    cx->is_exclusive = is_exclusive;
    cx->is_saved = false;
    cx->place = cxm_is_stateless(&cxm_units[number]) ? CXM_STATELESS : CXM_RESET;
    cx->cs = CXM_INITIAL;
    if (cx->place == CXM_RESET && with_room != CXM_UNITS) {
        cxm_bring_in(index, cxm_idle(&cxm_units[number]));
    }
    /* Any number can be selected, also that of a CX which is open only now. */
    cxm_changed(index);
    return cxm_opened(CX_ERROR_NONE, index);
}

void cx_close(cx_sel_t sel)
{
    uint32_t index = cxm_index_of((int)sel);
    struct cxm_open *cx = &cxm.open[index];
    CXM_BARRIER();
    cxm.error = index == 0 ? CX_ERROR_BAD_SELECTOR : CX_ERROR_NONE;
    if (index != 0 && --cx->opens == 0) {
        if (cx->place == CXM_RESIDENT) {
            cxm_units[cx->unit].owners[cx->state_id] = 0;
        }
        cxm_give_index(index);
        cxm_changed(index);
    }
    CXM_BARRIER();
}

bool cx_sel_is_cx(cx_sel_t sel)
{
    return cxm_index_of((int)sel) != 0;
}

#if !CX_ON_HART
cx_sel_t cx_get_sel(void)
{
    return (cx_sel_t)cxm.selected;
}

cx_sel_t cx_select(cx_sel_t sel)
{
    int outer = cxm.selected;
    cxm.selected = (int)sel;
    cxm_select_again();
    return (cx_sel_t)outer;
}
#endif

/* The CX whose state is saved or loaded; 0 if there is none, which may be an error. */
static uint32_t cxm_selected_state(void)
{
    bool is_builtin;
    uint32_t index = cxm_selected(&is_builtin);
    cxm.error = index == 0 && !is_builtin ? CX_ERROR_BAD_SELECTOR : CX_ERROR_NONE;
    if (index == 0 || cxm.open[index].place == CXM_STATELESS) {
        return 0;
    }
    return index;
}

static void cxm_make_resident(uint32_t index)
{
    if (cxm.open[index].place != CXM_RESIDENT) {
        cxm_swap_in(index);
    }
}

static void cxm_copy(void *to, const void *from, size_t bytes)
{
    unsigned char *target = (unsigned char *)to;
    const unsigned char *source = (const unsigned char *)from;
    size_t byte;
    for (byte = 0; byte < bytes; byte++) {
        target[byte] = source[byte];
    }
}

static size_t cxm_save(void *pv, size_t size)
{
    uint32_t index = cxm_selected_state();
    const struct cxm_unit *unit = &cxm_units[cxm.open[index].unit];
    const struct cxm_open *cx = &cxm.open[index];
    cx_word_t *image = cxm_images[0];
    size_t bytes;
    bool is_saved;
    if (index == 0) {
        return 0;
    }
    bytes = cxm_image_words(unit) * sizeof(cx_word_t);
    if (pv == NULL) {
        return bytes;
    }
    if (size < bytes) {
        cxm.error = CX_ERROR_INVALID;
        return 0;
    }
    cxm_make_resident(index);
    is_saved = cxm_save_state(unit, cx->state_id, image);
    cxm_select_again();
    if (!is_saved) {
        cxm.error = CX_ERROR_CXU;
        return 0;
    }
    image[0] = cxm_is_virtualizable(unit) ? cxm_shown(cx, image[0]) : image[0];
    cxm_copy(pv, image, bytes);
    return bytes;
}

size_t cx_save(void *pv, size_t size)
{
    size_t bytes;
    CXM_BARRIER();
    bytes = cxm_save(pv, size);
    CXM_BARRIER();
    return bytes;
}

static void cxm_restore(const void *pv, size_t size)
{
    uint32_t index = cxm_selected_state();
    const struct cxm_unit *unit = &cxm_units[cxm.open[index].unit];
    cx_word_t *image = cxm_images[0];
    size_t bytes;
    if (pv == NULL || index == 0) {
        cxm.error = pv == NULL ? CX_ERROR_NONE : cxm.error;
        return;
    }
    bytes = cxm_image_words(unit) * sizeof(cx_word_t);
    if (size < bytes) {
        cxm.error = CX_ERROR_INVALID;
        return;
    }
    cxm_copy(image, pv, bytes);
    /* Its ten bits cannot hold more. */
    if (unit->cxu->state_words <= 1023u && (image[0] >> 2 & 1023u) != unit->cxu->state_words) {
        cxm.error = CX_ERROR_INVALID;
        return;
    }
    cxm_make_resident(index);
    if (cxm_load_state(unit, cxm.open[index].state_id, image)) {
        cxm.open[index].is_saved = false;
    } else {
        cxm.error = CX_ERROR_CXU;
    }
    cxm_select_again();
}

void cx_restore(void *pv, size_t size)
{
    CXM_BARRIER();
    cxm_restore(pv, size);
    CXM_BARRIER();
}

void cx_read_counters(struct cx_counters *counters)
{
    CXM_BARRIER();
    *counters = cxm.counters;
    CXM_BARRIER();
}

uint32_t cx_status_write(uint32_t value)
{
#if CX_HARDWARE
    return (uint32_t)cxm_swap_status(value & 0x7Fu);
#else
    uint32_t outer;
    CXM_BARRIER();
    outer = cxm.status;
    cxm.status = value & 0x7Fu;
    CXM_BARRIER();
    return outer;
#endif
}

uint32_t cx_status_read(void)
{
    uint32_t status = cx_status_write(0);
    (void)cx_status_write(status);
    return status;
}

uint32_t cx_status_clear(uint32_t flags)
{
    uint32_t status = cx_status_write(0);
    (void)cx_status_write(status & ~flags);
    return status;
}

int cx_last_error(void)
{
    return cxm.error;
}

const char *cx_error_string(int error)
{
    switch (error) {
    case CX_ERROR_NONE:
        return "no error";
    case CX_ERROR_PERMISSION:
        return "permission: the CX does not allow this way of opening it";
    case CX_ERROR_BUSY:
        return "busy: another holds what was asked for";
    case CX_ERROR_FAULT:
        return "fault: null or misaligned address";
    case CX_ERROR_INVALID:
        return "invalid: an argument has no meaning";
    case CX_ERROR_NO_DEVICE:
        return "no device: no such CX on this system";
    case CX_ERROR_BAD_SELECTOR:
        return "bad selector: not open on this thread";
    case CX_ERROR_NO_MEMORY:
        return "no memory: the allocation failed";
    case CX_ERROR_TABLE_FULL:
        return "table full: all selectors of this thread are in use";
    case CX_ERROR_CXU:
        return "CXU: the CXU failed while it saved or loaded its state";
    default:
        return "unknown error";
    }
}

const char *cx_last_error_string(void)
{
    return cx_error_string(cxm.error);
}

uint32_t cx_machine_selector(void)
{
    uint32_t selector;
    CXM_BARRIER();
    selector = cxm.selector;
    CXM_BARRIER();
    return selector;
}
