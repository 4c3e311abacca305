/*
 * Leapfrog with staggered velocities.
 *     v(1/2) = v(-1/2) + h a(x, v, t),  x+ = x + h v(1/2),  v+ = (3 v(1/2) - v(-1/2))/2
 * The last is the extrapolated velocity of D. Tonnesen's thesis (University of Toronto 1998, eq.
 * 7.5), for velocity-dependent forces. A row with invalid history restarts with v(-1/2) = v - h/2
 * a. Time-reversible. R. W. Hockney, J. W. Eastwood, "Computer Simulation Using Particles", 1988,
 * section 4-4.
 */
#include "integrate/integrator.h"
#include "integrate/rotation.h"

enum { HALF = MO_AUX };

static const mo_param PARAMS[] = {MO_ROTATION_PARAM, {0}};

static const mo_column_spec COLUMNS[] = {
    {"leap_v", MOTE_F64, 0, MO_STATE, "m/s", "velocity half a step before the position"}, {0}};

typedef struct leap {
    double h;
    const uint8_t *age;
    const void *params;
} leap;

/* Angular velocity and acceleration of the row at k. */
static void read_rotation(const mo_segment *s, int64_t k, mo_vec3 *w, mo_vec3 *b)
{
    mo_quat q = mo_quat_load(s->slot[MO_X] + k);
    *w = mo_rotation_speed(q, mo_quat_load(s->slot[MO_V] + k));
    *b = mo_rotation_turning(q, *w, mo_quat_load(s->slot[MO_A] + k));
}

/* The exponential map: w(1/2) = w(-1/2) + h b, theta = h w(1/2), q+ = q exp(theta), w+
 * extrapolated. The row stores w(-1/2) in the last three of its four components. */
static void turn(const mo_segment *s, const leap *l, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k += 4) {
        mo_vec3 w, b;
        double *kept = s->slot[HALF] + k + 1;
        read_rotation(s, k, &w, &b);
        mo_vec3 before = l->age[k / 4] == 0 ? mo_add_scaled(w, -0.5 * l->h, b) : mo_vec3_load(kept);
        mo_vec3 next = mo_add_scaled(before, l->h, b);
        mo_vec3 ahead = mo_add_scaled(mo_scale(1.5, next), -0.5, before);
        mo_rotation_turn_row(s->slot[MO_X] + k, s->slot[MO_V] + k, mo_scale(l->h, next), ahead);
        mo_vec3_store(kept, next);
    }
}

/* Quaternion components. The world normalises q; the staggered rate must equal (q+ - q)/h, or
 * its normal component perturbs the next steps. */
static void advance_quaternions(const mo_segment *s, double h, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k += 4) {
        double *kept = s->slot[HALF] + k;
        mo_quat q = mo_quat_load(s->slot[MO_X] + k), before = mo_quat_load(kept);
        mo_quat kicked = mo_quat_add_scaled(before, h, mo_quat_load(s->slot[MO_A] + k));
        mo_quat to = mo_quat_normalize(mo_quat_add_scaled(q, h, kicked));
        double *now = s->slot[MO_X] + k, from[4];
        mo_quat_store(from, q);
        mo_quat_store(now, to);
        for (int j = 0; j < 4; ++j) {
            double next = (now[j] - from[j]) / h;
            s->slot[MO_V][k + j] = 0.5 * (3 * next - kept[j]);
            kept[j] = next;
        }
    }
}

static void start_rows(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const leap *l = context;
    if (mo_rotation_exponential(s, l->params)) {
        return;
    }
    for (int64_t k = first; k < last; ++k) {
        if (l->age[k / s->components] == 0) {
            s->slot[HALF][k] = s->slot[MO_V][k] - 0.5 * l->h * s->slot[MO_A][k];
        }
    }
}

static void advance(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const leap *l = context;
    if (mo_rotation_exponential(s, l->params)) {
        turn(s, l, first, last);
        return;
    }
    if (s->rotation) {
        advance_quaternions(s, l->h, first, last);
        return;
    }
    double h = l->h;
    double *restrict x = s->slot[MO_X], *restrict v = s->slot[MO_V], *restrict half = s->slot[HALF];
    const double *restrict a = s->slot[MO_A];
    for (int64_t k = first; k < last; ++k) {
        double next = half[k] + h * a[k];
        x[k] += h * next;
        v[k] = 0.5 * (3 * next - half[k]);
        half[k] = next;
    }
}

static void leapfrog_step(mo_dynamics *dynamics, const void *params, double h)
{
    leap l = {h, dynamics->age, params};
    mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
    if (dynamics->disturbed) {
        mo_for_state_with(dynamics, &l, start_rows);
    }
    mo_for_state_with(dynamics, &l, advance);
}

const mo_integrator_type mo_integrator_leapfrog = {
    .base = {.name = "leapfrog",
             .summary =
                 "Leapfrog with staggered velocities: second order, time-reversible, one force "
                 "evaluation a step.",
             .citation = "Hockney, Eastwood 1988, section 4-4; D. Tonnesen 1998, eq. 7.5",
             .capabilities = MO_SYMPLECTIC | MO_PORTABLE,
             .param_size = sizeof(mo_rotation_choice),
             .params = PARAMS,
             .columns = COLUMNS},
    .order = 2,
    .stable_limit = 2,
    .damped_limit = 1,
    .step = leapfrog_step,
};
