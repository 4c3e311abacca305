/*
 * The section `look` of a body, a phase of a fluid or a collider: its appearance in pictures. Plain
 * data; does not affect the simulation.
 */
#ifndef MO_DRAW_LOOK_DEF_H
#define MO_DRAW_LOOK_DEF_H

#include "base/param.h"
#include "math/vec3.h"

typedef struct mo_look_def {
    mo_vec3 color; /* sRGB, 0 to 1; NaN: automatic */
    /* "auto", "matte", "glossy", "metal", "glass", "water", "honey", "milk", "wire" */
    const char *material;
    double depth; /* of liquids: the thickness that colours light so [m]; NaN: automatic */
    bool visible;
} mo_look_def;

/* Of bodies and phases; and of colliders, which also have `wire`. */
extern const mo_section mo_look_section, mo_collider_look_section;

#endif
