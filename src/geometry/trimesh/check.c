#include "geometry/trimesh/check.h"

#include "math/vec3.h"

#include <string.h>

static const double COORDINATE_MAX = 1e75; /* its fourth power is finite */

typedef struct check {
    const mo_trimesh *mesh;
    const char *name;
    const mo_fans *fans;
    mote_error *error;
} check;

static mo_vec3 point(const mo_trimesh *mesh, int32_t row)
{
    return mo_vec3_load(mesh->x + 3 * (int64_t)row);
}

static const int32_t *corners(const mo_trimesh *mesh, int64_t triangle)
{
    return mesh->corner + 3 * triangle;
}

/* Searches the smaller fan of its ends: vertices with thousands of triangles are common. */
mo_edge_use mo_trimesh_edge(const mo_trimesh *mesh, const mo_fans *fans, int32_t a, int32_t b)
{
    mo_edge_use use = {0, 0, -1};
    bool from_b = fans->start[b + 1] - fans->start[b] < fans->start[a + 1] - fans->start[a];
    int32_t at = from_b ? b : a, other = from_b ? a : b;
    for (int32_t k = fans->start[at]; k < fans->start[at + 1]; ++k) {
        int32_t c = fans->item[k], triangle = c / 3, i = c % 3;
        const int32_t *corner = corners(mesh, triangle);
        bool leaves = corner[(i + 1) % 3] == other, comes = corner[(i + 2) % 3] == other;
        use.forward += from_b ? comes : leaves;
        use.backward += from_b ? leaves : comes;
        if (from_b ? leaves : comes) { /* directed from b to a: the corner at b */
            int32_t twin = from_b ? c : 3 * triangle + (i + 2) % 3;
            use.twin = use.twin < 0 || twin / 3 < use.twin / 3 ? twin : use.twin;
        }
    }
    return use;
}

bool mo_trimesh_is_flat(const mo_trimesh *mesh, int64_t triangle)
{
    const int32_t *c = corners(mesh, triangle);
    mo_vec3 p = point(mesh, c[0]), q = point(mesh, c[1]), r = point(mesh, c[2]);
    mo_vec3 a = mo_sub(q, p), b = mo_sub(r, p), d = mo_sub(r, q), n = mo_cross(a, b);
    double longest = fmax(mo_dot(a, a), fmax(mo_dot(b, b), mo_dot(d, d)));
    return !(mo_length(n) > 1e-10 * longest);
}

double mo_trimesh_volume(const mo_trimesh *mesh)
{
    double sum = 0;
    mo_vec3 origin = mesh->vertices > 0 ? point(mesh, 0) : mo_vec3_make(0, 0, 0);
    for (int64_t t = 0; t < mesh->triangles; ++t) {
        const int32_t *c = corners(mesh, t);
        mo_vec3 a = mo_sub(point(mesh, c[0]), origin), b = mo_sub(point(mesh, c[1]), origin);
        sum += mo_dot(mo_cross(a, b), mo_sub(point(mesh, c[2]), origin)) / 6;
    }
    return sum;
}

/* ---- faults of single triangles ---- */

static mote_status fail(const check *c, const char *text)
{
    return mo_fail(c->error, MOTE_ERROR_INPUT, "%.900s: %s", c->name, text);
}

static mote_status check_range(const check *c)
{
    const mo_trimesh *m = c->mesh;
    for (int64_t k = 0; k < 3 * m->triangles; ++k) {
        if (m->corner[k] < 0 || m->corner[k] >= m->vertices) {
            return mo_fail(c->error, MOTE_ERROR_INPUT,
                           "%.900s: triangle %lld has point %d as a corner; allowed: 0 to %lld",
                           c->name, (long long)(k / 3), m->corner[k], (long long)m->vertices - 1);
        }
    }
    return MOTE_OK;
}

static mote_status check_finite(const check *c)
{
    for (int64_t k = 0; k < 3 * c->mesh->vertices; ++k) {
        if (!(fabs(c->mesh->x[k]) <= COORDINATE_MAX)) {
            return mo_fail(c->error, MOTE_ERROR_INPUT,
                           "%.900s: point %lld has the coordinate %g; allowed: finite, up to %g",
                           c->name, (long long)(k / 3), c->mesh->x[k], COORDINATE_MAX);
        }
    }
    return MOTE_OK;
}

static bool is_repeated(const mo_trimesh *mesh, int64_t triangle)
{
    const int32_t *c = corners(mesh, triangle);
    return c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
}

/* Fails with the first triangle for which `is` holds. */
static mote_status check_triangles(const check *c, bool (*is)(const mo_trimesh *, int64_t),
                                   const char *what)
{
    int64_t count = 0, first = -1;
    for (int64_t t = 0; t < c->mesh->triangles; ++t) {
        if (is(c->mesh, t)) {
            first = first < 0 ? t : first;
            ++count;
        }
    }
    if (count == 0) {
        return MOTE_OK;
    }
    mo_vec3 x = point(c->mesh, corners(c->mesh, first)[0]);
    return mo_fail(c->error, MOTE_ERROR_INPUT,
                   "%.900s: triangle %lld at (%g, %g, %g) %s; there %s %lld such", c->name,
                   (long long)first, x.x, x.y, x.z, what, count == 1 ? "is" : "are",
                   (long long)count);
}

/* ---- faults of edges and vertices ---- */

static unsigned edge_fault(mo_edge_use use)
{
    if (use.forward + use.backward == 1) {
        return MO_TRIMESH_OPEN;
    }
    if (use.forward != use.backward) {
        return use.backward == 0 ? MO_TRIMESH_DIRECTION : MO_TRIMESH_OPEN;
    }
    return use.forward > 1 ? MO_TRIMESH_NONMANIFOLD_EDGE : 0;
}

static const char *edge_words(unsigned fault)
{
    switch (fault) {
    case MO_TRIMESH_OPEN:
        return "has only one triangle: the surface is open; close it, or merge nearly coincident "
               "points";
    case MO_TRIMESH_DIRECTION:
        return "is traversed in the same direction by both triangles: one of them is reversed; "
               "orient them consistently";
    default:
        return "has more than two triangles: the surface is not a manifold";
    }
}

static mote_status check_edges(const check *c, unsigned fault)
{
    int64_t count = 0;
    int32_t from = -1, to = -1;
    for (int64_t k = 0; k < 3 * c->mesh->triangles; ++k) {
        int32_t a = c->mesh->corner[k], b = c->mesh->corner[k % 3 == 2 ? k - 2 : k + 1];
        if (a != b && edge_fault(mo_trimesh_edge(c->mesh, c->fans, a, b)) == fault) {
            from = count == 0 ? a : from;
            to = count == 0 ? b : to;
            ++count;
        }
    }
    if (count == 0) {
        return MOTE_OK;
    }
    mo_vec3 x = point(c->mesh, from), y = point(c->mesh, to);
    return mo_fail(
        c->error, MOTE_ERROR_INPUT,
        "%.900s: the edge from point %d (%g, %g, %g) to point %d (%g, %g, %g) %s (%lld sides of "
        "triangles are so)",
        c->name, from, x.x, x.y, x.z, to, y.x, y.y, y.z, edge_words(fault), (long long)count);
}

/* Marks the corners at vertex v reachable from the first one across edges; returns their number. */
static int64_t walk_fan(const check *c, int32_t v, int64_t *around)
{
    const mo_fans *fans = c->fans;
    int64_t steps = 0, count = fans->start[v + 1] - fans->start[v];
    int32_t at = fans->item[fans->start[v]], begin = at;
    *around = count;
    do {
        const int32_t *t = corners(c->mesh, at / 3);
        mo_edge_use use = mo_trimesh_edge(c->mesh, fans, v, t[(at % 3 + 1) % 3]);
        if (use.twin < 0 || use.forward != 1 || use.backward != 1) {
            return -1; /* a fault of the edge, not of the vertex */
        }
        int32_t triangle = use.twin / 3; /* directed to v: v is the next corner */
        at = 3 * triangle + (use.twin % 3 + 1) % 3;
    } while (++steps <= count && at != begin);
    return steps;
}

static mote_status check_vertices(const check *c)
{
    for (int32_t v = 0; v < c->mesh->vertices; ++v) {
        int64_t around = 0;
        if (c->fans->start[v + 1] == c->fans->start[v]) {
            continue;
        }
        int64_t steps = walk_fan(c, v, &around);
        if (steps >= 0 && steps != around) {
            mo_vec3 x = point(c->mesh, v);
            return mo_fail(
                c->error, MOTE_ERROR_INPUT,
                "%.900s: two sheets meet in point %d (%g, %g, %g): the surface is not a manifold",
                c->name, v, x.x, x.y, x.z);
        }
    }
    return MOTE_OK;
}

static mote_status check_topology(const check *c, unsigned allowed)
{
    static const unsigned FAULTS[] = {MO_TRIMESH_DIRECTION, MO_TRIMESH_OPEN,
                                      MO_TRIMESH_NONMANIFOLD_EDGE};
    for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; ++k) {
        if (!(allowed & FAULTS[k])) {
            MO_TRY(check_edges(c, FAULTS[k]));
        }
    }
    return allowed & MO_TRIMESH_PINCHED ? MOTE_OK : check_vertices(c);
}

mote_status mo_trimesh_check(const mo_trimesh *mesh, const char *name, unsigned allowed,
                             mote_error *error)
{
    check c = {.mesh = mesh, .name = name, .error = error};
    mo_fans fans = {0};
    MO_TRY(check_range(&c)); /* prerequisites of the other checks */
    MO_TRY(check_finite(&c));
    if (mesh->triangles == 0) {
        return fail(&c, "has no triangles");
    }
    if (!(allowed & MO_TRIMESH_REPEATED)) {
        MO_TRY(check_triangles(&c, is_repeated, "has two identical corners"));
    }
    mote_status status = mo_fans_make(mesh, &fans, error);
    c.fans = &fans;
    if (status == MOTE_OK) {
        status = check_topology(&c, allowed);
    }
    mo_fans_release(&fans);
    MO_TRY(status);
    if (!(allowed & MO_TRIMESH_FLAT)) {
        MO_TRY(check_triangles(&c, mo_trimesh_is_flat, "has no area"));
    }
    double volume = mo_trimesh_volume(mesh);
    if (!(allowed & MO_TRIMESH_INSIDE_OUT) && !(volume > 0)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "%.900s: the normals point inwards or the surface is flat: the enclosed volume is %g; "
            "reverse its triangles",
            name, volume);
    }
    return MOTE_OK;
}
