#include "collide/anchors.h"

static const mo_column_spec PARTICLE = {"particle", MOTE_I64, 1,
                                        MO_STATE,   NULL,     "id of the particle"};
static const mo_column_spec COLLIDER = {"collider", MOTE_I32, 1,
                                        MO_STATE,   NULL,     "index in `colliders`"};
static const mo_column_spec POSITION = {
    "anchor", MOTE_F64, 3, MO_STATE, "m", "friction anchor in the collider's frame"};

mote_status mo_anchors_create(mo_memory *memory, int64_t colliders, mo_anchors *anchors,
                              mote_error *error)
{
    anchors->colliders = colliders;
    mo_radix_init(&anchors->radix, memory);
    MO_TRY(mo_store_create(memory, &anchors->store, error));
    anchors->id = mo_store_find(anchors->store, "id");
    MO_TRY(mo_store_declare(anchors->store, &PARTICLE, &anchors->particle, error));
    MO_TRY(mo_store_declare(anchors->store, &COLLIDER, &anchors->collider, error));
    return mo_store_declare(anchors->store, &POSITION, &anchors->position, error);
}

void mo_anchors_release(mo_anchors *anchors)
{
    if (anchors->store) {
        mo_radix_release(&anchors->radix);
    }
}

static int compare_keys(int64_t particle, int32_t collider, int64_t other, int32_t other_collider)
{
    int by_particle = (particle > other) - (particle < other);
    return by_particle ? by_particle : (collider > other_collider) - (collider < other_collider);
}

static int64_t particle_of(mo_contact_key key)
{
    return mo_feature_number(key.feature[0]);
}

static int32_t collider_of(mo_contact_key key)
{
    return (int32_t)mo_feature_number(key.feature[1]);
}

bool mo_anchors_find(const mo_anchors *anchors, mo_contact_key key, mo_vec3 *position)
{
    if (!anchors->store) {
        return false;
    }
    int64_t particle = particle_of(key);
    int32_t collider = collider_of(key);
    const int64_t *particles = mo_i64(anchors->particle);
    const int32_t *colliders = anchors->collider->data;
    int64_t low = 0, high = mo_store_owned(anchors->store);
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int order = compare_keys(particles[middle], colliders[middle], particle, collider);
        if (order == 0) {
            *position = mo_vec3_load(mo_f64(anchors->position) + 3 * middle);
            return true;
        }
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return false;
}

mote_status mo_anchors_replace(mo_anchors *anchors, const mo_anchor *list, int64_t count,
                               mo_pool *pool, mote_error *error)
{
    MO_TRY(mo_radix_resize(&anchors->radix, count, error));
    mo_keyed *item = anchors->radix.item;
    for (int64_t k = 0; k < count; ++k) {
        uint64_t key = (uint64_t)particle_of(list[k].key) * (uint64_t)anchors->colliders +
                       (uint64_t)collider_of(list[k].key);
        item[k] = (mo_keyed){key, k};
    }
    mo_radix_sort(&anchors->radix, count, pool);
    item = anchors->radix.item;
    MO_TRY(mo_store_resize(anchors->store, count, count, error));
    for (int64_t k = 0; k < count; ++k) {
        const mo_anchor *anchor = &list[item[k].row];
        mo_i64(anchors->id)[k] = k;
        mo_i64(anchors->particle)[k] = particle_of(anchor->key);
        ((int32_t *)anchors->collider->data)[k] = collider_of(anchor->key);
        mo_vec3_store(mo_f64(anchors->position) + 3 * k, anchor->position);
    }
    return MOTE_OK;
}
