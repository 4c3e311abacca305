/*
 * Picking of particles and bounds of a picture: on the CPU, without OpenGL.
 */
#ifndef MO_VIEW_PICTURE_PICK_H
#define MO_VIEW_PICTURE_PICK_H

#include "view/picture/camera.h"
#include "view/picture/look.h"
#include "view/picture/picture.h"

/* The row of the nearest particle intersected by the ray through a pixel, as a sphere of its
 * drawn radius, but at least `slack` pixels wide so that points can be picked; -1: none. */
int64_t mo_pick_particle(const mo_picture *picture, const mo_camera *camera, const mo_look *look,
                         int width, int height, double px, double py, double slack);

/* The bounding box of particles, solids other than planes, and the surface. A picture of planes
 * alone gives a box of 2 m around the first; an empty one gives 2 m around the origin. Rows that
 * are not finite are skipped. */
void mo_picture_bounds(const mo_picture *picture, mo_vec3 *low, mo_vec3 *high);

/* The drawn radius of a particle. */
double mo_picture_radius(const mo_picture *picture, const mo_look *look, int64_t row);

#endif
