/*
 * The contact record: two surface features in contact, and the force between them.
 *
 * Each side is a point on a feature of a system, given by up to three rows with weights (a vertex
 * has one row, an edge two, a triangle three), or a point of a collider. One record thus serves
 * particles on colliders, vertices on triangles, edges on edges, and bodies on bodies. The normal
 * points from side 1 to side 0, the gap is the distance of the surfaces along it, and the force
 * acts on side 0 with its opposite on side 1: on a row, times its weight.
 *
 * Records have one size and no pointers, so that a list of them is one array (contact_set.h) filled
 * by threads in ranges. Data of a contact law (stiffness, anchors, multipliers) is in a parallel
 * array.
 *
 * The key identifies the features in contact, independently of the order of rows, for finding
 * friction anchors and the same contact in the next step.
 */
#ifndef MO_COLLIDE_CONTACT_H
#define MO_COLLIDE_CONTACT_H

#include "math/vec3.h"

#include <stdbool.h>

enum { MO_CONTACT_ROWS = 3 };

typedef struct mo_contact_side {
    int32_t rows;   /* number of rows; 0: a point of a collider */
    int32_t system; /* index of the system in the world's list */
    union {
        struct {
            int64_t row[MO_CONTACT_ROWS];
            double weight[MO_CONTACT_ROWS]; /* barycentric: their sum is 1 */
        };
        struct {
            int64_t collider; /* index in the world's list */
            mo_vec3 point;    /* point of application, in the world frame */
        };
    };
} mo_contact_side;

typedef enum mo_feature {
    MO_FEATURE_VERTEX = 1, /* number: the particle's id, unique in the world */
    MO_FEATURE_TRIANGLE,   /* number: index in the system's table of triangles */
    MO_FEATURE_COLLIDER    /* number: index in the world's list */
} mo_feature;

/* Features of both sides; ordered by side 0 first. */
typedef struct mo_contact_key {
    uint64_t feature[2];
} mo_contact_key;

typedef struct mo_contact {
    mo_contact_side side[2];
    mo_vec3 normal; /* unit vector from side 1 to side 0 */
    double gap;     /* signed distance of the surfaces along it; negative: overlap [m] */
    mo_vec3 force;  /* on side 0, of the last evaluation, or mean over a step [N] */
    mo_contact_key key;
} mo_contact;

/* ---- sides ---- */

static inline mo_contact_side mo_contact_vertex(int32_t system, int64_t row)
{
    return (mo_contact_side){.rows = 1, .system = system, .row = {row}, .weight = {1}};
}

static inline mo_contact_side mo_contact_collider(int64_t collider, mo_vec3 point)
{
    return (mo_contact_side){.system = -1, .collider = collider, .point = point};
}

/* ---- keys ---- */

/* Kind, system (0 where the number is unique in the world) and number in one word. */
static inline uint64_t mo_feature_of(mo_feature kind, int32_t system, int64_t number)
{
    return (uint64_t)kind << 60 | (uint64_t)(system & 0xff) << 52 |
           ((uint64_t)number & (((uint64_t)1 << 52) - 1));
}

static inline int64_t mo_feature_number(uint64_t feature)
{
    return (int64_t)(feature & (((uint64_t)1 << 52) - 1));
}

static inline mo_contact_key mo_contact_key_of(uint64_t first, uint64_t second)
{
    return (mo_contact_key){{first, second}};
}

/* ---- both sides as one list of rows ---- */

static inline int mo_contact_nodes(const mo_contact *c)
{
    return c->side[0].rows + c->side[1].rows;
}

/* Node k; those of side 0 first. */
static inline int64_t mo_contact_row(const mo_contact *c, int k)
{
    int first = c->side[0].rows;
    return k < first ? c->side[0].row[k] : c->side[1].row[k - first];
}

/* Its weight in differences of side 0 and side 1, and in the forces on rows. */
static inline double mo_contact_weight(const mo_contact *c, int k)
{
    int first = c->side[0].rows;
    return k < first ? c->side[0].weight[k] : -c->side[1].weight[k - first];
}

/* The difference of a field between side 0 and side 1, from the field of each side's system, three
   components per row; a collider's is 0. */
static inline mo_vec3 mo_contact_difference(const mo_contact *c, const double *first,
                                            const double *second)
{
    mo_vec3 sum = {0, 0, 0};
    for (int k = 0; k < mo_contact_nodes(c); ++k) {
        const double *field = k < c->side[0].rows ? first : second;
        sum = mo_add_scaled(sum, mo_contact_weight(c, k),
                            mo_vec3_load(field + 3 * mo_contact_row(c, k)));
    }
    return sum;
}

/* ---- the Jacobian ---- */

/* Minus the derivative of the force of a contact, without weights: normal n n^T + tangential (I - n
 * n^T) + slip t t^T with a unit vector t across n, or 0. It is symmetric. */
static inline void mo_contact_block(mo_vec3 n, mo_vec3 t, double normal, double tangential,
                                    double slip, double block[9])
{
    const double a[3] = {n.x, n.y, n.z}, b[3] = {t.x, t.y, t.z}, along = normal - tangential;
    for (int k = 0; k < 9; ++k) {
        block[k] = along * a[k % 3] * a[k / 3] + (k % 4 == 0 ? tangential : 0) +
                   slip * b[k % 3] * b[k / 3];
    }
}

/* Contacts of the particles of a system with colliders in a step. */
typedef struct mo_contact_count {
    int64_t contacts;  /* particles in contact */
    int64_t crossings; /* those with the centre behind a surface */
} mo_contact_count;

#endif
