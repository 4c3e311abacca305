/*
 * Long-range forces compared with lattice sums, with Ewald's sum, and with derivatives of their
 * energies.
 */
#include "validate/long_range.h"

#include "base/error.h"
#include "bench/case_world.h"
#include "math/random.h"
#include "neighbor/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const mo_long_range_type mo_long_range_ewald, mo_long_range_particle_mesh,
    mo_long_range_limited_range;

/* ---- clouds of charges ---- */

mote_status charges_create(int64_t rows, const double period[3], bool periodic, bool masses,
                           charges *c, mote_error *error)
{
    memset(c, 0, sizeof *c);
    mo_memory_init(&c->memory, NULL);
    c->rows = rows;
    for (int k = 0; k < 3; ++k) {
        c->domain.periodic[k] = periodic;
        c->domain.high[k] = period[k];
    }
    c->x = mo_allocate(&c->memory, (size_t)(3 * rows + 4) * sizeof(double));
    c->q = mo_allocate(&c->memory, (size_t)(rows + 4) * sizeof(double));
    c->out.force = mo_allocate(&c->memory, (size_t)(3 * rows) * sizeof(double));
    c->out.gradient = mo_allocate(&c->memory, (size_t)rows * sizeof(double));
    if (!c->x || !c->q || !c->out.force || !c->out.gradient) {
        charges_release(c);
        return mo_fail_memory(error, (size_t)rows * 64);
    }
    for (int64_t k = 0; k < 3 * rows; ++k) {
        double two[2];
        mo_random_uniform(19, 0, (uint64_t)k, 0, two);
        c->x[k] = period[k % 3] * two[0];
    }
    for (int64_t k = 0; k < rows; ++k) {
        c->q[k] = masses || k % 2 == 0 ? 1 : -1;
    }
    return MOTE_OK;
}

void charges_release(charges *c)
{
    mo_release(&c->memory, c->x);
    mo_release(&c->memory, c->q);
    mo_release(&c->memory, c->out.force);
    mo_release(&c->memory, c->out.gradient);
}

static mote_status make_lists(charges_session *s, double range, mote_error *error)
{
    charges *c = s->cloud;
    mo_search_set set = {c->rows, c->x};
    int index;
    MO_TRY(mo_search_create((mo_method){0}, &c->domain, &c->memory, &s->search, error));
    MO_TRY(mo_search_add_set(s->search, range, &index, error));
    MO_TRY(mo_search_ask(s->search, 0, 0, MO_LISTS_FULL, error));
    MO_TRY(mo_search_build(s->search, &set, s->pool, error));
    s->pairs = mo_search_pairs(s->search, 0);
    return MOTE_OK;
}

mote_status charges_open(charges *c, const mo_long_range_type *type, const void *params,
                         int threads, charges_session *s, mote_error *error)
{
    mo_long_range_setup setup = {&c->memory, c->domain, c->rows, 0, c->softening};
    double range = 0;
    *s = (charges_session){.cloud = c, .type = type};
    for (int64_t k = 0; k < c->rows; ++k) {
        setup.square_sum += c->q[k] * c->q[k];
    }
    mote_status status = mo_pool_create(&c->memory, threads, &s->pool, error);
    status = status == MOTE_OK ? type->create(params, &setup, &s->solver, &range, error) : status;
    status = status == MOTE_OK && range > 0 ? make_lists(s, range, error) : status;
    if (status != MOTE_OK) {
        charges_close(s);
    }
    return status;
}

void charges_close(charges_session *s)
{
    if (s->search) {
        mo_search_destroy(s->search);
    }
    if (s->solver) {
        s->type->destroy(s->solver);
    }
    if (s->pool) {
        mo_pool_destroy(s->pool);
    }
}

mote_status charges_run(charges_session *s, bool measure, mote_error *error)
{
    charges *c = s->cloud;
    mo_long_range_input in = {c->rows, c->x, c->q, s->search ? &s->pairs : NULL, measure};
    memset(c->out.force, 0, (size_t)(3 * c->rows) * sizeof(double));
    c->out.energy = c->out.virial = 0;
    return s->type->evaluate(s->solver, &in, &c->out, s->pool, error);
}

mote_status charges_evaluate(charges *c, const mo_long_range_type *type, const void *params,
                             bool measure, int threads, mote_error *error)
{
    charges_session s;
    MO_TRY(charges_open(c, type, params, threads, &s, error));
    mote_status status = charges_run(&s, measure, error);
    charges_close(&s);
    return status;
}

double charges_rms(int64_t rows, const double *f, const double *g)
{
    double sum = 0;
    for (int64_t k = 0; k < 3 * rows; ++k) {
        sum += (f[k] - g[k]) * (f[k] - g[k]);
    }
    return sqrt(sum / (double)rows);
}

/* ---- Madelung constants ---- */

static const char CRYSTAL[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.01},"
    " \"domain\": {\"min\": [0, 0, 0], \"max\": [%d, %d, %d]},"
    " \"bodies\": [{\"name\": \"plus\", \"charge\": 1, \"mesh\": {\"type\": \"lattice\", \"kind\": \"%s\","
    "     \"nx\": %d, \"ny\": %d, \"nz\": %d, \"spacing\": 1, \"origin\": [0.1, 0.2, 0.3]}},"
    "   {\"name\": \"minus\", \"charge\": -1, \"mesh\": {\"type\": \"lattice\", \"kind\": \"%s\","
    "     \"nx\": %d, \"ny\": %d, \"nz\": %d, \"spacing\": 1, \"origin\": [0.6, %g, %g]}}],"
    " \"forces\": [{\"type\": \"coulomb\", \"constant\": 1, \"method\": %s}]}";

typedef struct crystal {
    const char *name, *kind;
    double y, z;    /* origin of the negative ions */
    double nearest; /* distance of unlike ions, in lattice constants */
    double madelung;
} crystal;

/* D. Borwein, J. M. Borwein, K. F. Taylor 1985, J. Math. Phys. 26, 2999 (rock salt); I. J. Zucker
 * 1975, J. Phys. A 8, 1734 */
static const crystal CRYSTALS[] = {
    {"rock salt", "fcc", 0.2, 0.3, 0.5, 1.74756459463318},
    {"caesium chloride", "sc", 0.7, 0.8, 0.86602540378443865, 1.76267477307099}};

static mote_status check_crystal(validation *v, const crystal *c, const char *method,
                                 double allowed, mote_error *error)
{
    char text[sizeof CRYSTAL + 400], name[80];
    mote_world *world;
    mote_measures m;
    int n = 4;
    snprintf(text, sizeof text, CRYSTAL, n, n, n, c->kind, n, n, n, c->kind, n, n, n, c->y, c->z,
             method);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    double pairs = 0.5 * (double)mote_world_rows(world, 0);
    mote_status status = mote_world_measure(world, &m, error);
    mote_world_destroy(world);
    MO_TRY(status);
    const char *of = strstr(method, "p3m") ? "p3m" : "ewald";
    snprintf(name, sizeof name, "%s, %s", c->name, of);
    validate_relative(v, "long_range/madelung", name, -m.potential / pairs * c->nearest,
                      c->madelung, allowed);
    /* the virial of 1/r is its energy: pressure of ions at rest */
    snprintf(name, sizeof name, "%s, %s, virial", c->name, of);
    validate_relative(v, "long_range/madelung", name, -m.virial / pairs * c->nearest, c->madelung,
                      20 * allowed);
    return MOTE_OK;
}

static mote_status run_madelung(void *context, mote_error *error)
{
    for (int k = 0; k < 2; ++k) {
        MO_TRY(check_crystal(context, &CRYSTALS[k], "{\"type\": \"ewald\"}", 1e-11, error));
        MO_TRY(check_crystal(context, &CRYSTALS[k], "{\"type\": \"p3m\", \"accuracy\": 1e-6}", 1e-6,
                             error));
    }
    return MOTE_OK;
}

/* ---- RMS force errors ---- */

typedef struct tolerance {
    double value;
} tolerance;

/* The force between two particles of unit charge at the mean spacing. */
static double unit_force(const charges *c)
{
    double volume = mo_domain_volume(&c->domain);
    return pow(volume / (double)c->rows, -2.0 / 3);
}

static mote_status check_accuracy(validation *v, const double period[3], const char *box,
                                  mote_error *error)
{
    charges c;
    tolerance exact = {1e-13};
    char name[80];
    MO_TRY(charges_create(1000, period, true, false, &c, error));
    mote_status status = charges_evaluate(&c, &mo_long_range_ewald, &exact, false, 0, error);
    double *reference = mo_allocate(&c.memory, 3000 * sizeof(double));
    memcpy(reference, c.out.force, 3000 * sizeof(double));
    for (int k = 2; k <= 6 && status == MOTE_OK; ++k) {
        for (int ad = 0; ad < 2 && status == MOTE_OK; ++ad) {
            mo_p3m_params p = {pow(10, -k), NAN, MO_ABSENT_INT, MO_ABSENT_INT, ad ? "ad" : "ik"};
            status = charges_evaluate(&c, &mo_long_range_p3m, &p, false, 0, error);
            snprintf(name, sizeof name, "RMS force error, %s, accuracy 1e-%d, %s", box, k,
                     p.differentiation);
            if (status == MOTE_OK) {
                validate_at_most(v, "long_range/accuracy", name,
                                 charges_rms(c.rows, c.out.force, reference) / unit_force(&c),
                                 p.accuracy, 0);
            }
        }
    }
    mo_release(&c.memory, reference);
    charges_release(&c);
    return status;
}

static mote_status run_accuracy(void *context, mote_error *error)
{
    const double cube[3] = {1, 1, 1}, brick[3] = {1, 1.7, 0.8};
    MO_TRY(check_accuracy(context, cube, "cube", error));
    return check_accuracy(context, brick, "box 1 x 1.7 x 0.8", error);
}

/* ---- forces against energies, momentum ---- */

typedef struct sample {
    const char *name;
    const mo_long_range_type *type;
    const void *params;
    bool periodic;
    double gradient, momentum; /* allowed, relative to the RMS force */
} sample;

/* -dE/dx of component k by differences. */
static mote_status difference(charges *c, const sample *s, int64_t k, double h, double *f,
                              mote_error *error)
{
    double energy[2], x = c->x[k];
    for (int side = 0; side < 2; ++side) {
        c->x[k] = x + (side ? h : -h);
        MO_TRY(charges_evaluate(c, s->type, s->params, true, 1, error));
        energy[side] = c->out.energy;
    }
    c->x[k] = x;
    *f = (energy[0] - energy[1]) / (2 * h);
    return MOTE_OK;
}

static mote_status check_sample(validation *v, charges *c, const sample *s, mote_error *error)
{
    double worst = 0, squares = 0, sum[3] = {0}, f;
    char name[80];
    MO_TRY(charges_evaluate(c, s->type, s->params, false, 1, error));
    double *force = mo_allocate(&c->memory, (size_t)(3 * c->rows) * sizeof(double));
    memcpy(force, c->out.force, (size_t)(3 * c->rows) * sizeof(double));
    for (int64_t k = 0; k < 3 * c->rows; ++k) {
        squares += force[k] * force[k];
        sum[k % 3] += force[k];
    }
    double rms = sqrt(squares / (double)c->rows);
    mote_status status = MOTE_OK;
    for (int64_t k = 0; k < 9 && status == MOTE_OK; ++k) {
        status = difference(c, s, k, 2e-6, &f, error);
        worst = fmax(worst, fabs(f - force[k]) / rms);
    }
    mo_release(&c->memory, force);
    MO_TRY(status);
    snprintf(name, sizeof name, "%s: force and -dE/dx", s->name);
    validate_absolute(v, "long_range/forces", name, worst, 0, s->gradient);
    snprintf(name, sizeof name, "%s: sum of forces", s->name);
    double total = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    validate_absolute(v, "long_range/forces", name, total / (rms * sqrt((double)c->rows)), 0,
                      s->momentum);
    return MOTE_OK;
}

/* Differences of energies of order 100 by 4e-6: rounding 1e-8 of a force of order 100, and h^2
 * times the third derivative of close pairs. ik forces are not derivatives: accuracy. */
static mote_status run_forces(void *context, mote_error *error)
{
    static const tolerance EXACT = {1e-13};
    static const mo_p3m_params AD = {1e-4, NAN, MO_ABSENT_INT, MO_ABSENT_INT, "ad"};
    static const mo_p3m_params IK = {1e-4, NAN, MO_ABSENT_INT, MO_ABSENT_INT, "ik"};
    static const mo_particle_mesh_params MESH_AD = {32, "pcs", "ad", 2},
                                         MESH_IK = {32, "tsc", "ik", 2};
    static const mo_tree_params TREE = {0.3};
    static const mo_limited_range_params RANGE = {0.2, 0.4};
    const sample samples[] = {
        {"ewald", &mo_long_range_ewald, &EXACT, true, 1e-7, 1e-12},
        {"p3m ad", &mo_long_range_p3m, &AD, true, 1e-5, 1e-4},
        {"p3m ik", &mo_long_range_p3m, &IK, true, 1e-3, 1e-12},
        {"particle_mesh ad", &mo_long_range_particle_mesh, &MESH_AD, true, 1e-5, 3e-2},
        {"particle_mesh ik", &mo_long_range_particle_mesh, &MESH_IK, true, 3e-2, 1e-12},
        {"limited_range", &mo_long_range_limited_range, &RANGE, true, 1e-7, 1e-12},
        {"direct", &mo_long_range_direct, NULL, false, 1e-7, 1e-12},
        {"tree", &mo_long_range_tree, &TREE, false, 3e-3, 1e-3}};
    const double cube[3] = {1, 1, 1};
    for (size_t k = 0; k < sizeof samples / sizeof *samples; ++k) {
        charges c;
        MO_TRY(charges_create(200, cube, samples[k].periodic, false, &c, error));
        mote_status status = check_sample(context, &c, &samples[k], error);
        charges_release(&c);
        MO_TRY(status);
    }
    return MOTE_OK;
}

/* ---- against sums by the definition ---- */

/* The sums over all pairs by the formula, with a root and a division in double precision. */
static void sum_pairs(const charges *c, double *force)
{
    for (int64_t i = 0; i < c->rows; ++i) {
        mo_vec3 x = mo_vec3_load(c->x + 3 * i), sum = {0, 0, 0};
        for (int64_t j = 0; j < c->rows; ++j) {
            mo_vec3 d = mo_sub(x, mo_vec3_load(c->x + 3 * j));
            double square = mo_dot(d, d);
            sum = j == i ? sum : mo_add_scaled(sum, c->q[j] / (square * sqrt(square)), d);
        }
        mo_vec3_store(force + 3 * i, mo_scale(c->q[i], sum));
    }
}

/* 4,000 masses, their accelerations by the definition, and the RMS of these. */
typedef struct masses {
    charges charges;
    double *reference, rms;
} masses;

static mote_status masses_create(masses *m, mote_error *error)
{
    const double cube[3] = {1, 1, 1};
    charges *c = &m->charges;
    MO_TRY(charges_create(4000, cube, false, true, c, error));
    double squares = 0;
    m->reference = mo_allocate(&c->memory, 12000 * sizeof(double));
    sum_pairs(c, m->reference);
    for (int k = 0; k < 12000; ++k) {
        squares += m->reference[k] * m->reference[k];
    }
    m->rms = sqrt(squares / 4000);
    return MOTE_OK;
}

static void masses_release(masses *m)
{
    mo_release(&m->charges.memory, m->reference);
    charges_release(&m->charges);
}

static mote_status find_error(masses *m, const mo_long_range_type *type, const void *params,
                              double *relative, mote_error *error)
{
    MO_TRY(charges_evaluate(&m->charges, type, params, false, 0, error));
    *relative = charges_rms(m->charges.rows, m->charges.out.force, m->reference) / m->rms;
    return MOTE_OK;
}

/* Each term has the error of a few roundings to 24 bits, and so has the sum over a tile. */
static mote_status run_precision(void *context, mote_error *error)
{
    static const mo_direct_params SINGLE = {"single"};
    double relative = NAN;
    masses m;
    mote_status status = masses_create(&m, error);
    if (status == MOTE_OK) {
        status = find_error(&m, &mo_long_range_direct, NULL, &relative, error);
    }
    validate_at_most(context, "long_range/direct", "RMS error of accelerations, double", relative,
                     1e-13, 0);
    if (status == MOTE_OK) {
        status = find_error(&m, &mo_long_range_direct, &SINGLE, &relative, error);
    }
    validate_at_most(context, "long_range/direct", "RMS error of accelerations, single", relative,
                     1e-6, 0);
    masses_release(&m);
    return status;
}

static mote_status run_tree(void *context, mote_error *error)
{
    const double angles[] = {0.3, 0.5, 0.7};
    masses m;
    mote_status status = masses_create(&m, error);
    for (int k = 0; k < 3 && status == MOTE_OK; ++k) {
        char name[60];
        mo_tree_params p = {angles[k]};
        double relative = NAN;
        status = find_error(&m, &mo_long_range_tree, &p, &relative, error);
        snprintf(name, sizeof name, "RMS error of accelerations, angle %g", angles[k]);
        /* the neglected octupole is of order angle^4 of the node's field */
        validate_at_most(context, "long_range/tree", name, relative, 0.05 * pow(angles[k], 4), 0);
    }
    masses_release(&m);
    return status;
}

static const suite_case CASES[] = {
    {"long_range/madelung", "Lattice energies of rock salt and caesium chloride.", run_madelung},
    {"long_range/accuracy", "RMS force error of p3m, 1,000 random charges, against Ewald's sum.",
     run_accuracy},
    {"long_range/forces", "Forces against differences of the energy; sum of forces.", run_forces},
    {"long_range/direct", "Direct summation against sums by the definition, 4,000 masses.",
     run_precision},
    {"long_range/tree", "The tree against sums by the definition, 4,000 masses.", run_tree},
    {"long_range/kepler", "An elliptic orbit by direct summation and by the tree.",
     long_range_kepler},
    {"long_range/plummer", "A Plummer sphere in equilibrium by the tree.", long_range_plummer},
    {"long_range/drift", "Energy drift of a molten salt in 10,000 steps (a minute).",
     long_range_drift},
    {0}};

const suite_group validate_long_range = {"long_range", "Charges and masses: long-range forces.",
                                         CASES};
