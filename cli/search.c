/* `mote search`: radius and k-nearest queries over the particles of a scene or of stored frames. */
#include "commands.h"
#include "options.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDITS_MAX = 1024, QUERIES_MAX = 1024 };

typedef struct position {
    double x[3];
} position;

/* In the order of the command line. */
typedef struct edit {
    bool insertion;
    position at;
    int64_t id; /* to be removed */
} edit;

typedef struct search_options {
    options common; /* first: shared flags write here */
    const char *system, *points;
    double time, radius, structure_radius;
    int nearest; /* 0: not given */
    bool exists;
    int edit_count, query_count;
    edit edits[EDITS_MAX];
    position queries[QUERIES_MAX];
} search_options;

/* ---- flags ---- */

static bool parse_position(const char *text, position *p)
{
    char end;
    return sscanf(text, "%lf%*[, \t]%lf%*[, \t]%lf %c", &p->x[0], &p->x[1], &p->x[2], &end) == 3;
}

static bool read_position(const flag *f, const char *text, position *p)
{
    if (!parse_position(text, p)) {
        complain("%s: '%s' is not a position; write three numbers [m]: %s 0.1,0,-2", f->name, text,
                 f->name);
        return false;
    }
    return true;
}

static bool add_query(const flag *f, const char *text, void *out)
{
    search_options *o = out;
    if (o->query_count == QUERIES_MAX) {
        complain("%s: at most %d are allowed; use --points FILE", f->name, QUERIES_MAX);
        return false;
    }
    return read_position(f, text, &o->queries[o->query_count++]);
}

static edit *next_edit(const flag *f, search_options *o)
{
    if (o->edit_count == EDITS_MAX) {
        complain("%s: at most %d insertions and deletions are allowed", f->name, EDITS_MAX);
        return NULL;
    }
    return &o->edits[o->edit_count++];
}

static bool add_insertion(const flag *f, const char *text, void *out)
{
    edit *e = next_edit(f, out);
    if (e) {
        e->insertion = true;
    }
    return e && read_position(f, text, &e->at);
}

static bool add_removal(const flag *f, const char *text, void *out)
{
    edit *e = next_edit(f, out);
    char end;
    if (e && sscanf(text, "%" SCNd64 " %c", &e->id, &end) != 1) {
        complain("%s: '%s' is not an id; write an integer", f->name, text);
        return false;
    }
    return e != NULL;
}

static const flag FLAGS[] = {
    {"--at", "X,Y,Z", FLAG_OWN, .read = add_query, .doc = "query at this position [m]; repeatable"},
    {"--points", "FILE", FLAG_TEXT, offsetof(search_options, points),
     .doc = "query at the positions of a text file, three numbers per line; - is the input"},
    {"--radius", "R", FLAG_REAL, offsetof(search_options, radius), .low = 0,
     .doc = "the particles within this distance [m]"},
    {"--nearest", "K", FLAG_INT, offsetof(search_options, nearest), .low = 1,
     .doc = "the K nearest particles"},
    {"--exists", NULL, FLAG_SWITCH, offsetof(search_options, exists),
     .doc = "only whether a particle is within --radius (default 0)"},
    {"--insert", "X,Y,Z", FLAG_OWN, .read = add_insertion,
     .doc = "add a point before the queries; repeatable"},
    {"--remove", "ID", FLAG_OWN, .read = add_removal,
     .doc = "delete a particle before the queries; repeatable"},
    {"--time", "T", FLAG_REAL, offsetof(search_options, time),
     .doc =
         "of a scene: run to this time [s] (the start);\nof results: the nearest frame (the last)"},
    {"--system", "NAME", FLAG_TEXT, offsetof(search_options, system),
     .doc = "particles of this system (the first)"},
    {"--method", "NAME|JSON", FLAG_TEXT,
     offsetof(search_options, common) + offsetof(options, method),
     .doc = "structure (octree), see mote list search"},
    {"--structure-radius", "R", FLAG_REAL, offsetof(search_options, structure_radius), .low = 0,
     .doc = "radius for which the structure is built [m] (the query's)"},
    OPTIONS_SET,
    OPTIONS_THREADS,
    OPTIONS_JSON,
    {0}};

/* ---- output ---- */

static void print_json(const position *p, const mote_search *search, const int64_t *ids,
                       const double *distances, int64_t count)
{
    json_t *list = json_array();
    for (int64_t k = 0; k < count; ++k) {
        double x[3] = {0, 0, 0};
        mote_search_find(search, ids[k], x);
        json_array_append_new(list, json_pack("{s:I, s:f, s:[fff]}", "id", (json_int_t)ids[k],
                                              "distance", distances[k], "x", x[0], x[1], x[2]));
    }
    json_t *o = json_pack("{s:[fff], s:I, s:o}", "at", p->x[0], p->x[1], p->x[2], "found",
                          (json_int_t)count, "particles", list);
    char *text = json_dumps(o, JSON_COMPACT);
    puts(text ? text : "{}");
    free(text);
    json_decref(o);
}

static void print_table(const position *p, const mote_search *search, const int64_t *ids,
                        const double *distances, int64_t count)
{
    printf("at (%.10g, %.10g, %.10g) m: %" PRId64 " found\n", p->x[0], p->x[1], p->x[2], count);
    if (count > 0) {
        printf("%12s  %-16s  position [m]\n", "id", "distance [m]");
    }
    for (int64_t k = 0; k < count; ++k) {
        double x[3] = {0, 0, 0};
        mote_search_find(search, ids[k], x);
        printf("%12" PRId64 "  %-16.10g  %.10g %.10g %.10g\n", ids[k], distances[k], x[0], x[1],
               x[2]);
    }
}

static void print_existence(const search_options *o, const position *p, bool exists)
{
    if (o->common.json) {
        printf("{\"at\":[%.17g,%.17g,%.17g],\"exists\":%s}\n", p->x[0], p->x[1], p->x[2],
               exists ? "true" : "false");
    } else {
        printf("at (%.10g, %.10g, %.10g) m: %s\n", p->x[0], p->x[1], p->x[2],
               exists ? "exists" : "none");
    }
}

/* ---- queries ---- */

typedef struct answers {
    int64_t capacity;
    int64_t *ids;
    double *distances;
} answers;

static bool reserve_answers(answers *a, int64_t count)
{
    free(a->ids);
    free(a->distances);
    *a = (answers){count, malloc((size_t)count * sizeof(int64_t)),
                   malloc((size_t)count * sizeof(double))};
    return a->ids && a->distances;
}

static mote_status ask(const search_options *o, const position *p, mote_search *search, answers *a,
                       int64_t *found, mote_error *error)
{
    return o->nearest > 0 ? mote_search_nearest(search, p->x,
                                                o->nearest < a->capacity ? o->nearest : a->capacity,
                                                a->ids, a->distances, found, error)
                          : mote_search_near(search, p->x, o->radius, a->capacity, a->ids,
                                             a->distances, found, error);
}

static mote_status answer_query(const search_options *o, const position *p, mote_search *search,
                                answers *a, mote_error *error)
{
    int64_t found = 0;
    bool exists = false;
    if (o->exists) {
        mote_status status =
            mote_search_exists(search, p->x, isnan(o->radius) ? 0 : o->radius, &exists, error);
        if (status == MOTE_OK) {
            print_existence(o, p, exists);
        }
        return status;
    }
    mote_status status = ask(o, p, search, a, &found, error);
    if (status == MOTE_OK) {
        (o->common.json ? print_json : print_table)(p, search, a->ids, a->distances, found);
    }
    return status;
}

static mote_status apply_edits(const search_options *o, mote_search *search, mote_error *error)
{
    mote_status status = MOTE_OK;
    for (int k = 0; k < o->edit_count && status == MOTE_OK; ++k) {
        const edit *e = &o->edits[k];
        int64_t id;
        status = e->insertion ? mote_search_insert(search, e->at.x, &id, error)
                              : mote_search_remove(search, e->id, error);
        if (status == MOTE_OK && e->insertion && !o->common.json) {
            printf("inserted id %" PRId64 " at (%.10g, %.10g, %.10g) m\n", id, e->at.x[0],
                   e->at.x[1], e->at.x[2]);
        }
    }
    return status;
}

/* Positions of a text file; blank lines and lines that begin with # are skipped. */
static bool answer_file(const search_options *o, mote_search *search, answers *a,
                        mote_status *status, mote_error *error)
{
    FILE *file = strcmp(o->points, "-") == 0 ? stdin : fopen(o->points, "r");
    char line[512];
    position p;
    bool good = true;
    if (!file) {
        complain("--points: '%s' cannot be read", o->points);
        return false;
    }
    for (int number = 1; good && *status == MOTE_OK && fgets(line, sizeof line, file); ++number) {
        if (line[strspn(line, " \t\r\n")] == 0 || line[0] == '#') {
            continue;
        }
        good = parse_position(line, &p);
        if (!good) {
            complain("%s:%d: three numbers are expected", o->points, number);
        } else {
            *status = answer_query(o, &p, search, a, error);
        }
    }
    if (file != stdin) {
        fclose(file);
    }
    return good;
}

/* ---- the points ---- */

static mote_status search_world(const search_options *o, mote_world *world,
                                const mote_search_options *s, mote_search **search,
                                mote_error *error)
{
    int system;
    mote_status status = options_advance(world, o->system, o->time, &system, error);
    return status == MOTE_OK ? mote_search_world(world, system, s, search, error) : status;
}

static mote_status open_search(const search_options *o, mote_search **search, mote_error *error)
{
    mote_search_options s = mote_search_options_default();
    mote_world *world;
    s.config.threads = o->common.threads;
    s.method = o->common.method;
    s.radius = o->structure_radius > 0 ? o->structure_radius : o->radius > 0 ? o->radius : 0;
    if (!options_is_scene(o->common.scene)) {
        return mote_search_results(o->common.scene, o->time, o->system, &s, search, error);
    }
    mote_scene *scene = options_load(&o->common);
    if (!scene) {
        error->text[0] = 0; /* already reported */
        return MOTE_ERROR_INPUT;
    }
    mote_status status = mote_world_create(scene, &s.config, &world, error);
    if (status == MOTE_OK) {
        status = search_world(o, world, &s, search, error);
        mote_world_destroy(world);
    }
    mote_scene_destroy(scene);
    return status;
}

static bool check_queries(const search_options *o)
{
    bool distance = !isnan(o->radius), several = o->nearest > 0 && (distance || o->exists);
    if (o->query_count == 0 && !o->points) {
        complain("where? give --at X,Y,Z or --points FILE");
        return false;
    }
    if (several || !(distance || o->nearest > 0 || o->exists)) {
        complain(
            "which query? give either --radius R (with --exists: only whether there is one) or "
            "--nearest K");
        return false;
    }
    return true;
}

static int run_queries(const search_options *o, mote_search *search)
{
    mote_error error = {0};
    answers a = {0};
    bool good = reserve_answers(&a, mote_search_count(search) + o->edit_count + 1);
    mote_status status = good ? apply_edits(o, search, &error) : MOTE_ERROR_MEMORY;
    for (int k = 0; k < o->query_count && status == MOTE_OK; ++k) {
        status = answer_query(o, &o->queries[k], search, &a, &error);
    }
    if (status == MOTE_OK && o->points) {
        good = answer_file(o, search, &a, &status, &error);
    }
    if (status != MOTE_OK) {
        print_file_error(o->common.scene, &error);
    }
    free(a.ids);
    free(a.distances);
    return status == MOTE_OK && good ? EXIT_DONE : EXIT_USAGE;
}

static int search(const command *self, int count, char **arguments)
{
    search_options *o = calloc(1, sizeof *o);
    mote_error error = {0};
    mote_search *found;
    int code = EXIT_USAGE;
    if (!o) {
        complain("out of memory");
        return EXIT_FAILED;
    }
    o->common = options_default();
    o->time = o->radius = NAN;
    if (command_read(self, count, arguments, o) && check_queries(o)) {
        mote_status status = open_search(o, &found, &error);
        if (status == MOTE_OK) {
            code = run_queries(o, found);
            mote_search_destroy(found);
        } else if (error.text[0]) {
            print_file_error(o->common.scene, &error);
            code =
                status == MOTE_ERROR_INPUT || status == MOTE_ERROR_USAGE ? EXIT_USAGE : EXIT_FAILED;
        }
    }
    free(o);
    return code;
}

const command command_search = {
    .name = "search",
    .operand = "SCENE|DIR|FILE",
    .summary = "find the particles near positions: within a radius, or the k nearest",
    .missing = "an input is missing: mote search SCENE.json|RESULT-DIR|FILE.vtp --at X,Y,Z "
               "--radius R | --nearest K",
    .operand_field = offsetof(search_options, common) + offsetof(options, scene),
    .flags = FLAGS,
    .run = search,
};
