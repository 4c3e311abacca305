/* Joints from a scene. */
#include "couple/joint_links.h"

#include <string.h>

/* A joint of the scene at the initial poses. */
typedef struct building {
    const mo_world_def *def;
    mo_coupling *coupling;
    mo_joint_links *links;
    const int64_t *number; /* of each body of the scene among those of its system */
    const mo_joint_def *joint;
    int64_t index;
} building;

/* A position that an end is attached to, and its frame. */
typedef struct frame {
    mo_vec3 x;
    mo_quat q;
    int32_t row; /* of a rigid body; -1: none */
} frame;

static const mo_joint_def *joints_of(const mo_world_def *def)
{
    return mo_rigid_system_def_of(def)->joints.items;
}

/* The system type of the node of a joint; NULL: it has none. */
static const mo_system_type *node_system(const mo_world_def *def, const mo_joint_def *joint)
{
    const mo_reference *to = joint->bodies.items;
    const mo_body_def *bodies = def->bodies.items;
    int end = mo_joint_def_node(def, joint);
    return end < 0 ? NULL : mo_body_def_system(&bodies[to[end].index]);
}

bool mo_joint_links_wanted(const mo_world_def *def, const mo_system *b)
{
    bool any = false;
    for (int64_t k = 0; k < mo_rigid_system_def_of(def)->joints.count; ++k) {
        any = any || node_system(def, &joints_of(def)[k]) == (b ? b->type : NULL);
    }
    return any;
}

/* The rows of a body of the scene. */
static const mote_body *rows_of(const building *b, const mo_system *system,
                                const mo_reference *reference)
{
    return &system->bodies.list[b->number[reference->index]];
}

static mo_rigid_joint_kind kind_of(const char *type)
{
    static const char NAMES[] = "bhsfd"; /* ball, hinge, slider, fixed, distance */
    return (mo_rigid_joint_kind)(strchr(NAMES, type[0]) - NAMES);
}

/* ---- ends ---- */

static mo_joint_end body_end(const mo_system *system, int64_t row, frame *at)
{
    const mo_particle_columns *c = &system->columns;
    *at = (frame){mo_vec3_load(mo_f64(c->x) + 3 * row), mo_quat_load(mo_f64(c->q) + 4 * row),
                  (int32_t)row};
    return (mo_joint_end){.kind = MO_END_BODY, .number = mo_i64(c->id)[row]};
}

static mo_joint_end other_end(const building *b, frame *at)
{
    *at = (frame){.q = mo_quat_identity(), .row = -1};
    if (!b->joint->collider.name) {
        return (mo_joint_end){.kind = MO_END_WORLD};
    }
    const mo_collider *collider = &b->coupling->host->colliders->list[b->joint->collider.index];
    mo_pose pose = mo_collider_pose_at(collider, 0);
    if (!mo_motion_moves(collider->motion)) {
        return (mo_joint_end){.kind = MO_END_WORLD};
    }
    *at = (frame){pose.p, mo_quat_of_matrix(pose.R), -1};
    return (mo_joint_end){.kind = MO_END_COLLIDER, .number = b->joint->collider.index};
}

/* A body with copies is joined at the first one. */
static void warn_about_copies(const building *b, const mote_body *body)
{
    mo_host_warn(
        b->coupling->host, 0, "joint copies",
        "joints: '%.60s' has %lld copies, and a joint is attached to the first; `copies` of "
        "the joint selects another (0 is the first, -1 the last), `chain` joins all",
        body->name, (long long)body->count);
}

/* The row of a body that a joint is attached to. */
static mote_status find_row(const building *b, const mote_body *body, int64_t k, int64_t *row,
                            mote_error *error)
{
    const mo_joint_def *def = b->joint;
    const int64_t *copies = def->copies.items;
    int64_t copy = k < def->copies.count ? copies[k] : 0;
    if (copy >= body->count || copy < -body->count) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "copies[%lld]: '%.60s' has no copy %lld, the last is %lld", (long long)k,
                       body->name, (long long)copy, (long long)body->count - 1);
    }
    if (k >= def->copies.count && body->count > 1) {
        warn_about_copies(b, body);
    }
    *row = body->first + (copy < 0 ? body->count + copy : copy);
    return MOTE_OK;
}

static int64_t nearest_node(const mo_system *system, const mote_body *body, mo_vec3 point)
{
    int64_t best = body->first;
    double least = (double)INFINITY;
    for (int64_t row = body->first; row < body->first + body->count; ++row) {
        mo_vec3 d = mo_sub(mo_vec3_load(mo_f64(system->columns.x) + 3 * row), point);
        if (mo_dot(d, d) < least) {
            least = mo_dot(d, d);
            best = row;
        }
    }
    return best;
}

/* The node of end k, from its index or the nearest to `point`, which becomes its position. */
static mote_status node_end(const building *b, int k, mo_vec3 *point, mo_joint_end *end, frame *at,
                            mote_error *error)
{
    const mo_reference *to = b->joint->bodies.items;
    const mo_system *s = b->coupling->b;
    const mote_body *body = rows_of(b, s, &to[k]);
    if (b->joint->node >= body->count) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "node: '%.60s' has %lld nodes, the last is %lld; here %lld", body->name,
                       (long long)body->count, (long long)body->count - 1,
                       (long long)b->joint->node);
    }
    int64_t row =
        b->joint->node >= 0 ? body->first + b->joint->node : nearest_node(s, body, *point);
    if (!(mo_f64(s->columns.inverse_mass)[row] > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%s: node %lld of '%.60s' is pinned; join the body to the world or a "
                       "collider instead, or to a free node",
                       b->joint->node >= 0 ? "node" : "point", (long long)(row - body->first),
                       body->name);
    }
    *point = mo_vec3_load(mo_f64(s->columns.x) + 3 * row);
    *at = (frame){*point, mo_quat_identity(), -1};
    *end = (mo_joint_end){MO_END_NODE, mo_i64(s->columns.id)[row], row};
    return MOTE_OK;
}

int64_t mo_joint_find_node(const mo_system *system, mo_joint_end *end)
{
    const int64_t *id = mo_i64(system->columns.id);
    int64_t rows = mo_store_owned(system->store);
    if (end->row >= 0 && end->row < rows && id[end->row] == end->number) {
        return end->row;
    }
    end->row = -1;
    for (int64_t row = 0; row < rows && end->row < 0; ++row) {
        end->row = id[row] == end->number ? row : -1;
    }
    return end->row;
}

/* ---- joints ---- */

/* Limits, motor and spring. */
static void set_coordinate(const mo_joint_def *def, mo_rigid_joint *out)
{
    out->rest = isnan(def->rest) ? out->rest : def->rest;
    out->rope = def->rope;
    double upper = isnan(def->upper) && def->rope ? out->rest : def->upper;
    out->limited = !isnan(def->lower) || !isnan(upper);
    out->lower = isnan(def->lower) ? (out->kind == MO_JOINT_DISTANCE ? 0 : -INFINITY) : def->lower;
    out->upper = isnan(upper) ? INFINITY : upper;
    out->motor = !isnan(def->motor_speed);
    out->motor_speed = out->motor ? def->motor_speed : 0;
    out->motor_maximum = isnan(def->motor_maximum) ? INFINITY : def->motor_maximum;
    out->frequency = def->frequency;
    out->damping_ratio = def->damping_ratio;
    out->collide = def->collide;
}

static mote_status add_link(const building *b, int64_t copy, const mo_joint_end end[2],
                            const frame at[2], mo_vec3 point, mo_vec3 other, mote_error *error)
{
    mo_joint_links *links = b->links;
    MO_TRY(mo_reserve(b->coupling->host->memory, &links->list, &links->capacity, links->count + 1,
                      sizeof *links->list, error));
    mo_joint_link *l = &links->list[links->count++];
    const int32_t row[2] = {at[0].row, at[1].row};
    const mo_vec3 x[2] = {at[0].x, at[1].x};
    const mo_quat q[2] = {at[0].q, at[1].q};
    *l = (mo_joint_link){.def = b->index,
                         .copy = copy,
                         .name = b->joint->name,
                         .type = b->joint->type,
                         .end = {end[0], end[1]},
                         .collider = b->joint->collider.name ? b->joint->collider.index : -1,
                         .joint =
                             mo_rigid_joint_make(kind_of(b->joint->type), row, x, q, point, other,
                                                 mo_unit(b->joint->axis, b->joint->axis))};
    set_coordinate(b->joint, &l->joint);
    return MOTE_OK;
}

/* Joints between consecutive copies of a body. */
static mote_status add_chain(const building *b, mote_error *error)
{
    const mo_system *s = b->coupling->a;
    const mo_joint_def *joint = b->joint;
    const mote_body *body = rows_of(b, s, joint->bodies.items);
    if (body->count < 2) {
        return mo_fail(error, MOTE_ERROR_INPUT, "chain: '%.60s' has one copy only; give it copies",
                       body->name);
    }
    const double *x = mo_f64(s->columns.x) + 3 * body->first;
    for (int64_t k = 0; k + 1 < body->count; ++k) {
        frame at[2];
        mo_joint_end end[2] = {body_end(s, body->first + k, at),
                               body_end(s, body->first + k + 1, at + 1)};
        mo_vec3 offset = mo_sub(mo_vec3_load(x + 3 * k), mo_vec3_load(x));
        mo_vec3 other = isnan(joint->other.x) ? joint->point : joint->other;
        MO_TRY(add_link(b, k, end, at, mo_add(joint->point, offset), mo_add(other, offset), error));
    }
    return MOTE_OK;
}

static mote_status check_pair(const building *b, const mo_joint_end end[2], const frame at[2],
                              mote_error *error)
{
    const mo_reference *to = b->joint->bodies.items;
    const double *inverse_mass = mo_f64(b->coupling->a->columns.inverse_mass);
    bool movable = false;
    if (end[0].kind == MO_END_BODY && end[1].kind == MO_END_BODY && at[0].row == at[1].row) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "bodies: '%.60s' is joined to itself; a joint needs two different bodies, "
                       "or one for a joint to the world",
                       to[0].name);
    }
    for (int k = 0; k < 2; ++k) {
        movable = movable || end[k].kind == MO_END_NODE ||
                  (at[k].row >= 0 && inverse_mass[at[k].row] > 0);
    }
    return movable ? MOTE_OK
                   : mo_fail(error, MOTE_ERROR_INPUT,
                             "bodies: neither body of the joint is free to move");
}

static mote_status add_joint(const building *b, mote_error *error)
{
    const mo_joint_def *joint = b->joint;
    const mo_reference *to = joint->bodies.items;
    int node = mo_joint_def_node(b->def, joint);
    bool distance = joint->type[0] == 'd';
    mo_vec3 point[2] = {joint->point, distance ? joint->other : joint->point};
    mo_joint_end end[2];
    frame at[2];
    end[1] = other_end(b, at + 1);
    for (int k = 0; k < (int)joint->bodies.count; ++k) {
        if (k == node) {
            MO_TRY(node_end(b, k, point + k, end + k, at + k, error));
        } else {
            int64_t row = -1;
            MO_TRY(find_row(b, rows_of(b, b->coupling->a, &to[k]), k, &row, error));
            end[k] = body_end(b->coupling->a, row, at + k);
        }
    }
    if (node >= 0 && !distance) {
        point[1 - node] = point[node]; /* the joint is at the node */
    }
    MO_TRY(check_pair(b, end, at, error));
    return add_link(b, 0, end, at, point[0], point[1], error);
}

/* Numbers the bodies of the scene within the systems of this coupling. */
static void number_bodies(const building *b, int64_t *number)
{
    const mo_body_def *bodies = b->def->bodies.items;
    int64_t next[2] = {0, 0};
    for (int64_t k = 0; k < b->def->bodies.count; ++k) {
        const mo_system_type *type = mo_body_def_system(&bodies[k]);
        number[k] = next[type != b->coupling->a->type];
        next[0] += type == b->coupling->a->type;
        next[1] += b->coupling->b && type == b->coupling->b->type;
    }
}

static mote_status add_all(building *b, mote_error *error)
{
    const mo_system_type *wanted = b->coupling->b ? b->coupling->b->type : NULL;
    for (int64_t k = 0; k < mo_rigid_system_def_of(b->def)->joints.count; ++k) {
        b->joint = &joints_of(b->def)[k];
        b->index = k;
        if (node_system(b->def, b->joint) == wanted) {
            mote_status status = b->joint->chain ? add_chain(b, error) : add_joint(b, error);
            MO_TRY(mo_at_path(status, error, "joints[%lld].", k));
        }
    }
    return MOTE_OK;
}

mote_status mo_joint_links_build(const mo_world_def *def, mo_coupling *coupling,
                                 mo_joint_links *links, mote_error *error)
{
    mo_memory *memory = coupling->host->memory;
    size_t size = (size_t)def->bodies.count * sizeof(int64_t);
    int64_t *number = mo_allocate(memory, size);
    if (!number) {
        return mo_fail_memory(error, size);
    }
    building b = {.def = def, .coupling = coupling, .links = links, .number = number};
    number_bodies(&b, number);
    mote_status status = add_all(&b, error);
    mo_release(memory, number);
    return status;
}
