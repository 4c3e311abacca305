#include "system/fluid/emitters.h"

#include "geometry/shape/shape.h"
#include "math/portable.h"
#include "neighbor/search/lists.h"

#include <math.h>

/* ---- the layout of a nozzle ---- */

typedef struct frame {
    mo_vec3 along, across, up;
} frame;

/* Horizontal if possible; in two dimensions in the plane. */
static mo_vec3 default_across(mo_vec3 along, int dimension)
{
    mo_vec3 z = mo_vec3_make(0, 0, 1), across = mo_cross(along, z);
    if (dimension == 2 || mo_length(across) > 1e-6) {
        return across;
    }
    return mo_vec3_make(1, 0, 0);
}

static frame frame_of(const mo_emitter_def *e, int dimension)
{
    mo_vec3 along = mo_scale(1 / mo_length(e->direction), e->direction);
    mo_vec3 across = isnan(e->across.x) ? default_across(along, dimension) : e->across;
    across = mo_add_scaled(across, -mo_dot(across, along), along);
    across = mo_scale(1 / mo_length(across), across);
    return (frame){along, across, mo_cross(along, across)};
}

/* The rectangle, about the center, that contains the cross section of a region. */
static void sides_of_region(const mo_emitter_def *e, int dimension, double *width, double *height)
{
    frame f = frame_of(e, dimension);
    mo_vec3 low, high;
    *width = *height = 0;
    mo_shape_bounds(e->region, &low, &high); /* bounded, as verified by the definition's check */
    for (int corner = 0; corner < 8; ++corner) {
        mo_vec3 p = {corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y,
                     corner & 4 ? high.z : low.z};
        mo_vec3 d = mo_sub(p, e->center);
        *width = fmax(*width, 2 * fabs(mo_dot(d, f.across)));
        *height = fmax(*height, 2 * fabs(mo_dot(d, f.up)));
    }
}

/* The sides of the rectangle that contains the opening. */
static void sides_of(const mo_emitter_def *e, int dimension, double *width, double *height)
{
    if (e->region.type) {
        sides_of_region(e, dimension, width, height);
        return;
    }
    bool disc = mo_emitter_is_disc(e);
    *width = disc ? 2 * e->radius : e->width;
    *height = disc || isnan(e->height) ? *width : e->height;
}

/* Lattice points along a side, at least one; an integer of any size. */
static double points_along(double length, double spacing)
{
    return fmax(1, floor(length / spacing + 0.5));
}

double mo_emitter_opening(const mo_emitter_def *e, int dimension)
{
    bool disc = mo_emitter_is_disc(e);
    double width = disc ? 2 * e->radius : e->width, height = isnan(e->height) ? width : e->height;
    double circle = 3.14159265358979 * e->radius * e->radius;
    return dimension == 2 ? width : disc ? circle : width * height;
}

/* Lattice points cover an opening by whole cells, `coverage` times its area. Their distances across
 * and between layers are changed so that both the area and the volume of a layer are those of the
 * opening; beyond MO_EMITTER_FAIR they are not, which is reported. */
static double coverage_of(const mo_emitter_def *e, int dimension, double spacing, int64_t count)
{
    double cells = (double)count * mo_power(spacing, dimension - 1);
    double coverage = e->region.type ? 1 : cells / mo_emitter_opening(e, dimension);
    bool fair = coverage < MO_EMITTER_FAIR && coverage > 1 / MO_EMITTER_FAIR;
    return fair && fabs(coverage - 1) > 1e-9 ? coverage : 1;
}

/* The factors of distances across and along the opening. */
static void stretch_of(const mo_emitter_def *e, int dimension, double spacing, double coverage,
                       double stretch[2])
{
    double width, height;
    sides_of(e, dimension, &width, &height);
    bool rectangle = !mo_emitter_is_disc(e) && dimension == 3 && coverage != 1;
    stretch[0] = dimension == 2 ? 1 / coverage : sqrt(1 / coverage);
    stretch[1] = stretch[0];
    if (rectangle) {
        stretch[0] = width / (points_along(width, spacing) * spacing);
        stretch[1] = height / (points_along(height, spacing) * spacing);
    }
}

/* Writes the points unless NULL; returns their number. */
static int64_t lay_points(const mo_emitter_def *e, int dimension, double spacing,
                          const double stretch[2], double *out)
{
    frame f = frame_of(e, dimension);
    bool disc = mo_emitter_is_disc(e);
    double width, height;
    sides_of(e, dimension, &width, &height);
    int64_t nu = (int64_t)points_along(width, spacing), count = 0;
    int64_t nv = dimension == 2 ? 1 : (int64_t)points_along(height, spacing);
    for (int64_t i = 0; i < nu; ++i) {
        for (int64_t j = 0; j < nv; ++j) {
            double u = ((double)i - 0.5 * (double)(nu - 1)) * spacing,
                   v = ((double)j - 0.5 * (double)(nv - 1)) * spacing;
            mo_vec3 p = mo_add_scaled(mo_add_scaled(e->center, u * stretch[0], f.across),
                                      v * stretch[1], f.up);
            bool outside = e->region.type ? !mo_shape_contains(e->region, p)
                                          : disc && nu > 1 && u * u + v * v > e->radius * e->radius;
            if (outside) {
                continue;
            }
            if (out) {
                mo_vec3_store(out + 3 * count, p);
            }
            count++;
        }
    }
    return count;
}

enum { POINTS_MAX = 1000000, LAYERS_A_STEP = 1000 };
#define FASTEST 1e6 /* m/s */

/* Limits of memory and time before the first step. */
static mote_status check_nozzle(const mo_emitter_def *e, const mo_fluid_def *def, mote_error *error)
{
    double width, height;
    sides_of(e, (int)def->dimension, &width, &height);
    double points = points_along(width, def->spacing) *
                    (def->dimension == 2 ? 1 : points_along(height, def->spacing));
    if (points > POINTS_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       ": an opening of about %.3g particles is too large; allowed: up to %d",
                       points, POINTS_MAX);
    }
    return MOTE_OK;
}

static mote_status lay_opening(mo_nozzle *n, const mo_fluid_def *def, mo_memory *memory,
                               mote_error *error)
{
    static const double NONE[2] = {1, 1};
    int dimension = (int)def->dimension;
    double stretch[2];
    void *points;
    MO_TRY(check_nozzle(n->def, def, error));
    n->direction = frame_of(n->def, dimension).along;
    n->count = lay_points(n->def, dimension, def->spacing, NONE, NULL);
    if (n->count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       ".region: no particle of the fluid's spacing fits into its cross section "
                       "with the plane through center; move center into it, or refine the spacing");
    }
    MO_TRY(mo_allocate_array(memory, n->count, 3 * sizeof(double), &points, error));
    n->points = points;
    n->coverage = coverage_of(n->def, dimension, def->spacing, n->count);
    stretch_of(n->def, dimension, def->spacing, n->coverage, stretch);
    lay_points(n->def, dimension, def->spacing, stretch, n->points);
    n->area = (double)n->count * mo_power(def->spacing, dimension - 1) * def->mass_scale;
    n->area /= n->coverage;
    return MOTE_OK;
}

/* A layer has the volume count spacing^d mass_scale; of an opening it is a spacing thick, times the
 * coverage. */
static double period_of(const mo_nozzle *n, const mo_fluid_def *def)
{
    double layer = (double)n->count * mo_power(def->spacing, (int)def->dimension) * def->mass_scale;
    return n->directions ? layer / (n->speed * n->area) : n->coverage * def->spacing / n->speed;
}

static mote_status make_nozzle(mo_emitters *m, const mo_fluid_def *def,
                               const mo_colliders *colliders, const mo_emitter_def *e, mo_nozzle *n,
                               mote_error *error)
{
    void *layer;
    *n = (mo_nozzle){.def = e, .phase = mo_fluid_def_phase(def, e->phase)};
    MO_TRY(mo_emitter_has_surface(e) ? mo_nozzle_sample_surface(n, def, colliders, m->memory, error)
                                     : lay_opening(n, def, m->memory, error));
    MO_TRY(mo_allocate_array(m->memory, n->count, 6 * sizeof(double), &layer, error));
    n->x = layer;
    n->v = n->x + 3 * n->count;
    n->speed = isnan(e->speed) ? e->flow_rate / n->area : e->speed;
    n->period = period_of(n, def);
    if (!(n->speed <= FASTEST)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       ".%s: the fluid would leave at %.3g m/s; allowed: up to %g m/s",
                       isnan(e->speed) ? "flow_rate" : "speed", n->speed, FASTEST);
    }
    return MOTE_OK;
}

mote_status mo_emitters_create(mo_emitters *m, const mo_fluid_def *def,
                               const mo_colliders *colliders, mo_store *store, mo_memory *memory,
                               mote_error *error)
{
    static const mo_column_spec NOZZLE = {
        "nozzle", MOTE_I32, 1,
        MO_STATE, "1",      "index of the emitter that prescribes its motion, from 1; 0: free"};
    void *nozzles;
    *m = (mo_emitters){.memory = memory,
                       .spacing = def->spacing,
                       .prescribed_length = def->spacing * def->support};
    m->most = def->max_particles == MO_ABSENT_INT ? 0 : def->max_particles;
    if (def->emitters.count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_store_declare(store, &NOZZLE, &m->nozzle, error));
    MO_TRY(mo_allocate_array(memory, def->emitters.count, sizeof(mo_nozzle), &nozzles, error));
    m->nozzles = nozzles;
    int64_t led = 0;
    for (int k = 0; k < def->emitters.count; ++k) {
        mo_nozzle *n = &m->nozzles[k];
        m->count = k + 1;
        mote_status status = make_nozzle(m, def, colliders,
                                         (const mo_emitter_def *)def->emitters.items + k, n, error);
        MO_TRY(mo_at_path(status, error, "fluid.emitters[%lld]", k));
        led += n->count * ((int64_t)ceil(m->prescribed_length / (n->speed * n->period)) + 2);
    }
    int64_t capacity = 0;
    MO_TRY(mo_reserve(memory, &m->rows, &m->prescribed_capacity, led, sizeof *m->rows, error));
    return mo_reserve(memory, &m->began, &capacity, 6 * m->prescribed_capacity, sizeof *m->began,
                      error);
}

void mo_emitters_release(mo_emitters *m)
{
    for (int k = 0; k < m->count; ++k) {
        mo_release(m->memory, m->nozzles[k].points);
        mo_release(m->memory, m->nozzles[k].directions);
        mo_release(m->memory, m->nozzles[k].x);
    }
    if (m->memory) {
        mo_release(m->memory, m->nozzles);
        mo_release(m->memory, m->rows);
        mo_release(m->memory, m->began);
    }
}

/* ---- when layers leave ---- */

static const int64_t MOST_LAYERS = INT64_C(1) << 52;

static double time_of(const mo_nozzle *n, int64_t layer)
{
    return n->def->start + (double)layer * n->period;
}

/* The first layer emitted after `time`; at most MOST_LAYERS, the range of exact integers. */
static int64_t first_after(const mo_nozzle *n, double time)
{
    double layers = time < n->def->start ? 0 : floor((time - n->def->start) / n->period);
    if (!(layers < MOST_LAYERS)) {
        return MOST_LAYERS;
    }
    int64_t layer = (int64_t)layers;
    while (layer > 0 && time_of(n, layer - 1) > time) {
        layer--;
    }
    while (time_of(n, layer) <= time) {
        layer++;
    }
    return layer;
}

/* Layers up to `time`, none once it has closed. */
static int64_t layers_until(const mo_nozzle *n, double time)
{
    return first_after(n, isnan(n->def->stop) ? time : fmin(time, n->def->stop));
}

int64_t mo_emitters_count(const mo_emitters *m, double end)
{
    double count = 0;
    for (int k = 0; k < m->count; ++k) {
        count += (double)layers_until(&m->nozzles[k], end) * (double)m->nozzles[k].count;
    }
    return (int64_t)fmin(count, 2e9);
}

static void position_opening(mo_nozzle *n, double from, double to)
{
    mo_vec3 shift = mo_scale(n->speed * (to - from), n->direction),
            v = mo_scale(n->speed, n->direction);
    for (int64_t k = 0; k < n->count; ++k) {
        mo_vec3_store(n->x + 3 * k, mo_add(mo_vec3_load(n->points + 3 * k), shift));
        mo_vec3_store(n->v + 3 * k, v);
    }
}

void mo_nozzle_position_layer(mo_nozzle *n, double from, double to)
{
    if (n->directions) {
        mo_nozzle_position_surface(n, from, to);
    } else {
        position_opening(n, from, to);
    }
}

mote_status mo_emitters_emit(mo_emitters *m, double from, double to, int64_t rows,
                             mo_add_layer *add, void *context, mote_error *error)
{
    m->full = false;
    for (int k = 0; k < m->count; ++k) {
        mo_nozzle *n = &m->nozzles[k];
        int64_t end = layers_until(n, to), first = first_after(n, from);
        if (end - first > LAYERS_A_STEP) {
            return mo_fail(
                error, MOTE_ERROR_NUMERIC,
                "fluid.emitters[%d]: %lld layers would be emitted in the step to t = %g s, in "
                "which the fluid moves by as many spacings; allowed: up to %d; use smaller steps "
                "or a lower speed",
                k, (long long)(end - first), to, LAYERS_A_STEP);
        }
        for (int64_t layer = first; layer < end; ++layer) {
            if (m->most > 0 && rows + n->count > m->most) {
                m->full = true;
                break;
            }
            mo_nozzle_position_layer(n, time_of(n, layer), to);
            MO_TRY(add(context, k, error));
            rows += n->count;
        }
    }
    return MOTE_OK;
}

/* ---- particles with prescribed motion ---- */

mote_status mo_emitters_begin(mo_emitters *m, const mo_system *s, mote_error *error)
{
    m->prescribed = 0;
    if (m->count == 0) {
        return MOTE_OK;
    }
    const int32_t *nozzle = m->nozzle->data;
    const double *x = mo_f64(s->columns.x), *v = mo_f64(s->columns.v);
    for (int64_t row = 0; row < mo_store_owned(s->store); ++row) {
        if (nozzle[row] <= 0 || nozzle[row] > m->count) {
            continue;
        }
        if (m->prescribed == m->prescribed_capacity) {
            int64_t capacity = 6 * m->prescribed_capacity;
            MO_TRY(mo_reserve(m->memory, &m->rows, &m->prescribed_capacity, m->prescribed + 1,
                              sizeof *m->rows, error));
            MO_TRY(mo_reserve(m->memory, &m->began, &capacity, 6 * m->prescribed_capacity,
                              sizeof *m->began, error));
        }
        m->rows[m->prescribed] = row;
        memcpy(m->began + 6 * m->prescribed, x + 3 * row, 3 * sizeof *x);
        memcpy(m->began + 6 * m->prescribed + 3, v + 3 * row, 3 * sizeof *v);
        m->prescribed++;
    }
    return MOTE_OK;
}

/* Distance travelled from an opening, or from the surface. */
static double travelled(const mo_nozzle *n, mo_vec3 x, double time)
{
    return n->directions ? mo_nozzle_distance(n, x, time)
                         : mo_dot(mo_sub(x, n->def->center), n->direction);
}

void mo_emitters_lead(mo_emitters *m, mo_system *s, double end, double h)
{
    for (int64_t k = 0; k < m->prescribed; ++k) {
        int64_t row = m->rows[k];
        const double *began = m->began + 6 * k;
        int32_t *number = (int32_t *)m->nozzle->data + row;
        const mo_nozzle *n = &m->nozzles[*number - 1];
        mo_vec3 v = n->directions ? mo_vec3_load(began + 3) : mo_scale(n->speed, n->direction),
                x = mo_add_scaled(mo_vec3_load(began), h, v);
        mo_vec3_store(mo_f64(s->columns.x) + 3 * row, x);
        mo_vec3_store(mo_f64(s->columns.v) + 3 * row, v);
        if (travelled(n, x, end) > m->prescribed_length) {
            *number = 0;
        }
    }
}
