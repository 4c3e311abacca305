/*
 * Mean square displacement of the particles from their initial positions:
 *     msd = 1/n sum |x - x(0)|^2,
 * over the free particles, with unwrapped positions in periodic domains. In a liquid it grows as 6
 * D t (A. Einstein 1905), in a solid it stays bounded.
 */
#include "observe/observable.h"

#include <stdio.h>
#include <string.h>

enum { GRAIN = 4096, AXES = 3, NUMBERS = 4 };

typedef struct parameters {
    mo_reference species;
    const char *system;
} parameters;

static const mo_param PARAMS[] = {{"species", MO_REFERENCE, MO_FIELD(parameters, species),
                                   .target = "species",
                                   .doc = "Restrict to particles of this species; default: all."},
                                  MO_OBSERVED_SYSTEM(parameters),
                                  {0}};

static const mo_column_spec COLUMNS[] = {
    {"start_x", MOTE_F64, 3, MO_STATE, "m", "position at the particle's creation"}, {0}};

typedef struct displacement {
    mo_system *system;
    bool by_species;
    int32_t kind;
} displacement;

static mote_status mean_square_displacement_create(const void *params,
                                                   const mo_observable_context *context,
                                                   void **instance, mote_error *error)
{
    const parameters *p = params;
    mo_system *system;
    MO_TRY(mo_observed_system(context, p->system, &system, error));
    MO_TRY(p->species.name ? mo_observed_species(system, error) : MOTE_OK);
    displacement *d = mo_allocate(context->memory, sizeof *d);
    if (!d) {
        return mo_fail_memory(error, sizeof *d);
    }
    *d = (displacement){system, p->species.name != NULL, (int32_t)p->species.index};
    *instance = d;
    return MOTE_OK;
}

static mo_system *mean_square_displacement_system(const void *instance)
{
    return ((const displacement *)instance)->system;
}

static double *start_of(const displacement *d)
{
    return mo_f64(mo_store_find(d->system->store, COLUMNS[0].name));
}

static void mean_square_displacement_destroy(void *instance, mo_memory *memory)
{
    mo_release(memory, instance);
}

static void mean_square_displacement_begin(void *instance, const mo_system *system, int64_t first)
{
    const displacement *d = instance;
    int64_t rows = mo_store_owned(d->system->store);
    if (system == d->system && rows > first) {
        memcpy(start_of(d) + 3 * first, mo_f64(d->system->columns.x) + 3 * first,
               (size_t)(rows - first) * 3 * sizeof(double));
    }
}

static int64_t mean_square_displacement_size(const void *instance)
{
    (void)instance;
    return NUMBERS;
}

static void mean_square_displacement_label(const void *instance, int64_t index,
                                           char text[MO_OBSERVABLE_LABEL])
{
    static const char *const LABELS[NUMBERS] = {"msd_m2", "msd_x_m2", "msd_y_m2", "msd_z_m2"};
    (void)instance;
    snprintf(text, MO_OBSERVABLE_LABEL, "%s", LABELS[index]);
}

typedef struct sum {
    const displacement *of;
    const double *start;
    const int32_t *species; /* NULL: all */
} sum;

/* partial: the sums of squares along the axes, and the number of particles */
static void add_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const sum *s = context;
    const mo_particle_columns *c = &s->of->system->columns;
    memset(partial, 0, NUMBERS * sizeof *partial);
    for (int64_t row = first; row < last; ++row) {
        bool counts =
            mo_f64(c->inverse_mass)[row] > 0 && (!s->species || s->species[row] == s->of->kind);
        for (int k = 0; counts && k < AXES; ++k) {
            double way = mo_f64(c->x)[3 * row + k] - s->start[3 * row + k];
            partial[k] += way * way;
        }
        partial[AXES] += counts;
    }
}

static mote_status mean_square_displacement_observe(void *instance, double time, double *values,
                                                    mote_error *error)
{
    (void)time;
    const displacement *d = instance;
    const mo_store *store = d->system->store;
    sum s = {d, start_of(d), d->by_species ? d->system->columns.species->data : NULL};
    double total[NUMBERS];
    MO_TRY(mo_parallel_reduce(d->system->host->pool, mo_store_owned(store), GRAIN, MO_SUM, NUMBERS,
                              add_rows, &s, total, error));
    double count = total[AXES] > 0 ? total[AXES] : 1;
    for (int k = 0; k < AXES; ++k) {
        values[1 + k] = total[k] / count;
    }
    values[0] = (total[0] + total[1] + total[2]) / count;
    return MOTE_OK;
}

const mo_observable_type mo_observable_mean_square_displacement = {
    .base = {.name = "mean_square_displacement",
             .summary = "Mean square displacement of the particles from their initial positions.",
             .citation = "A. Einstein 1905, Ann. Phys. 322, 549",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS,
             .columns = COLUMNS},
    .create = mean_square_displacement_create,
    .destroy = mean_square_displacement_destroy,
    .system = mean_square_displacement_system,
    .begin = mean_square_displacement_begin,
    .size = mean_square_displacement_size,
    .label = mean_square_displacement_label,
    .observe = mean_square_displacement_observe,
};
