#include "world/reactions.h"

static const mo_column_spec COLUMNS[] = {
    {"force", MOTE_F64, 3, MO_STATE, "N", "force on the collider in the last step"},
    {"torque", MOTE_F64, 3, MO_STATE, "N m", "torque about its origin"},
    {"heat", MOTE_F64, 1, MO_STATE, "W", "heat flow into it"},
    {"origin", MOTE_F64, 3, MO_STATE, "m", "its origin at the end of the step"},
};
enum { FORCE, TORQUE, HEAT, ORIGIN, COLUMN_COUNT };

/* The columns, found once for all colliders. */
typedef struct sums {
    double *column[COLUMN_COUNT];
} sums;

static sums sums_of(const mote_world *world)
{
    sums s;
    for (int k = 0; k < COLUMN_COUNT; ++k) {
        s.column[k] = mo_f64(mo_store_find(world->reactions, COLUMNS[k].name));
    }
    return s;
}

mote_status mo_world_open_reactions(mote_world *world, mote_error *error)
{
    int64_t first;
    if (world->colliders.count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_store_create(&world->memory, &world->reactions, error));
    for (int k = 0; k < COLUMN_COUNT; ++k) {
        mo_column *unused;
        MO_TRY(mo_store_declare(world->reactions, &COLUMNS[k], &unused, error));
    }
    return mo_store_add(world->reactions, world->colliders.count, &first, error);
}

static void add(const sums *s, int64_t collider, const mo_reactions *from)
{
    mo_reaction own = mo_reactions_of(from, (int)collider);
    mo_wrench w = mo_wrench_about(own.wrench, from->center[collider],
                                  mo_vec3_load(s->column[ORIGIN] + 3 * collider));
    double *force = s->column[FORCE] + 3 * collider, *torque = s->column[TORQUE] + 3 * collider;
    mo_vec3_store(force, mo_add(mo_vec3_load(force), w.force));
    mo_vec3_store(torque, mo_add(mo_vec3_load(torque), w.torque));
    s->column[HEAT][collider] += own.heat;
}

/* A row for each collider, also after a state of a scene with other colliders was restored. */
static mote_status fit_rows(mote_world *world, mote_error *error)
{
    int64_t count = world->colliders.count;
    if (mo_store_rows(world->reactions) == count) {
        return MOTE_OK;
    }
    MO_TRY(mo_store_resize(world->reactions, count, count, error));
    for (int64_t c = 0; c < count; ++c) {
        mo_i64(mo_store_find(world->reactions, "id"))[c] = c;
    }
    return MOTE_OK;
}

static bool are_wanted(const mote_world *world)
{
    return world->reactions && world->host.wants_reactions;
}

/* Resets the rows to 0, about the origins of the colliders at this time. */
static mote_status begin(mote_world *world, double time, mote_error *error)
{
    MO_TRY(fit_rows(world, error));
    sums s = sums_of(world);
    for (int64_t c = 0; c < world->colliders.count; ++c) {
        mo_vec3_store(s.column[FORCE] + 3 * c, mo_vec3_make(0, 0, 0));
        mo_vec3_store(s.column[TORQUE] + 3 * c, mo_vec3_make(0, 0, 0));
        mo_vec3_store(s.column[ORIGIN] + 3 * c,
                      mo_collider_pose_at(&world->colliders.list[c], time).p);
        s.column[HEAT][c] = 0;
    }
    return MOTE_OK;
}

static void add_all(const mote_world *world, const mo_reactions *from)
{
    if (!from) {
        return;
    }
    sums s = sums_of(world);
    for (int64_t c = 0; c < from->count && c < world->colliders.count; ++c) {
        add(&s, c, from);
    }
}

static const mo_reactions *of_coupling(const mo_coupling *coupling)
{
    return coupling->type->reactions ? coupling->type->reactions(coupling) : NULL;
}

/* Excludes reactions of earlier steps: a system without rows does not step. */
static bool of_step(const mote_world *world, const mo_reactions *from)
{
    return from && !from->is_static && from->time == world->clock.time;
}

mote_status mo_world_gather_reactions(mote_world *world, mote_error *error)
{
    if (!are_wanted(world)) {
        return MOTE_OK;
    }
    MO_TRY(begin(world, world->clock.time, error));
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        const mo_reactions *own = s->type->reactions ? s->type->reactions(s) : NULL;
        add_all(world, of_step(world, own) ? own : NULL);
    }
    for (int k = 0; k < world->coupling_count; ++k) {
        const mo_reactions *own = of_coupling(&world->couplings[k]);
        add_all(world, of_step(world, own) ? own : NULL);
    }
    return MOTE_OK;
}

mote_status mo_world_keep_static_reactions(mote_world *world, const mo_reactions *supports,
                                           mote_error *error)
{
    if (!are_wanted(world)) {
        return MOTE_OK;
    }
    MO_TRY(begin(world, supports->time, error));
    add_all(world, supports);
    for (int k = 0; k < world->coupling_count; ++k) {
        const mo_reactions *own = of_coupling(&world->couplings[k]);
        add_all(world, own && own->is_static && own->time == supports->time ? own : NULL);
    }
    return MOTE_OK;
}

mo_wrench mo_world_reaction(const mote_world *world, int64_t collider, mo_vec3 about)
{
    mo_wrench sum = {0};
    int64_t count = world->reactions ? mo_store_rows(world->reactions) : 0;
    sums s = count > 0 ? sums_of(world) : (sums){0};
    for (int64_t c = 0; c < count; ++c) {
        if (collider < 0 || c == collider) {
            mo_wrench own = {mo_vec3_load(s.column[FORCE] + 3 * c),
                             mo_vec3_load(s.column[TORQUE] + 3 * c)};
            sum = mo_wrench_add(
                sum, mo_wrench_about(own, mo_vec3_load(s.column[ORIGIN] + 3 * c), about));
        }
    }
    return sum;
}
