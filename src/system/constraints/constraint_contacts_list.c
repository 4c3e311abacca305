/* Groups of clusters and their lists of pairs of features (constraint_contacts.h). */
#include "system/constraints/constraint_contacts.h"
#include "system/constraints/feature_distance.h"

#include <string.h>

enum { GRAIN = 16, GROUP_GRAIN = 256, FEWEST = 8192, CORNERS = 3, MEASURE_GRAIN = 1024 };

/* Slack of a group, in edges, and how many substeps of its present motion it should last; those
 * without near features cost nothing in between and may last longer. Groups that move by more than
 * LARGEST edges in a substep are listed for it alone. */
static const double SLACK = 0.25, AHEAD = 1.2, AHEAD_EMPTY = 8, LARGEST = 1.5;
/* Pairs nearer than the thickness in the rest shape keep this part of their distance there. */
static const double REST = 0.9, TOUCHING = 1e-6;
static const double ROUNDED = 1 + 1e-9;

static double thickness_between(const mo_constraint_contacts *c, const mo_surface_group *g)
{
    return 0.5 * (c->clusters[g->a].thickness + c->clusters[g->b].thickness);
}

/* Swaps two arrays (pointers to pointers) and their capacities. */
static void swap_arrays(void *first, int64_t *first_capacity, void *second,
                        int64_t *second_capacity)
{
    void *a, *b;
    memcpy(&a, first, sizeof a);
    memcpy(&b, second, sizeof b);
    memcpy(first, &b, sizeof b);
    memcpy(second, &a, sizeof a);
    int64_t capacity = *first_capacity;
    *first_capacity = *second_capacity;
    *second_capacity = capacity;
}

/* ---- the groups ---- */

/* Octal digits with room for those of another number between them. */
static uint64_t spread(int32_t cluster)
{
    uint64_t x = (uint64_t)cluster;
    x = (x | x << 12) & UINT64_C(0x0000000fff000fff);
    x = (x | x << 6) & UINT64_C(0x000003f03f03f03f);
    return (x | x << 3) & UINT64_C(0x00001c71c71c71c7);
}

/* The search finds pairs in the order of these keys. */
static uint64_t key_of(int32_t a, int32_t b)
{
    return spread(a) << 3 | spread(b);
}

static mo_surface_group new_group(int32_t a, int32_t b)
{
    return (mo_surface_group){.a = a, .b = b, .slack = -1};
}

/* The groups found, with the lists that they have. */
static mote_status merge_groups(mo_constraint_contacts *c, mote_error *error)
{
    int64_t own = c->cluster_count, found = c->search.count, old = c->group_count > 0 ? own : 0;
    MO_TRY(mo_reserve(c->memory, &c->next, &c->next_capacity, own + found, sizeof *c->next, error));
    for (int64_t k = 0; k < own; ++k) {
        c->next[k] = c->group_count > 0 ? c->groups[k] : new_group((int32_t)k, (int32_t)k);
    }
    for (int64_t k = 0; k < found; ++k) {
        int32_t a = c->search.pairs[k].a, b = c->search.pairs[k].b;
        uint64_t key = key_of(a, b);
        while (old < c->group_count && key_of(c->groups[old].a, c->groups[old].b) < key) {
            ++old;
        }
        bool kept = old < c->group_count && c->groups[old].a == a && c->groups[old].b == b;
        c->next[own + k] = kept ? c->groups[old] : new_group(a, b);
    }
    swap_arrays(&c->groups, &c->group_capacity, &c->next, &c->next_capacity);
    c->group_count = own + found;
    return MOTE_OK;
}

static mote_status search_groups(mo_constraint_contacts *c, mote_error *error)
{
    mo_surface_clusters_allow(c);
    mo_simplices set = mo_simplices_of_boxes(c->cluster_count, c->allowed);
    mo_hierarchy_refit(&c->tree, &set, c->pool);
    MO_TRY(mo_pair_search_run(&c->search, &c->tree, &c->tree, NULL, NULL, NULL, c->pool, error));
    return merge_groups(c, error);
}

/* ---- motion ---- */

static void motion_range(void *context, int64_t first, int64_t last)
{
    mo_constraint_contacts *c = context;
    for (int64_t k = first; k < last; ++k) {
        mo_surface_group *g = &c->groups[k];
        g->motion = ROUNDED * mo_cluster_motion_between(c, g->a, g->b);
    }
}

/* The motion of the last substep, and of whatever has moved rows since then. */
static void advance_groups(mo_constraint_contacts *c)
{
    size_t bytes = (size_t)(4 * c->rows) * sizeof *c->start;
    if (!c->settled || memcmp(c->ended, c->start, bytes) != 0) {
        mo_surface_clusters_move(c, c->last, c->start);
        mo_parallel_for(c->pool, c->group_count, GROUP_GRAIN, motion_range, c);
    }
    for (int64_t k = 0; k < c->group_count; ++k) {
        c->groups[k].moved += c->groups[k].motion;
    }
}

/* ---- features of a group ---- */

/* The pair of bit `bit` of word `word` of the masks of a group. */
static mo_surface_pair pair_at(const mo_constraint_contacts *c, const mo_surface_group *g, int word,
                               int bit)
{
    bool edges = word < MO_CLUSTER_EDGES, swapped = word >= 2 * MO_CLUSTER_EDGES;
    int32_t a = swapped ? g->b : g->a, b = swapped ? g->a : g->b;
    int n = word % MO_CLUSTER_EDGES;
    mo_surface_pair pair = {.kind = edges ? MO_EDGE_EDGE : MO_VERTEX_TRIANGLE};
    int32_t first = edges ? c->clusters[a].edge[n] : c->clusters[a].vertex[n];
    int32_t second = edges ? c->clusters[b].edge[bit] : CORNERS * (MO_CLUSTER * b + bit);
    const mo_surface_cell *f = &c->cells[first / CORNERS], *s = &c->cells[second / CORNERS];
    pair.body[0] = f->body;
    pair.body[1] = s->body;
    pair.row[0] = f->row[first % CORNERS];
    if (edges) {
        pair.row[1] = f->row[(first + 1) % CORNERS];
        pair.row[2] = s->row[second % CORNERS];
        pair.row[3] = s->row[(second + 1) % CORNERS];
    } else {
        memcpy(pair.row + 1, s->row, sizeof s->row);
    }
    return pair;
}

static bool is_movable(const mo_constraint_contacts *c, const mo_surface_pair *q)
{
    return c->start[4 * (int64_t)q->row[0] + 3] > 0 || c->start[4 * (int64_t)q->row[1] + 3] > 0 ||
           c->start[4 * (int64_t)q->row[2] + 3] > 0 || c->start[4 * (int64_t)q->row[3] + 3] > 0;
}

static double distance_of(const mo_constraint_contacts *c, const mo_surface_pair *q)
{
    mo_vec3 x[4];
    mo_surface_pair_load(q, c->start, x);
    return mo_proximity_of(q->kind, x).distance;
}

double mo_surface_pair_motion(const mo_constraint_contacts *c, const mo_surface_pair *q)
{
    int split = q->kind == MO_EDGE_EDGE ? 2 : 1;
    mo_vec3 d[4];
    double most = 0;
    for (int n = 0; n < 4; ++n) {
        d[n] = mo_sub(mo_vec3_load(c->p + 4 * (int64_t)q->row[n]),
                      mo_vec3_load(c->start + 4 * (int64_t)q->row[n]));
    }
    for (int a = 0; a < split; ++a) {
        for (int b = split; b < 4; ++b) {
            mo_vec3 u = mo_sub(d[a], d[b]);
            double square = mo_dot(u, u);
            most = square > most ? square : most;
        }
    }
    return sqrt(most);
}

/* Whether a pair is listed; of a momentary group only on a path that leads near. */
static bool is_listed(const mo_constraint_contacts *c, const mo_surface_group *g,
                      const mo_surface_pair *q)
{
    if ((q->body[0] == q->body[1] && !c->bodies[q->body[0]].self) || !is_movable(c, q)) {
        return false;
    }
    return !g->momentary ||
           distance_of(c, q) <=
               ROUNDED * (mo_surface_pair_motion(c, q) + MO_SURFACE_NEAR * thickness_between(c, g));
}

/* Slack for the present motion. */
static void set_slack(const mo_constraint_contacts *c, mo_surface_group *g)
{
    double edge = 0.5 * (c->clusters[g->a].mean + c->clusters[g->b].mean), motion = g->motion;
    g->momentary = !(motion <= LARGEST * edge);
    double ahead = (g->count > 0 ? AHEAD : AHEAD_EMPTY) * motion;
    g->slack = g->momentary ? motion : fmax(SLACK * edge, fmin(ahead, LARGEST * edge));
    g->moved = 0;
    g->count = 0;
    g->least = 0;
}

static bool never_meets(const mo_constraint_contacts *c, const mo_surface_group *g)
{
    int32_t a = c->clusters[g->a].body, b = c->clusters[g->b].body;
    return a >= 0 && a == b && !c->bodies[a].self;
}

static void near_range(void *context, int64_t first, int64_t last)
{
    mo_constraint_contacts *c = context;
    for (int64_t k = first; k < last; ++k) {
        mo_surface_group *g = &c->groups[c->stale[k]];
        uint32_t *near = c->near + MO_NEAR_WORDS * k;
        set_slack(c, g);
        double reach = MO_SURFACE_NEAR * thickness_between(c, g),
               gap = (double)mo_cluster_gap(&c->features[g->a], &c->features[g->b]) - c->rounding;
        if (never_meets(c, g) || gap > reach + g->slack) {
            g->slack = never_meets(c, g) ? (double)INFINITY : gap - reach;
            g->least = (double)INFINITY;
            g->momentary = false;
            continue;
        }
        mo_cluster_near(&c->features[g->a], &c->features[g->b],
                        (float)(reach + g->slack + c->rounding), near);
        for (int word = 0; word < MO_NEAR_WORDS; ++word) {
            if (g->a == g->b && word < MO_CLUSTER_EDGES) {
                near[word] &= ~((UINT32_C(2) << word) - 1); /* each pair once */
            }
            for (uint32_t bits = near[word]; bits; bits &= bits - 1) {
                int bit = __builtin_ctz(bits);
                mo_surface_pair pair = pair_at(c, g, word, bit);
                bool listed = is_listed(c, g, &pair);
                near[word] &= ~((uint32_t)!listed << bit);
                g->count += listed;
            }
        }
    }
}

/* Nodes that are close in the rest shape of a body are not pushed beyond that. */
static double thickness_of(const mo_constraint_contacts *c, const mo_surface_pair *pair)
{
    const mo_surface_body *a = &c->bodies[pair->body[0]], *b = &c->bodies[pair->body[1]];
    double thickness = 0.5 * (a->thickness + b->thickness);
    if (a == b && c->crowded) {
        mo_vec3 x[4];
        for (int n = 0; n < 4; ++n) {
            x[n] = mo_vec3_load(c->rest + 3 * (int64_t)pair->row[n]);
        }
        /* no point of a feature is farther than an edge from any of its corners */
        double reach = thickness + 2 * c->longest;
        mo_vec3 between = mo_sub(x[3], x[0]);
        if (mo_dot(between, between) > reach * reach) {
            return thickness;
        }
        double rest = mo_proximity_of(pair->kind, x).distance;
        thickness = rest < TOUCHING * a->edge ? 0 : fmin(thickness, REST * rest);
    }
    return thickness;
}

static void fill_range(void *context, int64_t first, int64_t last)
{
    mo_constraint_contacts *c = context;
    for (int64_t k = first; k < last; ++k) {
        mo_surface_group *g = &c->groups[c->stale[k]];
        const uint32_t *near = c->near + MO_NEAR_WORDS * k;
        mo_surface_pair *out = c->pairs + g->first;
        for (int word = 0; g->count > 0 && word < MO_NEAR_WORDS; ++word) {
            for (uint32_t bits = near[word]; bits; bits &= bits - 1) {
                *out = pair_at(c, g, word, __builtin_ctz(bits));
                out->thickness = thickness_of(c, out);
                /* the distance is not known yet; pairs without a thickness are not looked at */
                c->bounds[out - c->pairs] = (mo_pair_bound){out->thickness > 0 ? 0 : INFINITY,
                                                            (float)out->thickness * (1 + 1e-6f)};
                ++out;
            }
        }
    }
}

/* ---- lists ---- */

/* Removes the pairs of former lists, if they are most of them. */
static mote_status compact_pairs(mo_constraint_contacts *c, mote_error *error)
{
    int64_t live = 0;
    for (int64_t k = 0; k < c->group_count; ++k) {
        live += c->groups[k].slack < 0 ? 0 : c->groups[k].count;
    }
    if (c->pair_count <= 2 * live + FEWEST) {
        return MOTE_OK;
    }
    MO_TRY(mo_reserve(c->memory, &c->spare, &c->spare_capacity, live, sizeof *c->spare, error));
    MO_TRY(mo_reserve(c->memory, &c->spare_bounds, &c->spare_bound_capacity, live,
                      sizeof *c->spare_bounds, error));
    int64_t count = 0;
    for (int64_t k = 0; k < c->group_count; ++k) {
        mo_surface_group *g = &c->groups[k];
        if (g->slack >= 0) {
            memcpy(c->spare + count, c->pairs + g->first, (size_t)g->count * sizeof *c->spare);
            memcpy(c->spare_bounds + count, c->bounds + g->first,
                   (size_t)g->count * sizeof *c->spare_bounds);
            g->first = count;
            count += g->count;
        }
    }
    swap_arrays(&c->pairs, &c->pair_capacity, &c->spare, &c->spare_capacity);
    swap_arrays(&c->bounds, &c->bound_capacity, &c->spare_bounds, &c->spare_bound_capacity);
    c->pair_count = count;
    return MOTE_OK;
}

/* The groups whose lists do not hold for the present paths. */
static mote_status find_stale(mo_constraint_contacts *c, mote_error *error)
{
    MO_TRY(mo_reserve(c->memory, &c->stale, &c->stale_capacity, c->group_count, sizeof *c->stale,
                      error));
    memset(c->wanted, 0, (size_t)c->cluster_count);
    c->stale_count = 0;
    mo_parallel_for(c->pool, c->group_count, GROUP_GRAIN, motion_range, c);
    for (int64_t k = 0; k < c->group_count; ++k) {
        mo_surface_group *g = &c->groups[k];
        if (g->momentary || !(g->moved + g->motion <= g->slack)) {
            g->slack = -1;
            c->stale[c->stale_count++] = (int32_t)k;
            c->wanted[g->a] = c->wanted[g->b] = 1;
        }
    }
    return MOTE_OK;
}

static mote_status renew_lists(mo_constraint_contacts *c, mote_error *error)
{
    MO_TRY(find_stale(c, error));
    if (c->stale_count == 0) {
        return MOTE_OK;
    }
    MO_TRY(compact_pairs(c, error));
    MO_TRY(mo_reserve(c->memory, &c->near, &c->mask_capacity, MO_NEAR_WORDS * c->stale_count,
                      sizeof *c->near, error));
    mo_surface_clusters_place(c);
    mo_parallel_for(c->pool, c->stale_count, GRAIN, near_range, c);
    int64_t sum = c->pair_count;
    for (int64_t k = 0; k < c->stale_count; ++k) {
        mo_surface_group *g = &c->groups[c->stale[k]];
        g->first = sum;
        sum += g->count;
    }
    MO_TRY(mo_reserve(c->memory, &c->pairs, &c->pair_capacity, sum, sizeof *c->pairs, error));
    MO_TRY(mo_reserve(c->memory, &c->bounds, &c->bound_capacity, sum, sizeof *c->bounds, error));
    mo_parallel_for(c->pool, c->stale_count, GRAIN, fill_range, c);
    c->pair_count = sum;
    c->lists += c->stale_count;
    return MOTE_OK;
}

/* Positions in single precision, relative to the middle. */
static void place_rows(mo_constraint_contacts *c)
{
    mo_box box = mo_box_empty();
    for (int64_t k = 0; k < c->cluster_count; ++k) {
        mo_box_grow(&box, c->start + 4 * (int64_t)c->cluster_rows[c->clusters[k].rows]);
    }
    mo_vec3 low = mo_vec3_load(box.low), high = mo_vec3_load(box.high);
    mo_vec3 middle = mo_scale(0.5, mo_add(low, high));
    c->rounding = 1e-6 * (mo_length(mo_sub(high, low)) + c->longest);
    for (int64_t row = 0; row < c->rows; ++row) {
        for (int k = 0; k < 3; ++k) {
            c->place[4 * row + k] = (float)(c->start[4 * row + k] - mo_vec3_at(middle, k));
        }
    }
}

mote_status mo_constraint_contacts_list(mo_constraint_contacts *c, bool again, mote_error *error)
{
    if (!again) {
        if (c->listed) {
            advance_groups(c);
        }
        memcpy(c->last, c->start, (size_t)(4 * c->rows) * sizeof *c->last);
        c->settled = false;
        place_rows(c);
    }
    mo_surface_clusters_move(c, c->start, c->p);
    if (!mo_surface_clusters_bound(c, again)) {
        MO_TRY(search_groups(c, error));
    }
    c->listed = true;
    return renew_lists(c, error);
}

/* ---- pairs of the present paths ---- */

typedef struct choosing {
    mo_constraint_contacts *c;
    double near;
    bool fill;
} choosing;

static void choose_range(void *context, int64_t first, int64_t last)
{
    const choosing *s = context;
    mo_constraint_contacts *c = s->c;
    int64_t *count = &c->counts[first / GROUP_GRAIN], at = s->fill ? *count : 0;
    for (int64_t k = first; k < last; ++k) {
        mo_surface_group *g = &c->groups[k];
        double rel = g->motion, motion = g->moved + rel;
        if (g->least - motion > s->near * thickness_between(c, g)) {
            continue;
        }
        float least = INFINITY, near = (float)s->near, by = (float)motion * (1 + 1e-6f);
        for (int64_t n = g->first; n < g->first + g->count; ++n) {
            mo_pair_bound q = c->bounds[n];
            bool is = q.distance - by <= near * q.thickness;
            least = q.distance < least ? q.distance : least;
            if (is && s->fill) {
                c->chosen[at] = (int32_t)n;
                c->chosen_moved[at] = (float)g->moved;
                c->chosen_motion[at] = (float)(rel * ROUNDED);
            }
            at += is;
        }
        g->least = s->fill ? g->least : (double)least;
    }
    *count = s->fill ? *count : at;
}

/* Distances of eight chosen pairs of one kind, less what may be wrong with them. */
static void measure_eight(const mo_constraint_contacts *c, mo_pair_kind kind, const int64_t at[8],
                          float distance[8])
{
    mo_f8 x[4][4];
    int32_t row[4][8];
    for (int lane = 0; lane < 8; ++lane) {
        for (int n = 0; n < 4; ++n) {
            row[n][lane] = c->pairs[c->chosen[at[lane]]].row[n];
        }
    }
    for (int n = 0; n < 4; ++n) {
        mo_f8_load4(c->place, row[n], x[n]);
    }
    mo_f8 a[3], b[3], r[3];
    bool edges = kind == MO_EDGE_EDGE;
    for (int k = 0; k < 3; ++k) {
        a[k] = edges ? x[1][k] - x[0][k] : x[2][k] - x[1][k];
        b[k] = edges ? x[3][k] - x[2][k] : x[3][k] - x[1][k];
        r[k] = edges ? x[0][k] - x[2][k] : x[0][k] - x[1][k];
    }
    mo_feature_distance d =
        edges ? mo_edge_edge_distance(r, a, b) : mo_vertex_triangle_distance(r, a, b);
    mo_f8_store(distance, mo_f8_sqrt(mo_f8_max(d.square, mo_f8_set(0))) -
                              MO_FEATURE_MARGIN * mo_f8_sqrt(d.longest) - (float)c->rounding);
}

typedef struct batch {
    int count;
    int64_t at[8];
} batch;

/* Distances of a batch at the start of the substep; pairs that are too far are not chosen. */
static void measure_batch(const choosing *s, mo_pair_kind kind, batch *b)
{
    mo_constraint_contacts *c = s->c;
    float distance[8];
    for (int lane = b->count; b->count > 0 && lane < 8; ++lane) {
        b->at[lane] = b->at[0];
    }
    if (b->count > 0) {
        measure_eight(c, kind, b->at, distance);
    }
    for (int lane = 0; lane < b->count; ++lane) {
        int32_t *chosen = &c->chosen[b->at[lane]];
        mo_pair_bound *q = &c->bounds[*chosen];
        float least = (float)s->near * q->thickness * (1 + 1e-6f);
        q->distance = distance[lane] + c->chosen_moved[b->at[lane]] * (1 - 1e-6f);
        *chosen = distance[lane] - c->chosen_motion[b->at[lane]] > least ? -1 : *chosen;
    }
    b->count = 0;
}

static void measure_range(void *context, int64_t first, int64_t last)
{
    const choosing *s = context;
    mo_constraint_contacts *c = s->c;
    batch batches[2] = {{0}, {0}};
    for (int64_t k = first; k < last; ++k) {
        mo_pair_kind kind = c->pairs[c->chosen[k]].kind;
        batch *b = &batches[kind];
        b->at[b->count++] = k;
        if (b->count == 8) {
            measure_batch(s, kind, b);
        }
    }
    measure_batch(s, MO_VERTEX_TRIANGLE, &batches[MO_VERTEX_TRIANGLE]);
    measure_batch(s, MO_EDGE_EDGE, &batches[MO_EDGE_EDGE]);
    int64_t kept = first;
    for (int64_t k = first; k < last; ++k) {
        c->chosen[kept] = c->chosen[k];
        kept += c->chosen[k] >= 0;
    }
    c->counts[first / MEASURE_GRAIN] = kept - first;
}

/* First by distances of earlier substeps, then by present ones. */
mote_status mo_constraint_contacts_choose(mo_constraint_contacts *c, double near, mote_error *error)
{
    choosing s = {c, near, false};
    int64_t blocks = (c->group_count + GROUP_GRAIN - 1) / GROUP_GRAIN, sum = 0, kept = 0;
    MO_TRY(mo_reserve(c->memory, &c->counts, &c->count_capacity, blocks, sizeof *c->counts, error));
    mo_parallel_for(c->pool, c->group_count, GROUP_GRAIN, choose_range, &s);
    for (int64_t b = 0; b < blocks; ++b) {
        int64_t count = c->counts[b];
        c->counts[b] = sum;
        sum += count;
    }
    MO_TRY(mo_reserve(c->memory, &c->chosen, &c->chosen_capacity, sum, sizeof *c->chosen, error));
    MO_TRY(mo_reserve(c->memory, &c->chosen_moved, &c->moved_capacity, sum, sizeof *c->chosen_moved,
                      error));
    MO_TRY(mo_reserve(c->memory, &c->chosen_motion, &c->motion_capacity, sum,
                      sizeof *c->chosen_motion, error));
    s.fill = true;
    mo_parallel_for(c->pool, c->group_count, GROUP_GRAIN, choose_range, &s);
    MO_TRY(mo_reserve(c->memory, &c->counts, &c->count_capacity, sum / MEASURE_GRAIN + 1,
                      sizeof *c->counts, error));
    mo_parallel_for(c->pool, sum, MEASURE_GRAIN, measure_range, &s);
    for (int64_t first = 0; first < sum; first += MEASURE_GRAIN) {
        int64_t own = c->counts[first / MEASURE_GRAIN];
        memmove(c->chosen + kept, c->chosen + first, (size_t)own * sizeof *c->chosen);
        kept += own;
    }
    c->chosen_count = kept;
    return MOTE_OK;
}
