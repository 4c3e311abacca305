/*
 * Removal of rows, and transfer to another system.
 */
#include "host/coupling.h"
#include "host/skin.h"

#include <string.h>

/* Lists of rows, `width` at a time: entries with a removed row are dropped. */
static int64_t remap_elements(int32_t *rows, int64_t count, int width, const int64_t *map)
{
    int64_t kept = 0;
    for (int64_t e = 0; e < count; ++e) {
        bool whole = true;
        for (int k = 0; k < width; ++k) {
            whole = whole && map[rows[width * e + k]] >= 0;
        }
        for (int k = 0; whole && k < width; ++k) {
            rows[width * kept + k] = (int32_t)map[rows[width * e + k]];
        }
        kept += whole;
    }
    return kept;
}

/* Rows keep their order, so bodies remain ranges. */
static void remap_bodies(mo_system *s, const int64_t *map)
{
    int64_t next = 0;
    for (int64_t b = 0; b < s->bodies.count; ++b) {
        int64_t left = 0;
        for (int64_t row = s->bodies.list[b].first;
             row < s->bodies.list[b].first + s->bodies.list[b].count; ++row) {
            left += map[row] >= 0;
        }
        s->bodies.list[b].first = next;
        s->bodies.list[b].count = left;
        next += left;
    }
}

/* Row map: map[row] is the new row, -1 if removed. Returns the number of remaining rows. */
static int64_t map_rows(const uint8_t *removed, int64_t rows, int64_t *map)
{
    int64_t left = 0;
    for (int64_t row = 0; row < rows; ++row) {
        map[row] = removed[row] ? -1 : left++;
    }
    return left;
}

/* No operation fails from here on. */
static void remove_rows(mo_system *s, const uint8_t *removed, const int64_t *map, int32_t *vertices)
{
    mo_store_remove(s->store, removed, NULL);
    remap_bodies(s, map);
    s->bodies.edge_count = remap_elements(s->bodies.edges, s->bodies.edge_count, 2, map);
    s->bodies.triangle_count =
        remap_elements(s->bodies.triangles, s->bodies.triangle_count, 3, map);
    s->bodies.tetrahedron_count =
        remap_elements(s->bodies.tetrahedra, s->bodies.tetrahedron_count, 4, map);
    for (int64_t k = 0; k < s->bodies.skin_count; ++k) {
        mo_skin_remap(&s->bodies.skins[k], map, vertices);
    }
}

mote_status mo_system_remove(mo_system *s, const uint8_t *removed, mote_error *error)
{
    int64_t rows = mo_store_rows(s->store), vertices = 0;
    void *map, *numbers = NULL;
    for (int64_t k = 0; k < s->bodies.skin_count; ++k) {
        vertices =
            s->bodies.skins[k].vertex_count > vertices ? s->bodies.skins[k].vertex_count : vertices;
    }
    MO_TRY(mo_allocate_array(s->host->memory, rows, sizeof(int64_t), &map, error));
    int64_t left = map_rows(removed, rows, map);
    mote_status status =
        mo_allocate_array(s->host->memory, vertices, sizeof(int32_t), &numbers, error);
    if (status == MOTE_OK && left < rows) {
        status = s->type->edit && s->type->edit->remap ? s->type->edit->remap(s, map, left, error)
                                                       : MOTE_OK;
        if (status == MOTE_OK) {
            remove_rows(s, removed, map, numbers);
            mo_system_remap(s, map);
        }
        if (s->type->edit && s->type->edit->settle) {
            s->type->edit->settle(s, status == MOTE_OK ? map : NULL);
        }
    }
    mo_release(s->host->memory, numbers);
    mo_release(s->host->memory, map);
    return status;
}

/* ---- transfer ---- */

/* Copies a row in every column that both stores have with the same type. */
static void copy_row(const mo_store *from, int64_t row, const mo_store *to, int64_t new_row)
{
    for (int k = 0; k < mo_store_columns(to); ++k) {
        const mo_column *target = mo_store_column(to, k),
                        *source = mo_store_find(from, target->spec.name);
        bool same = source && source->spec.type == target->spec.type &&
                    source->spec.components == target->spec.components;
        if (same) {
            memcpy((char *)target->data + (size_t)new_row * target->row_bytes,
                   (const char *)source->data + (size_t)row * source->row_bytes, target->row_bytes);
        }
    }
}

void mo_system_copy_row(mo_system *s, int64_t from, int64_t to)
{
    int64_t *id = mo_i64(s->columns.id), own = id[to];
    copy_row(s->store, from, s->store, to);
    id[to] = own;
}

static int64_t count_removed(const mo_system *from, const uint8_t *removed)
{
    int64_t count = 0;
    for (int64_t row = 0; row < mo_store_rows(from->store); ++row) {
        count += removed[row] != 0;
    }
    return count;
}

/* The last body if it has this name, else a new, empty one. Bodies are ranges of rows, so only the
 * last one grows. */
static mote_status find_body(mo_system *to, const char *name, mote_error *error)
{
    mo_body_table *bodies = &to->bodies;
    if (bodies->count > bodies->scene_count &&
        strcmp(bodies->list[bodies->count - 1].name, name) == 0) {
        return MOTE_OK;
    }
    const char *copy = mo_arena_text(to->host->arena, name);
    if (!copy) {
        return mo_fail_memory(error, strlen(name));
    }
    MO_TRY(mo_reserve(to->host->memory, &bodies->list, &bodies->capacity, bodies->count + 1,
                      sizeof(mote_body), error));
    bodies->list[bodies->count++] = (mote_body){copy, 0, mo_store_rows(to->store), 0};
    return MOTE_OK;
}

/* Appends the rows to the last body of `to` with their ids. */
static mote_status append_rows(const mo_system *from, const uint8_t *removed, mo_system *to,
                               int64_t *first, mote_error *error)
{
    int64_t count = count_removed(from, removed), next_id = to->host->next_id,
            body = to->bodies.count - 1;
    MO_TRY(mo_store_add(to->store, count, first, error));
    to->host->next_id = next_id; /* no new particles */
    int64_t new_row = *first;
    for (int64_t row = 0; row < mo_store_rows(from->store); ++row) {
        if (removed[row]) {
            copy_row(from->store, row, to->store, new_row);
            ((int32_t *)to->columns.body->data)[new_row] = (int32_t)body;
            ((uint8_t *)to->columns.age->data)[new_row] = 0; /* no history */
            new_row++;
        }
    }
    to->bodies.list[body].count += count;
    return MOTE_OK;
}

static void take_back(mo_system *to, int64_t first)
{
    int64_t next_id = to->host->next_id;
    to->bodies.list[to->bodies.count - 1].count -= mo_store_rows(to->store) - first;
    mo_store_revert_add(to->store, first);
    to->host->next_id = next_id;
}

mote_status mo_system_transfer(mo_system *from, const uint8_t *removed, mo_system *to,
                               const char *body, mote_error *error)
{
    int64_t first;
    if (count_removed(from, removed) == 0) {
        return MOTE_OK;
    }
    int64_t bodies = to->bodies.count;
    MO_TRY(find_body(to, body, error));
    mote_status status = append_rows(from, removed, to, &first, error);
    if (status != MOTE_OK) {
        to->bodies.count = bodies;
        return status;
    }
    status =
        to->type->edit && to->type->edit->added ? to->type->edit->added(to, first, error) : MOTE_OK;
    status = status == MOTE_OK ? mo_system_remove(from, removed, error) : status;
    if (status != MOTE_OK) {
        take_back(to, first);
        to->bodies.count = bodies;
        return status;
    }
    to->grown_from = to->grown_from < 0 || first < to->grown_from ? first : to->grown_from;
    return MOTE_OK;
}
