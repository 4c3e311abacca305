#include "constraint/attached_body.h"

mote_status mo_attached_bodies_add(mo_attached_bodies *bodies, mo_memory *memory, int64_t body,
                                   int64_t *index, mote_error *error)
{
    for (*index = 0; *index < bodies->count; ++*index) {
        if (bodies->list[*index].body == body) {
            return MOTE_OK;
        }
    }
    MO_TRY(mo_reserve(memory, &bodies->list, &bodies->capacity, bodies->count + 1,
                      sizeof *bodies->list, error));
    bodies->list[bodies->count++] =
        (mo_attached_body){.body = body, .id = -1, .q = mo_quat_identity()};
    return MOTE_OK;
}

static mo_quat turned(mo_quat q, mo_vec3 by)
{
    return mo_quat_normalize(mo_quat_product(mo_quat_exponential(by), q));
}

void mo_attached_bodies_predict(mo_attached_bodies *bodies, double h)
{
    for (int64_t k = 0; k < bodies->count; ++k) {
        mo_attached_body *b = &bodies->list[k];
        b->start = b->x;
        b->start_q = b->q;
        if (b->inverse_mass > 0) {
            b->v = mo_add_scaled(b->v, h, b->acceleration);
        }
        b->x = mo_add_scaled(b->x, h, mo_add(b->v, b->drift));
        b->q = turned(b->q, mo_scale(h, mo_add(b->w, b->turn)));
    }
}

void mo_attached_bodies_finish(mo_attached_bodies *bodies, double h)
{
    for (int64_t k = 0; k < bodies->count; ++k) {
        mo_attached_body *b = &bodies->list[k];
        mo_quat change = mo_quat_product(b->q, mo_quat_conjugate(b->start_q));
        b->v = mo_sub(mo_scale(1 / h, mo_sub(b->x, b->start)), b->drift);
        b->w = mo_sub(mo_scale(1 / h, mo_quat_logarithm(change)), b->turn);
    }
}

mo_vec3 mo_attached_body_spin(const mo_attached_body *body, mo_vec3 u)
{
    mo_vec3 local = mo_attached_body_turn(mo_quat_conjugate(body->q), u), m = body->inverse_moments;
    return mo_attached_body_turn(body->q,
                                 mo_vec3_make(m.x * local.x, m.y * local.y, m.z * local.z));
}

void mo_attached_body_correct(mo_attached_body *body, mo_vec3 r, mo_vec3 impulse)
{
    mo_vec3 by = mo_attached_body_spin(body, mo_cross(r, impulse));
    body->x = mo_add_scaled(body->x, body->inverse_mass, impulse);
    body->q = turned(body->q, by);
}
