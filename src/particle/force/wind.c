/*
 * Wind on the surface triangles of bodies, by area, normal and relative velocity. With u = velocity
 * of the air less that of the triangle, n its normal turned so that w = n . u >= 0, u_t = u - w n,
 * the law `flat_plate` is
 *     f = rho/2 A {[c_l |u| w + (c_d - c_l) w^2] n + c_f |u| u_t}:
 * pressure along the normal, c_d w^2 across the wind and of slope c_l at small incidence, beside
 * skin friction (the form of G. I. Taylor 1952, Proc. R. Soc. A 214, 158, eq. 3, for rough
 * cylinders; coefficients of plates in S. F. Hoerner 1965, Fluid-dynamic drag). `keckeisen2004` is
 *     f_drag = rho/2 c_d A w u,     f_lift = rho/2 c_l A w (|u| n - w u/|u|)
 * of M. Keckeisen, S. Kimmerle, B. Thomaszewski, M. Wacker 2004, Modelling effects of wind fields
 * in cloth animations, WSCG 12. Each node receives a third. Both sides of open sheets are exposed
 * to the wind, of closed surfaces only the outside; bodies do not shield each other.
 *
 * A sheet flutters where its waves are slower than the wind: the pressure of a deflection y is -c
 * (y_t + |u| y_x), which makes such waves grow (G. B. Whitham 1974, Linear and nonlinear waves,
 * section 10.1). No Jacobian: implicit schemes take the force at the last iterate.
 */
#include "integrate/force_scope.h"
#include "particle/force/air.h"
#include "particle/force/field.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 1024 };

typedef struct wind_params {
    mo_force_scope scope;
    mo_air air;
    double density, drag, lift, friction;
    const char *law;
} wind_params;

/* Triangles and, by row, the triangles at it: at[row] to at[row + 1] in `of_row`. */
typedef struct face_table {
    int64_t count, rows;
    int32_t *corners;
    uint8_t *closed;
    int64_t *at;
    int32_t *of_row;
} face_table;

typedef struct wind {
    mo_memory *memory;
    const wind_params *params;
    face_table faces, next; /* next: while rows are removed */
    double *force;          /* three components per triangle: a third of its force */
    double *rate;           /* per triangle: a bound of |df/dv| of a corner */
} wind;

static const mo_param PARAMS[] = {
    MO_AIR_PARAMS(wind_params),
    {"density", MO_REAL, MO_FIELD(wind_params, density), .unit = "kg/m^3", .initial = "1.2",
     .range = "(0, inf)", .doc = "Density of the air."},
    {"drag", MO_REAL, MO_FIELD(wind_params, drag), .initial = "1.2", .range = "[0, inf)",
     .doc = "Drag coefficient of a triangle across the wind."},
    {"lift", MO_REAL, MO_FIELD(wind_params, lift), .initial = "2.5", .range = "[0, inf)",
     .doc = "Lift coefficient: slope of the normal force over the angle of incidence."},
    {"friction", MO_REAL, MO_FIELD(wind_params, friction), .initial = "0.02", .range = "[0, inf)",
     .doc = "Skin friction coefficient, of both sides together."},
    {"law", MO_STRING, MO_FIELD(wind_params, law), .initial = "\"flat_plate\"",
     .choices = "flat_plate|keckeisen2004",
     .doc = "Pressure along the normal of each triangle, or drag along the wind by its projected "
            "area and lift across it as Keckeisen et al. have them."},
    MO_FORCE_SCOPE_PARAM(wind_params),
    {0}};

static mote_status wind_check(const void *params, mote_error *error)
{
    return mo_air_check(&((const wind_params *)params)->air, error);
}

static mote_status wind_prepare_params(void *params, mo_arena *arena, mote_error *error)
{
    return mo_air_prepare(&((wind_params *)params)->air, arena, error);
}

/* ---- triangles by row ---- */

static void release_faces(face_table *t, mo_memory *memory)
{
    mo_release(memory, t->corners);
    mo_release(memory, t->closed);
    mo_release(memory, t->at);
    mo_release(memory, t->of_row);
    *t = (face_table){0};
}

static mote_status allocate_faces(face_table *t, int64_t count, int64_t rows, mo_memory *memory,
                                  mote_error *error)
{
    void *block;
    *t = (face_table){.count = count, .rows = rows};
    MO_TRY(mo_allocate_array(memory, 3 * count, sizeof *t->corners, &block, error));
    t->corners = block;
    MO_TRY(mo_allocate_array(memory, count, sizeof *t->closed, &block, error));
    t->closed = block;
    MO_TRY(mo_allocate_array(memory, rows + 1, sizeof *t->at, &block, error));
    t->at = block;
    MO_TRY(mo_allocate_array(memory, 3 * count, sizeof *t->of_row, &block, error));
    t->of_row = block;
    return MOTE_OK;
}

/* Sorts the triangles, whose corners are set, by row. */
static void index_faces(face_table *t)
{
    memset(t->at, 0, (size_t)(t->rows + 1) * sizeof *t->at);
    for (int64_t k = 0; k < 3 * t->count; ++k) {
        t->at[t->corners[k] + 1]++;
    }
    for (int64_t row = 0; row < t->rows; ++row) {
        t->at[row + 1] += t->at[row];
    }
    for (int64_t k = 3 * t->count - 1; k >= 0; --k) { /* backwards: each list ascends */
        t->of_row[--t->at[t->corners[k] + 1]] = (int32_t)(k / 3);
    }
    memmove(t->at, t->at + 1, (size_t)t->rows * sizeof *t->at);
    t->at[t->rows] = 3 * t->count;
}

/* The triangles without removed corners, by their new rows. map NULL: all unchanged. */
static mote_status make_faces(const mo_force_faces *from, const int64_t *map, int64_t rows,
                              mo_memory *memory, face_table *t, mote_error *error)
{
    mote_status status = allocate_faces(t, from->count, rows, memory, error);
    if (status != MOTE_OK) {
        release_faces(t, memory);
        return status;
    }
    t->count = 0;
    for (int64_t k = 0; k < from->count; ++k) {
        int64_t row[3];
        for (int c = 0; c < 3; ++c) {
            int64_t old = from->rows[3 * k + c];
            row[c] = map ? map[old] : old;
        }
        if (row[0] >= 0 && row[1] >= 0 && row[2] >= 0) {
            for (int c = 0; c < 3; ++c) {
                t->corners[3 * t->count + c] = (int32_t)row[c];
            }
            t->closed[t->count++] = from->closed[k];
        }
    }
    index_faces(t);
    return MOTE_OK;
}

static mote_status wind_remap(void *instance, const int64_t *map, int64_t rows, mote_error *error)
{
    wind *w = instance;
    mo_force_faces faces = {w->faces.count, w->faces.corners, w->faces.closed};
    return make_faces(&faces, map, rows, w->memory, &w->next, error);
}

static void wind_settle(void *instance, const int64_t *map)
{
    wind *w = instance;
    if (map) {
        release_faces(&w->faces, w->memory);
        w->faces = w->next;
        w->next = (face_table){0};
    }
    release_faces(&w->next, w->memory);
}

/* ---- the force ---- */

static void wind_destroy(void *instance, mo_memory *memory)
{
    wind *w = instance;
    release_faces(&w->faces, memory);
    release_faces(&w->next, memory);
    mo_release(memory, w->force);
    mo_release(memory, w->rate);
    mo_release(memory, w);
}

static mote_status open_wind(wind *w, const mo_force_context *context, mote_error *error)
{
    void *block;
    const mo_force_faces *faces = &context->faces;
    int64_t rows = context->store ? mo_store_owned(context->store) : 0;
    MO_TRY(make_faces(faces, NULL, rows, w->memory, &w->faces, error));
    MO_TRY(mo_allocate_array(w->memory, 3 * faces->count, sizeof *w->force, &block, error));
    w->force = block;
    MO_TRY(mo_allocate_array(w->memory, faces->count, sizeof *w->rate, &block, error));
    w->rate = block;
    return MOTE_OK;
}

static mote_status wind_create(const void *params, const mo_force_context *context, mo_force *force,
                               mote_error *error)
{
    if (context->faces.count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "wind acts on the surface triangles of bodies, and no body has any; for "
                       "particles use the force drag with its wind");
    }
    wind *w = mo_allocate(context->memory, sizeof *w);
    if (!w) {
        return mo_fail_memory(error, sizeof *w);
    }
    w->memory = context->memory;
    w->params = params;
    mote_status status = open_wind(w, context, error);
    if (status != MOTE_OK) {
        wind_destroy(w, context->memory);
        return status;
    }
    force->instance = w;
    force->open = true;
    return MOTE_OK;
}

/* The force relative to rho/2 A. */
static mo_vec3 law_of(const wind_params *p, mo_vec3 u, mo_vec3 n, double size, double w)
{
    if (p->law[0] == 'f') {
        mo_vec3 pressure = mo_scale(w * (p->lift * (size - w) + p->drag * w), n);
        return mo_add_scaled(pressure, p->friction * size, mo_add_scaled(u, -w, n));
    }
    mo_vec3 lift = mo_add_scaled(mo_scale(p->lift * size, n), -p->lift * w / size, u);
    return mo_scale(w, mo_add_scaled(lift, p->drag, u));
}

/* A third of the force on a triangle; *rate is rho/2 A |u|/3 of it. */
static mo_vec3 force_on_corner(const wind_params *p, const double *x[3], const double *v[3],
                               bool closed, double time, double *rate)
{
    mo_vec3 o = mo_vec3_load(x[0]), center = o, speed = mo_vec3_load(v[0]);
    for (int c = 1; c < 3; ++c) {
        center = mo_add(center, mo_vec3_load(x[c]));
        speed = mo_add(speed, mo_vec3_load(v[c]));
    }
    mo_vec3 normal = mo_cross(mo_sub(mo_vec3_load(x[1]), o), mo_sub(mo_vec3_load(x[2]), o));
    double twice = mo_length(normal);
    mo_vec3 air = mo_air_velocity(&p->air, mo_scale(1.0 / 3, center), time);
    mo_vec3 u = mo_add_scaled(air, -1.0 / 3, speed), none = {0, 0, 0};
    double size = mo_length(u), across = twice > 0 ? mo_dot(normal, u) / twice : 0;
    *rate = p->density / 12 * twice * size;
    if (size == 0 || (closed && across > 0)) { /* on the lee side */
        return none;
    }
    mo_vec3 n = mo_scale(across < 0 ? -1 / twice : twice > 0 ? 1 / twice : 0, normal);
    double factor = p->density / 12 * twice;
    return mo_scale(factor, law_of(p, u, n, size, fabs(across)));
}

typedef struct evaluation {
    wind *w;
    const mo_force_args *args;
} evaluation;

static void wind_faces(void *context, int64_t first, int64_t last)
{
    const evaluation *e = context;
    const face_table *t = &e->w->faces;
    for (int64_t k = first; k < last; ++k) {
        const double *x[3], *v[3];
        for (int c = 0; c < 3; ++c) {
            x[c] = e->args->x + 3 * (int64_t)t->corners[3 * k + c];
            v[c] = e->args->v + 3 * (int64_t)t->corners[3 * k + c];
        }
        mo_vec3 f =
            force_on_corner(e->w->params, x, v, t->closed[k], e->args->time, &e->w->rate[k]);
        mo_vec3_store(e->w->force + 3 * k, f);
    }
}

/* Evaluates the forces of triangles once, then gathers them by row in the order of the list. */
static mote_status wind_prepare(void *instance, const mo_force_args *args, mo_pool *pool,
                                mote_error *error)
{
    evaluation e = {instance, args};
    (void)error;
    mo_parallel_for(pool, e.w->faces.count, GRAIN, wind_faces, &e);
    return MOTE_OK;
}

static void wind_add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const wind *w = instance;
    last = last < w->faces.rows ? last : w->faces.rows; /* rows added later have no triangles */
    for (int64_t row = first; row < last; ++row) {
        for (int64_t k = w->faces.at[row]; k < w->faces.at[row + 1]; ++k) {
            const double *f = w->force + 3 * (int64_t)w->faces.of_row[k];
            for (int c = 0; c < 3; ++c) {
                args->f[3 * row + c] += f[c];
            }
        }
    }
}

/* |df/du| <= rho/2 A |u| (2.5 c_d + 4 c_l + 2 c_f) for both laws, and sqrt(3) for sums of rows. */
static void wind_damping(const void *instance, const mo_force_args *args, int64_t first,
                         int64_t last, double *bound)
{
    const wind *w = instance;
    const wind_params *p = w->params;
    double factor = 1.7320508075688772 * (2.5 * p->drag + 4 * p->lift + 2 * p->friction);
    (void)args;
    last = last < w->faces.rows ? last : w->faces.rows;
    for (int64_t row = first; row < last; ++row) {
        for (int64_t k = w->faces.at[row]; k < w->faces.at[row + 1]; ++k) {
            for (int c = 0; c < 3; ++c) {
                bound[3 * row + c] += factor * w->rate[w->faces.of_row[k]];
            }
        }
    }
}

const mo_force_type mo_field_wind = {
    .base = {.name = "wind",
             .summary = "Drag and lift of moving air on the surfaces of bodies, with gusts and "
                        "turbulence.",
             .citation = "G. I. Taylor 1952, Proc. R. Soc. A 214, 158; M. Keckeisen, S. Kimmerle, "
                         "B. Thomaszewski, M. Wacker 2004, Modelling effects of wind fields in "
                         "cloth animations, WSCG 12",
             .capabilities = MO_FORCE_SCOPED,
             .param_size = sizeof(wind_params),
             .params = PARAMS,
             .check = wind_check,
             .prepare = wind_prepare_params},
    .create = wind_create,
    .destroy = wind_destroy,
    .prepare = wind_prepare,
    .add = wind_add,
    .damping = wind_damping,
    .remap = wind_remap,
    .settle = wind_settle,
};
