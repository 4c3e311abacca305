/*
 * Internals of contact between bodies, shared by search and force evaluation.
 */
#ifndef MO_SOLID_CONTACT_STATE_H
#define MO_SOLID_CONTACT_STATE_H

#include "collide/broad_phase.h"
#include "collide/contact_set.h"
#include "solid/contact/penetration.h"
#include "solid/contact/surface_contact.h"
#include "store/store.h"

enum {
    MO_CONTACT_BODIES = 4, /* maximum number of contacts of one node */
    MO_CONTACT_SIDES = 12  /* maximum number of triangles with a stored side for one node */
};

/* A node of a surface. */
typedef struct mo_contact_point {
    int32_t row, body;
    double k;
    int64_t id;   /* of the particle */
    mo_vec3 rest; /* its position in the rest shape */
} mo_contact_point;

typedef struct mo_contact_triangle {
    int32_t row[3], point[3], body;
    int32_t number; /* at insertion: the table is compacted when rows are removed */
    uint8_t border; /* bit e: the edge from corner e on has one triangle; bit 3 + k: so has an edge
                     * at corner k */
} mo_contact_triangle;

/* A body with a surface. */
typedef struct mo_contact_body {
    int64_t first_point, point_count;
    /* its current bounding box, extended by the contact distance */
    mo_vec3 low, high;
    double k;                       /* the mean of its points */
    int64_t first_near, near_count; /* the bodies whose boxes overlap it, in `near` */
    bool open;                      /* a surface without an inside: both sides are in contact */
} mo_contact_body;

/* A triangle near a node, and its distance. */
typedef struct mo_contact_found {
    int32_t triangle, body;
    double distance;  /* signed */
    double rank;      /* minimised: distance minus hysteresis */
    double weight[3]; /* barycentric coordinates of the nearest point */
    mo_vec3 n;
    mo_vec3 surface_normal; /* interpolated from the corners */
    int side;               /* of a surface with two sides: 1 along its normal, -1; 0: undefined */
    bool acts;              /* likewise: no nearer triangle shares the nearest point */
} mo_contact_found;

/* A vertex (side 0) on a triangle (side 1) of another body: data of the law in parallel to its
 * record. */
enum { MO_BODY_NODES = 4 };
typedef struct mo_body_contact {
    int32_t point[MO_BODY_NODES]; /* of each node of the contact */
    int32_t triangle;
    mo_vec3 slide;    /* slip direction above the slip speed; else 0 */
    double stiffness; /* -df_n/dd [N/m] */
    double k, depth;
    double damping, friction;        /* -df_n/du, and -f_t/u_t [kg/s] */
    mo_vec3 displacement;            /* in a static solve: tangential, ... */
    double stiffness_t, slip_energy; /* ... its stiffness [N/m], and its energy */
} mo_body_contact;

/* The tangential displacement of a node along a body at the last accepted iterate of a static
 * solve. */
typedef struct mo_contact_slip {
    int32_t body, triangle; /* body -1: none */
    mo_vec3 displacement, normal;
} mo_contact_slip;

struct mo_body_contacts {
    mo_memory *memory;
    mo_body_contact_def def;
    int32_t system;             /* index of the system */
    double gap, reach, longest; /* longest: of all edges in the rest shape */
    double onset;               /* distance below which nodes are in contact */
    double mean_edge;           /* of the finest surface */
    mo_penetrations penetrations;
    bool two_sided;    /* some triangles are in contact on both sides (two_sided.c) */
    double side_range; /* the distance within which sides are stored */
    mo_column *sides;  /* of the system: the sides that nodes are on */
    bool recording;    /* the next search stores sides */
    int64_t body_count, body_capacity, point_count, point_capacity, triangle_count,
        triangle_capacity;
    mo_contact_body *bodies;
    mo_contact_point *points; /* by row */
    mo_contact_triangle *triangles;
    int32_t *renumbered; /* the new index of a point, during removal of rows */
    /* of the last evaluation */
    int64_t box_capacity, near_capacity;
    mo_box *boxes; /* of the bodies */
    mo_broad_phase broad;
    int32_t *near;
    int64_t normal_capacity, found_capacity, start_capacity, entry_capacity, cell_capacity,
        cell_entry_capacity;
    mo_vec3 *normals;        /* of the points */
    mo_contact_found *found; /* MO_CONTACT_BODIES of each point; body -1: no more */
    int64_t *cell_start;     /* the hashed grid: triangles of a bucket */
    int32_t *cell_entries;
    int64_t buckets;
    double cell, skin;
    /* the pairs that may be in contact (pairs.c): point p has the triangles
     * pairs[pair_start[p]...] */
    int64_t pair_start_capacity, pair_capacity, listed_capacity, listed_count;
    int64_t *pair_start;
    int32_t *pairs;
    mo_vec3 *listed;    /* positions of the points when they were listed; listed_count 0: not yet */
    mo_contact_set set; /* by vertex */
    int64_t law_capacity;
    mo_body_contact *laws; /* of each contact of the set */
    int64_t *start;        /* point p has the entries [start[p], start[p + 1]) */
    int32_t *entries;      /* contact * MO_BODY_NODES + index of the node in it */
    uint64_t number, signature;
    /* of a static solve */
    bool solving;
    int64_t slip_capacity, position_capacity;
    mo_contact_slip *slips; /* MO_CONTACT_BODIES of each point */
    mo_vec3 *positions;     /* of the points */
    int64_t position_count; /* number of them stored by the last solve; 0: none */
};

/* Friction in a static solve (static_friction.c): mo_force_statics.accept, and the force of a
 * contact. */
mote_status mo_body_contacts_accept(void *contacts, const double *x, mote_error *error);
void mo_body_contacts_add_static_friction(const mo_body_contacts *c, int64_t contact,
                                          const double *x);

/* Lists the pairs of points and triangles that may be in contact at x, if the last list is
 * outdated. */
mote_status mo_contact_find_pairs(mo_body_contacts *c, const double *x, mo_pool *pool,
                                  mote_error *error);

/* Finds the bodies' bounding boxes at x, and their overlaps; whether another body may be close
 * to a box. */
mote_status mo_contact_find_boxes(mo_body_contacts *c, const double *x, mote_error *error);
bool mo_contact_is_near_other(const mo_body_contacts *c, int32_t own, mo_vec3 low, mo_vec3 high);
void mo_contact_box_grow(mo_vec3 *low, mo_vec3 *high, mo_vec3 x);

/* Surfaces with two sides (two_sided.c): whether a triangle is one to a point of body `own`; the
 * candidates of a point, nearest first, of which the contacts are chosen. */
typedef struct mo_contact_candidates {
    int count;
    mo_contact_found list[MO_CONTACT_SIDES];
} mo_contact_candidates;

bool mo_contact_is_two_sided(const mo_body_contacts *c, int32_t own, int32_t triangle);
/* Whether a pair may be in contact at all: not for neighbours in the rest shape. */
bool mo_contact_may_meet(const mo_body_contacts *c, int64_t point, int32_t triangle);
void mo_contact_add_candidate(const mo_body_contacts *c, int64_t point, mo_contact_found found,
                              mo_contact_candidates *candidates);
void mo_contact_choose(mo_body_contacts *c, int64_t point, mo_contact_candidates *candidates,
                       mo_contact_found *list);
/* The reduction of the rank of the triangle of the last accepted iterate. */
double mo_contact_hysteresis(const mo_body_contacts *c, int64_t point, int32_t triangle);
/* Marks the edges of triangle `first` and the following that have one triangle. */
mote_status mo_contact_mark_borders(mo_body_contacts *c, int64_t first, mote_error *error);

/* Finds the contacts at x. */
mote_status mo_body_contacts_search(mo_body_contacts *c, const double *x, mo_pool *pool,
                                    mote_error *error);

#endif
