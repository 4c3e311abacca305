/*
 * Builds the system of fast_corotated bodies: parameters, rows, elements, forces; editing rows.
 *
 * Departs from the paper by default: `iterated` coupling, rotations of x + h v, and the restored
 * angular momentum of free bodies (solid/fast_corotated/fast_corotated.h).
 */
#include "host/mesh_bodies.h"
#include "system/fast_corotated/state.h"

#include <math.h>

/* ---- parameters ---- */

static const mo_param PARAMS[] = {
    {"young", MO_REAL, MO_FIELD(mo_fast_corotated_params, young), .unit = "Pa", .required = true,
     .range = "(0, inf)",
     .doc = "Young's modulus: the ratio of stress to strain in uniaxial tension."},
    {"poisson", MO_REAL, MO_FIELD(mo_fast_corotated_params, poisson), .initial = "0.3",
     .range = "[0, 0.5)",
     .doc = "Poisson's ratio. At 0 there is no volume part, and the splitting is exact."},
    {"coupling", MO_STRING, MO_FIELD(mo_fast_corotated_params, coupling), .initial = "\"iterated\"",
     .choices = "iterated|weak",
     .doc = "Coupling of the stretch and the volume part: iterated until their sum is solved, or "
            "weak, one after the other as in the paper, which is too stiff at large steps."},
    {"rotations", MO_STRING, MO_FIELD(mo_fast_corotated_params, rotations),
     .initial = "\"predicted\"", .choices = "predicted|start",
     .doc = "Positions whose rotations are used in a step: those at its start, which damps "
            "bending, or predicted from the velocities."},
    {"rotation_updates", MO_INT, MO_FIELD(mo_fast_corotated_params, rotation_updates),
     .initial = "1", .range = "[1, 10000]",
     .doc = "Solves of a step, each with the rotations that result from the last one. Converges to "
            "implicit Euler of corotated elasticity."},
    {"tolerance", MO_REAL, MO_FIELD(mo_fast_corotated_params, tolerance), .initial = "0.01",
     .range = "(0, 1)",
     .doc = "Residual, relative to the unbalanced forces of the step, at which the conjugate "
            "gradients of the volume part stop. Equilibria do not depend on it."},
    {"iterations", MO_INT, MO_FIELD(mo_fast_corotated_params, iterations), .initial = "200",
     .range = "[1, 1000000]",
     .doc = "Maximum number of these iterations, with a warning if the tolerance is not reached."},
    {"damping_mass", MO_REAL, MO_FIELD(mo_fast_corotated_params, damping_mass), .unit = "1/s",
     .initial = "0", .range = "[0, inf)",
     .doc = "Rayleigh's alpha: mass-proportional damping, including rigid-body motion."},
    {"damping_stiffness", MO_REAL, MO_FIELD(mo_fast_corotated_params, damping_stiffness),
     .unit = "s", .initial = "0", .range = "[0, inf)",
     .doc = "Rayleigh's beta: stiffness-proportional damping of deformation."},
    {0}};

static const mo_descriptor MODEL = {
    .name = "fast_corotated",
    .summary = "Corotated linear elasticity by operator splitting: one constant matrix, factored "
               "once, and an implicit step by three back-substitutions.",
    .citation = "T. Kugelstadt, D. Koschier, J. Bender 2018, Comput. Graph. Forum 37(8), 149",
    .departs = "`iterated`, the default, solves for the sum of both parts; `weak` is the paper's "
               "splitting. Rotations are those of x + h v (or of x), not of a prediction with "
               "external forces, which makes bodies too soft. Polar decompositions by Newton's "
               "iteration instead of the analytic method. The angular momentum of free bodies is "
               "restored after each solve.",
    .param_size = sizeof(mo_fast_corotated_params),
    .params = PARAMS};

static const mo_descriptor *const MODELS[] = {&MODEL};

const mo_family mo_fast_corotated_models = {
    .name = "model", .doc = "Fast corotated solids.", .methods = MODELS, .count = 1};

mote_status mo_fast_corotated_system_check(const mo_world_def *def, mo_memory *memory,
                                           mote_error *error)
{
    const mo_body_def *bodies = def->bodies.items;
    (void)memory;
    for (int64_t k = 0; k < def->bodies.count; ++k) {
        mo_vec3 w = bodies[k].angular_velocity;
        if (mo_body_def_system(&bodies[k]) == &mo_system_fast_corotated && mo_dot(w, w) > 0) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "bodies[%lld].angular_velocity: belongs to rigid bodies and to oriented "
                           "particles; \"flow\": {\"type\": \"rotation\"} turns a deformable body",
                           (long long)k);
        }
    }
    return MOTE_OK;
}

/* ---- bodies ---- */

static mote_status fast_added_body(void *context, const mo_body_def *body, const mo_mesh *mesh,
                                   int64_t first, mote_error *error)
{
    mo_fast_system *fast = context;
    return mo_at_path(mo_fast_corotated_add(&fast->solid, body->model.params, mesh, first, error),
                      error, ".model: ", 0);
}

static mote_status add_loads(mo_fast_system *fast, mo_mesh_bodies *bodies, mote_error *error)
{
    mo_force loads = {0};
    MO_TRY(mo_mesh_bodies_finish_loads(bodies, &loads, error));
    mote_status status =
        loads.type ? mo_external_forces_add(&fast->forces, &loads, error) : MOTE_OK;
    if (status != MOTE_OK) {
        mo_force_destroy(&loads, fast->system->host->memory);
    }
    return status;
}

static const mo_column_spec STRESS = {"stress",   MOTE_F64, 6,
                                      MO_DERIVED, "Pa",     "Cauchy stress: 11 22 33 12 13 23"};
static const mo_column_spec VON_MISES = {"von_mises", MOTE_F64, 1,
                                         MO_DERIVED,  "Pa",     "equivalent (von Mises) stress"};

static mote_status build(mo_fast_system *fast, const mo_world_def *def, mo_mesh_bodies *bodies,
                         mote_error *error)
{
    mo_system *s = fast->system;
    MO_TRY(mo_store_create(s->host->memory, &s->store, error));
    mo_store_share_ids(s->store, &s->host->next_id);
    MO_TRY(mo_particle_columns_declare(s, error));
    MO_TRY(mo_store_declare(s->store, &VON_MISES, &fast->von_mises, error));
    MO_TRY(mo_store_declare(s->store, &STRESS, &fast->stress, error));
    s->rate = s->columns.a;
    MO_TRY(mo_mesh_bodies_add(bodies, def, error));
    s->built = mo_store_owned(s->store);
    MO_TRY(mo_fast_corotated_finish(&fast->solid, s->built, error));
    MO_TRY(mo_external_forces_create(&fast->forces, s, def, error));
    MO_TRY(add_loads(fast, bodies, error));
    mo_kinematics_set(&fast->kinematics, 0, mo_f64(s->columns.x), mo_f64(s->columns.v));
    return s->type->edit->added(s, 0, error);
}

mote_status mo_fast_corotated_system_create(const mo_world_def *def, mo_system *system,
                                            mote_error *error)
{
    mo_host *host = system->host;
    mo_fast_system *fast = mo_allocate(host->memory, sizeof *fast);
    if (!fast) {
        return mo_fail_memory(error, sizeof *fast);
    }
    system->state = fast;
    system->first_id = host->next_id;
    system->contact_offset = 1;
    fast->system = system;
    fast->forces.system = system;
    fast->stage_solve = mo_stage_add(host->stages, "fast_corotated");
    mo_fast_corotated_init(&fast->solid, host->memory);
    mo_mesh_bodies bodies = {.system = system,
                             .kinematics = &fast->kinematics,
                             .context = fast,
                             .added = fast_added_body};
    mote_status status = build(fast, def, &bodies, error);
    mo_mesh_bodies_release(&bodies);
    if (status != MOTE_OK) {
        mo_fast_corotated_system_release(system);
    }
    return status;
}

void mo_fast_corotated_system_release(mo_system *system)
{
    mo_fast_system *fast = system->state;
    mo_memory *memory = system->host->memory;
    if (fast) {
        mo_fast_corotated_release(&fast->solid);
        mo_external_forces_release(&fast->forces);
        mo_kinematics_release(&fast->kinematics, memory);
        mo_release(memory, fast->cell_rows);
        mo_release(memory, fast->cell_stress);
        mo_release(memory, fast);
    }
    mo_system_release(system);
}

/* ---- editing rows ---- */

static mote_status fast_added(mo_system *system, int64_t first, mote_error *error)
{
    return mo_external_forces_begin(&((mo_fast_system *)system->state)->forces, first, error);
}

static mote_status fast_remap(mo_system *system, const int64_t *map, int64_t rows,
                              mote_error *error)
{
    mo_fast_system *fast = system->state;
    MO_TRY(mo_fast_corotated_remap(&fast->solid, map, rows, error));
    return mo_external_forces_remap(&fast->forces, map, rows, error);
}

static void fast_settle(mo_system *system, const int64_t *map)
{
    mo_fast_system *fast = system->state;
    mo_fast_corotated_settle(&fast->solid, map);
    if (map) {
        mo_kinematics_remap(&fast->kinematics, map);
    }
    mo_external_forces_settle(&fast->forces, map);
}

const mo_edit_hooks mo_fast_corotated_system_edit = {
    .added = fast_added, .remap = fast_remap, .settle = fast_settle};
