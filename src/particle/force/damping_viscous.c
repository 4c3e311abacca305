/*
 * Viscous damping between particles, f_i = -g sum_j (v_i - v_j) over all j within the range. It
 * conserves linear but not angular momentum, since the pair force is not central (D. Tonnesen 1998,
 * chapter 7, second test).
 */
#include "math/vec3.h"
#include "particle/force/field.h"
#include "particle/force/pair_jacobian.h"

typedef struct damping_viscous {
    double g, range;
} damping_viscous;

static const mo_param PARAMS[] = {
    {"g", MO_REAL, MO_FIELD(damping_viscous, g), .unit = "kg/s", .required = true,
     .range = "[0, inf)", .doc = "Damping coefficient of a pair."},
    {"range", MO_REAL, MO_FIELD(damping_viscous, range), .unit = "m", .required = true,
     .range = "(0, inf)", .doc = "Cutoff distance of the pairs."},
    {0}};

static mote_status damping_viscous_create(const void *params, const mo_force_context *context,
                                          mo_force *force, mote_error *error)
{
    const damping_viscous *p = params;
    (void)context;
    (void)error;
    force->range = p->range;
    return MOTE_OK;
}

/* One difference per pair, bitwise equal from both sides, so that momentum is conserved. */
static mo_vec3 pull_of(const mo_pairs *pairs, const double *v, double square, int64_t row,
                       int32_t other)
{
    mo_vec3 d =
        mo_sub(mo_vec3_load(pairs->x + 3 * (int64_t)other), mo_vec3_load(pairs->x + 3 * row));
    mo_vec3 far = {0, 0, 0};
    return mo_dot(d, d) <= square
               ? mo_sub(mo_vec3_load(v + 3 * row),
                        mo_vec3_load(v + 3 * (int64_t)mo_pairs_row(pairs, other)))
               : far;
}

static void damping_viscous_add(const void *instance, const mo_force_args *args, int64_t first,
                                int64_t last)
{
    const damping_viscous *d = instance;
    const mo_pairs *pairs = args->pairs;
    for (int64_t row = first; row < last; ++row) {
        const int32_t *near = pairs->index + pairs->start[row];
        mo_vec3 sum = {0, 0, 0};
        for (int32_t k = 0; k < pairs->count[row]; ++k) {
            sum = mo_add(sum, pull_of(pairs, args->v, d->range * d->range, row, near[k]));
        }
        mo_vec3_store(args->f + 3 * row,
                      mo_add_scaled(mo_vec3_load(args->f + 3 * row), -d->g, sum));
    }
}

static bool within(const mo_pairs *pairs, double range, int64_t row, int32_t other)
{
    mo_vec3 d =
        mo_sub(mo_vec3_load(pairs->x + 3 * (int64_t)other), mo_vec3_load(pairs->x + 3 * row));
    return mo_dot(d, d) <= range * range;
}

/* g per neighbour on the diagonal, and the same sum off the diagonal */
static void damping_viscous_damping(const void *instance, const mo_force_args *args, int64_t first,
                                    int64_t last, double *bound)
{
    const damping_viscous *d = instance;
    const mo_pairs *pairs = args->pairs;
    for (int64_t row = first; row < last; ++row) {
        const int32_t *near = pairs->index + pairs->start[row];
        int32_t neighbours = 0;
        for (int32_t k = 0; k < pairs->count[row]; ++k) {
            neighbours += within(pairs, d->range, row, near[k]);
        }
        for (int c = 0; c < 3; ++c) {
            bound[3 * row + c] += 2 * d->g * neighbours;
        }
    }
}

static mote_status damping_viscous_couple(const void *instance, const mo_force_args *args,
                                          mo_memory *memory, mo_block_pattern *pattern,
                                          mote_error *error)
{
    (void)instance;
    return mo_pair_couple(args->pairs, memory, pattern, error);
}

/* df_i/dv_j = g */
static void damping_viscous_fill(const void *instance, const mo_force_args *args,
                                 const mo_jacobian_ask *ask, mo_block_matrix *matrix, int64_t first,
                                 int64_t last)
{
    const damping_viscous *d = instance;
    const mo_pairs *pairs = args->pairs;
    double g = ask->along_v * d->g;
    const double block[9] = {g, 0, 0, 0, g, 0, 0, 0, g};
    for (int64_t row = first; row < last && g != 0; ++row) {
        const int32_t *near = pairs->index + pairs->start[row];
        for (int32_t k = 0; k < pairs->count[row]; ++k) {
            if (within(pairs, d->range, row, near[k])) {
                mo_pair_fill(matrix, row, mo_pairs_row(pairs, near[k]), block);
            }
        }
    }
}

static void damping_viscous_multiply(const void *instance, const mo_force_args *args,
                                     const mo_jacobian_ask *ask, const double *p, double *y,
                                     int64_t first, int64_t last)
{
    const damping_viscous *d = instance;
    const mo_pairs *pairs = args->pairs;
    double g = ask->along_v * d->g;
    for (int64_t row = first; row < last && g != 0; ++row) {
        const int32_t *near = pairs->index + pairs->start[row];
        mo_vec3 sum = {0, 0, 0};
        for (int32_t k = 0; k < pairs->count[row]; ++k) {
            sum = mo_add(sum, pull_of(pairs, p, d->range * d->range, row, near[k]));
        }
        mo_vec3_store(y + 3 * row, mo_add_scaled(mo_vec3_load(y + 3 * row), -g, sum));
    }
}

static const mo_force_jacobian JACOBIAN = {
    .derivatives = MO_DF_DV,
    .couple = damping_viscous_couple,
    .fill = damping_viscous_fill,
    .multiply = damping_viscous_multiply,
};

const mo_force_type mo_field_damping_viscous = {
    .base = {.name = "damping_viscous",
             .summary = "Pairwise damping f = -g (v_i - v_j) of all pairs within a range.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(damping_viscous),
             .params = PARAMS},
    .create = damping_viscous_create,
    .add = damping_viscous_add,
    .damping = damping_viscous_damping,
    .jacobian = &JACOBIAN,
};
