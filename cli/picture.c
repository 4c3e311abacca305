#include "picture.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool add_set(picture_options *o, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool add_set(picture_options *o, const char *path, const char *format, ...)
{
    va_list arguments;
    if (o->set_count == PICTURE_SETS_MAX) {
        complain("too many view options; at most %d", PICTURE_SETS_MAX);
        return false;
    }
    o->sets[o->set_count].path = path;
    va_start(arguments, format);
    vsnprintf(o->sets[o->set_count].value, sizeof o->sets->value, format, arguments);
    va_end(arguments);
    o->set_count++;
    return true;
}

/* "1,2.5,-3" into exactly `count` numbers. */
static bool read_numbers(const char *name, const char *text, int count, char separator, double *out)
{
    const char *at = text;
    for (int k = 0; k < count; ++k) {
        char *end;
        errno = 0;
        out[k] = strtod(at, &end);
        bool good =
            end != at && !errno && isfinite(out[k]) && *end == (k + 1 < count ? separator : '\0');
        if (!good) {
            complain("%s: '%s' is not %d number%s%s", name, text, count,
                     count > 1 ? "s, like " : "",
                     count == 3   ? "1,2.5,-3"
                     : count == 2 ? (separator == 'x' ? "1280x720" : "0,1.5")
                                  : "");
            return false;
        }
        at = end + 1;
    }
    return true;
}

/* ---- flags that set parameters of the scene ---- */

typedef struct picture_target {
    int numbers;
    const char *path, *more; /* two paths for two numbers; the value of a switch */
} picture_target;

static bool set_switch(const flag *f, const char *value, void *out)
{
    const picture_target *target = f->more;
    (void)value;
    return add_set(out, target->path, "%s", target->more);
}

static bool set_word(const flag *f, const char *value, void *out)
{
    const picture_target *target = f->more;
    if (strlen(value) >= 100 || strpbrk(value, "\"\\")) {
        complain("%s: '%.60s' is not a name", f->name, value);
        return false;
    }
    return add_set(out, target->path, "\"%s\"", value);
}

static bool set_size(const flag *f, const char *value, void *out)
{
    double n[2];
    return read_numbers(f->name, value, 2, 'x', n) &&
           add_set(out, "view.size", "[%.15g, %.15g]", n[0], n[1]);
}

/* An orbit replaces the scene's camera. */
static bool set_orbit(const flag *f, const char *value, void *out)
{
    double n[3];
    return read_numbers(f->name, value, 3, ',', n) &&
           add_set(out, "view.camera",
                   "{\"azimuth\": %.15g, \"elevation\": %.15g, \"distance\": %.15g}", n[0], n[1],
                   n[2]);
}

static bool set_numbers(const flag *f, const char *value, void *out)
{
    const picture_target *target = f->more;
    double n[3] = {0};
    if (!read_numbers(f->name, value, target->numbers, ',', n)) {
        return false;
    }
    if (target->numbers == 3) {
        return add_set(out, target->path, "[%.15g, %.15g, %.15g]", n[0], n[1], n[2]);
    }
    return add_set(out, target->path, "%.15g", n[0]) &&
           (target->numbers == 1 || add_set(out, target->more, "%.15g", n[1]));
}

#define TARGET(...) \
    &(const picture_target) \
    { \
        __VA_ARGS__ \
    }

const flag picture_flags[] = {
    {"--style", "S", FLAG_OWN, .read = set_word, .more = TARGET(.path = "view.style"),
     .doc = "particle style: spheres, points, discs"},
    {"--mesh", "S", FLAG_OWN, .read = set_word, .more = TARGET(.path = "view.mesh"),
     .doc = "triangle style: smooth, flat, wire"},
    {"--surface", "METHOD", FLAG_OWN, .read = set_word, .more = TARGET(.path = "view.surface"),
     .doc = "surface reconstruction of particles: anisotropic, zhu_bridson, metaball"},
    {"--field", "F", FLAG_OWN, .read = set_word, .more = TARGET(.path = "view.color.field"),
     .doc = "column mapped to colour: v, v.x, mass, none"},
    {"--map", "M", FLAG_OWN, .read = set_word, .more = TARGET(.path = "view.color.map"),
     .doc = "colour map: viridis, heat, coolwarm"},
    {"--range", "A,B", FLAG_OWN, .read = set_numbers,
     .more = TARGET(2, "view.color.min", "view.color.max"), .doc = "range of the colour map"},
    {"--size", "WxH", FLAG_OWN, .read = set_size, .doc = "size in pixels"},
    {"--camera", "NAME", FLAG_OWN, .read = set_word, .more = TARGET(.path = "view.use_camera"),
     .doc = "one of the scene's further cameras"},
    {"--orbit", "A,E,D", FLAG_OWN, .read = set_orbit,
     .doc = "azimuth A and elevation E [deg], distance D relative to the fitted view"},
    {"--eye", "X,Y,Z", FLAG_OWN, .read = set_numbers,
     .more = TARGET(.numbers = 3, .path = "view.camera.eye"), .doc = "camera position [m]"},
    {"--target", "X,Y,Z", FLAG_OWN, .read = set_numbers,
     .more = TARGET(.numbers = 3, .path = "view.camera.target"), .doc = "camera target [m]"},
    {"--fov", "DEG", FLAG_OWN, .read = set_numbers,
     .more = TARGET(.numbers = 1, .path = "view.camera.field_of_view"),
     .doc = "vertical field of view [deg]"},
    {"--orthographic", NULL, FLAG_OWN, .read = set_switch,
     .more = TARGET(.path = "view.camera.projection", .more = "orthographic"),
     .doc = "orthographic projection"},
    {"--no-legend", NULL, FLAG_OWN, .read = set_switch,
     .more = TARGET(.path = "view.legend", .more = "false"), .doc = "no colour legend"},
    {"--no-shadows", NULL, FLAG_OWN, .read = set_switch,
     .more = TARGET(.path = "view.shadows", .more = "false"), .doc = "no shadows"},
    {0}};

/* ---- sources ---- */

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), more = strlen(ending);
    return length > more && strcmp(text + length - more, ending) == 0;
}

static bool is_results(const char *path)
{
    struct stat info;
    return ends_with(path, ".pvd") || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

/* The source is a scene or the frames of a run. */
static bool check_source(const char *name, const char *path)
{
    if (ends_with(path, ".vtp") || ends_with(path, ".ply")) {
        complain("%s: %s is a single frame; give the directory that it is in%s", name, path,
                 strcmp(name, "render") == 0 ? ", and --frame N" : "");
        return false;
    }
    return true;
}

bool picture_read(const command *c, int count, char **arguments, picture_options *o)
{
    *o = (picture_options){
        .common = options_default(), .frame = -1, .time = NAN, .fps = NAN, .speed = NAN};
    bool good = command_read(c, count, arguments, o) && check_source(c->name, o->common.scene);
    o->results = good && is_results(o->common.scene);
    return good;
}

static bool find_symbol(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found); /* C has no cast from an object to a function */
    return found != NULL;
}

/* Next to libmote; its AVX2 variant is two directories below. */
static void *open_beside(const char *name)
{
    Dl_info info;
    char path[4096 + 64];
    void *function;
    const char *(*known)(void) = mote_version;
    memcpy(&function, &known, sizeof function);
    if (!dladdr(function, &info) || !info.dli_fname || strlen(info.dli_fname) >= 4096) {
        return NULL;
    }
    snprintf(path, sizeof path, "%s", info.dli_fname);
    char *end = strstr(path, "/glibc-hwcaps/");
    end = end ? end : strrchr(path, '/');
    snprintf(end ? end : path, end ? 64 : sizeof path, "%s%s", end ? "/" : "", name);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* By the loader's search path, or next to libmote. Never closed, since graphics drivers do not
 * support it. */
static void *open_library(const char *name)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return handle ? handle : open_beside(name);
}

bool picture_load_library(picture_library *l)
{
    void *handle = open_library("libmote_view.so.0");
    if (!handle) {
        complain("rendering needs libmote_view and the graphics libraries (%s); install them with "
                 "`scripts/install.sh view` (Debian: libepoxy0 libglfw3 libegl1 libgles2 "
                 "libgl1-mesa-dri) and build again",
                 dlerror());
        return false;
    }
    bool good = find_symbol(handle, "mote_results_scene", &l->results_scene) &&
                find_symbol(handle, "mote_render_options_default", &l->render_options_default) &&
                find_symbol(handle, "mote_render", &l->render) &&
                find_symbol(handle, "mote_window_options_default", &l->window_options_default) &&
                find_symbol(handle, "mote_window", &l->window);
    if (!good) {
        complain(
            "the version of libmote_view differs from that of this program; rebuild and install "
            "both");
    }
    return good;
}

mote_scene *picture_load_scene(const picture_library *library, const picture_options *o)
{
    mote_scene *scene = NULL;
    mote_error error = {0};
    if (!o->results) {
        scene = options_load(&o->common);
    } else if (library->results_scene(o->common.scene, &scene, &error) != MOTE_OK) {
        print_file_error(o->common.scene, &error);
    } else if (!options_apply(&o->common, scene)) {
        mote_scene_destroy(scene);
        scene = NULL;
    }
    for (int k = 0; scene && k < o->set_count; ++k) {
        if (mote_scene_set(scene, o->sets[k].path, o->sets[k].value, &error) != MOTE_OK) {
            print_file_error(o->common.scene, &error);
            mote_scene_destroy(scene);
            scene = NULL;
        }
    }
    return scene;
}

int picture_exit_code(mote_status status)
{
    switch (status) {
    case MOTE_OK:
        return EXIT_DONE;
    case MOTE_ERROR_NUMERIC:
    case MOTE_ERROR_MEMORY:
    case MOTE_CANCELLED:
        return EXIT_FAILED;
    default:
        return EXIT_USAGE;
    }
}
