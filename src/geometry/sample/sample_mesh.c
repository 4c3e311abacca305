/*
 * Samples of a triangle mesh.
 *
 * First the features: corners, then creases and borders, evenly spaced from corner to corner. Then
 * the faces: the mesh is subdivided into small triangles (leaves); each leaf, in a scattered order,
 * becomes a sample if there is none within 0.8 spacings (a maximal Poisson-disk set). A few Lloyd
 * iterations (Lloyd 1982) move the face samples to the centroids of their leaves and back onto the
 * surface. Last, samples that are too close are removed and gaps are filled.
 *
 * Coverage is verified triangle by triangle: the distance to a sample is largest in a corner, so a
 * triangle whose corners are all within range of one sample is covered; otherwise it is bisected.
 */
#include "geometry/grid/point_grid.h"
#include "geometry/sample/sample_features.h"
#include "geometry/sample/sampling.h"
#include "geometry/trimesh/check.h"
#include "geometry/trimesh/distance.h"

#include <string.h>

enum { LEAF_GRAIN = 2048, SAMPLE_GRAIN = 512, PASSES = 8, LEAVES_MAX = 1 << 27 };

/* In spacings. */
static const double LEAF_SIDE = 0.5, SEED_APART = 0.8, CLEAN_APART = 0.62, COVER = 0.72,
                    SMALLEST = 0.04, CELL = 1.5;

typedef struct leaf {
    mo_vec3 x; /* centroid */
    double area;
} leaf;

typedef struct work {
    const mo_trimesh *mesh;
    mo_sample_projection project; /* NULL: onto the mesh */
    void *context;
    double spacing;
    mo_memory *memory;
    mo_pool *pool;
    mote_error *error;
    mo_arena arena;
    mo_trimesh_distance tree;
    mo_point_grid grid; /* the samples */
    int64_t fixed;      /* number of feature samples, which come first and are fixed */
    int64_t leaves, leaf_capacity;
    leaf *leaf;
    int32_t *owner;    /* of a leaf: the nearest sample */
    double *centroid;  /* per sample: its centroid and area */
    int64_t *triangle; /* the nearest, as a hint */
    int64_t centroid_capacity, triangle_capacity;
} work;

/* ---- leaves ---- */

typedef struct corners {
    mo_vec3 p[3];
} corners;

static corners corners_of(const mo_trimesh *mesh, int64_t triangle)
{
    corners c;
    for (int k = 0; k < 3; ++k) {
        c.p[k] = mo_vec3_load(mesh->x + 3 * (int64_t)mesh->corner[3 * triangle + k]);
    }
    return c;
}

static mo_vec3 middle_of(const corners *c)
{
    return mo_scale(1 / 3.0, mo_add(c->p[0], mo_add(c->p[1], c->p[2])));
}

static double area_of(const corners *c)
{
    return 0.5 * mo_length(mo_cross(mo_sub(c->p[1], c->p[0]), mo_sub(c->p[2], c->p[0])));
}

/* Cuts across the longest side, from k to k + 1; returns its length. */
static double halve(const corners *c, corners out[2])
{
    double longest = -1;
    int at = 0;
    for (int k = 0; k < 3; ++k) {
        double side = mo_length(mo_sub(c->p[(k + 1) % 3], c->p[k]));
        if (side > longest) {
            longest = side;
            at = k;
        }
    }
    mo_vec3 a = c->p[at], b = c->p[(at + 1) % 3], top = c->p[(at + 2) % 3],
            m = mo_scale(0.5, mo_add(a, b));
    out[0] = (corners){{a, m, top}};
    out[1] = (corners){{m, b, top}};
    return longest;
}

static mote_status add_leaves(work *w, const corners *c)
{
    corners half[2];
    if (halve(c, half) > LEAF_SIDE * w->spacing) {
        MO_TRY(add_leaves(w, &half[0]));
        return add_leaves(w, &half[1]);
    }
    MO_TRY(mo_grow(w->memory, (void **)&w->leaf, &w->leaf_capacity, w->leaves + 1, sizeof *w->leaf,
                   w->error));
    w->leaf[w->leaves++] = (leaf){middle_of(c), area_of(c)};
    return MOTE_OK;
}

/* Degenerate triangles are skipped. */
static bool is_flat(const work *w, int64_t triangle)
{
    mo_vec3 n = w->tree.normal[triangle][MO_NEAR_FACE];
    return mo_dot(n, n) == 0;
}

/* The area of leaves is at least an eighth of their squared side, except for slivers, whose
 * number grows with their length. */
static mote_status check_size(const work *w)
{
    double count = 0, side = LEAF_SIDE * w->spacing;
    for (int64_t t = 0; t < w->mesh->triangles; ++t) {
        corners c = corners_of(w->mesh, t), half[2];
        count += is_flat(w, t) ? 0 : 8 * area_of(&c) / (side * side) + 2 * halve(&c, half) / side;
    }
    if (count <= LEAVES_MAX) {
        return MOTE_OK;
    }
    return mo_fail(
        w->error, MOTE_ERROR_INPUT,
        "boundary: sampling the surface at a spacing of %g needs %.3g subdivided triangles; "
        "allowed: %d; use a larger spacing",
        w->spacing, count, LEAVES_MAX);
}

static mote_status make_leaves(work *w)
{
    void *owner;
    for (int64_t t = 0; t < w->mesh->triangles; ++t) {
        corners c = corners_of(w->mesh, t);
        MO_TRY(is_flat(w, t) ? MOTE_OK : add_leaves(w, &c));
    }
    MO_TRY(mo_allocate_array(w->memory, w->leaves, sizeof *w->owner, &owner, w->error));
    w->owner = owner;
    return MOTE_OK;
}

/* ---- seeds ---- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Visits leaves in steps of the golden ratio of their number: each once, without consecutive
 * neighbours. */
static mote_status seed_faces(work *w)
{
    int64_t step = (int64_t)(0.6180339887498949 * (double)w->leaves) + 1, at = 0;
    while (common_divisor(step, w->leaves) != 1) {
        ++step;
    }
    for (int64_t k = 0; k < w->leaves; ++k) {
        mo_vec3 x = w->leaf[at].x;
        if (mo_point_grid_nearest(&w->grid, x, SEED_APART * w->spacing, NULL) < 0) {
            MO_TRY(mo_point_grid_add(&w->grid, x, w->error));
        }
        at = (at + step) % w->leaves;
    }
    return MOTE_OK;
}

/* ---- Lloyd iterations ---- */

/* The nearest sample of each leaf; the previous one bounds the search. */
static void own_range(void *context, int64_t first, int64_t last)
{
    work *w = context;
    for (int64_t k = first; k < last; ++k) {
        double radius = w->spacing;
        if (w->owner[k] >= 0) {
            mo_vec3 old = mo_vec3_load(w->grid.x + 3 * (int64_t)w->owner[k]);
            radius = fmin(radius, (1 + 1e-9) * mo_length(mo_sub(old, w->leaf[k].x)));
        }
        int64_t nearest = mo_point_grid_nearest(&w->grid, w->leaf[k].x, radius, NULL);
        w->owner[k] = nearest >= 0 ? (int32_t)nearest : w->owner[k];
    }
}

/* centroid[4 s ...]: the sum of area * displacement from the sample to its leaves, and of area. */
static mote_status gather(work *w)
{
    MO_TRY(mo_grow(w->memory, (void **)&w->centroid, &w->centroid_capacity, w->grid.count,
                   4 * sizeof *w->centroid, w->error));
    memset(w->centroid, 0, 4 * (size_t)w->grid.count * sizeof *w->centroid);
    mo_parallel_for(w->pool, w->leaves, LEAF_GRAIN, own_range, w);
    for (int64_t k = 0; k < w->leaves; ++k) {
        if (w->owner[k] >= 0) {
            double *sum = w->centroid + 4 * (int64_t)w->owner[k];
            mo_vec3 way = mo_sub(w->leaf[k].x, mo_vec3_load(w->grid.x + 3 * (int64_t)w->owner[k]));
            mo_vec3_store(sum, mo_add_scaled(mo_vec3_load(sum), w->leaf[k].area, way));
            sum[3] += w->leaf[k].area;
        }
    }
    return MOTE_OK;
}

static void move_range(void *context, int64_t first, int64_t last)
{
    work *w = context;
    for (int64_t k = first; k < last; ++k) {
        double *at = w->centroid + 4 * k;
        mo_vec3 x = mo_vec3_load(w->grid.x + 3 * k);
        if (k >= w->fixed && at[3] > 0) {
            x = mo_add_scaled(x, 1 / at[3], mo_vec3_load(at));
            mo_trimesh_near near = mo_trimesh_nearest(&w->tree, x, w->triangle[k]);
            w->triangle[k] = near.triangle;
            x = near.point;
        }
        mo_vec3_store(at, x);
    }
}

/* Moves the samples; rejected ones are removed. */
static mote_status rebuild(work *w, const bool *dropped)
{
    int64_t count = w->grid.count, fixed = w->fixed;
    mo_point_grid_clear(&w->grid);
    for (int64_t k = 0; k < count; ++k) {
        if (dropped && dropped[k]) {
            w->fixed -= k < fixed;
        } else {
            MO_TRY(mo_point_grid_add(&w->grid, mo_vec3_load(w->centroid + 4 * k), w->error));
        }
    }
    return MOTE_OK;
}

static mote_status even_out(work *w)
{
    int64_t count = w->grid.count;
    MO_TRY(mo_grow(w->memory, (void **)&w->triangle, &w->triangle_capacity, count,
                   sizeof *w->triangle, w->error));
    for (int64_t k = 0; k < count; ++k) {
        w->triangle[k] = -1;
    }
    for (int64_t k = 0; k < w->leaves; ++k) {
        w->owner[k] = -1;
    }
    for (int pass = 0; pass < PASSES; ++pass) {
        MO_TRY(gather(w));
        mo_parallel_for(w->pool, count, SAMPLE_GRAIN, move_range, w);
        MO_TRY(rebuild(w, NULL));
    }
    return MOTE_OK;
}

/* ---- separation and coverage ---- */

static mote_status clean(work *w)
{
    int64_t count = w->grid.count;
    void *block;
    mo_point_grid kept;
    MO_TRY(mo_allocate_array(w->memory, count, sizeof(bool), &block, w->error));
    bool *dropped = block;
    mote_status status = MOTE_OK;
    mo_point_grid_init(&kept, w->memory, w->grid.width);
    for (int64_t k = 0; k < count && status == MOTE_OK; ++k) {
        mo_vec3 x = mo_vec3_load(w->grid.x + 3 * k);
        mo_vec3_store(w->centroid + 4 * k, x);
        dropped[k] = mo_point_grid_nearest(&kept, x, CLEAN_APART * w->spacing, NULL) >= 0;
        status = dropped[k] ? MOTE_OK : mo_point_grid_add(&kept, x, w->error);
    }
    if (status == MOTE_OK) {
        status = rebuild(w, dropped);
    }
    mo_point_grid_release(&kept);
    mo_release(w->memory, dropped);
    return status;
}

static mote_status cover(work *w, const corners *c)
{
    corners half[2];
    mo_vec3 x = middle_of(c);
    double reach = COVER * w->spacing, farthest = 0;
    int64_t nearest = mo_point_grid_nearest(&w->grid, x, reach, NULL);
    if (nearest >= 0) {
        mo_vec3 sample = mo_vec3_load(w->grid.x + 3 * nearest);
        for (int k = 0; k < 3; ++k) {
            farthest = fmax(farthest, mo_length(mo_sub(c->p[k], sample)));
        }
        if (farthest <= reach) {
            return MOTE_OK;
        }
    }
    if (halve(c, half) > SMALLEST * w->spacing) {
        MO_TRY(cover(w, &half[0]));
        return cover(w, &half[1]);
    }
    return nearest >= 0 ? MOTE_OK : mo_point_grid_add(&w->grid, x, w->error);
}

static mote_status cover_all(work *w)
{
    for (int64_t t = 0; t < w->mesh->triangles; ++t) {
        corners c = corners_of(w->mesh, t);
        MO_TRY(is_flat(w, t) ? MOTE_OK : cover(w, &c));
    }
    return MOTE_OK;
}

/* ---- all samples ---- */

static mote_status hand_over(work *w, mo_samples *samples)
{
    for (int64_t k = 0; k < w->leaves; ++k) {
        w->owner[k] = -1;
    }
    MO_TRY(gather(w));
    int64_t hint = -1;
    for (int64_t k = 0; k < w->grid.count; ++k) {
        mo_vec3 x = mo_vec3_load(w->grid.x + 3 * k), normal;
        mo_trimesh_near near = mo_trimesh_nearest(&w->tree, x, hint);
        hint = near.triangle;
        normal = w->tree.normal[near.triangle][near.kind];
        if (w->project) {
            x = w->project(w->context, x, &normal);
        }
        MO_TRY(mo_samples_add(samples, x, normal, w->centroid[4 * k + 3], w->error));
    }
    return MOTE_OK;
}

static mote_status sample(work *w, const char *name, mo_samples *samples)
{
    MO_TRY(mo_trimesh_distance_build(w->mesh, name, true, &w->arena, &w->tree, w->error));
    MO_TRY(check_size(w));
    MO_TRY(make_leaves(w));
    MO_TRY(mo_sample_features(w->mesh, &w->tree, w->spacing, &w->grid, w->error));
    w->fixed = w->grid.count;
    MO_TRY(seed_faces(w));
    MO_TRY(even_out(w));
    MO_TRY(clean(w));
    MO_TRY(cover_all(w));
    return hand_over(w, samples);
}

mote_status mo_sample_surface(const mo_trimesh *mesh, const char *name, const mo_sampling *how,
                              mo_sample_projection project, void *context, mo_samples *samples,
                              mote_error *error)
{
    work w = {.mesh = mesh,
              .project = project,
              .context = context,
              .spacing = how->spacing,
              .memory = samples->memory,
              .pool = how->pool,
              .error = error};
    int64_t first = samples->count;
    mo_arena_init(&w.arena, w.memory);
    mo_point_grid_init(&w.grid, w.memory, CELL * w.spacing);
    mote_status status = sample(&w, name, samples);
    if (status != MOTE_OK) {
        samples->count = first;
    }
    mo_arena_release(&w.arena);
    mo_point_grid_release(&w.grid);
    mo_release(w.memory, w.leaf);
    mo_release(w.memory, w.owner);
    mo_release(w.memory, w.centroid);
    mo_release(w.memory, w.triangle);
    return status;
}

mote_status mo_sample_mesh(const mo_trimesh *mesh, const char *name, const mo_sampling *how,
                           mo_samples *samples, mote_error *error)
{
    return mo_sample_surface(mesh, name, how, NULL, NULL, samples, error);
}
