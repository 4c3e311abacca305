#include "collide/impact.h"

#include "collide/law.h"

#include <math.h>

/* The height of fall onto the collider, by sphere tracing (J. C. Hart 1996, Visual Comput. 12,
 * 527); the gap if the particle misses it. */
static double fall_of(const mo_collider *c, mo_vec3 x, mo_vec3 down, double radius)
{
    double start = mo_collider_gap(c, x, NULL) - radius, length = 0, gap = start;
    for (int k = 0; k < 64 && gap > 1e-3 * start; ++k) {
        length += gap;
        gap = mo_collider_gap(c, mo_add_scaled(x, length, down), NULL) - radius;
    }
    return fmax(start, gap <= 1e-3 * start ? length : 0);
}

/* The largest speed of the collider's motion at the corners of the bounding box of all rows,
 * until `end`. */
static double motion_speed(const mo_collider *c, const mo_contact_box *box, double end)
{
    enum { TIMES = 64 };
    double most = 0;
    for (int k = 0; k <= TIMES; ++k) {
        mo_pose pose = mo_collider_pose_at(c, end * k / TIMES);
        for (int n = 0; n < 8; ++n) {
            const double *x = n & 1 ? box->low : box->high, *y = n & 2 ? box->low : box->high,
                         *z = n & 4 ? box->low : box->high;
            most = fmax(most, mo_length(mo_pose_velocity(&pose, mo_vec3_make(x[0], y[1], z[2]))));
        }
    }
    return most;
}

/* Upper bounds for a batch of rows: falls are traced only where they may be the maximum. */
struct mo_impact_batch {
    mo_contact_box box;
    double speed; /* squared */
    double size, radius;
};
typedef struct mo_impact_batch mo_impact_batch;

typedef struct falling {
    const mo_impacts *impacts;
    const mo_collider *collider;
    double low[3], high[3]; /* bounds of the collider */
    bool bounded;
} falling;

static double speed_squared(const mo_contact_rows *rows, int64_t row)
{
    mo_vec3 v = rows->v ? mo_vec3_load(rows->v + 3 * row) : mo_vec3_make(0, 0, 0);
    return mo_dot(v, v);
}

mote_status mo_impacts_create(mo_impacts *impacts, mo_memory *memory, const mo_contact_rows *rows,
                              mo_vec3 down, double g, mote_error *error)
{
    void *block;
    int64_t count = (rows->count + MO_CONTACT_BATCH - 1) / MO_CONTACT_BATCH;
    *impacts = (mo_impacts){.memory = memory, .rows = *rows, .down = down, .g = g};
    MO_TRY(mo_allocate_array(memory, count, sizeof *impacts->batches, &block, error));
    impacts->batches = block;
    impacts->batch_count = count;
    for (int64_t b = 0; b < count; ++b) {
        int64_t first = b * MO_CONTACT_BATCH, last = first + mo_contact_batch_rows(rows->count, b);
        mo_impact_batch *batch = &impacts->batches[b];
        *batch = (mo_impact_batch){
            .box = mo_contact_box_of(rows->x, NULL, rows->radius, 1, first, last - first)};
        for (int64_t row = first; row < last; ++row) {
            batch->speed = fmax(batch->speed, speed_squared(rows, row));
            batch->size = fmax(batch->size, mo_contact_particle_of(rows, row).size);
            batch->radius = fmax(batch->radius, rows->radius[row]);
        }
    }
    return MOTE_OK;
}

void mo_impacts_release(mo_impacts *impacts)
{
    if (impacts->memory) {
        mo_release(impacts->memory, impacts->batches);
    }
    impacts->batches = NULL;
}

/* An upper bound of v0^2 + 2 g H of particles within a box: the height of fall onto a bounded
 * collider is at most the largest distance of two points of the boxes, up to the tolerance of
 * the tracing. */
static double square_bound(const falling *f, const double low[3], const double high[3],
                           double speed, double size, double radius)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double far = fmax(high[k] - f->low[k], f->high[k] - low[k]);
        square += far * far;
    }
    double fall = f->bounded ? 1.01 * sqrt(square) + radius : (double)INFINITY;
    return speed + (f->impacts->g > 0 ? 2 * f->impacts->g * fmax(fall, size) : 0);
}

static double batch_bound(const falling *f, const mo_impact_batch *b)
{
    return square_bound(f, b->box.low, b->box.high, b->speed, b->size, b->radius);
}

/* The maximum of `most` and v0^2 + 2 g H of the rows of a batch. */
static double highest_square(const falling *f, int64_t batch, double most)
{
    const mo_contact_rows *rows = &f->impacts->rows;
    int64_t first = batch * MO_CONTACT_BATCH;
    int64_t last = first + mo_contact_batch_rows(rows->count, batch);
    for (int64_t row = first; row < last; ++row) {
        const double *x = rows->x + 3 * row;
        double size = mo_contact_particle_of(rows, row).size, speed = speed_squared(rows, row);
        bool matters = !(square_bound(f, x, x, speed, size, rows->radius[row]) <= most);
        if (rows->inverse_mass[row] > 0 && matters) {
            double fall =
                fall_of(f->collider, mo_vec3_load(x), f->impacts->down, rows->radius[row]);
            most =
                fmax(most, speed + (f->impacts->g > 0 ? 2 * f->impacts->g * fmax(fall, size) : 0));
        }
    }
    return most;
}

/* The largest v0^2 + 2 g H of all rows, batches in the order of their bounds. */
static double impact_square(const falling *f)
{
    const mo_impacts *s = f->impacts;
    int64_t first = 0;
    double bound = -1, most = 0;
    for (int64_t b = 0; b < s->batch_count; ++b) {
        double own = batch_bound(f, &s->batches[b]);
        first = own > bound ? b : first;
        bound = fmax(bound, own);
    }
    most = s->batch_count > 0 ? highest_square(f, first, 0) : 0;
    for (int64_t b = 0; b < s->batch_count; ++b) {
        if (b != first && !(batch_bound(f, &s->batches[b]) <= most)) {
            most = highest_square(f, b, most);
        }
    }
    return most;
}

double mo_impacts_speed(const mo_impacts *impacts, const mo_collider *c, double end)
{
    const mo_contact_rows *rows = &impacts->rows;
    falling f = {.impacts = impacts, .collider = c};
    f.bounded = mo_collider_bounds(c, f.low, f.high);
    double speed = sqrt(impact_square(&f));
    if (rows->count == 0 || !mo_motion_moves(c->motion)) {
        return speed;
    }
    mo_contact_box box = mo_contact_box_of(rows->x, NULL, rows->radius, 1, 0, rows->count);
    return speed + motion_speed(c, &box, end);
}
