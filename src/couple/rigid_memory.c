#include "couple/rigid_memory.h"

#include <string.h>

static const struct {
    mo_column_spec spec;
    size_t field;
} COLUMNS[] = {
    {{"first", MOTE_I64, 1, MO_STATE, "1", "id of the first body"},
     offsetof(mo_rigid_memory, first)},
    {{"second", MOTE_I64, 1, MO_STATE, "1", "id of the second body, or -1 - number of a collider"},
     offsetof(mo_rigid_memory, second)},
    {{"hint", MOTE_I32, 2, MO_STATE, "1", "part and axis of the manifold"},
     offsetof(mo_rigid_memory, hint)},
    {{"count", MOTE_I32, 1, MO_STATE, "1", "number of points"}, offsetof(mo_rigid_memory, count)},
    {{"key", MOTE_I32, MO_RIGID_POINTS, MO_STATE, "1", "features of the points"},
     offsetof(mo_rigid_memory, key)},
    {{"normal", MOTE_F64, 3, MO_STATE, "1", "unit normal"}, offsetof(mo_rigid_memory, normal)},
    {{"impulse", MOTE_F64, MO_RIGID_POINTS, MO_STATE, "N s", "normal impulses of a substep"},
     offsetof(mo_rigid_memory, impulse)},
    {{"friction", MOTE_F64, 7, MO_STATE, "N s",
      "impulses of friction (3), twist (1) and rolling friction (3) of a substep"},
     offsetof(mo_rigid_memory, friction)},
    {{"point", MOTE_F64, 3 * MO_RIGID_POINTS, MO_STATE, "m",
      "points on the first body, in its frame"},
     offsetof(mo_rigid_memory, point)},
    {{"substep", MOTE_F64, 1, MO_STATE, "s", "length of the substep"},
     offsetof(mo_rigid_memory, substep)},
};

mote_status mo_couple_rigid_memory_open(mo_rigid_memory *memory, mo_memory *allocator,
                                        mote_error *error)
{
    MO_TRY(mo_store_create(allocator, &memory->store, error));
    for (size_t k = 0; k < sizeof COLUMNS / sizeof *COLUMNS; ++k) {
        mo_column **column = (mo_column **)((char *)memory + COLUMNS[k].field);
        MO_TRY(mo_store_declare(memory->store, &COLUMNS[k].spec, column, error));
    }
    return MOTE_OK;
}

/* Pairs of bodies before those with a collider, then by ids; colliders in the order of their
 * numbers. */
static int compare(mo_rigid_key a, mo_rigid_key b)
{
    bool wall_a = a.second < 0, wall_b = b.second < 0;
    if (wall_a != wall_b) {
        return wall_a ? 1 : -1;
    }
    if (a.first != b.first) {
        return a.first < b.first ? -1 : 1;
    }
    int order = (a.second > b.second) - (a.second < b.second);
    return wall_a ? -order : order;
}

static mo_rigid_key key_of(const mo_rigid_memory *m, int64_t row)
{
    return (mo_rigid_key){mo_i64(m->first)[row], mo_i64(m->second)[row]};
}

/* The first row at or behind which no key is smaller: doubling steps from the guess, then halving.
 */
static int64_t lower_bound(const mo_rigid_memory *m, mo_rigid_key key, int64_t guess)
{
    int64_t rows = mo_store_owned(m->store), low = guess < rows ? guess : rows, high = low;
    if (low < rows && compare(key_of(m, low), key) < 0) {
        for (int64_t step = 1; high < rows && compare(key_of(m, high), key) < 0; step *= 2) {
            low = high + 1;
            high = high + step < rows ? high + step : rows;
        }
    } else {
        for (int64_t step = 1; low > 0 && compare(key_of(m, low - 1), key) >= 0; step *= 2) {
            high = low - 1;
            low = low > step ? low - step : 0;
        }
    }
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (compare(key_of(m, middle), key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int64_t mo_couple_rigid_memory_find(const mo_rigid_memory *m, mo_rigid_key key, int64_t guess,
                                    int64_t *count)
{
    int64_t low = lower_bound(m, key, guess), rows = mo_store_owned(m->store);
    *count = 0;
    while (low + *count < rows && compare(key_of(m, low + *count), key) == 0) {
        ++*count;
    }
    return low;
}

mo_manifold_hint mo_couple_rigid_memory_hint(const mo_rigid_memory *m, int64_t row)
{
    const int32_t *hint = (const int32_t *)m->hint->data + 2 * row;
    return (mo_manifold_hint){(uint32_t)hint[0], (uint32_t)hint[1]};
}

mo_vec3 mo_couple_rigid_memory_point(const mo_rigid_memory *m, int64_t row, int point)
{
    return mo_vec3_load(mo_f64(m->point) + 3 * (MO_RIGID_POINTS * row + point));
}

double mo_couple_rigid_memory_load(const mo_rigid_memory *m, int64_t row, mo_rigid_contact *contact)
{
    const double *friction = mo_f64(m->friction) + 7 * row;
    *contact = (mo_rigid_contact){.count = ((const int32_t *)m->count->data)[row],
                                  .normal = mo_vec3_load(mo_f64(m->normal) + 3 * row),
                                  .friction = mo_vec3_load(friction),
                                  .twist = friction[3],
                                  .rolling = mo_vec3_load(friction + 4)};
    memcpy(contact->key, (const int32_t *)m->key->data + MO_RIGID_POINTS * row,
           sizeof contact->key);
    memcpy(contact->normal_impulse, mo_f64(m->impulse) + MO_RIGID_POINTS * row,
           sizeof contact->normal_impulse);
    return mo_f64(m->substep)[row];
}

mote_status mo_couple_rigid_memory_resize(mo_rigid_memory *m, int64_t count, mote_error *error)
{
    return mo_store_resize(m->store, count, count, error);
}

void mo_couple_rigid_memory_store(mo_rigid_memory *m, int64_t row, mo_rigid_key key,
                                  mo_manifold_hint hint, const mo_rigid_contact *contact,
                                  const mo_pose *pose, double substep)
{
    double *friction = mo_f64(m->friction) + 7 * row;
    int32_t *kept = (int32_t *)m->hint->data + 2 * row;
    mo_i64(mo_store_find(m->store, "id"))[row] = row;
    mo_i64(m->first)[row] = key.first;
    mo_i64(m->second)[row] = key.second;
    kept[0] = (int32_t)hint.part;
    kept[1] = (int32_t)hint.axis;
    ((int32_t *)m->count->data)[row] = contact->count;
    memcpy((int32_t *)m->key->data + MO_RIGID_POINTS * row, contact->key, sizeof contact->key);
    mo_vec3_store(mo_f64(m->normal) + 3 * row, contact->normal);
    memcpy(mo_f64(m->impulse) + MO_RIGID_POINTS * row, contact->normal_impulse,
           sizeof contact->normal_impulse);
    mo_vec3_store(friction, contact->friction);
    friction[3] = contact->twist;
    mo_vec3_store(friction + 4, contact->rolling);
    for (int k = 0; k < contact->count; ++k) {
        mo_vec3_store(mo_f64(m->point) + 3 * (MO_RIGID_POINTS * row + k),
                      mo_pose_undo(pose, contact->position[k][0]));
    }
    mo_f64(m->substep)[row] = substep;
}
