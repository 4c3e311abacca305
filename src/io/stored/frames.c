#include "io/stored/frames.h"

#include "base/file.h"
#include "base/plain_numbers.h"
#include "base/text.h"
#include "base/xml.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096, NAME_LENGTH = 512, RUNS_MAX = 64 };

/* NAME[.SYSTEM].000012.vtp in parts. */
typedef struct frame_name {
    char name[NAME_LENGTH], ending[8]; /* the name with the system, if there are several */
    int64_t number;
} frame_name;

/* The files of one run. */
typedef struct run {
    char name[NAME_LENGTH];
    bool indexed, has_vtp, has_ply;
} run;

typedef struct listing {
    int run_count;
    run runs[RUNS_MAX];
} listing;

/* Splits from the right: extension, six digits, and the name, followed by the system after its last
 * dot if there are several. */
static bool split(const char *file, frame_name *out)
{
    const char *ending = strrchr(file, '.');
    if (!ending || (strcmp(ending, ".vtp") != 0 && strcmp(ending, ".ply") != 0) ||
        ending - file < 8 || ending - file >= NAME_LENGTH) {
        return false;
    }
    const char *digits = ending;
    while (digits > file && isdigit((unsigned char)digits[-1])) {
        --digits;
    }
    if (ending - digits < 6 || ending - digits > 12 || digits - file < 2 || digits[-1] != '.') {
        return false;
    }
    snprintf(out->name, sizeof out->name, "%.*s", (int)(digits - 1 - file), file);
    out->number = strtoll(digits, NULL, 10);
    snprintf(out->ending, sizeof out->ending, "%s", ending + 1);
    return true;
}

static run *find_run(listing *l, const char *name, bool add)
{
    for (int k = 0; k < l->run_count; ++k) {
        if (strcmp(l->runs[k].name, name) == 0) {
            return &l->runs[k];
        }
    }
    if (!add || l->run_count == RUNS_MAX) {
        return NULL;
    }
    run *r = &l->runs[l->run_count++];
    *r = (run){0};
    snprintf(r->name, sizeof r->name, "%s", name);
    return r;
}

/* Iterates over the files of a directory. */
typedef void visit_fn(void *context, const char *file);
static mote_status visit(const char *directory, visit_fn *fn, void *context, mote_error *error)
{
    DIR *d = opendir(directory);
    if (!d) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.900s: cannot be opened: %s", directory,
                       strerror(errno));
    }
    for (struct dirent *entry; (entry = readdir(d));) {
        fn(context, entry->d_name);
    }
    closedir(d);
    return MOTE_OK;
}

/* A run is identified by its index and its scene file. */
static void note_run(void *context, const char *file)
{
    char name[NAME_LENGTH];
    const char *ending = mo_ends_with(file, ".pvd") ? ".pvd" : ".scene.json";
    if (mo_ends_with(file, ending) && strlen(file) < sizeof name) {
        snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(ending)), file);
        run *r = find_run(context, name, true);
        if (r) {
            r->indexed = r->indexed || strcmp(ending, ".pvd") == 0;
        }
    }
}

/* The system in NAME.SYSTEM, "" in NAME; NULL if the name is not of this run. */
static const char *system_in(const char *name, const char *run_name)
{
    size_t length = strlen(run_name);
    if (strncmp(run_name, name, length) != 0) {
        return NULL;
    }
    return name[length] == '\0' ? name + length : name[length] == '.' ? name + length + 1 : NULL;
}

static run *owner_of(listing *l, const char *name)
{
    run *r = find_run(l, name, false);
    for (int k = 0; k < l->run_count && !r; ++k) {
        r = system_in(name, l->runs[k].name) ? &l->runs[k] : NULL;
    }
    return r ? r : find_run(l, name, true);
}

static void note_frame(void *context, const char *file)
{
    frame_name f;
    if (split(file, &f)) {
        run *r = owner_of(context, f.name);
        if (r) {
            *(f.ending[0] == 'v' ? &r->has_vtp : &r->has_ply) = true;
        }
    }
}

static mote_status fail_several(const char *directory, const listing *l, mote_error *error)
{
    mo_text names = {0};
    for (int k = 0; k < l->run_count; ++k) {
        mo_text_add(&names, "%s%s", k ? ", " : "", l->runs[k].name);
    }
    mo_fail(error, MOTE_ERROR_INPUT,
            "%.500s: contains several runs: %.900s; select one by its index: %.500s/%s.pvd",
            directory, names.data ? names.data : "", directory, l->runs[0].name);
    mo_text_release(&names);
    return MOTE_ERROR_INPUT;
}

static mote_status choose_run(const char *directory, const char *wanted, listing *l, run *out,
                              mote_error *error)
{
    MO_TRY(visit(directory, note_run, l, error));
    MO_TRY(visit(directory, note_frame, l, error));
    const run *found = wanted[0]           ? find_run(l, wanted, false)
                       : l->run_count == 1 ? &l->runs[0]
                                           : NULL;
    if (!found && l->run_count > 1) {
        return fail_several(directory, l, error);
    }
    if (!found) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%.900s: it contains no frames; a run writes NAME.000000.vtp and so on, see "
                       "output.formats",
                       directory);
    }
    *out = *found;
    return MOTE_OK;
}

static mote_status add_entry(mo_frames *f, double time, mo_frames_entry **out, mote_error *error)
{
    void *block = f->entries;
    mote_status status =
        mo_grow(&f->memory, &block, &f->capacity, f->count + 1, sizeof *f->entries, error);
    f->entries = block;
    MO_TRY(status);
    *out = &f->entries[f->count++];
    **out = (mo_frames_entry){.time = time};
    return MOTE_OK;
}

/* The index of a system, appended if new; -1 if there are too many. */
static int part_of(mo_frames *f, const char *system)
{
    for (int k = 0; k < f->part_count; ++k) {
        if (strcmp(f->parts[k], system) == 0) {
            return k;
        }
    }
    char *kept = f->part_count < MO_FRAMES_PARTS ? mo_arena_text(&f->arena, system) : NULL;
    if (!kept) {
        return -1;
    }
    f->parts[f->part_count] = kept;
    return f->part_count++;
}

static const char *full_path(mo_frames *f, const char *file)
{
    char path[PATH_LENGTH + NAME_LENGTH];
    snprintf(path, sizeof path, "%s/%s", f->directory, file);
    return mo_arena_text(&f->arena, file[0] == '/' ? file : path);
}

static mote_status read_index_entry(mo_frames *f, const mo_xml_tag *tag, mote_error *error)
{
    char step[40], system[NAME_LENGTH], file[NAME_LENGTH], *end;
    mo_xml_attribute(tag, "name", system, sizeof system);
    if (!mo_xml_attribute(tag, "timestep", step, sizeof step) ||
        !mo_xml_attribute(tag, "file", file, sizeof file)) {
        return MOTE_OK;
    }
    double time = strtod(step, &end);
    mo_frames_entry *entry = f->count > 0 ? &f->entries[f->count - 1] : NULL;
    int part = part_of(f, system);
    if (part < 0 || end == step) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.500s/%s.pvd: its entries are malformed",
                       f->directory, f->name);
    }
    if (!entry || entry->time != time || entry->files[part]) {
        MO_TRY(add_entry(f, time, &entry, error));
    }
    entry->files[part] = full_path(f, file);
    return entry->files[part] ? MOTE_OK : mo_fail_memory(error, sizeof file);
}

mote_status mo_frames_read_index(mo_frames *f, const char *text, size_t size, mote_error *error)
{
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    mote_status status = MOTE_OK;
    mo_xml_tag tag;
    for (const char *at = text; status == MOTE_OK && mo_xml_next(at, text + size, &tag);
         at = tag.after) {
        if (!tag.closing && mo_xml_is(&tag, "DataSet")) {
            status = read_index_entry(f, &tag, error);
        }
    }
    mo_plain_numbers_end(numbers);
    return status;
}

static mote_status read_index(mo_frames *f, mote_error *error)
{
    char path[PATH_LENGTH + NAME_LENGTH], *text;
    size_t size;
    snprintf(path, sizeof path, "%s/%s.pvd", f->directory, f->name);
    MO_TRY(mo_file_read(path, &f->memory, &text, &size, error));
    mote_status status = mo_frames_read_index(f, text, size, error);
    mo_release(&f->memory, text);
    return status;
}

/* Frames without an index, ordered by the numbers in their names. */
typedef struct numbered {
    int64_t number;
    int part;
    const char *path;
} numbered;

typedef struct gathering {
    mo_frames *frames;
    const char *ending;
    numbered *files;
    int64_t count, capacity;
    mote_status status;
    mote_error *error;
} gathering;

static void gather(void *context, const char *file)
{
    gathering *g = context;
    frame_name f;
    if (g->status != MOTE_OK || !split(file, &f) || strcmp(f.ending, g->ending) != 0) {
        return;
    }
    const char *system = system_in(f.name, g->frames->name);
    if (!system) {
        return;
    }
    void *block = g->files;
    g->status =
        mo_grow(&g->frames->memory, &block, &g->capacity, g->count + 1, sizeof *g->files, g->error);
    g->files = block;
    if (g->status == MOTE_OK) {
        numbered n = {f.number, part_of(g->frames, system), full_path(g->frames, file)};
        if (n.part < 0 || !n.path) {
            g->status = mo_fail_memory(g->error, sizeof n);
        } else {
            g->files[g->count++] = n;
        }
    }
}

static int compare(const void *a, const void *b)
{
    const numbered *p = a, *q = b;
    return (p->number > q->number) - (p->number < q->number);
}

static mote_status add_numbered(const gathering *g)
{
    mo_frames *f = g->frames;
    mo_frames_entry *entry = NULL;
    for (int64_t k = 0; k < g->count; ++k) {
        const numbered *n = &g->files[k];
        if (k == 0 || n->number != g->files[k - 1].number) {
            double time = mo_stored_time(n->path);
            MO_TRY(add_entry(f, isnan(time) ? (double)n->number : time, &entry, g->error));
        }
        entry->files[n->part] = n->path;
    }
    return MOTE_OK;
}

static mote_status gather_frames(mo_frames *f, const char *ending, mote_error *error)
{
    gathering g = {.frames = f, .ending = ending, .error = error};
    mote_status status = visit(f->directory, gather, &g, error);
    status = status == MOTE_OK ? g.status : status;
    if (status == MOTE_OK && g.count > 0) {
        qsort(g.files, (size_t)g.count, sizeof *g.files, compare);
        status = add_numbered(&g);
    }
    mo_release(&f->memory, g.files);
    return status;
}

/* DIR, or DIR and NAME of DIR/NAME.pvd. */
static void split_path(const char *path, char *directory, char *wanted)
{
    wanted[0] = '\0';
    snprintf(directory, PATH_LENGTH, "%s", path);
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/') {
        directory[--length] = '\0';
    }
    if (!mo_ends_with(directory, ".pvd")) {
        return;
    }
    char *slash = strrchr(directory, '/'), *name = slash ? slash + 1 : directory;
    snprintf(wanted, NAME_LENGTH, "%.*s", (int)strlen(name) - 4, name);
    if (slash) {
        slash[slash == directory] = '\0';
    } else {
        snprintf(directory, PATH_LENGTH, ".");
    }
}

static mote_status choose(const char *path, char *directory, run *chosen, mote_error *error)
{
    char wanted[NAME_LENGTH];
    split_path(path, directory, wanted);
    listing *l = mo_heap_allocate(1, sizeof *l);
    if (!l) {
        return mo_fail_memory(error, sizeof *l);
    }
    mote_status status = choose_run(directory, wanted, l, chosen, error);
    mo_heap_release(l);
    return status;
}

static mote_status list_frames(mo_frames *f, const run *chosen, mote_error *error)
{
    if (chosen->indexed) {
        MO_TRY(read_index(f, error));
    } else {
        MO_TRY(gather_frames(f, chosen->has_vtp ? "vtp" : "ply", error));
    }
    if (f->count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.500s: the run '%s' has no frames", f->directory,
                       f->name);
    }
    return MOTE_OK;
}

static void scene_path(const char *directory, const char *name, char *out, size_t size)
{
    int length = snprintf(out, size, "%s/%s.scene.json", directory, name);
    if (length < 0 || (size_t)length >= size || access(out, R_OK) != 0) {
        out[0] = '\0';
    }
}

mote_status mo_frames_open(const char *path, mo_frames *f, mote_error *error)
{
    char directory[PATH_LENGTH], scene[PATH_LENGTH + NAME_LENGTH];
    run chosen;
    *f = (mo_frames){0};
    MO_TRY(choose(path, directory, &chosen, error));
    mo_memory_init(&f->memory, NULL);
    mo_arena_init(&f->arena, &f->memory);
    f->directory = mo_arena_text(&f->arena, directory);
    f->name = mo_arena_text(&f->arena, chosen.name);
    scene_path(directory, chosen.name, scene, sizeof scene);
    f->scene = scene[0] ? mo_arena_text(&f->arena, scene) : NULL;
    bool allocated = f->directory && f->name && (f->scene || !scene[0]);
    mote_status status =
        allocated ? list_frames(f, &chosen, error) : mo_fail_memory(error, sizeof directory);
    if (status != MOTE_OK) {
        mo_frames_release(f);
    }
    return status;
}

void mo_frames_release(mo_frames *f)
{
    if (f->memory.allocator.allocate) {
        mo_release(&f->memory, f->entries);
        mo_arena_release(&f->arena);
    }
    *f = (mo_frames){0};
}

int64_t mo_frames_at(const mo_frames *f, double time)
{
    int64_t best = 0;
    for (int64_t k = 1; k < f->count; ++k) {
        if (fabs(f->entries[k].time - time) < fabs(f->entries[best].time - time)) {
            best = k;
        }
    }
    return best;
}
