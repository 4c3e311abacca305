/*
 * Loads on a body's nodes and faces: a dead load distributed over nodes, and a pressure (follower
 * load) normal to the deformed faces. Available for all models; each is scaled by a function of
 * time.
 *
 * A total force is distributed over the selected nodes: by a third of the area of every surface
 * triangle whose nodes are all selected (a constant traction), or equally if there is none. It has
 * a potential, -F . x. Pressure has a potential if its faces are closed or their border is fixed, p
 * times the swept volume; with a free border the same is the work along a straight path and
 * approximately a potential. Neither has a Jacobian: implicit schemes evaluate them at the iterate.
 */
#ifndef MO_SOLID_LOAD_H
#define MO_SOLID_LOAD_H

#include "geometry/mesh/mesh.h"
#include "integrate/force.h"

typedef struct mo_loads mo_loads;

/* One load on the nodes [0, count) of a body whose first row is `first`. */
typedef struct mo_load {
    mo_vec3 force;   /* total force [N]; NaN: none */
    double pressure; /* on the faces between the nodes [Pa]; NaN: none */
    mo_curve scale;
} mo_load;

mote_status mo_loads_create(mo_memory *memory, mo_loads **loads, mote_error *error);
void mo_loads_destroy(void *loads, mo_memory *memory);
mote_status mo_loads_add(mo_loads *loads, const mo_load *load, const mo_mesh *mesh,
                         const int32_t *nodes, int64_t count, int64_t first, mote_error *error);

/* Creates the force, which then owns the loads. */
mote_status mo_loads_finish(mo_loads *loads, int64_t rows, mo_force *force, mote_error *error);

#endif
