/* Placement of a mesh from a file: unit, rotation, translation. Rows for the parameter tables of
 * file readers. */
#ifndef MO_GEOMETRY_GENERATE_PLACING_H
#define MO_GEOMETRY_GENERATE_PLACING_H

#include "base/param.h"
#include "math/quat.h"

typedef struct mo_placing {
    double scale;
    mo_vec3 turned, moved;
} mo_placing;

#define MO_PLACING_PARAMS(type, member) \
    {"scale", \
     MO_REAL, \
     MO_FIELD(type, member.scale), \
     .initial = "1", \
     .range = "(0, inf)", \
     .doc = "Length of the file's unit in metres: 0.001 for millimetres.", \
     .needs = "file"}, \
        {"turned", \
         MO_VEC3, \
         MO_FIELD(type, member.turned), \
         .unit = "rad", \
         .initial = "[0, 0, 0]", \
         .doc = "Rotation about the file's origin as a rotation vector, after scaling.", \
         .needs = "file"}, \
    { \
        "moved", MO_VEC3, MO_FIELD(type, member.moved), \
            .unit = "m", .initial = "[0, 0, 0]", \
            .doc = "Translation of the file's origin, after the rotation.", .needs = "file" \
    }

/* Transforms `count` points (x y z each). */
static inline void mo_placing_apply(const mo_placing *p, double *points, int64_t count)
{
    mo_quat turn = mo_quat_turn(mo_unit(p->turned, mo_vec3_make(0, 0, 1)), mo_length(p->turned));
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 x = mo_scale(p->scale, mo_vec3_load(points + 3 * k));
        mo_vec3_store(points + 3 * k, mo_add(mo_quat_rotate(turn, x), p->moved));
    }
}

#endif
