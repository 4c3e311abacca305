/* `mote surface`: meshes of the particles of a scene, of stored frames or of a single file. */
#include "commands.h"
#include "options.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct session {
    const options *o;
    int frames;
    bool open; /* a mesh was not closed, or no manifold */
} session;

/* Triangles between particles (without grid cells) may have borders, isosurfaces may not. */
static bool is_sound(const mote_surface_mesh *m)
{
    return m->cell > 0 ? m->closed : m->manifold;
}

static void print_json(const mote_surface_frame *f)
{
    const mote_surface_mesh *m = &f->mesh;
    double each = f->particles > 0 ? m->seconds / (double)f->particles : 0;
    json_t *o = json_pack(
        "{s:s, s:i, s:o, s:I, s:I, s:I, s:b, s:b, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:I}",
        "file", f->file, "frame", f->frame, "time",
        isnan(f->time) ? json_null() : json_real(f->time), "particles", (json_int_t)f->particles,
        "vertices", (json_int_t)m->vertices, "triangles", (json_int_t)m->triangles, "closed",
        (int)m->closed, "manifold", (int)m->manifold, "border_edges", (json_int_t)m->border_edges,
        "euler", (json_int_t)m->euler, "volume", m->volume, "area", m->area, "spacing", m->spacing,
        "cell", m->cell, "seconds", m->seconds, "seconds_per_particle", each, "peak_memory_bytes",
        (json_int_t)m->peak_memory);
    char *text = json_dumps(o, JSON_COMPACT);
    puts(text ? text : "{}");
    free(text);
    json_decref(o);
}

static void print_line(const mote_surface_frame *f)
{
    const mote_surface_mesh *m = &f->mesh;
    if (f->particles == 0) {
        printf("%s: no particles; the mesh is empty\n", f->file);
        return;
    }
    char border[48], volume[48] = "";
    snprintf(border, sizeof border, "%lld border edges", (long long)m->border_edges);
    if (m->closed) {
        snprintf(volume, sizeof volume, "volume %.6g m^3, ", m->volume);
    }
    printf("%s: %lld vertices, %lld triangles, %s, Euler number %lld, %sspacing %.4g m, %.3g us a "
           "particle\n",
           f->file, (long long)m->vertices, (long long)m->triangles,
           m->closed      ? "closed"
           : !is_sound(m) ? "NOT CLOSED"
                          : border,
           (long long)m->euler, volume, m->spacing, 1e6 * m->seconds / (double)f->particles);
}

static bool on_frame(void *context, const mote_surface_frame *frame)
{
    session *s = context;
    ++s->frames;
    s->open = s->open || !is_sound(&frame->mesh);
    if (s->o->json) {
        print_json(frame);
    } else if (!s->o->quiet) {
        print_line(frame);
    }
    fflush(stdout);
    return true;
}

/* out/NAME, NAME from the scene, directory or file. */
static void default_directory(const char *path, char *out, size_t size)
{
    const char *end = path + strlen(path);
    while (end > path + 1 && end[-1] == '/') {
        --end;
    }
    const char *base = end;
    while (base > path && base[-1] != '/') {
        --base;
    }
    const char *dot = end;
    for (const char *c = base + 1; c < end; ++c) {
        dot = *c == '.' && dot == end ? c : dot;
    }
    snprintf(out, size, "out/%.*s.surface", (int)(dot - base), base);
}

static int finish(const session *s, mote_status status, const mote_error *error)
{
    if (status != MOTE_OK) {
        print_file_error(s->o->scene, error);
        bool refused = status == MOTE_ERROR_INPUT || status == MOTE_ERROR_USAGE;
        return refused && s->frames == 0 ? EXIT_USAGE : EXIT_FAILED;
    }
    return s->open ? EXIT_FAILED : EXIT_DONE;
}

static int make_surfaces(const options *o)
{
    char default_directory_name[600];
    session s = {.o = o};
    mote_error error = {0};
    mote_surface_run_options r = mote_surface_run_options_default();
    default_directory(o->scene, default_directory_name, sizeof default_directory_name);
    r.surface.config.threads = o->threads;
    r.surface.method = o->method;
    r.surface.spacing = o->spacing;
    r.directory = o->directory ? o->directory : default_directory_name;
    r.format = o->format;
    r.field_count = o->field_count;
    r.fields = o->fields;
    r.until = o->until;
    r.frames = o->frames;
    r.progress = on_frame;
    r.progress_context = &s;
    if (!options_is_scene(o->scene)) {
        return finish(&s, mote_surface_results(o->scene, &r, &error), &error);
    }
    mote_scene *scene = options_load(o);
    if (!scene) {
        return EXIT_USAGE;
    }
    mote_status status = mote_surface_scene(scene, &r, &error);
    mote_scene_destroy(scene);
    return finish(&s, status, &error);
}

static bool add_field(const flag *f, const char *name, void *out)
{
    options *o = out;
    if (o->field_count == FIELDS_MAX) {
        complain("%s: at most %d are allowed", f->name, FIELDS_MAX);
        return false;
    }
    o->fields[o->field_count++] = name;
    return true;
}

static const flag FLAGS[] = {
    {"-o", "DIR", FLAG_TEXT, offsetof(options, directory),
     .doc = "output directory (out/NAME.surface)"},
    {"--spacing", "D", FLAG_REAL, offsetof(options, spacing), .above = true,
     .doc = "particle spacing [m] (estimated)"},
    {"--method", "NAME|JSON", FLAG_TEXT, offsetof(options, method),
     .doc =
         "anisotropic, metaball, zhu_bridson, tangential_delaunay (oriented particles), or one of "
         "them with parameters; see docs/surface.md"},
    {"--format", "NAME", FLAG_TEXT, offsetof(options, format), .doc = "ply, obj or vtp"},
    {"--field", "NAME", FLAG_OWN, .read = add_field,
     .doc = "interpolate this particle column onto the mesh; repeatable"},
    OPTIONS_SET,
    OPTIONS_THREADS,
    OPTIONS_UNTIL,
    OPTIONS_FRAMES,
    OPTIONS_QUIET,
    OPTIONS_JSON,
    {0}};

static int surface(const command *self, int count, char **arguments)
{
    options o = options_default();
    return command_read(self, count, arguments, &o) ? make_surfaces(&o) : EXIT_USAGE;
}

const command command_surface = {
    .name = "surface",
    .operand = "SCENE|DIR|FILE",
    .summary = "reconstruct a closed surface mesh of the particles for each frame",
    .missing = "an input is missing: mote surface SCENE.json|RESULT-DIR|FILE.vtp [-o DIR] "
               "[--spacing D]",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = surface,
};
