/*
 * Bodies made of meshes, for every system whose rows are nodes: rows with masses and velocities,
 * names, edges, triangles, tetrahedra, embedded surfaces, pins and loads. What only one system has
 * (orientations, models) is added by its hooks.
 */
#ifndef MO_HOST_MESH_BODIES_H
#define MO_HOST_MESH_BODIES_H

#include "geometry/mesh/mesh.h"
#include "host/kinematics.h"
#include "host/system.h"
#include "solid/load.h"

typedef struct mo_mesh_bodies mo_mesh_bodies;

/* Temporary data of a build. */
struct mo_mesh_bodies {
    mo_system *system;         /* its columns are declared */
    mo_kinematics *kinematics; /* receives the moving pins */
    void *context;             /* of the hooks, which may be NULL: */
    /* the rows of a body are filled; pins and loads follow */
    mote_status (*filled)(void *context, const mo_body_def *body, const mo_mesh *mesh,
                          int64_t first, mote_error *error);
    /* the body is complete, except for its model */
    mote_status (*added)(void *context, const mo_body_def *body, const mo_mesh *mesh, int64_t first,
                         mote_error *error);
    /* whether its particles are not connected: edges and triangles of the mesh are left out */
    bool (*loose)(const mo_body_def *body);
    /* whether a body of triangles is in the x-y plane, without stiffness along z */
    bool (*is_plane)(const mo_body_def *body);
    mo_loads *loads; /* NULL: there are none */
    int64_t edge_capacity, triangle_capacity, tetrahedron_capacity;
};

/* Adds all bodies of the scene that belong to the system. */
mote_status mo_mesh_bodies_add(mo_mesh_bodies *bodies, const mo_world_def *def, mote_error *error);

/* The force of all loads; its type stays NULL if there are none. It is the caller's. */
mote_status mo_mesh_bodies_finish_loads(mo_mesh_bodies *bodies, mo_force *force, mote_error *error);

/* Releases the loads that were not finished. */
void mo_mesh_bodies_release(mo_mesh_bodies *bodies);

#endif
