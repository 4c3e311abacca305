#include "collide/narrow/mesh_surface.h"

#include "collide/convex/pairs.h"
#include "collide/convex/polygon.h"

#include <string.h>

/* ---- triangles in a box ---- */

enum { STACK = 256 };

typedef void triangle_fn(void *context, int64_t triangle);

/* Calls a function with every triangle whose box overlaps; the order is that of the tree. */
static void visit(const mo_trimesh_distance *tree, const double low[3], const double high[3],
                  triangle_fn *function, void *context)
{
    int32_t stack[STACK];
    int depth = 0;
    double origin[3];
    mo_vec3_store(origin, tree->middle);
    stack[depth++] = 0;
    while (depth > 0) {
        const mo_tree_node *node = &tree->node[stack[--depth]];
        for (int k = 0; k < node->count; ++k) {
            bool meets = true;
            for (int axis = 0; axis < 3; ++axis) {
                meets = meets && origin[axis] + (double)node->low[axis][k] <= high[axis] &&
                        origin[axis] + (double)node->high[axis][k] >= low[axis];
            }
            if (meets && node->child[k] < 0) {
                function(context, ~node->child[k]);
            } else if (meets && depth < STACK) {
                stack[depth++] = node->child[k];
            }
        }
    }
}

/* ---- one triangle ---- */

typedef struct triangle {
    int64_t number;
    mo_vec3 corner[3], normal;
    mo_vec3 beyond[3]; /* normals across the edges from corner k to k + 1 */
    mo_vec3 vertex[3]; /* normals at the corners */
} triangle;

static triangle triangle_of(const mo_trimesh_distance *tree, int64_t t, bool inside)
{
    const mo_tree_triangle *from = &tree->triangle[t];
    mo_vec3 x[3] = {from->a, mo_add(from->a, from->ab), mo_add(from->a, from->ac)};
    const mo_vec3 *normal = tree->normal[t];
    triangle out = {.number = t, .normal = normal[MO_NEAR_FACE]};
    for (int k = 0; k < 3; ++k) {
        /* the edge's normal is half way between both */
        mo_vec3 half = normal[MO_NEAR_EDGE + k];
        mo_vec3 other = mo_sub(mo_scale(2 * mo_dot(half, out.normal), half), normal[MO_NEAR_FACE]);
        /* reversed: corners 0 2 1, so edges 2 1 0 */
        int corner = inside ? (3 - k) % 3 : k;
        out.corner[corner] = x[k];
        out.vertex[corner] = mo_scale(inside ? -1 : 1, normal[MO_NEAR_VERTEX + k]);
        out.beyond[inside ? 2 - k : k] = inside ? mo_scale(-1, other) : other;
    }
    out.normal = inside ? mo_scale(-1, out.normal) : out.normal;
    return out;
}

/* Whether a direction belongs to the triangle: see mesh_surface.h. */
static bool belongs(const triangle *t, mo_vec3 n)
{
    const double flat = 1e-3, slack = 0.02;
    for (int k = 0; k < 3; ++k) {
        mo_vec3 along = mo_sub(t->corner[(k + 1) % 3], t->corner[k]);
        along = mo_unit(along, t->normal);
        mo_vec3 out = mo_cross(along, t->normal);
        bool convex = mo_dot(t->beyond[k], out) > flat;
        mo_vec3 limit = convex ? mo_cross(along, t->beyond[k]) : out;
        if (mo_dot(n, limit) > slack) {
            return false;
        }
    }
    return true;
}

/* Above the triangle, along its normal. */
static int above(const mo_posed *part, const mo_posed *posed, const triangle *t, double margin,
                 mo_manifold *m)
{
    mo_polygon face, feature;
    mo_support_polygon(posed, t->normal, &face);
    mo_support_polygon(part, mo_scale(-1, t->normal), &feature);
    return mo_polygon_contact(&face, &feature, false, margin, 1e-3 * part->shape->inner, m);
}

/* ---- spheres on smooth surfaces ---- */

/* Largest angle between the normals at the corners and the face (10 degrees), distance of the
 * smooth surface from the triangle in radii of the sphere, and height over radius of curvature. */
static const double SMOOTH = 0.985, SAGITTA = 0.05, FOCUS = 0.5;

/* The key of contacts with a smooth surface: they pass from triangle to triangle. */
static const uint32_t SMOOTH_KEY = 0x5300710u;

/* Whether a triangle approximates a smooth surface at the scale of a sphere. */
static bool is_smooth(const triangle *t, double radius, double height)
{
    double curvature = 0, sagitta = 0;
    for (int k = 0; k < 3; ++k) {
        mo_vec3 edge = mo_sub(t->corner[(k + 1) % 3], t->corner[k]);
        mo_vec3 turn = mo_sub(t->vertex[(k + 1) % 3], t->vertex[k]);
        curvature = fmax(curvature, mo_length(turn) / mo_length(edge));
        sagitta = fmax(sagitta, fabs(mo_dot(edge, turn)) / 8);
        if (mo_dot(t->vertex[k], t->normal) < SMOOTH) {
            return false;
        }
    }
    return sagitta <= SAGITTA * radius && height * curvature <= FOCUS;
}

/* Whether the neighbour across an edge continues the smooth surface. */
static bool continues(const triangle *t, int k)
{
    return mo_dot(t->vertex[k], t->beyond[k]) > SMOOTH &&
           mo_dot(t->vertex[(k + 1) % 3], t->beyond[k]) > SMOOTH;
}

/* Barycentric coordinates of a point of the plane. */
static void coordinates(const triangle *t, mo_vec3 x, double b[3])
{
    mo_vec3 area = mo_cross(mo_sub(t->corner[1], t->corner[0]), mo_sub(t->corner[2], t->corner[0]));
    double whole = mo_dot(area, t->normal);
    for (int k = 0; k < 3; ++k) {
        mo_vec3 from = mo_sub(t->corner[(k + 1) % 3], x), to = mo_sub(t->corner[(k + 2) % 3], x);
        b[k] = mo_dot(mo_cross(from, to), t->normal) / whole;
    }
}

static mo_vec3 blend(const mo_vec3 a[3], const double b[3])
{
    return mo_add_scaled(mo_add_scaled(mo_scale(b[0], a[0]), b[1], a[1]), b[2], a[2]);
}

/* The foot of the sphere's centre along the interpolated normal, by fixed-point iteration; FOCUS
 * bounds the rate of convergence. */
static mo_vec3 smooth_foot(const triangle *t, mo_vec3 center, double b[3], mo_vec3 *normal)
{
    double height = mo_dot(t->normal, mo_sub(center, t->corner[0]));
    mo_vec3 foot = mo_add_scaled(center, -height, t->normal);
    for (int k = 0; k < 32; ++k) {
        coordinates(t, foot, b);
        *normal = mo_unit(blend(t->vertex, b), t->normal);
        mo_vec3 next = mo_add_scaled(center, -height / mo_dot(*normal, t->normal), *normal);
        double change = mo_length(mo_sub(next, foot));
        foot = next;
        if (change <= 1e-14 * fabs(height)) {
            break;
        }
    }
    coordinates(t, foot, b);
    return foot;
}

/* A sphere on the quadratic surface through the corners and across the normals there: the foot x
 * is moved by 1/2 sum b_k (n_k . (x_k - x)) n_k, Phong tessellation (Boubekeur, Alexa 2008) with
 * the weight 1/2 for which surface and interpolated normals agree. A ball in a bowl of triangles
 * would otherwise lose the square of the angle at every edge. Returns 0 if the foot is on a
 * neighbour, -1 if the triangle is to be taken as a plane. */
static int smooth_contact(const mo_posed *part, const triangle *t, double margin, mo_manifold *m)
{
    double radius = part->shape->radius[0], b[3], away[3];
    double height = mo_dot(t->normal, mo_sub(part->p, t->corner[0]));
    if (!is_smooth(t, radius, fabs(height)) || height < 0) {
        return -1;
    }
    mo_vec3 n, x = smooth_foot(t, part->p, b, &n);
    for (int k = 0; k < 3; ++k) {
        if (b[(k + 2) % 3] < -1e-9) {
            return continues(t, k) ? 0 : -1;
        }
    }
    for (int k = 0; k < 3; ++k) {
        away[k] = 0.5 * b[k] * mo_dot(t->vertex[k], mo_sub(t->corner[k], x));
    }
    mo_vec3 surface = mo_add(x, blend(t->vertex, away));
    double gap = mo_dot(n, mo_sub(part->p, surface)) - radius;
    mo_vec3 lowest = mo_add_scaled(part->p, -radius, n);
    m->normal = n;
    m->count = 1;
    m->point[0] = (mo_manifold_point){{lowest, mo_add_scaled(lowest, -gap, n)}, gap, SMOOTH_KEY};
    return gap <= margin;
}

/* A sphere on the plane of a triangle; false: it is beyond an edge that is not concave. Beyond a
 * concave edge the plane continues below the neighbour: a sphere that may cross the edge within the
 * margin meets it in time. */
static bool sphere_on_plane(const mo_posed *part, const triangle *t, double margin, mo_manifold *m)
{
    const double flat = -1e-3;
    double radius = part->shape->radius[0];
    for (int k = 0; k < 3; ++k) {
        mo_vec3 along = mo_unit(mo_sub(t->corner[(k + 1) % 3], t->corner[k]), t->normal);
        mo_vec3 out = mo_cross(along, t->normal);
        double beyond = mo_dot(out, mo_sub(part->p, t->corner[k]));
        if (beyond > (mo_dot(t->beyond[k], out) < flat ? margin : 0)) {
            return false;
        }
    }
    double gap = mo_dot(t->normal, mo_sub(part->p, t->corner[0])) - radius;
    mo_vec3 lowest = mo_add_scaled(part->p, -radius, t->normal);
    m->normal = t->normal;
    m->count = 1;
    m->point[0] = (mo_manifold_point){{lowest, mo_add_scaled(lowest, -gap, t->normal)}, gap, 0};
    return true;
}

/* Penetration into a face that contains the lowest point needs no other test up to this part of the
 * inner radius. */
static const double SHALLOW = 0.05;

static int triangle_contact(const mo_posed *part, triangle *t, double margin, mo_manifold *m)
{
    mo_vec3 corner[3] = {t->corner[0], t->corner[1], t->corner[2]};
    mo_convex shape = mo_convex_of_triangle(corner);
    mo_posed posed = {&shape, mo_mat3_identity(), shape.center};
    mo_vec3 lowest = mo_convex_support(part, mo_scale(-1, t->normal));
    double height = mo_dot(t->normal, mo_sub(lowest, t->corner[0])), inner = part->shape->inner;
    if (height > margin) {
        return 0;
    }
    if (part->shape->kind == MO_CONVEX_SPHERE) {
        int smooth = smooth_contact(part, t, margin, m);
        if (smooth >= 0) {
            return smooth;
        }
        if (height > -inner && sphere_on_plane(part, t, margin, m)) {
            return 1;
        }
    }
    if (height > -SHALLOW * inner) { /* its lowest point is above or slightly below the face */
        int count = above(part, &posed, t, margin, m);
        if (count > 0 && mo_manifold_gap(m) <= height + 1e-3 * inner) {
            return count;
        }
    }
    mo_convex_near near = mo_convex_distance(part, &posed);
    double facing = mo_dot(near.normal, t->normal);
    if (near.distance > margin || (near.distance > 0 && facing <= 0)) {
        return 0;
    }
    if (facing > MO_FACING || facing <= 0 || !belongs(t, near.normal)) {
        return above(part, &posed, t, margin, m);
    }
    return mo_feature_contact(part, &posed, &near, margin, m);
}

/* ---- a part on the mesh ---- */

typedef struct contact_query {
    const mo_posed *part; /* in the frame of the mesh */
    const mo_mesh_side *mesh;
    double margin;
    mo_scatter *scatter;
} contact_query;

static mo_vec3 to_world(const mo_mesh_side *mesh, mo_vec3 x)
{
    return mo_pose_apply(mesh->pose, x);
}

static void add_triangle(void *context, int64_t number)
{
    const contact_query *q = context;
    triangle t = triangle_of(q->mesh->tree, number, q->mesh->inside);
    mo_manifold m;
    int count = triangle_contact(q->part, &t, q->margin, &m);
    if (count == 0) {
        return;
    }
    mo_vec3 n = mo_mat3_apply(q->mesh->pose->R, m.normal);
    for (int k = 0; k < count; ++k) {
        mo_manifold_point p = m.point[k];
        p.point[0] = to_world(q->mesh, p.point[0]);
        p.point[1] = to_world(q->mesh, p.point[1]);
        if (p.key != SMOOTH_KEY) { /* the key of the point includes the triangle */
            p.key = (uint32_t)(p.key * 0x9e3779b1u) ^ (uint32_t)number * 0x85ebca6bu;
        }
        mo_scatter_add(q->scatter, n, &p);
    }
}

static mo_posed into_mesh(const mo_posed *part, const mo_pose *pose)
{
    return (mo_posed){part->shape, mo_mat3_product(mo_mat3_transpose(pose->R), part->R),
                      mo_pose_undo(pose, part->p)};
}

void mo_mesh_contact(const mo_posed *part, const mo_mesh_side *mesh, double margin,
                     mo_scatter *scatter)
{
    mo_posed local = into_mesh(part, mesh->pose);
    contact_query q = {&local, mesh, margin, scatter};
    double low[3], high[3];
    mo_convex_bounds(&local, low, high);
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] -= margin;
        high[axis] += margin;
    }
    visit(mesh->tree, low, high, add_triangle, &q);
}

/* ---- time of impact ---- */

typedef struct impact_query {
    const mo_convex *part;
    const mo_mesh_side *mesh;
    mo_pose pose; /* of the part, in the frame of the mesh, with velocities relative to it */
    double first, target;
} impact_query;

static void impact_triangle(void *context, int64_t number)
{
    impact_query *q = context;
    triangle t = triangle_of(q->mesh->tree, number, q->mesh->inside);
    mo_convex shape = mo_convex_of_triangle(t.corner);
    mo_pose still = mo_pose_identity();
    double time = mo_convex_impact(q->part, &q->pose, &shape, &still, q->first, q->target);
    q->first = fmin(q->first, time);
}

/* The rotation of the mesh adds to the velocity of the part; as seen from the mesh, the part moves
 * by what both do. */
double mo_mesh_impact(const mo_convex *part, const mo_pose *pose, const mo_mesh_side *mesh,
                      double h, double target)
{
    const mo_pose *m = mesh->pose;
    mo_pose local = {.R = mo_mat3_product(mo_mat3_transpose(m->R), pose->R),
                     .p = mo_pose_undo(m, pose->p)};
    local.v = mo_mat3_apply_transposed(m->R, mo_sub(pose->v, mo_pose_velocity(m, pose->p)));
    local.w = mo_mat3_apply_transposed(m->R, mo_sub(pose->w, m->w));
    impact_query q = {part, mesh, local, h, target};
    double low[3], high[3], to_low[3], to_high[3];
    mo_pose end = mo_pose_after(&local, h);
    mo_posed first = mo_convex_at(part, &local), last = mo_convex_at(part, &end);
    mo_convex_bounds(&first, low, high);
    mo_convex_bounds(&last, to_low, to_high);
    double turn = h * mo_length(local.w) * (mo_length(part->center) + part->reach);
    turn = fmin(turn, 2 * (mo_length(part->center) + part->reach));
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = fmin(low[axis], to_low[axis]) - target - turn;
        high[axis] = fmax(high[axis], to_high[axis]) + target + turn;
    }
    visit(mesh->tree, low, high, impact_triangle, &q);
    return q.first < h ? q.first : (double)INFINITY;
}

/* ---- mesh on mesh ---- */

void mo_narrow_mesh_points(const mo_mesh_surface *surface, const mo_pose *pose,
                           const mo_mesh_side *mesh, double margin, mo_scatter *scatter)
{
    const mo_trimesh_distance *tree = mesh->tree;
    double side = mesh->inside ? -1 : 1;
    int64_t hint = -1;
    for (int64_t k = 0; k < surface->points; ++k) {
        mo_vec3 world = mo_pose_apply(pose, surface->point[k]), x = mo_pose_undo(mesh->pose, world);
        mo_vec3 low = mo_sub(tree->low, x), high = mo_sub(x, tree->high), n;
        double beyond = fmax(fmax(fmax(low.x, low.y), low.z), fmax(fmax(high.x, high.y), high.z));
        if (!mesh->inside && beyond > margin) {
            continue;
        }
        mo_trimesh_near near = mo_trimesh_nearest(tree, x, hint);
        double gap = side * mo_trimesh_signed(tree, x, &near, &n);
        hint = near.triangle;
        if (gap <= margin) {
            n = mo_scale(side, mo_mat3_apply(mesh->pose->R, n));
            mo_manifold_point p = {{world, mo_add_scaled(world, -gap, n)}, gap, (uint32_t)k};
            mo_scatter_add(scatter, n, &p);
        }
    }
}

/* ---- making one ---- */

/* Points along an edge between two vertices, in steps of about a sixteenth of the mesh. */
static int64_t edge_points(mo_vec3 a, mo_vec3 b, double step, mo_vec3 *out)
{
    double length = mo_length(mo_sub(b, a));
    int64_t count = (int64_t)(length / step);
    for (int64_t k = 0; k < count && out; ++k) {
        out[k] = mo_add_scaled(a, (double)(k + 1) / (double)(count + 1), mo_sub(b, a));
    }
    return count;
}

/* Vertices, then the edges that are no flat ones; the number of points, written if there is
 * room. */
static int64_t feature_points(const mo_trimesh *mesh, const mo_trimesh_distance *tree, mo_vec3 *out)
{
    int64_t count = mesh->vertices;
    double step = tree->size / 8;
    for (int64_t v = 0; v < mesh->vertices && out; ++v) {
        out[v] = mo_vec3_load(mesh->x + 3 * v);
    }
    for (int64_t t = 0; t < mesh->triangles; ++t) {
        for (int k = 0; k < 3; ++k) {
            int32_t from = mesh->corner[3 * t + k], to = mesh->corner[3 * t + (k + 1) % 3];
            bool sharp =
                mo_dot(tree->normal[t][MO_NEAR_FACE], tree->normal[t][MO_NEAR_EDGE + k]) < 1 - 1e-6;
            if (from < to && sharp) {
                count +=
                    edge_points(mo_vec3_load(mesh->x + 3 * from), mo_vec3_load(mesh->x + 3 * to),
                                step, out ? out + count : NULL);
            }
        }
    }
    return count;
}

mote_status mo_mesh_surface_make(const mo_trimesh *mesh, const char *name, mo_arena *arena,
                                 mo_mesh_surface *surface, mote_error *error)
{
    *surface = (mo_mesh_surface){0};
    MO_TRY(mo_trimesh_distance_build(mesh, name, false, arena, &surface->tree, error));
    surface->points = feature_points(mesh, &surface->tree, NULL);
    size_t bytes = (size_t)surface->points * sizeof *surface->point;
    surface->point = mo_arena_allocate(arena, bytes + 1);
    if (!surface->point) {
        return mo_fail_memory(error, bytes);
    }
    feature_points(mesh, &surface->tree, surface->point);
    for (int64_t v = 0; v < mesh->vertices; ++v) {
        surface->reach = fmax(surface->reach, mo_length(mo_vec3_load(mesh->x + 3 * v)));
    }
    return MOTE_OK;
}
