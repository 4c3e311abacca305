#include "neighbor/halo.h"

#include "neighbor/search/search.h"

#include <string.h>

enum { ROW_GRAIN = 4096, IMAGES_MAX = 26 };

void mo_halo_init(mo_halo *halo, const mo_domain *domain, double radius, mo_memory *memory)
{
    *halo = (mo_halo){.memory = memory, .domain = *domain, .radius = radius};
}

void mo_halo_release(mo_halo *halo)
{
    void *const blocks[] = {halo->owner, halo->image, halo->shift, halo->wrapped, halo->block};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(halo->memory, blocks[k]);
    }
    mo_halo_init(halo, &(mo_domain){0}, 0, halo->memory);
}

int64_t mo_halo_bytes(const mo_halo *halo)
{
    return (int64_t)sizeof(int32_t) * (halo->owner_capacity + halo->block_capacity) +
           halo->image_capacity +
           (int64_t)sizeof(double) * (halo->shift_capacity + halo->wrapped_capacity);
}

/* ---- local particles ---- */

/* Rows being added to the halo. */
typedef struct passage {
    mo_halo *halo;
    const double *x;
    bool write; /* writes the ghosts; otherwise they are counted */
} passage;

static void find_shifts(void *context, int64_t first, int64_t last)
{
    const passage *p = context;
    const mo_domain *domain = &p->halo->domain;
    for (int axis = 0; axis < 3; ++axis) {
        for (int64_t row = first; row < last; ++row) {
            p->halo->shift[3 * row + axis] = mo_domain_shift(domain, axis, p->x[3 * row + axis]);
        }
    }
}

static void move_local(void *context, int64_t first, int64_t last)
{
    const passage *p = context;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        p->halo->wrapped[k] = p->x[k] - p->halo->shift[k];
    }
}

/* ---- ghosts ---- */

/* Bit k is set if the image k - 1 periods away along an axis may be within the radius. */
static unsigned images_along(const mo_halo *halo, int axis, double x)
{
    const mo_domain *domain = &halo->domain;
    if (!domain->periodic[axis]) {
        return 2;
    }
    /* radius with a margin for rounding of wrapped positions */
    double low = domain->low[axis], high = domain->high[axis];
    double reach = halo->radius * (1 + 0x1p-30) + 0x1p-48 * (fabs(low) + fabs(high));
    return 2u | (x <= low + reach ? 4u : 0) | (x >= high - reach ? 1u : 0);
}

enum { OWN_IMAGE = 1 | 1 << 2 | 1 << 4 };

/* The images of a row within the radius of the domain; returns their number. */
static int images_of(const mo_halo *halo, int64_t row, uint8_t image[IMAGES_MAX])
{
    const double *x = halo->wrapped + 3 * row;
    unsigned along[3] = {images_along(halo, 0, x[0]), images_along(halo, 1, x[1]),
                         images_along(halo, 2, x[2])};
    int count = 0;
    if ((along[0] | along[1] | along[2]) == 2) {
        return 0;
    }
    for (unsigned c = 0; along[2] >> c; ++c) {
        for (unsigned b = 0; (along[2] >> c & 1) && along[1] >> b; ++b) {
            for (unsigned a = 0; (along[1] >> b & 1) && along[0] >> a; ++a) {
                image[count] = (uint8_t)(a | b << 2 | c << 4);
                count += (along[0] >> a & 1) && image[count] != OWN_IMAGE;
            }
        }
    }
    return count;
}

/* Counts the ghosts of a block of rows, or writes them from the start of the block. */
static void find_ghosts(void *context, int64_t first, int64_t last)
{
    const passage *p = context;
    mo_halo *halo = p->halo;
    int32_t *at = &halo->block[first / ROW_GRAIN], count = 0, begin = *at;
    uint8_t image[IMAGES_MAX];
    for (int64_t row = first; row < last; ++row) {
        int found = images_of(halo, row, image);
        for (int k = 0; p->write && k < found; ++k) {
            halo->owner[begin + count + k] = (int32_t)row;
            halo->image[begin + count + k] = image[k];
        }
        count += found;
    }
    if (!p->write) {
        *at = count;
    }
}

static void move_ghosts(void *context, int64_t first, int64_t last)
{
    mo_halo *halo = ((const passage *)context)->halo;
    for (int64_t k = first; k < last; ++k) {
        const double *from = halo->wrapped + 3 * (int64_t)halo->owner[k];
        double *to = halo->wrapped + 3 * (halo->owned + k);
        for (int axis = 0; axis < 3; ++axis) {
            int periods = (halo->image[k] >> 2 * axis & 3) - 1;
            to[axis] =
                periods ? from[axis] + periods * mo_domain_period(&halo->domain, axis) : from[axis];
        }
    }
}

/* Converts counts of blocks to offsets. */
static mote_status add_up(mo_halo *halo, int64_t owned, int64_t *ghosts, mote_error *error)
{
    *ghosts = 0;
    for (int64_t block = 0; block * ROW_GRAIN < owned; ++block) {
        int32_t count = halo->block[block];
        halo->block[block] = (int32_t)*ghosts;
        *ghosts += count;
        if (owned + *ghosts > MO_SEARCH_ROWS_MAX) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "a neighbour search has at most %d particles, periodic images included",
                           MO_SEARCH_ROWS_MAX);
        }
    }
    return MOTE_OK;
}

/* Reserves ghosts, with a margin since their number fluctuates. */
static mote_status reserve(mo_halo *halo, int64_t owned, int64_t ghosts, mote_error *error)
{
    mo_memory *memory = halo->memory;
    int64_t need = ghosts > halo->owner_capacity ? ghosts + ghosts / 4 : ghosts;
    MO_TRY(mo_reserve(memory, &halo->owner, &halo->owner_capacity, need, sizeof(int32_t), error));
    MO_TRY(mo_reserve(memory, &halo->image, &halo->image_capacity, need, 1, error));
    return mo_reserve(memory, &halo->wrapped, &halo->wrapped_capacity, 3 * (owned + need) + 1,
                      sizeof(double), error);
}

mote_status mo_halo_build(mo_halo *halo, int64_t owned, const double *x, mo_pool *pool,
                          mote_error *error)
{
    passage p = {halo, x, false};
    int64_t blocks = (owned + ROW_GRAIN - 1) / ROW_GRAIN, ghosts;
    halo->owned = halo->count = 0;
    if (!mo_domain_periodic(&halo->domain)) {
        halo->owned = halo->count = owned;
        halo->x = x;
        return MOTE_OK;
    }
    MO_TRY(reserve(halo, owned, 0, error));
    MO_TRY(mo_reserve(halo->memory, &halo->shift, &halo->shift_capacity, 3 * owned, sizeof(double),
                      error));
    MO_TRY(mo_reserve(halo->memory, &halo->block, &halo->block_capacity, blocks, sizeof(int32_t),
                      error));
    mo_parallel_for(pool, owned, ROW_GRAIN, find_shifts, &p);
    mo_parallel_for(pool, owned, ROW_GRAIN, move_local, &p);
    mo_parallel_for(pool, owned, ROW_GRAIN, find_ghosts, &p);
    MO_TRY(add_up(halo, owned, &ghosts, error));
    MO_TRY(reserve(halo, owned, ghosts, error));
    halo->owned = owned;
    halo->count = owned + ghosts;
    halo->x = halo->wrapped;
    p.write = true;
    mo_parallel_for(pool, owned, ROW_GRAIN, find_ghosts, &p);
    mo_parallel_for(pool, ghosts, ROW_GRAIN, move_ghosts, &p);
    return MOTE_OK;
}

void mo_halo_update_positions(mo_halo *halo, const double *x, mo_pool *pool)
{
    passage p = {halo, x, false};
    if (!mo_domain_periodic(&halo->domain)) {
        halo->x = x;
        return;
    }
    mo_parallel_for(pool, halo->owned, ROW_GRAIN, move_local, &p);
    mo_parallel_for(pool, halo->count - halo->owned, ROW_GRAIN, move_ghosts, &p);
}

/* ---- other columns ---- */

typedef struct column {
    const mo_halo *halo;
    void *data;
    int components;
    size_t size; /* of a particle's components */
} column;

static void copy_to_ghosts(void *context, int64_t first, int64_t last)
{
    const column *c = context;
    char *ghosts = (char *)c->data + (size_t)c->halo->owned * c->size;
    for (int64_t k = first; k < last; ++k) {
        memcpy(ghosts + (size_t)k * c->size,
               (const char *)c->data + (size_t)c->halo->owner[k] * c->size, c->size);
    }
}

/* The common case of four floats per particle is one load. */
static void copy_four_to_ghosts(void *context, int64_t first, int64_t last)
{
    const column *c = context;
    float *data = c->data, *ghosts = data + 4 * c->halo->owned;
    for (int64_t k = first; k < last; ++k) {
        memcpy(ghosts + 4 * k, data + 4 * (int64_t)c->halo->owner[k], 4 * sizeof(float));
    }
}

static void update(column c, mo_pool *pool)
{
    mo_parallel_for(pool, c.halo->count - c.halo->owned, ROW_GRAIN,
                    c.size == 4 * sizeof(float) ? copy_four_to_ghosts : copy_to_ghosts, &c);
}

void mo_halo_update_f64(const mo_halo *halo, double *data, int components, mo_pool *pool)
{
    update((column){halo, data, components, (size_t)components * sizeof *data}, pool);
}

void mo_halo_update_f32(const mo_halo *halo, float *data, int components, mo_pool *pool)
{
    update((column){halo, data, components, (size_t)components * sizeof *data}, pool);
}

/* The ghosts added by a block of ghosts: all of the owners whose first ghost is in it, so that
 * no row is written by two threads and its sum is in the order of its ghosts. */
static void whole_owners(const mo_halo *halo, int64_t *first, int64_t *last)
{
    int64_t ghosts = halo->count - halo->owned;
    while (*first > 0 && *first < *last && halo->owner[*first] == halo->owner[*first - 1]) {
        ++*first;
    }
    while (*first < *last && *last < ghosts && halo->owner[*last] == halo->owner[*last - 1]) {
        ++*last;
    }
}

static void add_f64(void *context, int64_t first, int64_t last)
{
    const column *c = context;
    double *data = c->data;
    whole_owners(c->halo, &first, &last);
    for (int64_t k = first; k < last; ++k) {
        double *to = data + c->components * (int64_t)c->halo->owner[k];
        const double *from = data + c->components * (c->halo->owned + k);
        for (int n = 0; n < c->components; ++n) {
            to[n] += from[n];
        }
    }
}

static void add_f32(void *context, int64_t first, int64_t last)
{
    const column *c = context;
    float *data = c->data;
    whole_owners(c->halo, &first, &last);
    for (int64_t k = first; k < last; ++k) {
        float *to = data + c->components * (int64_t)c->halo->owner[k];
        const float *from = data + c->components * (c->halo->owned + k);
        for (int n = 0; n < c->components; ++n) {
            to[n] += from[n];
        }
    }
}

void mo_halo_add_back_f64(const mo_halo *halo, double *data, int components, mo_pool *pool)
{
    column c = {.halo = halo, .data = data, .components = components};
    mo_parallel_for(pool, halo->count - halo->owned, ROW_GRAIN, add_f64, &c);
}

void mo_halo_add_back_f32(const mo_halo *halo, float *data, int components, mo_pool *pool)
{
    column c = {.halo = halo, .data = data, .components = components};
    mo_parallel_for(pool, halo->count - halo->owned, ROW_GRAIN, add_f32, &c);
}
