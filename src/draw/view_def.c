#include "draw/view_def.h"

#include "draw/colormap.h"
#include "geometry/surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const mo_param CAMERA_KEY[] = {
    {"time", MO_REAL, MO_FIELD(mo_camera_key_def, time), .unit = "s", .required = true,
     .doc = "Time of the keyframe."},
    {"eye", MO_VEC3, MO_FIELD(mo_camera_key_def, eye), .unit = "m", .required = true,
     .doc = "Position of the camera."},
    {"target", MO_VEC3, MO_FIELD(mo_camera_key_def, target), .unit = "m",
     .doc = "Point at the centre of the image; default: the target of the camera."},
    {"field_of_view", MO_REAL, MO_FIELD(mo_camera_key_def, field_of_view), .unit = "deg",
     .range = "[1, 150]", .doc = "Vertical field of view; default: that of the camera."},
    {0}};

static const mo_section CAMERA_KEY_SECTION = {"keyframe", "A point of a camera's path.",
                                              sizeof(mo_camera_key_def), .params = CAMERA_KEY};

static const mo_param CAMERA[] = {
    {"name", MO_STRING, MO_FIELD(mo_camera_def, name), .doc = "Name, referred to by `use_camera`."},
    {"eye", MO_VEC3, MO_FIELD(mo_camera_def, eye), .unit = "m",
     .doc = "Position of the camera; by default it is chosen to fit the whole scene."},
    {"target", MO_VEC3, MO_FIELD(mo_camera_def, target), .unit = "m",
     .doc = "Point at the centre of the image; default: the centre of the scene."},
    {"azimuth", MO_REAL, MO_FIELD(mo_camera_def, azimuth), .unit = "deg",
     .doc = "Azimuth of a camera without `eye`, about the vertical: 0 from +x, 90 from +y. Default "
            "-60; two-dimensional fluids are viewed from +z unless azimuth or elevation is given."},
    {"elevation", MO_REAL, MO_FIELD(mo_camera_def, elevation), .unit = "deg", .range = "[-89, 89]",
     .doc = "Elevation of a camera without `eye` above the horizon; default 20."},
    {"distance", MO_REAL, MO_FIELD(mo_camera_def, distance), .initial = "1", .range = "(0, inf)",
     .doc = "Distance of a camera without `eye`, relative to the distance at which the scene just "
            "fits."},
    {"field_of_view", MO_REAL, MO_FIELD(mo_camera_def, field_of_view), .unit = "deg",
     .initial = "35", .range = "[1, 150]", .doc = "Vertical field of view."},
    {"projection", MO_STRING, MO_FIELD(mo_camera_def, projection),
     .choices = "perspective|orthographic",
     .doc = "Projection; default perspective, orthographic for two-dimensional fluids."},
    {"keyframes", MO_SECTION, .list = true, MO_FIELD(mo_camera_def, keyframes), .initial = "[]",
     .section = &CAMERA_KEY_SECTION,
     .doc = "A path of the camera: eye, target and field of view are interpolated by cubic splines "
            "(Catmull-Rom) and stay at the ends; they replace those of the camera."},
    {0}};

static const mo_section CAMERA_SECTION = {"camera", "The camera.", sizeof(mo_camera_def),
                                          .params = CAMERA};

static const mo_param COLOR[] = {
    {"field", MO_STRING, MO_FIELD(mo_color_def, field),
     .doc =
         "Column mapped to colour on particles and surfaces: \"mass\", \"v\" (its magnitude), "
         "\"v.x\", or \"none\". Runs write it in addition to output.fields. Default: the speed of "
         "particles, a constant colour for surfaces."},
    {"map", MO_STRING, MO_FIELD(mo_color_def, map), .initial = "\"viridis\"",
     .choices = MO_COLORMAP_CHOICES, .doc = "Colour map."},
    {"min", MO_REAL, MO_FIELD(mo_color_def, min),
     .doc = "Value at the lower end of the colour map; default: the smallest value drawn."},
    {"max", MO_REAL, MO_FIELD(mo_color_def, max),
     .doc = "Value at the upper end of the colour map; default: the largest value drawn."},
    {0}};

static const mo_section COLOR_SECTION = {"color", "Colour mapping.", sizeof(mo_color_def),
                                         .params = COLOR};

static const mo_param VOLUME[] = {
    {"opacity", MO_REAL, MO_FIELD(mo_volume_def, opacity), .initial = "0.3", .range = "(0, 1000]",
     .doc = "Optical depth of one particle diameter of filled space."},
    {"emission", MO_REAL, MO_FIELD(mo_volume_def, emission), .initial = "0", .range = "[0, 1]",
     .doc = "Share of emitted light: 0 is smoke, which scatters light only, 1 is fire."},
    {"smoothing", MO_REAL, MO_FIELD(mo_volume_def, smoothing), .initial = "4", .range = "[1, 100]",
     .doc = "Radius over which the volume of a particle is distributed, in its radii."},
    {"resolution", MO_INT, MO_FIELD(mo_volume_def, resolution), .initial = "128",
     .range = "[16, 512]", .doc = "Largest number of cells along the longest side of the volume."},
    {0}};

static const mo_section VOLUME_SECTION = {"volume", "Volume rendering.", sizeof(mo_volume_def),
                                          .params = VOLUME};

static const mo_param TEXTURE[] = {
    {"type", MO_STRING, MO_FIELD(mo_texture_def, type), .initial = "\"none\"",
     .choices = "none|clouds|marble|wood",
     .doc = "Pattern: cloudy noise, marble veins, or rings of wood about the z axis."},
    {"scale", MO_REAL, MO_FIELD(mo_texture_def, scale), .unit = "m", .range = "(0, inf)",
     .doc = "Length of a period; default: four particle diameters."},
    {"speed", MO_REAL, MO_FIELD(mo_texture_def, speed), .unit = "1/s", .initial = "0",
     .doc = "Rate of change of the pattern: periods of noise along the time axis per second."},
    {"contrast", MO_REAL, MO_FIELD(mo_texture_def, contrast), .initial = "1", .range = "[0, 1]",
     .doc = "0: no pattern; 1: dark veins, and gaps in volumes."},
    {0}};

static const mo_section TEXTURE_SECTION = {"texture", "Solid texture: a pattern in space and time.",
                                           sizeof(mo_texture_def), .params = TEXTURE};

static const mo_param LIGHT[] = {
    {"direction", MO_VEC3, MO_FIELD(mo_light_def, direction), .required = true,
     .doc = "Direction towards the light; normalised."},
    {"color", MO_VEC3, MO_FIELD(mo_light_def, color), .unit = "sRGB", .initial = "[1, 1, 1]",
     .range = "[0, 1]", .doc = "Red, green and blue of the light, or a name of CSS."},
    {"intensity", MO_REAL, MO_FIELD(mo_light_def, intensity), .initial = "1", .range = "[0, 100]",
     .doc = "Brightness; 1 is that of the default light."},
    {0}};

static const mo_section LIGHT_SECTION = {"light", "A distant light.", sizeof(mo_light_def),
                                         .params = LIGHT};

static const mo_param VIEW[] = {
    {"camera", MO_SECTION, MO_FIELD(mo_view_def, camera), .initial = "{}",
     .section = &CAMERA_SECTION, .doc = "The camera."},
    {"cameras", MO_SECTION, .list = true, MO_FIELD(mo_view_def, cameras), .initial = "[]",
     .section = &CAMERA_SECTION, .doc = "Further cameras, each with a name."},
    {"use_camera", MO_STRING, MO_FIELD(mo_view_def, use_camera),
     .doc = "Name of the camera in `cameras` that is used; default: `camera`."},
    {"size", MO_INT, .list = true, MO_FIELD(mo_view_def, size), .unit = "pixel",
     .initial = "[960, 540]", .range = "[16, 16384]", .doc = "Width and height of images."},
    {"time", MO_REAL, MO_FIELD(mo_view_def, time), .unit = "s", .range = "[0, inf)",
     .doc = "Time of a single image; default: the last frame."},
    {"style", MO_STRING, MO_FIELD(mo_view_def, style), .initial = "\"auto\"",
     .choices =
         "auto|points|stars|volume|axes|crosses|strokes|discs|hexagons|wire_discs|wire_hexagons|spheres|smooth_spheres|cubes|none",
     .doc =
         "Rendering style of particles. `auto` draws spheres for particles without a surface; the "
         "other styles draw all particles."},
    {"mesh", MO_STRING, MO_FIELD(mo_view_def, mesh), .initial = "\"smooth\"",
     .choices = "flat|smooth|wire|none",
     .doc = "Rendering style of the surfaces of cloth and solids, the lines of ropes, and unless "
            "`none` of `surface`. The mesh of a body without a model, whose particles are not "
            "connected, is drawn with `flat`, `wire` or `edges`."},
    {"skin", MO_BOOL, MO_FIELD(mo_view_def, skin), .initial = "true",
     .doc = "Draw embedded surface meshes instead of the simulation meshes."},
    {"surface", MO_METHOD, MO_FIELD(mo_view_def, surface), .family = &mo_surfaces,
     .doc =
         "Draw a reconstructed surface around particles that have no mesh, such as a fluid; in the "
         "style `auto` it replaces them."},
    {"edges", MO_BOOL, MO_FIELD(mo_view_def, edges), .initial = "false",
     .doc = "Draw the edges of surfaces over them."},
    {"springs", MO_BOOL, MO_FIELD(mo_view_def, springs), .initial = "false",
     .doc = "Draw all springs as lines."},
    {"joints", MO_BOOL, MO_FIELD(mo_view_def, joints), .initial = "true",
     .doc = "Draw joints as lines: of type `distance` between its two points, of other types from "
            "the centres of its bodies to its point."},
    {"neighbors", MO_BOOL, MO_FIELD(mo_view_def, neighbors), .initial = "false",
     .doc = "Draw lines between neighbouring particles."},
    {"neighbor_radius", MO_REAL, MO_FIELD(mo_view_def, neighbor_radius), .unit = "m",
     .range = "(0, inf)",
     .doc = "Largest distance of neighbours joined by a line; default 1.5 times the median "
            "particle distance.",
     .needs = "neighbors"},
    {"particle_size", MO_REAL, MO_FIELD(mo_view_def, particle_size), .initial = "1",
     .range = "(0, 1000]", .doc = "Scale factor of the drawn particle radius."},
    {"line_width", MO_REAL, MO_FIELD(mo_view_def, line_width), .unit = "pixel", .initial = "2",
     .range = "[0.5, 50]", .doc = "Line width of springs, joints and lines between neighbours."},
    {"color", MO_SECTION, MO_FIELD(mo_view_def, color), .initial = "{}", .section = &COLOR_SECTION,
     .doc = "Colour mapping."},
    {"volume", MO_SECTION, MO_FIELD(mo_view_def, volume), .initial = "{}",
     .section = &VOLUME_SECTION, .doc = "Volume rendering, for the style `volume`."},
    {"texture", MO_SECTION, MO_FIELD(mo_view_def, texture), .initial = "{}",
     .section = &TEXTURE_SECTION,
     .doc = "A solid texture of the surfaces of bodies and fluids that are not liquids in "
            "appearance, and of volumes."},
    {"background", MO_VEC3, MO_FIELD(mo_view_def, background), .unit = "sRGB", .range = "[0, 1]",
     .doc = "Red, green and blue of the background, or a name of CSS; default light grey, dark for "
            "the style of light points."},
    {"background_bottom", MO_VEC3, MO_FIELD(mo_view_def, background_bottom), .unit = "sRGB",
     .range = "[0, 1]",
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
     .doc = "Draw a floor that receives shadows, if the scene has none."},
    {"ground_height", MO_REAL, MO_FIELD(mo_view_def, ground_height), .unit = "m",
     .doc = "Height of that floor along `up`; default: below the scene in the first frame.",
     .needs = "ground"},
    {"colliders", MO_BOOL, MO_FIELD(mo_view_def, colliders), .initial = "true",
     .doc = "Draw the colliders."},
    {"shadows", MO_BOOL, MO_FIELD(mo_view_def, shadows), .initial = "true", .doc = "Draw shadows."},
    {"legend", MO_BOOL, MO_FIELD(mo_view_def, legend), .initial = "true",
     .doc = "Draw a colour legend and the time."},
    {0}};

const mo_section mo_view_section = {"view", "Settings of `mote view` and `mote render`.",
                                    sizeof(mo_view_def), .params = VIEW};

static mote_status check_camera(const mo_camera_def *camera, const char *path, mote_error *error)
{
    const mo_camera_key_def *key = camera->keyframes.items;
    mo_vec3 way = mo_sub(camera->eye, camera->target);
    if (!isnan(way.x) && !(mo_length(way) > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s.eye: it coincides with the target", path);
    }
    for (int64_t k = 0; k < camera->keyframes.count; ++k) {
        mo_vec3 target = isnan(key[k].target.x) ? camera->target : key[k].target;
        if (k > 0 && !(key[k].time > key[k - 1].time)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s.keyframes[%lld].time: %g s is not after the previous time, %g s",
                           path, (long long)k, key[k].time, key[k - 1].time);
        }
        if (!isnan(target.x) && !(mo_length(mo_sub(key[k].eye, target)) > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s.keyframes[%lld].eye: it coincides with the target", path,
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
                           "view.lights[%lld].direction: it must not be zero", (long long)k);
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
