/*
 * The method that suits domain and number of particles: p3m in a periodic domain; direct summation
 * of few particles in an open one, a tree of many.
 */
#include "particle/long_range/long_range.h"

#include <math.h>

/* Particles from which on the tree is faster (docs/long_range.md). */
enum { TREE_FROM = 2000 };

typedef struct automatic {
    double accuracy;
} automatic;

static const mo_param PARAMS[] = {
    {"accuracy", MO_REAL, MO_FIELD(automatic, accuracy), .initial = "1e-4", .range = "(0, 0.1]",
     .doc = "RMS force error relative to the force between two particles of RMS charge at the mean "
            "spacing."},
    {0}};

typedef struct chosen {
    mo_memory *memory;
    const mo_long_range_type *type;
    void *instance;
} chosen;

/* The largest opening angle whose error, measured in Plummer spheres, is below the accuracy. */
static double angle_of(double accuracy)
{
    return fmax(0.1, fmin(0.8, 0.55 * cbrt(accuracy / 1e-4)));
}

static mote_status auto_create(const void *params, const mo_long_range_setup *setup,
                               void **instance, double *range, mote_error *error)
{
    double accuracy = ((const automatic *)params)->accuracy;
    mo_p3m_params mesh = {.accuracy = accuracy,
                          .cutoff = NAN,
                          .order = MO_ABSENT_INT,
                          .cells = MO_ABSENT_INT,
                          .differentiation = "ad"};
    mo_tree_params tree = {angle_of(accuracy)};
    chosen *c = mo_allocate(setup->memory, sizeof *c);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    c->memory = setup->memory;
    c->type = mo_domain_periodic(&setup->domain) ? &mo_long_range_p3m
              : setup->rows < TREE_FROM          ? &mo_long_range_direct
                                                 : &mo_long_range_tree;
    const void *given = c->type == &mo_long_range_p3m    ? (const void *)&mesh
                        : c->type == &mo_long_range_tree ? &tree
                                                         : NULL;
    mote_status status = c->type->create(given, setup, &c->instance, range, error);
    if (status != MOTE_OK) {
        mo_release(setup->memory, c);
        return status;
    }
    *instance = c;
    return MOTE_OK;
}

static void auto_destroy(void *instance)
{
    chosen *c = instance;
    c->type->destroy(c->instance);
    mo_release(c->memory, c);
}

static mote_status auto_evaluate(void *instance, const mo_long_range_input *in,
                                 mo_long_range_output *out, mo_pool *pool, mote_error *error)
{
    chosen *c = instance;
    return c->type->evaluate(c->instance, in, out, pool, error);
}

const mo_long_range_type mo_long_range_auto = {
    .base = {.name = "auto",
             .summary =
                 "p3m in periodic domains; in open ones direct or, for many particles, tree.",
             .capabilities = MO_LONG_RANGE_OPEN | MO_LONG_RANGE_PERIODIC,
             .param_size = sizeof(automatic),
             .params = PARAMS},
    .create = auto_create,
    .destroy = auto_destroy,
    .evaluate = auto_evaluate,
};
