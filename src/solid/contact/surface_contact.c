#include "solid/contact/state.h"

#include "neighbor/search.h"

#include <math.h>
#include <string.h>

static const mo_param PARAMS[] = {
    {"stiffness", MO_REAL, MO_FIELD(mo_body_contact_def, stiffness), .range = "[0, inf)",
     .doc = "Contact stiffness relative to the surface stiffness of the bodies; default 1, 0: no "
            "contact between bodies."},
    {"gap", MO_REAL, MO_FIELD(mo_body_contact_def, gap), .unit = "m", .range = "[0, inf)",
     .doc = "Distance at which contact begins; default: a tenth of the average edge length of the "
            "surfaces."},
    {"friction", MO_REAL, MO_FIELD(mo_body_contact_def, friction), .initial = "0",
     .range = "[0, inf)", .doc = "Coulomb's friction coefficient between bodies."},
    {"slip", MO_REAL, MO_FIELD(mo_body_contact_def, slip), .unit = "m/s", .initial = "0.01",
     .range = "(0, inf)",
     .doc = "Regularisation speed of friction: below it the friction force decreases to 0, so that "
            "sticking contacts creep more slowly than this.",
     .needs = "friction"},
    {"damping", MO_REAL, MO_FIELD(mo_body_contact_def, damping), .unit = "s", .initial = "0",
     .range = "[0, inf)",
     .doc = "Normal damping proportional to the contact stiffness (Rayleigh's beta); it increases "
            "from 0 at the onset of contact to its full value at the depth `gap`."},
    {"detection", MO_METHOD, MO_FIELD(mo_body_contact_def, detection), .initial = "\"surface\"",
     .family = &mo_contact_detections,
     .doc = "Contact detection: nodes near surfaces, or nodes in tetrahedra."},
    {"self", MO_BOOL, MO_FIELD(mo_body_contact_def, self), .initial = "false",
     .doc =
         "Contact of every body with itself as well: folds of cloth, slender and hollow solids."},
    {0}};

const mo_section mo_body_contact_section = {
    "body_contact", "Contact between the surfaces of bodies; see docs/solids.md.",
    sizeof(mo_body_contact_def), .params = PARAMS};

mote_status mo_body_contacts_create(const mo_body_contact_def *def, int32_t system,
                                    mo_memory *memory, mo_body_contacts **contacts,
                                    mote_error *error)
{
    if (def->gap > 0) { /* 0 and absent: from the surfaces */
        MO_TRY(mo_search_check_radius(def->gap, "body_contact.gap: ", error));
    }
    mo_body_contacts *c = mo_allocate(memory, sizeof *c);
    if (!c) {
        return mo_fail_memory(error, sizeof *c);
    }
    c->memory = memory;
    c->def = *def;
    c->def.stiffness = isnan(def->stiffness) ? 1 : def->stiffness;
    if (!def->detection.type) {
        c->def.detection.type = &mo_contact_detection_surface.base;
    }
    c->system = system;
    mo_contact_set_init(&c->set, memory);
    mo_penetrations_init(&c->penetrations, memory);
    mo_broad_phase_init(&c->broad, memory);
    *contacts = c;
    return MOTE_OK;
}

void mo_body_contacts_destroy(void *contacts, mo_memory *memory)
{
    mo_body_contacts *c = contacts;
    void *parts[] = {c->bodies,       c->points, c->triangles,  c->normals, c->found, c->cell_start,
                     c->cell_entries, c->laws,   c->start,      c->entries, c->slips, c->positions,
                     c->boxes,        c->near,   c->pair_start, c->pairs,   c->listed};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        mo_release(memory, parts[k]);
    }
    mo_contact_set_release(&c->set);
    mo_penetrations_release(&c->penetrations);
    mo_broad_phase_release(&c->broad);
    mo_release(memory, c);
}

/* ---- bodies ---- */

/* number[row - first] becomes the row's point. */
static mote_status add_points(mo_body_contacts *c, const mo_contact_surface *s, int32_t *number,
                              mote_error *error)
{
    MO_TRY(mo_reserve(c->memory, &c->points, &c->point_capacity, c->point_count + s->rows,
                      sizeof(mo_contact_point), error));
    for (int64_t k = 0; k < 3 * s->triangle_count; ++k) {
        number[s->triangles[k] - s->first] = 1;
    }
    for (int64_t node = 0; node < s->rows; ++node) {
        if (number[node]) {
            number[node] = (int32_t)c->point_count;
            int64_t row = s->first + node;
            c->points[c->point_count++] = (mo_contact_point){.row = (int32_t)row,
                                                             .body = (int32_t)c->body_count,
                                                             .id = s->id[row],
                                                             .rest = mo_vec3_load(s->x + 3 * row)};
        }
    }
    return MOTE_OK;
}

static mote_status add_triangles(mo_body_contacts *c, const mo_contact_surface *s,
                                 const int32_t *number, mote_error *error)
{
    MO_TRY(mo_reserve(c->memory, &c->triangles, &c->triangle_capacity,
                      c->triangle_count + s->triangle_count, sizeof(mo_contact_triangle), error));
    for (int64_t t = 0; t < s->triangle_count; ++t) {
        mo_contact_triangle *to = &c->triangles[c->triangle_count];
        *to = (mo_contact_triangle){.number = (int32_t)c->triangle_count++,
                                    .body = (int32_t)c->body_count};
        for (int k = 0; k < 3; ++k) {
            to->row[k] = s->triangles[3 * t + k];
            to->point[k] = number[to->row[k] - s->first];
        }
    }
    return s->solid ? MOTE_OK
                    : mo_contact_mark_borders(c, c->triangle_count - s->triangle_count, error);
}

/* The mean of all edges, and the maximum. */
static double mean_edge(const mo_contact_surface *s, double *longest)
{
    double sum = 0;
    for (int64_t t = 0; t < s->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            const int32_t *n = s->triangles + 3 * t;
            mo_vec3 a = mo_vec3_load(s->x + 3 * (int64_t)n[k]);
            double edge = mo_length(mo_sub(mo_vec3_load(s->x + 3 * (int64_t)n[(k + 1) % 3]), a));
            *longest = fmax(*longest, edge);
            sum += edge;
        }
    }
    return sum / (3 * (double)s->triangle_count);
}

static bool finds_volumes(const mo_body_contacts *c)
{
    return ((const mo_contact_detection_type *)c->def.detection.type)->volumes;
}

mote_status mo_body_contacts_add(mo_body_contacts *c, const mo_contact_surface *s,
                                 mote_error *error)
{
    void *number;
    if (s->triangle_count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_reserve(c->memory, &c->bodies, &c->body_capacity, c->body_count + 1,
                      sizeof(mo_contact_body), error));
    MO_TRY(mo_allocate_array(c->memory, s->rows, sizeof(int32_t), &number, error));
    c->bodies[c->body_count] = (mo_contact_body){.first_point = c->point_count, .open = !s->solid};
    c->two_sided = c->two_sided || (!finds_volumes(c) && (!s->solid || c->def.self));
    mote_status status = add_points(c, s, number, error);
    if (status == MOTE_OK) {
        status = add_triangles(c, s, number, error);
    }
    mo_release(c->memory, number);
    MO_TRY(status);
    if (finds_volumes(c)) {
        MO_TRY(mo_penetrations_add(&c->penetrations, (int32_t)c->body_count, s->tetrahedra,
                                   s->tetrahedron_count, s->x, error));
    }
    c->bodies[c->body_count].point_count = c->point_count - c->bodies[c->body_count].first_point;
    c->body_count++;
    double edge = mean_edge(s, &c->longest);
    c->reach = c->reach > 0 ? fmin(c->reach, edge) : edge;
    return MOTE_OK;
}

mote_status mo_body_contacts_check(const mo_body_contacts *c, mote_error *error)
{
    return finds_volumes(c) && c->penetrations.count == 0
               ? mo_fail(error, MOTE_ERROR_INPUT,
                         "body_contact.detection: '%s' finds nodes in tetrahedra, and no body has "
                         "any; use surface, or meshes of tetrahedra",
                         c->def.detection.type->name)
               : MOTE_OK;
}

/* ---- the force ---- */

/* The force of a contact at these velocities. */
static void evaluate(const mo_body_contacts *c, int64_t contact, const double *x, const double *v)
{
    mo_contact *record = &c->set.list[contact];
    mo_body_contact *t = &c->laws[contact];
    mo_vec3 u = mo_contact_difference(record, v, v), n = record->normal;
    double speed = mo_dot(u, n), fraction = t->depth < c->gap ? t->depth / c->gap : 1;
    double rate = fraction * c->def.damping * t->k, normal_force = t->k * t->depth - rate * speed;
    mo_vec3 across = mo_add_scaled(u, -speed, n);
    bool acts = normal_force > 0;
    t->damping = acts ? rate : 0;
    t->stiffness =
        acts ? fmax(t->k * (1 - (fraction < 1 ? c->def.damping * speed / c->gap : 0)), 0) : 0;
    double sliding = mo_length(across);
    t->slide = sliding > c->def.slip ? mo_scale(1 / sliding, across) : mo_vec3_make(0, 0, 0);
    t->friction = acts ? c->def.friction * normal_force / fmax(sliding, c->def.slip) : 0;
    record->force = mo_add_scaled(mo_scale(acts ? normal_force : 0, n), -t->friction, across);
    if (c->solving) {
        mo_body_contacts_add_static_friction(c, contact, x);
    }
}

static mote_status body_contact_prepare(void *instance, const mo_force_args *args, mo_pool *pool,
                                        mote_error *error)
{
    mo_body_contacts *c = instance;
    MO_TRY(mo_body_contacts_search(c, args->x, pool, error));
    for (int64_t k = 0; k < c->set.count; ++k) {
        evaluate(c, k, args->x, args->v);
    }
    return MOTE_OK;
}

/* The first point with a row from `row` on. */
static int64_t point_from(const mo_body_contacts *c, int64_t row)
{
    int64_t low = 0, high = c->point_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (c->points[middle].row < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The entries of the rows [first, last). */
static void entries_of(const mo_body_contacts *c, int64_t first, int64_t last, int64_t *from,
                       int64_t *to)
{
    *from = c->start ? c->start[point_from(c, first)] : 0;
    *to = c->start ? c->start[point_from(c, last)] : 0;
}

static void body_contact_add(const void *instance, const mo_force_args *args, int64_t first,
                             int64_t last)
{
    const mo_body_contacts *c = instance;
    int64_t from, to;
    entries_of(c, first, last, &from, &to);
    for (int64_t e = from; e < to; ++e) {
        const mo_contact *t = &c->set.list[c->entries[e] / MO_BODY_NODES];
        int i = c->entries[e] % MO_BODY_NODES;
        double *f = args->f + 3 * mo_contact_row(t, i);
        mo_vec3_store(f, mo_add_scaled(mo_vec3_load(f), mo_contact_weight(t, i), t->force));
    }
}

static double body_contact_energy(const void *instance, const mo_force_args *args, int64_t first,
                                  int64_t last)
{
    const mo_body_contacts *c = instance;
    int64_t from, to;
    double sum = 0;
    (void)args;
    entries_of(c, first, last, &from, &to);
    for (int64_t e = from; e < to; ++e) {
        const mo_body_contact *t = &c->laws[c->entries[e] / MO_BODY_NODES];
        sum += c->entries[e] % MO_BODY_NODES == 0
                   ? 0.5 * t->k * t->depth * t->depth + t->slip_energy
                   : 0;
    }
    return sum;
}

/* One contact per surface node, as any may occur; one on each side of open surfaces. The rows of
 * n n^T sum to at most sqrt 3, those of w to 2. */
static void body_contact_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                                   int64_t last, double *bound)
{
    const mo_body_contacts *c = instance;
    (void)args;
    for (int64_t p = point_from(c, first); p < point_from(c, last); ++p) {
        for (int k = 0; k < 3; ++k) {
            double most = fmax(c->points[p].k, c->bodies[c->points[p].body].k);
            bound[3 * (int64_t)c->points[p].row + k] += (c->two_sided ? 4 : 2) * sqrt(3) * most;
        }
    }
}

/* ---- the Jacobian ---- */

static uint64_t body_contact_coupling(const void *instance)
{
    return ((const mo_body_contacts *)instance)->number;
}

static mote_status body_contact_couple(const void *instance, const mo_force_args *args,
                                       mo_memory *memory, mo_block_pattern *pattern,
                                       mote_error *error)
{
    const mo_body_contacts *c = instance;
    (void)args;
    for (int64_t k = 0; k < c->set.count; ++k) {
        const mo_contact *t = &c->set.list[k];
        for (int i = 0; i < MO_BODY_NODES; ++i) {
            for (int j = i + 1; j < MO_BODY_NODES; ++j) {
                MO_TRY(mo_block_pattern_couple(memory, pattern, mo_contact_row(t, i),
                                               mo_contact_row(t, j), error));
            }
        }
    }
    return MOTE_OK;
}

/* Fraction of the secant of friction omitted along the slip, where it no longer grows with the
 * speed. Not all of it: without it corrections overshoot. */
static const double SLIDES = 0.8;

/* Minus the Jacobian of a contact without its weights. */
static void block_of(const mo_body_contacts *c, int64_t contact, const mo_jacobian_ask *ask,
                     double block[9])
{
    const mo_body_contact *t = &c->laws[contact];
    double tangential = ask->along_v * t->friction + ask->along_x * t->stiffness_t;
    double normal = ask->along_x * t->stiffness + ask->along_v * t->damping;
    mo_contact_block(c->set.list[contact].normal, t->slide, normal, tangential,
                     -(SLIDES * ask->along_v * t->friction), block);
}

/* Blocks are searched when the matrix is filled, since contacts are few and change often. */
static void body_contact_fill(const void *instance, const mo_force_args *args,
                              const mo_jacobian_ask *ask, mo_block_matrix *matrix, int64_t first,
                              int64_t last)
{
    const mo_body_contacts *c = instance;
    int64_t from, to;
    (void)args;
    entries_of(c, first, last, &from, &to);
    for (int64_t e = from; e < to; ++e) {
        int64_t contact = c->entries[e] / MO_BODY_NODES;
        const mo_contact *t = &c->set.list[contact];
        int i = c->entries[e] % MO_BODY_NODES;
        double block[9], own = mo_contact_weight(t, i);
        block_of(c, contact, ask, block);
        for (int j = 0; j < MO_BODY_NODES; ++j) {
            int64_t slot = mo_block_matrix_slot(matrix, mo_contact_row(t, i), mo_contact_row(t, j));
            double weight = own * mo_contact_weight(t, j);
            for (int n = 0; n < 9 && slot >= 0; ++n) {
                matrix->value[9 * slot + n] -= weight * block[n];
            }
        }
    }
}

static void body_contact_multiply(const void *instance, const mo_force_args *args,
                                  const mo_jacobian_ask *ask, const double *p, double *y,
                                  int64_t first, int64_t last)
{
    const mo_body_contacts *c = instance;
    int64_t from, to;
    (void)args;
    entries_of(c, first, last, &from, &to);
    for (int64_t e = from; e < to; ++e) {
        int64_t contact = c->entries[e] / MO_BODY_NODES;
        const mo_contact *t = &c->set.list[contact];
        int i = c->entries[e] % MO_BODY_NODES;
        double block[9], q[3], own = mo_contact_weight(t, i), *out = y + 3 * mo_contact_row(t, i);
        block_of(c, contact, ask, block);
        mo_vec3_store(q, mo_contact_difference(t, p, p));
        for (int n = 0; n < 9; ++n) {
            out[n % 3] -= own * block[n] * q[n / 3];
        }
    }
}

/* ---- removal of rows ---- */

static void remap_points(mo_body_contacts *c, const int64_t *map, int32_t *number)
{
    int64_t kept = 0;
    for (int64_t b = 0; b < c->body_count; ++b) {
        mo_contact_body *body = &c->bodies[b];
        int64_t from = body->first_point, to = from + body->point_count;
        body->first_point = kept;
        for (int64_t p = from; p < to; ++p) {
            mo_contact_point point = c->points[p];
            int64_t row = map[point.row];
            number[p] = row < 0 ? -1 : (int32_t)kept;
            point.row = (int32_t)row;
            if (row >= 0) {
                c->points[kept++] = point;
            }
        }
        body->point_count = kept - body->first_point;
    }
    c->point_count = kept;
}

static void remap_triangles(mo_body_contacts *c, const int32_t *number)
{
    int64_t kept = 0;
    for (int64_t t = 0; t < c->triangle_count; ++t) {
        mo_contact_triangle f = c->triangles[t];
        bool whole = true;
        for (int k = 0; k < 3; ++k) {
            f.point[k] = number[f.point[k]];
            whole = whole && f.point[k] >= 0;
            f.row[k] = whole ? c->points[f.point[k]].row : -1;
        }
        if (whole) {
            c->triangles[kept++] = f;
        }
    }
    c->triangle_count = kept;
}

/* Points and triangles are removed in place; only their new indices need memory. */
static mote_status body_contact_remap(void *instance, const int64_t *map, int64_t rows,
                                      mote_error *error)
{
    mo_body_contacts *c = instance;
    void *memory;
    (void)map;
    (void)rows;
    MO_TRY(mo_allocate_array(c->memory, c->point_count, sizeof(int32_t), &memory, error));
    c->renumbered = memory;
    return MOTE_OK;
}

static void body_contact_settle(void *instance, const int64_t *map)
{
    mo_body_contacts *c = instance;
    if (map) {
        remap_points(c, map, c->renumbered);
        remap_triangles(c, c->renumbered);
        mo_penetrations_remap(&c->penetrations, map);
        c->set.count = 0;
        c->position_count = 0;
        c->listed_count = 0;
        c->number++;
        if (c->start) {
            memset(c->start, 0, (size_t)(c->point_count + 1) * sizeof *c->start);
        }
    }
    mo_release(c->memory, c->renumbered);
    c->renumbered = NULL;
}

static const mo_force_jacobian JACOBIAN = {
    .derivatives = MO_DF_DX | MO_DF_DV,
    .couple = body_contact_couple,
    .fill = body_contact_fill,
    .multiply = body_contact_multiply,
    .coupling = body_contact_coupling,
};

static const mo_force_statics STATICS = {.accept = mo_body_contacts_accept};

static const mo_force_type BODY_CONTACT = {
    .base = {.name = "body_contact"},
    .destroy = mo_body_contacts_destroy,
    .prepare = body_contact_prepare,
    .add = body_contact_add,
    .energy = body_contact_energy,
    .stiffness = body_contact_stiffness,
    .remap = body_contact_remap,
    .settle = body_contact_settle,
    .jacobian = &JACOBIAN,
    .statics = &STATICS,
};

void mo_body_contacts_finish(mo_body_contacts *c, const double *bound, mo_force *force)
{
    c->gap = isnan(c->def.gap) ? 0.1 * c->reach : c->def.gap;
    c->onset = finds_volumes(c) ? 0 : c->gap;
    c->mean_edge = c->reach;
    c->reach = fmax(c->reach, 2 * c->gap);
    c->skin = 0.25 * c->reach;
    /* so that no triangle covers many cells */
    c->cell = fmax(2 * (c->reach + c->skin), c->longest / 4);
    c->side_range = fmin(fmax(0.5 * c->reach, 2 * c->gap), c->reach);
    for (int64_t p = 0; p < c->point_count; ++p) {
        const double *b = bound + 3 * (int64_t)c->points[p].row;
        c->points[p].k = c->def.stiffness * (b[0] + b[1] + b[2]) / 6;
    }
    for (int64_t b = 0; b < c->body_count; ++b) {
        mo_contact_body *body = &c->bodies[b];
        double sum = 0;
        for (int64_t p = 0; p < body->point_count; ++p) {
            sum += c->points[body->first_point + p].k;
        }
        body->k = sum / (double)body->point_count;
    }
    *force = (mo_force){.type = &BODY_CONTACT,
                        .instance = c,
                        .derivatives = JACOBIAN.derivatives,
                        .stride = 0.5 * (c->two_sided ? c->side_range : c->reach)};
}

/* ---- surfaces with two sides ---- */

static const mo_column_spec SIDES = {
    "contact_sides",
    MOTE_I32,
    MO_CONTACT_SIDES,
    MO_STATE,
    NULL,
    "numbers from 1 of the triangles nearby in body contact, negative behind them; 0: none"};

mote_status mo_body_contacts_declare(mo_body_contacts *c, mo_store *store, mote_error *error)
{
    return c->two_sided ? mo_store_declare(store, &SIDES, &c->sides, error) : MOTE_OK;
}

void mo_body_contacts_begin_step(mo_body_contacts *c)
{
    c->recording = c->two_sided;
}

/* No node may cross the range of a side in one step unnoticed. Speeds are relative to the mean
 * of all surfaces, and two nodes may approach each other. */
double mo_body_contacts_step(const mo_body_contacts *c, const double *v)
{
    mo_vec3 mean = {0, 0, 0};
    double fastest = 0;
    for (int64_t p = 0; p < c->point_count; ++p) {
        mean = mo_add_scaled(mean, 1.0 / (double)c->point_count,
                             mo_vec3_load(v + 3 * (int64_t)c->points[p].row));
    }
    for (int64_t p = 0; p < c->point_count; ++p) {
        mo_vec3 u = mo_sub(mo_vec3_load(v + 3 * (int64_t)c->points[p].row), mean);
        fastest = fmax(fastest, mo_dot(u, u));
    }
    return c->two_sided && fastest > 0 ? c->side_range / (2 * sqrt(fastest)) : 0;
}
