#include "particle/force/inverse_square.h"

#include <math.h>
#include <string.h>

/* The largest sum over a row of |3 n n' - 1|, 1/2 + sqrt(27/4); df/dx has it for both columns. */
static const double ROW_SUM = 3.0980762113533160;

/* Net charge that counts as neutral, relative to the sum of |q|: rounding of given charges. */
static const double NEUTRAL = 1e-9;

static const double *charges_of(const mo_inverse_square *s, const double *mass)
{
    const mo_column *column = s->store ? mo_store_find(s->store, "charge") : NULL;
    return s->of_masses ? mass : column ? mo_f64(column) : s->zero;
}

static mote_status check_domain(const mo_domain *domain, const mo_descriptor *method,
                                mote_error *error)
{
    int periods = domain->periodic[0] + domain->periodic[1] + domain->periodic[2];
    if (periods == 1 || periods == 2) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "method: the domain is periodic along %d of three axes; long-range forces "
                       "need a domain that is periodic along all three axes (p3m, ewald, "
                       "particle_mesh) or along none (direct, tree)",
                       periods);
    }
    if (periods == 3 && !(method->capabilities & MO_LONG_RANGE_PERIODIC)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "method: '%s' is for open domains: the nearest images alone are not the "
                       "sum over all periodic images; use p3m, or ewald as a reference",
                       method->name);
    }
    if (periods == 0 && !(method->capabilities & MO_LONG_RANGE_OPEN)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "method: '%s' needs a periodic domain (domain.min, domain.max); use direct "
                       "or tree in an open one",
                       method->name);
    }
    return MOTE_OK;
}

/* Sums over the charges; a net charge has infinite energy in a periodic domain. */
static mote_status check_charges(const mo_inverse_square *s, const double *charge,
                                 mo_long_range_setup *setup, mote_error *error)
{
    double net = 0, sizes = 0;
    for (int64_t row = 0; row < setup->rows; ++row) {
        net += charge[row];
        sizes += fabs(charge[row]);
        setup->square_sum += charge[row] * charge[row];
    }
    if (!s->of_masses && setup->rows > 0 && sizes == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "no particle has a charge; give `charge` in a body or a species");
    }
    if (!s->of_masses && mo_domain_periodic(&setup->domain) && fabs(net) > NEUTRAL * sizes) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "the net charge is %g C, but a periodic domain must be neutral: infinitely "
                       "many images of a net charge have an infinite energy; balance the charges "
                       "of bodies and species, or use an open domain",
                       net);
    }
    return MOTE_OK;
}

static mote_status set_up(mo_inverse_square *s, const mo_inverse_square_def *def,
                          const mo_force_context *context, mo_force *force, mote_error *error)
{
    mo_long_range_setup setup = {
        .memory = context->memory, .domain = context->domain, .softening = def->softening};
    MO_TRY(check_domain(&context->domain, def->method.type, error));
    if (context->store) {
        const mo_column *mass = mo_store_find(context->store, "mass");
        setup.rows = mo_store_owned(context->store);
        MO_TRY(
            mo_reserve(s->memory, &s->zero, &s->zero_capacity, setup.rows, sizeof(double), error));
        MO_TRY(check_charges(s, charges_of(s, mass ? mo_f64(mass) : NULL), &setup, error));
    }
    return s->method->create(def->method.params, &setup, &s->solver, &force->range, error);
}

mote_status mo_inverse_square_create(const mo_inverse_square_def *def,
                                     const mo_force_context *context, mo_force *force,
                                     mote_error *error)
{
    mo_inverse_square *s = mo_allocate(context->memory, sizeof *s);
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    *s = (mo_inverse_square){.memory = context->memory,
                             .store = context->store,
                             .method = (const mo_long_range_type *)def->method.type,
                             .constant = def->constant,
                             .of_masses = def->of_masses};
    mote_status status = set_up(s, def, context, force, error);
    if (status != MOTE_OK) {
        mo_inverse_square_destroy(s, context->memory);
        return status;
    }
    force->instance = s;
    return MOTE_OK;
}

void mo_inverse_square_destroy(void *instance, mo_memory *memory)
{
    mo_inverse_square *s = instance;
    if (s->solver) {
        s->method->destroy(s->solver);
    }
    mo_release(memory, s->zero);
    mo_release(memory, s->out.force);
    mo_release(memory, s->out.gradient);
    mo_release(memory, s);
}

/* Measurements have no array of forces. */
mote_status mo_inverse_square_prepare(void *instance, const mo_force_args *args, mo_pool *pool,
                                      mote_error *error)
{
    mo_inverse_square *s = instance;
    mo_memory *memory = s->memory;
    MO_TRY(mo_reserve(memory, &s->zero, &s->zero_capacity, args->rows, sizeof(double), error));
    MO_TRY(mo_reserve(memory, &s->out.force, &s->force_capacity, 3 * args->rows, sizeof(double),
                      error));
    MO_TRY(mo_reserve(memory, &s->out.gradient, &s->gradient_capacity, args->rows, sizeof(double),
                      error));
    memset(s->out.force, 0, 3 * (size_t)args->rows * sizeof(double));
    s->out.energy = s->out.virial = 0;
    mo_long_range_input in = {.rows = args->rows,
                              .x = args->x,
                              .charge = charges_of(s, args->mass),
                              .pairs = args->pairs,
                              .measure = !args->f};
    return args->rows > 0 ? s->method->evaluate(s->solver, &in, &s->out, pool, error) : MOTE_OK;
}

void mo_inverse_square_add(const void *instance, const mo_force_args *args, int64_t first,
                           int64_t last)
{
    const mo_inverse_square *s = instance;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        args->f[k] += s->constant * s->out.force[k];
    }
}

/* The sums are known in total: the first block of rows has them. */
double mo_inverse_square_energy(const void *instance, const mo_force_args *args, int64_t first,
                                int64_t last)
{
    const mo_inverse_square *s = instance;
    (void)args;
    return first == 0 && last > 0 ? s->constant * s->out.energy : 0;
}

double mo_inverse_square_virial(const void *instance, const mo_force_args *args, int64_t first,
                                int64_t last)
{
    const mo_inverse_square *s = instance;
    (void)args;
    return first == 0 && last > 0 ? s->constant * s->out.virial : 0;
}

/* |df_i/dx_j| = k |q_i q_j| |3 n n' - 1|/r^3, in the columns of j and of i. */
void mo_inverse_square_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                                 int64_t last, double *bound)
{
    const mo_inverse_square *s = instance;
    (void)args;
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            bound[3 * row + k] += 2 * ROW_SUM * fabs(s->constant) * s->out.gradient[row];
        }
    }
}
