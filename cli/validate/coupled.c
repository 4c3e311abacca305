/*
 * Fluids with rigid bodies, by the default methods: conservation, convergence and stability. Bodies
 * whose motion has a closed form are in coupled_floating.c.
 *
 * Momentum: without gravity and walls the sum over fluid and bodies is conserved to the rounding of
 * the fluid's single-precision sums, 2^-24 of the exchanged momentum in each of the steps; rounding
 * errors are random, their sum grows with the square root of the number of steps.
 *
 * Iterations: those of the fluid around a free body are compared with those around a fixed one; the
 * preconditioner of fluid/sph/response.h bounds the condition number by that of the fixed one.
 */
#include "validate/coupled.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>
#include <string.h>

void *coupled_column(const mote_world *world, const char *system, const char *name)
{
    mote_column column;
    int index = mote_world_system_find(world, system);
    return index >= 0 && mote_world_column_find(world, index, name, &column) ? column.data : NULL;
}

int64_t coupled_rows(const mote_world *world, const char *system)
{
    return mote_world_rows(world, mote_world_system_find(world, system));
}

double coupled_quantity(const mote_world *world, const char *name)
{
    for (int k = 0; k < mote_world_quantity_count(world); ++k) {
        mote_quantity q = mote_world_quantity(world, k);
        if (strcmp(q.name, name) == 0) {
            return q.value;
        }
    }
    return NAN;
}

/* ---- momentum ---- */

static const char DROP[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.002},"
    " \"fluid\": {\"spacing\": 0.05, \"viscosity\": 0.01, \"boundary\": \"%s\","
    "   \"pressure\": \"%s\", \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0],"
    "   \"max\": [0.6, 0.6, 0.6]}]}]},"
    " \"bodies\": [{\"name\": \"box\", \"model\": \"rigid\", \"density\": %g, \"velocity\": [1, 0.5, 0],"
    "   \"angular_velocity\": [0, 2, 4], \"shape\": {\"type\": \"box\", \"min\": [0.2, 0.2, 0.2],"
    "   \"max\": [0.4, 0.4, 0.4]}}]}";

/* The sums of m |v| and of m |x| |v|. */
static void sizes_of(const mote_world *world, double size[2])
{
    static const char *const SYSTEMS[] = {"fluid", "rigid"};
    size[0] = size[1] = 0;
    for (int s = 0; s < 2; ++s) {
        const double *x = coupled_column(world, SYSTEMS[s], "x"),
                     *v = coupled_column(world, SYSTEMS[s], "v"),
                     *m = coupled_column(world, SYSTEMS[s], "mass");
        for (int64_t k = 0; k < coupled_rows(world, SYSTEMS[s]); ++k) {
            double speed = hypot(hypot(v[3 * k], v[3 * k + 1]), v[3 * k + 2]),
                   arm = hypot(hypot(x[3 * k], x[3 * k + 1]), x[3 * k + 2]);
            size[0] += m[k] * speed;
            size[1] += m[k] * speed * arm;
        }
    }
}

static double distance(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static mote_status run_drop(validation *v, const char *pressure, const char *boundary,
                            double density, mote_error *error)
{
    enum { STEPS = 50 };
    char text[sizeof DROP + 80], quantity[160];
    mote_measures before, after;
    double size[2];
    mote_world *world;
    snprintf(text, sizeof text, DROP, boundary, pressure, density);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    mote_status status = mote_world_measure(world, &before, error);
    for (int k = 0; k < STEPS && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    status = status == MOTE_OK ? mote_world_measure(world, &after, error) : status;
    if (status == MOTE_OK) {
        double allowed = ldexp(1, -24) * sqrt(STEPS) * 4;
        sizes_of(world, size);
        snprintf(quantity, sizeof quantity, "%s, %s, density %g: momentum [sum of m v]", pressure,
                 boundary, density);
        validate_at_most(v, "coupled/momentum", quantity,
                         distance(after.momentum, before.momentum) / size[0], 0, allowed);
        snprintf(quantity, sizeof quantity, "%s, %s, density %g: angular momentum [sum of m v r]",
                 pressure, boundary, density);
        /* forces of outer iterations act at the new positions (fluid/pressure/solve.h) */
        validate_at_most(v, "coupled/momentum", quantity,
                         distance(after.angular_momentum, before.angular_momentum) / size[1], 0,
                         1e-3);
    }
    mote_world_destroy(world);
    return status;
}

mote_status coupled_momentum(void *context, mote_error *error)
{
    MO_TRY(run_drop(context, "dfsph", "continuum", 500, error));
    MO_TRY(run_drop(context, "dfsph", "continuum", 1, error));
    MO_TRY(run_drop(context, "dfsph", "akinci2012", 500, error));
    MO_TRY(run_drop(context, "dfsph", "density_map", 500, error));
    return run_drop(context, "iisph", "continuum", 500, error);
}

/* ---- iterations ---- */

static const char TANK[] =
    "{\"time\": {\"end\": 99, \"step\": %s}, \"fluid\": {\"spacing\": 0.04, \"phases\": [{\"fill\":"
    "   [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.64, 0.48, 0.4]}]}]},"
    " \"colliders\": [{\"name\": \"tank\", \"inside\": true, \"friction\": 0.3, \"shape\":"
    "   {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.64, 0.48, 1]}}],"
    " \"bodies\": [%s]}";

static const char BOX[] = "{\"model\": \"rigid\", \"density\": %g, \"fixed\": %s,"
                          " \"shape\": {\"type\": \"box\", \"min\": [%g, %g, %g],"
                          " \"max\": [%g, %g, %g]}}";

static const char CFL[] = "{\"type\": \"cfl\", \"max\": 0.005}";

static mote_status create_tank(const char *bodies, const char *step, mote_world **world,
                               mote_error *error)
{
    char text[sizeof TANK + 3000];
    snprintf(text, sizeof text, TANK, step, bodies);
    return case_world_create(text, NULL, 0, world, error);
}

static void write_box(char text[400], double density, bool fixed, const double low[3],
                      const double size[3])
{
    snprintf(text, 400, BOX, density, fixed ? "true" : "false", low[0], low[1], low[2],
             low[0] + size[0], low[1] + size[1], low[2] + size[2]);
}

static mote_status count_iterations(double density, bool fixed, double *mean, mote_error *error)
{
    static const double LOW[3] = {0.24, 0.16, 0.28}, SIZE[3] = {0.16, 0.16, 0.16};
    enum { STEPS = 100 };
    char box[400];
    mote_world *world;
    mote_step_report report;
    write_box(box, density, fixed, LOW, SIZE);
    MO_TRY(create_tank(box, "0.004", &world, error));
    *mean = 0;
    mote_status status = MOTE_OK;
    for (int k = 0; k < STEPS && status == MOTE_OK; ++k) {
        status = mote_world_step(world, &report, error);
        *mean += (double)(report.iterations + report.divergence_iterations) / STEPS;
    }
    mote_world_destroy(world);
    return status;
}

mote_status coupled_iterations(void *context, mote_error *error)
{
    double fixed, free;
    static const double DENSITIES[] = {1, 100, 500, 100000};
    MO_TRY(count_iterations(500, true, &fixed, error));
    for (int k = 0; k < 4; ++k) {
        char quantity[120];
        MO_TRY(count_iterations(DENSITIES[k], false, &free, error));
        snprintf(quantity, sizeof quantity,
                 "density %g: iterations per step, of those with a fixed box (%.1f)", DENSITIES[k],
                 fixed);
        validate_at_most(context, "coupled/iterations", quantity, free / fixed, 1, 0.5);
    }
    return MOTE_OK;
}

/* ---- light and heavy bodies ---- */

/* The largest speed of the body and of the fluid after `from`. */
static mote_status run_speeds(mote_world *world, double from, double to, double speed[2],
                              double *residual, mote_error *error)
{
    static const char *const SYSTEMS[] = {"rigid", "fluid"};
    mote_status status = mote_world_advance(world, from, NULL, error);
    speed[0] = speed[1] = *residual = 0;
    while (status == MOTE_OK && mote_world_time(world) < to) {
        status = mote_world_step(world, NULL, error);
        *residual = fmax(*residual, coupled_quantity(world, "coupling_residual"));
        for (int s = 0; s < 2 && status == MOTE_OK; ++s) {
            const double *v = coupled_column(world, SYSTEMS[s], "v");
            for (int64_t k = 0; k < coupled_rows(world, SYSTEMS[s]); ++k) {
                speed[s] = fmax(speed[s], hypot(hypot(v[3 * k], v[3 * k + 1]), v[3 * k + 2]));
            }
        }
    }
    return status;
}

static mote_status run_density(validation *v, double density, mote_error *error)
{
    static const double LOW[3] = {0.24, 0.16, 0.08}, SIZE[3] = {0.16, 0.16, 0.16};
    char box[400], quantity[120];
    double early[2], late[2], residual;
    mote_world *world;
    write_box(box, density, false, LOW, SIZE);
    MO_TRY(create_tank(box, CFL, &world, error));
    /* a fall or a rise over the depth of the tank ends at 2.8 m/s; the limit of quiescent fluid of
     * dfsph is 0.2 sqrt(g spacing) */
    mote_status status = run_speeds(world, 0, 2, early, &residual, error);
    status = status == MOTE_OK ? run_speeds(world, 9, 10, late, &residual, error) : status;
    if (status == MOTE_OK) {
        snprintf(quantity, sizeof quantity, "density %g: largest speed of the body [m/s]", density);
        validate_at_most(v, "coupled/light", quantity, early[0], 2.8, 0);
        snprintf(quantity, sizeof quantity, "density %g: its speed from 9 to 10 s [m/s]", density);
        validate_at_most(v, "coupled/light", quantity, late[0], 0.2 * sqrt(9.81 * 0.04), 0);
        snprintf(quantity, sizeof quantity, "density %g: speed of the fluid from 9 to 10 s [m/s]",
                 density);
        validate_at_most(v, "coupled/light", quantity, late[1], 0.4, 0);
    }
    mote_world_destroy(world);
    return status;
}

mote_status coupled_light(void *context, mote_error *error)
{
    MO_TRY(run_density(context, 1, error));
    MO_TRY(run_density(context, 500, error));
    return run_density(context, 100000, error);
}

/* ---- contact under water ---- */

/* A heavy box on the floor, against a wall. */
mote_status coupled_corner(void *context, mote_error *error)
{
    static const double LOW[3] = {0.001, 0.16, 0.001}, SIZE[3] = {0.16, 0.16, 0.16};
    double speed[2], residual;
    char box[400];
    mote_world *world;
    write_box(box, 2000, false, LOW, SIZE);
    MO_TRY(create_tank(box, CFL, &world, error));
    mote_status status = run_speeds(world, 3, 4, speed, &residual, error);
    if (status == MOTE_OK) {
        const double *x = coupled_column(world, "rigid", "x");
        validate_absolute(context, "coupled/corner", "height of a box on the floor [m]", x[2], 0.08,
                          0.002);
        validate_at_most(context, "coupled/corner", "its distance from the wall [m]", x[0] - 0.08,
                         0.01, 0);
        validate_at_most(context, "coupled/corner", "its largest speed from 3 to 4 s [m/s]",
                         speed[0], 0.01, 0);
        validate_at_most(context, "coupled/corner", "coupling residual from 3 to 4 s [m/s]",
                         residual, 0.01, 0);
    }
    mote_world_destroy(world);
    return status;
}

/* Ten boxes, stacked. */
mote_status coupled_pile(void *context, mote_error *error)
{
    char text[3000] = "";
    double speed[2], residual, lowest = INFINITY, highest = 0;
    mote_world *world;
    for (int k = 0; k < 10; ++k) {
        char box[400];
        double size[3] = {0.08, 0.08, 0.08},
               low[3] = {0.2 + 0.09 * (k % 2) + 0.01 * (k / 4), 0.16 + 0.085 * (k / 2 % 2),
                         0.01 + 0.085 * (k / 4)};
        write_box(box, 1500, false, low, size);
        strcat(text, k > 0 ? "," : "");
        strcat(text, box);
    }
    MO_TRY(create_tank(text, CFL, &world, error));
    mote_status status = run_speeds(world, 3, 4, speed, &residual, error);
    if (status == MOTE_OK) {
        const double *x = coupled_column(world, "rigid", "x");
        for (int64_t k = 0; k < coupled_rows(world, "rigid"); ++k) {
            lowest = fmin(lowest, x[3 * k + 2]);
            highest = fmax(highest, x[3 * k + 2]);
        }
        validate_at_least(context, "coupled/pile", "lowest centre [m]", lowest, 0.039, 0);
        validate_at_least(context, "coupled/pile", "highest centre [m]", highest, 0.19, 0);
        validate_at_most(context, "coupled/pile", "largest speed of a box from 3 to 4 s [m/s]",
                         speed[0], 0.02, 0);
    }
    mote_world_destroy(world);
    return status;
}

static const suite_case CASES[] = {
    {"coupled/momentum", "Momentum of fluid and bodies.", coupled_momentum},
    {"coupled/iterations", "Pressure iterations with bodies of any density.", coupled_iterations},
    {"coupled/draft", "Draft of floating boxes.", coupled_draft},
    {"coupled/added_mass", "Acceleration of spheres in quiescent fluid.", coupled_added_mass},
    {"coupled/light", "Bodies of a thousandth to a hundred times the density.", coupled_light},
    {"coupled/corner", "A box on the floor and at a wall.", coupled_corner},
    {"coupled/pile", "Ten boxes on each other.", coupled_pile},
    {0}};

const suite_group validate_coupled = {"coupled", "Fluids with rigid bodies.", CASES};
