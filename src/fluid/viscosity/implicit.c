#include "fluid/viscosity/implicit.h"

#include "math/symmetric.h"

#include <math.h>

enum { GRAIN = 1024, DELAY = 3 };

/* Relative rounding error of packed velocities: changes below it are noise. */
#define NOISE 1e-7

const mo_column_spec mo_implicit_columns[] = {
    {"viscous_acceleration", MOTE_F32, 3, MO_STATE, "m/s^2",
     "acceleration by viscosity in the last step, the initial guess of the next one"},
    {0}};

/* ---- memory ---- */

mote_status mo_implicit_create(mo_implicit *s, const mo_implicit_def *def, mo_fluid *f,
                               mote_error *error)
{
    return mo_shear_create(&s->shear, f, def->nu, def->law, error);
}

void mo_implicit_release(mo_implicit *s, mo_fluid *f)
{
    void *arrays[] = {s->u,     s->change, s->residual, s->product,
                      s->block, s->drag,   s->pull,     s->share};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(f->memory, arrays[k]);
    }
    mo_shear_release(&s->shear, f);
}

static mote_status reserve(mo_implicit *s, mo_fluid *f, mote_error *error)
{
    struct {
        float **array;
        int64_t *capacity, need;
    } arrays[] = {{&s->u, &s->u_capacity, 4 * f->slots + 4},
                  {&s->change, &s->change_capacity, 4 * f->rows},
                  {&s->residual, &s->residual_capacity, 4 * f->rows},
                  {&s->product, &s->product_capacity, 4 * f->rows},
                  {&s->block, &s->block_capacity, 6 * f->rows},
                  {&s->drag, &s->drag_capacity, 6 * f->rows},
                  {&s->pull, &s->pull_capacity, 4 * f->rows}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        MO_TRY(mo_reserve(f->memory, arrays[k].array, arrays[k].capacity, arrays[k].need,
                          sizeof(float), error));
    }
    int bodies = f->walls.responder ? f->walls.responder->count : 0;
    return mo_reserve(f->memory, &s->share, &s->share_capacity, bodies, sizeof *s->share, error);
}

mote_status mo_implicit_begin(mo_implicit *s, mo_fluid *f, mote_error *error)
{
    MO_TRY(reserve(s, f, error));
    return mo_shear_update(&s->shear, f, error);
}

/* ---- vectors ---- */

typedef struct solving {
    mo_implicit *s;
    mo_fluid *fluid;
    const double *mass;
    mo_implicit_product *product;
    const void *context;
    float *guess; /* the column */
    double *v;
    float h, alpha, beta;
} solving;

/* The product of a symmetric block and a vector. */
MO_INLINE mo_f4 block_times(const float b[6], mo_f4 u)
{
    return (mo_f4){b[0] * u[0] + b[3] * u[1] + b[4] * u[2], b[3] * u[0] + b[1] * u[1] + b[5] * u[2],
                   b[4] * u[0] + b[5] * u[1] + b[2] * u[2], 0};
}

MO_INLINE double dot(mo_f4 a, mo_f4 b)
{
    mo_f4 p = a * b;
    return (double)(p[0] + p[1] + p[2]);
}

/* The inverse of I + h M^-1 K_ii + h D/m, in place of K's block. */
static void invert_rows(void *context, int64_t first, int64_t last)
{
    const solving *c = context;
    for (int64_t row = first; row < last; ++row) {
        float *block = c->s->block + 6 * row;
        double sum[6], inverse[6];
        for (int k = 0; k < 6; ++k) {
            float drag = c->s->walled ? c->s->drag[6 * row + k] : 0;
            sum[k] = (double)(block[k] + drag) + (k < 3 ? 1 : 0);
        }
        mo_symmetric_inverse(sum, inverse);
        for (int k = 0; k < 6; ++k) {
            block[k] = (float)inverse[k];
        }
    }
}

/* residual = -h M^-1 (K v* + D (v* - v_s)); the product with the velocities is in `product`, unless
 * the method has the right-hand side. */
static void right_rows(void *context, int64_t first, int64_t last)
{
    const solving *c = context;
    for (int64_t row = first; row < last; ++row) {
        const mo_implicit *s = c->s;
        mo_f4 r = s->right ? mo_f4_load(s->right + 4 * row) : -mo_f4_load(s->product + 4 * row);
        if (s->walled) {
            mo_f4 v = mo_f4_load(c->fluid->velocity + 4 * row);
            mo_f4 drag = mo_f4_load(s->pull + 4 * row) - block_times(s->drag + 6 * row, v);
            r += (1 - s->kept) * drag;
        }
        r[3] = 0;
        mo_f4_store(c->s->residual + 4 * row, r);
    }
}

static void guess_rows(void *context, int64_t first, int64_t last)
{
    const solving *c = context;
    for (int64_t row = first; row < last; ++row) {
        const float *a = c->guess + 3 * row;
        mo_f4_store(c->s->u + 4 * row, c->h * (mo_f4){a[0], a[1], a[2], 0});
    }
}

enum { CURVATURE, SLOPE };

/* product = (I + h M^-1 (K + D)) u, which has the part of K; partial: (u, A u) and (u, r). */
static void close_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const solving *c = context;
    partial[CURVATURE] = partial[SLOPE] = 0;
    for (int64_t row = first; row < last; ++row) {
        mo_f4 u = mo_f4_load(c->s->u + 4 * row), q = u + mo_f4_load(c->s->product + 4 * row);
        if (c->s->walled) {
            q += block_times(c->s->drag + 6 * row, u);
        }
        mo_f4_store(c->s->product + 4 * row, q);
        partial[CURVATURE] += c->mass[row] * dot(u, q);
        partial[SLOPE] += c->mass[row] * dot(u, mo_f4_load(c->s->residual + 4 * row));
    }
}

enum { DESCENT, CHANGE, SPEED, MASS, SUMS };

/* Steps by alpha along u; partial: (r, z) of the new residual with z = P^-1 r, (change, change),
 * (v*, v*), and the mass. */
static void step_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const solving *c = context;
    const mo_implicit *s = c->s;
    for (int k = 0; k < SUMS; ++k) {
        partial[k] = 0;
    }
    for (int64_t row = first; row < last; ++row) {
        mo_f4 x = mo_f4_load(s->change + 4 * row) + c->alpha * mo_f4_load(s->u + 4 * row);
        mo_f4 r = mo_f4_load(s->residual + 4 * row) - c->alpha * mo_f4_load(s->product + 4 * row);
        mo_f4 v = mo_f4_load(c->fluid->velocity + 4 * row);
        mo_f4_store(s->change + 4 * row, x);
        mo_f4_store(s->residual + 4 * row, r);
        partial[DESCENT] += c->mass[row] * dot(r, block_times(s->block + 6 * row, r));
        partial[CHANGE] += c->mass[row] * dot(x, x);
        partial[SPEED] += c->mass[row] * dot(v, v);
        partial[MASS] += c->mass[row];
    }
}

/* u = z + beta u */
static void turn_rows(void *context, int64_t first, int64_t last)
{
    const solving *c = context;
    for (int64_t row = first; row < last; ++row) {
        mo_f4 z = block_times(c->s->block + 6 * row, mo_f4_load(c->s->residual + 4 * row));
        /* without reading u of the last solve, which may be anything */
        mo_f4 u = c->beta > 0 ? z + c->beta * mo_f4_load(c->s->u + 4 * row) : z;
        mo_f4_store(c->s->u + 4 * row, u);
    }
}

/* partial: the change of the kinetic energy */
static void apply_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const solving *c = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        double before = 0, after = 0;
        for (int k = 0; k < 3; ++k) {
            float change = c->s->change[4 * row + k];
            double *v = &c->v[3 * row + k];
            before += *v * *v;
            *v += (double)change;
            after += *v * *v;
            c->guess[3 * row + k] = change / c->h;
        }
        *partial += 0.5 * c->mass[row] * (after - before);
    }
}

/* ---- momenta of the change ---- */

/* A rigid motion: the change of the velocity is linear + angular x (x - center). */
typedef struct moving {
    const solving *c;
    const double *x;
    double center[3], linear[3], angular[3];
} moving;

enum { WEIGHT, MOMENT = 1, MOMENTUM = 4, FIRST_SUMS = 7, TORQUE = 6, SECOND_SUMS = 9 };

/* partial: m, m x, m u */
static void linear_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const moving *m = context;
    for (int k = 0; k < FIRST_SUMS; ++k) {
        partial[k] = 0;
    }
    for (int64_t row = first; row < last; ++row) {
        double mass = m->c->mass[row];
        partial[WEIGHT] += mass;
        for (int k = 0; k < 3; ++k) {
            partial[MOMENT + k] += mass * m->x[3 * row + k];
            partial[MOMENTUM + k] += mass * (double)m->c->s->change[4 * row + k];
        }
    }
}

/* partial: the inertia and the angular momentum about the centre */
static void angular_rows(void *context, int64_t first, int64_t last, double *partial)
{
    const moving *m = context;
    for (int k = 0; k < SECOND_SUMS; ++k) {
        partial[k] = 0;
    }
    for (int64_t row = first; row < last; ++row) {
        const float *u = m->c->s->change + 4 * row;
        mo_vec3 y = mo_sub(mo_vec3_load(m->x + 3 * row), mo_vec3_load(m->center));
        mo_vec3 l = mo_cross(y, mo_vec3_make((double)u[0], (double)u[1], (double)u[2]));
        double mass = m->c->mass[row];
        const double more[SECOND_SUMS] = {y.y * y.y + y.z * y.z,
                                          y.x * y.x + y.z * y.z,
                                          y.x * y.x + y.y * y.y,
                                          -y.x * y.y,
                                          -y.x * y.z,
                                          -y.y * y.z,
                                          l.x,
                                          l.y,
                                          l.z};
        for (int k = 0; k < SECOND_SUMS; ++k) {
            partial[k] += mass * more[k];
        }
    }
}

static void stop_rows(void *context, int64_t first, int64_t last)
{
    const moving *m = context;
    mo_vec3 linear = mo_vec3_load(m->linear), angular = mo_vec3_load(m->angular);
    for (int64_t row = first; row < last; ++row) {
        float *u = m->c->s->change + 4 * row;
        mo_vec3 y = mo_sub(mo_vec3_load(m->x + 3 * row), mo_vec3_load(m->center));
        mo_vec3 v = mo_add(linear, mo_cross(angular, y));
        u[0] -= (float)v.x;
        u[1] -= (float)v.y;
        u[2] -= (float)v.z;
    }
}

/* Subtracts the rigid motion of the change. Rotations of periodic domains are not rigid. */
static mote_status conserve(const solving *c, mote_error *error)
{
    mo_fluid *f = c->fluid;
    moving m = {.c = c, .x = mo_f64(f->columns.x)};
    double sum[FIRST_SUMS], turn[SECOND_SUMS];
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, FIRST_SUMS, linear_rows, &m, sum,
                              error));
    for (int k = 0; k < 3 && sum[WEIGHT] > 0; ++k) {
        m.center[k] = sum[MOMENT + k] / sum[WEIGHT];
        m.linear[k] = sum[MOMENTUM + k] / sum[WEIGHT];
    }
    if (!f->walls.periodic && !c->s->torque) {
        MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, SECOND_SUMS, angular_rows, &m,
                                  turn, error));
        mo_symmetric_solve(turn, turn + TORQUE, m.angular);
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, stop_rows, &m);
    return MOTE_OK;
}

/* ---- the iteration ---- */

static mote_status multiply(solving *c, double sums[2], mote_error *error)
{
    mo_fluid *f = c->fluid;
    mo_fluid_spread4(f, c->s->u);
    c->product(c->context, f, c->s->u, c->s->product);
    return mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 2, close_rows, c, sums, error);
}

static mote_status step(solving *c, double alpha, double sums[SUMS], mote_error *error)
{
    c->alpha = (float)alpha;
    return mo_parallel_reduce(c->fluid->pool, c->fluid->rows, GRAIN, MO_SUM, SUMS, step_rows, c,
                              sums, error);
}

/* The residual of v*, and the guess with its best factor. */
static mote_status start(solving *c, double sums[SUMS], mote_error *error)
{
    mo_fluid *f = c->fluid;
    double line[2];
    if (!c->s->right) {
        c->product(c->context, f, f->velocity, c->s->product);
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, right_rows, c);
    memset(c->s->change, 0, (size_t)f->rows * 4 * sizeof(float));
    mo_parallel_for(f->pool, f->rows, GRAIN, guess_rows, c);
    MO_TRY(multiply(c, line, error));
    double alpha = line[CURVATURE] > 0 ? line[SLOPE] / line[CURVATURE] : 0;
    return step(c, isfinite(alpha) ? alpha : 0, sums, error);
}

/* The estimated rms error and the rms change. */
typedef struct progress {
    double lowered[DELAY], error, scale;
} progress;

static bool settled(progress *p, int iteration, double lowered, const double sums[SUMS],
                    double tolerance)
{
    double sum = 0;
    p->lowered[iteration % DELAY] = lowered;
    for (int k = 0; k < DELAY; ++k) {
        sum += p->lowered[k];
    }
    double mass = sums[MASS] > 0 ? sums[MASS] : 1;
    p->error = sqrt(sum / mass);
    p->scale = sqrt(sums[CHANGE] / mass) + NOISE / tolerance * sqrt(sums[SPEED] / mass);
    return p->error <= tolerance * p->scale || !(lowered > 0);
}

static mote_status iterate(solving *c, const mo_implicit_def *def, mote_error *error)
{
    mo_fluid_report *report = &c->fluid->report;
    double sums[SUMS], line[2], last = 0;
    progress p = {.lowered = {INFINITY, INFINITY, INFINITY}};
    int most = (int)def->max_iterations, k = 0;
    MO_TRY(start(c, sums, error));
    bool done = !(sums[DESCENT] > 0);
    for (; !done && k < most; ++k) {
        double descent = sums[DESCENT];
        c->beta = k > 0 ? (float)(descent / last) : 0;
        mo_parallel_for(c->fluid->pool, c->fluid->rows, GRAIN, turn_rows, c);
        MO_TRY(multiply(c, line, error));
        double alpha = line[CURVATURE] > 0 ? descent / line[CURVATURE] : 0;
        MO_TRY(step(c, alpha, sums, error));
        last = descent;
        done = settled(&p, k, alpha * descent, sums, def->tolerance);
    }
    report->viscosity_iterations += k;
    report->viscosity_error = p.scale > 0 ? p.error / p.scale : 0;
    report->viscosity_unsolved = !done;
    return MOTE_OK;
}

/* The impulse on solids is -D (v - v_s - kept (v* - v_s)): that of the velocity v* + (v - v*)/(1 -
 * kept) with 1 - kept of the friction. */
static void impulse_rows(void *context, int64_t first, int64_t last)
{
    const solving *c = context;
    for (int64_t row = first; row < last; ++row) {
        for (int k = 0; k < 3; ++k) {
            c->fluid->velocity[4 * row + k] += c->s->change[4 * row + k] / (1 - c->s->kept);
        }
    }
}

static mote_status react(solving *c, mo_wall_friction *wall, mote_error *error)
{
    mo_fluid *f = c->fluid;
    if (!(c->s->kept > 0)) {
        mo_fluid_pack_velocities(f);
        return mo_fluid_wall_drag_react(f, wall, error);
    }
    wall->nu *= 1 - (double)c->s->kept;
    mo_parallel_for(f->pool, f->rows, GRAIN, impulse_rows, c);
    mote_status status = mo_fluid_wall_drag_react(f, wall, error);
    mo_fluid_pack_velocities(f);
    return status;
}

mote_status mo_implicit_solve(mo_implicit *s, mo_instance *self, const mo_implicit_def *def,
                              mo_fluid *f, double h, mo_implicit_product *product,
                              const void *context, mote_error *error)
{
    mo_wall_friction wall = {.nu = mo_shear_wall(&s->shear, def->wall),
                             .of_row = mo_shear_wall_rows(&s->shear, def->wall),
                             .h = h,
                             .share = s->share};
    solving c = {.s = s,
                 .fluid = f,
                 .mass = mo_f64(f->columns.mass),
                 .product = product,
                 .context = context,
                 .guess = self->columns[MO_IMPLICIT_GUESS]->data,
                 .v = mo_f64(f->columns.v),
                 .h = (float)h};
    double gained;
    MO_TRY(mo_fluid_wall_drag(f, &wall, s->drag, s->pull, &s->walled, error));
    mo_parallel_for(f->pool, f->rows, GRAIN, invert_rows, &c);
    MO_TRY(iterate(&c, def, error));
    if (!s->walled) {
        MO_TRY(conserve(&c, error));
    }
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, apply_rows, &c, &gained, error));
    self->taken = -gained;
    if (s->walled) {
        return react(&c, &wall, error);
    }
    mo_fluid_pack_velocities(f);
    return MOTE_OK;
}
