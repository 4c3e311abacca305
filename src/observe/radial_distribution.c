/*
 * The radial distribution function g(r): the number of particles at a distance r from a particle,
 * relative to an ideal gas,
 *     g(r_k) = n_k / (N_a rho_b V_k),  V_k = 4/3 pi (r_{k+1}^3 - r_k^3),
 * n_k the pairs (a, b) in the bin k (J. P. Hansen, I. R. McDonald, Theory of Simple Liquids,
 * section 2.5).
 *
 * rho_b is the average number density: N_b/V in a fully periodic box (N_b - 1 if a and b are the
 * same species). Otherwise no volume is defined, and rho_b is the average density within `range` of
 * a particle, so that the average of g over that ball is 1.
 *
 * Its neighbour search does not affect the run.
 */
#include "neighbor/search.h"
#include "neighbor/search/lists.h"
#include "observe/observable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GRAIN = 1024 };

static const double PI = 3.14159265358979323846;

typedef struct parameters {
    double range;
    int64_t bins;
    mo_list between; /* mo_reference */
    const char *system;
} parameters;

static const mo_param PARAMS[] = {
    {"range", MO_REAL, MO_FIELD(parameters, range), .unit = "m", .required = true,
     .range = "(0, inf)", .doc = "Maximum pair distance; at most half a period."},
    {"bins", MO_INT, MO_FIELD(parameters, bins), .initial = "100", .range = "[1, 10000]",
     .doc = "Number of bins."},
    {"between", MO_REFERENCE, .list = true, MO_FIELD(parameters, between), .initial = "[]",
     .target = "species",
     .doc =
         "The two species of the partial distribution; one: pairs within that species; none: all "
         "pairs."},
    MO_OBSERVED_SYSTEM(parameters),
    {0}};

typedef struct distribution {
    const parameters *params;
    mo_system *system;
    mo_memory *memory;
    mo_search *search;
    bool by_species;
    const int32_t *species; /* species of the observed rows; NULL: a single one */
    int32_t from, to;
    double volume;   /* 0: no periodic box */
    int64_t *counts; /* bins, per block of rows */
    int64_t capacity;
} distribution;

static mote_status radial_distribution_check(const void *params, mote_error *error)
{
    const parameters *p = params;
    if (p->between.count > 2) {
        return mo_fail(error, MOTE_ERROR_INPUT, "between: give at most two species, not %lld",
                       (long long)p->between.count);
    }
    return MOTE_OK;
}

static void radial_distribution_destroy(void *instance, mo_memory *memory)
{
    distribution *d = instance;
    mo_search_destroy(d->search);
    mo_release(memory, d->counts);
    mo_release(memory, d);
}

static mote_status make_search(distribution *d, const mo_domain *domain, mote_error *error)
{
    int set;
    mo_method grid = {mo_family_find(&mo_searches, "grid"), NULL};
    MO_TRY(mo_search_create(grid, domain, d->memory, &d->search, error));
    MO_TRY(mo_search_add_set(d->search, d->params->range, &set, error));
    return mo_search_ask(d->search, 0, 0, MO_LISTS_FULL, error);
}

static mote_status radial_distribution_create(const void *params,
                                              const mo_observable_context *context, void **instance,
                                              mote_error *error)
{
    const parameters *p = params;
    const mo_reference *between = p->between.items;
    mo_system *system;
    MO_TRY(mo_observed_system(context, p->system, &system, error));
    MO_TRY(p->between.count > 0 ? mo_observed_species(system, error) : MOTE_OK);
    distribution *d = mo_allocate(context->memory, sizeof *d);
    if (!d) {
        return mo_fail_memory(error, sizeof *d);
    }
    *d = (distribution){.params = p, .system = system, .memory = context->memory};
    d->volume = mo_domain_volume(&context->domain);
    if (p->between.count > 0) {
        d->by_species = true;
        d->from = (int32_t)between[0].index;
        d->to = (int32_t)between[p->between.count - 1].index;
    }
    mote_status status = make_search(d, &context->domain, error);
    if (status != MOTE_OK) {
        radial_distribution_destroy(d, context->memory);
        return status;
    }
    *instance = d;
    return MOTE_OK;
}

static int64_t radial_distribution_size(const void *instance)
{
    return ((const distribution *)instance)->params->bins;
}

/* The centre of the bin [m]. */
static void radial_distribution_label(const void *instance, int64_t index,
                                      char text[MO_OBSERVABLE_LABEL])
{
    const parameters *p = ((const distribution *)instance)->params;
    snprintf(text, MO_OBSERVABLE_LABEL, "%.9g", ((double)index + 0.5) * p->range / (double)p->bins);
}

static bool is_of(const distribution *d, int64_t row, int32_t kind)
{
    return !d->species || d->species[row] == kind;
}

/* Counts the pairs of a block of rows in its bins. */
static void count_rows(void *context, int64_t first, int64_t last)
{
    const distribution *d = context;
    const mo_lists *lists = mo_search_lists(d->search, 0, 0);
    const mo_halo *halo = mo_search_halo(d->search, 0);
    int64_t bins = d->params->bins, *count = d->counts + first / GRAIN * bins;
    double scale = (double)bins / d->params->range;
    memset(count, 0, (size_t)bins * sizeof *count);
    for (int64_t row = first; row < last; ++row) {
        const double *x = halo->x + 3 * row;
        const int32_t *near = lists->index + lists->start[row];
        for (int32_t k = 0; k < lists->count[row] && is_of(d, row, d->from); ++k) {
            const double *y = halo->x + 3 * (int64_t)near[k];
            double dx = y[0] - x[0], dy = y[1] - x[1], dz = y[2] - x[2];
            double bin = scale * sqrt(dx * dx + dy * dy + dz * dz);
            int64_t other = mo_halo_row(halo, near[k]);
            if (bin < (double)bins && is_of(d, other, d->to)) {
                count[(int64_t)bin]++;
            }
        }
    }
}

static void count_kinds(const distribution *d, double *from, double *to)
{
    int64_t rows = mo_store_owned(d->system->store);
    *from = *to = 0;
    for (int64_t row = 0; row < rows; ++row) {
        *from += is_of(d, row, d->from);
        *to += is_of(d, row, d->to);
    }
}

/* Converts pair counts to g(r). */
static void normalise(const distribution *d, double *values)
{
    int64_t bins = d->params->bins;
    double from, to, pairs = 0, width = d->params->range / (double)bins, range = d->params->range;
    count_kinds(d, &from, &to);
    for (int64_t k = 0; k < bins; ++k) {
        pairs += values[k];
    }
    double others = d->from == d->to ? to - 1 : to; /* also without species: 0 and 0 */
    double density = d->volume > 0 ? others / d->volume
                                   : pairs / (from * (4.0 / 3) * PI * range * range * range);
    for (int64_t k = 0; k < bins; ++k) {
        double low = (double)k * width, high = low + width;
        double expected = from * density * (4.0 / 3) * PI * (high * high * high - low * low * low);
        values[k] = expected > 0 ? values[k] / expected : 0;
    }
}

static mote_status radial_distribution_observe(void *instance, double time, double *values,
                                               mote_error *error)
{
    (void)time;
    distribution *d = instance;
    int64_t rows = mo_store_owned(d->system->store), bins = d->params->bins;
    int64_t blocks = (rows + GRAIN - 1) / GRAIN;
    mo_search_set set = {rows, mo_f64(d->system->columns.x)};
    d->species = d->by_species ? d->system->columns.species->data : NULL;
    MO_TRY(mo_search_build(d->search, &set, d->system->host->pool, error));
    MO_TRY(mo_reserve(d->memory, &d->counts, &d->capacity, blocks * bins, sizeof(int64_t), error));
    mo_parallel_for(d->system->host->pool, rows, GRAIN, count_rows, d);
    for (int64_t k = 0; k < bins; ++k) {
        int64_t sum = 0;
        for (int64_t block = 0; block < blocks; ++block) {
            sum += d->counts[block * bins + k];
        }
        values[k] = (double)sum;
    }
    normalise(d, values);
    return MOTE_OK;
}

const mo_observable_type mo_observable_radial_distribution = {
    .base = {.name = "radial_distribution",
             .summary = "Radial distribution function g(r).",
             .citation = "J. P. Hansen, I. R. McDonald, Theory of Simple Liquids, section 2.5",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS,
             .check = radial_distribution_check},
    .create = radial_distribution_create,
    .destroy = radial_distribution_destroy,
    .size = radial_distribution_size,
    .label = radial_distribution_label,
    .observe = radial_distribution_observe,
};
