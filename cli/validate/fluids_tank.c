/*
 * Hydrostatic equilibrium of a tank in two dimensions (m and kg per metre of depth): 25 x 20
 * particles of water between walls, with every pressure solver and both kinds of boundaries, at the
 * step that `cfl` chooses. After settling, means over a second are compared with hydrostatics:
 *   load      reaction on the boundary particles of the tank against the weight; `geometric`
 *             boundaries have none, and their contact impulses equal the weight for any pressure
 *   pressure  p_i of the particles four spacings and more from the side walls against g (mass
 *             above)/(width) of the whole tank, which is the balance of forces along any horizontal
 *             section and avoids estimates of the surface height; in layers of two spacings,
 *             except at the floor and at the surface. Particles order themselves along the walls:
 *             the mass above of the inner part alone is up to 3 % less per width.
 *   rest      the kinetic energy relative to a fall by half the height: 1e-4 is a speed of 1 % of
 *             sqrt(g H); it must also be less than half of its value two seconds before
 * The viscosity is 0.01 m^2/s. With a support of 2 spacings the pair sums have 0.97 to 1.02 of the
 * gradient of a linear field. Implicit solvers take this out of `pressure`; that of `wcsph` is the
 * equation of state's, and 1 % more is allowed.
 */
#include "validate/fluids.h"

#include "base/error.h"
#include "bench/case_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TANK_GRAVITY 9.81

static const double SUPPORT = 2, SPACING = 0.025, WIDTH = 0.625, HEIGHT = 0.5, RHO = 1000;

static const char TANK[] =
    "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"max\": 0.002}},"
    " \"fluid\": {\"dimension\": 2, \"spacing\": 0.025, \"support\": %g, \"relax\": "
    "true, \"pressure\": %s, \"boundary\": \"%s\","
    "   \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.01, \"wall\": 0},"
    "   \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], "
    "\"max\": [0.625, 0.5, "
    "1]}]}]},"
    " \"colliders\": [{\"name\": \"tank\", \"inside\": true,"
    "   \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.625, 1, 1]}}],"
    " \"observables\": [{\"type\": \"collider_load\", \"collider\": \"tank\"}]}";

typedef struct tank {
    const char *solver, *pressure;
    double allowed; /* of the slope, and of layers in rho g H */
} tank;

/* Speed of sound of ten times the free-fall speed over the height: density variations of 1 %. */
static const tank TANKS[] = {
    {"dfsph", "\"dfsph\"", 0.02},
    {"iisph", "\"iisph\"", 0.02},
    {"pbf", "\"pbf\"", 0.02},
    {"wcsph", "{\"type\": \"wcsph\", \"state\": {\"type\": \"tait\", \"stiffness\": 1000}}", 0.03},
};

enum { TANK_COUNT = sizeof TANKS / sizeof *TANKS };

static const double SETTLE = 3, MEASURE = 1; /* s */

/* Sums over the second. */
typedef struct found {
    double steps, load;
    double speed; /* mean square speed */
    /* mean square speed two seconds before, and its number of steps */
    double before, before_steps;
} found;

typedef struct particle {
    double y, mass, pressure;
    bool far; /* from the side walls */
} particle;

static int by_height(const void *a, const void *b)
{
    double y = ((const particle *)a)->y, z = ((const particle *)b)->y;
    return (y < z) - (y > z);
}

static bool is_far_from_sides(double x)
{
    return fabs(x - 0.5 * WIDTH) < 0.5 * WIDTH - 4 * SPACING;
}

/* All particles, from the top. */
static int64_t from_top(const mote_world *world, particle *list)
{
    const double *x = case_column(world, "x"), *mass = case_column(world, "mass");
    const float *pressure = case_column(world, "pressure");
    int64_t count = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        list[count++] = (particle){x[3 * row + 1], mass[row], (double)pressure[row],
                                   is_far_from_sides(x[3 * row])};
    }
    qsort(list, (size_t)count, sizeof *list, by_height);
    return count;
}

enum { LAYERS = 10 };

/* Sums of pressures in layers, computed and hydrostatic. */
typedef struct profile {
    double count[LAYERS], pressure[LAYERS], ideal[LAYERS];
} profile;

static void add_profile(const particle *list, int64_t count, profile *p)
{
    double above = 0;
    for (int64_t k = 0; k < count; ++k) {
        double y = list[k].y;
        int layer = y > 2 * SPACING && y < HEIGHT - 2 * SPACING ? (int)(y / HEIGHT * LAYERS) : -1;
        double ideal = TANK_GRAVITY * (above + 0.5 * list[k].mass) / WIDTH;
        above += list[k].mass;
        if (layer >= 0 && list[k].far) {
            p->count[layer] += 1;
            p->pressure[layer] += list[k].pressure;
            p->ideal[layer] += ideal;
        }
    }
}

/* Of the speed. */
static double mean_square_of(const mote_world *world)
{
    const double *v = case_column(world, "v");
    int64_t rows = mote_world_rows(world, 0);
    double square = 0;
    for (int64_t k = 0; k < 3 * rows; ++k) {
        square += v[k] * v[k];
    }
    return square / (double)rows;
}

static mote_status measure_sums(mote_world *world, particle *list, profile *p, found *f,
                                mote_error *error)
{
    double load[6];
    MO_TRY(mote_world_observe(world, 0, load, error));
    add_profile(list, from_top(world, list), p);
    f->load -= load[1];
    f->speed += mean_square_of(world);
    f->steps += 1;
    return MOTE_OK;
}

static mote_status run(mote_world *world, particle *list, profile *p, found *f, mote_error *error)
{
    while (mote_world_time(world) < SETTLE + MEASURE) {
        MO_TRY(mote_world_step(world, NULL, error));
        double time = mote_world_time(world);
        if (time >= SETTLE) {
            MO_TRY(measure_sums(world, list, p, f, error));
        } else if (time >= SETTLE - 2 && time < SETTLE - 2 + MEASURE) {
            f->before += mean_square_of(world);
            f->before_steps += 1;
        }
    }
    return MOTE_OK;
}

static void judge_rest(validation *v, const tank *t, const char *walls, const found *f)
{
    double energy = f->speed / f->steps, before = f->before / f->before_steps;
    const struct {
        const char *what;
        double value, most;
    } rows[] = {{"kinetic energy, in M g H/2", energy / (TANK_GRAVITY * HEIGHT), 1e-4},
                {"of that two seconds before", energy / before, 0.5}};
    for (int k = 0; k < 2; ++k) {
        char quantity[100];
        snprintf(quantity, sizeof quantity, "%s, %s: %s", t->solver, walls, rows[k].what);
        validate_at_most(v, "fluids/still_tank", quantity, rows[k].value, rows[k].most, 0);
    }
}

static void judge(validation *v, const tank *t, const char *walls, const profile *p, const found *f,
                  double weight)
{
    char quantity[100];
    double product = 0, square = 0, worst = 0, scale = RHO * TANK_GRAVITY * HEIGHT;
    for (int k = 0; k < LAYERS; ++k) {
        if (p->count[k] > 0) {
            double here = p->pressure[k] / p->count[k], ideal = p->ideal[k] / p->count[k];
            product += here * ideal;
            square += ideal * ideal;
            worst = fmax(worst, fabs(here - ideal) / scale);
        }
    }
    if (strcmp(walls, "continuum") == 0) {
        snprintf(quantity, sizeof quantity, "%s, %s: load on the tank [weights]", t->solver, walls);
        validate_relative(v, "fluids/still_tank", quantity, f->load / f->steps / weight, 1, 0.02);
    }
    snprintf(quantity, sizeof quantity, "%s, %s: slope of p, in rho g", t->solver, walls);
    validate_relative(v, "fluids/still_tank", quantity, product / square, 1, t->allowed);
    snprintf(quantity, sizeof quantity, "%s, %s: worst layer of p, in rho g H", t->solver, walls);
    validate_at_most(v, "fluids/still_tank", quantity, worst, t->allowed, 0);
    judge_rest(v, t, walls, f);
}

static mote_status run_tank(validation *v, const tank *t, const char *walls, mote_error *error)
{
    char text[sizeof TANK + 200];
    mote_world *world;
    profile p = {0};
    found f = {0};
    snprintf(text, sizeof text, TANK, SUPPORT, t->pressure, walls);
    MO_TRY(case_world_create(text, NULL, 0, &world, error));
    size_t rows = (size_t)mote_world_rows(world, 0);
    particle *list = malloc(rows * sizeof *list);
    mote_status status =
        list ? run(world, list, &p, &f, error) : mo_fail_memory(error, rows * sizeof *list);
    if (status == MOTE_OK) {
        judge(v, t, walls, &p, &f,
              TANK_GRAVITY * (double)rows * ((double *)case_column(world, "mass"))[0]);
    }
    free(list);
    mote_world_destroy(world);
    return status;
}

mote_status fluids_still_tank(void *context, mote_error *error)
{
    static const char *const WALLS[] = {"continuum", "geometric"};
    for (int w = 0; w < 2; ++w) {
        for (int k = 0; k < TANK_COUNT; ++k) {
            MO_TRY(run_tank(context, &TANKS[k], WALLS[w], error));
        }
    }
    return MOTE_OK;
}
