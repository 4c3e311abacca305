/* A snapshot as a container: memory, systems, couplings, attachments. */
#include "world/snapshot.h"

#include "base/hash.h"

#include <string.h>

mote_status mo_world_snapshot_new(const mote_allocator *allocator, mote_snapshot **out,
                                  mote_error *error)
{
    mo_memory memory;
    mo_memory_init(&memory, allocator);
    mote_snapshot *snapshot = mo_allocate(&memory, sizeof *snapshot);
    if (!snapshot) {
        return mo_fail_memory(error, sizeof *snapshot);
    }
    snapshot->memory = memory;
    mo_arena_init(&snapshot->arena, &snapshot->memory);
    *out = snapshot;
    return MOTE_OK;
}

void mote_snapshot_destroy(mote_snapshot *snapshot)
{
    if (!snapshot) {
        return;
    }
    for (int64_t k = 0; k < snapshot->system_capacity; ++k) {
        mo_snapshot_destroy(snapshot->systems[k].rows);
    }
    for (int64_t k = 0; k < snapshot->coupling_capacity; ++k) {
        mo_snapshot_destroy(snapshot->couplings[k].rows);
    }
    mo_release(&snapshot->memory, snapshot->systems);
    mo_release(&snapshot->memory, snapshot->couplings);
    mo_release(&snapshot->memory, snapshot->names);
    mo_arena_release(&snapshot->arena);
    mo_memory memory = snapshot->memory;
    mo_release(&memory, snapshot);
}

/* A store's snapshot without rows; *rows is NULL, or a snapshot whose memory is reused. */
static mote_status empty_rows(mote_snapshot *snapshot, mo_snapshot **rows, mote_error *error)
{
    if (!*rows) {
        MO_TRY(mo_snapshot_create(&snapshot->memory, rows, error));
    }
    (*rows)->rows = (*rows)->next_id = 0;
    (*rows)->count = 0;
    return MOTE_OK;
}

mote_status mo_world_snapshot_add_system(mote_snapshot *snapshot, const char *name,
                                         mo_saved_system **out, mote_error *error)
{
    MO_TRY(mo_reserve(&snapshot->memory, &snapshot->systems, &snapshot->system_capacity,
                      snapshot->system_count + 1, sizeof *snapshot->systems, error));
    mo_saved_system *system = &snapshot->systems[snapshot->system_count];
    MO_TRY(empty_rows(snapshot, &system->rows, error));
    *system = (mo_saved_system){.name = name, .rows = system->rows};
    snapshot->system_count++;
    *out = system;
    return MOTE_OK;
}

mote_status mo_world_snapshot_add_coupling(mote_snapshot *snapshot, const char *name,
                                           mo_saved_coupling **out, mote_error *error)
{
    MO_TRY(mo_reserve(&snapshot->memory, &snapshot->couplings, &snapshot->coupling_capacity,
                      snapshot->coupling_count + 1, sizeof *snapshot->couplings, error));
    mo_saved_coupling *coupling = &snapshot->couplings[snapshot->coupling_count];
    MO_TRY(empty_rows(snapshot, &coupling->rows, error));
    coupling->name = name;
    snapshot->coupling_count++;
    *out = coupling;
    return MOTE_OK;
}

const mo_saved_coupling *mo_world_snapshot_coupling(const mote_snapshot *snapshot, const char *name)
{
    for (int k = 0; k < snapshot->coupling_count; ++k) {
        if (strcmp(snapshot->couplings[k].name, name) == 0) {
            return &snapshot->couplings[k];
        }
    }
    return NULL;
}

mote_status mo_world_snapshot_add_names(mote_snapshot *snapshot, const char *path, int64_t count,
                                        mo_saved_names **out, mote_error *error)
{
    MO_TRY(mo_reserve(&snapshot->memory, &snapshot->names, &snapshot->names_capacity,
                      snapshot->names_count + 1, sizeof *snapshot->names, error));
    mo_saved_names *names = &snapshot->names[snapshot->names_count];
    size_t bytes = (size_t)count * sizeof *names->list;
    *names = (mo_saved_names){.path = mo_arena_text(&snapshot->arena, path), .count = count};
    names->list = names->path ? mo_arena_allocate(&snapshot->arena, bytes + 1) : NULL;
    if (!names->list) {
        return mo_fail_memory(error, bytes + strlen(path));
    }
    snapshot->names_count++;
    *out = names;
    return MOTE_OK;
}

const mo_saved_names *mo_world_snapshot_names(const mote_snapshot *snapshot, const char *path)
{
    for (int k = 0; k < snapshot->names_count; ++k) {
        if (strcmp(snapshot->names[k].path, path) == 0) {
            return &snapshot->names[k];
        }
    }
    return NULL;
}

void *mo_world_snapshot_attach(mote_snapshot *snapshot, const char *name, size_t bytes)
{
    mo_attachment *attachment = mo_arena_allocate(&snapshot->arena, sizeof *attachment);
    void *block = attachment ? mo_arena_allocate(&snapshot->arena, bytes) : NULL;
    if (block) {
        *attachment = (mo_attachment){snapshot->attachments, name, block};
        snapshot->attachments = attachment;
    }
    return block;
}

void *mo_world_snapshot_attached(const mote_snapshot *snapshot, const char *name)
{
    for (const mo_attachment *a = snapshot->attachments; a; a = a->next) {
        if (strcmp(a->name, name) == 0) {
            return a->block;
        }
    }
    return NULL;
}

double mote_snapshot_time(const mote_snapshot *snapshot)
{
    MO_NEED_OR(snapshot, 0);
    return snapshot->clock.time;
}

int64_t mote_snapshot_steps(const mote_snapshot *snapshot)
{
    MO_NEED_OR(snapshot, 0);
    return snapshot->clock.steps;
}

static uint64_t hash_rows(const mo_snapshot *rows)
{
    static const char *const NAMES[] = {"id", "x", "v", "q", "w"};
    static const int COMPONENTS[] = {1, 3, 3, 4, 3};
    const void *data[5] = {0};
    for (int k = 0; k < 5; ++k) {
        const mo_saved_column *column = mo_snapshot_find(rows, NAMES[k]);
        bool fits = column && column->components == COMPONENTS[k] &&
                    column->type == (k == 0 ? MOTE_I64 : MOTE_F64);
        data[k] = fits ? column->data : NULL;
    }
    const int64_t *id = data[0];
    const double *x = data[1], *v = data[2], *q = data[3], *w = data[4];
    uint64_t sum = 0;
    for (int64_t row = 0; id && x && v && row < rows->rows; ++row) {
        sum += mo_hash_particle(id[row], x + 3 * row, v + 3 * row, q ? q + 4 * row : NULL,
                                q && w ? w + 3 * row : NULL);
    }
    return sum;
}

uint64_t mote_snapshot_hash(const mote_snapshot *snapshot)
{
    MO_NEED_OR(snapshot, 0);
    uint64_t hash = 0;
    for (int k = 0; k < snapshot->system_count; ++k) {
        const mo_saved_system *s = &snapshot->systems[k];
        hash = mo_hash_word(mo_hash_bytes(hash, s->name, strlen(s->name)), hash_rows(s->rows));
    }
    return hash;
}
