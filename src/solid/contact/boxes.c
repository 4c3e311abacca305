/*
 * Bounding boxes of bodies, and their overlapping pairs (collide/broad_phase.h). Surface nodes of
 * bodies without such pairs need no search.
 */
#include "solid/contact/state.h"

#include <math.h>

void mo_contact_box_grow(mo_vec3 *low, mo_vec3 *high, mo_vec3 x)
{
    *low = mo_vec3_make(x.x < low->x ? x.x : low->x, x.y < low->y ? x.y : low->y,
                        x.z < low->z ? x.z : low->z);
    *high = mo_vec3_make(x.x > high->x ? x.x : high->x, x.y > high->y ? x.y : high->y,
                         x.z > high->z ? x.z : high->z);
}

static void find_boxes(mo_body_contacts *c, const double *x)
{
    double most = c->reach + c->skin;
    mo_vec3 margin = mo_vec3_make(most, most, most);
    for (int64_t b = 0; b < c->body_count; ++b) {
        mo_contact_body *body = &c->bodies[b];
        body->low = mo_vec3_make(INFINITY, INFINITY, INFINITY);
        body->high = mo_scale(-1, body->low);
        for (int64_t k = body->first_point; k < body->first_point + body->point_count; ++k) {
            mo_contact_box_grow(&body->low, &body->high,
                                mo_vec3_load(x + 3 * (int64_t)c->points[k].row));
        }
        body->low = mo_sub(body->low, margin);
        body->high = mo_add(body->high, margin);
    }
}

static bool overlaps(mo_vec3 low, mo_vec3 high, const mo_contact_body *b)
{
    return low.x <= b->high.x && high.x >= b->low.x && low.y <= b->high.y && high.y >= b->low.y &&
           low.z <= b->high.z && high.z >= b->low.z;
}

/* Pairs of bodies become a list for each of them. */
static mote_status list_near(mo_body_contacts *c, mote_error *error)
{
    int64_t sum = 0;
    MO_TRY(mo_reserve(c->memory, &c->near, &c->near_capacity, 2 * c->broad.pair_count,
                      sizeof *c->near, error));
    for (int64_t b = 0; b < c->body_count; ++b) {
        c->bodies[b].near_count = 0;
    }
    for (int64_t k = 0; k < c->broad.pair_count; ++k) {
        c->bodies[c->broad.pairs[k].a].near_count++;
        c->bodies[c->broad.pairs[k].b].near_count++;
    }
    for (int64_t b = 0; b < c->body_count; ++b) {
        c->bodies[b].first_near = sum;
        sum += c->bodies[b].near_count;
        c->bodies[b].near_count = 0;
    }
    for (int64_t k = 0; k < c->broad.pair_count; ++k) {
        mo_box_pair pair = c->broad.pairs[k];
        mo_contact_body *a = &c->bodies[pair.a], *b = &c->bodies[pair.b];
        c->near[a->first_near + a->near_count++] = pair.b;
        c->near[b->first_near + b->near_count++] = pair.a;
    }
    return MOTE_OK;
}

mote_status mo_contact_find_boxes(mo_body_contacts *c, const double *x, mote_error *error)
{
    MO_TRY(
        mo_reserve(c->memory, &c->boxes, &c->box_capacity, c->body_count, sizeof *c->boxes, error));
    find_boxes(c, x);
    for (int64_t b = 0; b < c->body_count; ++b) {
        mo_vec3_store(c->boxes[b].low, c->bodies[b].low);
        mo_vec3_store(c->boxes[b].high, c->bodies[b].high);
    }
    MO_TRY(mo_broad_phase_update(&c->broad, c->body_count, c->boxes, NULL, NULL, error));
    return list_near(c, error);
}

bool mo_contact_is_near_other(const mo_body_contacts *c, int32_t own, mo_vec3 low, mo_vec3 high)
{
    const mo_contact_body *body = &c->bodies[own];
    if (c->def.self) {
        return true;
    }
    for (int64_t k = 0; k < body->near_count; ++k) {
        if (overlaps(low, high, &c->bodies[c->near[body->first_near + k]])) {
            return true;
        }
    }
    return false;
}
