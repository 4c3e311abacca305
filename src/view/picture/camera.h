/*
 * A camera: eye, target and up vector. Plain data in double precision, without OpenGL: used for
 * rendering and for picking.
 *
 * Conventions: right-handed; the camera looks along its own -z with +x to the right and +y up on
 * the screen. Pixels are counted from the top left corner of the picture, and (0, 0) is that
 * corner, so the centre of the first pixel is (0.5, 0.5). Angles are radians.
 */
#ifndef MO_VIEW_PICTURE_CAMERA_H
#define MO_VIEW_PICTURE_CAMERA_H

#include "view/picture/matrix.h"

#include <stdbool.h>

typedef struct mo_camera {
    mo_vec3 eye, target, up;
    double angle;  /* vertical field of view; 0: parallel projection */
    double height; /* visible height of a parallel projection */
} mo_camera;

/* The camera's own axes in the world, orthonormal. */
typedef struct mo_camera_axes {
    mo_vec3 right, up, back;
} mo_camera_axes;

typedef struct mo_ray {
    mo_vec3 from, along; /* `along` is a unit vector */
} mo_ray;

/* At (0, -4, 2) looking at the origin, +z up, 35 degrees. */
mo_camera mo_camera_default(void);

mo_camera_axes mo_camera_get_axes(const mo_camera *camera);
double mo_camera_distance(const mo_camera *camera);
/* The visible height at the distance of the target. */
double mo_camera_height(const mo_camera *camera);

/* Moves the eye around the target: a positive `right` moves the eye to the right (the scene
 * rotates to the left), a positive `above` raises it. The eye does not pass the pole. */
void mo_camera_orbit(mo_camera *camera, double right, double above);

/* Moves eye and target sideways, in fractions of the image height. */
void mo_camera_pan(mo_camera *camera, double right, double above);

/* Approaches (factor < 1) or recedes (factor > 1); a parallel projection changes its height. */
void mo_camera_zoom(mo_camera *camera, double factor);

/* Switches between perspective and parallel projection, preserving the visible height at the
 * target. */
void mo_camera_set_parallel(mo_camera *camera, bool parallel, double angle);

/* Keeps the direction and moves the camera so that the box is fully visible, with a margin as a
 * fraction of the image (0.05). `aspect` is width / height. */
void mo_camera_frame(mo_camera *camera, mo_vec3 low, mo_vec3 high, double aspect, double margin);

/* View matrix, from world coordinates relative to `origin` to camera coordinates; projection
 * matrix, from camera to clip space. */
mo_mat4 mo_camera_view(const mo_camera *camera, mo_vec3 origin);
mo_mat4 mo_camera_projection(const mo_camera *camera, double aspect, double near, double far);

/* The pixel coordinates of a point in an image of width x height; `depth` is its distance from
 * the plane of the eye. False: it is behind the eye. */
bool mo_camera_project(const mo_camera *camera, int width, int height, mo_vec3 point, double *px,
                       double *py, double *depth);

/* The ray through a pixel, and the point on it at a depth as given by mo_camera_project. */
mo_ray mo_camera_ray(const mo_camera *camera, int width, int height, double px, double py);
mo_vec3 mo_camera_unproject(const mo_camera *camera, int width, int height, double px, double py,
                            double depth);

#endif
