/*
 * The second experiment: 800 unit masses on a hexagonal lattice of 8 x 10 x 10, at 1.5 times the
 * equilibrium distance, randomly displaced, collapse into a ball with damping. With too large a
 * step the ball explodes.
 *
 * All forces but damping have a potential, so the total energy must never exceed its initial value.
 * The thesis calls a run unstable whose energy has "large spikes" and whose particles then hardly
 * interact. Here a run is unstable if the energy exceeds its initial value by more than its
 * magnitude, i.e. above zero, where the particles are unbound; or if it overflows. The criterion is
 * not sensitive, which is verified: stable runs stay below a hundredth of the limit, unstable ones
 * exceed it a hundredfold. (The collision distance, 0.71, would not be a criterion: in the ball
 * distances of 0.58 occur in stable runs, too.)
 */
#include "base/error.h"
#include "validate/thesis.h"

#include <math.h>
#include <stdlib.h>

static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 20, \"step\": 1},"
    " \"bodies\": [{\"mesh\": {\"type\": \"hexagonal\", \"nx\": 8, \"ny\": 10, \"nz\": 10, \"spacing\": 1.5,"
    "                          \"displacement\": 0.05}, \"mass\": 800}],"
    " \"forces\": [{\"type\": \"lennard_jones\", \"n\": 4, \"m\": 2, \"r0\": 1, \"e\": 1, \"r_a\": 1,"
    "              \"r_b\": 1.7},"
    "             {\"type\": \"damping_point\", \"g\": 0.25},"
    "             {\"type\": \"damping_viscous\", \"g\": 0.125, \"range\": 1.7}]}";

/* Steps from 2^-3 to 2^-7. */
enum { LARGEST = 3, SMALLEST = 7, STEPS = SMALLEST - LARGEST + 1, SEEDS = 3, END = 20 };
enum { RUNS = STEPS * THESIS_SCHEMES * SEEDS, SAMPLES = (END << SMALLEST) + 1, PARTICLES = 800 };
static const char *const SEED[SEEDS] = {"1", "2", "3"};
static const double RISE_ALLOWED = 1, MARGIN = 100;

typedef struct collapse_run {
    /* the largest excess of the energy over its initial value, relative to that */
    double rise;
    int64_t count; /* of the samples: the start and every step */
    double time[SAMPLES], total[SAMPLES], potential[SAMPLES];
    /* initial and final positions, along each axis */
    double first[3][PARTICLES], last[3][PARTICLES];
} collapse_run;

/* In the order of execution: the smallest steps, which take longest, first. */
typedef struct collapse_sweep {
    collapse_run runs[RUNS];
} collapse_sweep;

/* The step is 2^-b. */
static const collapse_run *find_run(const collapse_sweep *sweep, int b, int scheme, int seed)
{
    return &sweep->runs[((SMALLEST - b) * THESIS_SCHEMES + scheme) * SEEDS + seed];
}

/* ---- the runs ---- */

static mote_status take_sample(collapse_run *run, mote_world *world, mote_error *error)
{
    mote_measures m;
    MO_TRY(mote_world_measure(world, &m, error));
    run->time[run->count] = mote_world_time(world);
    run->total[run->count] = m.kinetic + m.potential;
    run->potential[run->count] = m.potential;
    double rise = (run->total[run->count] - run->total[0]) / fabs(run->total[0]);
    run->rise = isnan(rise) ? (double)INFINITY : fmax(run->rise, rise);
    run->count++;
    return MOTE_OK;
}

static void take_frame(const mote_world *world, double frame[3][PARTICLES])
{
    mote_column x;
    if (mote_world_column_find(world, 0, "x", &x) && x.rows == PARTICLES) {
        for (int64_t k = 0; k < 3 * PARTICLES; ++k) {
            frame[k % 3][k / 3] = ((const double *)x.data)[k];
        }
    }
}

static mote_status record(collapse_run *run, mote_world *world, int64_t steps, mote_error *error)
{
    MO_TRY(take_sample(run, world, error));
    take_frame(world, run->first);
    for (int64_t n = 0; n < steps; ++n) {
        MO_TRY(mote_world_step(world, NULL, error));
        MO_TRY(take_sample(run, world, error));
    }
    take_frame(world, run->last);
    return MOTE_OK;
}

static mote_status run_job(void *context, int index, mote_error *error)
{
    int seed = index % SEEDS, scheme = index / SEEDS % THESIS_SCHEMES;
    int b = SMALLEST - index / (SEEDS * THESIS_SCHEMES);
    collapse_run *run = &((collapse_sweep *)context)->runs[index];
    mote_world *world;
    MO_TRY(thesis_create_world(&(thesis_setup){SCENE, scheme, ldexp(1, -b), SEED[seed]}, &world,
                               error));
    mote_status status = record(run, world, (int64_t)END << b, error);
    mote_world_destroy(world);
    if (status == MOTE_ERROR_NUMERIC) {
        run->rise = INFINITY;
        return MOTE_OK;
    }
    return status;
}

/* ---- comparison with the thesis ---- */

static bool is_stable(const collapse_run *run)
{
    return run->rise <= RISE_ALLOWED;
}

/* The b of the largest stable step; 0 if a smaller one is unstable. */
static int limit_of(const collapse_sweep *sweep, int scheme, int seed)
{
    int largest = SMALLEST + 1, count = 0;
    for (int b = SMALLEST; b >= LARGEST; --b) {
        if (is_stable(find_run(sweep, b, scheme, seed))) {
            largest = b;
            ++count;
        }
    }
    return largest + count == SMALLEST + 1 ? largest : 0;
}

/* "The Leapfrog stability limit was still four times that of the Euler method, and twice that of
 * the modified Euler method": 2^-5, 2^-7 and 2^-6 (figures 7.6 to 7.9). */
static void check_limits(validation *v, const collapse_sweep *sweep)
{
    static const int LIMITS[THESIS_SCHEMES] = {7, 6, 5};
    for (int scheme = 0; scheme < THESIS_SCHEMES; ++scheme) {
        for (int seed = 0; seed < SEEDS; ++seed) {
            char quantity[80];
            snprintf(quantity, sizeof quantity, "%s, seed %s: largest step 2^-b",
                     thesis_schemes[scheme].title, SEED[seed]);
            validate_absolute(v, "thesis/collapse", quantity, limit_of(sweep, scheme, seed),
                              LIMITS[scheme], 0);
        }
    }
}

/* Any limit from a hundredth to a hundred times of it gives the same result. (explicit_euler
 * always gains some energy at first: from zero velocity it moves one step late.) */
static void check_margin(validation *v, const collapse_sweep *sweep)
{
    double stable = 0, unstable = INFINITY;
    for (int k = 0; k < RUNS; ++k) {
        double rise = sweep->runs[k].rise;
        if (is_stable(&sweep->runs[k])) {
            stable = fmax(stable, rise);
        } else {
            unstable = fmin(unstable, rise);
        }
    }
    validate_absolute(v, "thesis/collapse", "largest rise of energy, stable", stable, 0,
                      RISE_ALLOWED / MARGIN);
    validate_at_least(v, "thesis/collapse", "smallest rise of energy, unstable", unstable,
                      RISE_ALLOWED * MARGIN, 0);
}

/* ---- figures 7.5 to 7.9 ---- */

static void add_frame(plot_panel *panel, const char *title, const double frame[3][PARTICLES])
{
    static const double LOW = -2, HIGH = 17; /* both frames on one scale */
    plot_set_title(panel, title);
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = "x", .unit = "m", .low = LOW, .high = HIGH});
    plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "z", .unit = "m", .low = LOW, .high = HIGH});
    plot_add_series(panel, NULL, PARTICLES, frame[0], frame[2], PLOT_POINTS);
}

/* The first and the last frame of leapfrog at its largest stable step, from the side. */
static mote_status plot_frames(const validation *v, const collapse_sweep *sweep, mote_error *error)
{
    const collapse_run *run = find_run(sweep, 5, THESIS_SCHEMES - 1, 0);
    plot_figure *figure = plot_create(2, 1, 880, 460);
    add_frame(plot_panel_at(figure, 0), "leapfrog, step 2^-5 s: t = 0", run->first);
    add_frame(plot_panel_at(figure, 1), "leapfrog, step 2^-5 s: t = 20 s", run->last);
    return thesis_save(v, figure, "thesis_7_5", error);
}

/* On a common scale, which exploding energies exceed. */
static void add_energies(plot_panel *panel, const collapse_run *run, int b, int scheme)
{
    static const double RANGE = 1e4;
    char title[80];
    snprintf(title, sizeof title, "%s, step 2^-%d s: %s", thesis_schemes[scheme].title, b,
             is_stable(run) ? "stable" : "unstable");
    plot_set_title(panel, title);
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = "time", .unit = "s", .low = 0, .high = END});
    plot_set_axis(panel, PLOT_Y,
                  (plot_axis){.label = "energy", .unit = "J", .low = -RANGE, .high = RANGE});
    plot_add_series(panel, "total", run->count, run->time, run->total, PLOT_LINE);
    plot_add_series(panel, "potential", run->count, run->time, run->potential, PLOT_LINE);
}

/* A figure for each step, from 2^-7 (7.6) to 2^-4 (7.9). */
static mote_status plot_energies(const validation *v, const collapse_sweep *sweep,
                                 mote_error *error)
{
    for (int b = SMALLEST; b > LARGEST; --b) {
        char name[40];
        plot_figure *figure = plot_create(1, THESIS_SCHEMES, 720, 780);
        for (int k = 0; k < THESIS_SCHEMES; ++k) {
            int scheme = THESIS_SCHEMES - 1 - k; /* leapfrog on top, as in the thesis */
            add_energies(plot_panel_at(figure, k), find_run(sweep, b, scheme, 0), b, scheme);
        }
        snprintf(name, sizeof name, "thesis_7_%d", 6 + SMALLEST - b);
        MO_TRY(thesis_save(v, figure, name, error));
    }
    return MOTE_OK;
}

mote_status thesis_run_collapse(void *context, mote_error *error)
{
    validation *v = context;
    collapse_sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep) {
        return mo_fail_memory(error, sizeof *sweep);
    }
    mote_status status = thesis_do_jobs(RUNS, run_job, sweep, error);
    if (status == MOTE_OK) {
        check_limits(v, sweep);
        check_margin(v, sweep);
    }
    if (status == MOTE_OK && v->directory) {
        status = plot_frames(v, sweep, error);
    }
    if (status == MOTE_OK && v->directory) {
        status = plot_energies(v, sweep, error);
    }
    free(sweep);
    return status;
}
