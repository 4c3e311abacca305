/*
 * Natural frequencies: the lowest eigenvalues of -K u = omega^2 M u (K. J. Bathe, E. L. Wilson
 * 1972, Int. J. Numer. Meth. Eng. 6, 213), in a Krylov subspace of A^-1 M, A = -K + sigma M
 * (modes_space.h). The shift sigma is 0 where A is regular, else (free bodies) the smallest that
 * makes it so.
 *
 * Rows in contact with a collider are constrained along its normal, or by friction in all
 * directions, since small vibrations do not open the contact. Friction between bodies acts as in
 * the static solve, at whose equilibrium K is taken. Planar bodies move in their plane
 * (static_constraints.h).
 *
 * Rigid-body modes and mechanisms have u (-K) u = 0 up to rounding: below a multiple of the
 * rounding error of this sum a frequency is set to 0. The criterion is free of scale: the first
 * bending mode of a slender body is far softer than its elements, and still far above rounding.
 */
#include "analysis/modes_space.h"
#include "analysis/static.h"
#include "analysis/static_constraints.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Relative to the mean stiffness by mass: no shift, and shifts for singular matrices. */
static const double SHIFTS[] = {0, 1e-10, 1e-9, 1e-8};

/* Bound of the error of the sum u A u, in roundings of its terms. */
static const double ROUNDINGS = 50;

typedef struct search {
    mote_world *world;
    mo_modes_space space;
    mo_static_constraints constraints;
    bool any_constrained;
} search;

static double mean_stiffness(const mo_modes_space *k)
{
    const mo_block_matrix *m = &k->jacobian.matrix;
    double stiffness = 0, mass = 0;
    for (int64_t row = 0; row < m->rows; ++row) {
        const double *block = m->value + 9 * m->diagonal[row];
        bool free = k->jacobian.inverse_mass[row] > 0;
        stiffness += free ? fabs(block[0] + block[4] + block[8]) / 3 : 0;
        mass += free ? mo_f64(k->system->columns.mass)[row] : 0;
    }
    return mass > 0 && stiffness > 0 ? stiffness / mass : 1;
}

/* The number of degrees of freedom. */
static void count_freedoms(search *s)
{
    static const int FREE[] = {
        [MO_ACTIVE_NONE] = 3, [MO_ACTIVE_SLIP] = 2, [MO_ACTIVE_LINE] = 1, [MO_ACTIVE_STICK] = 0};
    mo_modes_space *k = &s->space;
    const mo_active *active = k->jacobian.active;
    for (int64_t row = 0; row < k->numbers / 3; ++row) {
        bool pinned = mo_f64(k->system->columns.inverse_mass)[row] == 0;
        k->freedoms += pinned ? 0 : FREE[active ? active->kind[row] : MO_ACTIVE_NONE];
    }
    s->any_constrained = k->freedoms < k->numbers;
}

/* Evaluates the state, and finds the constrained rows. */
static mote_status evaluate(search *s, double time, mote_error *error)
{
    mo_modes_space *k = &s->space;
    const mo_particle_columns *c = &k->system->columns;
    mo_work work = {0};
    double *f;
    MO_TRY(mo_static_constraints_create(&s->constraints, s->world, k->system, time, error));
    MO_TRY(mo_static_constraints_notify(k->system, mo_f64(c->x), error));
    /* binds the slots and finds neighbours */
    MO_TRY(k->system->type->evaluate(k->system, time, error));
    MO_TRY(mo_work_vectors(k->memory, &work, 1, k->numbers + 1, &f, error));
    for (int64_t j = 0; j < k->numbers; ++j) {
        f[j] = mo_f64(c->mass)[j / 3] * mo_f64(c->a)[j];
    }
    k->jacobian.active = mo_static_constraints_find(&s->constraints, k->system, time, f);
    mo_release(k->memory, work.block);
    count_freedoms(s);
    return MOTE_OK;
}

static mote_status check_count(const search *s, mote_error *error)
{
    const mo_modes_space *k = &s->space;
    long long most = k->freedoms < MOTE_MODES_MAX ? k->freedoms : MOTE_MODES_MAX;
    if (k->freedoms == 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "modes: there are no free degrees of freedom: all particles are fixed by pins or "
            "contacts; release some of them");
    }
    if (k->wanted < 1 || k->wanted > most) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "modes: %d frequencies of %lld degrees of freedom; allowed: 1 to %lld",
                       k->wanted, (long long)k->freedoms, most);
    }
    return MOTE_OK;
}

/* sum |u_i| |A_ij| |u_j| */
static double terms_of(const mo_modes_space *k, const double *u)
{
    const mo_block_matrix *m = &k->jacobian.matrix;
    double sum = 0;
    for (int64_t row = 0; row < m->rows; ++row) {
        for (int64_t slot = m->start[row]; slot < m->start[row + 1]; ++slot) {
            const double *b = m->value + 9 * slot, *p = u + 3 * (int64_t)m->column[slot];
            for (int n = 0; n < 9; ++n) {
                sum += fabs(u[3 * row + n % 3] * b[n] * p[n / 3]);
            }
        }
    }
    return sum;
}

/* Whether A is regular up to rounding: the image of a random vector under its inverse would
 * otherwise be dominated by the null space. */
static bool resists(mo_modes_space *k, const double *right, const double *w)
{
    double energy = mo_dot_range(w, right, 0, k->numbers);
    return energy > ROUNDINGS * DBL_EPSILON * terms_of(k, w);
}

/* Assembles A, and determines whether it is regular. */
static mote_status assemble(search *s, bool *inverse, mote_error *error)
{
    mo_modes_space *k = &s->space;
    mo_linear_result result;
    mo_system_weights weights = {.inertia = k->sigma};
    mo_jacobian_fill(&k->jacobian, &k->args, &weights);
    mo_static_constraints_add_stiffness(&s->constraints, k->jacobian.active, &k->jacobian.matrix,
                                        false);
    mo_jacobian_eliminate(&k->jacobian);
    mo_modes_space_fill(k, k->v);
    mo_modes_space_weigh(k, k->v, k->scratch);
    mo_modes_space_confine(k, k->scratch);
    memset(k->w, 0, (size_t)k->numbers * sizeof(double));
    mo_linear_system system = {.memory = k->memory,
                               .pool = k->system->host->pool,
                               .matrix = &k->jacobian.matrix,
                               .pattern = k->jacobian.number,
                               .b = k->scratch,
                               .x = k->w,
                               .from_zero = true};
    MO_TRY(mo_linear_solve(&k->solver, &system, &result, error));
    *inverse = !result.indefinite && resists(k, k->scratch, k->w);
    return MOTE_OK;
}

static mote_status find_shift(search *s, double time, mote_error *error)
{
    mo_modes_space *k = &s->space;
    const mo_static_hooks *hooks = k->system->type->statics;
    bool inverse = false;
    k->args = hooks->arguments(k->system, time);
    k->coupled = mo_jacobian_parts(&k->jacobian) & MO_DF_DA;
    MO_TRY(mo_jacobian_lay_out(&k->jacobian, &k->args, hooks->coupling(k->system), false, error));
    mo_jacobian_fill(&k->jacobian, &k->args, &(mo_system_weights){.inertia = 0});
    double mean = mean_stiffness(k);
    if (!isfinite(mean)) {
        return mo_fail(
            error, MOTE_ERROR_NUMERIC,
            "modes: the stiffness matrix is not finite. Likely cause: the stiffness of a material "
            "or spring is too large; use a smaller one");
    }
    /* a body without constraints is singular without a shift */
    for (size_t n = s->any_constrained ? 0 : 1; n < sizeof SHIFTS / sizeof *SHIFTS && !inverse;
         ++n) {
        k->sigma = SHIFTS[n] * mean;
        MO_TRY(assemble(s, &inverse, error));
    }
    return inverse
               ? MOTE_OK
               : mo_fail(
                     error, MOTE_ERROR_NUMERIC,
                     "the equilibrium is unstable: its tangent stiffness is not positive definite, "
                     "so it has no natural frequencies; solve for static equilibrium first (mote "
                     "run --static)");
}

static void write_modes(const mo_modes_space *k, double *omega, double *shapes)
{
    for (int n = 0; n < k->wanted; ++n) {
        double *u = shapes ? shapes + n * k->numbers : k->scratch;
        mo_modes_space_vector(k, n, u);
        double square = 1 / k->rate[n] - k->sigma;
        omega[n] = square > ROUNDINGS * DBL_EPSILON * terms_of(k, u) ? sqrt(square) : 0;
    }
}

static mote_status find(search *s, double time, double *omega, double *shapes, mote_error *error)
{
    MO_TRY(evaluate(s, time, error));
    MO_TRY(check_count(s, error));
    MO_TRY(mo_modes_space_open(&s->space, error));
    MO_TRY(find_shift(s, time, error));
    MO_TRY(mo_modes_space_find(&s->space, error));
    write_modes(&s->space, omega, shapes);
    for (int n = 0; n < s->space.wanted; ++n) {
        if (!isfinite(omega[n])) {
            return mo_fail(
                error, MOTE_ERROR_NUMERIC,
                "modes: frequency %d is %g rad/s. Likely cause: stiffnesses and masses differ by "
                "more than double precision can represent",
                n + 1, omega[n]);
        }
    }
    return MOTE_OK;
}

mote_status mote_world_modes(mote_world *world, int count, double *omega, double *shapes,
                             mote_error *error)
{
    MO_NEED(world);
    MO_NEED(omega);
    if (count < 1) {
        return MO_BAD_ARGUMENT(count, "is %d; allowed: 1 to %d", count, MOTE_MODES_MAX);
    }
    search s = {.world = world,
                .space = {.world = world, .wanted = count, .memory = &world->memory}};
    mo_modes_space *k = &s.space;
    MO_TRY(mo_static_system(world, &k->system, error));
    const mo_static_hooks *hooks = k->system->type->statics;
    k->numbers = 3 * mo_store_owned(k->system->store);
    k->jacobian = hooks->jacobian(k->system);
    MO_TRY(mo_linear_open(&world->memory, mo_linear_exact(), &k->solver, error));
    mote_status status = find(&s, world->clock.time, omega, shapes, error);
    mo_static_constraints_notify(k->system, NULL, NULL);
    mo_linear_close(&k->solver);
    mo_jacobian_release(&k->jacobian);
    mo_modes_space_close(k);
    mo_static_constraints_destroy(&s.constraints, world);
    hooks->end(k->system);
    return status;
}
