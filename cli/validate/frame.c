/*
 * The core of the engine compared with closed forms, through the public interface alone:
 * integrators, springs, drag, contact with friction. Each experiment is a small scene.
 *
 * Where the method is exact, the allowed error is the worst case of rounding, all roundings in the
 * same direction: UNIT is the machine epsilon, a rounding error is at most half of it.
 */
#include "base/error.h"
#include "bench/case_world.h"
#include "validate/validate.h"

#include <float.h>
#include <math.h>

static const double PI = 3.14159265358979323846, UNIT = DBL_EPSILON, GRAVITY = 9.81;

/* The maximum; unlike fmax it propagates NaN. */
static double larger(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

/* A world with the columns used by an experiment. */
typedef struct experiment {
    mote_world *world;
    double *x, *v, *mass;
    int64_t rows;
} experiment;

static mote_status find_column(const mote_world *world, const char *name, double **data,
                               mote_error *error)
{
    mote_column column;
    if (!mote_world_column_find(world, 0, name, &column)) {
        return mo_fail(error, MOTE_ERROR_USAGE, "the world has no column '%s'", name);
    }
    *data = column.data;
    return MOTE_OK;
}

static mote_status find_columns(experiment *e, mote_error *error)
{
    e->rows = mote_world_rows(e->world, 0);
    MO_TRY(find_column(e->world, "x", &e->x, error));
    MO_TRY(find_column(e->world, "v", &e->v, error));
    return find_column(e->world, "mass", &e->mass, error);
}

static void stop(experiment *e)
{
    mote_world_destroy(e->world);
}

/* The scene has no integrator and no step. */
static mote_status start(experiment *e, const char *text, const char *integrator, double step,
                         mote_error *error)
{
    char size[40];
    case_change changes[] = {{"integrator", integrator}, {"time.step", size}, {0}};
    *e = (experiment){0};
    snprintf(size, sizeof size, "%.17g", step);
    /* a few particles are one block of work */
    MO_TRY(case_world_create(text, changes, 1, &e->world, error));
    mote_status status = find_columns(e, error);
    if (status != MOTE_OK) {
        stop(e);
    }
    return status;
}

/* Creates the world and advances it to `time`. */
static mote_status start_and_advance(experiment *e, const char *text, const char *integrator,
                                     double step, double time, mote_error *error)
{
    MO_TRY(start(e, text, integrator, step, error));
    mote_status status = mote_world_advance(e->world, time, NULL, error);
    if (status != MOTE_OK) {
        stop(e);
    }
    return status;
}

/* A throw of 1 s. The trajectory is quadratic, so rk4 is exact up to rounding. A step rounds x
 * (at most 4 m) and v (at most 5.1 m/s, which acts for the remaining time) once each. */
static mote_status run_projectile(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 1},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1]]},"
        "              \"mass\": 0.3, \"velocity\": [3, 4, 5]}]}";
    static const char NAME[] = "frame/projectile";
    enum { STEPS = 1000 };
    double t = 1, allowed = STEPS * UNIT / 2 * (4 + 5.1);
    experiment e;
    MO_TRY(start_and_advance(&e, SCENE, "rk4", t / STEPS, t, error));
    validate_absolute(context, NAME, "x after 1 s [m]", e.x[0], 3 * t, allowed);
    validate_absolute(context, NAME, "y after 1 s [m]", e.x[1], 4 * t, allowed);
    validate_absolute(context, NAME, "z after 1 s [m]", e.x[2], 1 + 5 * t - 0.5 * GRAVITY * t * t,
                      allowed);
    validate_absolute(context, NAME, "vertical speed after 1 s [m/s]", e.v[2], 5 - GRAVITY * t,
                      STEPS * UNIT / 2 * 5.1);
    stop(&e);
    return MOTE_OK;
}

/* A mass of 1 kg on a spring of 4 N/m, whose other end is fixed: omega = 2/s. It starts at the
 * rest length, 1 m, with 1 m/s: x = 1 + sin(omega t)/2. */
static const char OSCILLATOR[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1},"
    " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, 0]],"
    "                          \"edges\": [0, 1]},"
    "              \"mass\": 2, \"model\": {\"type\": \"spring\", \"k\": 4},"
    "              \"pins\": [{\"nodes\": [0]}], \"velocity\": [1, 0, 0]}]}";
static const double OMEGA = 2, AMPLITUDE = 0.5;
enum { PERIODS = 100 };

typedef struct scheme {
    const char *integrator, *name;
    int order;
} scheme;

static const scheme SCHEMES[] = {{"symplectic_euler", "frame/oscillator/symplectic_euler", 1},
                                 {"velocity_verlet", "frame/oscillator/velocity_verlet", 2},
                                 {"rk4", "frame/oscillator/rk4", 4}};

/* Distance in the phase plane (x, v/omega) from the closed form after 5 s, ten radians. */
static mote_status oscillator_error(const scheme *s, int steps, double *distance, mote_error *error)
{
    double end = 5;
    experiment e;
    MO_TRY(start_and_advance(&e, OSCILLATOR, s->integrator, end / steps, end, error));
    double dx = e.x[3] - 1 - AMPLITUDE * sin(OMEGA * end);
    double dv = e.v[3] / OMEGA - AMPLITUDE * cos(OMEGA * end);
    *distance = hypot(dx, dv);
    stop(&e);
    return MOTE_OK;
}

/* The smallest order over three halvings from omega h = 0.1: small enough for the leading term
 * to dominate to a few percent, large enough for an error of fourth order to be far above
 * rounding. */
static mote_status check_order(validation *v, const scheme *s, mote_error *error)
{
    enum { STEPS = 100, HALVINGS = 3 };
    double coarse, fine, shortfall = -INFINITY;
    MO_TRY(oscillator_error(s, STEPS, &coarse, error));
    for (int k = 1; k <= HALVINGS; ++k) {
        MO_TRY(oscillator_error(s, STEPS << k, &fine, error));
        shortfall = larger(shortfall, s->order - log2(coarse / fine));
        coarse = fine;
    }
    validate_at_least(v, s->name, "order of convergence", s->order - shortfall, s->order, 0.1);
    return MOTE_OK;
}

/* Results of a run over many periods. */
typedef struct oscillation {
    double energy_first, energy_last, energy_error; /* the largest, relative */
    double first_crossing, last_crossing;           /* upwards through the rest length */
    int crossings;
} oscillation;

static mote_status energy_of(mote_world *world, double *energy, mote_error *error)
{
    mote_measures m;
    MO_TRY(mote_world_measure(world, &m, error));
    *energy = m.kinetic + m.elastic;
    return MOTE_OK;
}

static void note_crossing(oscillation *o, double before, double now, double time, double h)
{
    if (!(before < 0 && now >= 0)) {
        return;
    }
    o->last_crossing = time - h * now / (now - before);
    o->first_crossing = o->crossings == 0 ? o->last_crossing : o->first_crossing;
    o->crossings++;
}

static mote_status record(experiment *e, double h, int64_t steps, oscillation *o, mote_error *error)
{
    *o = (oscillation){0};
    MO_TRY(energy_of(e->world, &o->energy_first, error));
    for (int64_t k = 0; k < steps; ++k) {
        double before = e->x[3] - 1;
        MO_TRY(mote_world_step(e->world, NULL, error));
        note_crossing(o, before, e->x[3] - 1, mote_world_time(e->world), h);
        MO_TRY(energy_of(e->world, &o->energy_last, error));
        o->energy_error = larger(o->energy_error, fabs(o->energy_last / o->energy_first - 1));
    }
    return MOTE_OK;
}

/* On the oscillator, with z = omega h: symplectic_euler conserves v^2 + (omega x)^2 - z omega x
 * v, and velocity_verlet v^2 + (1 - z^2/4) (omega x)^2; starting at x = 0 the relative energy
 * error is bounded by these fractions. */
static double energy_bound(const scheme *s, double z)
{
    double share = s->order == 1 ? z / 2 : z * z / 4;
    return share / (1 - share);
}

/* The factor of the energy of rk4 per step: |1 + iz - z^2/2 - iz^3/6 + z^4/24|^2. */
static double rk4_decay(double z)
{
    return 1 - pow(z, 6) / 72 + pow(z, 8) / 576;
}

/* The phase angle of a step; exact: z. */
static double phase_of_step(const scheme *s, double z)
{
    return s->order == 4 ? atan2(z - z * z * z / 6, 1 - z * z / 2 + z * z * z * z / 24)
                         : 2 * asin(z / 2);
}

/* Error bound of a crossing by linear interpolation: z^3 s (1 - s) (1 - 2 s)/6 radians at the
 * fraction s of a step; twice, over the whole time. */
static double crossing_bound(double z)
{
    return 2 * (z * z * z * 0.0161) / (2 * PI * (PERIODS - 2));
}

/* Rounding: x is stored as 1 m plus the deviation, with an error of up to 1.5 units of the
 * amplitude per step, v of half a unit, the force (a difference of inverse lengths) of z times
 * six: less than 2.6 units, and twice that in energy. */
static void check_energy(validation *v, const scheme *s, const oscillation *o, double z,
                         int64_t steps)
{
    double rounding = 5.2 * (double)steps * UNIT;
    if (s->order == 4) {
        validate_relative(v, s->name, "energy after 100 periods, of the first",
                          o->energy_last / o->energy_first, pow(rk4_decay(z), (double)steps),
                          rounding);
    } else {
        validate_absolute(v, s->name, "largest relative energy error, 100 periods", o->energy_error,
                          0, energy_bound(s, z) + rounding);
    }
}

static mote_status check_periods(validation *v, const scheme *s, mote_error *error)
{
    double z = 0.1, h = z / OMEGA;
    int64_t steps = (int64_t)(PERIODS * 2 * PI / z);
    experiment e;
    oscillation o;
    MO_TRY(start(&e, OSCILLATOR, s->integrator, h, error));
    mote_status status = record(&e, h, steps, &o, error);
    stop(&e);
    MO_TRY(status);
    check_energy(v, s, &o, z, steps);
    double period = (o.last_crossing - o.first_crossing) / (o.crossings - 1);
    validate_relative(v, s->name, "period [s]", period, 2 * PI / OMEGA,
                      fabs(z / phase_of_step(s, z) - 1) + crossing_bound(z));
    return MOTE_OK;
}

static mote_status run_oscillator(void *context, mote_error *error)
{
    for (size_t k = 0; k < sizeof SCHEMES / sizeof *SCHEMES; ++k) {
        MO_TRY(check_order(context, &SCHEMES[k], error));
        MO_TRY(check_periods(context, &SCHEMES[k], error));
    }
    return MOTE_OK;
}

/* The maximum height between the first bounce and the second. */
static mote_status bounce_height(experiment *e, double *height, mote_error *error)
{
    enum { STEPS_MAX = 5000 };
    mote_step_report report;
    int bounces = 0;
    *height = 0;
    for (int k = 0; k < STEPS_MAX && bounces < 2; ++k) {
        MO_TRY(mote_world_step(e->world, &report, error));
        bounces += report.contacts > 0;
        *height = bounces == 1 ? larger(*height, e->x[2]) : *height;
    }
    return MOTE_OK;
}

/* Dropped from 1 m, with a restitution of 0.5. The contact is detected up to one step late, when
 * gravity has added up to g h to the 4.43 m/s: twice 0.22 % in height; and symplectic_euler has
 * an error of half a step in the rise, 2.2 m/s h/2 of 0.25 m: 0.44 %. */
static mote_status run_bounce(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 1},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1]]}}],"
        " \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"restitution\": 0.5}]}";
    double h = 0.001, speed = sqrt(2 * GRAVITY), height;
    experiment e;
    MO_TRY(start(&e, SCENE, "symplectic_euler", h, error));
    mote_status status = bounce_height(&e, &height, error);
    stop(&e);
    MO_TRY(status);
    validate_relative(context, "frame/bounce", "height after the first bounce [m]", height, 0.25,
                      2 * GRAVITY * h / speed + 0.5 * h * (0.5 * speed) / 0.25);
    return MOTE_OK;
}

/* Sliding with mu = 0.3 from 2 m/s. A step advances with its initial speed and friction acts at
 * its end, so the distance is too long by half of the first step's, up to the remainder of the
 * last one. After sticking the particle does not move. */
static mote_status run_friction(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 1},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]},"
        "              \"velocity\": [2, 0, 0]}],"
        " \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.3}]}";
    double h = 0.001, speed = 2, slowing = 0.3 * GRAVITY, way = speed * speed / (2 * slowing);
    experiment e;
    MO_TRY(start_and_advance(&e, SCENE, "symplectic_euler", h, 1, error));
    validate_relative(context, "frame/friction", "way until it stops [m]", e.x[0], way,
                      (0.5 * speed * h + slowing * h * h) / way);
    validate_absolute(context, "frame/friction", "speed after it has stopped [m/s]", e.v[0], 0, 0);
    stop(&e);
    return MOTE_OK;
}

/* v = v0 exp(-c t/m), x = (v0 - v) m/c. With z = c h/m a step of rk4 multiplies v by exp(-z) +
 * z^5/120, up to the remainder of an alternating series; the relative error of v is n z^5/120
 * exp(z), and that of x is at most the same. */
static mote_status run_drag_linear(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]},"
        "              \"mass\": 2, \"velocity\": [3, 0, 0]}],"
        " \"forces\": [{\"type\": \"drag\", \"linear\": 0.5}]}";
    enum { STEPS = 100 };
    double mass = 2, c = 0.5, t = 8, z = c / mass * t / STEPS, left = exp(-c / mass * t);
    double allowed = STEPS * (pow(z, 5) / 120 * exp(z) + UNIT);
    experiment e;
    MO_TRY(start_and_advance(&e, SCENE, "rk4", t / STEPS, t, error));
    validate_relative(context, "frame/drag_linear", "speed after 8 s [m/s]", e.v[0], 3 * left,
                      allowed);
    validate_relative(context, "frame/drag_linear", "way after 8 s [m]", e.x[0],
                      3 * (1 - left) * mass / c, allowed);
    stop(&e);
    return MOTE_OK;
}

/* A fall from rest for 20 times u/g, u = sqrt(m g/c): u tanh(20) equals u in double precision.
 * rk4 has the fixed point u; a step reduces the distance to it by the fraction 2 g h/u, until
 * that is below the rounding of v. */
static mote_status run_drag_quadratic(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 1},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]},"
        "              \"mass\": 2}],"
        " \"forces\": [{\"type\": \"drag\", \"quadratic\": 0.1}]}";
    double h = 0.01, u = sqrt(2 * GRAVITY / 0.1), taken = 2 * GRAVITY * h / u;
    experiment e;
    MO_TRY(start_and_advance(&e, SCENE, "rk4", h, 20 * u / GRAVITY, error));
    validate_relative(context, "frame/drag_quadratic", "terminal speed [m/s]", -e.v[2], u,
                      UNIT / taken);
    stop(&e);
    return MOTE_OK;
}

/* Velocities of up to 1 m/s in all directions, with nonzero sums. */
static void stir(experiment *e)
{
    for (int64_t k = 0; k < 3 * e->rows; ++k) {
        e->v[k] = (double)(k * 37 % 101) / 100 - 0.4;
    }
    mote_world_invalidate(e->world, 0);
}

static double norm(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* The sums of magnitudes of momenta, the scale of their rounding. */
static void momentum_scales(const experiment *e, double *linear, double *angular)
{
    *linear = *angular = 0;
    for (int64_t k = 0; k < e->rows; ++k) {
        double p = e->mass[k] * norm(e->v + 3 * k);
        *linear += p;
        *angular += p * norm(e->x + 3 * k);
    }
}

static double change(const double before[3], const double after[3])
{
    double difference[3] = {after[0] - before[0], after[1] - before[1], after[2] - before[2]};
    return norm(difference);
}

/* A step rounds x and v by half a unit each, and the force contribution (less than v, as omega h
 * < 0.3) by less: at most one unit of the sum over |m v| and two of the sum over |x| |m v| per
 * step. Forces act along the springs and are equal and opposite, so both schemes conserve linear
 * and angular momentum. */
static mote_status check_momenta(validation *v, experiment *e, const char *name, mote_error *error)
{
    enum { STEPS = 1000 };
    double linear, angular;
    mote_measures before, after;
    stir(e);
    momentum_scales(e, &linear, &angular);
    MO_TRY(mote_world_measure(e->world, &before, error));
    for (int k = 0; k < STEPS; ++k) {
        MO_TRY(mote_world_step(e->world, NULL, error));
    }
    MO_TRY(mote_world_measure(e->world, &after, error));
    validate_absolute(v, name, "relative change of linear momentum",
                      change(before.momentum, after.momentum) / linear, 0, STEPS * UNIT);
    validate_absolute(v, name, "relative change of angular momentum",
                      change(before.angular_momentum, after.angular_momentum) / angular, 0,
                      2 * STEPS * UNIT);
    return MOTE_OK;
}

/* A free rope of 20 springs with initial velocities and damping. */
static mote_status run_momentum(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1},"
        " \"bodies\": [{\"mesh\": {\"type\": \"rope\", \"start\": [0.3, 0, 0], \"end\": [1.3, 0.2, 0.1]},"
        "              \"mass\": 1,"
        "              \"model\": {\"type\": \"spring\", \"k\": 100, \"damping_spring\": 0.5}}]}";
    static const struct {
        const char *integrator, *name;
    } RUNS[] = {{"symplectic_euler", "frame/momentum/symplectic_euler"},
                {"velocity_verlet", "frame/momentum/velocity_verlet"}};
    for (size_t k = 0; k < sizeof RUNS / sizeof *RUNS; ++k) {
        experiment e;
        MO_TRY(start(&e, SCENE, RUNS[k].integrator, 5e-4, error));
        mote_status status = check_momenta(context, &e, RUNS[k].name, error);
        stop(&e);
        MO_TRY(status);
    }
    return MOTE_OK;
}

/* The hanging chain: 10 springs of 0.1 m and 1000 N per strain, 1 kg in total; critical damping
 * of the lowest mode, pi/2 sqrt(1000)/s, so that it has decayed after 2 s. */
static const char CHAIN[] =
    "{\"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 1},"
    " \"bodies\": [{\"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": [0, 0, -1],"
    "                          \"segments\": 10},"
    "              \"mass\": 1, \"model\": {\"type\": \"spring\", \"k\": 1000},"
    "              \"pins\": [{\"set\": \"start\"}]}],"
    " \"forces\": [{\"type\": \"damping_point\", \"g\": 10}]}";

/* The largest relative error of a spring's extension. Spring j supports 9 - j full masses and
 * the half mass at the end. */
static double worst_stretch(const experiment *e)
{
    double worst = 0;
    for (int j = 0; j < 10; ++j) {
        double stretch = e->x[3 * j + 2] - e->x[3 * j + 5] - 0.1;
        double expected = 0.1 * (0.1 * (9.5 - j) * GRAVITY) / 1000;
        worst = larger(worst, fabs(stretch / expected - 1));
    }
    return worst;
}

/* In equilibrium a node is stalled by rounding: its displacement per step, h v, is below half a
 * unit of its coordinate (1 m). The remaining damping force, 10 v, is missing in the springs
 * above: relative to a node's weight, twice that at the end node. Added to this is the rounding
 * of the coordinates whose difference is the extension, and of the rest length. */
static mote_status run_chain(void *context, mote_error *error)
{
    double h = 5e-4, stall = 2 * 10 * (UNIT / 2 / h) / (0.1 * GRAVITY);
    double whole = GRAVITY / (2 * 1000), shortest = 0.1 * (0.05 * GRAVITY) / 1000;
    experiment e;
    MO_TRY(start_and_advance(&e, CHAIN, "symplectic_euler", h, 2, error));
    validate_relative(context, "frame/chain", "stretch of the whole [m]", -1 - e.x[32], whole,
                      stall + 2 * UNIT / whole);
    validate_absolute(context, "frame/chain", "worst relative error of a spring's stretch",
                      worst_stretch(&e), 0, stall + 2 * UNIT / shortest);
    stop(&e);
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"frame/projectile", "A throw under gravity, rk4, against the parabola.", run_projectile},
    {"frame/oscillator", "A mass on a spring: order, energy and period of each scheme.",
     run_oscillator},
    {"frame/bounce", "A drop on a plane with restitution 0.5.", run_bounce},
    {"frame/friction", "Sliding to a stop under Coulomb friction.", run_friction},
    {"frame/drag_linear", "Linear drag against the exponential.", run_drag_linear},
    {"frame/drag_quadratic", "Quadratic drag: the terminal speed.", run_drag_quadratic},
    {"frame/momentum", "A free, damped rope keeps its momenta.", run_momentum},
    {"frame/chain", "The stretch of a hanging chain at rest.", run_chain},
    {0}};

const suite_group validate_frame = {
    "frame", "Integrators, springs, drag and contact against closed forms.", CASES};
