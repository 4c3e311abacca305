/*
 * A straight circular rod: a disc of triangles in rings about the axis, extruded along it as
 * prisms.
 */
#include "geometry/generate/generate.h"
#include "geometry/mesh/prisms.h"
#include "geometry/mesh/volume.h"

typedef struct rod {
    mo_vec3 start, end;
    double radius;
    int64_t segments, rings;
} rod;

static const mo_param PARAMS[] = {
    {"start", MO_VEC3, MO_FIELD(rod, start), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Centre of the first end face."},
    {"end", MO_VEC3, MO_FIELD(rod, end), .unit = "m", .initial = "[0, 0, 1]",
     .doc = "Centre of the other end face."},
    {"radius", MO_REAL, MO_FIELD(rod, radius), .unit = "m", .initial = "0.05", .range = "(0, inf)",
     .doc = "Radius of the surface nodes."},
    {"segments", MO_INT, MO_FIELD(rod, segments), .initial = "20", .range = "[1, 1e6]",
     .doc = "Layers of tetrahedra along the axis."},
    {"rings", MO_INT, MO_FIELD(rod, rings), .initial = "2", .range = "[1, 1e4]",
     .doc = "Rings of nodes about the axis: ring k has 6 k nodes, n rings give 6 n^2 triangles in "
            "a cross section."},
    {0}};

static int64_t section_nodes(int64_t rings)
{
    return 1 + 3 * rings * (rings + 1);
}

static mote_status rod_check(const void *params, mote_error *error)
{
    const rod *r = params;
    if (!(mo_length(mo_sub(r->end, r->start)) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "end: it coincides with start");
    }
    return mo_mesh_check_size("rings", (double)section_nodes(r->rings) * (double)(r->segments + 1),
                              error);
}

/* Node `step` of a ring: on the side of a regular hexagon, projected onto the circle; the axes
 * are u and v. */
static mo_vec3 position_in_section(int64_t ring, int64_t step, double radius, mo_vec3 u, mo_vec3 v)
{
    static const double CORNER[7][2] = {
        {1, 0},  {0.5, 0.8660254037844386},   {-0.5, 0.8660254037844386},
        {-1, 0}, {-0.5, -0.8660254037844386}, {0.5, -0.8660254037844386},
        {1, 0}};
    int64_t side = step / ring;
    double t = (double)(step % ring) / (double)ring;
    double a = (1 - t) * CORNER[side][0] + t * CORNER[side + 1][0];
    double b = (1 - t) * CORNER[side][1] + t * CORNER[side + 1][1];
    double scale = radius / sqrt(a * a + b * b);
    return mo_add_scaled(mo_scale(a * scale, u), b * scale, v);
}

static mote_status add_node(const rod *r, mo_vec3 x, int64_t segment, bool outside, mo_mesh *mesh,
                            mote_error *error)
{
    int64_t node = mesh->node_count;
    MO_TRY(mo_mesh_add_node(mesh, x, 0, error));
    MO_TRY(mo_mesh_add_to_set(mesh, "all", node, error));
    if (segment == 0) {
        MO_TRY(mo_mesh_add_to_set(mesh, "start", node, error));
    }
    if (segment == r->segments) {
        MO_TRY(mo_mesh_add_to_set(mesh, "end", node, error));
    }
    return outside ? mo_mesh_add_to_set(mesh, "side", node, error) : MOTE_OK;
}

static mote_status add_nodes(const rod *r, mo_mesh *mesh, mote_error *error)
{
    mo_vec3 span = mo_sub(r->end, r->start), along = mo_unit(span, span);
    mo_vec3 u = mo_perpendicular(along), v = mo_cross(along, u);
    MO_TRY(mo_mesh_reserve(mesh, section_nodes(r->rings) * (r->segments + 1), 0, 0, error));
    for (int64_t s = 0; s <= r->segments; ++s) {
        mo_vec3 middle = mo_add_scaled(r->start, (double)s / (double)r->segments, span);
        MO_TRY(add_node(r, middle, s, false, mesh, error));
        for (int64_t ring = 1; ring <= r->rings; ++ring) {
            double radius = r->radius * (double)ring / (double)r->rings;
            for (int64_t step = 0; step < 6 * ring; ++step) {
                mo_vec3 x = mo_add(middle, position_in_section(ring, step, radius, u, v));
                MO_TRY(add_node(r, x, s, ring == r->rings, mesh, error));
            }
        }
    }
    return MOTE_OK;
}

static int32_t section_number(int64_t ring, int64_t step)
{
    return (int32_t)(ring == 0 ? 0 : section_nodes(ring - 1) + step % (6 * ring));
}

/* Counter-clockwise seen from the next section. */
static void fill_section(int64_t rings, int32_t *triangles)
{
    for (int64_t ring = 1; ring <= rings; ++ring) {
        for (int64_t side = 0; side < 6; ++side) {
            for (int64_t k = 0; k < ring; ++k) {
                int64_t outer = side * ring + k, inner = side * (ring - 1) + k;
                *triangles++ = section_number(ring - 1, inner);
                *triangles++ = section_number(ring, outer);
                *triangles++ = section_number(ring, outer + 1);
                if (k + 1 < ring) {
                    *triangles++ = section_number(ring - 1, inner);
                    *triangles++ = section_number(ring, outer + 1);
                    *triangles++ = section_number(ring - 1, inner + 1);
                }
            }
        }
    }
}

static mote_status rod_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const rod *r = params;
    int64_t count = 6 * r->rings * r->rings;
    void *section;
    MO_TRY(add_nodes(r, mesh, error));
    MO_TRY(mo_allocate_array(mesh->memory, count, 3 * sizeof(int32_t), &section, error));
    fill_section(r->rings, section);
    mote_status status =
        mo_prisms_cut(mesh, section, count, section_nodes(r->rings), r->segments, error);
    mo_release(mesh->memory, section);
    MO_TRY(status);
    return mo_mesh_finish_volume(mesh, error);
}

const mo_mesh_type mo_mesh_rod = {
    .base = {.name = "rod",
             .summary = "A straight circular rod of tetrahedra. Sets: start, end, side, all.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(rod),
             .params = PARAMS,
             .check = rod_check},
    .build = rod_build,
};
