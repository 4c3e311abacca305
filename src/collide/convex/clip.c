#include "collide/convex/clip.h"

/* Sutherland, Hodgman 1974, for one line. */
int mo_clip(const mo_corner *in, int count, double nx, double ny, double offset, uint16_t side,
            mo_corner *out)
{
    int made = 0;
    double d = count > 0 ? nx * in[0].x + ny * in[0].y - offset : 0, first = d;
    for (int k = 0; k < count; ++k) {
        const mo_corner *p = &in[k], *q = &in[k + 1 < count ? k + 1 : 0];
        double e = k + 1 < count ? nx * q->x + ny * q->y - offset : first;
        if (d <= 0) {
            out[made++] = *p;
        }
        if ((d < 0 && e > 0) || (d > 0 && e < 0)) {
            double t = d / (d - e);
            out[made] = (mo_corner){p->x + t * (q->x - p->x), p->y + t * (q->y - p->y),
                                    p->z + t * (q->z - p->z), p->after, p->after};
            if (e > 0) { /* leaving: the line follows */
                out[made].after = side;
            } else {
                out[made].before = side;
            }
            ++made;
        } else if (d == 0 && e > 0 && made > 0) {
            out[made - 1].after = side;
        }
        d = e;
    }
    return made;
}

/* ---- four of many ---- */

static double distance2(const mo_corner *a, const mo_corner *b)
{
    double x = a->x - b->x, y = a->y - b->y;
    return x * x + y * y;
}

/* Twice the signed area of a triangle. */
static double area(const mo_corner *a, const mo_corner *b, const mo_corner *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* The deepest corner replaces the chosen one nearest to it. */
static void keep_deepest(const mo_corner *corner, int count, double tolerance, int chosen[4])
{
    int deepest = 0, nearest = 0;
    double least = (double)INFINITY;
    for (int k = 1; k < count; ++k) {
        deepest = corner[k].z < corner[deepest].z ? k : deepest;
    }
    for (int j = 0; j < 4; ++j) {
        least = fmin(least, corner[chosen[j]].z);
        if (distance2(&corner[chosen[j]], &corner[deepest]) <
            distance2(&corner[chosen[nearest]], &corner[deepest])) {
            nearest = j;
        }
    }
    if (corner[deepest].z < least - tolerance) {
        chosen[nearest] = deepest;
    }
}

/* The two most distant corners: an extreme one in a generic direction, so that rounding does not
 * change the order, and the farthest from it. */
static void farthest_pair(const mo_corner *corner, int count, double tolerance, int chosen[2])
{
    chosen[0] = chosen[1] = 0;
    for (int k = 1; k < count; ++k) {
        const mo_corner *best = &corner[chosen[0]];
        double ahead = 0.8 * (corner[k].x - best->x) + 0.6 * (corner[k].y - best->y);
        chosen[0] = ahead > tolerance ? k : chosen[0];
    }
    const mo_corner *a = &corner[chosen[0]];
    for (int k = 0; k < count; ++k) {
        double best = distance2(a, &corner[chosen[1]]);
        chosen[1] = distance2(a, &corner[k]) > best * (1 + 1e-6) ? k : chosen[1];
    }
}

/* Those with the largest areas on both sides of the first two; false if all are on a line. */
static bool largest_areas(const mo_corner *corner, int count, double tolerance, int chosen[4])
{
    const mo_corner *a = &corner[chosen[0]], *b = &corner[chosen[1]];
    double most = 0, least = 0, line = tolerance * sqrt(distance2(a, b));
    chosen[2] = chosen[3] = -1;
    for (int k = 0; k < count; ++k) {
        double here = area(a, b, &corner[k]);
        if (here > most + 1e-6 * fabs(most)) {
            most = here;
            chosen[2] = k;
        }
        if (here < least - 1e-6 * fabs(least)) {
            least = here;
            chosen[3] = k;
        }
    }
    for (int j = 2; j < 4; ++j) {
        chosen[j] = chosen[j] < 0 ? chosen[0] : chosen[j];
    }
    return fmax(most, -least) > line;
}

int mo_clip_reduce(mo_corner *corner, int count, double tolerance)
{
    int chosen[4];
    if (count <= 2) {
        return count;
    }
    farthest_pair(corner, count, tolerance, chosen);
    if (!largest_areas(corner, count, tolerance, chosen)) {
        chosen[2] = chosen[3] = chosen[0];
    } else if (count <= 4) {
        return count;
    }
    keep_deepest(corner, count, tolerance, chosen);
    mo_corner kept[4];
    int made = 0;
    for (int j = 0; j < 4; ++j) {
        bool again = false;
        for (int i = 0; i < j; ++i) {
            again |= chosen[i] == chosen[j];
        }
        if (!again) {
            kept[made++] = corner[chosen[j]];
        }
    }
    for (int j = 0; j < made; ++j) {
        corner[j] = kept[j];
    }
    return made;
}

uint32_t mo_clip_key(const mo_corner *corner, uint32_t kind, uint32_t face)
{
    uint32_t low = corner->before < corner->after ? corner->before : corner->after;
    uint32_t high = corner->before < corner->after ? corner->after : corner->before;
    return kind << 30 | (face & 0xff) << 22 | (high & 0x7ff) << 11 | (low & 0x7ff);
}
