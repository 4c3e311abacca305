#include "solid/model/cut.h"

enum { NODES = 4 };

static double height_of(const mo_cut *s, mo_vec3 x)
{
    return mo_dot(s->normal, mo_sub(x, s->point));
}

/* Where the edge from a to b meets the plane; they are on different sides. */
static mo_vec3 meet(const mo_cut *s, mo_vec3 a, mo_vec3 b)
{
    double from = height_of(s, a), to = height_of(s, b);
    return mo_add_scaled(a, from / (from - to), mo_sub(b, a));
}

/* Nodes below the plane, then those above or in it; returns the number of the first. */
static int sort_sides(const mo_cut *s, const mo_vec3 *x, int count, mo_vec3 *sorted)
{
    int below = 0, at = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < count; ++k) {
            bool is_below = height_of(s, x[k]) < 0;
            below += pass == 0 && is_below;
            if (is_below == (pass == 0)) {
                sorted[at++] = x[k];
            }
        }
    }
    return below;
}

static double triangle_area(mo_vec3 a, mo_vec3 b, mo_vec3 c)
{
    return 0.5 * mo_length(mo_cross(mo_sub(b, a), mo_sub(c, a)));
}

double mo_cut_area(const mo_cut *cut, const mo_vec3 x[4])
{
    mo_vec3 y[NODES];
    int below = sort_sides(cut, x, NODES, y);
    if (below == 0 || below == NODES) {
        return 0;
    }
    if (below != 2) { /* one node is alone on its side */
        mo_vec3 apex = below == 1 ? y[0] : y[3];
        const mo_vec3 *others = below == 1 ? y + 1 : y;
        return triangle_area(meet(cut, apex, others[0]), meet(cut, apex, others[1]),
                             meet(cut, apex, others[2]));
    }
    mo_vec3 a = meet(cut, y[0], y[2]), b = meet(cut, y[0], y[3]), c = meet(cut, y[1], y[3]),
            d = meet(cut, y[1], y[2]);
    return triangle_area(a, b, c) + triangle_area(a, c, d);
}

double mo_cut_length(const mo_cut *cut, const mo_vec3 x[3], mo_vec3 *across)
{
    mo_vec3 y[3];
    int below = sort_sides(cut, x, 3, y);
    if (below == 0 || below == 3) {
        return 0;
    }
    mo_vec3 apex = below == 1 ? y[0] : y[2], first = below == 1 ? y[1] : y[0],
            second = below == 1 ? y[2] : y[1];
    mo_vec3 line = mo_sub(meet(cut, apex, second), meet(cut, apex, first));
    double length = mo_length(line);
    mo_vec3 normal = mo_cross(mo_sub(x[1], x[0]), mo_sub(x[2], x[0])), m = mo_cross(line, normal);
    double size = mo_length(m);
    if (!(size > 0)) {
        return 0;
    }
    *across = mo_scale((mo_dot(m, cut->normal) < 0 ? -1 : 1) / size, m);
    return length;
}

bool mo_cut_edge(const mo_cut *cut, const mo_vec3 x[2], mo_vec3 *along)
{
    bool first = height_of(cut, x[0]) < 0, second = height_of(cut, x[1]) < 0;
    mo_vec3 d = first ? mo_sub(x[1], x[0]) : mo_sub(x[0], x[1]);
    double length = mo_length(d);
    *along = length > 0 ? mo_scale(1 / length, d) : d;
    return first != second;
}
