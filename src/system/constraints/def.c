#include "system/constraints/def.h"

#include "constraint/constraint.h"
#include "constraint/solver/solver.h"
#include "host/system.h"

#include <math.h>
#include <string.h>

extern const mo_system_type mo_system_constraints;

/* ---- the section ---- */

typedef struct keys {
    mo_constraint_system_def constraints;
} keys;

static const mo_param PARAMS[] = {
    {"solver", MO_METHOD, MO_FIELD(mo_constraint_system_def, solver),
     .family = &mo_constraint_solvers, .initial = "\"gauss_seidel\"",
     .doc = "Solver of the constraints of a substep."},
    {"substeps", MO_INT, MO_FIELD(mo_constraint_system_def, substeps), .initial = "10",
     .range = "[1, 100000]", .doc = "Substeps of a time step, each with its own contacts."},
    {"iterations", MO_INT, MO_FIELD(mo_constraint_system_def, iterations), .range = "[1, 1000000]",
     .doc =
         "Iterations of the solver in a substep; of `newton` at most. Default 2, of `newton` 30."},
    {0}};

static const mo_section SECTION = {.name = "constraints",
                                   .doc = "Solver of position-based bodies.",
                                   .size = sizeof(mo_constraint_system_def),
                                   .params = PARAMS};

static const mo_param KEYS[] = {{"constraints", MO_SECTION, MO_FIELD(keys, constraints),
                                 .initial = "{}", .section = &SECTION,
                                 .doc = "Solver of position-based bodies (models pbd and xpbd)."},
                                {0}};

const mo_section mo_constraint_system_section = {.name = "constraints_keys",
                                                 .doc = "Position-based bodies.",
                                                 .size = sizeof(keys),
                                                 .params = KEYS};

const mo_constraint_system_def *mo_constraint_system_def_of(const mo_world_def *def)
{
    return &((const keys *)mo_world_def_system(def, &mo_system_constraints))->constraints;
}

/* ---- the models ---- */

static const mo_param MODEL[] = {
    {"constraints", MO_METHOD, .list = true, MO_FIELD(mo_position_based, constraints),
     .family = &mo_constraints, .initial = "[]",
     .doc = "Constraints of the body. Default: distance for lines; distance and bend_isometric for "
            "cloth; for tetrahedra neo_hookean_pair of xpbd, distance and volume of pbd."},
    {"damping", MO_REAL, MO_FIELD(mo_position_based, damping), .unit = "1/s", .initial = "0",
     .range = "[0, inf)",
     .doc = "Rate at which velocities approach the rigid motion of the body, whose linear and "
            "angular momentum are conserved."},
    {"thickness", MO_REAL, MO_FIELD(mo_position_based, thickness), .unit = "m", .range = "[0, inf)",
     .doc = "Least distance of two surfaces in contact; half of it from colliders and rigid bodies "
            "unless the body has a radius. 0: nodes only, no contact of surfaces. Default: 0.25 of "
            "the mean edge, at most 0.6 of the mean altitude of triangles; of solids 0.1, of lines "
            "twice the radius."},
    {"self", MO_BOOL, MO_FIELD(mo_position_based, self), .initial = "true",
     .doc = "Contact of the body's surface with itself."},
    {"friction", MO_REAL, MO_FIELD(mo_position_based, friction), .initial = "0.3",
     .range = "[0, inf)",
     .doc = "Friction coefficient between surfaces; of two bodies the geometric mean."},
    {"static_friction", MO_REAL, MO_FIELD(mo_position_based, static_friction), .range = "[0, inf)",
     .doc = "Static friction coefficient; default: `friction`."},
    {0}};

/* Whether a constraint has this parameter, and it is given. */
static bool is_given(mo_method constraint, const char *name)
{
    for (const mo_param *p = constraint.type->params; p->name; ++p) {
        if (strcmp(p->name, name) == 0) {
            return !isnan(*(const double *)((const char *)constraint.params + p->offset));
        }
    }
    return false;
}

static mote_status check_model(const void *params, bool extended, mote_error *error)
{
    const mo_position_based *p = params;
    const mo_method *list = p->constraints.items;
    for (int64_t k = 0; k < p->constraints.count; ++k) {
        const char *name = list[k].type->name;
        uint32_t form = extended ? MO_CONSTRAINT_XPBD : MO_CONSTRAINT_PBD;
        const char *other = extended                          ? "stiffness"
                            : is_given(list[k], "compliance") ? "compliance"
                                                              : "damping";
        if (!(list[k].type->capabilities & form)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "constraints[%lld]: '%s' exists for %s only",
                           (long long)k, name, extended ? "pbd" : "xpbd");
        }
        if (is_given(list[k], other)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "constraints[%lld].%s: it belongs to the model '%s'; the model '%s' has "
                           "%s",
                           (long long)k, other, extended ? "pbd" : "xpbd",
                           extended ? "xpbd" : "pbd", extended ? "`compliance`" : "`stiffness`");
        }
    }
    return MOTE_OK;
}

static mote_status check_friction(const mo_position_based *p, mote_error *error)
{
    if (p->static_friction < p->friction) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "static_friction: %g is less than the dynamic friction coefficient %g",
                       p->static_friction, p->friction);
    }
    return MOTE_OK;
}

static mote_status pbd_check(const void *params, mote_error *error)
{
    MO_TRY(check_friction(params, error));
    return check_model(params, false, error);
}

static mote_status xpbd_check(const void *params, mote_error *error)
{
    MO_TRY(check_friction(params, error));
    return check_model(params, true, error);
}

static const mo_descriptor PBD = {
    .name = "pbd",
    .summary = "Position-based dynamics: constraints with a stiffness from 0 to 1, which depends "
               "on iterations and step.",
    .citation = "M. Mueller, B. Heidelberger, M. Hennix, J. Ratcliff 2007, J. Vis. Commun. Image "
                "Represent. 18, 109",
    .param_size = sizeof(mo_position_based),
    .params = MODEL,
    .check = pbd_check};

static const mo_descriptor XPBD = {
    .name = "xpbd",
    .summary = "Extended position-based dynamics: constraints with a compliance, implicit Euler "
               "steps once converged.",
    .citation = "M. Macklin, M. Mueller, N. Chentanez 2016, Motion in Games; M. Macklin et al. "
                "2019, Symp. Computer Animation (substeps)",
    .param_size = sizeof(mo_position_based),
    .params = MODEL,
    .check = xpbd_check};

static const mo_descriptor *const MODELS[] = {&PBD, &XPBD};

const mo_family mo_position_based_models = {
    .name = "model",
    .doc = "Position-based bodies.",
    .methods = MODELS,
    .count = sizeof MODELS / sizeof *MODELS,
};

bool mo_constraint_system_extended(const mo_descriptor *model)
{
    return model == &XPBD;
}

mote_status mo_constraint_system_def_check(const mo_world_def *def, mo_memory *memory,
                                           mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items;
    (void)memory;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        mo_vec3 w = bodies[k].angular_velocity;
        if (mo_body_def_system(&bodies[k]) == &mo_system_constraints && mo_dot(w, w) > 0) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "bodies[%lld].angular_velocity: belongs to rigid bodies and to oriented "
                           "particles; \"flow\": {\"type\": \"rotation\"} turns a deformable body",
                           (long long)k);
        }
    }
    return MOTE_OK;
}
