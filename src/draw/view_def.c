#include "draw/view_def.h"

#include "draw/colormap.h"
#include "geometry/surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const mo_param CAMERA_KEY[] = {
    {"time", MO_REAL, MO_FIELD(mo_camera_key_def, time), .unit = "s", .required = true,
     .doc = "When the camera is there."},
    {"eye", MO_VEC3, MO_FIELD(mo_camera_key_def, eye), .unit = "m", .required = true,
     .doc = "Position of the camera."},
    {"target", MO_VEC3, MO_FIELD(mo_camera_key_def, target), .unit = "m",
     .doc = "The point it looks at; default: the target of the camera."},
    {"field_of_view", MO_REAL, MO_FIELD(mo_camera_key_def, field_of_view), .unit = "deg",
     .range = "[1, 150]", .doc = "Vertical field of view; default: that of the camera."},
    {0}};

static const mo_section CAMERA_KEY_SECTION = {"keyframe", "A point of a camera's path.",
                                              sizeof(mo_camera_key_def), .params = CAMERA_KEY};

static const mo_param CAMERA[] = {
    {"name", MO_STRING, MO_FIELD(mo_camera_def, name),
     .doc = "Its name, by which `use_camera` chooses one of `cameras`."},
    {"eye", MO_VEC3, MO_FIELD(mo_camera_def, eye), .unit = "m",
     .doc = "Where the camera stands; left out, where everything is in the picture."},
    {"target", MO_VEC3, MO_FIELD(mo_camera_def, target), .unit = "m",
     .doc = "What it looks at; the middle of everything if left out."},
    {"azimuth", MO_REAL, MO_FIELD(mo_camera_def, azimuth), .unit = "deg",
     .doc =
         "The side from which a camera without an eye looks, about the vertical: 0 from +x, 90 from +y; "
         "-60 if "
         "left out, but fluids in two dimensions are looked at from +z if elevation is left out too."},
    {"elevation", MO_REAL, MO_FIELD(mo_camera_def, elevation), .unit = "deg", .range = "[-89, 89]",
     .doc = "How far above the horizon a camera without an eye stands; 20 if left out."},
    {"distance", MO_REAL, MO_FIELD(mo_camera_def, distance), .initial = "1", .range = "(0, inf)",
     .doc = "How far away a camera without an eye stands: 1 is where everything just fits."},
    {"field_of_view", MO_REAL, MO_FIELD(mo_camera_def, field_of_view), .unit = "deg",
     .initial = "35", .range = "[1, 150]",
     .doc = "The angle between the lower and the upper edge of the picture."},
    {"projection", MO_STRING, MO_FIELD(mo_camera_def, projection),
     .choices = "perspective|orthographic",
     .doc =
         "Whether what is farther away is smaller; perspective if left out, but orthographic for fluids "
         "in two dimensions."},
    {"keyframes", MO_SECTION, .list = true, MO_FIELD(mo_camera_def, keyframes), .initial = "[]",
     .section = &CAMERA_KEY_SECTION,
     .doc = "A path of the camera: eye, target and field of view are interpolated by cubic splines "
            "(Catmull-Rom) and stay at the ends; they replace those of the camera."},
    {0}};

static const mo_section CAMERA_SECTION = {"camera", "Where a scene is seen from.",
                                          sizeof(mo_camera_def), .params = CAMERA};

static const mo_param COLOR[] = {
    {"field", MO_STRING, MO_FIELD(mo_color_def, field),
     .doc =
         "The column that colours particles and surfaces: \"mass\", \"v\" (its length), \"v.x\", or "
         "\"none\". "
         "Runs write it beside output.fields. Left out: the speed of particles, one colour for surfaces."},
    {"map", MO_STRING, MO_FIELD(mo_color_def, map), .initial = "\"viridis\"",
     .choices = MO_COLORMAP_CHOICES, .doc = "From numbers to colours."},
    {"min", MO_REAL, MO_FIELD(mo_color_def, min),
     .doc = "The number at the low end of the colours; the smallest that is shown if left out."},
    {"max", MO_REAL, MO_FIELD(mo_color_def, max),
     .doc = "The number at the high end; the largest that is shown if left out."},
    {0}};

static const mo_section COLOR_SECTION = {"color", "What colours mean.", sizeof(mo_color_def),
                                         .params = COLOR};

static const mo_param LIGHT[] = {
    {"direction", MO_VEC3, MO_FIELD(mo_light_def, direction), .required = true,
     .doc = "From the scene towards the light; any length."},
    {"color", MO_VEC3, MO_FIELD(mo_light_def, color), .initial = "[1, 1, 1]", .range = "[0, 1]",
     .doc = "Red, green and blue (sRGB) of the light."},
    {"intensity", MO_REAL, MO_FIELD(mo_light_def, intensity), .initial = "1", .range = "[0, 100]",
     .doc = "Brightness; 1 is that of the default light."},
    {0}};

static const mo_section LIGHT_SECTION = {"light", "A distant light.", sizeof(mo_light_def),
                                         .params = LIGHT};

static const mo_param VIEW[] = {
    {"camera", MO_SECTION, MO_FIELD(mo_view_def, camera), .initial = "{}",
     .section = &CAMERA_SECTION, .doc = "Where the scene is seen from."},
    {"cameras", MO_SECTION, .list = true, MO_FIELD(mo_view_def, cameras), .initial = "[]",
     .section = &CAMERA_SECTION, .doc = "Further cameras, each with a name."},
    {"use_camera", MO_STRING, MO_FIELD(mo_view_def, use_camera),
     .doc = "Name of the camera in `cameras` that is used; default: `camera`."},
    {"size", MO_INT, .list = true, MO_FIELD(mo_view_def, size), .unit = "pixel",
     .initial = "[960, 540]", .range = "[16, 16384]", .doc = "Width and height of pictures."},
    {"time", MO_REAL, MO_FIELD(mo_view_def, time), .unit = "s", .range = "[0, inf)",
     .doc = "The moment that a single picture shows; the last frame if left out."},
    {"style", MO_STRING, MO_FIELD(mo_view_def, style), .initial = "\"auto\"",
     .choices = "auto|points|stars|axes|discs|hexagons|spheres|cubes|none",
     .doc =
         "How particles are drawn. `auto` draws spheres where no surface is; the others draw all particles."},
    {"mesh", MO_STRING, MO_FIELD(mo_view_def, mesh), .initial = "\"smooth\"",
     .choices = "flat|smooth|wire|none",
     .doc = "How the surfaces of cloth and solids and the lines of ropes are drawn."},
    {"skin", MO_BOOL, MO_FIELD(mo_view_def, skin), .initial = "true",
     .doc = "Draw the surfaces that ride on bodies, instead of the meshes that carry them."},
    {"surface", MO_METHOD, MO_FIELD(mo_view_def, surface), .family = &mo_surfaces,
     .doc =
         "Draw the surface around the particles that no mesh shows, as of a fluid; in the style `auto` "
         "instead "
         "of them."},
    {"edges", MO_BOOL, MO_FIELD(mo_view_def, edges), .initial = "false",
     .doc = "Draw the edges of surfaces over them."},
    {"springs", MO_BOOL, MO_FIELD(mo_view_def, springs), .initial = "false",
     .doc = "Draw all springs as lines."},
    {"neighbors", MO_BOOL, MO_FIELD(mo_view_def, neighbors), .initial = "false",
     .doc = "Draw lines between particles that are near each other."},
    {"neighbor_radius", MO_REAL, MO_FIELD(mo_view_def, neighbor_radius), .unit = "m",
     .range = "(0, inf)",
     .doc = "What is near: 1.5 times the usual distance of particles if left out."},
    {"particle_size", MO_REAL, MO_FIELD(mo_view_def, particle_size), .initial = "1",
     .range = "(0, 1000]", .doc = "Particles are drawn so many times as large as they are."},
    {"line_width", MO_REAL, MO_FIELD(mo_view_def, line_width), .unit = "pixel", .initial = "2",
     .range = "[0.5, 50]", .doc = "Width of springs and of lines to neighbours."},
    {"color", MO_SECTION, MO_FIELD(mo_view_def, color), .initial = "{}", .section = &COLOR_SECTION,
     .doc = "What colours mean."},
    {"background", MO_VEC3, MO_FIELD(mo_view_def, background), .range = "[0, 1]",
     .doc =
         "Red, green and blue of the background; a soft light grey if left out, dark behind points of "
         "light."},
    {"background_bottom", MO_VEC3, MO_FIELD(mo_view_def, background_bottom), .range = "[0, 1]",
     .doc = "The background at the lower edge, to which it changes gradually; default: the same "
            "colour."},
    {"lights", MO_SECTION, .list = true, MO_FIELD(mo_view_def, lights), .initial = "[]",
     .section = &LIGHT_SECTION,
     .doc = "Up to four distant lights, of which the first casts shadows; default: one over the "
            "viewer's left shoulder."},
    {"ambient", MO_REAL, MO_FIELD(mo_view_def, ambient), .initial = "1", .range = "[0, 10]",
     .doc = "Brightness of the light from the sky and the ground."},
    {"occlusion", MO_BOOL, MO_FIELD(mo_view_def, occlusion), .initial = "true",
     .doc = "Ambient occlusion: crevices are darker."},
    {"fog", MO_REAL, MO_FIELD(mo_view_def, fog), .initial = "0", .range = "[0, 100]",
     .doc = "Depth cue: optical depth of a fog through the whole scene; distant parts fade into "
            "the background."},
    {"ground", MO_BOOL, MO_FIELD(mo_view_def, ground), .initial = "false",
     .doc = "Draw a floor for the shadows to fall on, where the scene has none."},
    {"ground_height", MO_REAL, MO_FIELD(mo_view_def, ground_height), .unit = "m",
     .doc = "Where that floor is, along `up`; below everything in the first frame if left out."},
    {"colliders", MO_BOOL, MO_FIELD(mo_view_def, colliders), .initial = "true",
     .doc = "Draw the colliders."},
    {"shadows", MO_BOOL, MO_FIELD(mo_view_def, shadows), .initial = "true", .doc = "Draw shadows."},
    {"legend", MO_BOOL, MO_FIELD(mo_view_def, legend), .initial = "true",
     .doc = "Say in the picture what the colours mean, and the time."},
    {0}};

const mo_section mo_view_section = {"view",
                                    "How the scene is drawn by `mote view` and `mote render`.",
                                    sizeof(mo_view_def), .params = VIEW};

static mote_status check_camera(const mo_camera_def *camera, const char *path, mote_error *error)
{
    const mo_camera_key_def *key = camera->keyframes.items;
    mo_vec3 way = mo_sub(camera->eye, camera->target);
    if (!isnan(way.x) && !(mo_length(way) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s.eye: the camera stands where it looks", path);
    }
    for (int64_t k = 0; k < camera->keyframes.count; ++k) {
        mo_vec3 target = isnan(key[k].target.x) ? camera->target : key[k].target;
        if (k > 0 && !(key[k].time > key[k - 1].time)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s.keyframes[%lld].time: %g s is not after %g s of the one before",
                           path, (long long)k, key[k].time, key[k - 1].time);
        }
        if (!isnan(target.x) && !(mo_length(mo_sub(key[k].eye, target)) > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s.keyframes[%lld].eye: the camera stands where it looks", path,
                           (long long)k);
        }
    }
    return MOTE_OK;
}

static const mo_camera_def *find_camera(const mo_view_def *view, const char *name)
{
    const mo_camera_def *cameras = view->cameras.items;
    for (int64_t k = 0; k < view->cameras.count; ++k) {
        if (cameras[k].name && strcmp(cameras[k].name, name) == 0) {
            return &cameras[k];
        }
    }
    return NULL;
}

const mo_camera_def *mo_view_def_camera(const mo_view_def *view)
{
    const mo_camera_def *found = view->use_camera ? find_camera(view, view->use_camera) : NULL;
    return found ? found : &view->camera;
}

static mote_status fail_camera(const mo_view_def *view, mote_error *error)
{
    const mo_camera_def *cameras = view->cameras.items;
    char names[300] = "";
    size_t used = 0;
    for (int64_t k = 0; k < view->cameras.count && used < sizeof names - 80; ++k) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", k ? ", " : "",
                                 cameras[k].name);
    }
    return mo_fail(error, MOTE_ERROR_INPUT,
                   "view.use_camera: there is no camera '%.60s' in view.cameras; allowed: %s",
                   view->use_camera, used > 0 ? names : "none, the list is empty");
}

static mote_status check_cameras(const mo_view_def *view, mote_error *error)
{
    const mo_camera_def *cameras = view->cameras.items;
    MO_TRY(check_camera(&view->camera, "view.camera", error));
    for (int64_t k = 0; k < view->cameras.count; ++k) {
        char path[64];
        snprintf(path, sizeof path, "view.cameras[%lld]", (long long)k);
        if (!cameras[k].name) {
            return mo_fail(error, MOTE_ERROR_INPUT, "%s.name: give it a name", path);
        }
        if (find_camera(view, cameras[k].name) != &cameras[k]) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s.name: '%.60s' is the name of another camera already", path,
                           cameras[k].name);
        }
        MO_TRY(check_camera(&cameras[k], path, error));
    }
    return view->use_camera && !find_camera(view, view->use_camera) ? fail_camera(view, error)
                                                                    : MOTE_OK;
}

static mote_status check_lights(const mo_view_def *view, mote_error *error)
{
    const mo_light_def *lights = view->lights.items;
    if (view->lights.count > MO_VIEW_LIGHTS_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "view.lights: %lld lights; allowed: up to %d",
                       (long long)view->lights.count, MO_VIEW_LIGHTS_MAX);
    }
    for (int64_t k = 0; k < view->lights.count; ++k) {
        if (!(mo_length(lights[k].direction) > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "view.lights[%lld].direction: a direction has a length above 0",
                           (long long)k);
        }
    }
    return MOTE_OK;
}

mote_status mo_view_def_check(const mo_view_def *view, mote_error *error)
{
    if (view->size.count != 2) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "view.size: expected two numbers, [width, height], found %lld",
                       (long long)view->size.count);
    }
    const mo_color_def *c = &view->color;
    if (!isnan(c->min) && !isnan(c->max) && !(c->min < c->max)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "view.color.max: %g must be above min, which is %g",
                       c->max, c->min);
    }
    MO_TRY(check_lights(view, error));
    return check_cameras(view, error);
}
