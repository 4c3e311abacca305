#include "view/show/scene_look.h"

#include "draw/colormap.h"
#include "host/drawing.h"
#include "view/picture/pick.h"

#include <math.h>
#include <string.h>

static const double DEGREE = 3.14159265358979323846 / 180;

mo_extent mo_extent_none(void)
{
    return (mo_extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void include(mo_extent *e, mo_vec3 p)
{
    e->low = mo_vec3_make(fmin(e->low.x, p.x), fmin(e->low.y, p.y), fmin(e->low.z, p.z));
    e->high = mo_vec3_make(fmax(e->high.x, p.x), fmax(e->high.y, p.y), fmax(e->high.z, p.z));
}

void mo_extent_add(mo_extent *e, const mo_picture *picture)
{
    mo_vec3 low, high;
    mo_picture_bounds(picture, &low, &high);
    include(e, low);
    include(e, high);
    mo_vec3 middle = mo_scale(0.5, mo_add(low, high));
    double size = mo_length(mo_sub(high, low));
    for (int64_t k = 0; k < picture->solid_count; ++k) {
        const mo_solid *solid = &picture->solids[k];
        mo_vec3 normal = mo_quat_rotate(solid->turn, mo_vec3_make(0, 0, 1));
        double above = mo_dot(mo_sub(middle, solid->center), normal);
        if (solid->kind == MO_SOLID_PLANE && above > 0 && above < 2 * size) {
            include(e, mo_add_scaled(middle, -above, normal));
        }
    }
}

static mo_vec3 up_of(const mo_scene_def *def)
{
    char up = def->world.up[0];
    return mo_vec3_make(up == 'x', up == 'y', up == 'z');
}

/* The direction towards the eye, by azimuth and elevation about `up`; normal to planar scenes. */
static mo_vec3 towards_eye(const mo_scene_def *def)
{
    const mo_camera_def *c = mo_view_def_camera(&def->view);
    char up = def->world.up[0];
    if (isnan(c->azimuth) && isnan(c->elevation) && mo_drawn_is_planar(&def->world)) {
        return mo_vec3_make(0, 0, 1);
    }
    double a = (isnan(c->azimuth) ? -60 : c->azimuth) * DEGREE;
    double e = (isnan(c->elevation) ? 20 : c->elevation) * DEGREE;
    double p = cos(e) * cos(a), q = cos(e) * sin(a), r = sin(e);
    return up == 'x'   ? mo_vec3_make(r, p, q)
           : up == 'y' ? mo_vec3_make(q, r, p)
                       : mo_vec3_make(p, q, r);
}

static bool given(mo_vec3 v)
{
    return !isnan(v.x);
}

/* Cubic Hermite interpolation between p1 at t1 and p2 at t2, with Catmull-Rom tangents (1974)
 * for unequal times; p0 and p3 are the neighbours. */
static double spline(const double t[4], const double p[4], double time)
{
    double h = t[2] - t[1], s = (time - t[1]) / h;
    double m1 = t[2] > t[0] ? h * (p[2] - p[0]) / (t[2] - t[0]) : 0;
    double m2 = t[3] > t[1] ? h * (p[3] - p[1]) / (t[3] - t[1]) : 0;
    double s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * p[1] + (s3 - 2 * s2 + s) * m1 + (3 * s2 - 2 * s3) * p[2] +
           (s3 - s2) * m2;
}

/* Eye, target and field of view of keyframe k; defaults from the camera. */
static void key_numbers(const mo_camera_def *c, int64_t k, mo_vec3 middle, double out[7])
{
    const mo_camera_key_def *key = (const mo_camera_key_def *)c->keyframes.items + k;
    mo_vec3 own = given(c->target) ? c->target : middle;
    mo_vec3_store(out, key->eye);
    mo_vec3_store(out + 3, given(key->target) ? key->target : own);
    out[6] = isnan(key->field_of_view) ? c->field_of_view : key->field_of_view;
}

/* The position on a camera path at a time. */
static void follow(const mo_camera_def *c, mo_vec3 middle, double time, mo_camera *camera)
{
    const mo_camera_key_def *key = c->keyframes.items;
    int64_t count = c->keyframes.count, k = 0;
    double t[4], numbers[4][7], now[7];
    time = fmin(fmax(time, key[0].time), key[count - 1].time);
    while (k + 2 < count && key[k + 1].time <= time) {
        ++k;
    }
    for (int j = 0; j < 4; ++j) {
        int64_t at = k + j - 1 < 0 ? 0 : k + j - 1 >= count ? count - 1 : k + j - 1;
        t[j] = key[at].time;
        key_numbers(c, at, middle, numbers[j]);
    }
    for (int n = 0; n < 7; ++n) {
        double p[4] = {numbers[0][n], numbers[1][n], numbers[2][n], numbers[3][n]};
        now[n] = t[2] > t[1] ? spline(t, p, time) : p[1];
    }
    camera->eye = mo_vec3_load(now);
    camera->target = mo_vec3_load(now + 3);
    camera->angle = now[6] * DEGREE;
}

mo_camera mo_scene_camera(const mo_scene_def *def, const mo_extent *extent, double aspect,
                          double time)
{
    const mo_camera_def *c = mo_view_def_camera(&def->view);
    mo_extent e = *extent;
    if (!(e.low.x <= e.high.x)) {
        e = (mo_extent){{-1, -1, -1}, {1, 1, 1}};
    }
    mo_vec3 middle = mo_scale(0.5, mo_add(e.low, e.high));
    mo_camera camera = mo_camera_default();
    camera.up = up_of(def);
    camera.angle = c->field_of_view * DEGREE;
    bool parallel = c->projection ? strcmp(c->projection, "orthographic") == 0
                                  : mo_drawn_is_planar(&def->world);
    camera.target = given(c->target) ? c->target : middle;
    if (c->keyframes.count > 0) {
        follow(c, middle, time, &camera);
    } else if (given(c->eye)) {
        camera.eye = c->eye;
    } else {
        mo_vec3 direction = towards_eye(def);
        camera.eye = mo_add(camera.target, direction);
        camera.angle = parallel ? 0 : camera.angle;
        mo_camera_frame(&camera, e.low, e.high, aspect, 0.06);
        double distance = mo_camera_distance(&camera);
        camera.target = given(c->target) ? c->target : camera.target;
        camera.eye = mo_add_scaled(camera.target, c->distance * distance, direction);
        camera.height *= c->distance;
    }
    /* viewing along the vertical, `up` is undefined */
    mo_vec3 view = mo_unit(mo_sub(camera.target, camera.eye), camera.up);
    if (fabs(mo_dot(view, camera.up)) > 1 - 1e-9) {
        camera.up = fabs(camera.up.y) > 0.5 ? mo_vec3_make(0, 0, -1) : mo_vec3_make(0, 1, 0);
    }
    if (parallel) {
        mo_camera_set_parallel(&camera, true, camera.angle);
    }
    return camera;
}

void mo_look_set_map(const char *name, uint8_t table[3 * 256])
{
    const mo_colormap *map = mo_colormap_find(name);
    for (int k = 0; map && k < 256; ++k) {
        mo_color color = mo_colormap_at(map, k / 255.0);
        table[3 * k] = color.r;
        table[3 * k + 1] = color.g;
        table[3 * k + 2] = color.b;
    }
}

void mo_look_set_style(mo_look *look, const mo_view_def *view, const char *style)
{
    static const float NIGHT[2][3] = {{0.01f, 0.01f, 0.02f}, {0.05f, 0.06f, 0.09f}};
    mo_look defaults = mo_look_default();
    look->particles = MO_PARTICLES_SPHERES;
    mo_particle_style_find(style, &look->particles); /* "auto" is not a style */
    bool light_points =
        look->particles == MO_PARTICLES_POINTS || look->particles == MO_PARTICLES_STARS;
    memcpy(look->background_top, light_points ? NIGHT[0] : defaults.background_top,
           sizeof NIGHT[0]);
    memcpy(look->background_bottom, light_points ? NIGHT[1] : defaults.background_bottom,
           sizeof NIGHT[1]);
    mo_vec3 bottom = given(view->background_bottom) ? view->background_bottom : view->background;
    for (int k = 0; k < 3; ++k) {
        if (given(view->background)) {
            look->background_top[k] = (float)mo_vec3_at(view->background, k);
        }
        if (given(bottom)) {
            look->background_bottom[k] = (float)mo_vec3_at(bottom, k);
        }
    }
}

void mo_look_set_field(mo_look *look, const char *field)
{
    mo_look defaults = mo_look_default();
    /* without a field, surfaces have no values by intention */
    memcpy(look->unknown_color, field ? defaults.unknown_color : defaults.triangle_color,
           sizeof look->unknown_color);
    look->lines_by_value = field != NULL;
}

static double decode(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

static void set_light(const mo_light_def *light, const float defaults[3], float color[3])
{
    for (int k = 0; k < 3; ++k) {
        color[k] =
            (float)(light->intensity * (double)defaults[k] * decode(mo_vec3_at(light->color, k)));
    }
}

static void set_lights(mo_look *look, const mo_view_def *view)
{
    const mo_light_def *lights = view->lights.items;
    const mo_look defaults = mo_look_default();
    look->ambient = view->ambient;
    look->fog = view->fog;
    look->occlusion = view->occlusion;
    if (view->lights.count > 0) {
        look->light = lights[0].direction;
        set_light(&lights[0], defaults.light_color, look->light_color);
    }
    for (int k = 1; k < view->lights.count && k <= MO_LIGHTS_MAX; ++k) {
        look->lights[k - 1].direction = lights[k].direction;
        set_light(&lights[k], defaults.light_color, look->lights[k - 1].color);
        look->light_count = k;
    }
}

mo_look mo_scene_look(const mo_view_def *view, uint8_t table[3 * 256])
{
    mo_look look = mo_look_default();
    mo_look_set_style(&look, view, view->style);
    mo_look_set_field(&look, view->color.field);
    mo_mesh_style_find(view->mesh, &look.triangles);
    look.surface = look.triangles != MO_MESH_NONE ? look.triangles : MO_MESH_SMOOTH;
    look.edges = view->edges;
    look.springs = look.neighbors = true; /* the picture contains only the requested ones */
    look.size = view->particle_size;
    look.volume.opacity = view->volume.opacity;
    look.volume.emission = view->volume.emission;
    look.volume.smoothing = view->volume.smoothing;
    look.volume.resolution = (int)view->volume.resolution;
    mo_texture_find(view->texture.type, &look.texture.kind);
    look.texture.scale = view->texture.scale > 0 ? view->texture.scale : 0;
    look.texture.speed = view->texture.speed;
    look.texture.contrast = view->texture.contrast;
    look.line_width = view->line_width;
    look.shadows = view->shadows;
    set_lights(&look, view);
    look.map = table;
    mo_look_set_map(view->color.map, table);
    return look;
}

bool mo_look_is_dark(const mo_look *look)
{
    double light = 0;
    static const double WEIGHT[3] = {0.2126, 0.7152, 0.0722};
    for (int k = 0; k < 3; ++k) {
        light += WEIGHT[k] * 0.5 * (double)(look->background_top[k] + look->background_bottom[k]);
    }
    return light < 0.5;
}
