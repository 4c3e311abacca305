#include "couple/rigid_face.h"

#include "geometry/simplex/nearest.h"

/* Points with a larger barycentric coordinate are at a node, which has contacts of its own. */
static const double AT_NODE = 0.999;

/* Radius of triangles without one, in inner radii of the body: that of nodes. */
static const double POINT = 1e-3;

static const int32_t *rows_of(const mo_rigid_face_query *q, int64_t triangle)
{
    return q->nodes->bodies.triangles + 3 * triangle;
}

static mo_vec3 vector_of(const mo_column *column, int32_t row)
{
    return mo_vec3_load(mo_f64(column) + 3 * (int64_t)row);
}

mo_box mo_couple_rigid_face_box(const mo_rigid_face_query *q, int64_t triangle)
{
    const mo_particle_columns *c = &q->nodes->columns;
    const int32_t *row = rows_of(q, triangle);
    mo_box box = mo_box_empty();
    double wide = 0;
    for (int k = 0; k < 3; ++k) {
        double from[3], to[3];
        mo_vec3 x = vector_of(c->x, row[k]);
        mo_vec3_store(from, x);
        mo_vec3_store(to, mo_add_scaled(x, q->query.h, vector_of(c->v, row[k])));
        mo_box_grow(&box, from);
        mo_box_grow(&box, to);
        wide = fmax(wide, mo_f64(c->radius)[row[k]]);
    }
    for (int k = 0; k < 3; ++k) {
        box.low[k] -= wide + q->query.margin;
        box.high[k] += wide + q->query.margin;
    }
    return box;
}

/* A triangle at the start of the step. */
typedef struct patch {
    const int32_t *row;
    mo_vec3 x[3], corner[3]; /* in the world; relative to the centre */
    mo_convex shape;
    double radius;
} patch;

static void set_patch(const mo_rigid_face_query *q, int64_t triangle, patch *p)
{
    p->row = rows_of(q, triangle);
    p->radius = (double)INFINITY;
    for (int k = 0; k < 3; ++k) {
        p->x[k] = p->corner[k] = vector_of(q->nodes->columns.x, p->row[k]);
        p->radius = fmin(p->radius, mo_f64(q->nodes->columns.radius)[p->row[k]]);
    }
    p->shape = mo_convex_of_triangle(p->corner);
}

static const mo_pose AT_ORIGIN = {.R = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}};

/* A bound of the approach of the body and the triangle in the step. */
static double approach_of(const mo_rigid_face_query *q, const patch *p, const mo_pose *pose,
                          double reach)
{
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        mo_vec3 v = mo_sub(vector_of(q->nodes->columns.v, p->row[k]), pose->v);
        most = fmax(most, mo_length(v));
    }
    return q->query.h * (most + reach * mo_length(pose->w));
}

/* A point of a manifold; the gap is that of the triangle's surface. */
static mo_rigid_face face_of(const patch *p, const mo_manifold *m, int k, double radius)
{
    mo_vec3 on_plane = m->point[k].point[1];
    mo_rigid_face out = {
        .row = {p->row[0], p->row[1], p->row[2]},
        .normal = m->normal,
        .point = {m->point[k].point[0], mo_add_scaled(on_plane, radius, m->normal)},
        .gap = m->point[k].gap - radius};
    mo_triangle_nearest_weights(p->x, on_plane, out.weight);
    return out;
}

/* The contacts of a triangle with a part: several points, so that a body stands on one. */
static int part_contacts(const mo_rigid_face_query *q, const patch *p, const mo_convex *part,
                         const mo_pose *pose, double size, int most, mo_rigid_face *out)
{
    mo_posed body = mo_convex_at(part, pose), face = mo_convex_at(&p->shape, &AT_ORIGIN);
    double radius = fmax(p->radius, POINT * size);
    double margin =
        q->query.margin + approach_of(q, p, pose, mo_length(part->center) + part->reach);
    double limit = part->reach + p->shape.reach + radius + margin;
    mo_vec3 way = mo_sub(body.p, face.p);
    mo_manifold m;
    if (mo_dot(way, way) > limit * limit) {
        return 0;
    }
    int count = 0, found = mo_convex_collide(&body, &face, margin + radius, 0, &m);
    for (int k = 0; k < found && count < most; ++k) {
        mo_rigid_face point = face_of(p, &m, k, radius);
        if (fmax(point.weight[0], fmax(point.weight[1], point.weight[2])) < AT_NODE) {
            out[count++] = point;
        }
    }
    return count;
}

int mo_couple_rigid_face_find(const mo_rigid_face_query *q, int64_t triangle, int32_t body,
                              int most, mo_rigid_face *out)
{
    const mo_rigid_prototype *prototype = mo_rigid_system_prototype_of(q->rigid, body);
    int count = 0;
    patch p;
    set_patch(q, triangle, &p);
    for (int64_t k = 0; k < prototype->shape.parts && count < most; ++k) {
        int found = part_contacts(q, &p, &prototype->shape.part[k], &q->poses[body],
                                  prototype->size, most - count, out + count);
        for (int i = 0; i < found; ++i) {
            out[count++].body = body;
        }
    }
    return count;
}

/* sum b_i a_i */
static mo_vec3 mean_of(const mo_rigid_face *face, const mo_column *column)
{
    mo_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        sum = mo_add_scaled(sum, face->weight[k], vector_of(column, face->row[k]));
    }
    return sum;
}

mo_rigid_guest mo_couple_rigid_face_guest(const mo_system *nodes, const mo_rigid_face *face,
                                          const int32_t *shares)
{
    const double *inverse_mass = mo_f64(nodes->columns.inverse_mass);
    mo_rigid_guest guest = {.x = mean_of(face, nodes->columns.x),
                            .v = mean_of(face, nodes->columns.v),
                            .q = mo_quat_identity()};
    for (int k = 0; k < 3; ++k) {
        int32_t row = face->row[k];
        guest.inverse_mass += face->weight[k] * face->weight[k] * shares[row] * inverse_mass[row];
    }
    return guest;
}

void mo_couple_rigid_face_set_velocity(const mo_system *nodes, mo_rigid_face *face, double h)
{
    face->v = mo_scale(1 / h, mo_sub(mean_of(face, nodes->columns.x), face->from));
}

bool mo_couple_rigid_face_apply(const mo_system *nodes, const mo_rigid_face *face,
                                const mo_rigid_guest *guest, double h)
{
    const mo_particle_columns *c = &nodes->columns;
    mo_vec3 change = mo_sub(guest->v, face->v);
    mo_vec3 shift = mo_sub(guest->x, mo_add_scaled(face->from, h, face->v));
    if (guest->inverse_mass == 0 || mo_dot(change, change) == 0) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        int64_t row = face->row[k];
        double part = face->weight[k] * mo_f64(c->inverse_mass)[row] / guest->inverse_mass;
        double *x = mo_f64(c->x) + 3 * row, *v = mo_f64(c->v) + 3 * row;
        mo_vec3_store(v, mo_add_scaled(mo_vec3_load(v), part, change));
        mo_vec3_store(x, mo_add_scaled(mo_vec3_load(x), part, shift));
    }
    return true;
}
