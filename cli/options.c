#include "options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("mote: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static bool is_allowed(const char *flag, const char *const *allowed)
{
    for (; *allowed; ++allowed) {
        if (strcmp(flag, *allowed) == 0) {
            return true;
        }
    }
    return false;
}

static bool parse_number(const char *flag, const char *text, double low, double *out)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(value) || value < low) {
        complain("%s: '%s' is not a number from %g up", flag, text, low);
        return false;
    }
    *out = value;
    return true;
}

static bool parse_int(const char *flag, const char *text, int low, int *out)
{
    double value;
    if (!parse_number(flag, text, low, &value)) {
        return false;
    }
    if (value != floor(value) || value > INT_MAX) {
        complain("%s: '%s' is not a whole number", flag, text);
        return false;
    }
    *out = (int)value;
    return true;
}

static bool add_set(options *o, const char *text)
{
    if (!strchr(text, '=')) {
        complain("--set: '%s' has no '='; write --set time.step.size=0.001", text);
        return false;
    }
    if (o->set_count == SETS_MAX) {
        complain("--set: at most %d are allowed", SETS_MAX);
        return false;
    }
    o->sets[o->set_count++] = text;
    return true;
}

/* "900x560" */
static bool parse_size(const char *flag, const char *text, options *o)
{
    int used = 0;
    if (sscanf(text, "%5dx%5d%n", &o->width, &o->height, &used) != 2 || text[used] || o->width < 1 ||
        o->height < 1) {
        complain("%s: '%s' is not a size; write width x height in pixels, as in --size 900x560", flag, text);
        return false;
    }
    return true;
}

static bool add_field(options *o, const char *name)
{
    if (o->field_count == FIELDS_MAX) {
        complain("--field: at most %d are allowed", FIELDS_MAX);
        return false;
    }
    o->fields[o->field_count++] = name;
    return true;
}

static bool parse_spacing(const char *text, double *out)
{
    if (!parse_number("--spacing", text, 0, out)) {
        return false;
    }
    if (*out == 0) {
        complain("--spacing: 0 m; allowed: a length above 0");
        return false;
    }
    return true;
}

/* The flags of `mote surface` alone; `known` says whether it was one of them. */
static bool parse_surface(const char *flag, const char *value, options *o, bool *known)
{
    *known = true;
    if (strcmp(flag, "--method") == 0) {
        o->method = value;
    } else if (strcmp(flag, "--format") == 0) {
        o->format = value;
    } else if (strcmp(flag, "--field") == 0) {
        return add_field(o, value);
    } else if (strcmp(flag, "--spacing") == 0) {
        return parse_spacing(value, &o->spacing);
    } else {
        *known = false;
    }
    return true;
}

/* Flags without a value. */
static bool parse_switch(const char *flag, options *o)
{
    if (strcmp(flag, "--quiet") == 0) {
        o->quiet = true;
    } else if (strcmp(flag, "--json") == 0) {
        o->json = true;
    } else if (strcmp(flag, "--markdown") == 0) {
        o->markdown = true;
    } else if (strcmp(flag, "--png-only") == 0) {
        o->png_only = true;
    } else if (strcmp(flag, "--svg-only") == 0) {
        o->svg_only = true;
    } else {
        return false;
    }
    return true;
}

static bool parse_valued(const char *flag, const char *value, options *o)
{
    bool known, good = parse_surface(flag, value, o, &known);
    if (known) {
        return good;
    }
    if (strcmp(flag, "-o") == 0) {
        o->directory = value;
        return true;
    }
    if (strcmp(flag, "--scene") == 0) {
        o->other_scene = value;
        return true;
    }
    if (strcmp(flag, "--report") == 0) {
        o->report = value;
        return true;
    }
    if (strcmp(flag, "--size") == 0) {
        return parse_size(flag, value, o);
    }
    if (strcmp(flag, "--set") == 0) {
        return add_set(o, value);
    }
    if (strcmp(flag, "--threads") == 0) {
        return parse_int(flag, value, 1, &o->threads);
    }
    if (strcmp(flag, "--keep") == 0) {
        return parse_int(flag, value, 1, &o->keep);
    }
    if (strcmp(flag, "--checkpoint-every") == 0) {
        return parse_number(flag, value, 0, &o->checkpoint_every);
    }
    if (strcmp(flag, "--checkpoint-wall") == 0) {
        return parse_number(flag, value, 0, &o->checkpoint_wall);
    }
    if (strcmp(flag, "--frames") == 0) {
        return parse_int(flag, value, 0, &o->frames);
    }
    return parse_number(flag, value, 0, &o->until);
}

/* One word of the command line, and how many words it took; 0 on a mistake. */
static int parse_word(int count, char **arguments, const char *command, const char *const *allowed,
                      options *out)
{
    const char *word = arguments[0];
    if (word[0] != '-' || !word[1]) {
        if (out->scene || !word[0]) {
            complain(word[0] ? "%s: one name is enough, there are '%s' and '%s'" : "%s: a name is empty",
                     command, out->scene, word);
            return 0;
        }
        out->scene = word;
        return 1;
    }
    char flag[64];
    const char *equals = strchr(word, '='); /* --frames=3 is --frames 3 */
    snprintf(flag, sizeof flag, "%.*s", equals ? (int)(equals - word) : (int)strlen(word), word);
    if (!is_allowed(flag, allowed)) {
        complain("%s: unknown flag '%s'; `mote help` lists them", command, flag);
        return 0;
    }
    if (!equals && parse_switch(flag, out)) {
        return 1;
    }
    const char *value = equals ? equals + 1 : count > 1 ? arguments[1] : "";
    if (!value[0]) {
        complain("%s: %s needs a value", command, flag);
        return 0;
    }
    return parse_valued(flag, value, out) ? (equals ? 1 : 2) : 0;
}

bool options_parse(int count, char **arguments, const char *command, const char *const *allowed, options *out)
{
    *out = (options){.frames = -1, .until = NAN, .checkpoint_every = NAN, .checkpoint_wall = NAN};
    for (int k = 0, used; k < count; k += used) {
        used = parse_word(count - k, arguments + k, command, allowed, out);
        if (!used) {
            return false;
        }
    }
    return true;
}

static bool apply_set(mote_scene *scene, const char *text)
{
    const char *equals = strchr(text, '=');
    char *path = strndup(text, (size_t)(equals - text));
    mote_error error;
    bool done = path && mote_scene_set(scene, path, equals + 1, &error) == MOTE_OK;
    if (!done) {
        complain("--set %s", path ? error.text : "out of memory");
    }
    free(path);
    return done;
}

bool options_apply(const options *o, mote_scene *scene)
{
    bool good = true;
    for (int k = 0; k < o->set_count && good; ++k) {
        good = apply_set(scene, o->sets[k]);
    }
    return good;
}

mote_scene *options_load(const options *o)
{
    mote_scene *scene;
    mote_error error;
    if (mote_scene_load(o->scene, &scene, &error) != MOTE_OK) {
        complain("%s", error.text);
        return NULL;
    }
    if (!options_apply(o, scene)) {
        mote_scene_destroy(scene);
        return NULL;
    }
    return scene;
}
