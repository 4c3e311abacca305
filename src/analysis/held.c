#include "analysis/held.h"

#include "analysis/contact.h"
#include "collide/law.h"

#include <math.h>
#include <string.h>

mote_status mo_held_open(mo_held *held, mote_world *world, mo_system *system, double time,
                         mote_error *error)
{
    const mo_forces *forces = system->state;
    int64_t rows = mo_store_owned(system->store);
    double *v[6];
    if (mo_colliders_bounce(&world->colliders) && world->colliders.periodic) {
        mo_warn(
            &world->warnings, &world->log, time, "static",
            "in a periodic domain static and modal analysis ignore colliders; pin the nodes that "
            "rest on one, or run with damping");
    }
    held->solids =
        world->colliders.count > 0 && !world->colliders.periodic ? &world->colliders : NULL;
    MO_TRY(mo_work_vectors(&world->memory, &held->work, 6, 3 * rows + 1, v, error));
    held->touch = (mo_touch){.normal = v[0], .kind = (uint8_t *)v[1]};
    held->flat = held->touch.kind + rows;
    memset(held->flat, 0, (size_t)rows);
    held->on = (int32_t *)v[2];
    held->bend = v[3]; /* and the two after it */
    memset(held->bend, 0, 9 * (size_t)rows * sizeof(double));
    held->kept = held->on + MO_CONTACT_ON * rows;
    memset(held->on, 0xff, 2 * MO_CONTACT_ON * (size_t)rows * sizeof(int32_t));
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (force->type->statics && force->type->statics->mark_planar) {
            force->type->statics->mark_planar(force->instance, held->flat);
        }
    }
    held->flat_any = rows > 0 && memchr(held->flat, 1, (size_t)rows);
    return MOTE_OK;
}

void mo_held_close(mo_held *held, mote_world *world)
{
    mo_release(&world->memory, held->work.block);
}

static void flatten(mo_held *held, int64_t rows, double *f)
{
    held->across = 0;
    for (int64_t row = 0; row < rows; ++row) {
        if (held->flat[row]) {
            held->touch.kind[row] = MO_TOUCH_SLIDES;
            mo_vec3_store(held->touch.normal + 3 * row, mo_vec3_make(0, 0, 1));
            held->across += fabs(f[3 * row + 2]);
            f[3 * row + 2] = 0;
        }
    }
}

const mo_touch *mo_held_look(mo_held *held, mo_system *system, double time, double *f)
{
    int64_t rows = mo_store_owned(system->store);
    memset(held->touch.kind, MO_TOUCH_FREE, (size_t)rows);
    flatten(held, rows, f);
    bool carried = held->solids && mo_contacts_carry(held->solids, system, time, f, &held->touch,
                                                     held->on, held->bend);
    return carried || held->flat_any ? &held->touch : NULL;
}

mote_status mo_held_contacts(mo_held *held, mo_system *system, double time, double *f,
                             mo_contact_set *set, mote_error *error)
{
    int64_t rows = mo_store_owned(system->store);
    if (!held->solids) {
        return MOTE_OK;
    }
    memset(held->touch.kind, MO_TOUCH_FREE, (size_t)rows);
    flatten(held, rows, f);
    return mo_contacts_list(held->solids, system, time, f, &held->touch, set, error);
}

void mo_held_keep(mo_held *held, const mo_system *system)
{
    memcpy(held->kept, held->on,
           MO_CONTACT_ON * (size_t)mo_store_owned(system->store) * sizeof(int32_t));
}

void mo_held_put_out(mo_held *held, mo_system *system, double time)
{
    if (held->solids) {
        mo_contacts_put_out(held->solids, system, time, held->kept);
    }
}

mote_status mo_held_tell(const mo_system *system, const double *x, mote_error *error)
{
    const mo_forces *forces = system->state;
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        if (force->type->statics && force->type->statics->accept) {
            MO_TRY(force->type->statics->accept(force->instance, x, error));
        }
    }
    return MOTE_OK;
}

void mo_held_bend(const mo_held *held, const mo_touch *touch, mo_block_matrix *m, bool definite)
{
    for (int64_t row = 0; row < m->rows && held->solids && touch; ++row) {
        const double *bend = held->bend + 9 * row;
        double softer = bend[0] + bend[4] + bend[8];
        if (touch->kind[row] == MO_TOUCH_FREE || touch->kind[row] == MO_TOUCH_STICKS ||
            (definite && softer > 0)) {
            continue;
        }
        for (int k = 0; k < 9; ++k) {
            m->value[9 * m->diagonal[row] + k] -= bend[k];
        }
    }
}
