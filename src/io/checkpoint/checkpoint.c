#include "io/checkpoint/checkpoint.h"

#include "base/crc.h"
#include "io/checkpoint/npy.h"
#include "io/checkpoint/run_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HEADER[] = "header.json", SCENE[] = "scene.json", TABLE[] = "run/table.npy";

void mo_checkpoint_member(const char *folder, const char *column, char name[160])
{
    snprintf(name, 160, "%.80s/%.63s.npy", folder, column);
}

/* ---- the stores of a snapshot: those of its systems, then those of its couplings ---- */

enum { FOLDER_NAME = 80 };

static int store_count(const mote_snapshot *snapshot)
{
    return snapshot->system_count + snapshot->coupling_count;
}

/* The rows of store k, and the folder of their columns. */
static mo_snapshot *store_at(const mote_snapshot *snapshot, int k, char folder[FOLDER_NAME])
{
    if (k < snapshot->system_count) {
        snprintf(folder, FOLDER_NAME, "%.63s", snapshot->systems[k].name);
        return snapshot->systems[k].rows;
    }
    const mo_saved_coupling *coupling = &snapshot->couplings[k - snapshot->system_count];
    snprintf(folder, FOLDER_NAME, "couplings/%.63s", coupling->name);
    return coupling->rows;
}

/* The owner of store k in a header. */
static json_t *owner_at(json_t *header, const mote_snapshot *snapshot, int k)
{
    return k < snapshot->system_count
               ? json_array_get(json_object_get(header, "systems"), (size_t)k)
               : json_array_get(json_object_get(header, "couplings"),
                                (size_t)(k - snapshot->system_count));
}

/* ---- writing ---- */

typedef struct parts {
    int count;
    mo_member *members;
    char (*heads)[MO_NPY_HEAD];
} parts;

static void add_array(parts *p, const char *name, const void *data, mote_type type, int64_t rows,
                      int components)
{
    mo_member *m = &p->members[p->count];
    char *head = p->heads[p->count++];
    mo_npy_head(type, rows, components, head);
    snprintf(m->name, sizeof m->name, "%s", name);
    m->head = head;
    m->head_bytes = MO_NPY_HEAD;
    m->data = data;
    m->data_bytes = (size_t)rows * mo_type_bytes(type) * (size_t)components;
}

static void add_text(parts *p, const char *name, const char *text)
{
    mo_member *m = &p->members[p->count++];
    snprintf(m->name, sizeof m->name, "%s", name);
    m->head = text;
    m->head_bytes = strlen(text);
}

static void fill_parts(const mote_snapshot *snapshot, parts *p)
{
    for (int k = 0; k < store_count(snapshot); ++k) {
        char folder[FOLDER_NAME], name[160];
        const mo_snapshot *rows = store_at(snapshot, k, folder);
        for (int c = 0; c < rows->count; ++c) {
            const mo_saved_column *column = &rows->columns[c];
            mo_checkpoint_member(folder, column->name, name);
            add_array(p, name, column->data, column->type, rows->rows, column->components);
        }
    }
    const mo_run_state *run = mo_run_state_of(snapshot);
    if (run) {
        add_array(p, TABLE, run->table, MOTE_F64, (int64_t)run->written + 1, MO_RUN_ROW_NUMBERS);
    }
    if (snapshot->source.text) {
        add_text(p, SCENE, snapshot->source.text);
    }
}

/* Input of the header, which is written last since it has the columns' CRCs. */
typedef struct heading {
    const mote_snapshot *snapshot;
    const mo_member *columns;
    char *text;
} heading;

static mote_status header_text(const mote_snapshot *snapshot, const uint32_t *crc32c, char **text,
                               mote_error *error)
{
    json_t *header = mo_checkpoint_header(snapshot, crc32c);
    *text = header ? json_dumps(header, JSON_INDENT(1)) : NULL;
    json_decref(header);
    return *text ? MOTE_OK : mo_fail_memory(error, sizeof(void *));
}

static mote_status make_header(mo_member *self, void *context, mote_error *error)
{
    heading *h = context;
    size_t count = (size_t)(self - h->columns);
    uint32_t *crc32c = mo_heap_allocate(count + 1, sizeof *crc32c);
    if (!crc32c) {
        return mo_fail_memory(error, count * sizeof *crc32c);
    }
    for (size_t k = 0; k < count; ++k) {
        crc32c[k] = h->columns[k].crc32c;
    }
    mote_status status = header_text(h->snapshot, crc32c, &h->text, error);
    mo_heap_release(crc32c);
    MO_TRY(status);
    self->head = h->text;
    self->head_bytes = strlen(h->text);
    return MOTE_OK;
}

mote_status mote_snapshot_header(const mote_snapshot *snapshot, char **text, mote_error *error)
{
    MO_NEED(snapshot);
    MO_NEED(text);
    return header_text(snapshot, NULL, text, error);
}

/* Uses the heap only, since a background thread may be writing. */
mote_status mote_snapshot_write(const mote_snapshot *snapshot, const char *path, mote_error *error)
{
    MO_NEED(snapshot);
    MO_NEED(path);
    size_t count = 3;
    for (int k = 0; k < store_count(snapshot); ++k) {
        char folder[FOLDER_NAME];
        count += (size_t)store_at(snapshot, k, folder)->count;
    }
    parts p = {0, mo_heap_allocate(count, sizeof *p.members),
               mo_heap_allocate(count, sizeof *p.heads)};
    heading h = {snapshot, p.members, NULL};
    mote_status status = MOTE_ERROR_MEMORY;
    if (p.members && p.heads) {
        fill_parts(snapshot, &p);
        add_text(&p, HEADER, "");
        p.members[p.count - 1].make = make_header;
        p.members[p.count - 1].context = &h;
        status = mo_archive_write(path, p.members, p.count, error);
    } else {
        mo_fail_memory(error, count * sizeof *p.members);
    }
    mo_heap_release(h.text);
    mo_heap_release(p.members);
    mo_heap_release(p.heads);
    return status;
}

/* ---- reading ---- */

/* The contents of an array whose member is known to have the right size. */
static mote_status read_array(mo_archive *archive, const char *member, mote_type type, int64_t rows,
                              int components, uint32_t crc, void *data, mote_error *error)
{
    char head[MO_NPY_HEAD], expected[MO_NPY_HEAD];
    size_t bytes = (size_t)rows * mo_type_bytes(type) * (size_t)components;
    MO_TRY(mo_archive_read(archive, member, head, sizeof head, data, bytes, error));
    mo_npy_head(type, rows, components, expected);
    if (memcmp(head, expected, sizeof head) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "the header of '%s' does not describe %lld rows of %d %s", member,
                       (long long)rows, components, mo_type_name(type));
    }
    if (mo_crc32c(0, data, bytes) != crc) {
        return mo_fail(error, MOTE_ERROR_INPUT, "the CRC of '%s' does not match header.json",
                       member);
    }
    return MOTE_OK;
}

/* Called before any allocation. */
static mote_status check_size(mo_archive *archive, const char *member, int64_t rows,
                              size_t row_bytes, mote_error *error)
{
    size_t there;
    MO_TRY(mo_archive_size(archive, member, &there, error));
    size_t wanted = MO_NPY_HEAD + (size_t)rows * row_bytes; /* below 2^31 x 2^13 */
    if (there != wanted) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "the member '%s' has %zu bytes, header.json states %zu", member, there,
                       wanted);
    }
    return MOTE_OK;
}

static mote_status read_column(mo_archive *archive, mo_snapshot *rows, const char *folder,
                               json_t *owner, size_t k, mote_error *error)
{
    mo_header_column c;
    mo_saved_column *saved = NULL;
    char member[160];
    MO_TRY(mo_checkpoint_read_column(owner, k, &c, error));
    if (mo_snapshot_find(rows, c.name)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "header.json has the column '%s' twice", c.name);
    }
    mo_checkpoint_member(folder, c.name, member);
    MO_TRY(check_size(archive, member, rows->rows, mo_type_bytes(c.type) * (size_t)c.components,
                      error));
    MO_TRY(mo_snapshot_add(rows, c.name, c.type, c.components, &saved, error));
    return read_array(archive, member, c.type, rows->rows, c.components, c.crc, saved->data, error);
}

static mote_status read_columns(mo_archive *archive, mote_snapshot *snapshot, json_t *header,
                                mote_error *error)
{
    for (int k = 0; k < store_count(snapshot); ++k) {
        char folder[FOLDER_NAME];
        mo_snapshot *rows = store_at(snapshot, k, folder);
        json_t *owner = owner_at(header, snapshot, k);
        for (size_t c = 0; c < json_array_size(json_object_get(owner, "columns")); ++c) {
            MO_TRY(read_column(archive, rows, folder, owner, c, error));
        }
    }
    return MOTE_OK;
}

static mote_status read_run(mo_archive *archive, mote_snapshot *snapshot, json_t *run,
                            mote_error *error)
{
    mo_run_state state = {0};
    double *table = NULL;
    uint32_t crc = 0;
    if (!run || json_is_null(run)) {
        return MOTE_OK;
    }
    MO_TRY(mo_run_state_read(run, &state, &crc, error));
    int64_t rows = (int64_t)state.written + 1;
    MO_TRY(check_size(archive, TABLE, rows, MO_RUN_ROW_NUMBERS * sizeof(double), error));
    MO_TRY(mo_run_state_attach(snapshot, &state, &table, error));
    return read_array(archive, TABLE, MOTE_F64, rows, MO_RUN_ROW_NUMBERS, crc, table, error);
}

static mote_status check_hash(const mote_snapshot *snapshot, json_t *header, mote_error *error)
{
    const char *text = json_string_value(json_object_get(header, "state_hash"));
    if (!text || strtoull(text, NULL, 16) != mote_snapshot_hash(snapshot)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "the state_hash of its columns does not match header.json");
    }
    return MOTE_OK;
}

static mote_status load_header(mo_archive *archive, mo_memory *memory, json_t **header,
                               mote_error *error)
{
    size_t bytes = 0;
    json_error_t problem;
    MO_TRY(mo_archive_size(archive, HEADER, &bytes, error));
    char *text = mo_allocate(memory, bytes + 1);
    if (!text) {
        return mo_fail_memory(error, bytes);
    }
    mote_status status = mo_archive_read(archive, HEADER, text, bytes, NULL, 0, error);
    *header = status == MOTE_OK ? json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &problem) : NULL;
    mo_release(memory, text);
    if (status == MOTE_OK && !*header) {
        return json_error_code(&problem) == json_error_out_of_memory
                   ? mo_fail_memory(error, bytes)
                   : mo_fail(error, MOTE_ERROR_INPUT, "header.json:%d: not valid JSON: %s",
                             problem.line, problem.text);
    }
    return status;
}

/* The scene of the state; a world not created from a scene has none. */
static mote_status read_scene(mo_archive *archive, mote_snapshot *snapshot, mote_error *error)
{
    size_t bytes = 0;
    if (!mo_archive_has(archive, SCENE)) {
        return MOTE_OK;
    }
    MO_TRY(mo_archive_size(archive, SCENE, &bytes, error));
    char *text = mo_arena_allocate(&snapshot->arena, bytes + 1); /* zeroed, hence terminated */
    if (!text) {
        return mo_fail_memory(error, bytes);
    }
    snapshot->source.text = text;
    if (!snapshot->source.name || !snapshot->source.file) {
        return mo_fail(error, MOTE_ERROR_INPUT, "header.json does not name the scene");
    }
    return mo_archive_read(archive, SCENE, text, bytes, NULL, 0, error);
}

static mote_status read_archive(mo_archive *archive, mote_snapshot *snapshot, mote_error *error)
{
    json_t *header = NULL;
    MO_TRY(load_header(archive, &snapshot->memory, &header, error));
    mote_status status = mo_checkpoint_read_header(header, snapshot, error);
    status = status == MOTE_OK ? read_scene(archive, snapshot, error) : status;
    status = status == MOTE_OK ? read_columns(archive, snapshot, header, error) : status;
    status = status == MOTE_OK ? read_run(archive, snapshot, json_object_get(header, "run"), error)
                               : status;
    status = status == MOTE_OK ? check_hash(snapshot, header, error) : status;
    json_decref(header);
    return status;
}

static mote_status read_into_new(mo_archive *archive, const mote_allocator *allocator,
                                 mote_snapshot **out, mote_error *error)
{
    mote_snapshot *snapshot = NULL;
    mote_status status = mo_world_snapshot_new(allocator, &snapshot, error);
    if (status == MOTE_OK) {
        status = read_archive(archive, snapshot, error);
    }
    if (status == MOTE_OK) {
        *out = snapshot;
    } else {
        mote_snapshot_destroy(snapshot);
    }
    return status;
}

mote_status mo_checkpoint_parse(const void *data, size_t bytes, const mote_allocator *allocator,
                                mote_snapshot **out, mote_error *error)
{
    mo_archive *archive = NULL;
    *out = NULL;
    MO_TRY(mo_archive_open_memory(data, bytes, &archive, error));
    mote_status status = read_into_new(archive, allocator, out, error);
    mo_archive_close(archive);
    return status;
}

mote_status mote_snapshot_read(const char *path, const mote_config *config,
                               mote_snapshot **snapshot, mote_error *error)
{
    MO_NEED(path);
    MO_NEED(snapshot);
    mo_archive *archive = NULL;
    mote_error problem = {0};
    *snapshot = NULL;
    mote_status status = mo_archive_open(path, &archive, &problem);
    if (status == MOTE_OK) {
        status = read_into_new(archive, config ? &config->allocator : NULL, snapshot, &problem);
        mo_archive_close(archive);
    }
    return status == MOTE_OK ? MOTE_OK
                             : mo_fail(error, status, "%.600s: %.1400s", path, problem.text);
}
