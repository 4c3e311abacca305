/* The surfaces: cells, the vertices and edges that they own, rest shapes. */
#include "system/constraints/constraint_contacts.h"

#include "base/radix.h"

#include <string.h>

enum { FEWEST = 8192 }; /* pairs that have room from the start */

void mo_constraint_contacts_init(mo_constraint_contacts *c, mo_memory *memory, mo_pool *pool)
{
    *c = (mo_constraint_contacts){.memory = memory, .pool = pool};
    mo_hierarchy_init(&c->tree, &mo_bound_aabb, memory);
    mo_pair_search_init(&c->search, memory);
}

void mo_constraint_contacts_release(mo_constraint_contacts *c)
{
    if (!c->memory) {
        return;
    }
    void *blocks[] = {c->ended,  c->bodies,      c->cells,        c->rest,          c->joined,
                      c->last,   c->groups,      c->next,         c->stale,         c->near,
                      c->pairs,  c->spare,       c->chosen,       c->counts,        c->mask,
                      c->color,  c->contacts,    c->sorted,       c->time,          c->changed,
                      c->cut,    c->nearest,     c->chosen_moved, c->chosen_motion, c->place,
                      c->bounds, c->spare_bounds};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(c->memory, blocks[k]);
    }
    mo_surface_clusters_release(c);
    *c = (mo_constraint_contacts){0};
}

static mote_status add_cell(mo_constraint_contacts *c, mo_surface_cell cell, mote_error *error)
{
    MO_TRY(mo_reserve(c->memory, &c->cells, &c->cell_capacity, c->cell_count + 1, sizeof *c->cells,
                      error));
    c->cells[c->cell_count++] = cell;
    return MOTE_OK;
}

static mote_status add_new_cell(mo_constraint_contacts *c, mo_surface_cell cell, mote_error *error)
{
    cell.number = (int32_t)c->numbers++;
    return add_cell(c, cell, error);
}

mote_status mo_constraint_contacts_add(mo_constraint_contacts *c, const mo_surface_body *body,
                                       const int32_t *triangles, int64_t triangle_count,
                                       const int32_t *edges, int64_t edge_count, int64_t first,
                                       mote_error *error)
{
    int32_t index = (int32_t)c->body_count, from = (int32_t)first;
    MO_TRY(mo_reserve(c->memory, &c->bodies, &c->body_capacity, c->body_count + 1,
                      sizeof *c->bodies, error));
    c->bodies[c->body_count++] = *body;
    if (body->thickness == 0) {
        return MOTE_OK;
    }
    for (int64_t k = 0; k < triangle_count; ++k) {
        const int32_t *t = triangles + 3 * k;
        mo_surface_cell cell = {
            .row = {from + t[0], from + t[1], from + t[2]}, .body = index, .triangle = true};
        MO_TRY(add_new_cell(c, cell, error));
    }
    for (int64_t k = 0; triangle_count == 0 && k < edge_count; ++k) {
        const int32_t *e = edges + 2 * k;
        mo_surface_cell cell = {.row = {from + e[0], from + e[1], from + e[1]}, .body = index};
        MO_TRY(add_new_cell(c, cell, error));
    }
    return MOTE_OK;
}

/* ---- owners ---- */

/* Each vertex belongs to the first cell that has it. */
static void own_vertices(mo_constraint_contacts *c, uint8_t *seen)
{
    for (int64_t k = 0; k < c->cell_count; ++k) {
        mo_surface_cell *cell = &c->cells[k];
        cell->vertices = 0;
        for (int n = 0; n < (cell->triangle ? 3 : 2); ++n) {
            cell->vertices |= (uint8_t)(!seen[cell->row[n]] << n);
            seen[cell->row[n]] = 1;
        }
    }
}

/* Each edge likewise: edges sorted by their rows. */
static void own_edges(mo_constraint_contacts *c, mo_radix *radix)
{
    int64_t count = 0;
    for (int64_t k = 0; k < c->cell_count; ++k) {
        c->cells[k].edges = 0;
        for (int e = 0; e < (c->cells[k].triangle ? 3 : 1); ++e) {
            uint64_t a = (uint64_t)c->cells[k].row[e], b = (uint64_t)c->cells[k].row[(e + 1) % 3];
            radix->item[count++] = (mo_keyed){a < b ? a << 32 | b : b << 32 | a, 3 * k + e};
        }
    }
    mo_radix_sort(radix, count, NULL);
    for (int64_t k = 0; k < count; ++k) {
        if (k == 0 || radix->item[k].key != radix->item[k - 1].key) {
            c->cells[radix->item[k].row / 3].edges |= (uint8_t)(1 << radix->item[k].row % 3);
        }
    }
}

static mote_status own_features(mo_constraint_contacts *c, int64_t rows, mote_error *error)
{
    void *seen;
    mo_radix radix;
    MO_TRY(mo_allocate_array(c->memory, rows, 1, &seen, error));
    mo_radix_init(&radix, c->memory);
    mote_status status = mo_radix_resize(&radix, 3 * c->cell_count, error);
    if (status == MOTE_OK) {
        own_vertices(c, seen);
        own_edges(c, &radix);
    }
    mo_radix_release(&radix);
    mo_release(c->memory, seen);
    return status;
}

static double longest_edge(const mo_constraint_contacts *c)
{
    double longest = 0;
    for (int64_t k = 0; k < c->cell_count; ++k) {
        for (int e = 0; e < 3; ++e) {
            const int32_t *row = c->cells[k].row;
            mo_vec3 a = mo_vec3_load(c->rest + 3 * (int64_t)row[e]),
                    b = mo_vec3_load(c->rest + 3 * (int64_t)row[(e + 1) % 3]);
            longest = fmax(longest, mo_length(mo_sub(b, a)));
        }
    }
    return longest;
}

/* Arrays whose size is that of the mesh, and room for the lists of a cloth in a few layers; small
 * meshes that crumple never need more. */
static mote_status reserve(mo_constraint_contacts *c, mote_error *error)
{
    int64_t rows = c->rows, pairs = 16 * c->cell_count > FEWEST ? 16 * c->cell_count : FEWEST;
    /* with those of former lists, see compact_pairs */
    int64_t listed = 4 * pairs;
    int64_t groups = 8 * c->cluster_count;
    struct {
        void *at;
        int64_t count, *capacity;
        size_t size;
    } arrays[] = {{&c->last, 4 * rows, NULL, sizeof *c->last},
                  {&c->ended, 4 * rows, NULL, sizeof *c->ended},
                  {&c->place, 4 * rows, NULL, sizeof *c->place},
                  {&c->mask, 2 * rows, NULL, sizeof *c->mask},
                  {&c->changed, rows, NULL, 1},
                  {&c->cut, rows, NULL, 1},
                  {&c->nearest, rows, NULL, sizeof *c->nearest},
                  {&c->groups, groups, &c->group_capacity, sizeof *c->groups},
                  {&c->next, groups, &c->next_capacity, sizeof *c->next},
                  {&c->stale, groups, &c->stale_capacity, sizeof *c->stale},
                  {&c->near, MO_NEAR_WORDS * groups, &c->mask_capacity, sizeof *c->near},
                  {&c->counts, pairs / 64, &c->count_capacity, sizeof *c->counts},
                  {&c->pairs, listed, &c->pair_capacity, sizeof *c->pairs},
                  {&c->spare, listed, &c->spare_capacity, sizeof *c->spare},
                  {&c->bounds, listed, &c->bound_capacity, sizeof *c->bounds},
                  {&c->spare_bounds, listed, &c->spare_bound_capacity, sizeof *c->bounds},
                  {&c->chosen, pairs, &c->chosen_capacity, sizeof *c->chosen},
                  {&c->chosen_moved, pairs, &c->moved_capacity, sizeof *c->chosen_moved},
                  {&c->chosen_motion, pairs, &c->motion_capacity, sizeof *c->chosen_motion},
                  {&c->time, pairs, &c->time_capacity, sizeof *c->time},
                  {&c->color, pairs, &c->color_capacity, 1},
                  {&c->contacts, pairs, &c->contact_capacity, sizeof *c->contacts},
                  {&c->sorted, pairs, &c->sorted_capacity, sizeof *c->sorted}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        int64_t none = 0;
        MO_TRY(mo_reserve(c->memory, arrays[k].at, arrays[k].capacity ? arrays[k].capacity : &none,
                          arrays[k].count, arrays[k].size, error));
    }
    return mo_pair_search_reserve(&c->search, groups, error);
}

static double thinnest_body(const mo_constraint_contacts *c)
{
    double least = (double)INFINITY;
    for (int64_t k = 0; k < c->body_count; ++k) {
        least = c->bodies[k].thickness > 0 ? fmin(least, c->bodies[k].thickness) : least;
    }
    return least;
}

/* Whether any two surfaces may touch. */
static bool may_meet(const mo_constraint_contacts *c)
{
    for (int64_t k = 0; k < c->cell_count; ++k) {
        int32_t body = c->cells[k].body;
        if (c->bodies[body].self || body != c->cells[0].body) {
            return true;
        }
    }
    return false;
}

/* Pairs of the rest shape that are nearer than the thickness. */
static mote_status find_crowds(mo_constraint_contacts *c, const double *x, mote_error *error)
{
    void *start;
    MO_TRY(mo_allocate_array(c->memory, c->rows, 4 * sizeof(double), &start, error));
    for (int64_t row = 0; row < c->rows; ++row) {
        memcpy((double *)start + 4 * row, x + 3 * row, 3 * sizeof *x);
        ((double *)start)[4 * row + 3] = 1;
    }
    c->start = c->p = start;
    mote_status status = mo_constraint_contacts_list(c, false, error);
    status = status == MOTE_OK ? mo_constraint_contacts_choose(c, MO_SURFACE_NEAR, error) : status;
    c->crowded = status == MOTE_OK && c->chosen_count > 0;
    c->start = c->p = NULL;
    c->listed = c->settled = false;
    c->group_count = c->pair_count = 0;
    mo_release(c->memory, start);
    return status;
}

mote_status mo_constraint_contacts_finish(mo_constraint_contacts *c, int64_t rows, const double *x,
                                          mote_error *error)
{
    void *rest, *joined;
    c->rows = rows;
    if (c->cell_count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(c->memory, rows, 3 * sizeof(double), &rest, error));
    c->rest = rest;
    memcpy(c->rest, x, (size_t)(3 * rows) * sizeof(double));
    c->longest = longest_edge(c);
    c->thinnest = thinnest_body(c);
    MO_TRY(mo_allocate_array(c->memory, rows, sizeof *c->joined, &joined, error));
    c->joined = joined;
    for (int64_t row = 0; row < rows; ++row) {
        c->joined[row] = (int32_t)row;
    }
    MO_TRY(mo_surface_clusters_order(c, error));
    MO_TRY(own_features(c, rows, error));
    MO_TRY(mo_surface_clusters_build(c, error));
    MO_TRY(reserve(c, error));
    c->meets = may_meet(c);
    return c->meets ? find_crowds(c, x, error) : MOTE_OK;
}

void mo_constraint_contacts_join(mo_constraint_contacts *c, int64_t a, int64_t b)
{
    int32_t from = c->joined ? c->joined[b] : 0, to = c->joined ? c->joined[a] : 0;
    for (int64_t row = 0; from != to && row < c->rows; ++row) {
        c->joined[row] = c->joined[row] == from ? to : c->joined[row];
    }
}

/* Adds the remaining cells in the order of the scene: clusters depend on that order, and a restored
 * state removes at once what was removed in several steps. */
static mote_status remap_cells(const mo_constraint_contacts *c, const int64_t *map,
                               mo_constraint_contacts *to, mote_error *error)
{
    void *block;
    MO_TRY(mo_allocate_array(c->memory, c->numbers, sizeof(mo_surface_cell), &block, error));
    mo_surface_cell *ordered = block;
    for (int64_t k = 0; k < c->numbers; ++k) {
        ordered[k].body = -1;
    }
    for (int64_t k = 0; k < c->cell_count; ++k) {
        mo_surface_cell cell = c->cells[k];
        bool whole = true;
        for (int n = 0; n < 3; ++n) {
            whole = whole && map[cell.row[n]] >= 0;
            cell.row[n] = (int32_t)map[cell.row[n]];
        }
        cell.body = whole ? cell.body : -1;
        ordered[cell.number] = cell;
    }
    mote_status status = MOTE_OK;
    for (int64_t k = 0; k < c->numbers && status == MOTE_OK; ++k) {
        status = ordered[k].body < 0 ? MOTE_OK : add_cell(to, ordered[k], error);
    }
    to->numbers = c->numbers;
    mo_release(c->memory, ordered);
    return status;
}

mote_status mo_constraint_contacts_remap(const mo_constraint_contacts *c, const int64_t *map,
                                         int64_t rows, mo_constraint_contacts *to,
                                         mote_error *error)
{
    void *rest;
    mo_constraint_contacts_init(to, c->memory, c->pool);
    MO_TRY(mo_reserve(to->memory, &to->bodies, &to->body_capacity, c->body_count,
                      sizeof *to->bodies, error));
    memcpy(to->bodies, c->bodies, (size_t)c->body_count * sizeof *to->bodies);
    to->body_count = c->body_count;
    MO_TRY(remap_cells(c, map, to, error));
    if (to->cell_count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(c->memory, rows, 3 * sizeof(double), &rest, error));
    for (int64_t row = 0; row < c->rows; ++row) {
        if (map[row] >= 0) {
            memcpy((double *)rest + 3 * map[row], c->rest + 3 * row, 3 * sizeof(double));
        }
    }
    mote_status status = mo_constraint_contacts_finish(to, rows, rest, error);
    for (int64_t row = 0; status == MOTE_OK && row < c->rows; ++row) {
        int64_t other = c->joined[row];
        if (map[row] >= 0 && map[other] >= 0) {
            to->joined[map[row]] = (int32_t)map[other];
        }
    }
    mo_release(c->memory, rest);
    return status;
}

void mo_constraint_contacts_begin_step(mo_constraint_contacts *c)
{
    c->lists = c->shortened = 0;
}
