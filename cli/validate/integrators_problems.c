/*
 * Four problems with closed forms. Distances are from the closed form at the same time, over
 * positions and velocities, in units of the amplitude.
 */
#include "validate/integrators.h"

#include "math/quat.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

const double trial_omega = 2;
static const double DAMPING = 0.3;

/* One particle of 1 kg. */
#define OSCILLATOR_SCENE \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1}," \
    " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[1, 0, 0]]}, \"velocity\": [0, 1, " \
    "0]}]}"

static void pull_back(void *context, const mote_force_view *f)
{
    (void)context;
    for (int64_t k = 3 * f->first; k < 3 * f->last; ++k) {
        f->f[k] -= trial_omega * trial_omega * f->x[k];
    }
}

static void pull_back_and_damp(void *context, const mote_force_view *f)
{
    (void)context;
    for (int64_t k = 3 * f->first; k < 3 * f->last; ++k) {
        f->f[k] -= trial_omega * trial_omega * f->x[k] + 2 * DAMPING * f->v[k];
    }
}

/* x'' = -omega^2 x - 2 d x' from x0 and v0, with u = sqrt(omega^2 - d^2):
   x = exp(-d t) (x0 cos ut + (v0 + d x0)/u sin ut),
   v = exp(-d t) (v0 cos ut - (omega^2 x0 + d v0)/u sin ut). */
static double off_oscillation(const trial *t, double time, double damping)
{
    const double start_x[3] = {1, 0, 0}, start_v[3] = {0, 1, 0};
    double square = trial_omega * trial_omega, u = sqrt(square - damping * damping);
    double c = exp(-damping * time) * cos(u * time), s = exp(-damping * time) * sin(u * time) / u,
           sum = 0;
    for (int k = 0; k < 3; ++k) {
        double x = start_x[k] * c + (start_v[k] + damping * start_x[k]) * s;
        double v = start_v[k] * c - (square * start_x[k] + damping * start_v[k]) * s;
        double dx = t->x[k] - x, dv = (t->v[k] - v) / trial_omega;
        sum += dx * dx + dv * dv;
    }
    return sqrt(sum);
}

static double off_undamped(const trial *t, double time)
{
    return off_oscillation(t, time, 0);
}

static double off_damped(const trial *t, double time)
{
    return off_oscillation(t, time, DAMPING);
}

/* Kepler's problem x'' = -x/|x|^3 with semi-major axis 1, one period from the apocentre: the
 * motion is slow there, so that the starting error of multistep schemes is separate from that of
 * the pericentre. */
#define KEPLER_SCENE \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1}," \
    " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[-1.6, 0, 0]]}, \"velocity\": [0, " \
    "-0.5, 0]}]}"
static const double ECCENTRICITY = 0.6;

static void attract(void *context, const mote_force_view *f)
{
    (void)context;
    for (int64_t row = f->first; row < f->last; ++row) {
        const double *x = f->x + 3 * row;
        double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], over = 1 / (square * sqrt(square));
        for (int k = 0; k < 3; ++k) {
            f->f[3 * row + k] -= over * x[k];
        }
    }
}

/* E of E - e sin E = M, by Newton's method. Starting at pi it converges monotonically. */
static double eccentric_anomaly(double mean)
{
    double turns = floor(mean / (2 * PI)), m = mean - 2 * PI * turns, anomaly = PI;
    for (int k = 0; k < 50; ++k) {
        anomaly -= (anomaly - ECCENTRICITY * sin(anomaly) - m) / (1 - ECCENTRICITY * cos(anomaly));
    }
    return anomaly + 2 * PI * turns;
}

static double off_orbit(const trial *t, double time)
{
    double anomaly = eccentric_anomaly(time + PI), c = cos(anomaly), s = sin(anomaly);
    double minor = sqrt(1 - ECCENTRICITY * ECCENTRICITY), rate = 1 / (1 - ECCENTRICITY * c);
    double dx = t->x[0] - (c - ECCENTRICITY), dy = t->x[1] - minor * s;
    double du = t->v[0] + s * rate, dv = t->v[1] - minor * c * rate;
    return sqrt(dx * dx + dy * dy + du * du + dv * dv);
}

/* ---- the same forces with their Jacobians ---- */

typedef struct exact_force {
    mote_force_fn *force;
    double pull, damping; /* df/dx = -pull 1, df/dv = -damping 1 */
    bool kepler;          /* df/dx = (3 n n^T - 1)/|x|^3 */
} exact_force;

static void add_exact(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const exact_force *e = instance;
    mote_force_view view = {.time = args->time,
                            .first = first,
                            .last = last,
                            .x = args->x,
                            .v = args->v,
                            .mass = args->mass,
                            .f = args->f};
    e->force(NULL, &view);
}

/* along_x df/dx + along_v df/dv of a row, column-major */
static void block_of(const exact_force *e, const mo_force_args *args, const mo_jacobian_ask *ask,
                     int64_t row, double block[9])
{
    const double *x = args->x + 3 * row;
    double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2],
           over = e->kepler ? 1 / (square * sqrt(square)) : 0;
    for (int k = 0; k < 9; ++k) {
        double one = k % 4 == 0,
               tidal = over * ((ask->definite ? 0 : 3 * x[k / 3] * x[k % 3] / square) - one);
        block[k] = ask->along_x * (tidal - e->pull * one) - ask->along_v * e->damping * one;
    }
}

static void fill_exact(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                       mo_block_matrix *matrix, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        double block[9];
        block_of(instance, args, ask, row, block);
        for (int k = 0; k < 9; ++k) {
            matrix->value[9 * matrix->diagonal[row] + k] += block[k];
        }
    }
}

static void multiply_exact(const void *instance, const mo_force_args *args,
                           const mo_jacobian_ask *ask, const double *p, double *y, int64_t first,
                           int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        double block[9];
        block_of(instance, args, ask, row, block);
        for (int k = 0; k < 9; ++k) {
            y[3 * row + k % 3] += block[k] * p[3 * row + k / 3];
        }
    }
}

static const mo_force_jacobian TRIAL_JACOBIAN = {
    .derivatives = MO_DF_DX | MO_DF_DV, .fill = fill_exact, .multiply = multiply_exact};
static const mo_force_type TRIAL = {
    .base = {.name = "trial"}, .add = add_exact, .jacobian = &TRIAL_JACOBIAN};

#define EXACT(data, parts) \
    { \
        .type = &TRIAL, .instance = (void *)&(data), .derivatives = (parts) \
    }

const mo_force *trial_exact_force(mote_force_fn *force)
{
    static const exact_force PULL = {.force = pull_back, .pull = 4},
                             DAMPED = {.force = pull_back_and_damp, .pull = 4, .damping = 2 * 0.3},
                             KEPLER = {.force = attract, .kepler = true};
    static const mo_force FORCES[] = {EXACT(PULL, MO_DF_DX), EXACT(DAMPED, MO_DF_DX | MO_DF_DV),
                                      EXACT(KEPLER, MO_DF_DX)};
    for (size_t k = 0; k < sizeof FORCES / sizeof *FORCES; ++k) {
        if (((const exact_force *)FORCES[k].instance)->force == force) {
            return &FORCES[k];
        }
    }
    return NULL;
}

/* A free top with moments of inertia 1, 2, 3; starting at w_2 = 0, and with L^2 > 2 E I_2, so
 * that it rotates about its third axis. */
#define TOP_SCENE \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1}, \"bodies\": [{\"oriented\": true," \
    " \"inertia\": [1, 2, 3], \"angular_velocity\": [1, 0, 0.8]," \
    " \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}}]}"
static const mo_vec3 INERTIA = {1, 2, 3}, TOP_START = {1, 0, 0.8};

typedef struct elliptic {
    double sn, cn, dn;
} elliptic;

/* Jacobi's functions of parameter m by the arithmetic-geometric mean: M. Abramowitz, I. A. Stegun,
 * "Handbook of Mathematical Functions", 1964, 16.4. */
static elliptic jacobi(double u, double m)
{
    enum { LEVELS = 8 }; /* quadratic convergence */
    double a[LEVELS + 1] = {1}, c[LEVELS + 1] = {sqrt(m)}, b = sqrt(1 - m);
    for (int n = 0; n < LEVELS; ++n) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
    }
    double phi = ldexp(a[LEVELS] * u, LEVELS);
    for (int n = LEVELS; n > 0; --n) {
        phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
    }
    return (elliptic){sin(phi), cos(phi), sqrt(1 - m * sin(phi) * sin(phi))};
}

/* L. D. Landau, E. M. Lifshitz, "Mechanics", 3rd ed. 1976, eqs. 37.8 to 37.12. */
static mo_vec3 top_speed(double time)
{
    mo_vec3 i = INERTIA, l = mo_multiply(i, TOP_START);
    double twice_energy = mo_dot(l, TOP_START), square = mo_dot(l, l);
    double high = twice_energy * i.z - square, low = square - twice_energy * i.x;
    double rate = sqrt((i.z - i.y) * low / (i.x * i.y * i.z));
    double m = (i.y - i.x) * high / ((i.z - i.y) * low);
    elliptic f = jacobi(rate * time, m);
    return mo_vec3_make(f.cn * sqrt(high / (i.x * (i.z - i.x))),
                        f.sn * sqrt(high / (i.y * (i.z - i.y))),
                        f.dn * sqrt(low / (i.z * (i.z - i.x))));
}

/* The rate of Euler's angle phi about L: Landau, Lifshitz, eq. 37.16. */
static double precession_rate(double time)
{
    mo_vec3 w = top_speed(time), l = mo_multiply(INERTIA, w);
    return mo_length(l) * (l.x * w.x + l.y * w.y) / (l.x * l.x + l.y * l.y);
}

/* Its integral by the Gauss-Legendre rule of three points: the error, of sixth order, is below
 * rounding. */
static double precession(double time)
{
    enum { PANELS = 500 };
    double width = time / PANELS, off = 0.5 * width * sqrt(0.6), sum = 0;
    for (int k = 0; k < PANELS; ++k) {
        double middle = (k + 0.5) * width;
        sum += 5 * precession_rate(middle - off) + 8 * precession_rate(middle) +
               5 * precession_rate(middle + off);
    }
    return sum * width / 18;
}

/* From the body's frame to one whose z is along L: by Euler's angles psi about z, theta about x,
 * phi about z, with L in the body = |L| (sin theta sin psi, sin theta cos psi, cos theta). */
static mo_quat top_attitude(double time)
{
    const mo_vec3 x = {1, 0, 0}, z = {0, 0, 1};
    mo_vec3 l = mo_multiply(INERTIA, top_speed(time));
    mo_quat psi = mo_quat_turn(z, atan2(l.x, l.y)),
            theta = mo_quat_turn(x, acos(l.z / mo_length(l)));
    return mo_quat_product(mo_quat_turn(z, precession(time)), mo_quat_product(theta, psi));
}

static double off_top(const trial *t, double time)
{
    mo_vec3 dw = mo_sub(mo_vec3_load(t->w), top_speed(time));
    mo_quat q = mo_quat_load(t->q);
    mo_quat exact = mo_quat_product(mo_quat_conjugate(top_attitude(0)), top_attitude(time));
    /* q and -q are the same attitude */
    mo_quat dq = mo_quat_add_scaled(q, mo_quat_dot(q, exact) > 0 ? -1 : 1, exact);
    return sqrt(mo_dot(dw, dw) + mo_quat_dot(dq, dq));
}

const trial_problem trial_problems[TRIAL_PROBLEMS] = {
    {TRIAL_OSCILLATOR, "oscillator", "Oscillator", OSCILLATOR_SCENE, pull_back, 5, off_undamped},
    {TRIAL_DAMPED, "damped", "Damped oscillator", OSCILLATOR_SCENE, pull_back_and_damp, 5,
     off_damped},
    {TRIAL_KEPLER, "Kepler", "Kepler's problem, eccentricity 0.6", KEPLER_SCENE, attract,
     6.28318530717958647692, off_orbit},
    {TRIAL_TOP, "top", "Torque-free asymmetric top", TOP_SCENE, NULL, 4, off_top},
};
