/*
 * A torus of triangles: circles along the tube, each turned by half a step against the one before,
 * so that triangles are nearly equilateral on the middle of the tube. For surfaces of oriented
 * particles (`"axes": "normals"`) and rings.
 */
#include "geometry/generate/generate.h"
#include "geometry/mesh/volume.h"
#include "math/portable.h"

typedef struct torus {
    mo_vec3 center;
    double radius, tube;
    int64_t around, across;
} torus;

static const mo_param PARAMS[] = {
    {"radius", MO_REAL, MO_FIELD(torus, radius), .unit = "m", .initial = "0.5", .range = "(0, inf)",
     .doc = "Distance of the tube's centre line from the axis, which is z."},
    {"tube", MO_REAL, MO_FIELD(torus, tube), .unit = "m", .initial = "0.2", .range = "(0, inf)",
     .doc = "Radius of the tube, below `radius`."},
    {"around", MO_INT, MO_FIELD(torus, around), .initial = "36", .range = "[3, 1e6]",
     .doc = "Nodes around the axis."},
    {"across", MO_INT, MO_FIELD(torus, across), .initial = "16", .range = "[4, 1e6]",
     .doc = "Nodes around the tube; an even number."},
    {"center", MO_VEC3, MO_FIELD(torus, center), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "The middle."},
    {0}};

static mote_status torus_check(const void *params, mote_error *error)
{
    const torus *t = params;
    if (!(t->tube < t->radius)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "tube: %g must be below the radius %g", t->tube,
                       t->radius);
    }
    if (t->across % 2 != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "across: %lld is odd; allowed: an even number",
                       (long long)t->across);
    }
    return mo_mesh_check_size("around", (double)t->around * (double)t->across, error);
}

static mote_status add_nodes(const torus *t, mo_mesh *mesh, mote_error *error)
{
    for (int64_t j = 0; j < t->across; ++j) {
        double tube_cosine, tube_sine;
        mo_turn((double)j / (double)t->across, &tube_cosine, &tube_sine);
        for (int64_t i = 0; i < t->around; ++i) {
            double cosine, sine, r = t->radius + t->tube * tube_cosine;
            mo_turn(((double)i + 0.5 * (double)(j % 2)) / (double)t->around, &cosine, &sine);
            mo_vec3 x = mo_vec3_make(r * cosine, r * sine, t->tube * tube_sine);
            MO_TRY(mo_mesh_add_node(mesh, mo_add(t->center, x), 0, error));
            MO_TRY(mo_mesh_add_to_set(mesh, "all", mesh->node_count - 1, error));
        }
    }
    return MOTE_OK;
}

/* Two triangles for each node: towards the next circle, and back from it. */
static mote_status add_triangles(const torus *t, mo_mesh *mesh, mote_error *error)
{
    for (int64_t j = 0; j < t->across; ++j) {
        int64_t low = j * t->around, high = (j + 1) % t->across * t->around;
        for (int64_t i = 0; i < t->around; ++i) {
            int64_t next = (i + 1) % t->around, a = low + i, b = low + next, c = high + i,
                    d = high + next;
            bool even = j % 2 == 0; /* the next circle is half a step ahead */
            MO_TRY(mo_mesh_add_triangle(mesh, a, b, even ? c : d, error));
            MO_TRY(mo_mesh_add_triangle(mesh, even ? b : a, d, c, error));
        }
    }
    return MOTE_OK;
}

static mote_status torus_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const torus *t = params;
    int64_t nodes = t->around * t->across;
    MO_TRY(mo_mesh_reserve(mesh, nodes, 0, 2 * nodes, error));
    MO_TRY(add_nodes(t, mesh, error));
    MO_TRY(add_triangles(t, mesh, error));
    return mo_mesh_finish_edges(mesh, error);
}

const mo_mesh_type mo_mesh_torus = {
    .base = {.name = "torus",
             .summary = "A torus of triangles around the z axis. Sets: all.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(torus),
             .params = PARAMS,
             .check = torus_check},
    .build = torus_build,
};
