#include "system/rigid/def.h"

#include "geometry/motion/motion.h"
#include "geometry/shape/shape.h"
#include "host/drawing.h"
#include "integrate/integrator.h"
#include "integrate/step/step.h"
#include "system/rigid/rigid.h"

#include <stdio.h>
#include <string.h>

/* ---- methods ---- */

static const mo_param NO_PARAMS[] = {{0}};

static const mo_descriptor MODEL = {
    .name = "rigid",
    .summary = "A rigid body made of shapes, a closed mesh or particles, with contacts and joints.",
    .params = NO_PARAMS};
static const mo_descriptor *const MODELS[] = {&MODEL};
const mo_family mo_rigid_system_models = {
    .name = "model", .doc = "Rigid bodies.", .methods = MODELS, .count = 1};

bool mo_rigid_system_uses_matrix(const mo_rigid_settings *settings)
{
    return settings->rotation[0] == 'r';
}

/* ---- tables ---- */

static const mo_param SETTINGS[] = {
    {"integrator", MO_METHOD, MO_FIELD(mo_rigid_settings, integrator), .family = &mo_integrators,
     .initial = "\"rk4\"", .doc = "Time integrator of bodies without contacts and joints."},
    {"rotation", MO_STRING, MO_FIELD(mo_rigid_settings, rotation), .initial = "\"quaternion\"",
     .choices = "quaternion|rotation_matrix",
     .doc =
         "Orientation of bodies without contacts and joints: a quaternion, by any integrator; or "
         "a matrix by explicit Euler, R += h w~ R with Gram-Schmidt, L += h torque, w = I^-1 L, "
         "whose drift is reported."},
    {"solver", MO_STRING, MO_FIELD(mo_rigid_settings, solver), .initial = "\"substeps\"",
     .choices = "substeps|direct",
     .doc = "Solver of contacts and joints: substeps with warm-started impulses, in which joints "
            "and islands of high mass ratio are solved directly; or everything directly (RATTLE)."},
    {"substeps", MO_INT, MO_FIELD(mo_rigid_settings, substeps), .initial = "6",
     .range = "[1, 1000]",
     .doc = "Substeps of the solver in a time step; twice as many in steps that sweep joints."},
    {"dimension", MO_INT, MO_FIELD(mo_rigid_settings, dimension), .initial = "3", .range = "[2, 3]",
     .doc = "2: bodies move in the x-y plane and turn about z. Shapes of depth 1 along z have "
            "masses per unit depth."},
    {"margin", MO_REAL, MO_FIELD(mo_rigid_settings, margin), .unit = "m", .range = "[0, inf)",
     .doc = "Contacts are found up to this gap, beyond the approach in a step; default: 1 % of the "
            "smallest body."},
    {"bounce_speed", MO_REAL, MO_FIELD(mo_rigid_settings, bounce_speed), .unit = "m/s",
     .range = "[0, inf)", .doc = "Impacts slower than this are without restitution."},
    {0}};

static const mo_section SETTINGS_SECTION = {
    "rigid", "Rigid bodies: integrator, solver of contacts and joints.", sizeof(mo_rigid_settings),
    .params = SETTINGS};

static const mo_param JOINT[] = {
    {"name", MO_STRING, MO_FIELD(mo_joint_def, name), .doc = "Name; default 'joint0', ..."},
    {"type", MO_STRING, MO_FIELD(mo_joint_def, type), .required = true,
     .choices = "ball|hinge|slider|fixed|distance",
     .doc = "ball: the points coincide; hinge: and the axes; slider: motion along the axis only; "
            "fixed: no relative motion; distance: of the two points (a rod, a rope, a spring)."},
    {"bodies", MO_REFERENCE, .list = true, MO_FIELD(mo_joint_def, bodies), .target = "bodies",
     .required = true,
     .doc = "Two bodies, or one that is joined to the world or a collider. One of two may be "
            "deformable: it is joined at a node, by a ball or distance joint."},
    {"collider", MO_REFERENCE, MO_FIELD(mo_joint_def, collider), .target = "colliders",
     .doc = "Collider that one body is joined to; its motion drives the body."},
    {"node", MO_INT, MO_FIELD(mo_joint_def, node), .initial = "-1", .range = "[-1, inf)",
     .doc = "Node of the deformable body, by its index in the mesh; -1: the nearest to the point. "
            "The joint is at the node."},
    {"copies", MO_INT, .list = true, MO_FIELD(mo_joint_def, copies), .initial = "[]",
     .doc = "Which copy of each body; default the first, -1 is the last."},
    {"chain", MO_BOOL, MO_FIELD(mo_joint_def, chain), .initial = "false",
     .doc = "Joins every copy of one body with the next; the point is that between the first two."},
    {"point", MO_VEC3, MO_FIELD(mo_joint_def, point), .unit = "m",
     .doc = "Position of the joint at the start; of a distance joint, on the first body. Required, "
            "except at a given node."},
    {"other", MO_VEC3, MO_FIELD(mo_joint_def, other), .unit = "m",
     .doc = "Distance joint: the point on the second body, the collider or the world."},
    {"axis", MO_VEC3, MO_FIELD(mo_joint_def, axis), .initial = "[0, 0, 1]",
     .doc = "Axis of a hinge or slider at the start."},
    {"lower", MO_REAL, MO_FIELD(mo_joint_def, lower), .unit = "rad or m",
     .doc = "Lower limit of angle, displacement or distance."},
    {"upper", MO_REAL, MO_FIELD(mo_joint_def, upper), .unit = "rad or m",
     .doc = "Upper limit of angle, displacement or distance; default of a rope: its length."},
    {"motor_speed", MO_REAL, MO_FIELD(mo_joint_def, motor_speed), .unit = "rad/s or m/s",
     .doc = "Speed that the motor of a hinge or slider maintains; default: no motor."},
    {"motor_maximum", MO_REAL, MO_FIELD(mo_joint_def, motor_maximum), .unit = "N m or N",
     .range = "[0, inf)", .doc = "Largest torque or force of the motor; default: unlimited."},
    {"frequency", MO_REAL, MO_FIELD(mo_joint_def, frequency), .unit = "1/s", .initial = "0",
     .range = "[0, inf)", .doc = "Frequency of the joint's spring; 0: rigid."},
    {"damping_ratio", MO_REAL, MO_FIELD(mo_joint_def, damping_ratio), .initial = "0",
     .range = "[0, inf)", .doc = "Damping ratio of the spring; 1 is critical."},
    {"rest", MO_REAL, MO_FIELD(mo_joint_def, rest), .unit = "rad or m",
     .doc = "Coordinate at which the spring is relaxed, length of a rod; default: at the start."},
    {"rope", MO_BOOL, MO_FIELD(mo_joint_def, rope), .initial = "false",
     .doc = "Distance joint: slack below its length."},
    {"collide", MO_BOOL, MO_FIELD(mo_joint_def, collide), .initial = "false",
     .doc = "The joined bodies collide with each other."},
    {0}};

static const mo_section JOINT_SECTION = {"joint", "A joint of rigid bodies.", sizeof(mo_joint_def),
                                         .params = JOINT};

static const mo_param KEYS[] = {
    {"rigid", MO_SECTION, MO_FIELD(mo_rigid_def, settings), .initial = "{}",
     .section = &SETTINGS_SECTION, .doc = "Settings of rigid bodies."},
    {"joints", MO_SECTION, .list = true, MO_FIELD(mo_rigid_def, joints), .initial = "[]",
     .section = &JOINT_SECTION, .doc = "Joints of rigid bodies."},
    {0}};

const mo_section mo_rigid_system_section = {
    .name = "rigid", .doc = "Rigid bodies.", .size = sizeof(mo_rigid_def), .params = KEYS};

static const mo_param COPIES[] = {
    {"count", MO_INT, MO_FIELD(mo_copies_def, count), .required = true, .range = "[1, 1000000]",
     .doc = "Number of copies along this direction."},
    {"step", MO_VEC3, MO_FIELD(mo_copies_def, step), .unit = "m", .required = true,
     .doc = "Displacement from one copy to the next."},
    {"fewer", MO_INT, MO_FIELD(mo_copies_def, fewer), .initial = "0", .range = "[0, 1000000]",
     .doc =
         "Reduction of the count of the direction before with each further copy, as in a pyramid."},
    {0}};

static const mo_section COPIES_SECTION = {"copies", "Copies of a rigid body along a direction.",
                                          sizeof(mo_copies_def), .params = COPIES};

static const mo_param APPLIED[] = {
    {"force", MO_VEC3, MO_FIELD(mo_applied_def, force), .unit = "N", .initial = "[0, 0, 0]",
     .doc = "Force on the body."},
    {"point", MO_VEC3, MO_FIELD(mo_applied_def, point), .unit = "m",
     .doc = "Point of application at the start, which moves with the body; default: the centre of "
            "mass."},
    {"torque", MO_VEC3, MO_FIELD(mo_applied_def, torque), .unit = "N m", .initial = "[0, 0, 0]",
     .doc = "Torque on the body."},
    {"scale", MO_CURVE, MO_FIELD(mo_applied_def, scale), .initial = "1",
     .doc = "Scale factor of both as a function of time."},
    {"follows", MO_BOOL, MO_FIELD(mo_applied_def, follows), .initial = "false",
     .doc = "Force and torque turn with the body (a thruster); otherwise they keep their "
            "direction."},
    {0}};

static const mo_section APPLIED_SECTION = {"applied", "A force at a point of a rigid body.",
                                           sizeof(mo_applied_def), .params = APPLIED};

static const mo_param BODY_KEYS[] = {
    {"shape", MO_METHOD, MO_FIELD(mo_rigid_body_def, shape), .family = &mo_shapes,
     .doc = "Shape of a rigid body, in world coordinates at the start."},
    {"shapes", MO_METHOD, .list = true, MO_FIELD(mo_rigid_body_def, shapes), .initial = "[]",
     .family = &mo_shapes, .doc = "Shapes of a compound, of equal density; they may overlap."},
    {"copies", MO_SECTION, .list = true, MO_FIELD(mo_rigid_body_def, copies), .initial = "[]",
     .section = &COPIES_SECTION,
     .doc = "The body is repeated along these directions, the first one innermost."},
    {"fixed", MO_BOOL, MO_FIELD(mo_rigid_body_def, fixed), .initial = "false",
     .doc = "The body does not move."},
    {"motion", MO_METHOD, MO_FIELD(mo_rigid_body_def, motion), .family = &mo_motions,
     .doc = "Prescribed motion of a kinematic body."},
    {"friction", MO_REAL, MO_FIELD(mo_rigid_body_def, friction), .initial = "0.5",
     .range = "[0, inf)", .doc = "Coefficient of Coulomb friction; of a pair the geometric mean."},
    {"restitution", MO_REAL, MO_FIELD(mo_rigid_body_def, restitution), .initial = "0",
     .range = "[0, 1]", .doc = "Coefficient of restitution; of a pair the larger one."},
    {"rolling_friction", MO_REAL, MO_FIELD(mo_rigid_body_def, rolling_friction), .unit = "m",
     .initial = "0", .range = "[0, inf)",
     .doc = "Coefficient of rolling friction: the largest rolling moment is this length times the "
            "normal force; of a pair the sum."},
    {"linear_damping", MO_REAL, MO_FIELD(mo_rigid_body_def, linear_damping), .unit = "1/s",
     .initial = "0", .range = "[0, inf)", .doc = "Rate at which the velocity decays."},
    {"angular_damping", MO_REAL, MO_FIELD(mo_rigid_body_def, angular_damping), .unit = "1/s",
     .initial = "0", .range = "[0, inf)", .doc = "Rate at which the angular velocity decays."},
    {"applied", MO_SECTION, .list = true, MO_FIELD(mo_rigid_body_def, applied), .initial = "[]",
     .section = &APPLIED_SECTION, .doc = "Forces at points of the body, and torques."},
    {"collides", MO_BOOL, MO_FIELD(mo_rigid_body_def, collides), .initial = "true",
     .doc = "The body has contacts."},
    {0}};

const mo_section mo_rigid_system_body_section = {.name = "rigid body",
                                                 .doc = "Rigid bodies.",
                                                 .size = sizeof(mo_rigid_body_def),
                                                 .params = BODY_KEYS};

const mo_rigid_def *mo_rigid_system_def_of(const mo_world_def *def)
{
    return mo_world_def_system(def, &mo_system_rigid);
}

const mo_rigid_body_def *mo_rigid_system_body_of(const mo_body_def *body)
{
    return mo_body_def_part(body, &mo_system_rigid);
}

/* ---- checks ---- */

static mote_status check_body(const mo_body_def *body, long long index, mote_error *error)
{
    const mo_rigid_body_def *own = mo_rigid_system_body_of(body);
    int ways = (own->shape.type != NULL) + (own->shapes.count > 0) + (body->mesh.type != NULL);
    if (ways != 1) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "bodies[%lld]: a rigid body is made of exactly one of shape, shapes (at least one) and "
            "mesh",
            index);
    }
    const mo_applied_def *applied = own->applied.items;
    for (int64_t k = 0; k < own->applied.count; ++k) {
        mo_vec3 f = applied[k].force, t = applied[k].torque;
        if (mo_dot(f, f) + mo_dot(t, t) == 0) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "bodies[%lld].applied[%lld]: force and torque are both zero; give one",
                           index, (long long)k);
        }
    }
    if (!isnan(body->radius) && !body->mesh.type) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].radius: it belongs to the particles of a mesh; the size of "
                       "this body is that of its shape",
                       index);
    }
    if (own->fixed && own->motion.type) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].motion: a fixed body has none; remove fixed or motion", index);
    }
    mo_vec3 v = body->velocity, w = body->angular_velocity;
    if ((own->fixed || own->motion.type) && (mo_dot(v, v) > 0 || mo_dot(w, w) > 0)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT, "bodies[%lld].%s: a %s body has no initial velocity", index,
            mo_dot(v, v) > 0 ? "velocity" : "angular_velocity", own->fixed ? "fixed" : "kinematic");
    }
    const char *unused = body->flow.type         ? "flow"
                         : body->pins.count > 0  ? "pins"
                         : body->loads.count > 0 ? "loads"
                         : body->skin.path       ? "skin"
                                                 : NULL;
    if (unused) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies[%lld].%s: belongs to deformable bodies; a rigid body has velocity, "
                       "angular_velocity, fixed, motion and applied",
                       index, unused);
    }
    return MOTE_OK;
}

static bool is_rigid(const mo_world_def *def, const mo_reference *to)
{
    const mo_body_def *bodies = def->bodies.items;
    return mo_body_def_system(&bodies[to->index]) == &mo_system_rigid;
}

int mo_joint_def_node(const mo_world_def *def, const mo_joint_def *joint)
{
    const mo_reference *to = joint->bodies.items;
    for (int k = 0; k < (int)joint->bodies.count; ++k) {
        if (!is_rigid(def, &to[k])) {
            return k;
        }
    }
    return -1;
}

/* The end of a joint at a node. */
static mote_status check_node(const mo_world_def *def, const mo_joint_def *joint, int end,
                              long long index, mote_error *error)
{
    const mo_reference *to = joint->bodies.items;
    const mo_body_def *bodies = def->bodies.items;
    const mo_system_type *system = mo_body_def_system(&bodies[to[end].index]);
    if (!system->force_hooks || !system->force_hooks->contacts) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "joints[%lld].bodies[%d]: '%.60s' belongs to the system '%s', whose nodes "
                       "cannot be joined; allowed: bodies with the model rigid, spring, elements "
                       "or fem",
                       index, end, to[end].name, system->base.name);
    }
    if (joint->bodies.count < 2 || !is_rigid(def, &to[1 - end])) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "joints[%lld].bodies: a joint needs a rigid body; '%.60s' is deformable",
                       index, to[end].name);
    }
    if (joint->type[0] != 'b' && joint->type[0] != 'd') {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "joints[%lld].type: '%.60s' is deformable and its nodes do not rotate; "
                       "allowed: ball, distance; here %s",
                       index, to[end].name, joint->type);
    }
    return MOTE_OK;
}

static mote_status check_ends(const mo_world_def *def, const mo_joint_def *joint, long long index,
                              mote_error *error)
{
    int64_t most = joint->chain ? 1 : 2;
    int node = mo_joint_def_node(def, joint);
    if (joint->bodies.count < 1 || joint->bodies.count > most) {
        return mo_fail(error, MOTE_ERROR_INPUT, "joints[%lld].bodies: %s, here %lld", index,
                       joint->chain ? "a chain is made of the copies of one body"
                                    : "a joint has one or two bodies",
                       (long long)joint->bodies.count);
    }
    if (joint->collider.name && (joint->bodies.count > 1 || joint->chain)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "joints[%lld].collider: a joint to a collider has one body%s", index,
                       joint->chain ? " and is no chain" : "; remove one of `bodies`");
    }
    if (node < 0 && joint->node >= 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "joints[%lld].node: belongs to joints with a deformable body; all of "
                       "`bodies` are rigid",
                       index);
    }
    MO_TRY(node >= 0 ? check_node(def, joint, node, index, error) : MOTE_OK);
    bool distance = joint->type[0] == 'd', given = joint->node >= 0;
    if (isnan(joint->point.x) && !(given && (!distance || node == 0))) {
        return mo_fail(error, MOTE_ERROR_INPUT, "joints[%lld].point: required%s", index,
                       node >= 0 && !distance ? ", or `node`" : "");
    }
    if (distance && isnan(joint->other.x) && !(given && node == 1)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "joints[%lld].other: a distance joint has two points", index);
    }
    if (joint->copies.count > joint->bodies.count) {
        return mo_fail(error, MOTE_ERROR_INPUT, "joints[%lld].copies: one for each body", index);
    }
    return MOTE_OK;
}

static mote_status check_joint(const mo_world_def *def, const mo_joint_def *joint, long long index,
                               mote_error *error)
{
    MO_TRY(check_ends(def, joint, index, error));
    if (!(mo_length(joint->axis) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "joints[%lld].axis: it must not be zero", index);
    }
    bool distance = joint->type[0] == 'd',
         free = distance || joint->type[0] == 'h' || joint->type[0] == 's';
    if (!free && !(isnan(joint->lower) && isnan(joint->upper))) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "joints[%lld].%s: limits belong to hinge, slider and distance", index,
                       isnan(joint->lower) ? "upper" : "lower");
    }
    if (joint->lower > joint->upper) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "joints[%lld].lower: %g is above upper = %g; exchange them", index,
                       joint->lower, joint->upper);
    }
    bool drives = joint->type[0] == 'h' || joint->type[0] == 's';
    if (!drives && !isnan(joint->motor_speed)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "joints[%lld].motor_speed: motors belong to hinge and slider", index);
    }
    mo_vec3 rod = mo_sub(joint->point, joint->other);
    if (distance && !joint->rope && joint->frequency == 0 && mo_length(rod) == 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "joints[%lld].other: it coincides with point, and a rod of length zero has no "
            "direction; use a ball joint, or move one of the points",
            index);
    }
    if (joint->rope && !distance) {
        return mo_fail(error, MOTE_ERROR_INPUT, "joints[%lld].rope: belongs to a distance joint",
                       index);
    }
    return MOTE_OK;
}

/* The time step and the integrator must fit each other. */
static mote_status check_stepping(const mo_world_def *world, const mo_rigid_settings *s,
                                  mote_error *error)
{
    unsigned control = world->time.step.type->capabilities;
    bool varies = control & MO_STEP_VARIES && !(control & MO_STEP_ADVISED);
    if (varies && !(s->integrator.type->capabilities & MO_VARIABLE_STEP)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "time.step: '%s' varies the step, which rigid.integrator '%s' does not "
                       "support (it loses its order); use {\"type\": \"auto\"}, {\"type\": "
                       "\"fixed\", \"size\": ...} or another integrator",
                       world->time.step.type->name, s->integrator.type->name);
    }
    if (mo_rigid_system_uses_matrix(s) && strcmp(s->integrator.type->name, "explicit_euler") != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "rigid.rotation: rotation_matrix is a scheme of explicit Euler; set "
                       "rigid.integrator to explicit_euler, here '%s'",
                       s->integrator.type->name);
    }
    return MOTE_OK;
}

mote_status mo_rigid_system_def_check(const mo_world_def *world, mo_memory *memory,
                                      mote_error *error)
{
    const mo_rigid_def *def = mo_rigid_system_def_of(world);
    const mo_body_def *bodies = world->bodies.items;
    const mo_joint_def *joints = def->joints.items;
    bool any = false;
    for (int64_t k = 0; k < world->bodies.count; ++k) {
        if (mo_body_def_system(&bodies[k]) == &mo_system_rigid) {
            MO_TRY(check_body(&bodies[k], k, error));
            any = true;
        }
    }
    MO_TRY(mo_check_names("joints", "joint", &def->joints, sizeof(mo_joint_def),
                          offsetof(mo_joint_def, name), memory, error));
    for (int64_t k = 0; k < def->joints.count; ++k) {
        MO_TRY(check_joint(world, &joints[k], k, error));
    }
    if (any && def->settings.dimension == 2 && mo_world_def_gravity(world).z != 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "gravity: rigid bodies move in the plane z = 0 (rigid.dimension is 2), but "
            "gravity has a component along z; set \"up\": \"y\", or a gravity without z");
    }
    mo_domain domain = mo_world_def_domain(world);
    if (any && mo_domain_periodic(&domain)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "domain: contact of rigid bodies across a periodic boundary is not "
                       "supported; remove `domain.periodic` or the rigid bodies");
    }
    return any ? check_stepping(world, &def->settings, error) : MOTE_OK;
}

/* ---- drawing ---- */

static bool has_copies(const mo_body_def *body)
{
    return mo_rigid_system_body_of(body)->copies.count > 0;
}

const mo_drawing_hooks mo_rigid_system_drawing = {.has_copies = has_copies};
