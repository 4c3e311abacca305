#include "picture.h"

#include "commands.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* How a flag's value is read. */
typedef enum value_kind { NOTHING, WORD, NUMBERS, SIZE } value_kind;

typedef struct picture_flag {
    const char *name;
    value_kind kind;
    int numbers;
    const char *path, *more; /* what it sets in the scene; NOTHING: to `more` */
} picture_flag;

static const picture_flag FLAGS[] = {
    {"--size", SIZE, 2, "view.size", NULL},
    {"--style", WORD, 0, "view.style", NULL},
    {"--mesh", WORD, 0, "view.mesh", NULL},
    {"--surface", WORD, 0, "view.surface", NULL},
    {"--field", WORD, 0, "view.color.field", NULL},
    {"--map", WORD, 0, "view.color.map", NULL},
    {"--range", NUMBERS, 2, "view.color.min", "view.color.max"},
    {"--orbit", NUMBERS, 3, NULL, NULL},
    {"--eye", NUMBERS, 3, "view.camera.eye", NULL},
    {"--target", NUMBERS, 3, "view.camera.target", NULL},
    {"--fov", NUMBERS, 1, "view.camera.field_of_view", NULL},
    {"--orthographic", NOTHING, 0, "view.camera.projection", "orthographic"},
    {"--no-legend", NOTHING, 0, "view.legend", "false"},
    {"--no-shadows", NOTHING, 0, "view.shadows", "false"},
};

static bool add_set(picture_options *o, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool add_set(picture_options *o, const char *path, const char *format, ...)
{
    va_list arguments;
    if (o->set_count == PICTURE_SETS_MAX) {
        complain("too many flags about the view; at most %d", PICTURE_SETS_MAX);
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
static bool read_numbers(const char *flag, const char *text, int count, char separator, double *out)
{
    const char *at = text;
    for (int k = 0; k < count; ++k) {
        char *end;
        errno = 0;
        out[k] = strtod(at, &end);
        bool good = end != at && !errno && isfinite(out[k]) && *end == (k + 1 < count ? separator : '\0');
        if (!good) {
            complain("%s: '%s' is not %d number%s%s", flag, text, count, count > 1 ? "s, like " : "",
                     count == 3   ? "1,2.5,-3"
                     : count == 2 ? (separator == 'x' ? "1280x720" : "0,1.5")
                                  : "");
            return false;
        }
        at = end + 1;
    }
    return true;
}

static bool set_size(picture_options *o, const char *text)
{
    double n[2];
    if (!read_numbers("--size", text, 2, 'x', n)) {
        return false;
    }
    return add_set(o, "view.size", "[%.15g, %.15g]", n[0], n[1]);
}

static bool set_numbers(picture_options *o, const picture_flag *flag, const char *text)
{
    double n[3];
    if (!read_numbers(flag->name, text, flag->numbers, ',', n)) {
        return false;
    }
    if (!flag->path) { /* an orbit replaces the camera that the scene has */
        return add_set(o, "view.camera", "{\"azimuth\": %.15g, \"elevation\": %.15g, \"distance\": %.15g}",
                       n[0], n[1], n[2]);
    }
    if (flag->numbers == 1) {
        return add_set(o, flag->path, "%.15g", n[0]);
    }
    if (flag->numbers == 2) {
        return add_set(o, flag->path, "%.15g", n[0]) && add_set(o, flag->more, "%.15g", n[1]);
    }
    return add_set(o, flag->path, "[%.15g, %.15g, %.15g]", n[0], n[1], n[2]);
}

static bool apply(picture_options *o, const picture_flag *flag, const char *value)
{
    switch (flag->kind) {
    case NOTHING:
        return add_set(o, flag->path, "%s", flag->more);
    case WORD: {
        bool fits = strlen(value) < 100 && !strpbrk(value, "\"\\");
        if (!fits) {
            complain("%s: '%.60s' is not a name", flag->name, value);
        }
        return fits && add_set(o, flag->path, "\"%s\"", value);
    }
    case NUMBERS:
        return set_numbers(o, flag, value);
    case SIZE:
        return set_size(o, value);
    }
    return false;
}

/* The flags that are no parameters of the scene. */
static bool read_own(picture_options *o, const char *name, const char *value)
{
    double n;
    if (!read_numbers(name, value, 1, ',', &n)) {
        return false;
    }
    if (strcmp(name, "--frame") == 0) {
        if (n < 0 || n != floor(n) || n > 1e9) {
            complain("--frame: '%s' is not a whole number from 0 up", value);
            return false;
        }
        o->frame = (long long)n;
        return true;
    }
    *(strcmp(name, "--time") == 0 ? &o->time : strcmp(name, "--fps") == 0 ? &o->fps : &o->speed) = n;
    return true;
}

static bool is_own(const char *name)
{
    return strcmp(name, "--frame") == 0 || strcmp(name, "--time") == 0 || strcmp(name, "--fps") == 0 ||
           strcmp(name, "--speed") == 0;
}

static bool is_switch(picture_options *o, const char *name)
{
    bool *which = strcmp(name, "--paused") == 0    ? &o->paused
                  : strcmp(name, "--verbose") == 0 ? &o->verbose
                                                   : NULL;
    if (which) {
        *which = true;
    }
    return which != NULL;
}

static const picture_flag *find_flag(const char *name)
{
    for (size_t k = 0; k < sizeof FLAGS / sizeof *FLAGS; ++k) {
        if (strcmp(FLAGS[k].name, name) == 0) {
            return &FLAGS[k];
        }
    }
    return NULL;
}

static bool is_listed(const char *name, const char *const *flags)
{
    for (; *flags; ++flags) {
        if (strcmp(name, *flags) == 0) {
            return true;
        }
    }
    return false;
}

/* How many words a flag about pictures took; 0: it is none; -1: it is wrong. */
static int take(int count, char **arguments, const char *command, const char *const *flags,
                picture_options *o)
{
    char name[40];
    const char *equals = strchr(arguments[0], '=');
    size_t length = equals ? (size_t)(equals - arguments[0]) : strlen(arguments[0]);
    snprintf(name, sizeof name, "%.*s", (int)(length < 39 ? length : 39), arguments[0]);
    const picture_flag *flag = find_flag(name);
    bool own = is_own(name) && is_listed(name, flags);
    if (!flag && !own) {
        return !equals && is_listed(name, flags) && is_switch(o, name) ? 1 : 0;
    }
    bool bare = flag && flag->kind == NOTHING;
    const char *value = equals ? equals + 1 : count > 1 ? arguments[1] : "";
    if (bare ? equals != NULL : !value[0]) {
        complain(bare ? "%s: %s takes no value" : "%s: %s needs a value", command, name);
        return -1;
    }
    bool good = own ? read_own(o, name, value) : apply(o, flag, value);
    return !good ? -1 : bare || equals ? 1 : 2;
}

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

/* What to draw is a scene or the frames of a run. */
static bool check_source(const char *command, const char *path)
{
    if (!path) {
        complain("%s: which scene or results? mote %s SCENE.json or mote %s DIR", command, command, command);
        return false;
    }
    if (ends_with(path, ".vtp") || ends_with(path, ".ply")) {
        complain("%s: %s is a single frame; give the directory that it is in%s", command, path,
                 strcmp(command, "render") == 0 ? ", and --frame N" : "");
        return false;
    }
    return true;
}

bool picture_parse(int count, char **arguments, const char *command, const char *const *flags,
                   picture_options *o)
{
    *o = (picture_options){.frame = -1, .time = NAN, .fps = NAN, .speed = NAN};
    char **rest = calloc((size_t)count + 1, sizeof *rest);
    int left = 0;
    bool good = rest != NULL;
    for (int k = 0, used; k < count && good; k += used) {
        used = take(count - k, arguments + k, command, flags, o);
        good = used >= 0;
        if (used == 0) {
            /* the value of a common flag must not be taken for a flag itself */
            bool pair = arguments[k][0] == '-' && !strchr(arguments[k], '=') && k + 1 < count &&
                        strcmp(arguments[k], "--quiet") != 0 && strcmp(arguments[k], "--json") != 0;
            for (used = 0; used < (pair ? 2 : 1); ++used) {
                rest[left++] = arguments[k + used];
            }
        }
    }
    good = good && options_parse(left, rest, command, flags, &o->common);
    free(rest);
    good = good && check_source(command, o->common.scene);
    o->results = good && is_results(o->common.scene);
    return good;
}

static bool find_symbol(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found); /* C has no cast from an object to a function */
    return found != NULL;
}

/* Beside libmote, whose AVX2 twin lies two folders further down. */
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

/* As the loader finds libraries, or beside libmote. Never closed: the graphics drivers do not bear that. */
static void *open_library(const char *name)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return handle ? handle : open_beside(name);
}

bool picture_load_library(picture_library *l)
{
    void *handle = open_library("libmote_view.so.0");
    if (!handle) {
        complain("pictures need libmote_view and the graphics libraries (%s); install them with "
                 "`scripts/install.sh view` (Debian: libepoxy0 libglfw3 libegl1 libgles2 libgl1-mesa-dri) "
                 "and build "
                 "again",
                 dlerror());
        return false;
    }
    bool good = find_symbol(handle, "mote_results_scene", &l->results_scene) &&
                find_symbol(handle, "mote_render_options_default", &l->render_options_default) &&
                find_symbol(handle, "mote_render", &l->render) &&
                find_symbol(handle, "mote_window_options_default", &l->window_options_default) &&
                find_symbol(handle, "mote_window", &l->window);
    if (!good) {
        complain("libmote_view is of another version than this program; build and install both anew");
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
        complain("%s", error.text);
    } else if (!options_apply(&o->common, scene)) {
        mote_scene_destroy(scene);
        scene = NULL;
    }
    for (int k = 0; scene && k < o->set_count; ++k) {
        if (mote_scene_set(scene, o->sets[k].path, o->sets[k].value, &error) != MOTE_OK) {
            complain("%s", error.text);
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
