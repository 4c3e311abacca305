/*
 * Viscous damping between particles, f_i = -g sum_j (v_i - v_j) over all j within the range: neighbours drag
 * each other along. It keeps linear momentum, but not angular momentum: the force of a pair does not act
 * along the line between them (D. Tonnesen 1998, chapter 7, second test).
 */
#include "math/vec3.h"
#include "neighbor/cell_list.h"
#include "particle/force/field.h"

typedef struct damping_viscous {
    double g, range;
} damping_viscous;

static const mo_param PARAMS[] = {
    {"g", MO_REAL, MO_FIELD(damping_viscous, g), .unit = "kg/s", .required = true, .range = "[0, inf)",
     .doc = "Force for each metre a second between two particles."},
    {"range", MO_REAL, MO_FIELD(damping_viscous, range), .unit = "m", .required = true, .range = "(0, inf)",
     .doc = "Particles further apart than this do not feel each other."},
    {0}};

typedef struct damper {
    double g, range;
    mo_neighbor_lists lists;
} damper;

static mote_status create(const void *params, mo_store *store, mo_memory *memory, void **instance,
                          mote_error *error)
{
    const damping_viscous *p = params;
    damper *d = mo_allocate(memory, sizeof *d);
    (void)store;
    if (!d) {
        return mo_fail_memory(error, sizeof *d);
    }
    d->g = p->g;
    d->range = p->range;
    mo_neighbor_lists_init(&d->lists, memory);
    *instance = d;
    return MOTE_OK;
}

static void destroy(void *instance, mo_memory *memory)
{
    damper *d = instance;
    mo_neighbor_lists_release(&d->lists);
    mo_release(memory, d);
}

static mote_status prepare(void *instance, const mo_force_args *args, mo_pool *pool, mote_error *error)
{
    damper *d = instance;
    return mo_neighbor_lists_build(&d->lists, pool, args->rows, args->x, d->range, error);
}

static void add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const damper *d = instance;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 v = mo_vec3_load(args->v + 3 * row), sum = {0, 0, 0};
        for (int64_t k = d->lists.start[row]; k < d->lists.start[row + 1]; ++k) {
            /* one difference a pair, the same from both sides, so that they cancel */
            sum = mo_add(sum, mo_sub(v, mo_vec3_load(args->v + 3 * (int64_t)d->lists.index[k])));
        }
        mo_vec3_store(args->f + 3 * row, mo_add_scaled(mo_vec3_load(args->f + 3 * row), -d->g, sum));
    }
}

const mo_field_type mo_field_damping_viscous = {
    .base = {.name = "damping_viscous",
             .summary = "f = -g (v_i - v_j) between all particles within a range.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(damping_viscous),
             .params = PARAMS},
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .add = add,
};
