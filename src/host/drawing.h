/*
 * How the rows of a system are drawn, from the definition of a scene alone: stored frames are drawn
 * without the system.
 */
#ifndef MO_HOST_DRAWING_H
#define MO_HOST_DRAWING_H

#include "draw/look_def.h"
#include "host/def.h"

/* Entry of a list of the scene that rows refer to by an index, with a look of its own: a phase of a
 * fluid. */
typedef struct mo_category {
    const struct mo_system_type *system;
    const char *column;   /* with the index of a row's category */
    int64_t index, count; /* in its system, and the number of these */
    const char *name;     /* NULL: it has none */
    const mo_look_def *look;
    double viscosity; /* kinematic [m^2/s]; 0: unknown */
} mo_category;

typedef struct mo_drawing_hooks {
    /* Category `category->index` of a scene, whose other members are filled; false: there is none.
     * NULL: rows have the looks of their bodies. */
    bool (*category)(const mo_world_def *def, mo_category *category);
    /* The radius of all rows, which are added, removed and sorted; 0: not in this scene. NULL:
     * radii are a column. */
    double (*radius)(const mo_world_def *def);
    /* Whether its rows in this scene are in the plane z = 0. May be NULL. */
    bool (*is_planar)(const mo_world_def *def);
    /* Whether a body consists of copies, which are distinguished by shades. May be NULL. */
    bool (*has_copies)(const mo_body_def *body);
    bool liquid; /* its rows have a free surface, which `mote surface` extracts */
} mo_drawing_hooks;

/* Category number k of a scene, over all systems; false beyond the last. */
bool mo_category_at(const mo_world_def *def, int64_t k, mo_category *category);
int64_t mo_category_count(const mo_world_def *def);

/* Whether rows of the system with this name are drawn as a liquid. */
bool mo_system_is_liquid(const char *name);

/* The radius of the rows of a system without a column for it; 0: unknown. A name "" is that of the
 * only system of the scene. */
double mo_drawn_radius(const mo_world_def *def, const char *system);

bool mo_drawn_is_planar(const mo_world_def *def);
bool mo_drawn_has_copies(const mo_body_def *body);

#endif
