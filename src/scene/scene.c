#include "scene/scene.h"

#include "base/hash.h"
#include "base/memory.h"
#include "host/drawing.h"
#include "observe/observables.h"
#include "scene/misplaced.h"
#include "scene/reader.h"
#include "world/world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Large data belongs in mesh files; a larger scene is rejected. */
enum { SIZE_LIMIT = 64 << 20 };

/* The file name without its extension; NAME.scene.json is NAME. */
static char *name_of(const char *base)
{
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base),
           more = strlen(".scene");
    if (length > more && length < strlen(base) &&
        memcmp(base + length - more, ".scene", more) == 0) {
        length -= more;
    }
    return mo_heap_text(base, length);
}

static mote_status new_scene(json_t *root, const char *file, mote_scene **out, mote_error *error)
{
    mote_scene *scene = mo_heap_allocate(1, sizeof *scene);
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    if (scene) {
        scene->root = root;
        scene->file = mo_heap_text(file, strlen(file));
        scene->directory = mo_heap_text(file, slash ? (size_t)(slash - file) : 0);
        scene->name = name_of(base);
    }
    if (!scene || !scene->root || !scene->file || !scene->directory || !scene->name) {
        if (scene) {
            mote_scene_destroy(scene);
        } else {
            json_decref(root);
        }
        return mo_fail_memory(error, sizeof *scene);
    }
    *out = scene;
    return MOTE_OK;
}

mote_status mote_scene_create(mote_scene **scene, mote_error *error)
{
    MO_NEED(scene);
    return new_scene(json_object(), "scene", scene, error);
}

void mote_scene_destroy(mote_scene *scene)
{
    if (!scene) {
        return;
    }
    json_decref(scene->root);
    mo_heap_release(scene->file);
    mo_heap_release(scene->directory);
    mo_heap_release(scene->name);
    mo_heap_release(scene);
}

const char *mo_scene_json_allowed(const json_error_t *problem)
{
    switch (json_error_code(problem)) {
    case json_error_numeric_overflow:
        return " (allowed: integers up to 9.2e18, other numbers up to 1.7e308)";
    case json_error_stack_overflow:
        return " (allowed: 2048 levels of brackets)";
    case json_error_duplicate_key:
        return " (a key may occur only once in an object)";
    case json_error_invalid_utf8:
        return " (scenes are UTF-8)";
    case json_error_invalid_syntax:
        return strncmp(problem->text, "invalid token", 13) == 0
                   ? " (allowed: a finite number, \"text\" in double quotes, true, false, a list [...] or an "
                     "object {...})"
                   : "";
    default:
        return "";
    }
}

static mote_status parse(const char *text, size_t length, const char *file, mote_scene **scene,
                         mote_error *error)
{
    json_error_t problem;
    *scene = NULL;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (!root) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s:%d:%d: not valid JSON: %s%s", file,
                       problem.line, problem.column, problem.text, mo_scene_json_allowed(&problem));
    }
    if (!json_is_object(root)) {
        json_decref(root);
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: a scene is an object, {...}, not a list",
                       file);
    }
    return new_scene(root, file, scene, error);
}

mote_status mote_scene_parse(const char *text, mote_scene **scene, mote_error *error)
{
    MO_NEED(text);
    MO_NEED(scene);
    return parse(text, strlen(text), "scene", scene, error);
}

mote_status mo_scene_parse_as(const char *text, const char *file, mote_scene **scene,
                              mote_error *error)
{
    return parse(text, strlen(text), file, scene, error);
}

static mote_status read_whole(const char *path, FILE *stream, size_t size, char **out,
                              mote_error *error)
{
    char *text = mo_heap_allocate(size + 1, 1);
    if (!text) {
        return mo_fail_memory(error, size);
    }
    if (fread(text, 1, size, stream) != size) {
        mo_heap_release(text);
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: could not be read to its end: %s", path,
                       strerror(errno));
    }
    *out = text;
    return MOTE_OK;
}

/* Checked before opening, since opening a pipe would block. */
static mote_status check_file(const char *path, struct stat *info, mote_error *error)
{
    if (stat(path, info) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "'%s' cannot be opened: %s", path, strerror(errno));
    }
    if (!S_ISREG(info->st_mode)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: is not a file", path);
    }
    if (info->st_size > SIZE_LIMIT) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "%s: has %.0f MiB, a scene may have at most %d MiB; keep large data in files that it "
            "refers to",
            path, (double)info->st_size / (1 << 20), SIZE_LIMIT >> 20);
    }
    return MOTE_OK;
}

mote_status mote_scene_load(const char *path, mote_scene **scene, mote_error *error)
{
    MO_NEED(path);
    MO_NEED(scene);
    struct stat info;
    char *text = NULL;
    *scene = NULL;
    MO_TRY(check_file(path, &info, error));
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return mo_fail(error, MOTE_ERROR_INPUT, "'%s' cannot be opened: %s", path, strerror(errno));
    }
    size_t size = (size_t)info.st_size;
    mote_status status = read_whole(path, stream, size, &text, error);
    fclose(stream);
    if (status == MOTE_OK) {
        /* byte order mark, written by some editors */
        size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        status = parse(text + mark, size - mark, path, scene, error);
    }
    mo_heap_release(text);
    return status;
}

/* Adds a column to the output, unless it is present. */
static mote_status write_field(mo_scene_def *def, const char *name, bool shown, mo_arena *arena,
                               mote_error *error)
{
    const char *const *old = def->output.fields.items;
    int64_t count = def->output.fields.count;
    const char **fields = mo_arena_allocate(arena, (size_t)(count + 1) * sizeof *fields);
    if (!name || !fields) {
        return mo_fail_memory(error, (size_t)(count + 1) * sizeof *fields);
    }
    for (int64_t k = 0; k < count; ++k) {
        fields[k] = old[k];
        if (strcmp(old[k], name) == 0) {
            return MOTE_OK;
        }
    }
    fields[count] = name;
    def->output.fields = (mo_list){count + 1, fields};
    def->output.shown = shown ? count + 1 : def->output.shown;
    return MOTE_OK;
}

/* Adds to the output the column that the view colours by, and those of categories with looks of
 * their own, such as the phase, if there are several, so that results can be rendered like the
 * scene. */
static mote_status write_shown(mo_scene_def *def, mo_arena *arena, mote_error *error)
{
    const char *shown = def->view.color.field;
    mo_category category;
    if (shown && strcmp(shown, "none") != 0) {
        char *name = mo_arena_text(arena, shown);
        char *dot = name ? strrchr(name, '.') : NULL; /* of a component */
        if (dot) {
            *dot = '\0';
        }
        MO_TRY(write_field(def, name, true, arena, error));
    }
    for (int64_t k = 0; mo_category_at(&def->world, k, &category); ++k) {
        if (category.index == 1) {
            MO_TRY(write_field(def, category.column, false, arena, error));
        }
    }
    return MOTE_OK;
}

mote_status mo_scene_read(const mote_scene *scene, mo_arena *arena, mo_scene_def *def,
                          mote_error *error)
{
    mo_read_source source = {scene->file, scene->directory, scene->root};
    mote_error problem = {0};
    MO_TRY(mo_read_section(&source, scene->root, &mo_scene_section, arena, def, error));
    mote_status status = mo_world_def_check(&def->world, arena->memory, &problem);
    if (status == MOTE_OK) {
        status = mo_scene_check_misplaced(scene->root, &def->world, &problem);
    }
    if (status == MOTE_OK) {
        status = mo_view_def_check(&def->view, &problem);
    }
    if (status != MOTE_OK) {
        return mo_fail(error, status, "%s: %.1400s", scene->file, problem.text);
    }
    return write_shown(def, arena, error);
}

mote_status mote_scene_check(const mote_scene *scene, mote_error *error)
{
    MO_NEED(scene);
    mo_memory memory;
    mo_arena arena;
    mo_scene_def def;
    mo_memory_init(&memory, NULL);
    mo_arena_init(&arena, &memory);
    mote_status status = mo_scene_read(scene, &arena, &def, error);
    mo_arena_release(&arena);
    return status;
}

/* The hash of the canonical text: keys sorted, no white space. */
static bool find_hash(const json_t *root, uint64_t *hash)
{
    char *text = json_dumps(root, JSON_SORT_KEYS | JSON_COMPACT);
    *hash = text ? mo_hash_bytes(0, text, strlen(text)) : 0;
    mo_heap_release(text);
    return text != NULL;
}

/* The hash of all parameters that affect the motion: scenes with equal hash evolve identically from
 * the same state. */
static bool find_motion_hash(const json_t *root, uint64_t *hash)
{
    static const char *const ROOT[] = {"output", "view", "observables"}, *const TIME[] = {"end",
                                                                                          "fps"};
    json_t *copy = json_deep_copy(root);
    for (size_t k = 0; k < sizeof ROOT / sizeof *ROOT; ++k) {
        json_object_del(copy, ROOT[k]);
    }
    for (size_t k = 0; k < sizeof TIME / sizeof *TIME; ++k) {
        json_object_del(json_object_get(copy, "time"), TIME[k]);
    }
    bool found = copy && find_hash(copy, hash);
    json_decref(copy);
    return found;
}

/* The world stores the scene's path, to resolve relative file names. */
static mote_status keep_source(const mote_scene *scene, mote_world *world, mote_error *error)
{
    char *text = json_dumps(scene->root, JSON_COMPACT), *file = realpath(scene->file, NULL);
    mo_source *source = &world->source;
    bool kept = text && find_hash(scene->root, &source->hash) &&
                find_motion_hash(scene->root, &source->motion_hash);
    if (kept) {
        source->text = mo_arena_text(&world->arena, text);
        source->file = mo_arena_text(&world->arena, file ? file : scene->file);
        source->name = mo_arena_text(&world->arena, scene->name);
        kept = source->text && source->file && source->name;
    }
    mo_heap_release(text);
    mo_heap_release(file);
    return kept ? MOTE_OK : mo_fail_memory(error, sizeof(void *));
}

/* Reads the scene into a new world's arena, then builds. */
static mote_status fill_world(const mote_scene *scene, mote_world *world, mote_error *error)
{
    mo_scene_def def;
    mote_error problem = {0};
    MO_TRY(keep_source(scene, world, error));
    MO_TRY(mo_scene_read(scene, &world->arena, &def, error));
    mote_status status = mo_world_setup(world, &def.world, &problem);
    status = status == MOTE_OK ? mo_observables_create(world, &problem) : status;
    if (status != MOTE_OK) {
        return mo_fail(error, status, "%s: %.1400s", scene->file, problem.text);
    }
    return MOTE_OK;
}

mote_status mote_world_create(const mote_scene *scene, const mote_config *config,
                              mote_world **world, mote_error *error)
{
    MO_NEED(scene);
    MO_NEED(world);
    mo_error_clear(error);
    *world = NULL;
    MO_TRY(mo_world_new(config, world, error));
    mote_status status = fill_world(scene, *world, error);
    if (status != MOTE_OK) {
        mote_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

const char *mote_scene_name(const mote_scene *scene)
{
    MO_NEED_OR(scene, NULL);
    return scene->name;
}

char *mote_scene_text(const mote_scene *scene)
{
    MO_NEED_OR(scene, NULL);
    return json_dumps(scene->root, JSON_INDENT(2));
}

uint64_t mote_scene_hash(const mote_scene *scene)
{
    MO_NEED_OR(scene, 0);
    uint64_t hash = 0;
    (void)find_hash(scene->root, &hash);
    return hash;
}
