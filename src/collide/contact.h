/*
 * The contact record: two features of surfaces that are close to each other, whatever they belong
 * to, and the force between them.
 *
 * Each side is a point on a feature of a system, given by up to three rows with weights (a vertex
 * has one row, an edge two, a triangle three), or a point of a collider. So one record serves
 * particles on colliders, vertices on triangles, edges on edges, and bodies on bodies. The normal
 * points from side 1 to side 0, the gap is the distance of the surfaces along it, and the force
 * acts on side 0 with its opposite on side 1: on a row, times its weight.
 *
 * Records have the same size for all kinds and hold no pointers, so that a list of them is one
 * array (contact_set.h) that threads fill by ranges. What a contact law adds to a contact
 * (stiffness, anchors, multipliers) is an array of its own beside the list, with the same index: a
 * record with room for the data of every law would be mostly empty.
 *
 * The key says which features are in contact, independently of the order of rows: a contact of the
 * next step with the same key is the same contact. Friction anchors are found by it.
 */
#ifndef MO_COLLIDE_CONTACT_H
#define MO_COLLIDE_CONTACT_H

#include "math/vec3.h"

#include <stdbool.h>

enum { MO_CONTACT_ROWS = 3 };

typedef struct mo_contact_side {
    int32_t rows;   /* how many; 0: a point of a collider */
    int32_t system; /* whose rows, in the world's list */
    union {
        struct {
            int64_t row[MO_CONTACT_ROWS];
            double weight[MO_CONTACT_ROWS]; /* barycentric: their sum is 1 */
        };
        struct {
            int64_t collider; /* in the world's list */
            mo_vec3 point;    /* at which the force acts on it, in the frame of the world */
        };
    };
} mo_contact_side;

typedef enum mo_feature {
    MO_FEATURE_VERTEX = 1, /* number: the particle's id, unique in the world */
    MO_FEATURE_TRIANGLE,   /* number: in the system's table of triangles */
    MO_FEATURE_COLLIDER    /* number: in the world's list */
} mo_feature;

/* Of the features of both sides; ordered by side 0 first. */
typedef struct mo_contact_key {
    uint64_t feature[2];
} mo_contact_key;

typedef struct mo_contact {
    mo_contact_side side[2];
    mo_vec3 normal; /* unit vector from side 1 to side 0 */
    double gap;     /* distance of the surfaces along it; negative: they overlap [m] */
    mo_vec3 force;  /* on side 0, as last evaluated, or its mean over a step [N] */
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

/* Node k: those of side 0 come first. */
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
    int64_t crossings; /* of them, those whose centre was behind a surface */
} mo_contact_count;

#endif
