#include "fluid/pressure/recovery.h"

#include "fluid/boundary/boundary.h"

#include <math.h>

enum { GRAIN = 4096, EDGES = 16, ROUNDS = 3 };

/* Parts of the pace that a single particle and all of them may be taken back at, and of the square
 * of the Courant number. */
static const double SINGLE = 0.3, ALL = 0.01, CURVED = 0.02;

/* Tolerances from which on compression matters, and the most of it that is looked for. */
static const double LEAST = 2, MOST = 0.256;

/* The part of the particles that makes it everywhere. */
static const double EVERYWHERE = 0.6;

static void fastest_square(void *context, int64_t first, int64_t last, double *partial)
{
    const float *v = context;
    float most = 0;
    for (int64_t row = first; row < last; ++row) {
        const float *u = v + 4 * row;
        float square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        most = square > most ? square : most;
    }
    *partial = (double)most;
}

typedef struct counting {
    const float *density;
    double low, width; /* of the first edge, and between edges */
} counting;

/* partial[k]: particles that are compressed by low + k width at least */
static void count_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const counting *c = context;
    int64_t in[EDGES] = {0};
    for (int64_t row = first; row < last; ++row) {
        double place = ((double)c->density[row] - 1 - c->low) / c->width;
        if (place >= 0) {
            in[place < EDGES ? (int)place : EDGES - 1]++;
        }
    }
    for (int k = EDGES - 1, above = 0; k >= 0; --k) {
        above += (int)in[k];
        partial[k] = above;
    }
}

/* What EVERYWHERE of the particles are compressed by, from below. */
static mote_status find_surplus(mo_fluid *f, const float *density, double *surplus,
                                mote_error *error)
{
    counting c = {density, 0, MOST / EDGES};
    for (int round = 0; round < ROUNDS; ++round) {
        double above[EDGES];
        int edge = -1;
        MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, EDGES, count_rows, &c, above,
                                  error));
        while (edge + 1 < EDGES && above[edge + 1] >= EVERYWHERE * (double)f->rows) {
            ++edge;
        }
        if (edge < 0) {
            break;
        }
        c = (counting){density, c.low + edge * c.width, c.width / EDGES};
    }
    *surplus = c.low;
    return MOTE_OK;
}

mote_status mo_recovery_pace(mo_fluid *f, double time, double *pace, double *speed,
                             mote_error *error)
{
    double square = 0, falling = sqrt(mo_length(mo_fluid_gravity(f, time)) / f->spacing);
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_MAX, 1, fastest_square, f->velocity,
                              &square, error));
    *speed = sqrt(square);
    *pace = falling > 0 ? falling : fmax(0.03 * *speed / f->spacing, 1);
    return MOTE_OK;
}

mote_status mo_recovery_find(mo_fluid *f, const mo_fluid_step *now, const float *density,
                             double mean, mo_recovery *r, mote_error *error)
{
    double pace, speed, surplus = 0;
    const mo_boundary_type *boundary = (const mo_boundary_type *)f->def->boundary.type;
    /* walls that are felt only by what they have compressed */
    if (boundary && boundary->contacts) {
        *r = (mo_recovery){0, INFINITY, INFINITY};
        return MOTE_OK;
    }
    MO_TRY(mo_recovery_pace(f, now->time, &pace, &speed, error));
    double courant = speed * now->h / f->spacing;
    if (mean > LEAST * r->tolerance) {
        MO_TRY(find_surplus(f, density, &surplus, error));
    }
    r->surplus = surplus > 0 ? (float)fmax(0, mean - ALL * pace * now->h) : 0;
    f->report.crowded = (double)r->surplus;
    r->most = (float)(SINGLE * pace * now->h + CURVED * courant * courant);
    /* little is taken back in a step, and a solve that leaves as much would take nothing back */
    r->tolerance = mean > (double)r->most || r->surplus > 0 ? 0.5 * ALL * pace * now->h : INFINITY;
    return MOTE_OK;
}
