/*
 * Saving the state of a world to a snapshot, and restoring it.
 */
#include "world/snapshot.h"

#include "base/hash.h"
#include "world/name_tables.h"
#include "world/snapshot_couplings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t mo_world_initial_hash(const mote_world *world)
{
    uint64_t hash = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        for (int c = 0; c < mo_store_columns(s->store); ++c) {
            const mo_column *column = mo_store_column(s->store, c);
            if (column->spec.role == MO_STATE) {
                hash = mo_hash_bytes(hash, column->spec.name, strlen(column->spec.name));
                hash = mo_hash_bytes(hash, column->data,
                                     (size_t)mo_store_rows(s->store) * column->row_bytes);
            }
        }
        hash = mo_hash_bytes(hash, s->bodies.edges,
                             (size_t)s->bodies.edge_count * 2 * sizeof *s->bodies.edges);
        hash = mo_hash_bytes(hash, s->bodies.triangles,
                             (size_t)s->bodies.triangle_count * 3 * sizeof *s->bodies.triangles);
    }
    return hash;
}

/* ---- saving ---- */

static mote_status keep(mo_arena *arena, const char *text, const char **copy, mote_error *error)
{
    *copy = text ? mo_arena_text(arena, text) : NULL;
    return text && !*copy ? mo_fail_memory(error, strlen(text)) : MOTE_OK;
}

static mote_status save_bodies(mote_snapshot *snapshot, mo_saved_system *saved, const mo_system *s,
                               mote_error *error)
{
    size_t bytes = (size_t)s->bodies.count * sizeof *saved->bodies;
    saved->bodies = mo_arena_allocate(&snapshot->arena, bytes + 1);
    if (!saved->bodies) {
        return mo_fail_memory(error, bytes);
    }
    saved->body_count = s->bodies.count;
    for (int64_t k = 0; k < s->bodies.count; ++k) {
        saved->bodies[k].count = s->bodies.list[k].count;
        MO_TRY(keep(&snapshot->arena, s->bodies.list[k].name, &saved->bodies[k].name, error));
    }
    return MOTE_OK;
}

static mote_status save_system(mote_snapshot *snapshot, const mo_system *s, const mote_world *world,
                               mote_error *error)
{
    mo_saved_system *saved = NULL;
    /* a literal */
    MO_TRY(mo_world_snapshot_add_system(snapshot, s->type->base.name, &saved, error));
    saved->built = s->built;
    saved->callbacks = s->callbacks.count;
    MO_TRY(save_bodies(snapshot, saved, s, error));
    return mo_snapshot_copy(s->store, world->pool, saved->rows, error);
}

/* An entry without a name gets the empty string. */
static const char *name_in(const mo_name_table *table, int64_t k)
{
    const char *name = table->name ? table->name(table->items, k) : NULL;
    return name ? name : "";
}

static mote_status save_names(mote_snapshot *snapshot, const mo_name_table *table,
                              mote_error *error)
{
    mo_saved_names *names = NULL;
    if (!table->name) {
        return MOTE_OK;
    }
    MO_TRY(mo_world_snapshot_add_names(snapshot, table->path, table->count, &names, error));
    for (int64_t k = 0; k < table->count; ++k) {
        MO_TRY(keep(&snapshot->arena, name_in(table, k), &names->list[k], error));
    }
    return MOTE_OK;
}

/* The integrator of the first system that has one; NULL if none has. */
static const char *integrator_of(const mote_world *world)
{
    for (int k = 0; k < world->system_count; ++k) {
        const mo_stability_hooks *stability = world->systems[k].type->stability;
        if (stability && stability->integrator) {
            return stability->integrator(&world->systems[k]).type->name;
        }
    }
    return NULL;
}

static mote_status save(const mote_world *world, mote_snapshot *snapshot, mote_error *error)
{
    mo_arena_release(&snapshot->arena); /* including the texts of the previous state */
    snapshot->attachments = NULL;
    snapshot->source = (mo_source){0};
    snapshot->system_count = snapshot->coupling_count = snapshot->names_count = 0;
    MO_TRY(keep(&snapshot->arena, world->source.name, &snapshot->source.name, error));
    MO_TRY(keep(&snapshot->arena, world->source.file, &snapshot->source.file, error));
    MO_TRY(keep(&snapshot->arena, world->source.text, &snapshot->source.text, error));
    snapshot->source.hash = world->source.hash;
    snapshot->source.motion_hash = world->source.motion_hash;
    snapshot->version = snapshot->instruction_set = NULL;
    snapshot->integrator = integrator_of(world);
    snapshot->clock = world->clock;
    snapshot->rates = world->rates;
    snapshot->advice = world->advice;
    snapshot->stale = world->stale;
    snapshot->steps_at_min = world->steps_at_min;
    snapshot->warnings = world->warnings;
    snapshot->initial_hash = world->initial_hash;
    mo_name_table tables[MO_NAME_TABLES_MAX];
    int table_count = mo_world_name_tables(world, tables, MO_NAME_TABLES_MAX);
    for (int k = 0; k < table_count; ++k) {
        MO_TRY(save_names(snapshot, &tables[k], error));
    }
    for (int k = 0; k < world->system_count; ++k) {
        MO_TRY(save_system(snapshot, &world->systems[k], world, error));
    }
    return mo_snapshot_save_couplings(world, snapshot, error);
}

mote_status mote_world_save(const mote_world *world, mote_snapshot **snapshot, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(snapshot);
    mote_snapshot *s = *snapshot;
    if (!s) {
        MO_TRY(mo_world_snapshot_new(&world->memory.allocator, &s, error));
    }
    mote_status status = save(world, s, error);
    if (status == MOTE_OK) {
        *snapshot = s;
    } else if (!*snapshot) {
        mote_snapshot_destroy(s);
    } else { /* no partial state */
        s->system_count = s->coupling_count = s->names_count = 0;
    }
    return status;
}

/* ---- compatibility ---- */

static mote_status check_bodies(const mo_saved_system *saved, const mo_system *s, mote_error *error)
{
    int64_t rows = 0;
    for (int64_t k = 0; k < saved->body_count; ++k) {
        int64_t count = saved->bodies[k].count;
        if (count < 0 || count > saved->rows->rows - rows) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "its bodies have more particles than there are");
        }
        rows += count;
    }
    if (rows != saved->rows->rows || saved->body_count < s->bodies.scene_count) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its bodies are not those of this world");
    }
    for (int64_t k = 0; k < s->bodies.scene_count; ++k) {
        if (strcmp(saved->bodies[k].name, s->bodies.list[k].name) != 0) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "its body %lld is '%.60s', that of this world is '%.60s'", (long long)k,
                           saved->bodies[k].name, s->bodies.list[k].name);
        }
    }
    return MOTE_OK;
}

/* Rows are grouped by body and have finite positions. */
static mote_status check_rows(const mo_saved_system *saved, mote_error *error)
{
    const mo_snapshot *rows = saved->rows;
    const int64_t *id = mo_snapshot_find(rows, "id")->data;
    const int32_t *body = mo_snapshot_find(rows, "body")->data;
    const double *x = mo_snapshot_find(rows, "x")->data, *v = mo_snapshot_find(rows, "v")->data;
    int64_t number = 0, left = saved->body_count ? saved->bodies[0].count : 0;
    for (int64_t row = 0; row < rows->rows; ++row) {
        while (left == 0) {
            left = saved->bodies[++number].count;
        }
        left--;
        if (body[row] != number) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "its row %lld has the invalid id %lld or body %d", (long long)row,
                           (long long)id[row], body[row]);
        }
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
            sum += fabs(x[3 * row + k]) + fabs(v[3 * row + k]);
        }
        if (!isfinite(sum)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "its particle %lld has a position or velocity that is not finite",
                           (long long)id[row]);
        }
    }
    return MOTE_OK;
}

static mote_status check_index(const mo_snapshot *rows, const mo_name_table *table,
                               mote_error *error)
{
    const mo_saved_column *column = mo_snapshot_find(rows, table->column);
    const int32_t *number = column ? column->data : NULL;
    const int64_t *id = mo_snapshot_find(rows, "id")->data;
    for (int64_t row = 0; number && row < rows->rows; ++row) {
        if (number[row] < 0 || number[row] >= table->allowed) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "its particle %lld has the %s %d, which '%s' of this scene does not have; allowed: "
                "0 to %lld",
                (long long)id[row], table->column, number[row], table->path,
                (long long)table->allowed - 1);
        }
    }
    return MOTE_OK;
}

/* mo_snapshot_fits has verified that these columns are scalar and 32-bit. */
static mote_status check_indices(const mo_saved_system *saved, const mo_system *s,
                                 mote_error *error)
{
    mo_name_table tables[MO_NAME_TABLES_MAX];
    int count = s->type->name_tables ? s->type->name_tables(s, tables) : 0;
    for (int k = 0; k < count; ++k) {
        MO_TRY(check_index(saved->rows, &tables[k], error));
    }
    return MOTE_OK;
}

static mote_status check_count(const char *path, int64_t saved, int64_t count, mote_error *error)
{
    return saved == count
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "its scene has %lld entries in '%.60s', this scene has %lld; particles "
                         "refer to them, so "
                         "the list cannot change",
                         (long long)saved, path, (long long)count);
}

/* Indices refer to the same entries: equal count and names, in the same order. */
static mote_status check_names(const mo_saved_names *names, const mo_name_table *table,
                               mote_error *error)
{
    MO_TRY(check_count(table->path, names->count, table->count, error));
    for (int64_t k = 0; k < table->count; ++k) {
        if (strcmp(names->list[k], name_in(table, k)) != 0) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "its %s[%lld] is '%.60s', that of this scene is '%.60s'; particles refer to it, so "
                "the list cannot change",
                table->path, (long long)k, names->list[k], name_in(table, k));
        }
    }
    return MOTE_OK;
}

/* A missing list of the world is empty; a missing list of the snapshot is not checked. */
static mote_status check_tables(const mote_snapshot *snapshot, const mote_world *world,
                                mote_error *error)
{
    mo_name_table tables[MO_NAME_TABLES_MAX];
    int count = mo_world_name_tables(world, tables, MO_NAME_TABLES_MAX);
    for (int n = 0; n < snapshot->names_count; ++n) {
        const mo_saved_names *names = &snapshot->names[n];
        const mo_name_table *table = NULL;
        for (int k = 0; k < count && !table; ++k) {
            table = strcmp(tables[k].path, names->path) == 0 ? &tables[k] : NULL;
        }
        MO_TRY(table ? check_names(names, table, error)
                     : check_count(names->path, names->count, 0, error));
    }
    return MOTE_OK;
}

/* Systems that keep their row order have ascending ids of the scene's particles; added rows may
 * have any id. */
static mote_status check_order(const mo_saved_system *saved, const mo_system *s, mote_error *error)
{
    const int64_t *id = mo_snapshot_find(saved->rows, "id")->data;
    int64_t last = s->first_id - 1;
    for (int64_t row = 0; row < saved->rows->rows; ++row) {
        bool own = id[row] >= s->first_id && id[row] < s->first_id + s->built;
        if (own && id[row] <= last) {
            return mo_fail(error, MOTE_ERROR_INPUT, "its id %lld is a duplicate or out of range",
                           (long long)id[row]);
        }
        last = own ? id[row] : last;
    }
    return MOTE_OK;
}

static mote_status check_system(const mo_saved_system *saved, const mo_system *s, mote_error *error)
{
    int callbacks = s->callbacks.count;
    if (strcmp(saved->name, s->type->base.name) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "it is of a system '%.60s', this world has '%s'",
                       saved->name, s->type->base.name);
    }
    if (saved->built != s->built || saved->rows->next_id < s->first_id + s->built) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "its scene made %lld particles, that of this world makes %lld",
                       (long long)saved->built, (long long)s->built);
    }
    MO_TRY(mo_snapshot_fits(saved->rows, s->store, error));
    MO_TRY(check_bodies(saved, s, error));
    MO_TRY(mo_snapshot_check_ids(saved->rows, false, s->host->memory, error));
    if (!s->type->resorts || !s->type->resorts(s)) {
        MO_TRY(check_order(saved, s, error));
    }
    MO_TRY(check_rows(saved, error));
    MO_TRY(check_indices(saved, s, error));
    if (saved->callbacks != callbacks) {
        return mo_fail(
            error, MOTE_ERROR_USAGE,
            "it was saved with %d force callbacks of the caller, this world has %d; add them with "
            "mote_world_add_force first",
            saved->callbacks, callbacks);
    }
    return MOTE_OK;
}

static int compare_ids(const void *a, const void *b)
{
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* Ids are unique within a system (check_system), and across systems, which share one counter. */
static mote_status check_common_ids(const mote_snapshot *snapshot, mo_memory *memory,
                                    mote_error *error)
{
    int64_t count = 0;
    void *block;
    for (int k = 0; k < snapshot->system_count; ++k) {
        count += snapshot->systems[k].rows->rows;
        if (snapshot->systems[k].rows->next_id != snapshot->systems[0].rows->next_id) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "its systems '%.60s' and '%.60s' differ in the next id",
                           snapshot->systems[0].name, snapshot->systems[k].name);
        }
    }
    if (snapshot->system_count < 2) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(memory, count, sizeof(int64_t), &block, error));
    int64_t *id = block, twice = -1;
    for (int64_t k = 0, first = 0; k < snapshot->system_count; ++k) {
        const mo_snapshot *rows = snapshot->systems[k].rows;
        memcpy(id + first, mo_snapshot_find(rows, "id")->data, (size_t)rows->rows * sizeof *id);
        first += rows->rows;
    }
    qsort(id, (size_t)count, sizeof *id, compare_ids);
    for (int64_t k = 1; k < count && twice < 0; ++k) {
        twice = id[k] == id[k - 1] ? id[k] : -1;
    }
    mo_release(memory, block);
    return twice < 0 ? MOTE_OK
                     : mo_fail(error, MOTE_ERROR_INPUT,
                               "its id %lld is that of particles in two systems", (long long)twice);
}

mote_status mo_world_snapshot_check(const mote_snapshot *snapshot, const mote_world *world,
                                    mote_error *error)
{
    if (snapshot->system_count != world->system_count) {
        return mo_fail(error, MOTE_ERROR_INPUT, "it has %d systems, this world has %d",
                       snapshot->system_count, world->system_count);
    }
    MO_TRY(check_tables(snapshot, world, error));
    for (int k = 0; k < world->system_count; ++k) {
        MO_TRY(check_system(&snapshot->systems[k], &world->systems[k], error));
    }
    MO_TRY(check_common_ids(snapshot, world->host.memory, error));
    MO_TRY(mo_snapshot_check_couplings(snapshot, world, error));
    if (snapshot->initial_hash != world->initial_hash) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "the initial state of its particles (positions, masses, radii, pins, edges) differs "
            "from that of this scene; neither these nor a mesh file can change in a resumed run");
    }
    return MOTE_OK;
}

/* ---- restoring ---- */

/* Prepared for each system before the world is modified, so that a failure leaves it unchanged. */
typedef struct restoration {
    mote_body *bodies;
    bool rebuilt;
    mo_old_system old;
} restoration;

/* Marks in removed[id - first_id] the particles of the scene that are missing. */
static void find_removed(const mo_system *s, const int64_t *id, int64_t rows, uint8_t *removed)
{
    memset(removed, 1, (size_t)s->built);
    for (int64_t row = 0; row < rows; ++row) {
        int64_t number = id[row] - s->first_id;
        if (number >= 0 && number < s->built) {
            removed[number] = 0;
        }
    }
}

/* The remaining particles of the scene must be the same, since springs and elements refer to
 * them. */
static mote_status restore_topology(mote_world *world, int k, const mo_saved_system *saved,
                                    restoration *r, mote_error *error)
{
    mo_system *s = &world->systems[k];
    void *block;
    if (!s->type->edit || !s->type->edit->remap) {
        return MOTE_OK; /* no element refers to them */
    }
    MO_TRY(mo_allocate_array(&world->memory, 2 * s->built, 1, &block, error));
    uint8_t *now = block, *wanted = now + s->built;
    find_removed(s, mo_i64(s->columns.id), mo_store_rows(s->store), now);
    find_removed(s, mo_snapshot_find(saved->rows, "id")->data, saved->rows->rows, wanted);
    mote_status status = MOTE_OK;
    if (memcmp(now, wanted, (size_t)s->built) != 0) {
        status = mo_world_rebuild(world, k, &r->old, error);
        r->rebuilt = status == MOTE_OK;
        status = status == MOTE_OK ? mo_system_remove(s, wanted, error) : status;
        status = status == MOTE_OK ? mo_snapshot_fits(saved->rows, s->store, error) : status;
    }
    mo_release(&world->memory, block);
    return status;
}

/* A name with the lifetime of the world. */
static const char *body_name(mote_world *world, const mo_system *s, int64_t k, const char *name)
{
    bool known = k < s->bodies.count && strcmp(s->bodies.list[k].name, name) == 0;
    return known ? s->bodies.list[k].name : mo_arena_text(&world->arena, name);
}

static mote_status prepare_bodies(mote_world *world, int k, const mo_saved_system *saved,
                                  restoration *r, mote_error *error)
{
    const mo_system *s = &world->systems[k];
    void *block;
    MO_TRY(mo_allocate_array(&world->memory, saved->body_count, sizeof(mote_body), &block, error));
    mote_body *bodies = r->bodies = block;
    for (int64_t b = 0, first = 0; b < saved->body_count; ++b) {
        bodies[b] = (mote_body){body_name(world, s, b, saved->bodies[b].name), 0, first,
                                saved->bodies[b].count};
        first += bodies[b].count;
        if (!bodies[b].name) {
            return mo_fail_memory(error, strlen(saved->bodies[b].name));
        }
        /* the last body may have grown */
        int64_t grown = b < s->bodies.scene_count ? bodies[b].count - s->bodies.list[b].count : 0;
        if (r->rebuilt && (grown < 0 || (grown > 0 && b != saved->body_count - 1))) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "its body '%.60s' has %lld particles, expected %lld", bodies[b].name,
                           (long long)bodies[b].count, (long long)s->bodies.list[b].count);
        }
    }
    return MOTE_OK;
}

static mote_status prepare(mote_world *world, const mote_snapshot *snapshot, restoration *r,
                           mote_error *error)
{
    for (int k = 0; k < world->system_count; ++k) {
        const mo_saved_system *saved = &snapshot->systems[k];
        MO_TRY(restore_topology(world, k, saved, &r[k], error));
        MO_TRY(prepare_bodies(world, k, saved, &r[k], error));
        MO_TRY(mo_store_reserve(world->systems[k].store, saved->rows->rows, error));
    }
    return mo_snapshot_reserve_couplings(snapshot, world, error);
}

static void give_up(mote_world *world, restoration *r)
{
    for (int k = world->system_count - 1; k >= 0; --k) {
        mo_release(&world->memory, r[k].bodies);
        if (r[k].rebuilt) {
            mo_world_put_back(world, k, &r[k].old);
        }
    }
}

/* No operation fails from here on. */
static void commit(mote_world *world, const mote_snapshot *snapshot, restoration *r)
{
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *s = &world->systems[k];
        if (r[k].rebuilt) {
            mo_world_drop(world, &r[k].old);
        }
        mo_release(&world->memory, s->bodies.list);
        s->bodies.list = r[k].bodies;
        s->bodies.count = s->bodies.capacity = snapshot->systems[k].body_count;
        mote_status restored = mo_snapshot_restore(snapshot->systems[k].rows, s->store, NULL);
        MOTE_ASSERT(restored == MOTE_OK); /* its rows are reserved */
        (void)restored;
    }
    mo_snapshot_restore_couplings(snapshot, world);
    for (int k = 0; k < world->system_count; ++k) {
        mo_system_remap_restored(&world->systems[k]);
    }
    world->clock = snapshot->clock;
    world->rates = snapshot->rates;
    world->advice = snapshot->advice;
    world->stale = snapshot->stale;
    world->steps_at_min = snapshot->steps_at_min;
    world->energy.started = false;
    world->outliers.samples = 0;
    world->warnings = snapshot->warnings;
}

mote_status mote_world_adopt(mote_world *world, const mote_snapshot *snapshot, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(snapshot);
    void *block;
    MO_TRY(mo_world_snapshot_check(snapshot, world, error));
    MO_TRY(
        mo_allocate_array(&world->memory, world->system_count, sizeof(restoration), &block, error));
    restoration *r = block; /* one per system */
    mote_status status = prepare(world, snapshot, r, error);
    if (status == MOTE_OK) {
        commit(world, snapshot, r);
    } else {
        give_up(world, r);
    }
    mo_release(&world->memory, r);
    MO_TRY(status);
    bool same_motion = world->source.hash == snapshot->source.hash ||
                       world->source.motion_hash == snapshot->source.motion_hash;
    for (int k = 0; !same_motion && k < world->system_count; ++k) {
        mote_world_invalidate(world, k);
    }
    return MOTE_OK;
}

mote_status mote_world_restore(mote_world *world, const mote_snapshot *snapshot, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(snapshot);
    if (world->source.hash != snapshot->source.hash) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "the state belongs to the scene '%.100s' (%016llx), this world was made from '%.100s' (%016llx)",
            snapshot->source.name ? snapshot->source.name : "?",
            (unsigned long long)snapshot->source.hash,
            world->source.name ? world->source.name : "?", (unsigned long long)world->source.hash);
    }
    return mote_world_adopt(world, snapshot, error);
}
