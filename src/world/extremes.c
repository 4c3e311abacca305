#include "world/extremes.h"

#include "math/wide.h"

#include <math.h>

enum { GRAIN = 4096, POSITIONS_EVERY = 16 };

/* Diameters per frame up to which rows of position-based systems shorten the step. Their velocity
 * is a displacement divided by h, part of which removes violations that do not decrease with h: a
 * shorter step would increase it without bound. They need no Courant condition, since their
 * contacts are found along paths. */
static const double COURANT_MAX = 16;

/* Squared magnitudes, in a block's partial result. */
enum { SPEED, ACCELERATION, REACH, TURNING, TEMPERATURE, EXTREMES };

typedef struct columns {
    const double *v, *inverse_diameter;
    const double *x, *a, *w, *temperature; /* NULL: skipped */
} columns;

/* Maximum so far; NaN propagates. */
static double larger(double most, double value)
{
    return value > most || isnan(value) ? value : most;
}

/* Over four rows at a time: the maximum, and 0, or NaN if a row was not finite. */
typedef struct most {
    mo_d4 value, spoiled;
} most;

static inline void take(most *m, mo_d4 square)
{
    m->value = mo_d4_max(m->value, square);
    m->spoiled += square - square;
}

static inline void take_one(most *m, double square)
{
    take(m, (mo_d4){square, 0, 0, 0});
}

/* NaN if a row was not finite. */
static inline double largest(const most *m)
{
    mo_d4 v = m->value, s = m->spoiled;
    double low = v[0] > v[1] ? v[0] : v[1], high = v[2] > v[3] ? v[2] : v[3];
    return (low > high ? low : high) + ((s[0] + s[1]) + (s[2] + s[3]));
}

static inline mo_d4 squares_of(const double *vector, int64_t row)
{
    mo_d4 x, y, z;
    mo_d4_load3_next(vector + 3 * row, &x, &y, &z);
    return x * x + y * y + z * z;
}

static inline double square_of(const double *vector, int64_t row)
{
    mo_vec3 u = mo_vec3_load(vector + 3 * row);
    return mo_dot(u, u);
}

/* x, a: as in `columns`; compiled for each combination. Velocities out of range are found with the
 * positions: one that is not finite makes the speed NaN. */
static inline void motion_range(const columns *c, const double *x, const double *a, int64_t first,
                                int64_t last, double *partial)
{
    most speed = {0}, acceleration = {0}, reach = {0};
    int64_t row = first;
    for (; row + 4 <= last; row += 4) {
        mo_d4 w = mo_d4_load(c->inverse_diameter + row), square = squares_of(c->v, row);
        if (x) {
            take(&reach, squares_of(x, row) + square);
        }
        take(&speed, square * (w * w));
        if (a) {
            take(&acceleration, squares_of(a, row) * (w * w));
        }
    }
    for (; row < last; ++row) {
        double w = c->inverse_diameter[row], square = square_of(c->v, row);
        if (x) {
            take_one(&reach, square_of(x, row) + square);
        }
        take_one(&speed, square * (w * w));
        if (a) {
            take_one(&acceleration, square_of(a, row) * (w * w));
        }
    }
    partial[SPEED] = largest(&speed);
    partial[ACCELERATION] = a ? largest(&acceleration) : 0;
    partial[REACH] = x ? largest(&reach) : 0;
}

static void find_range(void *context, int64_t first, int64_t last, double *partial)
{
    const columns *c = context;
    if (c->a) {
        motion_range(c, c->x, c->a, first, last, partial);
    } else if (c->x) {
        motion_range(c, c->x, NULL, first, last, partial);
    } else {
        motion_range(c, NULL, NULL, first, last, partial);
    }
    partial[TURNING] = partial[TEMPERATURE] = 0;
    for (int64_t row = first; row < last && c->w; ++row) {
        partial[TURNING] = larger(partial[TURNING], square_of(c->w, row));
    }
    for (int64_t row = first; row < last && c->temperature; ++row) {
        partial[TEMPERATURE] =
            larger(partial[TEMPERATURE], c->temperature[row] * c->temperature[row]);
    }
}

static mo_extremes roots_of(const double *squares)
{
    return (mo_extremes){sqrt(squares[SPEED]),   sqrt(squares[ACCELERATION]), sqrt(squares[REACH]),
                         sqrt(squares[TURNING]), sqrt(squares[TEMPERATURE]),  sqrt(squares[SPEED])};
}

static columns columns_of(const mo_system *s, bool positions, bool accelerations)
{
    const mo_particle_columns *p = &s->columns;
    return (columns){.x = positions ? mo_f64(p->x) : NULL,
                     .v = mo_f64(p->v),
                     .inverse_diameter = mo_f64(p->inverse_diameter),
                     .a = accelerations ? mo_f64(p->a) : NULL,
                     .w = p->w ? mo_f64(p->w) : NULL,
                     .temperature = p->temperature ? mo_f64(p->temperature) : NULL};
}

mote_status mo_extremes_find(mote_world *world, bool changed, mo_extremes *e, mote_error *error)
{
    bool varies = world->def.time.step.type->capabilities & MO_STEP_VARIES;
    double all[EXTREMES] = {0}, more[EXTREMES];
    double courant = 0, bound = COURANT_MAX * world->def.time.fps;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        bool positions =
            changed || s->contact.contacts > 0 || world->clock.steps % POSITIONS_EVERY == 0;
        columns c = columns_of(s, positions, varies);
        MO_TRY(mo_parallel_reduce(world->pool, mo_store_owned(s->store), GRAIN, MO_MAX, EXTREMES,
                                  find_range, &c, more, error));
        for (int n = 0; n < EXTREMES; ++n) {
            all[n] = larger(all[n], more[n]);
        }
        double own = sqrt(more[SPEED]);
        courant = larger(courant, s->type->solves_contacts && own > bound ? bound : own);
    }
    *e = roots_of(all);
    e->courant = courant;
    return MOTE_OK;
}

bool mo_extremes_within_range(const mo_extremes *e)
{
    return e->reach < MO_RANGE && e->speed < MO_RANGE_RATE && isfinite(e->acceleration) &&
           isfinite(e->turning) && e->temperature < MO_RANGE_TEMPERATURE;
}

int64_t mo_extremes_row(const mo_system *s, bool accelerations)
{
    columns c = columns_of(s, true, accelerations);
    for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
        double squares[EXTREMES];
        find_range(&c, row, row + 1, squares);
        mo_extremes e = roots_of(squares);
        if (!mo_extremes_within_range(&e)) {
            return row;
        }
    }
    return -1;
}
