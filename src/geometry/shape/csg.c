#include "geometry/shape/csg.h"

#include "geometry/shape/facets.h"

enum { BATCH = 64 };

static double sign_of(const mo_csg *c, int64_t k)
{
    return k == 0 ? c->sign : c->other_sign;
}

void mo_csg_distances(const mo_csg *c, int64_t count, const double *points, double *distance,
                      double *normal)
{
    for (int64_t first = 0; first < count; first += BATCH) {
        int64_t n = count - first < BATCH ? count - first : BATCH;
        double most[BATCH], own[BATCH], direction[3 * BATCH];
        for (int64_t k = 0; k < n; ++k) {
            most[k] = -INFINITY;
        }
        for (int64_t s = 0; s < c->count; ++s) {
            double sign = sign_of(c, s);
            mo_shape_distances(c->shapes[s], n, points + 3 * first, own, normal ? direction : NULL);
            for (int64_t k = 0; k < n; ++k) {
                if (sign * own[k] <= most[k] || isnan(most[k])) {
                    continue;
                }
                most[k] = sign * own[k];
                for (int axis = 0; normal && axis < 3; ++axis) {
                    normal[3 * (first + k) + axis] = c->outer * sign * direction[3 * k + axis];
                }
            }
        }
        for (int64_t k = 0; k < n; ++k) {
            distance[first + k] = c->outer * most[k];
        }
    }
}

/* ---- intervals of lines ---- */

/* The complement of ascending intervals; at most one more. */
static int complement(const mo_interval *list, int count, mo_interval *out)
{
    double from = -INFINITY;
    int made = 0;
    for (int k = 0; k < count; ++k) {
        if (list[k].from > from) {
            out[made++] = (mo_interval){from, list[k].from};
        }
        from = list[k].to;
    }
    if (from < INFINITY) {
        out[made++] = (mo_interval){from, INFINITY};
    }
    return made;
}

/* The intersection of two lists; -1: overflow. */
static int common(const mo_interval *a, int a_count, const mo_interval *b, int b_count,
                  mo_interval *out)
{
    int made = 0;
    for (int i = 0, j = 0; i < a_count && j < b_count;) {
        mo_interval both = {fmax(a[i].from, b[j].from), fmin(a[i].to, b[j].to)};
        if (both.from < both.to) {
            if (made == MO_INTERVALS_MOST) {
                return -1;
            }
            out[made++] = both;
        }
        *(a[i].to < b[j].to ? &i : &j) += 1;
    }
    return made;
}

/* The shape given by s_k d_k < 0 is the shape or its complement; all are intersected, and o
 * selects the result or its complement. */
int mo_csg_intervals(const mo_csg *c, mo_vec3 from, mo_vec3 direction, mo_interval *list)
{
    mo_interval all[MO_INTERVALS_MOST + 1] = {{-INFINITY, INFINITY}};
    int count = 1;
    for (int64_t k = 0; k < c->count && count >= 0; ++k) {
        mo_interval own[MO_INTERVALS_MOST + 1], other[MO_INTERVALS_MOST + 1],
            cut[MO_INTERVALS_MOST + 1];
        int found = mo_shape_intervals(c->shapes[k], from, direction, own);
        if (found < 0) {
            return -1;
        }
        bool turned = sign_of(c, k) < 0;
        int used = turned ? complement(own, found, other) : found;
        count = common(all, count, turned ? other : own, used, cut);
        for (int n = 0; n < count; ++n) {
            all[n] = cut[n];
        }
    }
    mo_interval result[MO_INTERVALS_MOST + 1];
    int made = count >= 0 && c->outer < 0 ? complement(all, count, result) : count;
    for (int n = 0; n < made && n < MO_INTERVALS_MOST; ++n) {
        list[n] = c->outer < 0 ? result[n] : all[n];
    }
    return made > MO_INTERVALS_MOST ? -1 : made;
}

/* ---- facets ---- */

/* A triangle is clipped where max_k s_k d_k of the others is zero; near it, it is first bisected
 * to the size of an edge. */
enum { HALVINGS = 24, BISECTIONS = 40 };

typedef struct cutter {
    const mo_csg *csg;
    int64_t own; /* the shape whose surface is cut */
    double edge, slack;
    bool flip, coarse;
    mo_facets *out;
    mote_error *error;
} cutter;

/* Negative: the point is part of the result's surface. A coincident face belongs to the first of
 * two shapes of the same sign, and to none otherwise. */
static double others_at(const cutter *c, mo_vec3 x)
{
    double most = -INFINITY, at[3], distance;
    mo_vec3_store(at, x);
    for (int64_t k = 0; k < c->csg->count; ++k) {
        if (k != c->own) {
            double sign = sign_of(c->csg, k);
            bool keeps = k > c->own && sign == sign_of(c->csg, c->own);
            mo_shape_distances(c->csg->shapes[k], 1, at, &distance, NULL);
            most = fmax(most, sign * distance + (keeps ? -c->slack : c->slack));
        }
    }
    return most;
}

static mote_status add_triangle(const cutter *c, mo_vec3 p, mo_vec3 q, mo_vec3 r)
{
    int64_t first = c->out->vertices;
    MO_TRY(mo_facets_vertex(c->out, p, c->error));
    MO_TRY(mo_facets_vertex(c->out, c->flip ? r : q, c->error));
    MO_TRY(mo_facets_vertex(c->out, c->flip ? q : r, c->error));
    return mo_facets_triangle(c->out, first, first + 1, first + 2, c->error);
}

/* The surface point of the others between an inner and an outer point. */
static mo_vec3 crossing(const cutter *c, mo_vec3 in, mo_vec3 out)
{
    for (int k = 0; k < BISECTIONS; ++k) {
        mo_vec3 middle = mo_scale(0.5, mo_add(in, out));
        *(others_at(c, middle) < 0 ? &in : &out) = middle;
    }
    return in;
}

/* Clips a small triangle: empty, complete, one corner or two. */
static mote_status cut_small(const cutter *c, const mo_vec3 p[3])
{
    bool in[3];
    int count = 0, odd = 0;
    for (int k = 0; k < 3; ++k) {
        in[k] = others_at(c, p[k]) < 0;
        count += in[k];
    }
    if (count == 0 || count == 3) {
        return count == 0 ? MOTE_OK : add_triangle(c, p[0], p[1], p[2]);
    }
    for (int k = 0; k < 3; ++k) {
        odd = in[k] == (count == 1) ? k : odd; /* the single corner */
    }
    mo_vec3 a = p[odd], b = p[(odd + 1) % 3], d = p[(odd + 2) % 3];
    mo_vec3 ab = in[odd] ? crossing(c, a, b) : crossing(c, b, a);
    mo_vec3 ad = in[odd] ? crossing(c, a, d) : crossing(c, d, a);
    if (in[odd]) {
        return add_triangle(c, a, ab, ad);
    }
    MO_TRY(add_triangle(c, ab, b, d));
    return add_triangle(c, ab, d, ad);
}

/* All corners are on the side of the middle. */
static bool is_uniform(const cutter *c, const mo_vec3 p[3], double middle)
{
    bool same = true;
    for (int k = 0; k < 3; ++k) {
        same = same && (others_at(c, p[k]) < 0) == (middle < 0);
    }
    return same;
}

static mote_status cut(const cutter *c, const mo_vec3 p[3], int halvings)
{
    int longest = 0;
    double length[3], radius = 0;
    mo_vec3 middle = mo_scale(1.0 / 3, mo_add(p[0], mo_add(p[1], p[2])));
    for (int k = 0; k < 3; ++k) {
        length[k] = mo_length(mo_sub(p[(k + 1) % 3], p[k]));
        radius = fmax(radius, mo_length(mo_sub(p[k], middle)));
        longest = length[k] > length[longest] ? k : longest;
    }
    double others = others_at(c, middle);
    if (fabs(others) > radius) { /* the surface of the others does not intersect it */
        return others < 0 ? add_triangle(c, p[0], p[1], p[2]) : MOTE_OK;
    }
    if (length[longest] <= c->edge || halvings == 0 || (c->coarse && is_uniform(c, p, others))) {
        return cut_small(c, p);
    }
    mo_vec3 a = p[longest], b = p[(longest + 1) % 3], d = p[(longest + 2) % 3];
    mo_vec3 half = mo_scale(0.5, mo_add(a, b)), first[3] = {a, half, d}, second[3] = {half, b, d};
    MO_TRY(cut(c, first, halvings - 1));
    return cut(c, second, halvings - 1);
}

static mote_status cut_shape(const mo_csg *csg, int64_t own, const mo_shape_region *region,
                             mo_facets *facets, mote_error *error)
{
    mo_facets whole;
    cutter c = {.csg = csg,
                .own = own,
                .edge = region->edge,
                .slack = 1e-6 * region->edge,
                .coarse = region->coarse,
                .flip = csg->outer * sign_of(csg, own) < 0,
                .out = facets,
                .error = error};
    mo_facets_init(&whole, facets->memory);
    mote_status status = mo_shape_facets(csg->shapes[own], region, &whole, error);
    for (int64_t t = 0; status == MOTE_OK && t < whole.triangles; ++t) {
        mo_vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = mo_vec3_load(whole.x + 3 * (int64_t)whole.corner[3 * t + k]);
        }
        status = cut(&c, p, HALVINGS);
    }
    mo_facets_release(&whole);
    return status;
}

mote_status mo_csg_facets(const mo_csg *csg, const mo_shape_region *region, mo_facets *facets,
                          mote_error *error)
{
    for (int64_t k = 0; k < csg->count; ++k) {
        MO_TRY(cut_shape(csg, k, region, facets, error));
    }
    return MOTE_OK;
}
