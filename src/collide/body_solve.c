#include "collide/body_solve.h"

#include <math.h>
#include <string.h>

enum { SIX = 6, ITERATIONS = 60 };
enum { Q, R, Z, P, IP, KP, VECTORS };

/* Relative residual of conjugate gradients: below the mass ratio of light bodies. */
static const double TOLERANCE = 1e-9;

/* Pivots of joints below this part of the diagonal are redundant equations. */
static const double REDUNDANT = 1e-6;

void mo_body_solve_init(mo_body_solve *s, mo_memory *memory)
{
    *s = (mo_body_solve){.memory = memory};
}

void mo_body_solve_release(mo_body_solve *s)
{
    void *const arrays[] = {s->free, s->loaded,      s->rows,          s->groups,     s->group_of,
                            s->link, s->free_factor, s->loaded_factor, s->multiplier, s->vector};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(s->memory, arrays[k]);
    }
}

/* ---- blocks ---- */

static void store_wrench(mo_wrench w, double out[SIX])
{
    mo_vec3_store(out, w.force);
    mo_vec3_store(out + 3, w.torque);
}

/* y = A x */
static void multiply(const double *a, const double *x, double *y)
{
    for (int i = 0; i < SIX; ++i) {
        const double *row = a + SIX * i;
        y[i] = ((row[0] * x[0] + row[1] * x[1]) + (row[2] * x[2] + row[3] * x[3])) +
               (row[4] * x[4] + row[5] * x[5]);
    }
}

static double dot(const double *a, const double *b)
{
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) +
           (a[4] * b[4] + a[5] * b[5]);
}

static void write_free(const mo_free_body *body, double *w)
{
    memset(w, 0, MO_INERTIA * sizeof *w);
    for (int i = 0; i < 3; ++i) {
        w[SIX * i + i] = body->inverse_mass;
        for (int j = 0; j < 3; ++j) {
            w[SIX * (i + 3) + j + 3] = body->inverse_inertia.m[3 * i + j];
        }
    }
}

/* Solves A X = B in place of B by Gaussian elimination with row pivoting. */
static void eliminate(double a[SIX][SIX], double b[SIX][SIX])
{
    for (int c = 0; c < SIX; ++c) {
        int best = c;
        for (int i = c + 1; i < SIX; ++i) {
            best = fabs(a[i][c]) > fabs(a[best][c]) ? i : best;
        }
        for (int j = 0; j < SIX && best != c; ++j) {
            double t = a[c][j], u = b[c][j];
            a[c][j] = a[best][j];
            a[best][j] = t;
            b[c][j] = b[best][j];
            b[best][j] = u;
        }
        for (int i = 0; i < SIX; ++i) {
            double part = i == c || a[c][c] == 0 ? 0 : a[i][c] / a[c][c];
            for (int j = 0; j < SIX && part != 0; ++j) {
                a[i][j] -= part * a[c][j];
                b[i][j] -= part * b[c][j];
            }
        }
    }
    for (int i = 0; i < SIX; ++i) {
        for (int j = 0; j < SIX; ++j) {
            b[i][j] = a[i][i] != 0 ? b[i][j] / a[i][i] : 0;
        }
    }
}

/* P = (1 + W S)^-1 W, made symmetric. */
static void load(const double *w, const double *s, double *p)
{
    double a[SIX][SIX], b[SIX][SIX];
    for (int i = 0; i < SIX; ++i) {
        for (int j = 0; j < SIX; ++j) {
            double sum = i == j;
            for (int k = 0; k < SIX; ++k) {
                sum += w[SIX * i + k] * s[SIX * k + j];
            }
            a[i][j] = sum;
            b[i][j] = w[SIX * i + j];
        }
    }
    eliminate(a, b);
    for (int i = 0; i < SIX; ++i) {
        for (int j = 0; j < SIX; ++j) {
            p[SIX * i + j] = 0.5 * (b[i][j] + b[j][i]);
        }
    }
}

/* ---- joints ---- */

static int32_t root_of(int32_t *link, int32_t body)
{
    while (link[body] != body) {
        link[body] = link[link[body]];
        body = link[body];
    }
    return body;
}

static int32_t row_root(const mo_body_solve *s, const mo_body_row *row)
{
    return root_of(s->link, row->body[row->body[0] < 0]);
}

/* Sorts rows by group, in their order, and drops those of large groups. */
static mote_status group_rows(mo_body_solve *s, mote_error *error)
{
    int64_t kept = 0, size = 0;
    s->group_count = s->unsolved_rows = 0;
    for (int64_t k = 0; k < s->count; ++k) {
        s->link[k] = (int32_t)k;
    }
    for (int64_t k = 0; k < s->row_count; ++k) {
        const int32_t *b = s->rows[k].body;
        if (b[0] >= 0 && b[1] >= 0) {
            int32_t i = root_of(s->link, b[0]), j = root_of(s->link, b[1]);
            s->link[i > j ? i : j] = i < j ? i : j;
        }
    }
    MO_TRY(mo_reserve(s->memory, &s->group_of, &s->group_of_capacity, s->row_count,
                      sizeof *s->group_of, error));
    MO_TRY(mo_reserve(s->memory, &s->groups, &s->group_capacity, s->row_count, sizeof *s->groups,
                      error));
    /* the rows of a group follow each other; insertion keeps their order */
    for (int64_t k = 1; k < s->row_count; ++k) {
        mo_body_row row = s->rows[k];
        int32_t root = row_root(s, &row);
        int64_t at = k;
        for (; at > 0 && row_root(s, &s->rows[at - 1]) > root; --at) {
            s->rows[at] = s->rows[at - 1];
        }
        s->rows[at] = row;
    }
    for (int64_t k = 0, end; k < s->row_count; k = end) {
        int32_t root = row_root(s, &s->rows[k]);
        for (end = k + 1; end < s->row_count && row_root(s, &s->rows[end]) == root; ++end) {
        }
        if (end - k > MO_BODY_ROWS_MAX) {
            s->unsolved_rows += end - k;
            continue;
        }
        memmove(s->rows + kept, s->rows + k, (size_t)(end - k) * sizeof *s->rows);
        s->groups[s->group_count++] =
            (mo_body_group){.first = kept, .count = end - k, .matrix = size, .changed = true};
        size += (end - k) * (end - k);
        kept += end - k;
    }
    s->row_count = kept;
    MO_TRY(mo_reserve(s->memory, &s->free_factor, &s->free_factor_capacity, size, sizeof(double),
                      error));
    MO_TRY(mo_reserve(s->memory, &s->loaded_factor, &s->loaded_factor_capacity, size,
                      sizeof(double), error));
    return mo_reserve(s->memory, &s->multiplier, &s->multiplier_capacity, kept, sizeof(double),
                      error);
}

/* G_i P G_j^T */
static double row_product(const double *inverse, const mo_body_row *i, const mo_body_row *j)
{
    double sum = 0;
    for (int a = 0; a < 2; ++a) {
        for (int b = 0; b < 2; ++b) {
            if (i->body[a] >= 0 && i->body[a] == j->body[b]) {
                double x[SIX], y[SIX], left[SIX];
                store_wrench(j->J[b], x);
                store_wrench(i->J[a], left);
                multiply(inverse + MO_INERTIA * (int64_t)i->body[a], x, y);
                sum += dot(left, y);
            }
        }
    }
    return sum;
}

/* The Cholesky factor of G P G^T; redundant equations have no multiplier. */
static void factor_group(const mo_body_solve *s, const mo_body_group *g, const double *inverse,
                         double *factor)
{
    double *l = factor + g->matrix;
    int64_t n = g->count;
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j <= i; ++j) {
            double sum = row_product(inverse, &s->rows[g->first + i], &s->rows[g->first + j]);
            double whole = sum;
            for (int64_t k = 0; k < j; ++k) {
                sum -= l[i * n + k] * l[j * n + k];
            }
            if (i == j) {
                l[i * n + i] = sum > REDUNDANT * whole ? sqrt(sum) : INFINITY;
            } else {
                l[i * n + j] = sum / l[j * n + j];
            }
        }
    }
}

/* x -= P G^T (G P G^T)^-1 G x */
static void constrain_group(const mo_body_solve *s, const mo_body_group *g, const double *inverse,
                            const double *factor, double *x)
{
    const double *l = factor + g->matrix;
    double *mu = s->multiplier + g->first;
    int64_t n = g->count;
    for (int64_t i = 0; i < n; ++i) {
        const mo_body_row *row = &s->rows[g->first + i];
        mu[i] = 0;
        for (int a = 0; a < 2; ++a) {
            double J[SIX];
            store_wrench(row->J[a], J);
            mu[i] += row->body[a] >= 0 ? dot(J, x + SIX * (int64_t)row->body[a]) : 0;
        }
        for (int64_t k = 0; k < i; ++k) {
            mu[i] -= l[i * n + k] * mu[k];
        }
        mu[i] /= l[i * n + i];
    }
    for (int64_t i = n - 1; i >= 0; --i) {
        for (int64_t k = i + 1; k < n; ++k) {
            mu[i] -= l[k * n + i] * mu[k];
        }
        mu[i] /= l[i * n + i];
    }
    for (int64_t i = 0; i < n; ++i) {
        const mo_body_row *row = &s->rows[g->first + i];
        for (int a = 0; a < 2; ++a) {
            double J[SIX], y[SIX];
            if (row->body[a] >= 0) {
                store_wrench(row->J[a], J);
                multiply(inverse + MO_INERTIA * (int64_t)row->body[a], J, y);
                for (int c = 0; c < SIX; ++c) {
                    x[SIX * (int64_t)row->body[a] + c] -= mu[i] * y[c];
                }
            }
        }
    }
}

/* x = P b with the joints. */
static void apply(const mo_body_solve *s, const double *inverse, const double *factor,
                  const double *b, double *x)
{
    for (int64_t k = 0; k < s->count; ++k) {
        multiply(inverse + MO_INERTIA * k, b + SIX * k, x + SIX * k);
    }
    for (int64_t g = 0; g < s->group_count; ++g) {
        constrain_group(s, &s->groups[g], inverse, factor, x);
    }
}

/* ---- a step ---- */

mote_status mo_body_solve_reserve_rows(mo_body_solve *s, int64_t rows, mote_error *error)
{
    return mo_reserve(s->memory, &s->rows, &s->row_capacity, rows, sizeof *s->rows, error);
}

mote_status mo_body_solve_begin(mo_body_solve *s, int64_t count, const mo_free_body *bodies,
                                int64_t rows, mote_error *error)
{
    s->count = count;
    s->bodies = bodies;
    s->row_count = rows;
    MO_TRY(mo_reserve(s->memory, &s->free, &s->free_capacity, MO_INERTIA * count, sizeof(double),
                      error));
    MO_TRY(mo_reserve(s->memory, &s->loaded, &s->loaded_capacity, MO_INERTIA * count,
                      sizeof(double), error));
    MO_TRY(mo_reserve(s->memory, &s->vector, &s->vector_capacity, VECTORS * SIX * count,
                      sizeof(double), error));
    MO_TRY(mo_reserve(s->memory, &s->link, &s->link_capacity, count, sizeof *s->link, error));
    for (int64_t k = 0; k < count; ++k) {
        write_free(&bodies[k], s->free + MO_INERTIA * k);
    }
    MO_TRY(group_rows(s, error));
    for (int64_t g = 0; g < s->group_count; ++g) {
        factor_group(s, &s->groups[g], s->free, s->free_factor);
    }
    return MOTE_OK;
}

/* P and its groups where the added inertia has changed. */
static void update_loaded(mo_body_solve *s, const mo_added_inertia *added)
{
    for (int64_t k = 0; k < s->count; ++k) {
        if (added->changed[k]) {
            load(s->free + MO_INERTIA * k, added->block + MO_INERTIA * k,
                 s->loaded + MO_INERTIA * k);
        }
    }
    for (int64_t g = 0; g < s->group_count; ++g) {
        mo_body_group *group = &s->groups[g];
        for (int64_t k = group->first; k < group->first + group->count; ++k) {
            for (int a = 0; a < 2; ++a) {
                int32_t body = s->rows[k].body[a];
                group->changed = group->changed || (body >= 0 && added->changed[body]);
            }
        }
        if (group->changed) {
            factor_group(s, group, s->loaded, s->loaded_factor);
            group->changed = false;
        }
    }
}

/* ---- pairs of bodies ---- */

/* y += S x of the pairs */
static void add_pairs(const mo_added_inertia *added, const double *x, double *y)
{
    for (int64_t k = 0; k < added->pair_count; ++k) {
        int64_t a = added->pair[2 * k], b = added->pair[2 * k + 1];
        const double *block = added->pair_block + MO_INERTIA * k;
        for (int i = 0; i < SIX; ++i) {
            for (int j = 0; j < SIX; ++j) {
                y[SIX * a + i] += block[SIX * i + j] * x[SIX * b + j];
                y[SIX * b + j] += block[SIX * i + j] * x[SIX * a + i];
            }
        }
    }
}

static double product(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t k = 0; k < count; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* From q = P b on, whose residual is -S q of the pairs. P^-1 p follows from p = z + beta p and
 * P^-1 z = r, up to multiples of G^T, which are orthogonal to all p. */
static void iterate(mo_body_solve *s, const mo_added_inertia *added, double size)
{
    int64_t n = SIX * s->count;
    double *q = s->vector + Q * n, *r = s->vector + R * n, *z = s->vector + Z * n,
           *p = s->vector + P * n, *ip = s->vector + IP * n, *kp = s->vector + KP * n;
    memset(r, 0, (size_t)n * sizeof *r);
    add_pairs(added, q, r);
    for (int64_t k = 0; k < n; ++k) {
        r[k] = -r[k];
    }
    apply(s, s->loaded, s->loaded_factor, r, z);
    memcpy(p, z, (size_t)n * sizeof *p);
    memcpy(ip, r, (size_t)n * sizeof *ip);
    double rz = product(n, r, z);
    s->iterations = 0;
    while (rz > TOLERANCE * TOLERANCE * size && s->iterations < ITERATIONS) {
        memcpy(kp, ip, (size_t)n * sizeof *kp);
        add_pairs(added, p, kp);
        double curvature = product(n, p, kp), alpha = rz / curvature;
        if (!(curvature > 0)) {
            break;
        }
        for (int64_t k = 0; k < n; ++k) {
            q[k] += alpha * p[k];
            r[k] -= alpha * kp[k];
        }
        apply(s, s->loaded, s->loaded_factor, r, z);
        double next = product(n, r, z), beta = next / rz;
        for (int64_t k = 0; k < n; ++k) {
            p[k] = z[k] + beta * p[k];
            ip[k] = r[k] + beta * ip[k];
        }
        rz = next;
        s->iterations++;
    }
}

void mo_body_solve_respond(mo_body_solve *s, const mo_added_inertia *added, const mo_wrench *wrench,
                           mo_twist *a)
{
    int64_t n = SIX * s->count;
    double *q = s->vector + Q * n, *b = s->vector + KP * n;
    for (int64_t k = 0; k < s->count; ++k) {
        store_wrench(wrench[k], b + SIX * k);
    }
    if (added) {
        update_loaded(s, added);
        apply(s, s->loaded, s->loaded_factor, b, q);
        if (added->pair_count > 0) {
            iterate(s, added, product(n, b, q));
        }
    } else {
        apply(s, s->free, s->free_factor, b, q);
    }
    for (int64_t k = 0; k < s->count; ++k) {
        a[k] = (mo_twist){mo_vec3_load(q + SIX * k), mo_vec3_load(q + SIX * k + 3)};
    }
}
