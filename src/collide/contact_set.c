#include "collide/contact_set.h"

enum { BLOCK = 1024 }; /* contacts whose reactions are summed sequentially */

void mo_contact_set_init(mo_contact_set *set, mo_memory *memory)
{
    *set = (mo_contact_set){.memory = memory};
}

void mo_contact_set_release(mo_contact_set *set)
{
    if (set->memory) {
        mo_release(set->memory, set->list);
    }
    *set = (mo_contact_set){.memory = set->memory};
}

mote_status mo_contact_set_resize(mo_contact_set *set, int64_t count, mote_error *error)
{
    MO_TRY(mo_reserve(set->memory, &set->list, &set->capacity, count, sizeof *set->list, error));
    set->count = count;
    return MOTE_OK;
}

mote_status mo_contact_set_append(mo_contact_set *set, const mo_contact *contact, mote_error *error)
{
    MO_TRY(mo_contact_set_resize(set, set->count + 1, error));
    set->list[set->count - 1] = *contact;
    return MOTE_OK;
}

/* ---- reactions ---- */

/* The force of a contact on the collider of side k. */
static mote_status add_side(const mo_contact *contact, int k, int64_t block, mo_reactions *r,
                            mote_error *error)
{
    const mo_contact_side *side = &contact->side[k];
    mo_reaction *slot = mo_reactions_slot(r, block, (int32_t)side->collider);
    while (!slot) {
        MO_TRY(mo_reactions_widen(r, error));
        slot = mo_reactions_slot(r, block, (int32_t)side->collider);
    }
    mo_vec3 force = k == 0 ? contact->force : mo_scale(-1, contact->force);
    mo_wrench_add_force(&slot->wrench, force, mo_sub(side->point, r->center[side->collider]));
    return MOTE_OK;
}

mote_status mo_contact_set_react(const mo_contact_set *set, const mo_colliders *colliders,
                                 double time, mo_reactions *r, mote_error *error)
{
    MO_TRY(mo_reactions_begin(r, colliders, time, (set->count + BLOCK - 1) / BLOCK, error));
    for (int64_t n = 0; n < set->count; ++n) {
        for (int k = 0; k < 2; ++k) {
            bool reacts = set->list[n].side[k].rows == 0;
            MO_TRY(reacts ? add_side(&set->list[n], k, n / BLOCK, r, error) : MOTE_OK);
        }
    }
    return mo_reactions_end(r, error);
}
