#include "collide/narrow/manifolds.h"

#include "collide/convex/clip.h"

uint32_t mo_manifolds_hint(const mo_manifolds *list, uint32_t part)
{
    for (int k = 0; k < list->hints.count; ++k) {
        if (list->hints.list[k].part == part) {
            return list->hints.list[k].axis;
        }
    }
    return 0;
}

void mo_manifolds_add(mo_manifolds *list, const mo_manifold *manifold, uint32_t part)
{
    int at = list->count;
    if (at == MO_NARROW_MOST) {
        at = 0;
        for (int k = 1; k < MO_NARROW_MOST; ++k) {
            at = mo_manifold_gap(&list->out[k]) > mo_manifold_gap(&list->out[at]) ? k : at;
        }
        if (!(mo_manifold_gap(manifold) < mo_manifold_gap(&list->out[at]))) {
            return;
        }
    } else {
        ++list->count;
    }
    list->out[at] = *manifold;
    list->out[at].hint.part = part;
}

int mo_manifolds_finish(mo_manifolds *list)
{
    for (int k = 1; k < list->count; ++k) { /* a few, nearly in order: insertion */
        mo_manifold moved = list->out[k];
        int at = k;
        for (; at > 0 && list->out[at - 1].hint.part > moved.hint.part; --at) {
            list->out[at] = list->out[at - 1];
        }
        list->out[at] = moved;
    }
    return list->count;
}

/* ---- scattered points ---- */

void mo_scatter_add(mo_scatter *s, mo_vec3 normal, const mo_manifold_point *point)
{
    int at = s->count;
    if (at == MO_SCATTER_MOST) {
        at = 0;
        for (int k = 1; k < MO_SCATTER_MOST; ++k) {
            at = s->list[k].point.gap > s->list[at].point.gap ? k : at;
        }
        if (!(point->gap < s->list[at].point.gap)) {
            return;
        }
    } else {
        ++s->count;
    }
    s->list[at] = (mo_scatter_point){normal, *point};
}

/* One of 27 directions: an identifier of a manifold that is insensitive to small rotations of
 * its normal. */
static uint32_t direction_of(mo_vec3 n)
{
    uint32_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double x = mo_vec3_at(n, axis);
        code = 3 * code + (x > 0.4 ? 2 : x < -0.4 ? 0 : 1);
    }
    return code;
}

static bool is_beside(const mo_corner *corner, int count, const mo_corner *p, double tolerance)
{
    for (int k = 0; k < count; ++k) {
        double x = corner[k].x - p->x, y = corner[k].y - p->y;
        if (x * x + y * y <= tolerance * tolerance) {
            return true;
        }
    }
    return false;
}

/* Removes the points whose normals agree with n from the scatter, and creates a manifold of
 * them. */
static void gather(mo_scatter *s, mo_vec3 n, double alike, double tolerance, mo_manifold *m)
{
    mo_corner corner[MO_SCATTER_MOST];
    mo_scatter_point taken[MO_SCATTER_MOST];
    mo_vec3 u = mo_perpendicular(n), v = mo_cross(n, u);
    int count = 0, left = 0;
    for (int k = 0; k < s->count; ++k) {
        mo_scatter_point *p = &s->list[k];
        if (mo_dot(p->normal, n) < alike) {
            s->list[left++] = *p;
            continue;
        }
        mo_vec3 x = p->point.point[1];
        mo_corner c = {mo_dot(x, u), mo_dot(x, v), p->point.gap, (uint16_t)count, 0};
        if (!is_beside(corner, count, &c, tolerance)) {
            taken[count] = *p;
            corner[count++] = c;
        }
    }
    s->count = left;
    m->normal = n;
    m->hint.axis = 0;
    m->count = mo_clip_reduce(corner, count, tolerance);
    for (int k = 0; k < m->count; ++k) {
        m->point[k] = taken[corner[k].before].point;
        m->point[k].gap = mo_dot(n, mo_sub(m->point[k].point[0], m->point[k].point[1]));
    }
}

void mo_scatter_manifolds(mo_scatter *s, double alike, double tolerance, uint32_t part,
                          mo_manifolds *list)
{
    for (int k = 1; k < s->count; ++k) { /* by depth; equal ones in the order they were added */
        mo_scatter_point moved = s->list[k];
        int at = k;
        for (; at > 0 && s->list[at - 1].point.gap > moved.point.gap; --at) {
            s->list[at] = s->list[at - 1];
        }
        s->list[at] = moved;
    }
    for (int k = 0; s->count > 0 && k < MO_NARROW_MOST; ++k) {
        mo_manifold m;
        gather(s, s->list[0].normal, alike, tolerance, &m);
        mo_manifolds_add(list, &m, part + direction_of(m.normal));
    }
}
