/*
 * The family of constraints: functions C(x) of a few rows that position-based dynamics drives to
 * zero (M. Mueller et al. 2007), or that store the energy 1/2 C^2/alpha of a compliance alpha
 * (M. Macklin, M. Mueller, N. Chentanez 2016).
 *
 * A constraint method gives values and gradients only, of four constraints at once, one per lane;
 * projection, damping, residuals and energies are common to all (project.h). A method with several
 * functions (strain, attach) projects them one after the other on the same rows.
 *
 * Constraints of one method and one body form a set (set.h).
 */
#ifndef MO_CONSTRAINT_CONSTRAINT_H
#define MO_CONSTRAINT_CONSTRAINT_H

#include "base/param.h"
#include "base/pool.h"
#include "collide/collider.h"
#include "geometry/mesh/mesh.h"
#include "math/wide.h"

enum {
    MO_CONSTRAINT_NODES_MAX = 4,
    MO_CONSTRAINT_FUNCTIONS_MAX = 6,
    MO_CONSTRAINT_NUMBERS_MAX = 16
};

/* Capabilities: the forms of the solver that a constraint has. */
enum { MO_CONSTRAINT_PBD = 1u << 0, MO_CONSTRAINT_XPBD = 1u << 1 };

/* The first member of every parameter struct. */
typedef struct mo_constraint_common {
    double stiffness;  /* pbd: 0 to 1; NaN: absent */
    double compliance; /* xpbd: in the units of the constraint; NaN: absent */
    double damping;    /* xpbd: relaxation time [s] */
} mo_constraint_common;

/* Rows of the common parameters; `unit` of the compliance, `initial` its default as JSON. */
#define MO_CONSTRAINT_COMMON(type, compliance_unit) \
    {"stiffness", MO_REAL, MO_FIELD(type, common.stiffness), .range = "[0, 1]", \
     .doc = "Of pbd: fraction of the error that the iterations of a substep remove together; " \
            "default 1."}, \
        {"compliance", \
         MO_REAL, \
         MO_FIELD(type, common.compliance), \
         .unit = compliance_unit, \
         .range = "[0, inf)", \
         .doc = "Of xpbd: inverse stiffness; default 0, rigid."}, \
    { \
        "damping", MO_REAL, MO_FIELD(type, common.damping), \
            .unit = "s", .range = "[0, inf)", \
            .doc = "Of xpbd: relaxation time, damping coefficient times compliance; default 0." \
    }

struct mo_constraint_set;

/* Value and gradient of function f of the constraints of a batch, at the positions x of their
 * nodes. */
typedef void mo_constraint_evaluate(const struct mo_constraint_set *set, int64_t batch, int f,
                                    const mo_d4 x[][3], mo_d4 *value, mo_d4 gradient[][3]);

/* Second derivatives of function f (hessian.h). */
typedef mo_d4 mo_hessian[3 * MO_CONSTRAINT_NODES_MAX][3 * MO_CONSTRAINT_NODES_MAX];
typedef void mo_constraint_hessian(const struct mo_constraint_set *set, int64_t batch, int f,
                                   const mo_d4 x[][3], mo_hessian h);

typedef struct mo_projection mo_projection;
struct mo_constraint_problem;
struct mo_attached_bodies;

/* The ends of constraints that connect a body with another one or with colliders. */
typedef struct mo_constraint_ends {
    const mo_mesh *mesh;     /* of the body, in its initial position */
    const mo_mesh *other;    /* of the other body; NULL: there is none */
    int64_t other_first;     /* its first row */
    bool same;               /* both are one body */
    mo_colliders *colliders; /* at their initial poses */
    struct mo_attached_bodies *bodies;
    int64_t attached; /* the rigid body in this list that is the partner */
} mo_constraint_ends;

/* Constraints of any number of rows: the set is projected as a whole, without batches. */
typedef struct mo_constraint_group {
    /* One iteration, in place; `factor` is k of project.h. */
    void (*sweep)(struct mo_constraint_set *set, const struct mo_constraint_problem *problem,
                  double factor);
    /* The largest residual, the sum of squares, and the number of functions. */
    void (*residual)(const struct mo_constraint_set *set,
                     const struct mo_constraint_problem *problem, double sums[3]);
    /* After the velocities v of a substep, three components per row; may be NULL. */
    void (*finish)(struct mo_constraint_set *set, const struct mo_constraint_problem *problem,
                   double *v);
    double (*energy)(const struct mo_constraint_set *set, mo_pool *pool, const double *p);
    mote_status (*remap)(const struct mo_constraint_set *set, const int64_t *map, int64_t rows,
                         struct mo_constraint_set *to, mote_error *error);
    void (*release)(struct mo_constraint_set *set);
} mo_constraint_group;

typedef struct mo_constraint_type {
    mo_descriptor base;
    int nodes, functions;
    int numbers; /* constants per constraint */
    /* The form of the method for the elements of a mesh; NULL: this one. */
    const struct mo_constraint_type *(*form)(const mo_mesh *mesh);
    /* Adds the constraints of a mesh to an empty set, by mo_constraint_set_add; or NULL: */
    mote_status (*add)(struct mo_constraint_set *set, const mo_mesh *mesh, mote_error *error);
    /* Adds constraints with the body `partner` or with colliders, after all bodies exist. */
    const mo_reference *(*partner)(const void *params);
    mote_status (*connect)(struct mo_constraint_set *set, const mo_constraint_ends *ends,
                           mote_error *error);
    const struct mo_constraint_type *rigid; /* the form for a rigid partner; NULL: none */
    /* At the start of a substep, at the predicted positions; may be NULL. */
    mote_status (*begin)(struct mo_constraint_set *set, const struct mo_constraint_problem *problem,
                         mote_error *error);
    const mo_constraint_group *group; /* NULL: batches, by evaluate and project */
    mo_constraint_evaluate *evaluate;
    mo_constraint_hessian *hessian; /* NULL: the functions are linear */
    int convex; /* the first functions, as many, are convex: their second derivatives are
                 * semidefinite */
    /* Projects the batches [first, last): mo_project_batches with `evaluate` inlined. */
    void (*project)(const mo_projection *projection, int64_t first, int64_t last);
    size_t data_size; /* of the set's `data` */
    bool is_energy;   /* C is an energy in pbd, and sqrt(2 energy) with compliance 1 in xpbd */
    bool rest_energy; /* the energy is not zero in the rest shape */
    bool needs_mass;  /* stiffness is that of a material: the body needs a density or a mass */
} mo_constraint_type;

extern const mo_family mo_constraints;

#endif
