#include "world/outliers.h"

#include "world/health.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

enum { EVERY = 32, SAMPLES = 16, GRAIN = 4096, CLASSES = MO_REDUCE_WIDTH_MAX };

#define FACTOR 2.0
#define FEW 0.01   /* of all rows */
#define RATIO 1.25 /* of the speeds of two neighbouring classes */

typedef struct counting {
    const double *v, *inverse_diameter;
    double squares[CLASSES]; /* (speed/diameter)^2 above which a row counts, descending */
} counting;

/* partial[k]: rows above squares[k] */
static void count_range(void *context, int64_t first, int64_t last, double *partial)
{
    const counting *c = context;
    memset(partial, 0, CLASSES * sizeof *partial);
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 u = mo_vec3_load(c->v + 3 * row);
        double w = c->inverse_diameter[row], square = mo_dot(u, u) * (w * w);
        for (int k = CLASSES - 1; k >= 0 && square > c->squares[k]; --k) {
            partial[k] += 1;
        }
    }
}

/* The number of rows faster than most/RATIO^(k + 1), and the total number of rows. */
static mote_status count_speeds(mote_world *world, double most, double *faster, double *rows,
                                mote_error *error)
{
    counting c;
    double limit = most, own[CLASSES];
    *rows = 0;
    for (int k = 0; k < CLASSES; ++k) {
        limit /= RATIO;
        c.squares[k] = limit * limit;
        faster[k] = 0;
    }
    for (int s = 0; s < world->system_count; ++s) {
        const mo_system *system = &world->systems[s];
        c.v = mo_f64(system->columns.v);
        c.inverse_diameter = mo_f64(system->columns.inverse_diameter);
        MO_TRY(mo_parallel_reduce(world->pool, mo_store_owned(system->store), GRAIN, MO_SUM,
                                  CLASSES, count_range, &c, own, error));
        for (int k = 0; k < CLASSES; ++k) {
            faster[k] += own[k];
        }
        *rows += (double)mo_store_owned(system->store);
    }
    return MOTE_OK;
}

/* The speed below which all but a few rows are, and the number of those; the maximum if they are
 * more than a few. */
static double bulk_speed(double most, const double *faster, double rows, double *few)
{
    double speed = most;
    *few = 0;
    for (int k = 0; k < CLASSES && faster[k] <= FEW * rows; ++k) {
        speed /= RATIO;
        *few = faster[k];
    }
    return speed;
}

mote_status mo_outliers_step(mote_world *world, mote_error *error)
{
    int *samples = &world->outliers.samples;
    double faster[CLASSES], rows, few, most = world->rates.speed;
    bool varies = world->def.time.step.type->capabilities & MO_STEP_VARIES;
    if (!varies || world->clock.steps % EVERY != 0) {
        return MOTE_OK;
    }
    MO_TRY(count_speeds(world, most, faster, &rows, error));
    double rest = bulk_speed(most, faster, rows, &few);
    double factor = mo_world_choose_step(world, rest).size / mo_world_choose_step(world, most).size;
    *samples = factor >= FACTOR ? *samples + 1 : 0;
    if (*samples >= SAMPLES) {
        mo_health_warn_outliers(world, &(mo_outlier_count){few, rows, factor, SAMPLES * EVERY});
    }
    return MOTE_OK;
}
