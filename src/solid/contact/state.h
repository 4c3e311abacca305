/* The inside of contacts between bodies, shared by the file that finds them and the files that make
 * forces of them. */
#ifndef MO_SOLID_CONTACT_STATE_H
#define MO_SOLID_CONTACT_STATE_H

#include "collide/contact_set.h"
#include "solid/contact/surface_contact.h"

enum { MO_CONTACT_BODIES = 4 }; /* in contact with one node, at most */

/* A node of a surface. */
typedef struct mo_contact_point {
    int32_t row, body;
    double k;
    int64_t id; /* of the particle */
} mo_contact_point;

typedef struct mo_contact_triangle {
    int32_t row[3], point[3], body;
    int32_t number; /* as it was added: the table closes up when rows are removed */
} mo_contact_triangle;

/* A body with a surface. */
typedef struct mo_contact_body {
    int64_t first_point, point_count;
    mo_vec3 low, high;              /* its box now, and by how much others may be away */
    double k;                       /* the mean of its points' */
    int64_t first_near, near_count; /* the bodies whose boxes overlap it, in `near` */
} mo_contact_body;

/* A box along one axis. */
typedef struct mo_contact_span {
    double low, high;
    int32_t body;
} mo_contact_span;

/* A triangle near a node, and its distance. */
typedef struct mo_contact_found {
    int32_t triangle, body;
    double distance;  /* signed */
    double rank;      /* the least is kept: distance less hysteresis */
    double weight[3]; /* barycentric coordinates of the nearest point */
    mo_vec3 n;
} mo_contact_found;

/* A vertex (side 0) on a triangle (side 1) of another body: the law's data beside its record. */
enum { MO_BODY_NODES = 4 };
typedef struct mo_body_contact {
    int32_t point[MO_BODY_NODES]; /* of each node of the contact */
    int32_t triangle;
    mo_vec3 slide;    /* the direction it slides in, faster than slip; else 0 */
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
    mo_vec3 displacement;
} mo_contact_slip;

struct mo_body_contacts {
    mo_memory *memory;
    mo_body_contact_def def;
    int32_t system;             /* whose rows these are */
    double gap, reach, longest; /* longest: of all edges at rest */
    int64_t body_count, body_room, point_count, point_room, triangle_count, triangle_room;
    mo_contact_body *bodies;
    mo_contact_point *points; /* by row */
    mo_contact_triangle *triangles;
    int32_t *renumbered; /* the new number of a point, while rows are removed */
    /* of the last evaluation */
    int64_t span_room, near_room;
    mo_contact_span *spans; /* of the bodies, in order */
    int32_t *near;
    int64_t normal_room, found_room, start_room, entry_room, cell_room, cell_entry_room;
    mo_vec3 *normals;        /* of the points */
    mo_contact_found *found; /* MO_CONTACT_BODIES of each point; body -1: no more */
    int64_t *cell_start;     /* the hashed grid: triangles of a bucket */
    int32_t *cell_entries;
    int64_t buckets;
    double cell;
    mo_contact_set set; /* by vertex */
    int64_t law_room;
    mo_body_contact *laws; /* of each contact of the set */
    int64_t *start;        /* point p has the entries [start[p], start[p + 1]) */
    int32_t *entries;      /* contact * MO_BODY_NODES + which of its nodes it is */
    uint64_t number, signature;
    /* of a static solve */
    bool solving;
    int64_t slip_room, position_room;
    mo_contact_slip *slips; /* MO_CONTACT_BODIES of each point */
    mo_vec3 *positions;     /* of the points */
    int64_t position_count; /* how many of them the last solve left behind; 0: none */
};

/* Friction in a static solve (static_friction.c): mo_force_statics.accept, and the force of a
 * contact. */
mote_status mo_body_contacts_accept(void *contacts, const double *x, mote_error *error);
void mo_body_contacts_add_static_friction(const mo_body_contacts *c, int64_t contact,
                                          const double *x);

/* Finds the bodies' boxes at x, and which of them overlap; whether a body other than its own may be
 * near a box. */
mote_status mo_contact_find_boxes(mo_body_contacts *c, const double *x, mote_error *error);
bool mo_contact_is_near_other(const mo_body_contacts *c, int32_t own, mo_vec3 low, mo_vec3 high);
void mo_contact_box_grow(mo_vec3 *low, mo_vec3 *high, mo_vec3 x);

/* Finds the contacts at x. */
mote_status mo_body_contacts_search(mo_body_contacts *c, const double *x, mo_pool *pool,
                                    mote_error *error);

#endif
