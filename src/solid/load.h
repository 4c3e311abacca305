/*
 * Loads on a body's nodes and faces: a dead force that is shared out over nodes, and a pressure
 * that stays at right angles to its faces as they turn. Any body may have them, whatever its model;
 * a curve over time scales each.
 *
 * A force is given as a whole and divided over the nodes that are meant: by a third of the area of
 * every surface triangle whose nodes all are among them (so that a face feels a constant traction),
 * or in equal parts if there is none. It has a potential, -F . x. Pressure has one where its faces
 * are closed or their border is held, p times the volume that they have swept; with a border that
 * is free the same is the work on a straight way, and nearly a potential. Neither has a Jacobian:
 * implicit schemes take them as they are at the iterate.
 */
#ifndef MO_SOLID_LOAD_H
#define MO_SOLID_LOAD_H

#include "geometry/mesh/mesh.h"
#include "integrate/force.h"

typedef struct mo_loads mo_loads;

/* One load: what acts on the nodes [0, count) of a body whose first row is `first`. */
typedef struct mo_load {
    mo_vec3 force;   /* of all of them together [N]; NaN: none */
    double pressure; /* on the faces between them [Pa]; NaN: none */
    mo_curve scale;
} mo_load;

mote_status mo_loads_create(mo_memory *memory, mo_loads **loads, mote_error *error);
void mo_loads_destroy(void *loads, mo_memory *memory);
mote_status mo_loads_add(mo_loads *loads, const mo_load *load, const mo_mesh *mesh,
                         const int32_t *nodes, int64_t count, int64_t first, mote_error *error);

/* All loads are known: makes the force, which then owns them. */
mote_status mo_loads_finish(mo_loads *loads, int64_t rows, mo_force *force, mote_error *error);

#endif
