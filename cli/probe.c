/* `mote probe`: fields at any position, of the particles of a scene or of stored frames. */
#include "commands.h"
#include "options.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESULTS_MAX = 31, NAME_MAX_LENGTH = 100 };

typedef struct probe_options {
    options common; /* first: shared flags write here */
    const char *system, *file, *kernel, *form, *correction;
    double time, support;
    json_t *sampling; /* NULL: not given */
    int count;
    const char *columns[RESULTS_MAX];
    char operations[RESULTS_MAX][NAME_MAX_LENGTH];
} probe_options;

/* ---- flags ---- */

/* Exactly `count` numbers, separated by commas or blanks. */
static bool read_numbers(const flag *f, const char *text, int count, double *out)
{
    char *end = (char *)text;
    int found = 0;
    for (; found < count; ++found) {
        const char *from = end + strspn(end, ", \t");
        out[found] = strtod(from, &end);
        if (end == from) {
            break;
        }
    }
    if (found < count || end[strspn(end, " \t")] != '\0') {
        complain("%s: '%s' are not %d numbers; write %s", f->name, text, count, f->value);
        return false;
    }
    return true;
}

static bool set_sampling(const flag *f, json_t *sampling, probe_options *o)
{
    if (o->sampling) {
        complain("%s: only one of --at, --line, --plane, --grid and --sampling is allowed",
                 f->name);
        json_decref(sampling);
        return false;
    }
    o->sampling = sampling;
    return sampling != NULL;
}

static bool add_point(const flag *f, const char *text, void *out)
{
    probe_options *o = out;
    double n[3];
    if (!read_numbers(f, text, 3, n)) {
        return false;
    }
    json_t *list = o->sampling ? json_object_get(o->sampling, "positions") : NULL;
    if (list) {
        return json_array_append_new(list, json_pack("[fff]", n[0], n[1], n[2])) == 0;
    }
    return set_sampling(
        f, json_pack("{s:s, s:[[fff]]}", "type", "points", "positions", n[0], n[1], n[2]), o);
}

static bool set_line(const flag *f, const char *text, void *out)
{
    double n[7];
    return read_numbers(f, text, 7, n) &&
           set_sampling(f,
                        json_pack("{s:s, s:[fff], s:[fff], s:i}", "type", "line", "from", n[0],
                                  n[1], n[2], "to", n[3], n[4], n[5], "count", (int)n[6]),
                        out);
}

static bool set_plane(const flag *f, const char *text, void *out)
{
    double n[11];
    return read_numbers(f, text, 11, n) &&
           set_sampling(f,
                        json_pack("{s:s, s:[fff], s:[fff], s:[fff], s:i, s:i}", "type", "plane",
                                  "corner", n[0], n[1], n[2], "side", n[3], n[4], n[5],
                                  "other_side", n[6], n[7], n[8], "columns", (int)n[9], "rows",
                                  (int)n[10]),
                        out);
}

static bool set_grid(const flag *f, const char *text, void *out)
{
    double n[9];
    return read_numbers(f, text, 9, n) &&
           set_sampling(f,
                        json_pack("{s:s, s:[fff], s:[fff], s:i, s:i, s:i}", "type", "grid", "min",
                                  n[0], n[1], n[2], "max", n[3], n[4], n[5], "nx", (int)n[6], "ny",
                                  (int)n[7], "nz", (int)n[8]),
                        out);
}

static bool set_object(const flag *f, const char *text, void *out)
{
    json_error_t where;
    json_t *object = json_loads(text, 0, &where);
    if (!json_is_object(object)) {
        complain("%s: '%s' is not a JSON object; write '{\"type\": \"line\", ...}', see `mote list "
                 "sampling`",
                 f->name, text);
        json_decref(object);
        return false;
    }
    return set_sampling(f, object, out);
}

/* "curl:v" or "v". */
static bool add_field(const flag *f, const char *text, void *out)
{
    probe_options *o = out;
    const char *colon = strchr(text, ':');
    if (o->count == RESULTS_MAX) {
        complain("%s: at most %d are allowed", f->name, RESULTS_MAX);
        return false;
    }
    o->columns[o->count] = colon ? colon + 1 : text;
    snprintf(o->operations[o->count++], NAME_MAX_LENGTH, "%.*s",
             colon ? (int)(colon - text) : (int)strlen("value"), colon ? text : "value");
    return true;
}

static const flag FLAGS[] = {
    {"--field", "[OP:]COLUMN", FLAG_OWN, .read = add_field,
     .doc = "column, or an operator on it: pressure, curl:v; repeatable (v). Operators:\n"
            "value, gradient, divergence, curl, laplacian"},
    {"--at", "X,Y,Z", FLAG_OWN, .read = add_point, .doc = "at this position [m]; repeatable"},
    {"--line", "X,Y,Z,X,Y,Z,N", FLAG_OWN, .read = set_line,
     .doc = "at N positions from the first point to the second"},
    {"--plane", "CORNER,SIDE,SIDE,N,M", FLAG_OWN, .read = set_plane,
     .doc = "at N x M positions on a rectangle: a corner and two\northogonal sides, three numbers "
            "each"},
    {"--grid", "MIN,MAX,NX,NY,NZ", FLAG_OWN, .read = set_grid,
     .doc = "at NX x NY x NZ positions in a box; of corners three numbers each"},
    {"--sampling", "JSON", FLAG_OWN, .read = set_object,
     .doc = "at positions given as in a scene, see mote list sampling"},
    {"-o", "FILE", FLAG_TEXT, offsetof(probe_options, file),
     .doc = "write .csv, or .vti of a line, plane or grid (a table on the output)"},
    {"--form", "NAME", FLAG_TEXT, offsetof(probe_options, form),
     .doc = "form of derivatives: difference, symmetric, plain (difference)"},
    {"--correction", "NAME", FLAG_TEXT, offsetof(probe_options, correction),
     .doc = "shepard, least_squares, none (shepard)"},
    {"--kernel", "NAME", FLAG_TEXT, offsetof(probe_options, kernel),
     .doc = "kernel (that of the fluid; cubic)"},
    {"--support", "R", FLAG_REAL, offsetof(probe_options, support), .above = true,
     .doc = "support radius [m] (that of the fluid; twice the spacing)"},
    {"--time", "T", FLAG_REAL, offsetof(probe_options, time),
     .doc =
         "of a scene: run to this time [s] (the start);\nof results: the nearest frame (the last)"},
    {"--system", "NAME", FLAG_TEXT, offsetof(probe_options, system),
     .doc = "particles of this system (the first)"},
    OPTIONS_SET,
    OPTIONS_THREADS,
    {0}};

/* ---- the particles ---- */

static mote_status probe_world(const probe_options *o, mote_world *world,
                               const mote_probe_options *p, mote_probe **probe, mote_error *error)
{
    int system;
    mote_status status = options_advance(world, o->system, o->time, &system, error);
    return status == MOTE_OK ? mote_probe_world(world, system, p, probe, error) : status;
}

static mote_status open_probe(const probe_options *o, mote_probe **probe, mote_error *error)
{
    mote_probe_options p = mote_probe_options_default();
    mote_world *world;
    p.config.threads = o->common.threads;
    p.kernel = o->kernel;
    p.support = o->support;
    p.form = o->form;
    p.correction = o->correction;
    if (!options_is_scene(o->common.scene)) {
        return mote_probe_results(o->common.scene, o->time, o->system, &p, probe, error);
    }
    mote_scene *scene = options_load(&o->common);
    if (!scene) {
        error->text[0] = 0; /* already reported */
        return MOTE_ERROR_INPUT;
    }
    mote_status status = mote_world_create(scene, &p.config, &world, error);
    if (status == MOTE_OK) {
        status = probe_world(o, world, &p, probe, error);
        mote_world_destroy(world);
    }
    mote_scene_destroy(scene);
    return status;
}

/* ---- output ---- */

static mote_status write_results(const probe_options *o, const mote_probe *probe, mote_error *error)
{
    const char *operations[RESULTS_MAX];
    char *sampling = json_dumps(o->sampling, JSON_COMPACT | JSON_REAL_PRECISION(17)), *text = NULL;
    for (int k = 0; k < o->count; ++k) {
        operations[k] = o->operations[k];
    }
    mote_status status = o->file ? mote_probe_write(probe, sampling ? sampling : "", o->count,
                                                    o->columns, operations, o->file, error)
                                 : mote_probe_table(probe, sampling ? sampling : "", o->count,
                                                    o->columns, operations, &text, error);
    if (text) {
        fputs(text, stdout);
    }
    mote_text_free(text);
    free(sampling);
    return status;
}

static int run_probe(probe_options *o)
{
    mote_error error = {0};
    mote_probe *probe = NULL;
    if (!o->sampling) {
        complain("where? give --at X,Y,Z, --line, --plane or --grid");
        return EXIT_USAGE;
    }
    if (o->count == 0) {
        o->columns[0] = "v";
        snprintf(o->operations[o->count++], NAME_MAX_LENGTH, "value");
    }
    mote_status status = open_probe(o, &probe, &error);
    if (status == MOTE_OK) {
        status = write_results(o, probe, &error);
    }
    mote_probe_destroy(probe);
    if (status != MOTE_OK && error.text[0]) {
        print_file_error(o->common.scene, &error);
    }
    bool refused = status == MOTE_ERROR_INPUT || status == MOTE_ERROR_USAGE;
    return status == MOTE_OK ? EXIT_DONE : refused ? EXIT_USAGE : EXIT_FAILED;
}

static int probe(const command *self, int count, char **arguments)
{
    probe_options *o = calloc(1, sizeof *o);
    if (!o) {
        complain("out of memory");
        return EXIT_FAILED;
    }
    o->common = options_default();
    o->time = NAN;
    int code = command_read(self, count, arguments, o) ? run_probe(o) : EXIT_USAGE;
    json_decref(o->sampling);
    free(o);
    return code;
}

const command command_probe = {
    .name = "probe",
    .operand = "SCENE|DIR|FILE",
    .summary = "interpolate columns and their derivatives at points, lines, planes and grids",
    .missing = "an input is missing: mote probe SCENE.json|RESULT-DIR|FILE.vtp --at X,Y,Z "
               "[--field OP:COLUMN]",
    .operand_field = offsetof(probe_options, common) + offsetof(options, scene),
    .flags = FLAGS,
    .run = probe,
};
