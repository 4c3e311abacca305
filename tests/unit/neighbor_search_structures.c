/*
 * Properties of single structures: non-default parameters, updates, growing and shrinking,
 * inseparable points, the plane.
 */
#include "test.h"

#include "base/radix.h"
#include "neighbor/search/bucket_tree.h"
#include "neighbor/search/lattice.h"
#include "neighbor/search/morton.h"
#include "search_cases.h"

typedef struct bed {
    failing_allocator allocator;
    mo_memory memory;
    mo_pool *pool;
    params p;
    const mo_search_type *type;
    void *instance;
    mo_search_points points;
} bed;

static void open_bed(bed *b, const char *name)
{
    *b = (bed){0};
    b->memory = failing_memory(&b->allocator, -1);
    b->type = (const mo_search_type *)mo_family_find(&mo_searches, name);
    assert_non_null(b->type);
    set_defaults(&b->p, &b->type->base);
    assert_int_equal(mo_pool_create(&b->memory, 1, &b->pool, NULL), MOTE_OK);
}

static void close_bed(bed *b)
{
    mo_structure_destroy(b->instance);
    mo_pool_destroy(b->pool);
    assert_all_given_back(&b->allocator, &b->memory);
}

static void set_points(bed *b, int64_t rows, const double *x, double radius, bool flat)
{
    b->points =
        (mo_search_points){.rows = rows, .owned = rows, .x = x, .radius = radius, .flat = flat};
    for (int k = 0; k < 3; ++k) {
        b->points.low[k] = (double)INFINITY;
        b->points.high[k] = -(double)INFINITY;
        for (int64_t row = 0; row < rows; ++row) {
            b->points.low[k] = fmin(b->points.low[k], x[3 * row + k]);
            b->points.high[k] = fmax(b->points.high[k], x[3 * row + k]);
        }
    }
}

static void build(bed *b, int64_t rows, const double *x, double radius, bool flat)
{
    if (!b->instance) {
        assert_int_equal(mo_structure_create(b->type, b->p.bytes, &b->memory, &b->instance, NULL),
                         MOTE_OK);
    }
    set_points(b, rows, x, radius, flat);
    assert_int_equal(b->type->build(b->instance, &b->points, b->pool, NULL), MOTE_OK);
}

static int32_t found[40000];

/* The answer of `near` against all pairs. */
static void check_near(const bed *b, mo_vec3 position, double radius)
{
    int64_t count = b->type->near(b->instance, position, radius, found, 40000), k = 0;
    qsort(found, (size_t)count, sizeof *found, compare_rows);
    for (int64_t row = 0; row < b->points.rows; ++row) {
        if (mo_search_within(b->points.x + 3 * row, position, radius * radius)) {
            if (k >= count || found[k] != row) {
                fail_msg("%s: row %lld of %lld, radius %g", b->type->base.name, (long long)row,
                         (long long)b->points.rows, radius);
            }
            ++k;
        }
    }
    assert_int_equal(k, count);
}

/* The answer of `nearest` against all points, one after another. */
static void check_nearest(const bed *b, mo_vec3 position, int64_t k)
{
    int32_t row[64];
    double square[64];
    int64_t count = b->type->nearest(b->instance, position, k, row, square);
    assert_int_equal(count, k < b->points.rows ? k : b->points.rows);
    for (int64_t n = 0; n < count; ++n) {
        double own = mo_square(b->points.x + 3 * (int64_t)row[n], position);
        assert_true(square[n] == own);
        assert_true(n == 0 || square[n] > square[n - 1] ||
                    (square[n] == square[n - 1] && row[n] > row[n - 1]));
    }
    int64_t nearer = 0;
    for (int64_t r = 0; count > 0 && r < b->points.rows; ++r) {
        double own = mo_square(b->points.x + 3 * r, position), last = square[count - 1];
        nearer += own < last || (own == last && r < row[count - 1]);
    }
    assert_int_equal(nearer, count > 0 ? count - 1 : 0);
}

static void buckets_follow_the_packing(void **state)
{
    (void)state;
    assert_int_equal(mo_bucket_capacity(false, 1, 1), 2);     /* sqrt 2 */
    assert_int_equal(mo_bucket_capacity(false, 2, 1), 12);    /* 11.31 */
    assert_int_equal(mo_bucket_capacity(false, 3, 1), 39);    /* 38.18 */
    assert_int_equal(mo_bucket_capacity(true, 1, 1), 2);      /* pi / sqrt 3 = 1.81 */
    assert_int_equal(mo_bucket_capacity(true, 2, 1), 8);      /* 7.26 */
    assert_int_equal(mo_bucket_capacity(true, 0.3, 0.1), 17); /* 16.3 */
    assert_int_equal(mo_bucket_capacity(false, 1e-3, 1), 1);
    assert_int_equal(mo_bucket_capacity(false, 1e9, 1e-9), 1000000);
}

static void buckets_have_the_given_capacity(void **state)
{
    static const char *const NAMES[] = {"octree", "region_kdtree"};
    (void)state;
    cloud *c = make_random(3000, 1, 5);
    for (int n = 0; n < 2; ++n) {
        for (int64_t capacity = 1; capacity < 40; capacity += 7) {
            bed b;
            open_bed(&b, NAMES[n]);
            set_int(&b.p, "capacity", capacity);
            build(&b, c->count, c->x, 0.1, false);
            const mo_tree *t = b.instance;
            int64_t points = 0;
            for (int64_t k = 0; k < t->nodes; ++k) {
                points += t->node[k].child ? 0 : t->node[k].count;
                assert_true(t->node[k].child || t->node[k].count <= capacity);
                assert_true(!t->node[k].child || t->node[k].count > capacity);
            }
            assert_int_equal(points, c->count);
            close_bed(&b);
        }
        bed b;
        open_bed(&b, NAMES[n]);
        set_real(&b.p, "spacing", 0.05);
        set_bool(&b.p, "surface", true);
        build(&b, c->count, c->x, 0.1, false);
        assert_int_equal(((const mo_tree *)b.instance)->capacity, 8);
        close_bed(&b);
    }
    free(c);
}

/* Tonnesen 1998, 7.2.5: halves of equal size, the axes in turn. Empty halves have no node, so a
 * child may be smaller by further bisections. Returns the nodes below. */
static int64_t check_region(const mo_tree *t, int64_t number, int64_t *points)
{
    const mo_tree_node *node = t->node + number;
    const mo_tree_region *r = t->region + number;
    if (!node->child) {
        *points += node->count;
        return 1;
    }
    int axis = r->axes == 1 ? 0 : r->axes == 2 ? 1 : 2;
    assert_int_equal(r->axes, 1u << r->turn);
    double middle = 0.5 * r->low[axis] + 0.5 * r->high[axis];
    int64_t nodes = 1;
    for (int c = 0; c < 2; ++c) {
        const mo_tree_node *child = t->node + node->child + c;
        const mo_tree_region *half = t->region + node->child + c;
        assert_true(child->count > 0);
        assert_true(c == 0 ? child->high[axis] < middle : child->low[axis] >= middle);
        for (int k = 0; k < 3; ++k) { /* within its half, by whole halvings */
            double parts = (r->high[k] - r->low[k]) / (half->high[k] - half->low[k]);
            double halvings = round(log2(parts));
            assert_true(half->low[k] >= (k == axis && c == 1 ? middle : r->low[k]));
            assert_true(half->high[k] <= (k == axis && c == 0 ? middle : r->high[k]));
            assert_float_equal(parts, ldexp(1, (int)halvings), 1e-6 * parts);
            assert_true(halvings >= (k == axis));
        }
        nodes += check_region(t, node->child + c, points);
    }
    return nodes;
}

/* The numbers of bisections of each side of the first region differ by at most one along the
 * path to a node. */
static void check_turns(const mo_tree *t)
{
    for (int64_t number = 0; number < t->nodes; ++number) {
        const mo_tree_region *r = t->region + number;
        int halvings[3];
        for (int k = 0; k < 3; ++k) {
            double root = t->packed.head.points.high[k] - t->packed.head.points.low[k];
            halvings[k] = (int)round(log2(root / (r->high[k] - r->low[k])));
        }
        assert_int_equal(halvings[0], halvings[2] + (r->turn != 0));
        assert_int_equal(halvings[1], halvings[2] + (r->turn == 2));
    }
}

static void region_kdtree_halves_the_axes_in_turn(void **state)
{
    (void)state;
    cloud *c = make_random(3000, 1, 15);
    for (int64_t row = 0; row < c->count; ++row) { /* a slab: the longest side is another one */
        c->x[3 * row + 2] *= 30;
        c->x[3 * row + 1] *= 0.2;
    }
    for (int longest = 0; longest < 2; ++longest) {
        bed b;
        int64_t points = 0;
        open_bed(&b, "region_kdtree");
        set_int(&b.p, "capacity", 5);
        set_bool(&b.p, "longest_side", longest);
        build(&b, c->count, c->x, 0.1, false);
        const mo_tree *t = b.instance;
        if (longest) {
            assert_int_equal(t->region[0].axes, 4);
        } else {
            assert_int_equal(t->region[0].axes, 1);
            assert_memory_equal(t->region[0].high, b.points.high, sizeof b.points.high);
            check_turns(t);
            assert_int_equal(check_region(t, 0, &points), t->nodes);
            assert_int_equal(points, c->count);
        }
        close_bed(&b);
    }
    free(c);
}

/* Bentley 1975: the root of [low, high) is a point, no other is left of it above or right of it
 * below along the axis of its level. Returns the depth. */
static int check_point_node(const mo_packed *p, int64_t low, int64_t high, int level, int axes)
{
    if (high - low <= 1) {
        return level + (int)(high - low);
    }
    const double *x = level % axes == 0 ? p->x : level % axes == 1 ? p->y : p->z;
    int64_t middle = low + (high - low) / 2;
    for (int64_t k = low; k < high; ++k) {
        assert_true(k < middle ? x[k] <= x[middle] : x[k] >= x[middle]);
    }
    int left = check_point_node(p, low, middle, level + 1, axes);
    int right = check_point_node(p, middle + 1, high, level + 1, axes);
    return left > right ? left : right;
}

static void point_kdtree_has_a_point_a_node(void **state)
{
    (void)state;
    cloud *c = make_random(3000, 1, 16);
    for (int flat = 0; flat < 2; ++flat) {
        bed b;
        for (int64_t row = 0; row < c->count; ++row) {
            c->x[3 * row] *= flat ? 1 : 50; /* the widest axis is another one */
            c->x[3 * row + 2] *= !flat;
        }
        open_bed(&b, "point_kdtree");
        build(&b, c->count, c->x, 0.1, flat);
        /* 2^11 - 1 < 3000 <= 2^12 - 1: the minimum depth */
        assert_int_equal(check_point_node(b.instance, 0, c->count, 0, flat ? 2 : 3), 12);
        close_bed(&b);
    }
    free(c);
}

/* The number of descents of the Morton index of the cells along the slots. */
static int64_t steps_down(const bed *b)
{
    const mo_packed *p = b->instance;
    int64_t down = 0;
    uint64_t last = 0;
    for (int64_t position = 0; position < p->slots; ++position) {
        uint64_t key = 0;
        for (int k = 0; k < 3; ++k) {
            const double *x = k == 0 ? p->x : k == 1 ? p->y : p->z;
            double inverse = 1 / b->points.radius;
            key |= mo_morton_bits(mo_lattice_along(inverse, x[position]) -
                                  mo_lattice_along(inverse, b->points.low[k]))
                   << k;
        }
        down += key < last;
        last = key;
    }
    return down;
}

/* Ihmsen et al. 2011, 3.3.2: points are sorted along the Z curve every n steps. */
static void compact_hash_sorts_every_n_updates(void **state)
{
    (void)state;
    for (int resort = 0; resort <= 3; resort += 3) {
        uint64_t random = 3;
        cloud *c = make_random(2000, 1, 17);
        bed b;
        open_bed(&b, "compact_hash");
        set_real(&b.p, "table", 60); /* no two cells share an entry, if no number is negative */
        for (int64_t row = 0; row < c->count; ++row) {
            mo_vec3_store(c->x + 3 * row, mo_add(at(c, row), mo_vec3_make(3, 3, 3)));
        }
        set_int(&b.p, "resort", resort);
        build(&b, c->count, c->x, 0.5, false);
        for (int step = 0; step <= 6; ++step) {
            if (resort > 0 && step % resort == 0) {
                assert_int_equal(steps_down(&b), 0);
            } else {
                assert_in_range(steps_down(&b), 1, c->count);
            }
            for (int64_t row = 0; row < c->count; ++row) {
                mo_vec3_store(c->x + 3 * row, mo_add(at(c, row), random_vec3(&random, 0.1)));
            }
            set_points(&b, c->count, c->x, 0.5, false);
            assert_int_equal(b.type->update(b.instance, &b.points, b.pool, NULL), MOTE_OK);
        }
        close_bed(&b);
        free(c);
    }
}

static void radix_sorts_by_any_key(void **state)
{
    (void)state;
    enum { ROWS = 100000 };
    uint64_t random = 4;
    mo_memory memory;
    mo_radix r;
    mo_pool *pool;
    mo_memory_init(&memory, NULL);
    mo_radix_init(&r, &memory);
    assert_int_equal(mo_pool_create(&memory, 3, &pool, NULL), MOTE_OK);
    assert_int_equal(mo_radix_resize(&r, ROWS, NULL), MOTE_OK);
    for (int bits = 0; bits <= 64; bits += 8) {
        for (int64_t k = 0; k < ROWS; ++k) {
            uint64_t key = random_below(&random, 1u << 31) * 0x9e3779b97f4a7c15u;
            r.item[k] = (mo_keyed){bits == 0 ? 7 : key >> (64 - bits), k};
        }
        mo_radix_sort(&r, ROWS, pool);
        for (int64_t k = 1; k < ROWS; ++k) {
            assert_true(r.item[k - 1].key < r.item[k].key ||
                        (r.item[k - 1].key == r.item[k].key && r.item[k - 1].row < r.item[k].row));
        }
    }
    mo_radix_release(&r);
    mo_pool_destroy(pool);
    assert_int_equal(memory.bytes, 0);
}

/* The same rows in the same order, as lists and around every point. */
static void assert_same_answers(bed *a, bed *b)
{
    static int32_t other[40000];
    mo_lists one, two;
    mo_lists_init(&one, &a->memory);
    mo_lists_init(&two, &b->memory);
    assert_int_equal(a->type->lists(a->instance, a->pool, &one, NULL), MOTE_OK);
    assert_int_equal(b->type->lists(b->instance, b->pool, &two, NULL), MOTE_OK);
    for (int64_t row = 0; row < a->points.rows; ++row) {
        mo_vec3 p = mo_vec3_load(a->points.x + 3 * row);
        int64_t count = a->type->near(a->instance, p, a->points.radius, found, 40000);
        assert_int_equal(count, b->type->near(b->instance, p, a->points.radius, other, 40000));
        assert_memory_equal(found, other, (size_t)count * sizeof *found);
        assert_int_equal(one.count[row], count - 1);
        assert_int_equal(two.count[row], count - 1);
        assert_memory_equal(one.index + one.start[row], two.index + two.start[row],
                            (size_t)(count - 1) * sizeof *found);
    }
    mo_lists_release(&one);
    mo_lists_release(&two);
}

/* Few points move, then many, all drift; in some steps all move far. */
static void updates_equal_builds(void **state)
{
    static const char *const NAMES[] = {"grid_zsort", "compact_hash"};
    (void)state;
    for (int n = 0; n < 4; ++n) {
        uint64_t random = 3;
        cloud *c = make_random(2000, 1, 8);
        bed kept, fresh;
        open_bed(&kept, NAMES[n % 2]);
        open_bed(&fresh, NAMES[n % 2]);
        if (n == 3) { /* many collisions */
            set_real(&kept.p, "table", 0.02);
            set_real(&fresh.p, "table", 0.02);
        }
        build(&kept, c->count, c->x, 0.13, false);
        for (int step = 0; step < 25; ++step) {
            double size = step == 12 ? 1 : step % 3 == 0 ? 0.02 : 0.001;
            for (int64_t row = 0; row < c->count; ++row) {
                mo_vec3 move = mo_add(random_vec3(&random, size), mo_vec3_make(0.01, -0.002, 0));
                mo_vec3_store(c->x + 3 * row,
                              mo_add(at(c, row), step == 5 ? mo_vec3_make(0, 0, 0) : move));
            }
            set_points(&kept, c->count, c->x, 0.13, false);
            assert_int_equal(kept.type->update(kept.instance, &kept.points, kept.pool, NULL),
                             MOTE_OK);
            build(&fresh, c->count, c->x, 0.13, false);
            assert_same_answers(&kept, &fresh);
            check_near(&kept, at(c, step), 0.13);
            check_near(&kept, at(c, step), 0.04);
        }
        close_bed(&kept);
        close_bed(&fresh);
        free(c);
    }
}

/* A parameter of whatever type. */
static void set_number(params *p, const char *name, double value)
{
    for (const mo_param *q = p->type->params; q->name; ++q) {
        if (strcmp(q->name, name) == 0 && q->type == MO_REAL) {
            set_real(p, name, value);
        } else if (strcmp(q->name, name) == 0 && q->type == MO_INT) {
            set_int(p, name, (int64_t)value);
        } else if (strcmp(q->name, name) == 0) {
            set_bool(p, name, value != 0);
        }
    }
}

/* Widths and tables of all sizes, including total collision. */
static void parameters_change_no_result(void **state)
{
    static const struct {
        const char *structure, *parameter;
        double value;
    } SETS[] = {{"grid_zsort", "width", 0.5},    {"grid_zsort", "width", 8},
                {"reduced_grid", "side", 1},     {"reduced_grid", "side", 2},
                {"reduced_grid", "side", 3},     {"reduced_grid", "side", 7},
                {"reduced_grid", "width", 0.5},  {"reduced_grid", "width", 2.3},
                {"spatial_hash", "table", 0.01}, {"spatial_hash", "width", 0.5},
                {"compact_hash", "table", 0.01}, {"compact_hash", "table", 60},
                {"compact_hash", "width", 0.5},  {"compact_hash", "width", 3},
                {"octree", "capacity", 1},       {"region_kdtree", "capacity", 1},
                {"bsp", "capacity", 1},          {"bsp", "capacity", 5000},
                {"compact_hash", "resort", 0},   {"region_kdtree", "longest_side", 1},
                {"point_kdtree", "widest", 1},   {"point_kdtree", "leaf", 8}};
    (void)state;
    for (size_t n = 0; n < sizeof SETS / sizeof *SETS; ++n) {
        for (int which = 0; which < CASE_COUNT; ++which) {
            cloud *c = make_cloud(which);
            double radius = CASES[which].radius[1];
            bed b;
            mo_lists lists;
            open_bed(&b, SETS[n].structure);
            mo_lists_init(&lists, &b.memory);
            set_number(&b.p, SETS[n].parameter, SETS[n].value);
            build(&b, c->count, c->x, radius, false);
            assert_int_equal(b.type->lists(b.instance, b.pool, &lists, NULL), MOTE_OK);
            for (int64_t row = 0; row < c->count; row += 13) {
                check_near(&b, at(c, row), radius);
                int64_t count = b.type->near(b.instance, at(c, row), radius, found, 40000);
                assert_int_equal(lists.count[row], count - 1);
            }
            mo_lists_release(&lists);
            close_bed(&b);
            free(c);
        }
    }
}

/* Thousands at one position, at two adjacent doubles, and at powers of two. */
static void points_that_cannot_be_parted(void **state)
{
    (void)state;
    enum { ROWS = 20000 };
    double *x = calloc(3 * ROWS + 1, sizeof *x);
    for (int kind = 0; kind < 3; ++kind) {
        for (int64_t row = 0; row < ROWS; ++row) {
            double a = kind == 0   ? 0.3
                       : kind == 1 ? nextafter(1, row % 2 ? 2 : 1)
                                   : ldexp(1, -(int)(row % 900));
            x[3 * row] = a;
            x[3 * row + 1] = kind == 2 ? -a : 7;
            x[3 * row + 2] = kind == 2 ? 2 * a : -1e5;
        }
        for (int m = 0; m < mo_searches.count; ++m) {
            const mo_search_type *type = (const mo_search_type *)mo_searches.methods[m];
            bed b;
            if (type->reuse) {
                continue;
            }
            open_bed(&b, type->base.name);
            build(&b, ROWS, x, 0.01, false);
            for (int64_t row = 0; row < ROWS; row += 4999) {
                check_near(&b, mo_vec3_load(x + 3 * row), 0.01);
                check_near(&b, mo_vec3_load(x + 3 * row), 0);
                check_near(&b, mo_vec3_load(x + 3 * row), 1e-17);
            }
            if (type->nearest) {
                check_nearest(&b, mo_vec3_load(x + 3), 40);
                check_nearest(&b, mo_vec3_make(1e9, 0, 0), 3);
            }
            close_bed(&b);
        }
    }
    free(x);
}

static void nearest_in_every_cloud(void **state)
{
    (void)state;
    for (int m = 0; m < mo_searches.count; ++m) {
        const mo_search_type *type = (const mo_search_type *)mo_searches.methods[m];
        for (int which = 0; which < CASE_COUNT && type->nearest; ++which) {
            cloud *c = make_cloud(which);
            bed b;
            uint64_t random = 2;
            open_bed(&b, type->base.name);
            build(&b, c->count, c->x, CASES[which].radius[1], false);
            for (int k = 0; k < 40; ++k) {
                mo_vec3 position = k % 2 && c->count
                                       ? at(c, random_below(&random, (uint64_t)c->count))
                                       : random_vec3(&random, k % 3 ? 1 : 1e3);
                check_nearest(&b, position, k % 4 == 0 ? 1 : k);
            }
            close_bed(&b);
            free(c);
        }
    }
}

/* Points are inserted and removed; some coincident, some far outside, some collinear. */
static void points_are_added_and_removed(void **state)
{
    (void)state;
    for (int m = 0; m < mo_searches.count; ++m) {
        const mo_search_type *type = (const mo_search_type *)mo_searches.methods[m];
        cloud *c = make_random(300, 1, 77);
        uint64_t random = 9;
        bed b;
        if (!type->insert || !type->remove) {
            free(c);
            continue;
        }
        open_bed(&b, type->base.name);
        c->count = 0;
        build(&b, c->count, c->x, 0.2, false);
        for (int k = 0; k < 4000; ++k) {
            bool grow = c->count == 0 || random_below(&random, 100) < (k < 2500 ? 70 : 20);
            if (grow && c->count < POINTS_MAX) {
                mo_vec3 p = random_vec3(&random, k % 50 == 0 ? 100 : 1);
                p = k % 7 == 0 && c->count ? at(c, random_below(&random, (uint64_t)c->count)) : p;
                put(c, k % 3 == 0 ? mo_vec3_make(1e-3 * k, 1e-3 * k, 0) : p);
                set_points(&b, c->count, c->x, 0.2, false);
                assert_int_equal(b.type->insert(b.instance, &b.points, NULL), MOTE_OK);
            } else if (!grow) {
                int64_t row = (int64_t)random_below(&random, (uint64_t)c->count);
                assert_int_equal(b.type->remove(b.instance, &b.points, row, NULL), MOTE_OK);
                memmove(c->x + 3 * row, c->x + 3 * (c->count - 1), 3 * sizeof *c->x);
                set_points(&b, --c->count, c->x, 0.2, false);
            }
            if (k % 10 == 0) {
                check_near(&b, c->count ? at(c, 0) : mo_vec3_make(0, 0, 0), 0.2);
                check_near(&b, random_vec3(&random, 2), 0.2);
            }
            if (k % 40 == 0 && b.type->nearest) {
                check_nearest(&b, random_vec3(&random, 2), 17);
            }
        }
        build(&b, c->count, c->x, 0.2, false); /* and rebuilt from the current points */
        check_near(&b, at(c, 0), 0.2);
        close_bed(&b);
        free(c);
    }
}

/* Points inserted in sorted order: the worst case of a point tree. */
static void sorted_insertions_do_not_get_deep(void **state)
{
    static const char *const NAMES[] = {"point_quadtree", "octree", "region_kdtree"};
    (void)state;
    cloud *c = make_random(0, 1, 1);
    for (int n = 0; n < 3; ++n) {
        bed b;
        open_bed(&b, NAMES[n]);
        c->count = 0;
        build(&b, 0, c->x, 0.5, false);
        for (int k = 0; k < 3000; ++k) {
            put(c, mo_vec3_make(k, k, k));
            set_points(&b, c->count, c->x, 0.5, false);
            assert_int_equal(b.type->insert(b.instance, &b.points, NULL), MOTE_OK);
        }
        for (int k = 0; k < 3000; k += 100) {
            check_near(&b, mo_vec3_make(k, k, k), 0.5);
            check_nearest(&b, mo_vec3_make(k + 0.4, k, k), 5);
        }
        close_bed(&b);
    }
    free(c);
}

static void the_plane(void **state)
{
    (void)state;
    for (int m = 0; m < mo_searches.count; ++m) {
        const mo_search_type *type = (const mo_search_type *)mo_searches.methods[m];
        cloud *c = make_random(3000, 1, 12);
        bed b;
        if (type->reuse) {
            free(c);
            continue;
        }
        for (int64_t row = 0; row < c->count; ++row) {
            c->x[3 * row + 2] = 0;
        }
        open_bed(&b, type->base.name);
        build(&b, c->count, c->x, 0.1, true);
        for (int64_t row = 0; row < c->count; row += 50) {
            check_near(&b, at(c, row), 0.1);
            check_near(&b, mo_add(at(c, row), mo_vec3_make(0.3, 0, -0.05)), 0.07);
            if (type->nearest) {
                check_nearest(&b, at(c, row), 9);
            }
        }
        close_bed(&b);
        free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_follow_the_packing),
        cmocka_unit_test(buckets_have_the_given_capacity),
        cmocka_unit_test(region_kdtree_halves_the_axes_in_turn),
        cmocka_unit_test(point_kdtree_has_a_point_a_node),
        cmocka_unit_test(compact_hash_sorts_every_n_updates),
        cmocka_unit_test(radix_sorts_by_any_key),
        cmocka_unit_test(updates_equal_builds),
        cmocka_unit_test(parameters_change_no_result),
        cmocka_unit_test(points_that_cannot_be_parted),
        cmocka_unit_test(nearest_in_every_cloud),
        cmocka_unit_test(points_are_added_and_removed),
        cmocka_unit_test(sorted_insertions_do_not_get_deep),
        cmocka_unit_test(the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
