#include "geometry/surface/assembly.h"

#include <stdlib.h>

/* Holes of at most this many edges are closed, by triangles of up to LOOSE times the largest
 * circumradius: stars turn neighbours into a plane, which changes radii a little. */
enum { HOLE_MAX = 8 };
static const double LOOSE = 1.2;

/* A triangle that not all of its corners' stars contain. */
typedef struct disputed {
    int votes;
    double square; /* of the circumradius */
    int32_t corner[3];
} disputed;

static mo_vec3 at(const mo_assembly *a, int32_t row)
{
    return mo_vec3_load(a->points->x + 3 * (int64_t)row);
}

/* The squared circumradius, (|a| |b| |c|)^2 / (4 |a x b|^2); infinite for a degenerate one. */
static double circle_square(const mo_assembly *a, const int32_t corner[3])
{
    mo_vec3 p = at(a, corner[0]), b = mo_sub(at(a, corner[1]), p), c = mo_sub(at(a, corner[2]), p);
    mo_vec3 d = mo_sub(c, b), area = mo_cross(b, c);
    double square = mo_dot(area, area);
    return square > 0 ? mo_dot(b, b) * mo_dot(c, c) * mo_dot(d, d) / (4 * square) : INFINITY;
}

/* ---- fans ---- */

typedef struct sector {
    mo_planar from, to;
} sector;

static sector sector_of(const mo_assembly *a, const mo_tangents *t, int32_t first, int32_t second)
{
    return (sector){mo_tangents_of(t, at(a, first)), mo_tangents_of(t, at(a, second))};
}

static bool inside(mo_planar p, const sector *s)
{
    return mo_planar_cross(s->from, p) > 0 && mo_planar_cross(p, s->to) > 0;
}

static bool overlap(const sector *a, const sector *b)
{
    return inside(a->from, b) || inside(a->to, b) || inside(b->from, a) || inside(b->to, a);
}

/* Whether the triangle vertex, first, second can join the fan of its vertex. */
static bool corner_fits(const mo_assembly *a, int32_t vertex, int32_t first, int32_t second)
{
    const mo_star_fan *fan = &a->fan[vertex];
    mo_tangents t = mo_tangents_at(a->points, vertex);
    sector own = sector_of(a, &t, first, second);
    if (fan->count == MO_STAR_MAX || !(mo_planar_cross(own.from, own.to) > 0)) {
        return false;
    }
    for (int k = 0; k < fan->count; ++k) {
        sector other = sector_of(a, &t, fan->first[k], fan->second[k]);
        if (fan->first[k] == first || fan->second[k] == second || overlap(&own, &other)) {
            return false;
        }
    }
    return true;
}

static void add_corner(mo_star_fan *fan, int32_t first, int32_t second)
{
    fan->first[fan->count] = first;
    fan->second[fan->count++] = second;
}

static bool accept(mo_assembly *a, const int32_t c[3])
{
    for (int k = 0; k < 3; ++k) {
        if (!corner_fits(a, c[k], c[(k + 1) % 3], c[(k + 2) % 3])) {
            return false;
        }
    }
    for (int k = 0; k < 3; ++k) {
        add_corner(&a->fan[c[k]], c[(k + 1) % 3], c[(k + 2) % 3]);
    }
    return true;
}

static void remove_corner(mo_star_fan *fan, int32_t first)
{
    for (int k = 0; k < fan->count; ++k) {
        if (fan->first[k] == first) {
            fan->first[k] = fan->first[fan->count - 1];
            fan->second[k] = fan->second[--fan->count];
            return;
        }
    }
}

/* ---- stars and votes ---- */

static void find_stars(void *context, int64_t first, int64_t last)
{
    mo_assembly *a = context;
    for (int64_t row = first; row < last; ++row) {
        a->star[row] = mo_star_at(a->points, row);
    }
}

/* The number of stars of its corners with a triangle of the star of `row`, and whether `row` is
 * the lowest of their rows. */
static int votes_of(const mo_assembly *a, int32_t row, int32_t first, int32_t second, bool *lowest)
{
    bool there = mo_star_find(&a->star[first], second, row) >= 0;
    bool then = mo_star_find(&a->star[second], row, first) >= 0;
    *lowest = !(there && first < row) && !(then && second < row);
    return 1 + there + then;
}

/* Accepts the triangles on which all corners agree. */
static void join_agreed(void *context, int64_t first, int64_t last)
{
    mo_assembly *a = context;
    for (int64_t row = first; row < last; ++row) {
        const mo_star *star = &a->star[row];
        for (int k = 0; k < star->count; ++k) {
            int32_t end = star->end[k], next = star->end[k + 1 < star->count ? k + 1 : 0];
            bool lowest;
            if ((star->triangles >> k & 1) && votes_of(a, (int32_t)row, end, next, &lowest) == 3) {
                add_corner(&a->fan[row], end, next);
            }
        }
    }
}

typedef struct disputes {
    int64_t count, capacity;
    disputed *list;
} disputes;

static mote_status gather_disputes(const mo_assembly *a, disputes *d, mote_error *error)
{
    for (int64_t row = 0; row < a->points->count; ++row) {
        const mo_star *star = &a->star[row];
        for (int k = 0; k < star->count; ++k) {
            int32_t end = star->end[k], next = star->end[k + 1 < star->count ? k + 1 : 0];
            bool lowest;
            int votes =
                star->triangles >> k & 1 ? votes_of(a, (int32_t)row, end, next, &lowest) : 3;
            if (votes == 3 || !lowest) {
                continue;
            }
            MO_TRY(mo_reserve(a->memory, &d->list, &d->capacity, d->count + 1, sizeof *d->list,
                              error));
            disputed t = {votes, 0, {(int32_t)row, end, next}};
            t.square = circle_square(a, t.corner);
            d->list[d->count++] = t;
        }
    }
    return MOTE_OK;
}

static int compare_disputed(const void *left, const void *right)
{
    const disputed *a = left, *b = right;
    if (a->votes != b->votes) {
        return b->votes - a->votes;
    }
    if (a->square != b->square) {
        return a->square < b->square ? -1 : 1;
    }
    for (int k = 0; k < 3; ++k) {
        if (a->corner[k] != b->corner[k]) {
            return a->corner[k] < b->corner[k] ? -1 : 1;
        }
    }
    return 0;
}

static mote_status join_disputed(mo_assembly *a, mote_error *error)
{
    disputes d = {0};
    double most = LOOSE * LOOSE * a->points->radius * a->points->radius;
    mote_status status = gather_disputes(a, &d, error);
    if (status == MOTE_OK && d.count > 0) {
        qsort(d.list, (size_t)d.count, sizeof *d.list, compare_disputed);
    }
    for (int64_t k = 0; status == MOTE_OK && k < d.count; ++k) {
        if (d.list[k].square <= most) {
            accept(a, d.list[k].corner);
        }
    }
    mo_release(a->memory, d.list);
    return status;
}

/* ---- holes ---- */

/* The index of the triangle of a fan that follows (or precedes) an edge; -1: none. */
static int begins_at(const mo_star_fan *fan, int32_t end)
{
    for (int k = 0; k < fan->count; ++k) {
        if (fan->first[k] == end) {
            return k;
        }
    }
    return -1;
}

static int ends_at(const mo_star_fan *fan, int32_t end)
{
    for (int k = 0; k < fan->count; ++k) {
        if (fan->second[k] == end) {
            return k;
        }
    }
    return -1;
}

/* Grows with the angle of a direction, in [0, 4). */
static double turn_of(mo_planar p)
{
    double size = fabs(p.u) + fabs(p.v), part = size > 0 ? p.u / size : 1;
    return p.v >= 0 ? 1 - part : 3 + part;
}

/* The border continues from `vertex`, reached from `from`: to the end of a fan that comes first
 * clockwise. -1: none. */
static int32_t next_of_border(const mo_assembly *a, int32_t vertex, int32_t from)
{
    const mo_star_fan *fan = &a->fan[vertex];
    mo_tangents t = mo_tangents_at(a->points, vertex);
    double origin = turn_of(mo_tangents_of(&t, at(a, from))), least = INFINITY;
    int32_t found = -1;
    for (int k = 0; k < fan->count; ++k) {
        if (begins_at(fan, fan->second[k]) >= 0) {
            continue;
        }
        double turn = origin - turn_of(mo_tangents_of(&t, at(a, fan->second[k])));
        turn += turn <= 0 ? 4 : 0;
        if (turn < least) {
            least = turn;
            found = fan->second[k];
        }
    }
    return found;
}

/* Closes a hole ear by ear, the one with the smallest circle first. */
static void fill_hole(mo_assembly *a, int32_t *hole, int count)
{
    double limit = LOOSE * LOOSE * a->points->radius * a->points->radius;
    bool refused[HOLE_MAX] = {false};
    while (count >= 3) {
        double least = INFINITY;
        int best = -1;
        for (int k = 0; k < count; ++k) {
            int32_t ear[3] = {hole[(k + count - 1) % count], hole[k], hole[(k + 1) % count]};
            double square = refused[k] ? INFINITY : circle_square(a, ear);
            if (square <= limit && square < least) {
                least = square;
                best = k;
            }
        }
        if (best < 0) {
            return;
        }
        int32_t ear[3] = {hole[(best + count - 1) % count], hole[best], hole[(best + 1) % count]};
        if (!accept(a, ear)) {
            refused[best] = true;
            continue;
        }
        --count;
        for (int k = best; k < count; ++k) {
            hole[k] = hole[k + 1];
        }
        for (int k = 0; k < HOLE_MAX; ++k) {
            refused[k] = false;
        }
        count = count == 2 ? 0 : count;
    }
}

/* The border from an edge on, if it is short. */
static void examine_border(mo_assembly *a, int32_t begin, int32_t next)
{
    int32_t hole[HOLE_MAX];
    int count = 0;
    int32_t from = begin, to = next;
    do {
        if (count == HOLE_MAX || to < 0) {
            return;
        }
        hole[count++] = from;
        int32_t beyond = next_of_border(a, to, from);
        from = to;
        to = beyond;
    } while (from != begin || to != next);
    if (count >= 3) {
        fill_hole(a, hole, count);
    }
}

static void fill_holes(mo_assembly *a)
{
    for (int32_t row = 0; row < a->points->count; ++row) {
        const mo_star_fan *fan = &a->fan[row];
        for (int k = 0; k < fan->count; ++k) {
            if (begins_at(fan, fan->second[k]) < 0) {
                examine_border(a, row, fan->second[k]);
            }
        }
    }
}

/* ---- several fans at a vertex ---- */

/* Numbers the fans of a vertex from 0 in part[]; returns their number and the largest. */
static int part_fan(const mo_star_fan *fan, int part[MO_STAR_MAX], int *largest)
{
    int parts = 0, most = 0;
    for (int k = 0; k < fan->count; ++k) {
        part[k] = -1;
    }
    *largest = 0;
    for (int round = 0; round < 2; ++round) { /* open fans from their first edges, then rings */
        for (int k = 0; k < fan->count; ++k) {
            if (part[k] >= 0 || (round == 0 && ends_at(fan, fan->first[k]) >= 0)) {
                continue;
            }
            int size = 0;
            for (int at = k; at >= 0 && part[at] < 0; at = begins_at(fan, fan->second[at])) {
                part[at] = parts;
                ++size;
            }
            if (size > most) {
                most = size;
                *largest = parts;
            }
            ++parts;
        }
    }
    return parts;
}

/* Removes the triangles of all fans of a vertex but the largest; returns whether there were. */
static bool keep_one_fan(mo_assembly *a, int32_t vertex)
{
    mo_star_fan *fan = &a->fan[vertex], old = *fan;
    int part[MO_STAR_MAX], largest;
    if (part_fan(fan, part, &largest) <= 1) {
        return false;
    }
    fan->count = 0;
    for (int k = 0; k < old.count; ++k) {
        if (part[k] == largest) {
            add_corner(fan, old.first[k], old.second[k]);
        } else {
            remove_corner(&a->fan[old.first[k]], old.second[k]);
            remove_corner(&a->fan[old.second[k]], vertex);
        }
    }
    return true;
}

static void keep_fans(mo_assembly *a)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t row = 0; row < a->points->count; ++row) {
            changed = keep_one_fan(a, row) || changed;
        }
    }
}

mote_status mo_assembly_make(mo_assembly *a, const mo_star_points *points, mo_memory *memory,
                             mo_pool *pool, mote_error *error)
{
    void *star, *fan;
    *a = (mo_assembly){.memory = memory, .points = points};
    MO_TRY(mo_allocate_array(memory, points->count, sizeof *a->star, &star, error));
    a->star = star;
    MO_TRY(mo_allocate_array(memory, points->count, sizeof *a->fan, &fan, error));
    a->fan = fan;
    mo_parallel_for(pool, points->count, MO_STAR_GRAIN, find_stars, a);
    mo_parallel_for(pool, points->count, MO_STAR_GRAIN, join_agreed, a);
    MO_TRY(join_disputed(a, error));
    fill_holes(a);
    keep_fans(a);
    return MOTE_OK;
}

void mo_assembly_release(mo_assembly *a)
{
    mo_release(a->memory, a->star);
    mo_release(a->memory, a->fan);
    a->star = NULL;
    a->fan = NULL;
}
