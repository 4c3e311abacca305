/*
 * A straight beam of rectangular cross section with any orientation: a lattice of cells along it,
 * divided into tetrahedra.
 */
#include "geometry/generate/generate.h"
#include "geometry/mesh/cells.h"
#include "geometry/mesh/volume.h"

typedef struct beam {
    mo_vec3 start, end, up;
    double width, height;
    int64_t segments, across, high, tetrahedra;
} beam;

static const mo_param PARAMS[] = {
    {"start", MO_VEC3, MO_FIELD(beam, start), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "Centre of the first end face."},
    {"end", MO_VEC3, MO_FIELD(beam, end), .unit = "m", .initial = "[1, 0, 0]",
     .doc = "Centre of the other end face."},
    {"width", MO_REAL, MO_FIELD(beam, width), .unit = "m", .initial = "0.1", .range = "(0, inf)",
     .doc = "Width, perpendicular to the beam and to `up`."},
    {"height", MO_REAL, MO_FIELD(beam, height), .unit = "m", .initial = "0.1", .range = "(0, inf)",
     .doc = "Height, along `up`."},
    {"up", MO_VEC3, MO_FIELD(beam, up), .initial = "[0, 0, 1]",
     .doc = "Direction of the height, projected to be perpendicular to the beam."},
    {"segments", MO_INT, MO_FIELD(beam, segments), .initial = "20", .range = "[1, 1e6]",
     .doc = "Cells along the beam."},
    {"across", MO_INT, MO_FIELD(beam, across), .initial = "2", .range = "[1, 1e4]",
     .doc = "Cells over the width."},
    {"high", MO_INT, MO_FIELD(beam, high), .initial = "2", .range = "[1, 1e4]",
     .doc = "Cells over the height."},
    {"tetrahedra", MO_INT, MO_FIELD(beam, tetrahedra), .initial = "5", .range = "[5, 6]",
     .doc = "Tetrahedra per cell: 5 in mirrored orientations, or 6 in equal orientation."},
    {0}};

static mote_status beam_check(const void *params, mote_error *error)
{
    const beam *b = params;
    if (!(mo_length(mo_sub(b->end, b->start)) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "end: it coincides with start");
    }
    return mo_mesh_check_size(
        "segments", (double)(b->segments + 1) * (double)(b->across + 1) * (double)(b->high + 1),
        error);
}

/* The directions of width, height and length; a right-handed triple. */
typedef struct frame {
    mo_vec3 width, height, length;
} frame;

static frame frame_of(const beam *b)
{
    mo_vec3 none = {0, 0, 0}, span = mo_sub(b->end, b->start), along = mo_unit(span, none);
    mo_vec3 width = mo_cross(mo_unit(b->up, none), along);
    width = mo_length(width) > 1e-9 ? mo_unit(width, none) : mo_perpendicular(along);
    return (frame){mo_scale(b->width, width), mo_scale(b->height, mo_cross(along, width)), span};
}

static mote_status add_to_sets(const beam *b, int64_t i, int64_t j, int64_t k, mo_mesh *mesh,
                               mote_error *error)
{
    struct {
        bool member;
        const char *name;
    } sets[] = {{true, "all"},           {k == 0, "start"},     {k == b->segments, "end"},
                {j == 0, "bottom"},      {j == b->high, "top"}, {i == 0, "right"},
                {i == b->across, "left"}};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; ++s) {
        if (sets[s].member) {
            MO_TRY(mo_mesh_add_to_set(mesh, sets[s].name, mesh->node_count - 1, error));
        }
    }
    return MOTE_OK;
}

static mote_status beam_build(const void *params, mo_mesh *mesh, mote_error *error)
{
    const beam *b = params;
    frame f = frame_of(b);
    MO_TRY(mo_mesh_reserve(mesh, (b->segments + 1) * (b->across + 1) * (b->high + 1), 0, 0, error));
    for (int64_t k = 0; k <= b->segments; ++k) {
        for (int64_t j = 0; j <= b->high; ++j) {
            for (int64_t i = 0; i <= b->across; ++i) {
                mo_vec3 x = mo_add_scaled(b->start, (double)k / (double)b->segments, f.length);
                x = mo_add_scaled(x, (double)j / (double)b->high - 0.5, f.height);
                x = mo_add_scaled(x, (double)i / (double)b->across - 0.5, f.width);
                MO_TRY(mo_mesh_add_node(mesh, x, 0, error));
                MO_TRY(add_to_sets(b, i, j, k, mesh, error));
            }
        }
    }
    mesh->spacing = fmin(mo_length(f.length) / (double)b->segments,
                         fmin(b->width / (double)b->across, b->height / (double)b->high));
    MO_TRY(mo_cells_cut(mesh, b->across + 1, b->high + 1, b->segments + 1, b->tetrahedra, error));
    return mo_mesh_finish_volume(mesh, error);
}

const mo_mesh_type mo_mesh_beam = {
    .base = {.name = "beam",
             .summary =
                 "A straight beam of tetrahedra. Sets: start, end, bottom, top, left and right as "
                 "seen along it, all.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(beam),
             .params = PARAMS,
             .check = beam_check},
    .build = beam_build,
};
