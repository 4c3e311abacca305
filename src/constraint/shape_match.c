/*
 * Shape matching (M. Mueller, B. Heidelberger, M. Teschner, M. Gross 2005): the rest shape of a
 * cluster of nodes, moved and deformed to fit its current positions, gives goal positions g_i, and
 * C_i = x_i - g_i is projected. With weights w, x and q relative to the weighted centres,
 *     A = sum w x q^T = R S                                rigid:      g = R q        (eq. 7)
 *     A_lin = A (sum w q q^T)^-1 / det^(1/3)               linear:     g = B q        (section 4.2)
 *     with the nine q~ = (q, squares, mixed products)      quadratic:  g = B~ q~      (section 4.3)
 * and B = beta A_lin + (1 - beta) R. Clusters are the whole body, or overlapping cubes; a node in
 * n clusters has the weight m/n in each and the mean of its goals, so that linear and angular
 * momentum are conserved. With xpbd the energy is 1/2 m |x - g|^2/compliance for each node: an
 * oscillation about the goal has the angular frequency 1/sqrt(compliance).
 *
 * Departs from the source: quadratic terms are relative to their weighted mean, which conserves
 * linear momentum; linear and quadratic fits of flat clusters, which are singular, are rigid.
 */
#include "constraint/problem.h"
#include "constraint/shape_fit.h"

#include <math.h>
#include <string.h>

enum { ROW_GRAIN = 2048 };

/* Weight of fixed nodes, in masses of the heaviest free one. */
static const double FIXED = 1e3;

typedef struct shape_match {
    mo_constraint_common common;
    const char *deformation;
    double beta, region;
} shape_match;

static const mo_param PARAMS[] = {
    {"stiffness", MO_REAL, MO_FIELD(shape_match, common.stiffness), .range = "[0, 1]",
     .doc = "Of pbd: fraction of the distance to the goals that the iterations of a substep "
            "remove together; default 1."},
    {"compliance", MO_REAL, MO_FIELD(shape_match, common.compliance), .unit = "s^2",
     .range = "[0, inf)",
     .doc = "Of xpbd: inverse square of the angular frequency about the goals; default 0."},
    {"deformation", MO_STRING, MO_FIELD(shape_match, deformation), .initial = "\"rigid\"",
     .choices = "rigid|linear|quadratic", .doc = "Deformations that the goals follow."},
    {"beta", MO_REAL, MO_FIELD(shape_match, beta), .range = "[0, 1]",
     .doc = "Of linear and quadratic: share of the deformation in the goals, the rest is rigid; "
            "default 0.5."},
    {"region", MO_REAL, MO_FIELD(shape_match, region), .unit = "m", .range = "(0, inf)",
     .doc = "Least spacing of overlapping clusters, boxes of twice this width; default: the whole "
            "body is one cluster."},
    {0}};

typedef struct matching {
    int64_t clusters, members, rows;
    int64_t *start;     /* cluster c has the members [start[c], start[c + 1]) */
    int32_t *row;       /* of a member */
    double *rest;       /* rest position of a member */
    double *weight;     /* of a member */
    double *goal;       /* of a member */
    mo_shape_fit *fits; /* of a cluster */
    int32_t *own;       /* the rows of the set */
    int64_t *use_start; /* own row k has the members use[use_start[k]], ... */
    int64_t *use;
    double *lambda; /* multiplier over mass, three components per own row [m] */
    bool is_ready;  /* weights and fits are those of the masses */
} matching;

static matching *matching_of(const mo_constraint_set *set)
{
    return set->data;
}

static void shape_match_release(mo_constraint_set *set)
{
    matching *m = set->data;
    mo_release(set->memory, m->start);
    mo_release(set->memory, m->row);
    mo_release(set->memory, m->rest);
    mo_release(set->memory, m->weight);
    mo_release(set->memory, m->goal);
    mo_release(set->memory, m->fits);
    mo_release(set->memory, m->own);
    mo_release(set->memory, m->use_start);
    mo_release(set->memory, m->use);
    mo_release(set->memory, m->lambda);
}

/* ---- clusters ---- */

static mote_status allocate(mo_constraint_set *set, int64_t clusters, int64_t members, int64_t rows,
                            mote_error *error)
{
    matching *m = mo_allocate(set->memory, sizeof *m);
    if (!m) {
        return mo_fail_memory(error, sizeof *m);
    }
    set->data = m;
    m->clusters = clusters;
    m->members = members;
    m->rows = rows;
    struct {
        void *to;
        int64_t count;
        size_t size;
    } list[] = {
        {&m->start, clusters + 1, sizeof(int64_t)}, {&m->row, members, sizeof(int32_t)},
        {&m->rest, 3 * members, sizeof(double)},    {&m->weight, members, sizeof(double)},
        {&m->goal, 3 * members, sizeof(double)},    {&m->fits, clusters, sizeof *m->fits},
        {&m->own, rows, sizeof(int32_t)},           {&m->use_start, rows + 1, sizeof(int64_t)},
        {&m->use, members, sizeof(int64_t)},        {&m->lambda, 3 * rows, sizeof(double)},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
        void *block;
        MO_TRY(mo_allocate_array(set->memory, list[k].count, list[k].size, &block, error));
        memcpy(list[k].to, &block, sizeof block);
    }
    return MOTE_OK;
}

/* The members of each own row; own rows ascend, and so do the members of a cluster. */
static void find_uses(matching *m)
{
    for (int64_t k = 0; k <= m->rows; ++k) {
        m->use_start[k] = 0;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int64_t n = 0; n < m->members; ++n) {
            int64_t low = 0, high = m->rows - 1;
            while (low < high) {
                int64_t middle = (low + high) / 2;
                if (m->own[middle] < m->row[n]) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if (pass == 0) {
                ++m->use_start[low + 1];
            } else {
                m->use[m->use_start[low]++] = n;
            }
        }
        for (int64_t k = 0; pass == 0 && k < m->rows; ++k) {
            m->use_start[k + 1] += m->use_start[k];
        }
    }
    for (int64_t k = m->rows; k > 0; --k) {
        m->use_start[k] = m->use_start[k - 1];
    }
    m->use_start[0] = 0;
}

/* Cells that divide the bounding box; a cluster is a window of two cells along each axis, or of the
 * only one. */
typedef struct lattice {
    double origin[3], width[3];
    int64_t cells[3], windows[3];
} lattice;

/* Window `which` of the node at x; -1: there is none. */
static int64_t window_of(const lattice *l, const double *x, int which)
{
    int64_t at[3];
    for (int k = 0; k < 3; ++k) {
        int64_t cell = (int64_t)((x[k] - l->origin[k]) / l->width[k]);
        cell = cell < 0 ? 0 : cell > l->cells[k] - 1 ? l->cells[k] - 1 : cell;
        at[k] = cell - (which >> k & 1);
        if (at[k] < 0 || at[k] >= l->windows[k]) {
            return -1;
        }
    }
    return (at[2] * l->windows[1] + at[1]) * l->windows[0] + at[0];
}

static mote_status make_lattice(const mo_mesh *mesh, double width, lattice *l, mote_error *error)
{
    double count = 1;
    for (int k = 0; k < 3; ++k) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int64_t n = 0; n < mesh->node_count; ++n) {
            low = fmin(low, mesh->nodes[3 * n + k]);
            high = fmax(high, mesh->nodes[3 * n + k]);
        }
        double cells = fmax(1, floor((high - low) / width * (1 + 1e-12)));
        count *= cells;
        if (count > 1e7) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "region: more than 1e7 clusters of %g m in a body of %g m", width,
                           high - low);
        }
        l->origin[k] = low;
        l->width[k] = high > low ? (high - low) / cells : 1;
        l->cells[k] = (int64_t)cells;
        l->windows[k] = l->cells[k] > 1 ? l->cells[k] - 1 : 1;
    }
    return MOTE_OK;
}

/* `size` receives the number of nodes of each window, then the cluster of each. */
static mote_status fill_clusters(mo_constraint_set *set, const mo_mesh *mesh, const lattice *l,
                                 int64_t *size, mote_error *error)
{
    int64_t windows = l->windows[0] * l->windows[1] * l->windows[2], clusters = 0, members = 0;
    for (int64_t n = 0; n < 8 * mesh->node_count; ++n) {
        int64_t window = window_of(l, mesh->nodes + 3 * (n / 8), (int)(n % 8));
        size[window < 0 ? 0 : window] += window >= 0;
    }
    for (int64_t c = 0; c < windows; ++c) {
        clusters += size[c] > 0;
        members += size[c];
    }
    MO_TRY(allocate(set, clusters, members, mesh->node_count, error));
    matching *m = set->data;
    clusters = members = 0;
    for (int64_t c = 0; c < windows; ++c) {
        int64_t count = size[c];
        size[c] = clusters;
        if (count > 0) {
            m->start[clusters++] = members;
            members += count;
        }
    }
    for (int64_t n = 0; n < 8 * mesh->node_count; ++n) {
        const double *x = mesh->nodes + 3 * (n / 8);
        int64_t window = window_of(l, x, (int)(n % 8));
        if (window >= 0) {
            int64_t at = m->start[size[window]]++;
            m->row[at] = (int32_t)(set->first + n / 8);
            memcpy(m->rest + 3 * at, x, 3 * sizeof(double));
        }
    }
    for (int64_t c = clusters; c > 0; --c) {
        m->start[c] = m->start[c - 1];
    }
    m->start[0] = 0;
    return MOTE_OK;
}

static mote_status shape_match_add(mo_constraint_set *set, const mo_mesh *mesh, mote_error *error)
{
    const shape_match *p = set->params;
    if (p->deformation[0] == 'r' && !isnan(p->beta)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "beta: goals of a rigid `deformation` have no share of deformation");
    }
    if (mesh->node_count < 2) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has a single node");
    }
    if (isnan(p->region)) {
        MO_TRY(allocate(set, 1, mesh->node_count, mesh->node_count, error));
        matching *m = set->data;
        m->start[1] = mesh->node_count;
        for (int64_t k = 0; k < mesh->node_count; ++k) {
            m->row[k] = (int32_t)(set->first + k);
        }
        memcpy(m->rest, mesh->nodes, (size_t)(3 * mesh->node_count) * sizeof(double));
    } else {
        lattice l;
        void *size;
        MO_TRY(make_lattice(mesh, p->region, &l, error));
        MO_TRY(mo_allocate_array(set->memory, l.windows[0] * l.windows[1] * l.windows[2],
                                 sizeof(int64_t), &size, error));
        mote_status status = fill_clusters(set, mesh, &l, size, error);
        mo_release(set->memory, size);
        MO_TRY(status);
    }
    matching *m = set->data;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        m->own[k] = (int32_t)(set->first + k);
    }
    find_uses(m);
    set->group_scale = mesh->spacing > 0 ? mesh->spacing : 1;
    return MOTE_OK;
}

/* ---- a substep ---- */

/* Weights, centres and moments of the rest shapes, from the inverse masses of p. */
static void prepare(const mo_constraint_set *set, const double *p)
{
    const shape_match *params = set->params;
    matching *m = set->data;
    double most = 0;
    for (int64_t k = 0; k < m->rows; ++k) {
        double w = p[4 * (int64_t)m->own[k] + 3];
        most = w > 0 ? fmax(most, 1 / w) : most;
    }
    for (int64_t k = 0; k < m->rows; ++k) {
        double w = p[4 * (int64_t)m->own[k] + 3], mass = w > 0 ? 1 / w : FIXED * fmax(most, 1e-30);
        int64_t uses = m->use_start[k + 1] - m->use_start[k];
        for (int64_t u = m->use_start[k]; u < m->use_start[k + 1]; ++u) {
            m->weight[m->use[u]] = mass / (double)uses;
        }
    }
    for (int64_t c = 0; c < m->clusters; ++c) {
        int64_t first = m->start[c];
        mo_shape_fit_begin(&m->fits[c], params->deformation[0],
                           isnan(params->beta) ? 0.5 : params->beta, m->start[c + 1] - first,
                           m->weight + first, m->rest + 3 * first);
    }
    m->is_ready = true;
}

typedef struct goals {
    const matching *m;
    const double *p;
} goals;

static void goal_range(void *context, int64_t first, int64_t last)
{
    const goals *g = context;
    const matching *m = g->m;
    for (int64_t c = first; c < last; ++c) {
        int64_t at = m->start[c];
        mo_shape_fit_goals(&m->fits[c], m->start[c + 1] - at, m->weight + at, m->rest + 3 * at,
                           m->row + at, g->p, m->goal + 3 * at);
    }
}

static void find_goals(const mo_constraint_set *set, mo_pool *pool, const double *p)
{
    const matching *m = matching_of(set);
    goals g = {m, p};
    if (!m->is_ready) {
        prepare(set, p);
    }
    mo_parallel_for(pool, m->clusters, 1, goal_range, &g);
}

/* The mean of the goals of own row k. */
static mo_vec3 mean_goal(const matching *m, int64_t k)
{
    mo_vec3 sum = {0, 0, 0};
    for (int64_t u = m->use_start[k]; u < m->use_start[k + 1]; ++u) {
        sum = mo_add(sum, mo_vec3_load(m->goal + 3 * m->use[u]));
    }
    return mo_scale(1 / (double)(m->use_start[k + 1] - m->use_start[k]), sum);
}

static mote_status shape_match_begin(mo_constraint_set *set, const mo_constraint_problem *problem,
                                     mote_error *error)
{
    matching *m = set->data;
    (void)problem, (void)error;
    memset(m->lambda, 0, (size_t)(3 * m->rows) * sizeof(double));
    return MOTE_OK;
}

typedef struct correcting {
    const matching *m;
    double *p;
    double factor, a; /* k, and compliance/h^2 */
} correcting;

static void correct_range(void *context, int64_t first, int64_t last)
{
    const correcting *c = context;
    for (int64_t k = first; k < last; ++k) {
        double *x = c->p + 4 * (int64_t)c->m->own[k], *l = c->m->lambda + 3 * k;
        mo_vec3 goal = mean_goal(c->m, k);
        for (int n = 0; x[3] > 0 && n < 3; ++n) {
            double change = c->factor * (mo_vec3_at(goal, n) - x[n] - c->a * l[n]) / (1 + c->a);
            l[n] += change;
            x[n] += change;
        }
    }
}

static double compliance_of(const mo_constraint_set *set)
{
    return set->extended ? mo_constraint_compliance(set) : 0;
}

static void shape_match_sweep(mo_constraint_set *set, const mo_constraint_problem *problem,
                              double factor)
{
    correcting c = {matching_of(set), problem->p, factor,
                    compliance_of(set) / (problem->h * problem->h)};
    find_goals(set, problem->pool, problem->p);
    mo_parallel_for(problem->pool, c.m->rows, ROW_GRAIN, correct_range, &c);
}

/* ---- sums ---- */

static void shape_match_residual(const mo_constraint_set *set, const mo_constraint_problem *problem,
                                 double sums[3])
{
    const matching *m = matching_of(set);
    double a = compliance_of(set) / (problem->h * problem->h);
    find_goals(set, problem->pool, problem->p);
    sums[0] = sums[1] = 0;
    sums[2] = (double)m->rows;
    for (int64_t k = 0; k < m->rows; ++k) {
        const double *x = problem->p + 4 * (int64_t)m->own[k];
        mo_vec3 c = mo_sub(mo_vec3_load(x), mean_goal(m, k));
        double r =
            mo_length(mo_add_scaled(c, a, mo_vec3_load(m->lambda + 3 * k))) / set->group_scale;
        r = x[3] > 0 ? r : 0;
        sums[0] = fmax(sums[0], r);
        sums[1] += r * r;
    }
}

static double shape_match_energy(const mo_constraint_set *set, mo_pool *pool, const double *p)
{
    const matching *m = matching_of(set);
    double sum = 0, a = compliance_of(set);
    if (!(a > 0)) {
        return 0;
    }
    find_goals(set, pool, p);
    for (int64_t k = 0; k < m->rows; ++k) {
        const double *x = p + 4 * (int64_t)m->own[k];
        mo_vec3 c = mo_sub(mo_vec3_load(x), mean_goal(m, k));
        sum += x[3] > 0 ? 0.5 * mo_dot(c, c) / (a * x[3]) : 0;
    }
    return sum;
}

/* ---- removed rows ---- */

static mote_status shape_match_remap(const mo_constraint_set *set, const int64_t *map, int64_t rows,
                                     mo_constraint_set *to, mote_error *error)
{
    const matching *from = matching_of(set);
    int64_t members = 0, own = 0;
    (void)rows;
    for (int64_t n = 0; n < from->members; ++n) {
        members += map[from->row[n]] >= 0;
    }
    for (int64_t k = 0; k < from->rows; ++k) {
        own += map[from->own[k]] >= 0;
    }
    MO_TRY(allocate(to, from->clusters, members, own, error));
    matching *m = to->data;
    members = own = 0;
    for (int64_t c = 0; c < from->clusters; ++c) {
        for (int64_t n = from->start[c]; n < from->start[c + 1]; ++n) {
            if (map[from->row[n]] >= 0) {
                m->row[members] = (int32_t)map[from->row[n]];
                memcpy(m->rest + 3 * members++, from->rest + 3 * n, 3 * sizeof(double));
            }
        }
        m->start[c + 1] = members;
    }
    for (int64_t k = 0; k < from->rows; ++k) {
        if (map[from->own[k]] >= 0) {
            m->own[own++] = (int32_t)map[from->own[k]];
        }
    }
    if (own > 0) {
        find_uses(m);
    }
    to->group_scale = set->group_scale;
    return MOTE_OK;
}

static const mo_constraint_group GROUP = {.sweep = shape_match_sweep,
                                          .residual = shape_match_residual,
                                          .energy = shape_match_energy,
                                          .remap = shape_match_remap,
                                          .release = shape_match_release};

const mo_constraint_type mo_constraint_shape_match = {
    .base = {.name = "shape_match",
             .summary = "Goal positions from the rest shape fitted to clusters of nodes: rigid, "
                        "linear or quadratic.",
             .citation = "M. Mueller, B. Heidelberger, M. Teschner, M. Gross 2005, ACM Trans. "
                         "Graph. 24, 471; A. Rivers, D. James 2007, ACM Trans. Graph. 26, 82 "
                         "(weights of overlapping clusters)",
             .departs = "Quadratic terms are relative to their weighted mean, so that linear "
                        "momentum is conserved; flat clusters have rigid goals.",
             .capabilities = MO_CONSTRAINT_PBD | MO_CONSTRAINT_XPBD,
             .param_size = sizeof(shape_match),
             .params = PARAMS},
    .add = shape_match_add,
    .begin = shape_match_begin,
    .group = &GROUP,
};
