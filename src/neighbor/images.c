/* Places of rows and of their images in periodic domains. */
#include "neighbor/search_state.h"

enum { ROW_GRAIN = 4096, IMAGES_MAX = 26 };

typedef struct imaging {
    mo_search *search;
    mo_set_state *set;
    bool count;
} imaging;

static double period(const mo_domain *domain, int axis)
{
    return domain->high[axis] - domain->low[axis];
}

/* ---- rows ---- */

static void wrap_rows(void *context, int64_t first, int64_t last)
{
    const imaging *m = context;
    const mo_domain *domain = &m->search->domain;
    for (int axis = 0; axis < 3; ++axis) {
        double length = domain->periodic[axis] ? period(domain, axis) : 0, low = domain->low[axis];
        for (int64_t row = first; row < last; ++row) {
            double x = m->set->now.x[3 * row + axis];
            m->set->shift[3 * row + axis] = length > 0 ? floor((x - low) / length) * length : 0;
        }
    }
}

static void move_rows(void *context, int64_t first, int64_t last)
{
    const imaging *m = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        m->set->place[k] = m->set->now.x[k] - m->set->shift[k];
    }
}

/* ---- images ---- */

/* Along an axis: bit k is set if the image k - 1 periods away may be within reach of the box. */
static unsigned images_along(const imaging *m, int axis, double x)
{
    const mo_domain *domain = &m->search->domain;
    if (!domain->periodic[axis]) {
        return 2;
    }
    /* more than a rounding beyond the reach, for a place may lie that much outside the box */
    double low = domain->low[axis], high = domain->high[axis];
    double reach = m->set->reach * (1 + 0x1p-30) + 0x1p-48 * (fabs(low) + fabs(high));
    return 2u | (x <= low + reach ? 4u : 0) | (x >= high - reach ? 1u : 0);
}

/* The images of a row that lie within reach of the box; returns how many. */
static int images_of(const imaging *m, int64_t row, uint8_t image[IMAGES_MAX])
{
    const double *x = m->set->place + 3 * row;
    unsigned along[3] = {images_along(m, 0, x[0]), images_along(m, 1, x[1]), images_along(m, 2, x[2])};
    int count = 0;
    if ((along[0] | along[1] | along[2]) == 2) {
        return 0;
    }
    for (unsigned k = 0; k < 27; ++k) {
        unsigned a = k % 3, b = k / 3 % 3, c = k / 9;
        if (k != 13 && (along[0] >> a & 1) && (along[1] >> b & 1) && (along[2] >> c & 1)) {
            image[count++] = (uint8_t)(a | b << 2 | c << 4);
        }
    }
    return count;
}

/* Counts the images of a block, or writes them where the block begins. */
static void find_images(void *context, int64_t first, int64_t last)
{
    const imaging *m = context;
    int32_t *at = &m->search->block_images[first / ROW_GRAIN], count = 0, begin = *at;
    uint8_t image[IMAGES_MAX];
    for (int64_t row = first; row < last; ++row) {
        int found = images_of(m, row, image);
        for (int k = 0; !m->count && k < found; ++k) {
            m->set->owner[begin + count + k] = (int32_t)row;
            m->set->image[begin + count + k] = image[k];
        }
        count += found;
    }
    if (m->count) {
        *at = count;
    }
}

static void move_images(void *context, int64_t first, int64_t last)
{
    const imaging *m = context;
    const mo_domain *domain = &m->search->domain;
    double *place = m->set->place;
    for (int64_t k = first; k < last; ++k) {
        const double *from = place + 3 * (int64_t)m->set->owner[k];
        double *to = place + 3 * (m->set->now.rows + k);
        for (int axis = 0; axis < 3; ++axis) {
            int periods = (m->set->image[k] >> 2 * axis & 3) - 1;
            to[axis] = periods ? from[axis] + periods * period(domain, axis) : from[axis];
        }
    }
}

void mo_images_move(mo_search *search, mo_set_state *set, mo_pool *pool)
{
    imaging m = {search, set, false};
    mo_parallel_for(pool, set->now.rows, ROW_GRAIN, move_rows, &m);
    mo_parallel_for(pool, set->images, ROW_GRAIN, move_images, &m);
}

mote_status mo_images_make(mo_search *search, mo_set_state *set, mo_pool *pool, mote_error *error)
{
    mo_memory *memory = search->memory;
    imaging m = {search, set, true};
    int64_t rows = set->now.rows, blocks = (rows + ROW_GRAIN - 1) / ROW_GRAIN, images = 0;
    MO_TRY(mo_make_room(memory, &set->place, &set->place_capacity, 3 * rows + 1, sizeof(double), error));
    MO_TRY(mo_make_room(memory, &set->shift, &set->shift_capacity, 3 * rows, sizeof(double), error));
    MO_TRY(
        mo_make_room(memory, &search->block_images, &search->block_capacity, blocks, sizeof(int32_t), error));
    mo_parallel_for(pool, rows, ROW_GRAIN, wrap_rows, &m);
    mo_parallel_for(pool, rows, ROW_GRAIN, move_rows, &m);
    mo_parallel_for(pool, rows, ROW_GRAIN, find_images, &m);
    for (int64_t block = 0; block < blocks; ++block) {
        int32_t count = search->block_images[block];
        search->block_images[block] = (int32_t)images;
        images += count;
        if (rows + images > MO_SEARCH_ROWS_MAX) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "a neighbour search takes at most %d places, images included", MO_SEARCH_ROWS_MAX);
        }
    }
    set->images = images;
    if (images > set->owner_capacity) { /* some more than now: their number goes up and down */
        int64_t need = images + images / 4;
        MO_TRY(mo_make_room(memory, &set->owner, &set->owner_capacity, need, sizeof(int32_t), error));
        MO_TRY(mo_make_room(memory, &set->image, &set->image_capacity, need, 1, error));
        need = 3 * (rows + need) + 1;
        MO_TRY(mo_make_room(memory, &set->place, &set->place_capacity, need, sizeof(double), error));
    }
    MO_TRY(mo_make_room(memory, &set->place, &set->place_capacity, 3 * (rows + images) + 1, sizeof(double),
                        error));
    m.count = false;
    mo_parallel_for(pool, rows, ROW_GRAIN, find_images, &m);
    mo_parallel_for(pool, images, ROW_GRAIN, move_images, &m);
    return MOTE_OK;
}

/* ---- other columns ---- */

typedef struct spreading {
    const mo_set_state *set;
    double *column;
    int components;
} spreading;

static void spread(void *context, int64_t first, int64_t last)
{
    const spreading *s = context;
    for (int64_t k = first; k < last; ++k) {
        const double *from = s->column + s->components * (int64_t)s->set->owner[k];
        double *to = s->column + s->components * (s->set->now.rows + k);
        for (int c = 0; c < s->components; ++c) {
            to[c] = from[c];
        }
    }
}

void mo_search_spread(const mo_search *search, int set, double *column, int components, mo_pool *pool)
{
    spreading s = {&search->sets[set], column, components};
    mo_parallel_for(pool, s.set->images, ROW_GRAIN, spread, &s);
}
