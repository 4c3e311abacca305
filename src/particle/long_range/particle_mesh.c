/*
 * Particle-mesh (R. W. Hockney, J. W. Eastwood 1988, chapter 6): charges are Gaussian clouds whose
 * interaction erf(a r)/r is smooth enough for a mesh, and there is no short part. Particles nearer
 * than the width of a cloud, 1/a = `smoothing` cells, hardly interact.
 * Departs from the book in the influence function, which is optimal for Gaussian clouds.
 */
#include "particle/long_range/charge_mesh.h"
#include "particle/long_range/long_range.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static const mo_param PARAMS[] = {
    {"cells", MO_INT, MO_FIELD(mo_particle_mesh_params, cells), .initial = "64",
     .range = "[8, 512]", .doc = "Mesh cells along the longest period."},
    {"assignment", MO_STRING, MO_FIELD(mo_particle_mesh_params, assignment), .initial = "\"pcs\"",
     .choices = "cic|tsc|pcs",
     .doc = "Assignment function: cloud-in-cell, triangular shaped cloud, piecewise cubic spline."},
    {"differentiation", MO_STRING, MO_FIELD(mo_particle_mesh_params, differentiation),
     .initial = "\"ik\"", .choices = "ad|ik",
     .doc =
         "ik: in Fourier space, conserves momentum to rounding; ad: analytic, conserves energy."},
    {"smoothing", MO_REAL, MO_FIELD(mo_particle_mesh_params, smoothing), .initial = "1.25",
     .range = "[0.5, 8]",
     .doc = "Width of a cloud in cells: its interaction is erf(r/width)/r. Below 1 the mesh is "
            "visible in the forces."},
    {0}};

typedef struct instance {
    mo_memory *memory;
    mo_charge_mesh *mesh;
    double gradient; /* of a unit charge at the centre of another: 4 a^3/(3 sqrt pi) */
} instance_of_mesh;

static mote_status particle_mesh_create(const void *params, const mo_long_range_setup *setup,
                                        void **instance, double *range, mote_error *error)
{
    const mo_particle_mesh_params *p = params;
    mo_influence_def def = {.ad = p->differentiation[0] == 'a'};
    double longest = 0;
    def.order = p->assignment[0] == 'c' ? 2 : p->assignment[0] == 't' ? 3 : 4;
    for (int d = 0; d < 3; ++d) {
        def.period[d] = mo_domain_period(&setup->domain, d);
        longest = fmax(longest, def.period[d]);
    }
    for (int d = 0; d < 3; ++d) {
        int cells = (int)ceil((double)p->cells * def.period[d] / longest - 1e-9);
        def.n[d] = mo_fft_next_size(cells < 2 * def.order ? 2 * def.order : cells);
    }
    def.alpha = (double)p->cells / (longest * p->smoothing);
    if (setup->softening > 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "method: particle_mesh softens by its `smoothing`; set softening to 0");
    }
    instance_of_mesh *s = mo_allocate(setup->memory, sizeof *s);
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    s->memory = setup->memory;
    s->gradient = 4 * def.alpha * def.alpha * def.alpha / (3 * sqrt(PI));
    mote_status status =
        mo_charge_mesh_create(&def, &setup->domain, setup->memory, &s->mesh, error);
    if (status != MOTE_OK) {
        mo_release(setup->memory, s);
        return status;
    }
    *instance = s;
    *range = 0;
    return MOTE_OK;
}

static void particle_mesh_destroy(void *instance)
{
    instance_of_mesh *s = instance;
    mo_charge_mesh_destroy(s->mesh);
    mo_release(s->memory, s);
}

static mote_status particle_mesh_evaluate(void *instance, const mo_long_range_input *in,
                                          mo_long_range_output *out, mo_pool *pool,
                                          mote_error *error)
{
    instance_of_mesh *s = instance;
    mo_charge_mesh_sums sums;
    MO_TRY(mo_charge_mesh_solve(s->mesh, in->rows, in->x, in->charge, out->force,
                                in->measure ? &sums : NULL, pool, error));
    if (in->measure) {
        double cells = 0, volume = mo_domain_volume(&s->mesh->domain), a = s->mesh->def.alpha;
        out->energy = sums.energy - a / sqrt(PI) * sums.squares;
        out->virial = sums.virial;
        /* as of all charges within a cloud's volume at the mean density */
        cells = 1 + (double)in->rows * 4 / 3 * PI / (a * a * a * volume);
        double rms = sqrt(sums.squares / (double)in->rows);
        for (int64_t row = 0; row < in->rows; ++row) {
            out->gradient[row] = fabs(in->charge[row]) * rms * s->gradient * cells;
        }
    }
    return MOTE_OK;
}

const mo_long_range_type mo_long_range_particle_mesh = {
    .base = {.name = "particle_mesh",
             .summary = "Particle-mesh: smoothed 1/r interaction on a periodic mesh, O(N + M log "
                        "M).",
             .citation = "R. W. Hockney, J. W. Eastwood 1988, Computer Simulation Using Particles, "
                         "chapter 6",
             .departs = "The influence function is optimal for the interaction of Gaussian clouds.",
             .capabilities = MO_LONG_RANGE_PERIODIC,
             .param_size = sizeof(mo_particle_mesh_params),
             .params = PARAMS},
    .create = particle_mesh_create,
    .destroy = particle_mesh_destroy,
    .evaluate = particle_mesh_evaluate,
};
