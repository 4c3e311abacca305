#include "view/picture/camera.h"

#include <stddef.h>

static const double PI = 3.14159265358979323846;

mo_camera mo_camera_default(void)
{
    return (mo_camera){.eye = {0, -4, 2},
                       .target = {0, 0, 0},
                       .up = {0, 0, 1},
                       .angle = 35 * PI / 180,
                       .height = 2};
}

mo_camera_axes mo_camera_get_axes(const mo_camera *camera)
{
    mo_vec3 back = mo_unit(mo_sub(camera->eye, camera->target), mo_vec3_make(0, 0, 1));
    mo_vec3 up = mo_unit(camera->up, mo_vec3_make(0, 1, 0));
    mo_vec3 right = mo_cross(up, back);
    /* viewing along the vertical: the right axis is arbitrary */
    right =
        mo_length(right) > 1e-9 ? mo_unit(right, mo_vec3_make(1, 0, 0)) : mo_perpendicular(back);
    return (mo_camera_axes){right, mo_cross(back, right), back};
}

double mo_camera_distance(const mo_camera *camera)
{
    return mo_length(mo_sub(camera->eye, camera->target));
}

double mo_camera_height(const mo_camera *camera)
{
    return camera->angle > 0 ? 2 * tan(camera->angle / 2) * mo_camera_distance(camera)
                             : camera->height;
}

void mo_camera_orbit(mo_camera *camera, double right, double above)
{
    mo_camera_axes axes = mo_camera_get_axes(camera);
    mo_vec3 up = mo_unit(camera->up, mo_vec3_make(0, 1, 0));
    double distance = mo_camera_distance(camera);
    double sine = mo_dot(axes.back, up);
    double elevation = asin(sine < -1 ? -1 : sine > 1 ? 1 : sine);
    const double pole = PI / 2 - 1e-3;
    elevation += above;
    elevation = elevation > pole ? pole : elevation < -pole ? -pole : elevation;
    /* right x up is the horizontal viewing direction; `flat` is its opposite */
    mo_vec3 flat = mo_cross(axes.right, up);
    mo_vec3 heading = mo_add(mo_scale(cos(right), flat), mo_scale(sin(right), axes.right));
    mo_vec3 back = mo_add(mo_scale(cos(elevation), heading), mo_scale(sin(elevation), up));
    camera->eye = mo_add_scaled(camera->target, distance, back);
}

void mo_camera_pan(mo_camera *camera, double right, double above)
{
    mo_camera_axes axes = mo_camera_get_axes(camera);
    double height = mo_camera_height(camera);
    mo_vec3 shift = mo_add(mo_scale(right * height, axes.right), mo_scale(above * height, axes.up));
    camera->eye = mo_add(camera->eye, shift);
    camera->target = mo_add(camera->target, shift);
}

void mo_camera_zoom(mo_camera *camera, double factor)
{
    camera->height *= factor;
    if (camera->angle > 0) {
        camera->eye = mo_add_scaled(camera->target, factor, mo_sub(camera->eye, camera->target));
    }
}

void mo_camera_set_parallel(mo_camera *camera, bool parallel, double angle)
{
    double height = mo_camera_height(camera);
    camera->height = height;
    camera->angle = parallel ? 0 : angle;
    if (!parallel) {
        mo_vec3 back = mo_camera_get_axes(camera).back;
        camera->eye = mo_add_scaled(camera->target, height / (2 * tan(angle / 2)), back);
    }
}

static mo_vec3 corner(mo_vec3 low, mo_vec3 high, int k)
{
    return mo_vec3_make(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
}

/* The distance of the eye from `middle` at which a point is inside the frustum: for each pair of
 * sides |sideways| <= slope (distance - towards the eye). */
static double distance_for(mo_vec3 offset, const mo_camera_axes *axes, double slope, double aspect)
{
    double x = fabs(mo_dot(offset, axes->right)) / (slope * aspect),
           y = fabs(mo_dot(offset, axes->up)) / slope;
    return mo_dot(offset, axes->back) + (x > y ? x : y);
}

void mo_camera_frame(mo_camera *camera, mo_vec3 low, mo_vec3 high, double aspect, double margin)
{
    mo_camera_axes axes = mo_camera_get_axes(camera);
    mo_vec3 middle = mo_scale(0.5, mo_add(low, high));
    double radius = 0.5 * mo_length(mo_sub(high, low)), scale = 1 - 2 * margin;
    double slope = (camera->angle > 0 ? tan(camera->angle / 2) : 1) * scale;
    double distance = 0, half = 0;
    for (int k = 0; k < 8; ++k) {
        mo_vec3 offset = mo_sub(corner(low, high, k), middle);
        distance = fmax(distance, distance_for(offset, &axes, slope, aspect));
        half = fmax(half,
                    fmax(fabs(mo_dot(offset, axes.right)) / aspect, fabs(mo_dot(offset, axes.up))));
    }
    radius = radius > 0 ? radius : 1;
    camera->target = middle;
    if (camera->angle > 0) {
        camera->eye =
            mo_add_scaled(middle, distance > 0 ? distance : 2 * radius / slope, axes.back);
        camera->height = mo_camera_height(camera);
    } else {
        camera->eye = mo_add_scaled(middle, 3 * radius, axes.back);
        camera->height = 2 * (half > 0 ? half : radius) / scale;
    }
}

mo_mat4 mo_camera_view(const mo_camera *camera, mo_vec3 origin)
{
    mo_camera_axes axes = mo_camera_get_axes(camera);
    return mo_mat4_into(axes.right, axes.up, axes.back, mo_sub(camera->eye, origin));
}

mo_mat4 mo_camera_projection(const mo_camera *camera, double aspect, double near, double far)
{
    if (camera->angle > 0) {
        return mo_mat4_perspective(tan(camera->angle / 2), aspect, near, far);
    }
    return mo_mat4_parallel(0.5 * camera->height * aspect, 0.5 * camera->height, near, far);
}

/* Half the visible height at a depth. */
static double half_height(const mo_camera *camera, double depth)
{
    return camera->angle > 0 ? tan(camera->angle / 2) * depth : 0.5 * camera->height;
}

bool mo_camera_project(const mo_camera *camera, int width, int height, mo_vec3 point, double *px,
                       double *py, double *depth)
{
    mo_vec3 seen = mo_mat4_point(mo_camera_view(camera, camera->eye), mo_sub(point, camera->eye));
    *depth = -seen.z;
    if (camera->angle > 0 && !(*depth > 0)) {
        return false;
    }
    double scale = 0.5 * height / half_height(camera, *depth);
    *px = 0.5 * width + scale * seen.x;
    *py = 0.5 * height - scale * seen.y;
    return true;
}

mo_vec3 mo_camera_unproject(const mo_camera *camera, int width, int height, double px, double py,
                            double depth)
{
    mo_camera_axes axes = mo_camera_get_axes(camera);
    double scale = half_height(camera, depth) / (0.5 * height);
    mo_vec3 point = mo_add_scaled(camera->eye, scale * (px - 0.5 * width), axes.right);
    point = mo_add_scaled(point, scale * (0.5 * height - py), axes.up);
    return mo_add_scaled(point, -depth, axes.back);
}

mo_ray mo_camera_ray(const mo_camera *camera, int width, int height, double px, double py)
{
    mo_camera_axes axes = mo_camera_get_axes(camera);
    mo_vec3 forward = mo_scale(-1, axes.back);
    if (camera->angle > 0) {
        mo_vec3 through = mo_camera_unproject(camera, width, height, px, py, 1);
        return (mo_ray){camera->eye, mo_unit(mo_sub(through, camera->eye), forward)};
    }
    return (mo_ray){mo_camera_unproject(camera, width, height, px, py, 0), forward};
}
