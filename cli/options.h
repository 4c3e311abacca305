/* What the commands that take a scene have in common: flags, --set, loading. */
#ifndef MOTE_CLI_OPTIONS_H
#define MOTE_CLI_OPTIONS_H

#include <mote/mote.h>

enum { SETS_MAX = 256, FIELDS_MAX = 32 };

typedef struct options {
    const char *scene;       /* the one argument without a flag */
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
    bool quiet, json, markdown, png_only, svg_only;
} options;

/* Which flags a command knows, as a list that ends with NULL: "-o", "--set", ... */
bool options_parse(int count, char **arguments, const char *command, const char *const *allowed,
                   options *out);

/* Loads the scene and applies --set. Prints the problem and returns NULL on failure. */
mote_scene *options_load(const options *o);

/* Applies --set to a scene that is there already; prints the problem on failure. */
bool options_apply(const options *o, mote_scene *scene);

/* "mote: ..." on standard error. */
void complain(const char *format, ...);

#endif
