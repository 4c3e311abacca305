#include "view/show/world_picture.h"

#include "geometry/motion/motion.h"
#include "geometry/shape/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The radius of hidden particles. */
static const double HIDDEN = -1;

enum { SAMPLES = 64 };

mo_picture_wish mo_picture_wish_of(const mo_view_def *view)
{
    bool ranged = !isnan(view->color.min) || !isnan(view->color.max);
    return (mo_picture_wish){.field = view->color.field,
                             .by_speed = !view->color.field && ranged,
                             .hide_covered = strcmp(view->style, "auto") == 0,
                             .mesh = strcmp(view->mesh, "none") != 0,
                             .free_mesh = strcmp(view->mesh, "smooth") != 0 || view->edges,
                             .skin = view->skin,
                             .surface = view->surface,
                             .springs = view->springs,
                             .joints = view->joints,
                             .neighbors = view->neighbors,
                             .colliders = view->colliders,
                             .ground = view->ground,
                             .neighbor_radius = view->neighbor_radius,
                             .ground_height = view->ground_height};
}

mote_status mo_picture_maker_init(mo_picture_maker *m, mote_error *error)
{
    *m = (mo_picture_maker){0};
    mo_memory_init(&m->memory, NULL);
    mo_surface_maker_init(&m->surface, &m->memory);
    mo_hull_maker_init(&m->hulls, &m->memory);
    return mo_pool_create(&m->memory, 1, &m->pool, error);
}

void mo_picture_maker_release(mo_picture_maker *m)
{
    if (!m->pool) {
        return;
    }
    void *const blocks[] = {m->x,       m->radius,  m->q,         m->values,
                            m->covered, m->springs, m->triangles, m->neighbors,
                            m->solids,  m->paint,   m->painting,  m->joints.list};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
        mo_release(&m->memory, blocks[k]);
    }
    mo_search_destroy(m->search);
    mo_surface_maker_release(&m->surface);
    mo_hull_maker_release(&m->hulls);
    mo_paints_release(&m->paints);
    mo_pool_destroy(m->pool);
    *m = (mo_picture_maker){0};
}

static mote_status reserve(mo_picture_maker *m, int64_t rows, mote_error *error)
{
    struct {
        void **block;
        size_t size;
    } const arrays[] = {{(void **)&m->x, 3 * sizeof(double)},
                        {(void **)&m->radius, sizeof(double)},
                        {(void **)&m->q, 4 * sizeof(double)},
                        {(void **)&m->values, sizeof(float)},
                        {(void **)&m->covered, 1},
                        {(void **)&m->paint, 1},
                        {(void **)&m->painting, sizeof(mo_painting)}};
    int64_t capacity = m->row_capacity;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        capacity = m->row_capacity;
        /* one row more: the search loads full vectors */
        MO_TRY(mo_grow(&m->memory, arrays[k].block, &capacity, rows + 1, arrays[k].size, error));
    }
    m->row_capacity = capacity;
    return MOTE_OK;
}

/* Converts a column of any type to double. */
static void copy_numbers(const mote_column *column, double *out)
{
    if (column->type == MOTE_F64 && column->rows > 0) {
        memcpy(out, column->data, (size_t)(column->rows * column->components) * sizeof(double));
        return;
    }
    for (int64_t row = 0; row < column->rows; ++row) {
        for (int k = 0; k < column->components; ++k) {
            out[row * column->components + k] = mo_column_number(column, row, k);
        }
    }
}

static void fill_radii(const mo_part *part, double *radius)
{
    const mote_column *own = mo_part_find(part, "radius"),
                      *inverse = mo_part_find(part, "inverse_diameter");
    for (int64_t row = 0; row < part->rows; ++row) {
        double r = own ? mo_column_number(own, row, 0) : 0;
        double w = !(r > 0) && inverse ? mo_column_number(inverse, row, 0) : 0;
        radius[row] = r > 0 ? r : w > 0 ? 0.5 / w : part->radius;
    }
}

static bool has_orientation(const mo_part *part)
{
    const mote_column *q = mo_part_find(part, "q");
    return q && q->components == 4;
}

static void fill_rows(mo_picture_maker *m, const mo_moment *moment)
{
    int64_t first = 0;
    bool oriented = false;
    for (int p = 0; p < moment->part_count; ++p) {
        const mo_part *part = &moment->parts[p];
        const mote_column *x = mo_part_find(part, "x");
        if (x && x->components == 3) {
            copy_numbers(x, m->x + 3 * first);
        } else if (part->rows > 0) {
            memset(m->x + 3 * first, 0, 3 * (size_t)part->rows * sizeof(double));
        }
        fill_radii(part, m->radius + first);
        if (has_orientation(part)) {
            copy_numbers(mo_part_find(part, "q"), m->q + 4 * first);
            oriented = true;
        } else {
            for (int64_t row = first; row < first + part->rows; ++row) {
                mo_quat_store(m->q + 4 * row, mo_quat_identity());
            }
        }
        first += part->rows;
    }
    m->picture.count = first;
    m->picture.x = m->x;
    m->picture.radius = m->radius;
    m->picture.q = oriented ? m->q : NULL;
}

/* The drawing of each row. A chosen field takes precedence over looks. */
static mote_status fill_paints(mo_picture_maker *m, const mo_moment *moment,
                               const mo_world_def *def, const mo_picture_wish *wish,
                               mote_error *error)
{
    int64_t first = 0;
    bool by_field = wish->field && strcmp(wish->field, "none") != 0, used = false;
    bool surface = wish->surface.type != NULL;
    if (!m->paints.bodies || m->paints_of_surface != surface) {
        MO_TRY(mo_paints_make(&m->paints, &m->memory, def, surface, error));
        m->paints_of_surface = surface;
    }
    for (int p = 0; p < moment->part_count; ++p) {
        mo_paints_rows(&m->paints, def, &moment->parts[p], m->painting + first);
        first += moment->parts[p].rows;
    }
    for (int64_t row = 0; row < m->picture.count; ++row) {
        m->painting[row].free = m->painting[row].free && !wish->free_mesh;
        m->paint[row] = by_field ? 0 : m->painting[row].paint;
        used = used || m->paint[row] > 0;
    }
    m->picture.paint = used ? m->paint : NULL;
    m->picture.paints = m->paints.list;
    m->picture.paint_count = m->paints.count;
    return MOTE_OK;
}

/* Whether an embedded surface is drawn instead of the row's body. */
static bool has_skin(const mo_part *part, int32_t row)
{
    for (int64_t k = 0; k < part->skin_count; ++k) {
        const mo_skin *skin = &part->skins[k];
        if (row >= skin->first && row < skin->first + skin->row_count) {
            return true;
        }
    }
    return false;
}

static mote_status fill_triangles(mo_picture_maker *m, const mo_moment *moment, bool skins,
                                  mote_error *error)
{
    int64_t count = 0, first = 0;
    if (m->picture.count > 0) {
        memset(m->covered, 0, (size_t)m->picture.count);
    }
    for (int p = 0; p < moment->part_count; ++p) {
        const mo_part *part = &moment->parts[p];
        MO_TRY(mo_grow(&m->memory, (void **)&m->triangles, &m->triangle_capacity,
                       count + part->triangle_count, 3 * sizeof(int32_t), error));
        for (int64_t k = 0; k < part->triangle_count; ++k) {
            const int32_t *corner = part->triangles + 3 * k;
            if (m->painting[first + corner[0]].free) {
                continue;
            }
            for (int c = 0; c < 3; ++c) {
                m->triangles[3 * count + c] = (int32_t)(first + corner[c]);
                m->covered[first + corner[c]] = 1;
            }
            bool visible = m->painting[first + corner[0]].visible;
            count += visible && (!skins || !has_skin(part, corner[0]));
        }
        for (int64_t k = 0; skins && k < part->skin_count; ++k) {
            const mo_skin *skin = &part->skins[k];
            if (skin->offsets && skin->row_count > 0) { /* a rigid body is its surface */
                memset(m->covered + first + skin->first, 1, (size_t)skin->row_count);
            }
        }
        first += part->rows;
    }
    m->picture.triangles = m->triangles;
    m->picture.triangle_count = count;
    return MOTE_OK;
}

/* Labels the nodes connected to a triangle, such as the inside of a block, by propagation along the
 * edges; meshes list their edges in order, so that few passes suffice. */
static void spread_cover(mo_picture_maker *m, const mo_moment *moment)
{
    for (bool changed = true; changed;) {
        int64_t first = 0;
        changed = false;
        for (int p = 0; p < moment->part_count; ++p) {
            const mo_part *part = &moment->parts[p];
            for (int64_t k = 0; k < part->edge_count; ++k) {
                uint8_t *a = &m->covered[first + part->edges[2 * k]],
                        *b = &m->covered[first + part->edges[2 * k + 1]];
                changed = changed || *a != *b;
                *a = *b = *a | *b;
            }
            first += part->rows;
        }
    }
}

/* All springs, or those that are not sides of triangles: ropes. */
static mote_status fill_springs(mo_picture_maker *m, const mo_moment *moment, bool all,
                                mote_error *error)
{
    int64_t count = 0, first = 0;
    for (int p = 0; p < moment->part_count; ++p) {
        const mo_part *part = &moment->parts[p];
        MO_TRY(mo_grow(&m->memory, (void **)&m->springs, &m->spring_capacity,
                       count + part->edge_count, 2 * sizeof(int32_t), error));
        for (int64_t k = 0; k < part->edge_count; ++k) {
            int64_t a = first + part->edges[2 * k], b = first + part->edges[2 * k + 1];
            if (m->painting[a].visible && (all || (!m->painting[a].free && !m->covered[a]))) {
                m->springs[2 * count] = (int32_t)a;
                m->springs[2 * count + 1] = (int32_t)b;
                ++count;
            }
        }
        first += part->rows;
    }
    m->picture.springs = m->springs;
    m->picture.spring_count = count;
    return MOTE_OK;
}

/* Positions are unwrapped in periodic domains; single particles are drawn inside the box, connected
 * ones are not wrapped. */
static void wrap(mo_picture_maker *m, const mo_domain *domain)
{
    for (int64_t k = 0; k < 2 * m->picture.spring_count; ++k) {
        m->covered[m->picture.springs[k]] |= 2;
    }
    for (int64_t row = 0; row < m->picture.count; ++row) {
        for (int axis = 0; axis < 3 && !m->covered[row]; ++axis) {
            double *x = &m->x[3 * row + axis];
            *x = mo_domain_wrap(domain, axis, *x);
        }
    }
    for (int64_t row = 0; row < m->picture.count; ++row) {
        m->covered[row] &= 1;
    }
}

static void fill_values(mo_picture_maker *m, const mo_moment *moment, bool uncovered_only)
{
    int64_t first = 0;
    m->low = INFINITY;
    m->high = -INFINITY;
    for (int p = 0; p < moment->part_count; ++p) {
        const mo_part *part = &moment->parts[p];
        const mote_column *column = mo_part_find(part, m->field.name);
        for (int64_t row = 0; row < part->rows; ++row) {
            bool plain = m->covered[first + row] || m->paint[first + row];
            bool left_out = (uncovered_only && plain) || !m->painting[first + row].visible;
            double value = left_out ? NAN : mo_column_number(column, row, m->field.component);
            m->values[first + row] = (float)value;
            if (isfinite(value)) {
                m->low = value < m->low ? value : m->low;
                m->high = value > m->high ? value : m->high;
            }
        }
        first += part->rows;
    }
    m->has_values = m->low <= m->high;
    m->picture.values = m->has_values ? m->values : NULL;
}

static mote_status color(mo_picture_maker *m, const mo_moment *moment, const char *text,
                         mote_error *error)
{
    bool chosen = text != NULL;
    m->has_values = false;
    m->picture.values = NULL;
    m->low = 1;
    m->high = 0;
    if (chosen && strcmp(text, "none") == 0) {
        return MOTE_OK;
    }
    if (chosen) {
        MO_TRY(mo_field_find(moment, text, &m->field, error));
    } else if (mo_field_find(moment, "v", &m->field, NULL) != MOTE_OK) {
        return MOTE_OK; /* the frames were stored without velocities */
    }
    fill_values(m, moment, !chosen);
    return MOTE_OK;
}

/* Hides particles covered by triangles, or by a surface. */
static void hide_covered(mo_picture_maker *m)
{
    for (int64_t row = 0; row < m->picture.count; ++row) {
        if (m->covered[row] || m->picture.surface.vertex_count > 0) {
            m->radius[row] = HIDDEN;
        }
    }
}

/* Hides invisible rows; they are not part of surfaces either. */
static void hide_invisible(mo_picture_maker *m)
{
    for (int64_t row = 0; row < m->picture.count; ++row) {
        if (!m->painting[row].visible) {
            m->radius[row] = HIDDEN;
            m->covered[row] = 1;
        }
    }
}

/* Turns +z into a direction. */
static mo_quat turn_to(mo_vec3 n)
{
    mo_vec3 axis = {-n.y, n.x, 0};
    if (n.z < -1 + 1e-12) {
        return (mo_quat){0, 1, 0, 0};
    }
    return mo_quat_normalize((mo_quat){1 + n.z, axis.x, axis.y, 0});
}

static bool solid_of(const mo_collider_def *c, const mo_painting *painting, double time,
                     mo_solid *out)
{
    mo_pose pose = mo_motion_pose(c->motion, time);
    mo_quat turn = mo_quat_of_matrix(pose.R);
    const char *name = c->shape.type->name;
    mo_vec3 low, high;
    *out = (mo_solid){
        .turn = turn, .inside = painting->wire || painting->container, .paint = painting->paint};
    if (!painting->visible) {
        return false;
    }
    mo_vec3 point, normal;
    if (mo_shape_half_space(c->shape, &point, &normal)) {
        out->kind = MO_SOLID_PLANE;
        out->center = mo_pose_apply(&pose, point);
        out->turn = mo_quat_product(turn, turn_to(normal));
        return true;
    }
    if (!mo_shape_bounds(c->shape, &low, &high)) {
        return false;
    }
    out->kind = strcmp(name, "sphere") == 0 ? MO_SOLID_SPHERE : MO_SOLID_BOX;
    out->center = mo_pose_apply(&pose, mo_scale(0.5, mo_add(low, high)));
    out->half = mo_scale(0.5, mo_sub(high, low));
    return strcmp(name, "sphere") == 0 || strcmp(name, "box") == 0;
}

static mo_vec3 up_of(const mo_world_def *def)
{
    return mo_vec3_make(def->up[0] == 'x', def->up[0] == 'y', def->up[0] == 'z');
}

static mote_status fill_solids(mo_picture_maker *m, const mo_world_def *def,
                               const mo_picture_wish *wish, mote_error *error)
{
    const mo_collider_def *colliders = def->colliders.items;
    int64_t count = wish->colliders ? def->colliders.count : 0, made = 0;
    MO_TRY(mo_grow(&m->memory, (void **)&m->solids, &m->solid_capacity, count + 2, sizeof(mo_solid),
                   error));
    for (int64_t k = 0; k < count; ++k) {
        made += solid_of(&colliders[k], &m->paints.colliders[k], m->picture.time, &m->solids[made]);
    }
    mo_domain domain = mo_world_def_domain(def);
    if (wish->colliders && mo_domain_volume(&domain) > 0) {
        mo_vec3 low = mo_vec3_load(domain.low), high = mo_vec3_load(domain.high);
        m->solids[made++] = (mo_solid){.kind = MO_SOLID_BOX,
                                       .center = mo_scale(0.5, mo_add(low, high)),
                                       .turn = mo_quat_identity(),
                                       .half = mo_scale(0.5, mo_sub(high, low)),
                                       .inside = true};
    }
    if (wish->ground) {
        mo_vec3 up = up_of(def);
        m->solids[made++] = (mo_solid){
            .kind = MO_SOLID_PLANE, .center = mo_scale(m->ground, up), .turn = turn_to(up)};
    }
    m->picture.solids = m->solids;
    m->picture.solid_count = made;
    return mo_hull_picture(&m->hulls, colliders, count, &m->paints, &m->picture, error);
}

static int compare_numbers(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static double nearest_square(const mo_picture *picture, int64_t row)
{
    double best = INFINITY;
    mo_vec3 x = mo_vec3_load(picture->x + 3 * row);
    for (int64_t k = 0; k < picture->count; ++k) {
        mo_vec3 d = mo_sub(mo_vec3_load(picture->x + 3 * k), x);
        double square = mo_dot(d, d);
        best = k != row && square < best && square > 0 ? square : best;
    }
    return best;
}

/* The typical distance of neighbours: the median over some particles; 0: none. */
static double typical_distance(const mo_picture *picture)
{
    double found[SAMPLES];
    int count = 0;
    for (int k = 0; k < SAMPLES && k < picture->count; ++k) {
        int64_t row =
            picture->count <= SAMPLES ? k : (int64_t)((double)k / SAMPLES * (double)picture->count);
        double square = nearest_square(picture, row);
        if (isfinite(square)) {
            found[count++] = sqrt(square);
        }
    }
    qsort(found, (size_t)count, sizeof *found, compare_numbers);
    return count > 0 ? found[count / 2] : 0;
}

/* The lowest point of a collider along `up`; infinity if it is unbounded or not drawn. */
static double lowest_of_collider(const mo_collider_def *c, double time, mo_vec3 up)
{
    mo_vec3 low, high;
    if (!c->look.visible || !mo_shape_bounds(c->shape, &low, &high)) {
        return INFINITY;
    }
    mo_pose pose = mo_motion_pose(c->motion, time);
    double least = INFINITY;
    for (int corner = 0; corner < 8; ++corner) {
        mo_vec3 x = {corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y,
                     corner & 4 ? high.z : low.z};
        least = fmin(least, mo_dot(mo_pose_apply(&pose, x), up));
    }
    return least;
}

/* The lowest point of particles and drawn colliders along `up`. */
static double lowest(const mo_picture_maker *m, const mo_world_def *def,
                     const mo_picture_wish *wish)
{
    const mo_collider_def *colliders = def->colliders.items;
    mo_vec3 up = up_of(def);
    double low = INFINITY;
    for (int64_t k = 0; wish->colliders && k < def->colliders.count; ++k) {
        low = fmin(low, lowest_of_collider(&colliders[k], m->picture.time, up));
    }
    for (int64_t k = 0; k < m->picture.count; ++k) {
        double r = m->radius[k] > 0 ? m->radius[k] : m->typical_radius;
        double height = mo_dot(mo_vec3_load(m->x + 3 * k), up) - r;
        low = height < low ? height : low;
    }
    return isfinite(low) ? low : 0;
}

static void choose_sizes(mo_picture_maker *m, const mo_world_def *def, const mo_picture_wish *wish)
{
    m->begun = true;
    m->spacing = typical_distance(&m->picture);
    m->typical_radius = m->spacing > 0 ? m->spacing / 2 : 0.02;
    m->ground = isnan(wish->ground_height) ? lowest(m, def, wish) : wish->ground_height;
}

/* Lists each pair of neighbours once. */
static mote_status find_neighbors(mo_picture_maker *m, double reach, mote_error *error)
{
    mo_method search = {mo_family_find(&mo_searches, MO_SEARCH_DEFAULT), NULL};
    mo_search_set rows = {m->picture.count, m->x};
    int set = 0;
    if (!m->search) {
        MO_TRY(mo_search_create(search, NULL, &m->memory, &m->search, error));
        MO_TRY(mo_search_add_set(m->search, reach, &set, error));
        MO_TRY(mo_search_ask(m->search, set, set, MO_LISTS_HALF, error));
    }
    MO_TRY(mo_search_set_radius(m->search, set, reach, error));
    return mo_search_build(m->search, &rows, m->pool, error);
}

static mote_status fill_neighbors(mo_picture_maker *m, double radius, mote_error *error)
{
    double reach = isnan(radius) ? 1.5 * m->spacing : radius;
    int64_t count = 0;
    m->picture.neighbor_count = 0;
    if (!(reach > 0) || m->picture.count == 0) {
        return MOTE_OK;
    }
    MO_TRY(find_neighbors(m, reach, error));
    const mo_lists *lists = mo_search_lists(m->search, 0, 0);
    MO_TRY(mo_grow(&m->memory, (void **)&m->neighbors, &m->neighbor_capacity, lists->pairs + 1,
                   2 * sizeof(int32_t), error));
    for (int64_t row = 0; row < m->picture.count; ++row) {
        for (int32_t k = 0; k < lists->count[row]; ++k, ++count) {
            m->neighbors[2 * count] = (int32_t)row;
            m->neighbors[2 * count + 1] = lists->index[lists->start[row] + k];
        }
    }
    m->picture.neighbors = m->neighbors;
    m->picture.neighbor_count = count;
    return MOTE_OK;
}

/* One skin as rows from `at` on; its part's rows begin at `first`. */
static void add_skin(mo_picture_maker *m, const mo_part *part, const mo_skin *skin, int64_t first,
                     int64_t at)
{
    mo_skin_interpolate(skin, mo_part_find(part, "x"), mo_part_find(part, "q"), m->x + 3 * at);
    for (int64_t v = 0; v < skin->vertex_count; ++v) {
        const int32_t *row = skin->rows + 4 * v;
        const double *w = skin->weights + 4 * v;
        double value = 0;
        for (int c = 0; c < 4 && m->has_values; ++c) {
            value += w[c] * (double)m->values[first + row[c]];
        }
        m->values[at + v] = (float)value;
        m->radius[at + v] = HIDDEN;
        m->paint[at + v] = m->paint[first + row[0]];
        mo_quat_store(m->q + 4 * (at + v), mo_quat_identity());
    }
    bool visible = skin->vertex_count > 0 && m->painting[first + skin->rows[0]].visible;
    int32_t *corner = m->triangles + 3 * m->picture.triangle_count;
    for (int64_t k = 0; visible && k < 3 * skin->triangle_count; ++k) {
        corner[k] = (int32_t)(at + skin->triangles[k]);
    }
    m->picture.triangle_count += visible ? skin->triangle_count : 0;
}

/* The arrays of rows may have moved. */
static void refer(mo_picture_maker *m)
{
    m->picture.x = m->x;
    m->picture.radius = m->radius;
    m->picture.q = m->picture.q ? m->q : NULL;
    m->picture.values = m->picture.values ? m->values : NULL;
    m->picture.paint = m->picture.paint ? m->paint : NULL;
}

/* Appends the vertices of skins as rows behind the particles. */
static mote_status add_skins(mo_picture_maker *m, const mo_moment *moment, mote_error *error)
{
    int64_t vertices = 0, triangles = 0, first = 0, at = m->picture.count;
    for (int p = 0; p < moment->part_count; ++p) {
        for (int64_t k = 0; k < moment->parts[p].skin_count; ++k) {
            vertices += moment->parts[p].skins[k].vertex_count;
            triangles += moment->parts[p].skins[k].triangle_count;
        }
    }
    if (at + vertices > INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "more than %d particles and vertices cannot be drawn", INT32_MAX);
    }
    MO_TRY(reserve(m, at + vertices, error));
    MO_TRY(mo_grow(&m->memory, (void **)&m->triangles, &m->triangle_capacity,
                   m->picture.triangle_count + triangles, 3 * sizeof(int32_t), error));
    for (int p = 0; p < moment->part_count; ++p) {
        const mo_part *part = &moment->parts[p];
        for (int64_t k = 0; k < part->skin_count; ++k) {
            add_skin(m, part, &part->skins[k], first, at);
            at += part->skins[k].vertex_count;
        }
        first += part->rows;
    }
    m->picture.count = at;
    m->picture.riders = vertices;
    m->picture.triangles = m->triangles;
    refer(m);
    return MOTE_OK;
}

/* Appends the ends of lines as rows behind particles and skins, and the lines as springs. */
static mote_status add_joints(mo_picture_maker *m, const mo_moment *moment, const mo_world_def *def,
                              mote_error *error)
{
    MO_TRY(mo_joint_lines_find(&m->joints, &m->memory, moment, def, error));
    int64_t at = m->picture.count, springs = m->picture.spring_count;
    MO_TRY(reserve(m, at + 2 * m->joints.count, error));
    MO_TRY(mo_grow(&m->memory, (void **)&m->springs, &m->spring_capacity, springs + m->joints.count,
                   2 * sizeof(int32_t), error));
    for (int64_t k = 0; k < m->joints.count; ++k) {
        const mo_joint_line *line = &m->joints.list[k];
        if (!m->painting[line->row].visible || at + 2 > INT32_MAX) {
            continue;
        }
        for (int end = 0; end < 2; ++end, ++at) {
            mo_vec3_store(m->x + 3 * at, line->x[end]);
            m->radius[at] = HIDDEN;
            m->values[at] = NAN;
            m->paint[at] = m->paint[line->row];
            mo_quat_store(m->q + 4 * at, mo_quat_identity());
            m->springs[2 * springs + end] = (int32_t)at;
        }
        ++springs;
    }
    m->picture.riders += at - m->picture.count;
    m->picture.count = at;
    m->picture.spring_count = springs;
    m->picture.springs = m->springs;
    refer(m);
    return MOTE_OK;
}

mote_status mo_picture_make(mo_picture_maker *m, const mo_moment *moment, const mo_world_def *def,
                            const mo_picture_wish *wish, mote_error *error)
{
    m->picture = (mo_picture){.time = moment->time};
    MO_TRY(reserve(m, mo_moment_rows(moment), error));
    fill_rows(m, moment);
    if (!m->begun) {
        choose_sizes(m, def, wish);
    }
    m->picture.typical_radius = m->typical_radius;
    MO_TRY(fill_paints(m, moment, def, wish, error));
    MO_TRY(fill_triangles(m, moment, wish->skin && wish->mesh, error));
    spread_cover(m, moment);
    if (wish->springs || wish->mesh) {
        MO_TRY(fill_springs(m, moment, wish->springs, error));
    }
    mo_domain domain = mo_world_def_domain(def);
    if (mo_domain_periodic(&domain)) {
        wrap(m, &domain);
    }
    if (!wish->mesh && m->picture.count > 0) {
        memset(m->covered, 0, (size_t)m->picture.count); /* no triangle covers a particle */
        m->picture.triangle_count = 0;
    }
    hide_invisible(m);
    for (int64_t row = 0; wish->by_speed && row < m->picture.count; ++row) {
        m->paint[row] = m->covered[row] ? m->paint[row] : 0;
    }
    /* a fluid is blue unless a field is requested */
    bool plain = wish->surface.type && wish->hide_covered && !wish->field;
    MO_TRY(color(m, moment, plain ? "none" : wish->field, error));
    if (wish->neighbors) {
        MO_TRY(fill_neighbors(m, wish->neighbor_radius, error));
    }
    if (wish->surface.type) {
        mo_surface_bounds bounds = {def->colliders.items, def->colliders.count, m->picture.time};
        MO_TRY(mo_surface_picture(&m->surface, wish->surface, m->covered, &bounds, m->pool,
                                  &m->picture, error));
    }
    if (wish->hide_covered) {
        hide_covered(m);
    }
    if (wish->skin && wish->mesh) {
        MO_TRY(add_skins(m, moment, error));
    }
    if (wish->joints && moment->world) {
        MO_TRY(add_joints(m, moment, def, error));
    }
    return fill_solids(m, def, wish, error);
}

const mo_part *mo_picture_locate(const mo_moment *moment, int64_t particle, int64_t *row)
{
    *row = particle;
    for (int k = 0; k < moment->part_count; ++k) {
        if (*row < moment->parts[k].rows) {
            return &moment->parts[k];
        }
        *row -= moment->parts[k].rows;
    }
    return NULL;
}
