#include "system/constraints/face_contacts.h"

#include "collide/friction/friction.h"
#include "geometry/simplex/nearest.h"

#include <string.h>

enum { GRAIN = 512, BATCH = MO_CONTACT_BATCH, PROJECTIONS = 4, STARTS = 4 };

/* Faces are in contact below this part of the nodes' radius, and then held at it: contacts of nodes
 * come first. */
static const double NEEDED = 0.5, HELD = 0.75;

void mo_face_contacts_release(mo_face_contacts *faces)
{
    if (faces->memory) {
        mo_release(faces->memory, faces->gaps);
        mo_release(faces->memory, faces->flags);
        mo_release(faces->memory, faces->list);
    }
    *faces = (mo_face_contacts){0};
}

/* ---- gaps of the nodes ---- */

typedef struct search {
    mo_face_contacts *faces;
    const mo_collider_contacts *nodes;
    const mo_constraint_contacts *surfaces;
    const mo_collider *collider;
} search;

/* Gap and normal of each row; rows far from the collider have an infinite gap. */
static void gap_range(void *context, int64_t first, int64_t last)
{
    const search *s = context;
    for (int64_t row = first; row < last; row += BATCH) {
        int64_t count = last - row < BATCH ? last - row : BATCH;
        double x[3 * BATCH], gap[BATCH], normal[3 * BATCH], radius[BATCH];
        for (int64_t k = 0; k < count; ++k) {
            memcpy(x + 3 * k, s->nodes->p + 4 * (row + k), 3 * sizeof(double));
            radius[k] = s->nodes->rows.radius[row + k];
        }
        mo_contact_box box = mo_contact_box_of(x, NULL, radius, 1, 0, count);
        double wide = s->surfaces->longest;
        for (int k = 0; k < 3; ++k) {
            box.low[k] -= wide;
            box.high[k] += wide;
        }
        bool near = mo_collider_near_box(s->collider, &box);
        if (near) {
            mo_collider_gaps(s->collider, count, x, gap, normal);
        }
        for (int64_t k = 0; k < count; ++k) {
            double *out = s->faces->gaps + 4 * (row + k);
            out[3] = near ? gap[k] : (double)INFINITY;
            if (near && gap[k] < 2 * wide) {
                mo_vec3_store(out, mo_collider_normal(s->collider, normal + 3 * k));
            }
        }
    }
}

/* ---- cells ---- */

typedef struct corners {
    int count; /* 3, or 2 of a line */
    mo_vec3 x[3], n[3];
    double gap[3], radius;
} corners;

static corners corners_of(const search *s, const mo_surface_cell *cell)
{
    corners c = {.count = cell->triangle ? 3 : 2, .radius = (double)INFINITY};
    for (int k = 0; k < 3; ++k) {
        int64_t row = cell->row[k];
        c.x[k] = mo_vec3_load(s->nodes->p + 4 * row);
        c.n[k] = mo_vec3_load(s->faces->gaps + 4 * row);
        c.gap[k] = s->faces->gaps[4 * row + 3];
        c.radius = fmin(c.radius, s->nodes->rows.radius[row]);
    }
    return c;
}

/* c_ij of the edge from corner k on, and, of one that is not convex, 0. */
static double curvature_of(const corners *c, int k)
{
    int to = (k + 1) % 3;
    return fmax(mo_dot(mo_sub(c->n[to], c->n[k]), mo_sub(c->x[to], c->x[k])), 0);
}

/* The lower bound of the gap in the cell is below the needed one. */
static bool is_needed(const search *s, const mo_surface_cell *cell)
{
    double least = (double)INFINITY, curved = 0;
    for (int k = 0; k < 3; ++k) {
        least = fmin(least, s->faces->gaps[4 * (int64_t)cell->row[k] + 3]);
    }
    if (least > s->surfaces->longest) {
        return false;
    }
    corners c = corners_of(s, cell);
    for (int k = 0; k < c.count; ++k) {
        curved = fmax(curved, curvature_of(&c, k));
    }
    return least - curved / 3 < NEEDED * c.radius && curved > 0;
}

static void flag_range(void *context, int64_t first, int64_t last)
{
    const search *s = context;
    for (int64_t k = first; k < last; ++k) {
        s->faces->flags[k] = is_needed(s, &s->surfaces->cells[k]);
    }
}

static mo_vec3 point_at(const corners *c, const double b[3])
{
    mo_vec3 sum = mo_scale(b[0], c->x[0]);
    return mo_add_scaled(mo_add_scaled(sum, b[1], c->x[1]), b[2], c->x[2]);
}

static void nearest_weights(const corners *c, mo_vec3 x, double b[3])
{
    if (c->count == 3) {
        mo_triangle_nearest_weights(c->x, x, b);
    } else {
        b[1] = mo_edge_nearest_weight(c->x[0], c->x[1], x);
        b[0] = 1 - b[1];
        b[2] = 0;
    }
}

/* The point of the cell with the least gap: from the lowest of the edges' minima (of the quadratic
 * bound) and the middle, by projections onto the collider and back. */
static double lowest_point(const search *s, const corners *c, double best[3], mo_vec3 *normal)
{
    double least = (double)INFINITY;
    mo_vec3 n;
    for (int start = 0; start < (c->count == 3 ? STARTS : 1); ++start) {
        double b[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
        if (start < 3) {
            int to = (start + 1) % 3;
            double bend = curvature_of(c, start), t = 0.5;
            t = bend > 0 ? 0.5 + 0.5 * (c->gap[start] - c->gap[to]) / bend : t;
            b[0] = b[1] = b[2] = 0;
            b[to] = fmin(fmax(t, 0), 1);
            b[start] = 1 - b[to];
        }
        double gap = mo_collider_gap(s->collider, point_at(c, b), &n);
        if (gap < least) {
            least = gap;
            *normal = n;
            memcpy(best, b, 3 * sizeof *b);
        }
    }
    for (int k = 0; k < PROJECTIONS; ++k) {
        double b[3];
        nearest_weights(c, mo_add_scaled(point_at(c, best), -least, *normal), b);
        double gap = mo_collider_gap(s->collider, point_at(c, b), &n);
        if (!(gap < least)) {
            break;
        }
        least = gap;
        *normal = n;
        memcpy(best, b, sizeof b);
    }
    return least;
}

static mote_status add_face(const search *s, const mo_surface_cell *cell, int32_t collider,
                            mote_error *error)
{
    mo_face_contacts *f = s->faces;
    corners c = corners_of(s, cell);
    mo_face_contact face = {.collider = collider};
    double gap = lowest_point(s, &c, face.weight, &face.normal);
    for (int k = 0; k < 3; ++k) {
        double w = s->nodes->p[4 * (int64_t)cell->row[k] + 3];
        face.row[k] = cell->row[k];
        face.mobility += face.weight[k] * face.weight[k] * w;
    }
    if (gap > c.radius || face.mobility == 0) {
        return MOTE_OK;
    }
    face.offset = mo_dot(face.normal, point_at(&c, face.weight)) + HELD * c.radius - gap;
    MO_TRY(mo_reserve(f->memory, &f->list, &f->contact_capacity, f->count + 1, sizeof *f->list,
                      error));
    f->list[f->count++] = face;
    return MOTE_OK;
}

static mote_status find_on_collider(search *s, int32_t index, mote_error *error)
{
    mo_face_contacts *f = s->faces;
    mo_pool *pool = s->nodes->rows.pool;
    int64_t cells = s->surfaces->cell_count;
    s->collider = &s->nodes->colliders->list[index];
    mo_parallel_for(pool, s->nodes->rows.count, GRAIN, gap_range, s);
    mo_parallel_for(pool, cells, GRAIN, flag_range, s);
    for (int64_t k = 0; k < cells; ++k) {
        MO_TRY(f->flags[k] ? add_face(s, &s->surfaces->cells[k], index, error) : MOTE_OK);
    }
    return MOTE_OK;
}

mote_status mo_face_contacts_find(mo_face_contacts *f, const mo_collider_contacts *nodes,
                                  const mo_constraint_contacts *surfaces, mote_error *error)
{
    search s = {f, nodes, surfaces, NULL};
    const mo_colliders *colliders = nodes->colliders;
    f->memory = surfaces->memory;
    f->count = 0;
    if (surfaces->cell_count == 0 || colliders->periodic) {
        return MOTE_OK;
    }
    MO_TRY(mo_reserve(f->memory, &f->gaps, &f->gap_capacity, 4 * nodes->rows.count, sizeof *f->gaps,
                      error));
    MO_TRY(mo_reserve(f->memory, &f->flags, &f->flag_capacity, surfaces->cell_count, 1, error));
    for (int64_t k = 0; k < colliders->count; ++k) {
        const mo_collider *collider = &colliders->list[k];
        if (collider->projects && !collider->inside && collider->bounded) {
            MO_TRY(find_on_collider(&s, (int32_t)k, error));
        }
    }
    return MOTE_OK;
}

/* ---- projection ---- */

static void move_rows(double *p, const mo_face_contact *f, mo_vec3 impulse)
{
    for (int k = 0; k < 3; ++k) {
        double *row = p + 4 * (int64_t)f->row[k];
        mo_vec3_store(row, mo_add_scaled(mo_vec3_load(row), f->weight[k] * row[3], impulse));
    }
}

static mo_vec3 weighted(const double *x, const mo_face_contact *f)
{
    mo_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        sum = mo_add_scaled(sum, f->weight[k], mo_vec3_load(x + 4 * (int64_t)f->row[k]));
    }
    return sum;
}

/* Friction as of nodes (collider_contacts.c), with the push of this iteration. */
static mo_vec3 friction_of(const mo_collider_contacts *nodes, const mo_face_contact *f,
                           double depth)
{
    const mo_collider *collider = &nodes->colliders->list[f->collider];
    const mo_friction_type *friction = (const mo_friction_type *)collider->friction.type;
    mo_vec3 n = f->normal, moved = mo_collider_displacement(collider, weighted(nodes->start, f),
                                                            weighted(nodes->p, f));
    moved =
        collider->slides ? mo_add_scaled(moved, -nodes->h, mo_collider_slip(collider, n)) : moved;
    mo_vec3 slip = mo_add_scaled(moved, -mo_dot(moved, n), n);
    mo_vec3 kept =
        friction->slow(collider->friction.params, mo_scale(1 / nodes->h, slip), depth / nodes->h);
    return mo_scale(1 / f->mobility, mo_sub(mo_scale(nodes->h, kept), slip));
}

void mo_face_contacts_project(mo_face_contacts *f, const mo_collider_contacts *nodes)
{
    for (int64_t k = 0; k < f->count; ++k) {
        mo_face_contact *face = &f->list[k];
        double depth = face->offset - mo_dot(face->normal, weighted(nodes->p, face));
        if (depth > 0) {
            face->push += depth / face->mobility;
            move_rows(nodes->p, face, mo_scale(depth / face->mobility, face->normal));
            mo_vec3 drag = friction_of(nodes, face, depth);
            move_rows(nodes->p, face, drag);
            face->drag = mo_add(face->drag, drag);
        }
    }
}

mote_status mo_face_contacts_record(const mo_face_contacts *f, const mo_collider_contacts *nodes,
                                    double share, mo_contact_set *set, mote_error *error)
{
    for (int64_t k = 0; k < f->count; ++k) {
        const mo_face_contact *face = &f->list[k];
        if (face->push > 0) {
            mo_contact contact =
                mo_contact_row_on_collider(&nodes->rows, face->row[0], face->collider,
                                           weighted(nodes->p, face), face->normal, 0);
            contact.side[0].rows = 3;
            for (int n = 0; n < 3; ++n) {
                contact.side[0].row[n] = face->row[n];
                contact.side[0].weight[n] = face->weight[n];
            }
            contact.force = mo_scale(share / (nodes->h * nodes->h),
                                     mo_add_scaled(face->drag, face->push, face->normal));
            MO_TRY(mo_contact_set_append(set, &contact, error));
        }
    }
    return MOTE_OK;
}
