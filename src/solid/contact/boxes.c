/*
 * Bounding boxes of bodies, and their overlapping pairs. Boxes are sorted along the axis of largest
 * variance of the bodies, and each is compared with those that begin before it ends (sweep and
 * prune: J. D. Cohen, M. C. Lin, D. Manocha, M. Ponamgi 1995, I3D 189).
 */
#include "solid/contact/state.h"

#include <math.h>
#include <stdlib.h>

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

/* The axis of largest variance of the boxes' centres. */
static int widest_axis(const mo_body_contacts *c)
{
    double most = -1;
    int best = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t b = 0; b < c->body_count; ++b) {
            double middle = mo_vec3_at(mo_add(c->bodies[b].low, c->bodies[b].high), axis);
            low = fmin(low, middle);
            high = fmax(high, middle);
        }
        best = high - low > most ? axis : best;
        most = fmax(most, high - low);
    }
    return best;
}

static int compare_spans(const void *a, const void *b)
{
    const mo_contact_span *p = a, *q = b;
    return p->low < q->low ? -1 : p->low > q->low ? 1 : (p->body > q->body) - (p->body < q->body);
}

static mote_status sort_spans(mo_body_contacts *c, mote_error *error)
{
    void *spans = c->spans;
    mote_status status = mo_grow(c->memory, &spans, &c->span_room, c->body_count + 1,
                                 sizeof(mo_contact_span), error);
    c->spans = spans;
    MO_TRY(status);
    int axis = widest_axis(c);
    for (int64_t b = 0; b < c->body_count; ++b) {
        c->spans[b] = (mo_contact_span){mo_vec3_at(c->bodies[b].low, axis),
                                        mo_vec3_at(c->bodies[b].high, axis), (int32_t)b};
    }
    qsort(c->spans, (size_t)c->body_count, sizeof *c->spans, compare_spans);
    return MOTE_OK;
}

/* Visits all overlapping pairs: counts, or stores them. */
static void visit_pairs(mo_body_contacts *c, bool write)
{
    for (int64_t i = 0; i < c->body_count; ++i) {
        mo_contact_body *a = &c->bodies[c->spans[i].body];
        for (int64_t j = i + 1; j < c->body_count && c->spans[j].low <= c->spans[i].high; ++j) {
            mo_contact_body *b = &c->bodies[c->spans[j].body];
            if (overlaps(a->low, a->high, b)) {
                if (write) {
                    c->near[a->first_near + a->near_count] = c->spans[j].body;
                    c->near[b->first_near + b->near_count] = c->spans[i].body;
                }
                a->near_count++;
                b->near_count++;
            }
        }
    }
}

mote_status mo_contact_find_boxes(mo_body_contacts *c, const double *x, mote_error *error)
{
    void *near = c->near;
    int64_t sum = 0;
    find_boxes(c, x);
    MO_TRY(sort_spans(c, error));
    for (int64_t b = 0; b < c->body_count; ++b) {
        c->bodies[b].near_count = 0;
    }
    visit_pairs(c, false);
    for (int64_t b = 0; b < c->body_count; ++b) {
        c->bodies[b].first_near = sum;
        sum += c->bodies[b].near_count;
        c->bodies[b].near_count = 0;
    }
    mote_status status = mo_grow(c->memory, &near, &c->near_room, sum, sizeof(int32_t), error);
    c->near = near;
    MO_TRY(status);
    visit_pairs(c, true);
    return MOTE_OK;
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
