/*
 * Coverage masks: the fraction of each pixel covered by a shape, from 0 to 1. Shapes are united by
 * the maximum.
 */
#ifndef MO_DRAW_MASK_H
#define MO_DRAW_MASK_H

#include "draw/canvas.h"

typedef struct mo_mask {
    int width, height;
    float *coverage;              /* one value per pixel, rows from the top */
    int left, top, right, bottom; /* everything else is 0 */
} mo_mask;

void mo_mask_init(mo_mask *mask, int width, int height, float *zeroed);
void mo_mask_clear(mo_mask *mask);

/* Overlap of the pixel [k, k + 1] with [low, high]. */
static inline double mo_overlap(int k, double low, double high)
{
    double from = low > k ? low : k, to = high < k + 1 ? high : k + 1;
    return to > from ? to - from : 0;
}

/* The area of a unit square on one side of a line: `distance` is the signed distance of its
 * centre, positive inside, and (nx, ny) the unit normal of the line. */
double mo_half_plane(double distance, double nx, double ny);

/* Whether a line of this half width is visible, and its visible parameter range (0 to 1). */
bool mo_mask_reaches(const mo_mask *mask, mo_point2 a, mo_point2 b, double half, double *enter,
                     double *leave);

/* A thick line with round ends, or flat ones. */
void mo_mask_segment(mo_mask *mask, mo_point2 a, mo_point2 b, double half, bool flat_a,
                     bool flat_b);

/* A rectangle with round corners; a circle, if the radius is half its side. */
void mo_mask_rounded(mo_mask *mask, mo_box2 box, double radius);

void mo_mask_polygon(mo_mask *mask, int count, const mo_point2 *corners);

#endif
