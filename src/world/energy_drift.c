#include "world/energy_drift.h"

#include "host/row_sums.h"
#include "world/world.h"

#include <math.h>

/* Most instabilities appear early: checked after 1, 4 and 16 steps, then regularly, more often at
 * first. The energy of the forces costs up to as much as the forces of a step, and the mechanical
 * energy of the rows nearly nothing: between steps that are multiples of LATER_EVERY the energy is
 * measured only if the mechanical one has grown. */
enum { EVERY = 48, EARLY = 1024, LATER_EVERY = 128, PERSIST = 8 };

#define PART 0.1
#define GROWN (0.5 * PART) /* of the largest kinetic energy */
#define ROUNDING 1e-9      /* relative, of the energies */
#define NEAR_LIMIT \
    0.9 /* q beyond which a stable scheme is not distinguished from an unstable one */

/* ---- closed systems ---- */

static bool colliders_move(const mo_colliders *colliders)
{
    bool any = false;
    for (int64_t k = 0; k < colliders->count; ++k) {
        any = any || mo_motion_moves(colliders->list[k].motion) || colliders->list[k].slides;
    }
    return any;
}

void mo_energy_drift_open(mote_world *world)
{
    mo_energy_budget budget = {.open = world->def.actions.count > 0 ||
                                       colliders_move(&world->colliders) ||
                                       world->host.gravity_scale.count > 1};
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        if (s->type->budget) {
            s->type->budget(s, &world->def, &budget);
        }
    }
    world->energy = (mo_energy_drift){
        .closed = !budget.open, .stores = budget.stores, .warm_up = budget.warm_up, .omega = NAN};
}

/* ---- the measurements ---- */

static bool is_due(const mote_world *world)
{
    int64_t step = world->clock.steps - world->energy.warm_up;
    int every = step <= EARLY ? EVERY : LATER_EVERY;
    bool first = step == 1 || step == 4 || step == 16;
    return step > 0 && (world->energy.suspect > 0 || first || step % every == 0);
}

/* Kinetic energy without rotations and potential energy of gravity, by rows. */
static mote_status find_mechanical(const mote_world *world, double *energy, mote_error *error)
{
    mote_measures m = {0};
    for (int k = 0; k < world->system_count; ++k) {
        MO_TRY(mo_row_sums_measure(&world->systems[k], world->clock.time, &m, error));
    }
    *energy = m.kinetic + m.potential;
    return MOTE_OK;
}

/* Whether an unstable step could have happened since the last measurement. */
static bool may_have_grown(const mote_world *world, double mechanical)
{
    const mo_energy_drift *w = &world->energy;
    bool regular = (world->clock.steps - w->warm_up) % LATER_EVERY == 0;
    return regular || w->suspect > 0 || !(mechanical <= w->mechanical + GROWN * w->kinetic);
}

static int64_t count_rows(const mote_world *world)
{
    int64_t rows = 0;
    for (int k = 0; k < world->system_count; ++k) {
        rows += mo_store_owned(world->systems[k].store);
    }
    return rows;
}

static double largest_diameter(const mote_world *world)
{
    double least = INFINITY;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
            double inverse = mo_f64(s->columns.inverse_diameter)[row];
            least = inverse > 0 ? fmin(least, inverse) : least;
        }
    }
    return isfinite(least) ? 1 / least : 0;
}

/* Energy that position corrections may add, and jumps of pair energies at a cut-off. */
static double find_floor(mote_world *world, const mote_measures *m)
{
    double g = mo_length(world->host.gravity),
           floor = g > 0 ? m->mass * g * largest_diameter(world) : 0;
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        floor += s->type->slack ? s->type->slack(s, world->clock.time) : 0;
    }
    return floor;
}

static void refer_to(mo_energy_drift *w, const mote_world *world, double energy)
{
    w->reference = energy;
    w->since = world->clock.steps;
    w->since_time = world->clock.time;
    w->next = -1;
}

static void start(mote_world *world, const mote_measures *m)
{
    mo_energy_drift *w = &world->energy;
    double stored = m->potential + m->elastic;
    refer_to(w, world, m->kinetic + stored);
    w->started = true;
    w->rows = count_rows(world);
    w->floor = find_floor(world, m);
    w->kinetic = m->kinetic;
    w->lowest = w->highest = stored;
    w->suspect = 0;
}

/* Accepts a state within the limit: updates the exchanged energy and the reference. A state that
 * is accepted only because of the oscillation term does not raise the scale, or an instability
 * would raise its own limit. */
static void accept(mote_world *world, const mote_measures *m, bool sound)
{
    mo_energy_drift *w = &world->energy;
    double stored = m->potential + m->elastic, energy = m->kinetic + stored;
    w->suspect = 0;
    if (sound) {
        w->kinetic = fmax(w->kinetic, m->kinetic);
        w->lowest = fmin(w->lowest, stored);
        w->highest = fmax(w->highest, stored);
    }
    if (w->stores ? energy > w->reference : energy < w->reference) {
        refer_to(w, world, energy);
    } else if (w->next < 0) {
        w->next = world->clock.steps;
    }
}

/* The relative oscillation of the energy of a stable leapfrog. */
static mote_status find_wobble(mote_world *world, double h, double *wobble, mote_error *error)
{
    mo_energy_drift *w = &world->energy;
    if (isnan(w->omega)) {
        MO_TRY(mote_world_frequency(world, &w->omega, error));
    }
    double q = fmin(0.25 * w->omega * w->omega * h * h, NEAR_LIMIT);
    *wobble = q / (1 - q);
    return MOTE_OK;
}

static void warn_about_growth(mote_world *world, double energy)
{
    const mo_energy_drift *w = &world->energy;
    bool varies = world->def.time.step.type->capabilities & MO_STEP_VARIES;
    mo_warn(
        &world->warnings, &world->log, world->clock.time, "energy",
        "spurious energy growth: %.3g J more than between steps %lld and %lld (t = %g s), where "
        "the growth began, at a kinetic energy of %.3g J and without external work. Likely cause: "
        "a step too large for the stiffest force, damping or viscosity; use a smaller %s or "
        "another integrator",
        energy - w->reference, (long long)w->since, (long long)w->next, w->since_time,
        w->kinetic + w->highest - w->lowest,
        varies ? "time.step.factor or time.step.max" : "time.step");
}

static mote_status judge(mote_world *world, double h, const mote_measures *m, mote_error *error)
{
    mo_energy_drift *w = &world->energy;
    double stored = m->potential + m->elastic, energy = m->kinetic + stored;
    double rounding = ROUNDING * (m->kinetic + fabs(m->potential) + fabs(m->elastic)), wobble = 0;
    double scale = w->kinetic + w->highest - w->lowest,
           rise = energy - w->reference - w->floor - rounding;
    if (rise > PART * scale) {
        MO_TRY(find_wobble(world, h, &wobble, error));
    }
    if (!(rise > (PART + wobble) * scale)) {
        accept(world, m, !(rise > PART * scale));
        return MOTE_OK;
    }
    w->next = w->next < 0 ? world->clock.steps : w->next;
    if (++w->suspect == PERSIST) {
        warn_about_growth(world, energy);
        w->closed = false; /* reported once */
    }
    return MOTE_OK;
}

mote_status mo_energy_drift_step(mote_world *world, double h, mote_error *error)
{
    mo_energy_drift *w = &world->energy;
    mote_measures m;
    if (!w->closed || !is_due(world)) {
        return MOTE_OK;
    }
    double mechanical;
    MO_TRY(find_mechanical(world, &mechanical, error));
    bool restart = !w->started || w->rows != count_rows(world);
    if (!restart && !may_have_grown(world, mechanical)) {
        return MOTE_OK;
    }
    MO_TRY(mo_world_measure(world, false, &m, error));
    w->mechanical = mechanical;
    if (restart) {
        start(world, &m);
        return MOTE_OK;
    }
    return judge(world, h, &m, error);
}
