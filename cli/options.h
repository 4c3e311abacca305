/*
 * Options common to commands with a scene: their flags, loading.
 */
#ifndef MOTE_CLI_OPTIONS_H
#define MOTE_CLI_OPTIONS_H

#include "command.h"

#include <mote/mote.h>

enum { SETS_MAX = 256, FIELDS_MAX = 32 };

typedef struct options {
    const char *scene;       /* the operand */
    const char *other_scene; /* --scene */
    const char *directory, *report;
    const char *sets[SETS_MAX];
    int set_count;
    int threads, frames;
    double until;
    double checkpoint_every, checkpoint_wall; /* NaN: not given */
    int keep;
    int width, height; /* of --size; 0: not given */
    double spacing;    /* 0: not given */
    const char *method, *format;
    const char *fields[FIELDS_MAX];
    int field_count;
    bool quiet, json, markdown, png_only, svg_only, solve_static;
    int modes; /* --count; 0: not given */
} options;

options options_default(void);

/* Parsers of flags. */
bool options_add_set(const flag *f, const char *value, void *out);

/* Flags of several commands. */
#define OPTIONS_SET \
    { \
        "--set", "PATH=VALUE", FLAG_OWN, \
            .read = options_add_set, \
            .doc = "set a parameter, repeatable: --set time.step.size=0.001\n" \
                   "--set colliders[0].friction=0.3" \
    }
#define OPTIONS_THREADS \
    { \
        "--threads", "N", FLAG_INT, offsetof(options, threads), \
            .low = 1, .doc = "number of threads; results do not depend on it (one per core)" \
    }
#define OPTIONS_UNTIL \
    { \
        "--until", "T", FLAG_REAL, offsetof(options, until), \
            .doc = "stop at this simulated time [s]" \
    }
#define OPTIONS_FRAMES \
    { \
        "--frames", "N", FLAG_INT, offsetof(options, frames), .doc = "stop after N frames" \
    }
#define OPTIONS_QUIET \
    { \
        "--quiet", NULL, FLAG_SWITCH, offsetof(options, quiet), .doc = "print errors only" \
    }
#define OPTIONS_JSON \
    { \
        "--json", NULL, FLAG_SWITCH, offsetof(options, json), .doc = "JSON output" \
    }

/* Reports an error of a scene or result file, preceded by its name unless the text contains it.
 * Write errors name the file concerned. */
void print_file_error(const char *file, const mote_error *error);

/* Whether a path names a scene file, not results. */
bool options_is_scene(const char *path);

/* Finds a system of a world (NULL: the first) and advances the world to a time (NaN: no step). */
mote_status options_advance(mote_world *world, const char *name, double time, int *system,
                            mote_error *error);

/* Loads the scene and applies --set. Reports an error and returns NULL on failure. */
mote_scene *options_load(const options *o);

/* Applies --set to the scene of `o->scene`; reports errors. */
bool options_apply(const options *o, mote_scene *scene);

#endif
