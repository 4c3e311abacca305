/*
 * Long-range forces: one evaluation of each method over the number of particles, 1e3 to 1e6 (D.
 * Tonnesen 1998, 7.1.5), at equal density; and direct summation in floating-point operations, 20
 * per pair (three differences, the squared distance, 1/r, q/r^3, three sums).
 *
 * Neighbour lists are built beforehand: they are shared with other pair forces and reused over
 * steps. CPU seconds of the process are measured, so that other load disturbs little.
 */
#include "validate/long_range.h"
#include "base/error.h"
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

extern const mo_long_range_type mo_long_range_particle_mesh, mo_long_range_limited_range;

typedef struct mesh_params { /* as in particle_mesh.c */
    int64_t cells;
    const char *assignment, *differentiation;
    double smoothing;
} mesh_params;

typedef struct range_params {
    double r_a, r_b;
} range_params;

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* CPU seconds of one evaluation, the best of the repeats. */
static mote_status time_method(const bench *b, charges *c, const mo_long_range_type *type,
                               const void *params, double *seconds, mote_error *error)
{
    charges_session session;
    MO_TRY(charges_open(c, type, params, 1, &session, error));
    mote_status status = charges_run(&session, false, error); /* allocations */
    *seconds = INFINITY;
    for (int k = 0; k < b->repeats && status == MOTE_OK; ++k) {
        double start = processor_seconds();
        status = charges_run(&session, false, error);
        *seconds = fmin(*seconds, processor_seconds() - start);
    }
    charges_close(&session);
    return status;
}

static mote_status report(const bench *b, int64_t rows, bool periodic, const char *name,
                          const mo_long_range_type *type, const void *params, mote_error *error)
{
    charges c;
    char label[80];
    double edge = cbrt((double)rows), seconds;
    const double period[3] = {edge, edge, edge};
    MO_TRY(charges_create(rows, period, periodic, !periodic, &c, error));
    mote_status status = time_method(b, &c, type, params, &seconds, error);
    charges_release(&c);
    MO_TRY(status);
    snprintf(label, sizeof label, "long_range/%s/%lld", name, (long long)rows);
    bench_row row = {.name = label,
                     .threads = 1,
                     .seconds = seconds,
                     .rate = 1e-6 * (double)rows / seconds,
                     .unit = "million particles/s",
                     .baseline = NAN};
    if (type == &mo_long_range_direct) {
        snprintf(row.note, sizeof row.note, "%.2f GFLOP/s at 20 operations a pair",
                 2e-8 * (double)rows * (double)rows / seconds);
    }
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run(void *context, mote_error *error)
{
    static const int64_t SIZES[] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};
    static const mo_p3m_params P3M = {1e-4, NAN, MO_ABSENT_INT, MO_ABSENT_INT, "ad"};
    static const mo_tree_params TREE = {0.5};
    static const range_params RANGE = {2, 2.5};
    const bench *b = context;
    int sizes = b->quick ? 3 : 7;
    for (int k = 0; k < sizes; ++k) {
        int64_t rows = SIZES[k];
        int64_t cells = (int64_t)ceil(cbrt((double)rows));
        mesh_params mesh = {cells < 8 ? 8 : cells, "pcs", "ik", 1.25};
        if (rows <= 100000) {
            MO_TRY(report(b, rows, false, "direct", &mo_long_range_direct, NULL, error));
        }
        MO_TRY(report(b, rows, false, "tree", &mo_long_range_tree, &TREE, error));
        MO_TRY(report(b, rows, true, "particle_mesh", &mo_long_range_particle_mesh, &mesh, error));
        MO_TRY(report(b, rows, true, "p3m", &mo_long_range_p3m, &P3M, error));
        MO_TRY(report(b, rows, true, "limited_range", &mo_long_range_limited_range, &RANGE, error));
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"long_range/", "One evaluation of each method over the number of particles.", run}, {0}};

const suite_group bench_long_range = {"long_range", "Long-range forces of charges and masses.",
                                      CASES};
