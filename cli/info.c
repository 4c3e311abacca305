/*
 * `mote info FILE`: contents of a checkpoint, a scene, a report, a result frame or a mesh.
 */
#include "commands.h"
#include "options.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HEAD = 1 << 16 };

static int print_object(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    puts(text ? text : "{}");
    free(text);
    json_decref(object);
    return EXIT_DONE;
}

static const char *text_at(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

static long long int_at(json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

/* ---- checkpoints ---- */

static void print_columns(json_t *columns)
{
    size_t c;
    json_t *column;
    long long bytes = 0;
    json_array_foreach(columns, c, column)
    {
        bytes += int_at(column, "bytes");
    }
    printf("%.1f MiB in columns", (double)bytes / (1 << 20));
    json_array_foreach(columns, c, column)
    {
        printf("%s%s", c ? ", " : " ", text_at(column, "name"));
    }
    printf("\n");
}

static void print_systems(json_t *header)
{
    size_t k;
    json_t *system, *coupling;
    json_array_foreach(json_object_get(header, "systems"), k, system)
    {
        printf("  system %s: %lld particles in %zu bodies, next id %lld, ", text_at(system, "name"),
               int_at(system, "rows"), json_array_size(json_object_get(system, "bodies")),
               int_at(system, "next_id"));
        print_columns(json_object_get(system, "columns"));
    }
    json_array_foreach(json_object_get(header, "couplings"), k, coupling)
    {
        printf("  coupling %s: %lld rows, ", text_at(coupling, "name"), int_at(coupling, "rows"));
        print_columns(json_object_get(coupling, "columns"));
    }
}

static void print_checkpoint(const char *path, json_t *header)
{
    json_t *scene = json_object_get(header, "scene"), *run = json_object_get(header, "run");
    printf("%s: a checkpoint, whole\n", path);
    printf("  scene %s (%s), integrator %s\n", text_at(scene, "name"), text_at(scene, "hash"),
           text_at(header, "integrator"));
    printf("  t = %.9g s after %lld steps; state_hash %s\n",
           json_number_value(json_object_get(header, "time")), int_at(header, "steps"),
           text_at(header, "state_hash"));
    print_systems(header);
    if (json_is_object(run)) {
        printf("  run: %lld frames written, %.3g s of wall time so far\n", int_at(run, "written"),
               json_number_value(json_object_get(run, "wall_s")));
    }
    printf("  written by mote %s for %s; format %lld; warnings so far: %zu\n",
           text_at(header, "version"), text_at(header, "instruction_set"),
           int_at(header, "format_version"), json_array_size(json_object_get(header, "warnings")));
}

/* The version that wrote the file. */
static json_t *header_of(const char *path, mote_error *error)
{
    mote_snapshot *snapshot;
    char *text = NULL;
    if (mote_snapshot_read(path, NULL, &snapshot, error) != MOTE_OK) {
        return NULL;
    }
    mote_status status = mote_snapshot_header(snapshot, &text, error);
    mote_snapshot_destroy(snapshot);
    json_t *header = status == MOTE_OK ? json_loads(text, 0, NULL) : NULL;
    mote_text_free(text);
    return header;
}

static int info_checkpoint(const options *o)
{
    mote_error error = {0};
    json_t *header = header_of(o->scene, &error);
    if (!header) {
        complain("%s", error.text);
        return EXIT_USAGE;
    }
    json_object_set_new(header, "kind", json_string("checkpoint"));
    if (o->json) {
        return print_object(header);
    }
    print_checkpoint(o->scene, header);
    json_decref(header);
    return EXIT_DONE;
}

/* ---- reports and scenes ---- */

static int info_report(const options *o, json_t *report)
{
    json_t *resumed = json_object_get(report, "resumed");
    if (o->json) {
        json_object_set_new(report, "kind", json_string("report"));
        return print_object(report);
    }
    printf("%s: the report of a run of %s, %s\n", o->scene, text_at(report, "scene"),
           text_at(report, "outcome"));
    printf("  t = %.9g s after %lld steps, %lld frames; state_hash %s\n",
           json_number_value(json_object_get(report, "time")), int_at(report, "steps"),
           int_at(report, "frames"), text_at(report, "state_hash"));
    if (json_is_object(resumed)) {
        printf("  resumed at t = %.9g s with %zu changes\n",
               json_number_value(json_object_get(resumed, "time")),
               json_array_size(json_object_get(resumed, "changes")));
    }
    json_decref(report);
    return EXIT_DONE;
}

static int info_scene(const options *o)
{
    mote_scene *scene = options_load(o);
    mote_error error = {0};
    char hash[20];
    if (!scene) {
        return EXIT_USAGE;
    }
    mote_status status = mote_scene_check(scene, &error);
    snprintf(hash, sizeof hash, "%016" PRIx64, mote_scene_hash(scene));
    if (o->json) {
        print_object(json_pack("{s:s, s:s, s:s, s:b, s:s*}", "kind", "scene", "scene",
                               mote_scene_name(scene), "scene_hash", hash, "valid",
                               status == MOTE_OK, "problem",
                               status == MOTE_OK ? NULL : error.text));
    } else {
        printf("%s: a scene, scene_hash %s\n", o->scene, hash);
        printf("  %s\n", status == MOTE_OK ? "every key is known and in range" : error.text);
    }
    mote_scene_destroy(scene);
    return EXIT_DONE;
}

static int info_json(const options *o)
{
    json_error_t problem;
    json_t *root = json_load_file(o->scene, 0, &problem);
    if (root && json_object_get(root, "state_hash") && json_object_get(root, "outcome")) {
        return info_report(o, root);
    }
    json_decref(root);
    return info_scene(o);
}

/* ---- meshes ---- */

static json_t *sets_of(const mote_mesh_info *m)
{
    json_t *list = json_array();
    for (int k = 0; k < m->set_count; ++k) {
        json_array_append_new(list, json_string(m->sets[k]));
    }
    return list;
}

static void describe_mesh(const char *path, const mote_mesh_info *m)
{
    bool solid = m->tetrahedra > 0;
    printf("%s: a mesh, %lld nodes, %lld edges, %lld %striangles, %lld tetrahedra\n", path,
           (long long)m->nodes, (long long)m->edges, (long long)m->triangles, solid ? "outer " : "",
           (long long)m->tetrahedra);
    printf("  from (%g, %g, %g) to (%g, %g, %g), %s %.6g, %s, %d connected component%s\n",
           m->low[0], m->low[1], m->low[2], m->high[0], m->high[1], m->high[2],
           solid ? "volume" : "area", m->size, m->open_edges ? "open" : "closed", m->components,
           m->components == 1 ? "" : "s");
    printf(
        "  %s from %.2f to %.2f degrees; edges from %.4g to %.4g, on average %.4g; the smallest %s %.3g\n",
        solid ? "dihedral angles" : "angles", m->angle_min, m->angle_max, m->edge_min, m->edge_max,
        m->edge_mean, solid ? "volume" : "area", m->size_min);
    printf("  node sets:");
    for (int k = 0; k < m->set_count; ++k) {
        printf("%s %s", k ? "," : "", m->sets[k]);
    }
    printf("\n");
}

static int print_mesh(const options *o, const mote_mesh_info *m)
{
    if (!o->json) {
        describe_mesh(o->scene, m);
        return EXIT_DONE;
    }
    return print_object(json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:[f, f, f], s:[f, f, f], s:f, s:f, s:[f, f], s:[f, f, f], s:I, s:i, s:o}",
        "kind", "mesh", "nodes", (json_int_t)m->nodes, "edges", (json_int_t)m->edges, "triangles",
        (json_int_t)m->triangles, "tetrahedra", (json_int_t)m->tetrahedra, "low", m->low[0],
        m->low[1], m->low[2], "high", m->high[0], m->high[1], m->high[2], "size", m->size,
        "size_min", m->size_min, "angles", m->angle_min, m->angle_max, "edge_lengths", m->edge_min,
        m->edge_mean, m->edge_max, "open_edges", (json_int_t)m->open_edges, "components",
        m->components, "sets", sets_of(m)));
}

static int info_mesh(const options *o)
{
    mote_mesh_info m;
    mote_error error = {0};
    if (mote_mesh_examine(o->scene, false, &m, &error) != MOTE_OK) {
        complain("%s", error.text);
        return EXIT_USAGE;
    }
    return print_mesh(o, &m);
}

/* ---- frames ---- */

static int print_frame(const options *o, const char *format, const mote_frame_info *f)
{
    if (o->json) {
        return print_object(json_pack("{s:s, s:s, s:I, s:I, s:I}", "kind", "frame", "format",
                                      format, "particles", (json_int_t)f->particles, "triangles",
                                      (json_int_t)f->triangles, "edges", (json_int_t)f->edges));
    }
    printf("%s: a frame (%s), %lld particles, %lld triangles, %lld edges\n", o->scene, format,
           (long long)f->particles, (long long)f->triangles, (long long)f->edges);
    return EXIT_DONE;
}

/* A PLY that is not a result frame may be a surface mesh. */
static int info_frame(const options *o, const char *format)
{
    mote_frame_info frame;
    mote_mesh_info mesh;
    mote_error error = {0};
    if (mote_frame_examine(o->scene, &frame, &error) == MOTE_OK) {
        return print_frame(o, format, &frame);
    }
    if (mote_mesh_has_extension(o->scene) &&
        mote_mesh_examine(o->scene, false, &mesh, NULL) == MOTE_OK) {
        return print_mesh(o, &mesh);
    }
    complain("%s", error.text);
    return EXIT_USAGE;
}

static int info_by_head(const options *o, const char *head, size_t bytes)
{
    if (bytes >= 4 && memcmp(head, "PK\3\4", 4) == 0) {
        return info_checkpoint(o);
    }
    if (strncmp(head, "ply", 3) == 0) {
        return info_frame(o, "ply");
    }
    if (strstr(head, "PolyData")) {
        return info_frame(o, "vtp");
    }
    if (mote_mesh_has_extension(o->scene)) {
        return info_mesh(o);
    }
    if (head[strspn(head, " \t\r\n")] == '{') {
        return info_json(o);
    }
    complain("%s: is not a checkpoint (.npz), scene or report (.json), frame (.vtp, .ply) or mesh "
             "(.msh, .node, .ele, .vtu, .obj, .stl)",
             o->scene);
    return EXIT_USAGE;
}

static const flag FLAGS[] = {OPTIONS_JSON, {0}};

static int info(const command *self, int count, char **arguments)
{
    options o = options_default();
    if (!command_read(self, count, arguments, &o)) {
        return EXIT_USAGE;
    }
    struct stat there;
    if (stat(o.scene, &there) == 0 && !S_ISREG(there.st_mode)) {
        complain("'%s' is %s; give a checkpoint, scene, report, frame or mesh", o.scene,
                 S_ISDIR(there.st_mode) ? "a directory" : "no file");
        return EXIT_USAGE;
    }
    FILE *file = fopen(o.scene, "rb");
    char *head = calloc(1, HEAD + 1);
    if (!file || !head) {
        complain("'%s' cannot be read", o.scene);
        free(head);
        if (file) {
            fclose(file);
        }
        return EXIT_USAGE;
    }
    size_t bytes = fread(head, 1, HEAD, file);
    fclose(file);
    int code = info_by_head(&o, head, bytes);
    free(head);
    return code;
}

const command command_info = {
    .name = "info",
    .operand = "FILE",
    .summary = "print the contents of a checkpoint, scene, frame, report or mesh",
    .missing = "a file is missing: mote info CHECKPOINT, SCENE, FRAME, REPORT or MESH",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = info,
};
