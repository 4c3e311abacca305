/*
 * A tree code (J. Barnes, P. Hut 1986, Nature 324, 446) with quadrupoles (L. Hernquist 1987), for
 * open domains. All particles of a leaf share one walk (J. Barnes 1990): a node is accepted if its
 * radius is below `angle` times its distance from the ball around the leaf, so that the criterion
 * holds for each of them. About the node's centre of |q|, with d from there to the particle and
 * s = 1/sqrt(d^2 + softening^2):
 *     phi = q s + p.d s^3 + 3/2 d'S d s^5 - 1/2 tr(S) s^3.
 * Forces of the particles are not exactly opposite: momentum is conserved up to the accuracy.
 * Departs from the papers in the centre of the moments, that of |q|, and in the dipole.
 */
#include "particle/long_range/long_range.h"
#include "particle/long_range/octree.h"
#include "particle/long_range/sources.h"

/* Accepted nodes and near particles collected before they are summed; the depth of the walk. */
enum { NODES = 256, POINTS = 1024, STACK = 8 * MO_OCTREE_LEVELS + 8 };

static const mo_param PARAMS[] = {
    {"angle", MO_REAL, MO_FIELD(mo_tree_params, angle), .initial = "0.5", .range = "(0, 1]",
     .doc = "Opening angle: the ratio of radius and distance below which a node acts by its "
            "moments."},
    {0}};

typedef struct tree {
    mo_memory *memory;
    double angle, softening;
    mo_octree octree;
} tree;

static mote_status tree_create(const void *params, const mo_long_range_setup *setup,
                               void **instance, double *range, mote_error *error)
{
    tree *t = mo_allocate(setup->memory, sizeof *t);
    if (!t) {
        return mo_fail_memory(error, sizeof *t);
    }
    t->memory = setup->memory;
    t->angle = ((const mo_tree_params *)params)->angle;
    t->softening = setup->softening;
    mo_octree_init(&t->octree, setup->memory);
    *instance = t;
    *range = 0;
    return MOTE_OK;
}

static void tree_destroy(void *instance)
{
    tree *t = instance;
    mo_octree_release(&t->octree);
    mo_release(t->memory, t);
}

/* ---- sums for the particles of one leaf ---- */

typedef struct walk {
    const tree *tree;
    mo_long_range_output *out;
    double soft_square;
    bool measure;
} walk;

typedef struct group {
    const walk *walk;
    const mo_octree_node *leaf;
    int nodes, points;
    double center[3][NODES], moment[MO_OCTREE_MOMENTS][NODES], size[NODES];
    double x[POINTS], y[POINTS], z[POINTS], q[POINTS];
    mo_source_sums sums[MO_OCTREE_LEAF];
} group;

/* The field of four nodes at one particle. */
MO_INLINE void add_nodes(const group *g, int k, const double at[3], mo_d4 sums[5])
{
    mo_d4 d[3], m[MO_OCTREE_MOMENTS];
    for (int a = 0; a < 3; ++a) {
        d[a] = at[a] - mo_d4_load(g->center[a] + k);
    }
    for (int n = 0; n < MO_OCTREE_MOMENTS; ++n) {
        m[n] = mo_d4_load(g->moment[n] + k);
    }
    mo_d4 square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    mo_d4 s2 = 1 / (square + g->walk->soft_square), s = mo_d4_sqrt(s2), s3 = s * s2, s5 = s3 * s2;
    const mo_d4 v[3] = {m[4] * d[0] + m[7] * d[1] + m[8] * d[2],
                        m[7] * d[0] + m[5] * d[1] + m[9] * d[2],
                        m[8] * d[0] + m[9] * d[1] + m[6] * d[2]};
    mo_d4 dipole = m[1] * d[0] + m[2] * d[1] + m[3] * d[2];
    mo_d4 second = v[0] * d[0] + v[1] * d[1] + v[2] * d[2], trace = m[4] + m[5] + m[6];
    /* -grad phi */
    mo_d4 along = m[0] * s3 + 3 * dipole * s5 + s5 * (7.5 * second * s2 - 1.5 * trace);
    for (int a = 0; a < 3; ++a) {
        sums[a] += along * d[a] - m[1 + a] * s3 - 3 * s5 * v[a];
    }
    mo_d4 phi = m[0] * s + dipole * s3 + 1.5 * second * s5 - 0.5 * trace * s3;
    sums[3] += phi;
    sums[4] += mo_d4_load(g->size + k) * s3;
}

static void sum_nodes(group *g)
{
    const mo_scaled *p = &g->walk->tree->octree.points;
    while (g->nodes % 4 != 0) { /* far away, without charge */
        for (int a = 0; a < 3; ++a) {
            g->center[a][g->nodes] = 8;
        }
        for (int n = 0; n < MO_OCTREE_MOMENTS; ++n) {
            g->moment[n][g->nodes] = 0;
        }
        g->size[g->nodes++] = 0;
    }
    for (int i = 0; i < g->leaf->count; ++i) {
        int64_t k = g->leaf->first + i;
        const double at[3] = {p->x[k], p->y[k], p->z[k]};
        mo_source_sums *t = &g->sums[i];
        mo_d4 sums[5] = {t->x.lo, t->y.lo, t->z.lo, t->potential.lo, t->gradient.lo};
        for (int n = 0; n < g->nodes; n += 4) {
            add_nodes(g, n, at, sums);
        }
        t->x.lo = sums[0];
        t->y.lo = sums[1];
        t->z.lo = sums[2];
        t->potential.lo = sums[3];
        t->gradient.lo = sums[4];
    }
    g->nodes = 0;
}

static void sum_points(group *g)
{
    const mo_scaled *p = &g->walk->tree->octree.points;
    while (g->points % MO_WIDE != 0) {
        g->x[g->points] = g->y[g->points] = g->z[g->points] = g->q[g->points] = 0;
        ++g->points;
    }
    const mo_sources near = {g->x, g->y, g->z, g->q, g->points};
    for (int i = 0; i < g->leaf->count; ++i) {
        int64_t k = g->leaf->first + i;
        const double at[3] = {p->x[k], p->y[k], p->z[k]};
        if (g->walk->measure) {
            mo_sources_add(&near, 0, near.count, at, g->walk->soft_square, true, &g->sums[i]);
        } else {
            mo_sources_add(&near, 0, near.count, at, g->walk->soft_square, false, &g->sums[i]);
        }
    }
    g->points = 0;
}

static void take_node(group *g, const mo_octree_node *n)
{
    int at = g->nodes++;
    for (int a = 0; a < 3; ++a) {
        g->center[a][at] = n->center[a];
    }
    for (int k = 0; k < MO_OCTREE_MOMENTS; ++k) {
        g->moment[k][at] = n->moment[k];
    }
    g->size[at] = n->size;
    if (g->nodes == NODES) {
        sum_nodes(g);
    }
}

static void take_points(group *g, const mo_octree_node *n)
{
    const mo_scaled *p = &g->walk->tree->octree.points;
    for (int32_t k = n->first; k < n->first + n->count; ++k) {
        int at = g->points++;
        g->x[at] = p->x[k];
        g->y[at] = p->y[k];
        g->z[at] = p->z[k];
        g->q[at] = p->q[k];
        if (g->points == POINTS) {
            sum_points(g);
        }
    }
}

static bool accepts(const group *g, const mo_octree_node *n)
{
    double square = 0;
    for (int a = 0; a < 3; ++a) {
        double d = n->center[a] - g->leaf->center[a];
        square += d * d;
    }
    double reach = n->radius / g->walk->tree->angle + g->leaf->radius;
    return square > reach * reach;
}

static void walk_tree(group *g)
{
    const mo_octree *t = &g->walk->tree->octree;
    int32_t stack[STACK];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const mo_octree_node *n = &t->nodes[stack[--depth]];
        if (n != g->leaf && accepts(g, n)) {
            take_node(g, n);
        } else if (n->degree == 0) {
            take_points(g, n);
        } else {
            for (int k = n->degree - 1; k >= 0; --k) {
                stack[depth++] = n->children + k;
            }
        }
    }
    sum_nodes(g);
    sum_points(g);
}

/* ---- hooks ---- */

static void write_leaf(const group *g, double *partial)
{
    const walk *w = g->walk;
    const mo_scaled *p = &w->tree->octree.points;
    bool own = w->soft_square > MO_SOURCES_COINCIDENT;
    double at_zero = own ? 1 / sqrt(w->soft_square) : 0, scale = p->scale;
    for (int i = 0; i < g->leaf->count; ++i) {
        int64_t k = g->leaf->first + i, row = w->tree->octree.order[k];
        const mo_source_sums *t = &g->sums[i];
        double q = p->q[k], size = fabs(q);
        const double at[3] = {p->x[k], p->y[k], p->z[k]};
        const double sum[3] = {mo_d8_total(t->x), mo_d8_total(t->y), mo_d8_total(t->z)};
        for (int a = 0; a < 3; ++a) {
            w->out->force[3 * row + a] += q * scale * scale * sum[a];
            partial[1] += q * scale * at[a] * sum[a]; /* of pairs: sum of x . f */
        }
        partial[0] += 0.5 * q * scale * (mo_d8_total(t->potential) - q * at_zero);
        if (w->measure) {
            w->out->gradient[row] = size * scale * scale * scale *
                                    (mo_d8_total(t->gradient) - size * at_zero * at_zero * at_zero);
        }
    }
}

/* A leaf at the deepest level may have more particles than a group: coincident ones. */
static void tree_leaves(void *context, int64_t first, int64_t last, double *partial)
{
    const walk *w = context;
    group g;
    partial[0] = partial[1] = 0;
    for (int64_t k = first; k < last; ++k) {
        mo_octree_node leaf = w->tree->octree.nodes[w->tree->octree.leaves[k]];
        int32_t end = leaf.first + leaf.count;
        for (; leaf.first < end; leaf.first += MO_OCTREE_LEAF) {
            leaf.count = end - leaf.first < MO_OCTREE_LEAF ? end - leaf.first : MO_OCTREE_LEAF;
            g.walk = w;
            g.leaf = &leaf;
            g.nodes = g.points = 0;
            memset(g.sums, 0, sizeof g.sums);
            walk_tree(&g);
            write_leaf(&g, partial);
        }
    }
}

static mote_status tree_evaluate(void *instance, const mo_long_range_input *in,
                                 mo_long_range_output *out, mo_pool *pool, mote_error *error)
{
    tree *t = instance;
    double sums[2];
    MO_TRY(mo_octree_build(&t->octree, in->rows, in->x, in->charge, pool, error));
    double soft = t->softening * t->octree.points.scale;
    walk w = {t, out, soft * soft, in->measure};
    MO_TRY(
        mo_parallel_reduce(pool, t->octree.leaf_count, 4, MO_SUM, 2, tree_leaves, &w, sums, error));
    out->energy = sums[0];
    out->virial = sums[1];
    return MOTE_OK;
}

const mo_long_range_type mo_long_range_tree = {
    .base = {.name = "tree",
             .summary = "Barnes-Hut tree code with quadrupoles for open domains: O(N log N).",
             .citation =
                 "J. Barnes, P. Hut 1986, Nature 324, 446; L. Hernquist 1987, ApJS 64, 715; "
                 "J. Barnes 1990, J. Comput. Phys. 87, 161",
             .departs = "Moments are about the centre of |q| and contain the dipole, so that "
                        "charges of both signs are allowed.",
             .capabilities = MO_LONG_RANGE_OPEN | MO_PORTABLE,
             .param_size = sizeof(mo_tree_params),
             .params = PARAMS},
    .create = tree_create,
    .destroy = tree_destroy,
    .evaluate = tree_evaluate,
};
