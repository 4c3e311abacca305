/* The state of contact by penetration (heidelberger2004.c): tetrahedra, surface edges, and what a
 * search needs. */
#ifndef MO_SOLID_CONTACT_PENETRATION_H
#define MO_SOLID_CONTACT_PENETRATION_H

#include "geometry/hierarchy/query.h"
#include "geometry/subdivide/subdivide.h"

typedef struct mo_contact_tetrahedron {
    int32_t row[4], body;
    mo_vec3 rest; /* its centroid in the rest shape */
} mo_contact_tetrahedron;

/* A surface node in a tetrahedron of a body. */
typedef struct mo_penetration {
    int32_t point, body;
    int32_t layer; /* edges from the border of the overlap: 0 next to it; -1: not known (yet) */
    double depth;
    mo_vec3 direction; /* unit vector out of the body */
} mo_penetration;

typedef struct mo_penetrations {
    mo_memory *memory;
    int64_t count, capacity; /* tetrahedra */
    mo_contact_tetrahedron *tetrahedra;
    /* rows: of the tetrahedra and nodes that may be in contact, of all triangles */
    int32_t *active, *active_rows, *queries, *query_points, *triangle_rows;
    int64_t active_capacity, active_rows_capacity, query_capacity, query_point_capacity,
        triangle_row_capacity;
    int64_t active_count, query_count;
    /* neighbours of a point along surface edges: near[start[p] .. start[p + 1]) */
    int32_t *start, *near;
    int64_t start_capacity, near_capacity,
        linked; /* linked: points when they were listed; 0: not yet */
    bool ready; /* the search structure is made */
    mo_subdivision search;
    mo_pair_search pairs;
    mo_hierarchy surface; /* of the triangles */
    mo_penetration *list; /* by point, then body */
    int64_t list_count, list_capacity;
} mo_penetrations;

void mo_penetrations_init(mo_penetrations *p, mo_memory *memory);
void mo_penetrations_release(mo_penetrations *p);
mote_status mo_penetrations_add(mo_penetrations *p, int32_t body, const int32_t *tetrahedra,
                                int64_t count, const double *x, mote_error *error);
/* Rows have been removed. */
void mo_penetrations_remap(mo_penetrations *p, const int64_t *map);

#endif
