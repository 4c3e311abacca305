/*
 * Contact of the surfaces of position-based bodies with themselves and with each other:
 * vertex-triangle and edge-edge pairs at a distance of at least the thickness, with Coulomb
 * friction, and without intersections.
 *
 * A list holds all pairs that may come near each other while no node leaves the box around the path
 * that was expected when the list was made (surface_list.c); then it is made anew, from a refitted
 * hierarchy. Positions are compared relative to a common translation, so that a falling cloth keeps
 * its list. Every step begins with a new list: it is no state.
 *
 * In a substep, pairs nearer than the thickness, or on a path that leads there, are inequality
 * constraints (surface_project.c). They are projected like others, colour by colour, in every
 * iteration. After the last one, paths of nodes are shortened where pairs would meet
 * (surface_limit.c): each pair is followed by conservative advancement; and where shortened paths
 * keep meeting, no node moves farther than 0.45 of its distance to the nearest feature that is not
 * adjacent to it (A. H. Chen, J. Hsu, Z. Liu, M. Macklin, Y. Yang, C. Yuksel 2025, Offset geometric
 * contact, ACM Trans. Graph. 44(4)), which no pair survives at distance 0. So surfaces that do not
 * intersect stay so.
 */
#ifndef MO_SYSTEM_CONSTRAINTS_SURFACE_CONTACTS_H
#define MO_SYSTEM_CONSTRAINTS_SURFACE_CONTACTS_H

#include "geometry/hierarchy/pairs.h"
#include "geometry/simplex/proximity.h"

enum { MO_SURFACE_COLORS = 128 };

/* Parameters of a body. */
typedef struct mo_surface_body {
    double thickness;                 /* 0: no contact */
    double edge;                      /* mean length of its edges */
    double friction, static_friction; /* coefficients */
    bool self;
} mo_surface_body;

/* A triangle, or an edge of a line (row[2] == row[1]). It owns some of its vertices and edges, so
 * that each belongs to one cell. */
typedef struct mo_surface_cell {
    int32_t row[3];
    int32_t body;
    uint8_t vertices, edges; /* bit k: corner k, the edge from corner k to the next */
    bool triangle;
} mo_surface_cell;

typedef struct mo_surface_pair {
    int32_t row[4];
    int32_t body[2];
    double thickness;
    double distance; /* when it was listed */
    mo_pair_kind kind;
} mo_surface_pair;

/* Nearest points of a pair at the start of the substep. distance < 0: it is far away. */
typedef struct mo_surface_near {
    double distance;
    mo_vec3 normal;
} mo_surface_near;

/* A constraint sum weight_i p_i . normal >= goal, with the multipliers of the substep. */
typedef struct mo_surface_contact {
    int32_t row[4];
    double weight[4];
    mo_vec3 normal;
    double goal;
    double mobility; /* sum of weight^2 / mass */
    double friction, static_friction;
    double push;  /* along the normal */
    mo_vec3 drag; /* friction */
    int64_t pair;
} mo_surface_contact;

typedef struct mo_surface_contacts {
    mo_memory *memory;
    mo_pool *pool;
    int64_t body_count, body_capacity, cell_count, cell_capacity, rows;
    mo_surface_body *bodies;
    mo_surface_cell *cells;
    double *rest;    /* positions in the rest shape, three per row */
    double longest;  /* edge there */
    int32_t *joined; /* rows attached to each other have one number */
    mo_hierarchy tree;
    mo_pair_search search;

    /* of the substep, set by the caller: four components per row */
    double *p;
    const double *start;

    /* the list */
    bool listed;
    int64_t box_capacity, region_capacity, block_capacity, bit_capacity, pair_capacity,
        sorted_capacity, mask_capacity, color_capacity, near_capacity, contact_capacity,
        time_capacity, moved_capacity, origin_capacity, fraction_capacity, nearest_capacity,
        count_capacity, changed_capacity;
    mo_box *boxes;        /* of the cells, along their paths */
    mo_box *regions;      /* of the nodes: where the list is valid */
    double *origin;       /* positions when it was made, three per row */
    mo_vec3 shift[2];     /* common translation since then: at the start and the end of a substep */
    uint16_t *bits;       /* of a pair of cells: which features are a pair */
    int64_t *block_start; /* pairs of a block of pairs of cells */
    int64_t pair_count;
    mo_surface_pair *pairs, *sorted;
    uint64_t *mask; /* colours of a row */
    uint8_t *color; /* of a pair */
    int64_t color_start[MO_SURFACE_COLORS + 1];
    double *moved; /* distance of each row from its origin, at most, in the substep */

    /* contacts of the substep, by colour */
    mo_surface_near *near;
    int64_t *counts; /* contacts of a block of pairs */
    int64_t contact_count;
    mo_surface_contact *contacts;
    int64_t contact_start[MO_SURFACE_COLORS + 1];

    /* shortened paths */
    double *time;     /* of pairs */
    uint8_t *changed; /* rows of the last pass */
    double *fraction;
    double *nearest;          /* distance of a row; scratch of the list: its reach */
    int64_t lists, shortened; /* lists made and paths shortened in the last step */
} mo_surface_contacts;

void mo_surface_contacts_init(mo_surface_contacts *c, mo_memory *memory, mo_pool *pool);
void mo_surface_contacts_release(mo_surface_contacts *c);

/* Adds the triangles, or else the edges, of a body whose first row is `first`. */
mote_status mo_surface_contacts_add(mo_surface_contacts *c, const mo_surface_body *body,
                                    const int32_t *triangles, int64_t triangle_count,
                                    const int32_t *edges, int64_t edge_count, int64_t first,
                                    mote_error *error);

/* After all bodies: x are the positions of the rest shape. */
mote_status mo_surface_contacts_finish(mo_surface_contacts *c, int64_t rows, const double *x,
                                       mote_error *error);

/* Attaches two rows: features with one of them and features with the other are adjacent. */
void mo_surface_contacts_join(mo_surface_contacts *c, int64_t a, int64_t b);

/* The contacts of the remaining rows: map[old row] is the new row or -1. */
mote_status mo_surface_contacts_remap(const mo_surface_contacts *c, const int64_t *map,
                                      int64_t rows, mo_surface_contacts *to, mote_error *error);

/* The steps of a substep, in this order. */
void mo_surface_contacts_begin_step(mo_surface_contacts *c);
mote_status mo_surface_contacts_find(mo_surface_contacts *c, mote_error *error);
void mo_surface_contacts_project(mo_surface_contacts *c);
mote_status mo_surface_contacts_limit(mo_surface_contacts *c, mote_error *error);

/* ---- shared by the files of this module ---- */

/* Whether there is anything to do. */
static inline bool mo_surface_contacts_active(const mo_surface_contacts *c)
{
    return c->cell_count > 0;
}

/* Makes the list for paths from start to p, if a node has left its region, or there is none. */
mote_status mo_surface_contacts_list(mo_surface_contacts *c, bool *changed, mote_error *error);

/* A lower bound of the distance of a pair in this substep. */
static inline double mo_surface_pair_apart(const mo_surface_contacts *c, const mo_surface_pair *p)
{
    const double *m = c->moved;
    double a = m[p->row[0]], b = m[p->row[3]], c1 = m[p->row[1]], c2 = m[p->row[2]];
    if (p->kind == MO_EDGE_EDGE) {
        a = c1 > a ? c1 : a;
    } else {
        b = c1 > b ? c1 : b;
    }
    return p->distance - a - (c2 > b ? c2 : b);
}

static inline void mo_surface_pair_load(const mo_surface_pair *p, const double *x, mo_vec3 out[4])
{
    for (int k = 0; k < 4; ++k) {
        out[k] = mo_vec3_load(x + 4 * (int64_t)p->row[k]);
    }
}

#endif
