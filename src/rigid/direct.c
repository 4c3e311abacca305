/*
 * Selection of the islands solved directly, and their phases.
 */
#include "rigid/direct_state.h"

#include <string.h>

/* Largest numbers of block products in a factorisation (about 0.1 microseconds each): islands of
 * joints alone are factored once a substep, contacts need several factorisations a phase. */
enum { WORK_JOINTS = 20000, WORK_CONTACTS = 2000, WORK_SMALL = 60, WORK_SMALL_SUM = 120 };

/* Repetitions of the position phase. */
enum { CLOSE_MAX = 10 };

/* Vectors of an island: v, start_v, f, step, work. */
enum { VECTORS = 5 };

void mo_rigid_direct_release(mo_rigid_direct *direct)
{
    void *blocks[] = {direct->island,        direct->body,  direct->link,    direct->equation,
                      direct->inverse_order, direct->pair,  direct->local,   direct->start,
                      direct->vector,        direct->value, direct->diagonal};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(direct->memory, blocks[k]);
    }
    mo_rigid_pattern_release(&direct->pattern);
}

/* ---- choice ---- */

static int64_t size_of(const mo_rigid_lists *lists, int64_t island)
{
    return lists->start[island + 1] - lists->start[island];
}

/* Point masses: nodes of deformable bodies. Each is in contact with a body or two and with no other
 * node, so sweeps converge whatever the masses are. */
static bool is_point(const mo_rigid_bodies *bodies, int64_t row)
{
    const double *inverse = bodies->inverse_moments + 3 * row;
    return inverse[0] == 0 && inverse[1] == 0 && inverse[2] == 0;
}

static double mass_ratio(const mo_rigid_motion *motion, const mo_rigid_lists *bodies, int64_t k)
{
    double least = (double)INFINITY, most = 0;
    for (int64_t i = bodies->start[k]; i < bodies->start[k + 1]; ++i) {
        double inverse = motion->bodies.inverse_mass[bodies->item[i]];
        if (!is_point(&motion->bodies, bodies->item[i])) {
            least = fmin(least, inverse);
            most = fmax(most, inverse);
        }
    }
    return most > 0 ? most / least : 1;
}

/* Pairs of movable bodies of an island, by their numbers in it. */
static int64_t list_pairs(mo_rigid_direct *d, const mo_rigid_islands *islands, int64_t k)
{
    int64_t count = 0;
    for (int64_t i = islands->contacts.start[k]; i < islands->contacts.start[k + 1]; ++i) {
        const int32_t *body = d->contacts[islands->contacts.item[i]].body;
        if (mo_rigid_movable(&d->motion->bodies, body[0]) &&
            mo_rigid_movable(&d->motion->bodies, body[1])) {
            d->pair[2 * count] = d->local[body[0]];
            d->pair[2 * count++ + 1] = d->local[body[1]];
        }
    }
    for (int64_t i = islands->joints.start[k]; i < islands->joints.start[k + 1]; ++i) {
        const int32_t *body = d->joints[islands->joints.item[i]].body;
        if (mo_rigid_movable(&d->motion->bodies, body[0]) &&
            mo_rigid_movable(&d->motion->bodies, body[1])) {
            d->pair[2 * count] = d->local[body[0]];
            d->pair[2 * count++ + 1] = d->local[body[1]];
        }
    }
    return count;
}

/* Maximum work for which an island is solved directly; 0: never. */
static int64_t work_limit(const mo_rigid_direct *d, const mo_rigid_islands *islands, int64_t k,
                          const mo_rigid_direct_choice *choice, int64_t small_left)
{
    if (choice->all) {
        return INT64_MAX;
    }
    if (size_of(&islands->contacts, k) == 0) {
        return WORK_JOINTS;
    }
    if (size_of(&islands->joints, k) > 0 ||
        mass_ratio(d->motion, &islands->bodies, k) >= choice->high_mass_ratio) {
        return WORK_CONTACTS;
    }
    for (int64_t i = islands->bodies.start[k]; i < islands->bodies.start[k + 1]; ++i) {
        if (is_point(&d->motion->bodies, islands->bodies.item[i])) {
            return 0;
        }
    }
    return small_left < WORK_SMALL ? small_left : WORK_SMALL;
}

static mote_status reserve(mo_rigid_direct *d, const mo_rigid_islands *islands, mote_error *error)
{
    int64_t bodies = d->motion->bodies.count + 1;
    int64_t links = 1;
    for (int64_t k = 0; k < islands->count; ++k) {
        int64_t number = size_of(&islands->contacts, k) + size_of(&islands->joints, k);
        links = number > links ? number : links;
    }
    mote_status status =
        mo_reserve(d->memory, &d->local, &d->local_capacity, bodies, sizeof *d->local, error);
    if (!status) {
        status = mo_reserve(d->memory, &d->inverse_order, &d->inverse_order_capacity, bodies,
                            sizeof *d->inverse_order, error);
    }
    if (!status) {
        status = mo_reserve(d->memory, &d->start, &d->start_capacity, 2 * bodies, sizeof *d->start,
                            error);
    }
    if (!status) {
        status =
            mo_reserve(d->memory, &d->pair, &d->pair_capacity, 2 * links, sizeof *d->pair, error);
    }
    if (!status) {
        status = mo_reserve(d->memory, &d->island, &d->island_capacity, islands->count + 1,
                            sizeof *d->island, error);
    }
    return status;
}

static mo_rigid_link link_of(const mo_rigid_direct *d, const int32_t body[2])
{
    mo_rigid_link link = {.contact = -1, .joint = -1, .block = -1};
    for (int side = 0; side < 2; ++side) {
        link.body[side] =
            mo_rigid_movable(&d->motion->bodies, body[side]) ? d->local[body[side]] : -1;
    }
    return link;
}

/* The equations of a joint do not change in number. */
static int joint_equation_count(const mo_rigid_direct *d, int32_t index,
                                mo_rigid_joint_row row[MO_JOINT_ROWS])
{
    mo_rigid_joint joint = d->joints[index];
    const mo_vec3 x[2] = {{0, 0, 0}, {0, 0, 0}};
    const mo_quat q[2] = {{1, 0, 0, 0}, {1, 0, 0, 0}};
    return mo_rigid_joint_rows(&joint, x, q, row);
}

static int contact_equation_count(const mo_rigid_contact *c)
{
    return c->count + 3 + (c->rolling_friction > 0 ? 3 : 0);
}

/* Adds an island: bodies, links, and memory for equations. */
static mote_status add_island(mo_rigid_direct *d, const mo_rigid_islands *islands, int64_t k,
                              uint8_t *use, uint8_t *joint_use, mote_error *error)
{
    const mo_rigid_lists *b = &islands->bodies, *c = &islands->contacts, *j = &islands->joints;
    mo_rigid_direct_island *island = d->island + d->count++;
    *island = (mo_rigid_direct_island){.body = d->bodies,
                                       .bodies = size_of(b, k),
                                       .link = d->links,
                                       .links = size_of(c, k) + size_of(j, k)};
    mote_status status = mo_reserve(d->memory, &d->body, &d->body_capacity,
                                    d->bodies + island->bodies, sizeof *d->body, error);
    if (!status) {
        status = mo_reserve(d->memory, &d->link, &d->link_capacity, d->links + island->links,
                            sizeof *d->link, error);
    }
    if (status) {
        return status;
    }
    for (int64_t i = b->start[k]; i < b->start[k + 1]; ++i) {
        d->motion->active[b->item[i]] = 2;
        d->body[d->bodies++] = (mo_rigid_direct_body){.row = b->item[i]};
    }
    mo_rigid_joint_row row[MO_JOINT_ROWS];
    for (int64_t i = c->start[k]; i < c->start[k + 1]; ++i) {
        mo_rigid_link link = link_of(d, d->contacts[c->item[i]].body);
        link.contact = c->item[i];
        link.points = d->contacts[c->item[i]].count;
        link.count = contact_equation_count(d->contacts + c->item[i]);
        link.first = d->equations;
        d->equations += link.count;
        d->link[d->links++] = link;
        use[c->item[i]] = 0;
    }
    for (int64_t i = j->start[k]; i < j->start[k + 1]; ++i) {
        mo_rigid_link link = link_of(d, d->joints[j->item[i]].body);
        link.joint = j->item[i];
        link.count = joint_equation_count(d, link.joint, row);
        link.first = d->equations;
        d->equations += link.count;
        d->link[d->links++] = link;
        joint_use[j->item[i]] = 0;
    }
    return MOTE_OK;
}

/* Offsets of the islands' data, after all sizes are known. */
static mote_status lay_out(mo_rigid_direct *d, mote_error *error)
{
    mote_status status = mo_reserve(d->memory, &d->equation, &d->equation_capacity, d->equations,
                                    sizeof *d->equation, error);
    if (!status) {
        status = mo_reserve(d->memory, &d->vector, &d->vector_capacity,
                            VECTORS * MO_LDL * d->bodies, sizeof *d->vector, error);
    }
    if (!status) {
        status = mo_reserve(d->memory, &d->diagonal, &d->diagonal_capacity,
                            MO_LDL_BLOCK * d->bodies, sizeof *d->diagonal, error);
    }
    if (!status) {
        status = mo_reserve(d->memory, &d->value, &d->value_capacity,
                            MO_LDL_BLOCK * d->pattern.rows, sizeof *d->value, error);
    }
    if (status) {
        return status;
    }
    for (int64_t k = 0; k < d->count; ++k) {
        mo_rigid_direct_island *i = d->island + k;
        double *vector = d->vector + VECTORS * MO_LDL * i->body,
               **at[VECTORS] = {&i->v, &i->start_v, &i->f, &i->step, &i->work};
        for (int n = 0; n < VECTORS; ++n) {
            *at[n] = vector + n * MO_LDL * i->bodies;
        }
        i->ldl.count = (int32_t)i->bodies;
        i->ldl.inverse_order = d->inverse_order + i->body;
        i->ldl.start = d->start + i->body + k;
        i->ldl.row = d->pattern.row;
        i->ldl.diagonal = d->diagonal + MO_LDL_BLOCK * i->body;
        i->ldl.value = d->value;
        for (int64_t l = i->link; l < i->link + i->links; ++l) {
            mo_rigid_link *link = d->link + l;
            if (link->body[0] >= 0 && link->body[1] >= 0) {
                link->block =
                    mo_rigid_ldl_find(&i->ldl, link->body[0], link->body[1], &link->transposed);
            }
        }
    }
    return MOTE_OK;
}

mote_status mo_rigid_direct_reserve(mo_rigid_direct *direct, int64_t bodies, mote_error *error)
{
    enum { LINKS = 4, EQUATIONS = 10, BLOCKS = 8 }; /* per body; per link; per body */
    mo_rigid_direct *d = direct;
    struct reservation {
        void *block;
        int64_t *capacity, need;
        size_t size;
    } reservations[] = {
        {&d->body, &d->body_capacity, bodies, sizeof *d->body},
        {&d->link, &d->link_capacity, LINKS * bodies, sizeof *d->link},
        {&d->equation, &d->equation_capacity, LINKS * EQUATIONS * bodies, sizeof *d->equation},
        {&d->pair, &d->pair_capacity, 2 * LINKS * bodies, sizeof *d->pair},
        {&d->vector, &d->vector_capacity, VECTORS * MO_LDL * bodies, sizeof *d->vector},
        {&d->diagonal, &d->diagonal_capacity, MO_LDL_BLOCK * bodies, sizeof *d->diagonal},
        {&d->value, &d->value_capacity, MO_LDL_BLOCK * BLOCKS * bodies, sizeof *d->value},
        {&d->pattern.row, &d->pattern.row_capacity, 2 * BLOCKS * bodies, sizeof *d->pattern.row},
        {&d->pattern.scratch, &d->pattern.scratch_capacity, 4 * BLOCKS * bodies,
         sizeof *d->pattern.scratch},
        {&d->island, &d->island_capacity, bodies + 1, sizeof *d->island},
    };
    mote_status status = MOTE_OK;
    for (size_t k = 0; k < sizeof reservations / sizeof *reservations && !status; ++k) {
        status = mo_reserve(d->memory, reservations[k].block, reservations[k].capacity,
                            reservations[k].need, reservations[k].size, error);
    }
    return status;
}

mote_status mo_rigid_direct_reserve_choice(mo_rigid_direct *direct, int64_t islands, int64_t links,
                                           mote_error *error)
{
    mo_rigid_direct *d = direct;
    MO_TRY(mo_reserve(d->memory, &d->pair, &d->pair_capacity, 2 * links, sizeof *d->pair, error));
    return mo_reserve(d->memory, &d->island, &d->island_capacity, islands + 1, sizeof *d->island,
                      error);
}

mote_status mo_rigid_direct_choose(mo_rigid_direct *direct, mo_rigid_motion *motion,
                                   const mo_rigid_islands *islands, mo_rigid_contact *contacts,
                                   uint8_t *use, mo_rigid_joint *joints, uint8_t *joint_use,
                                   const mo_rigid_direct_choice *choice, mote_error *error)
{
    mo_rigid_direct *d = direct;
    d->motion = motion;
    d->contacts = contacts;
    d->joints = joints;
    d->count = d->bodies = d->links = d->equations = d->pattern.rows = 0;
    mote_status status = reserve(d, islands, error);
    int64_t small_left = WORK_SMALL_SUM;
    for (int64_t k = 0; k < islands->count && !status; ++k) {
        int64_t limit = work_limit(d, islands, k, choice, small_left), work;
        int64_t bodies = size_of(&islands->bodies, k), rows = d->pattern.rows;
        if (bodies > limit) {
            continue;
        }
        for (int64_t i = 0; i < bodies; ++i) {
            d->local[islands->bodies.item[islands->bodies.start[k] + i]] = (int32_t)i;
        }
        status = mo_rigid_ldl_analyse(
            &d->pattern, (int32_t)bodies, d->pair, list_pairs(d, islands, k), limit,
            d->inverse_order + d->bodies, d->start + d->bodies + d->count, &work, error);
        if (!status && work > limit) {
            d->pattern.rows = rows;
        } else if (!status) {
            small_left -= limit <= WORK_SMALL ? work : 0;
            status = add_island(d, islands, k, use, joint_use, error);
        }
    }
    return status ? status : lay_out(d, error);
}

/* ---- equations at the start of a step ---- */

typedef struct phase {
    mo_rigid_direct *direct;
    double substep;
} phase;

static void set_equation(mo_rigid_equation *e, mo_rigid_bound bound, double impulse, mo_vec3 linear,
                         mo_vec3 first, mo_vec3 second)
{
    *e = (mo_rigid_equation){.bound = bound, .p = impulse, .last = impulse, .sign = 1};
    mo_vec3 parts[4] = {linear, first, mo_scale(-1, linear), mo_scale(-1, second)};
    for (int k = 0; k < 4; ++k) {
        mo_vec3_store(e->j[k / 2] + 3 * (k % 2), parts[k]);
    }
}

static mo_vec3 arm(const mo_rigid_direct *d, const mo_rigid_contact *c, int side, mo_vec3 point)
{
    return c->body[side] < 0
               ? point
               : mo_sub(point, mo_vec3_load(d->motion->bodies.x + 3 * (int64_t)c->body[side]));
}

static void prepare_contact(mo_rigid_direct *d, const mo_rigid_link *link)
{
    const mo_rigid_contact *c = d->contacts + link->contact;
    mo_rigid_equation *e = d->equation + link->first;
    mo_vec3 n = c->normal, zero = {0, 0, 0};
    for (int i = 0; i < c->count; ++i) {
        set_equation(e + i, MO_BOUND_RANGE, c->normal_impulse[i], n,
                     mo_cross(arm(d, c, 0, c->position[i][0]), n),
                     mo_cross(arm(d, c, 1, c->position[i][1]), n));
        e[i].high = (double)INFINITY;
    }
    e += c->count;
    mo_vec3 t[2] = {mo_perpendicular(n)};
    t[1] = mo_cross(n, t[0]);
    for (int i = 0; i < 2; ++i) {
        set_equation(e + i, i ? MO_BOUND_SECOND : MO_BOUND_DISK, mo_dot(t[i], c->friction), t[i],
                     mo_cross(arm(d, c, 0, mo_rigid_contact_center(c, 0)), t[i]),
                     mo_cross(arm(d, c, 1, mo_rigid_contact_center(c, 1)), t[i]));
        e[i].b = -mo_dot(t[i], c->surface_velocity);
    }
    set_equation(e + 2, MO_BOUND_RANGE, c->twist, zero, n, n);
    for (int i = 3; i < link->count - c->count; ++i) {
        mo_vec3 axis = {i == 3, i == 4, i == 5};
        set_equation(e + i, MO_BOUND_RANGE, mo_dot(c->rolling, axis), zero, axis, axis);
    }
    for (int i = 0; i < link->count - c->count; ++i) {
        e[i].friction = true;
    }
}

static void prepare_joint(mo_rigid_direct *d, const mo_rigid_link *link)
{
    mo_rigid_joint *joint = d->joints + link->joint;
    mo_rigid_joint_row row[MO_JOINT_ROWS];
    mo_vec3 zero = {0, 0, 0};
    joint_equation_count(d, link->joint, row);
    bool fixed_coordinate = joint->limited && joint->lower >= joint->upper;
    for (int i = 0; i < link->count; ++i) {
        int slot = row[i].slot;
        bool limit = slot == MO_JOINT_LIMIT && joint->kind != MO_JOINT_FIXED && !fixed_coordinate;
        double kept = joint->impulse[slot];
        mo_rigid_equation *e = d->equation + link->first + i;
        set_equation(e, limit || slot == MO_JOINT_MOTOR ? MO_BOUND_RANGE : MO_BOUND_NONE,
                     limit ? fabs(kept) : kept, zero, zero, zero);
        e->slot = slot;
        e->sign = limit && kept < 0 ? -1 : 1;
        e->high = (double)INFINITY;
    }
}

static void prepare(void *context, int64_t first, int64_t last)
{
    const phase *p = context;
    mo_rigid_direct *d = p->direct;
    for (int64_t k = first; k < last; ++k) {
        mo_rigid_direct_island *island = d->island + k;
        for (int64_t l = island->link; l < island->link + island->links; ++l) {
            if (d->link[l].contact >= 0) {
                prepare_contact(d, d->link + l);
            } else {
                prepare_joint(d, d->link + l);
            }
        }
        mo_rigid_direct_refresh(d, island, p->substep);
    }
}

void mo_rigid_direct_prepare(mo_rigid_direct *direct, mo_pool *pool, double substep)
{
    phase p = {direct, substep};
    mo_parallel_for(pool, direct->count, 1, prepare, &p);
}

/* ---- phases ---- */

static void store_velocities(mo_rigid_direct *d, const mo_rigid_direct_island *island)
{
    for (int64_t k = 0; k < island->bodies; ++k) {
        double *packed = d->motion->velocity + MO_PACK * (int64_t)d->body[island->body + k].row;
        for (int i = 0; i < 3; ++i) {
            packed[i] = island->v[MO_LDL * k + i];
            packed[4 + i] = island->v[MO_LDL * k + 3 + i];
        }
    }
}

/* From the centre of mass of a joint's first body to its point. */
static mo_vec3 lever_arm(const mo_rigid_direct *d, const mo_rigid_joint *joint)
{
    if (joint->body[0] < 0) {
        return joint->point[0];
    }
    mo_quat q = mo_quat_load(d->motion->bodies.q + 4 * (int64_t)joint->body[0]);
    return mo_quat_rotate(q, joint->point[0]);
}

static void sum_impulses(mo_rigid_direct *d, mo_rigid_link *link)
{
    mo_vec3 impulse = {0, 0, 0}, moment = {0, 0, 0};
    for (int i = 0; i < link->count; ++i) {
        mo_rigid_equation *e = d->equation + link->first + i;
        impulse = mo_add_scaled(impulse, e->p, mo_vec3_load(e->j[0]));
        moment = mo_add_scaled(moment, e->p, mo_vec3_load(e->j[0] + 3));
        e->total += e->p;
        e->last = e->p;
    }
    if (link->joint >= 0) {
        mo_vec3 r = lever_arm(d, d->joints + link->joint);
        link->impulse = mo_add(link->impulse, impulse);
        link->moment = mo_add(link->moment, mo_sub(moment, mo_cross(r, impulse)));
    }
}

/* Repeats the position phase until the joints close. Where it diverges, joints and contacts
 * contradict each other; the remaining error is left to the next substep, since its sum would grow
 * without bound. */
static void close_joints(mo_rigid_direct *d, mo_rigid_direct_island *island)
{
    static const double CLOSED = 1e-14, CONVERGES = 0.5;
    double most = (double)INFINITY;
    for (int i = 0; i < (d->exact ? CLOSE_MAX : 3); ++i) {
        double error = mo_rigid_direct_close(d, island, most);
        if (error < CLOSED || error > most) {
            break;
        }
        most = CONVERGES * error;
        mo_rigid_direct_solve(d, island);
    }
}

static void positions(void *context, int64_t first, int64_t last)
{
    phase *p = context;
    for (int64_t k = first; k < last; ++k) {
        mo_rigid_direct_island *island = p->direct->island + k;
        island->substep = p->substep;
        mo_rigid_direct_aim(p->direct, island, true);
        mo_rigid_direct_solve(p->direct, island);
        close_joints(p->direct, island);
        store_velocities(p->direct, island);
    }
}

static void velocities(void *context, int64_t first, int64_t last)
{
    phase *p = context;
    for (int64_t k = first; k < last; ++k) {
        mo_rigid_direct_island *island = p->direct->island + k;
        mo_rigid_direct_refresh(p->direct, island, p->substep);
        mo_rigid_direct_aim(p->direct, island, false);
        mo_rigid_direct_solve(p->direct, island);
        store_velocities(p->direct, island);
        for (int64_t l = island->link; l < island->link + island->links; ++l) {
            sum_impulses(p->direct, p->direct->link + l);
        }
    }
}

void mo_rigid_direct_positions(mo_rigid_direct *direct, mo_pool *pool, double substep)
{
    phase p = {direct, substep};
    mo_parallel_for(pool, direct->count, 1, positions, &p);
}

void mo_rigid_direct_velocities(mo_rigid_direct *direct, mo_pool *pool, double substep)
{
    phase p = {direct, substep};
    mo_parallel_for(pool, direct->count, 1, velocities, &p);
}

/* ---- results ---- */

/* Adds the sums of impulses to the mean force and torque of a contact. */
static void add_forces(const mo_rigid_direct *d, const mo_rigid_link *link, double h)
{
    mo_rigid_contact *c = d->contacts + link->contact;
    const mo_rigid_equation *e = d->equation + link->first;
    mo_vec3 center = mo_rigid_contact_center(c, 0), force = {0, 0, 0}, torque = {0, 0, 0};
    for (int i = 0; i < c->count; ++i) {
        mo_vec3 p = mo_scale(e[i].total, c->normal);
        force = mo_add(force, p);
        torque = mo_add(torque, mo_cross(mo_sub(c->position[i][0], center), p));
    }
    e += c->count;
    mo_vec3 t[2] = {mo_vec3_load(e[0].j[0]), mo_vec3_load(e[1].j[0])};
    force = mo_add(force, mo_add(mo_scale(e[0].total, t[0]), mo_scale(e[1].total, t[1])));
    torque = mo_add_scaled(torque, e[2].total, c->normal);
    if (link->count - c->count > 3) {
        torque = mo_add(torque, mo_vec3_make(e[3].total, e[4].total, e[5].total));
    }
    c->force = mo_add_scaled(c->force, 1 / h, force);
    c->torque = mo_add_scaled(c->torque, 1 / h, torque);
}

void mo_rigid_direct_flush(mo_rigid_direct *direct, double h)
{
    for (int64_t l = 0; l < direct->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        if (link->contact >= 0 && direct->contacts[link->contact].curved) {
            add_forces(direct, link, h);
            for (int i = 0; i < link->count; ++i) {
                direct->equation[link->first + i].total = 0;
            }
        }
    }
}

static void finish_contact(const mo_rigid_direct *d, const mo_rigid_link *link, double h)
{
    mo_rigid_contact *c = d->contacts + link->contact;
    const mo_rigid_equation *e = d->equation + link->first;
    for (int i = 0; i < c->count; ++i) {
        c->normal_impulse[i] = e[i].p;
    }
    e += c->count;
    c->friction = mo_add(mo_scale(e[0].p, mo_vec3_load(e[0].j[0])),
                         mo_scale(e[1].p, mo_vec3_load(e[1].j[0])));
    c->twist = e[2].p;
    if (link->count - c->count > 3) {
        c->rolling = mo_vec3_make(e[3].p, e[4].p, e[5].p);
    }
    add_forces(d, link, h);
}

static void finish_joint(const mo_rigid_direct *d, const mo_rigid_link *link, double h)
{
    mo_rigid_joint *joint = d->joints + link->joint;
    memset(joint->impulse, 0, sizeof joint->impulse);
    for (int i = 0; i < link->count; ++i) {
        const mo_rigid_equation *e = d->equation + link->first + i;
        joint->impulse[e->slot] = e->bound == MO_BOUND_RANGE ? e->sign * e->p : e->p;
    }
    joint->force = mo_scale(1 / h, link->impulse);
    joint->torque = mo_scale(1 / h, link->moment);
}

void mo_rigid_direct_finish(mo_rigid_direct *direct, double h)
{
    direct->iterations = 0;
    direct->solves = 0;
    for (int64_t k = 0; k < direct->count; ++k) {
        direct->iterations += direct->island[k].iterations;
        direct->solves += direct->island[k].solves;
    }
    for (int64_t l = 0; l < direct->links; ++l) {
        const mo_rigid_link *link = direct->link + l;
        if (link->contact >= 0) {
            finish_contact(direct, link, h);
        } else {
            finish_joint(direct, link, h);
        }
    }
}
