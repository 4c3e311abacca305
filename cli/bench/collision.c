/*
 * Collision detection: bounding volumes, hierarchies against space subdivision, cell and table
 * sizes, the broad phase.
 *
 * collision/volumes: for each bounding volume and five surfaces the volume by that of the surface's
 * inside; building, refitting, one overlap test; then two equal surfaces in contact: overlap tests,
 * candidates, and all of it, compared with the pairs that a double loop tests in the same time.
 * collision/search: balls of triangles in contact, the pairs that intersect, by each search;
 * compared with the hierarchy. collision/hash: cell size, table size and hash function for nodes in
 * tetrahedra by hashing; compared with the defaults. collision/broad: overlapping boxes of 10,000
 * bodies.
 *
 * Times are of the processor, but for broad on more than one thread.
 */
#include "bench/bench.h"
#include "bench/collision_meshes.h"
#include "collide/broad_phase.h"
#include "geometry/simplex/intersect.h"
#include "geometry/subdivide/subdivide.h"
#include "math/quat.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct job {
    mo_memory memory;
    mo_pool *pool;
    mote_status status;
    mote_error error;
    collision_mesh mesh, other;
    mo_simplices set, other_set;
    mo_simplices_pair pair;
    mo_hierarchy tree[2];
    mo_pair_search search;
    mo_placement placement;
    mo_subdivision subdivision;
    int64_t loops, part; /* part: triangles of one object */
    uint64_t sum;
    const mo_simplices *queries;
    mo_broad_phase broad;
    mo_box *box;
    int64_t boxes, step;
    double speed;
} job;

static mote_status open_job(job *j, int threads, mote_error *error)
{
    *j = (job){0};
    mo_memory_init(&j->memory, NULL);
    mo_pair_search_init(&j->search, &j->memory);
    return mo_pool_create(&j->memory, threads, &j->pool, error);
}

static mote_status close_job(job *j, mote_status status, mote_error *error)
{
    mo_pair_search_release(&j->search);
    mo_pool_destroy(j->pool);
    if (j->status != MOTE_OK && status == MOTE_OK) {
        return mo_fail(error, j->status, "%s", j->error.text);
    }
    return status;
}

/* The least processor time of a call: one thread works, and other programs do not disturb. */
static double best_seconds(const bench *b, void (*function)(void *context), void *context)
{
    double best = (double)INFINITY;
    int repeats = b->repeats > 7 ? b->repeats : 7;
    for (int k = 0; k < repeats; ++k) {
        struct timespec from, to;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        function(context);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        double seconds =
            (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* ---- bounding volumes ---- */

static void build(void *context)
{
    job *j = context;
    j->status = mo_hierarchy_build(&j->tree[0], &j->set, MO_HIERARCHY_MEDIAN, j->pool, &j->error);
}

static void refit(void *context)
{
    job *j = context;
    mo_hierarchy_refit(&j->tree[0], &j->set, j->pool);
}

/* Every block of leaves with the 16 that follow it: 64 tests each. */
static void overlap(void *context)
{
    job *j = context;
    const mo_hierarchy *h = &j->tree[0];
    int64_t blocks = mo_hierarchy_blocks(h, 0);
    j->loops = 0;
    for (int64_t b = 0; b + 16 < blocks; ++b) {
        for (int64_t k = 1; k <= 16; ++k) {
            j->sum += h->bound->cross(mo_hierarchy_block(h, 0, b), mo_hierarchy_block(h, 0, b + k));
            j->loops += 64;
        }
    }
}

static void collide(void *context)
{
    job *j = context;
    j->status = mo_pair_search_run(&j->search, &j->tree[0], &j->tree[1], NULL, mo_simplices_test,
                                   &j->pair, j->pool, &j->error);
}

static void collide_plainly(void *context)
{
    job *j = context;
    j->loops = 0;
    for (int32_t a = 0; a < 200; ++a) {
        for (int32_t b = 0; b < 1000; ++b) {
            j->sum += mo_simplices_test(&j->pair, a, b);
            ++j->loops;
        }
    }
}

/* The second surface turned, and moved until the two are in contact. */
static void move_other(job *j, int kind)
{
    static const double SHIFT[COLLISION_MESHES] = {1.95, 0.35, 0.9, 0.7, 1.4};
    mo_quat q = mo_quat_exponential(mo_vec3_make(0.7, 0.4, -0.9));
    for (int64_t row = 0; row < j->other.rows; ++row) {
        mo_vec3 x = mo_quat_rotate(q, mo_vec3_load(j->mesh.x + 3 * row));
        mo_vec3_store(j->other.x + 3 * row, mo_add(x, mo_vec3_make(SHIFT[kind], 0.1, 0.05)));
    }
}

typedef struct volume_sums {
    char tight[128];
    double build, refit, overlap, seconds, volume_tests, candidates, pairs, possible, plain;
} volume_sums;

static mote_status measure_mesh(const bench *b, job *j, const mo_bound_type *bound, int kind,
                                volume_sums *sums)
{
    size_t used = strlen(sums->tight);
    j->set = collision_mesh_set(&j->mesh);
    j->other_set = collision_mesh_set(&j->other);
    j->pair = (mo_simplices_pair){&j->set, &j->other_set, false};
    move_other(j, kind);
    mo_hierarchy_init(&j->tree[0], bound, &j->memory);
    mo_hierarchy_init(&j->tree[1], bound, &j->memory);
    double count = (double)j->set.count;
    sums->build += best_seconds(b, build, j) / count;
    sums->refit += best_seconds(b, refit, j) / count;
    build(j);
    snprintf(sums->tight + used, sizeof sums->tight - used, " %s %.2f", COLLISION_MESH_NAMES[kind],
             mo_hierarchy_examine(&j->tree[0]).volume / j->mesh.volume);
    double seconds = best_seconds(b, overlap, j);
    sums->overlap += seconds / (double)j->loops;
    j->tree[1].origin = j->tree[0].origin;
    j->tree[1].keep_origin = true;
    MO_TRY(mo_hierarchy_build(&j->tree[1], &j->other_set, MO_HIERARCHY_MEDIAN, j->pool, &j->error));
    sums->seconds += best_seconds(b, collide, j);
    for (int k = 0; k < j->search.layers; ++k) {
        sums->volume_tests += (double)j->search.tests[k];
    }
    sums->candidates += (double)j->search.candidates;
    sums->pairs += (double)j->search.count;
    sums->possible += count * count;
    seconds = best_seconds(b, collide_plainly, j);
    sums->plain += seconds / (double)j->loops * count * count;
    mo_hierarchy_release(&j->tree[0]);
    mo_hierarchy_release(&j->tree[1]);
    return j->status;
}

static mote_status measure_bound(const bench *b, job *j, const mo_bound_type *bound, int threads)
{
    volume_sums s = {0};
    char name[64];
    for (int kind = 0; kind < COLLISION_MESHES; ++kind) {
        int64_t triangles = b->quick ? 2000 : 20000;
        MO_TRY(collision_mesh_make(&j->mesh, kind, triangles, &j->memory, &j->error));
        MO_TRY(collision_mesh_make(&j->other, kind, triangles, &j->memory, &j->error));
        mote_status status = measure_mesh(b, j, bound, kind, &s);
        collision_mesh_release(&j->mesh);
        collision_mesh_release(&j->other);
        MO_TRY(status);
    }
    snprintf(name, sizeof name, "collision/volumes/%s", bound->base.name);
    double n = COLLISION_MESHES;
    bench_row row = {.name = name,
                     .threads = threads,
                     .seconds = s.seconds / n,
                     .rate = s.possible / s.seconds,
                     .unit = "pairs/s",
                     .baseline = s.possible / s.plain};
    snprintf(row.note, sizeof row.note,
             "%d numbers, %d axes%s; volume by mesh:%s; per triangle build %.0f ns, refit %.0f ns; "
             "overlap test %.2f ns; %.0f volume tests, %.0f primitive tests for %.0f pairs, 1 of "
             "%.0f",
             bound->scalars, bound->axes, bound->rotates ? ", rotates" : "", s.tight,
             1e9 * s.build / n, 1e9 * s.refit / n, 1e9 * s.overlap / n, s.volume_tests / n,
             s.candidates / n, s.pairs / n, s.possible / s.candidates);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_volumes(void *context, mote_error *error)
{
    const bench *b = context;
    job j;
    MO_TRY(open_job(&j, 1, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < mo_bounds.count && status == MOTE_OK; ++k) {
        status = measure_bound(b, &j, (const mo_bound_type *)mo_family_at(&mo_bounds, k), 1);
    }
    return close_job(&j, status, error);
}

/* ---- hierarchies against subdivision ---- */

static bool other_object(const void *context, int32_t a, int32_t b)
{
    const job *j = context;
    return a / j->part != b / j->part && mo_simplices_test(&j->pair, a, b);
}

static void build_and_find(void *context)
{
    job *j = context;
    j->status = mo_subdivision_build(&j->subdivision, &j->set, j->pool, &j->error);
    if (j->status == MOTE_OK) {
        j->status = mo_subdivision_find(
            &j->subdivision, j->queries, j->queries ? mo_simplices_test : other_object,
            j->queries ? (const void *)&j->pair : j, &j->search, j->pool, &j->error);
    }
}

/* Balls on a jittered lattice, some of which are in contact, as one set of triangles. */
static mote_status make_balls(job *j, int64_t objects, int64_t triangles)
{
    collision_mesh one;
    void *x, *corner;
    int64_t side = (int64_t)ceil(cbrt((double)objects) - 1e-9);
    MO_TRY(collision_mesh_make(&one, 0, triangles, &j->memory, &j->error));
    mote_status status =
        mo_allocate_array(&j->memory, 3 * one.rows * objects + 1, sizeof(double), &x, &j->error);
    status = status == MOTE_OK ? mo_allocate_array(&j->memory, 3 * one.triangles * objects,
                                                   sizeof(int32_t), &corner, &j->error)
                               : status;
    MO_TRY(status);
    j->mesh =
        (collision_mesh){&j->memory, one.rows * objects, one.triangles * objects, x, corner, 0};
    j->part = one.triangles;
    for (int64_t o = 0; o < objects; ++o) {
        mo_vec3 at =
            mo_vec3_make((double)(o % side), (double)(o / side % side), (double)(o / side / side));
        at = mo_add_scaled(mo_scale(2.05, at), 0.1, mo_random_cube(3, 0, (uint64_t)o, 0));
        mo_quat q = mo_quat_exponential(mo_random_cube(3, 1, (uint64_t)o, 0));
        for (int64_t row = 0; row < one.rows; ++row) {
            mo_vec3 p = mo_quat_rotate(q, mo_vec3_load(one.x + 3 * row));
            mo_vec3_store(j->mesh.x + 3 * (o * one.rows + row), mo_add(p, at));
        }
        for (int64_t k = 0; k < 3 * one.triangles; ++k) {
            j->mesh.corner[3 * o * one.triangles + k] = (int32_t)(o * one.rows) + one.corner[k];
        }
    }
    collision_mesh_release(&one);
    j->set = collision_mesh_set(&j->mesh);
    j->pair = (mo_simplices_pair){&j->set, &j->set, false};
    return MOTE_OK;
}

static mote_status time_search(const bench *b, job *j, mo_method method, const char *name,
                               double count, double *baseline)
{
    MO_TRY(mo_subdivision_init(&j->subdivision, method, &j->memory, &j->error));
    double seconds = best_seconds(b, build_and_find, j);
    bench_row row = {.name = name,
                     .threads = 1,
                     .seconds = seconds,
                     .rate = count / seconds,
                     .unit = "primitives/s",
                     .baseline = *baseline};
    snprintf(row.note, sizeof row.note, "%.3f ms; %lld candidates, %lld pairs", 1e3 * seconds,
             (long long)j->search.candidates, (long long)j->search.count);
    bench_report(b, &row);
    *baseline = isnan(*baseline) ? row.rate : *baseline;
    mo_subdivision_release(&j->subdivision);
    return j->status;
}

/* The hierarchy first: the others are compared with it. */
static mote_status search_balls(const bench *b, job *j, int64_t objects, int64_t triangles)
{
    double baseline = (double)NAN;
    mote_status status = MOTE_OK;
    char name[96];
    MO_TRY(make_balls(j, objects, triangles));
    for (int k = mo_subdivisions.count - 1; k >= 0 && status == MOTE_OK; --k) {
        const mo_descriptor *type = mo_family_at(&mo_subdivisions, k);
        if (strcmp(type->name, "all_pairs") == 0 && j->set.count > 9000) {
            continue; /* minutes */
        }
        snprintf(name, sizeof name, "collision/search/%s/%lldx%lld", type->name, (long long)objects,
                 (long long)j->part);
        status = time_search(b, j, (mo_method){type, NULL}, name, (double)j->set.count, &baseline);
    }
    collision_mesh_release(&j->mesh);
    return status;
}

static mote_status run_search(void *context, mote_error *error)
{
    static const int64_t OBJECTS[] = {2, 16, 128, 1024}, TRIANGLES[] = {128, 1024, 8192};
    const bench *b = context;
    job j;
    MO_TRY(open_job(&j, 1, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < 12 && status == MOTE_OK; ++k) {
        int64_t objects = OBJECTS[k / 3], triangles = TRIANGLES[k % 3];
        if (objects * triangles <= (b->quick ? 20000 : 140000)) {
            status = search_balls(b, &j, objects, triangles);
        }
    }
    return close_job(&j, status, error);
}

/* ---- cells and tables ---- */

/* A lattice of tetrahedra, and the nodes of another one in it, moved by a part of a cell. */
static mote_status make_solids(job *j, int64_t n)
{
    static const int CUBE[5][4] = {
        {0, 1, 3, 5}, {0, 3, 2, 6}, {0, 5, 6, 4}, {3, 6, 5, 7}, {0, 3, 6, 5}};
    void *x, *corner, *y;
    int64_t m = n + 1;
    MO_TRY(mo_allocate_array(&j->memory, 3 * m * m * m + 1, sizeof(double), &x, &j->error));
    j->mesh = (collision_mesh){.memory = &j->memory, .rows = m * m * m, .x = x};
    MO_TRY(mo_allocate_array(&j->memory, 20 * n * n * n, sizeof(int32_t), &corner, &j->error));
    j->mesh.corner = corner;
    MO_TRY(mo_allocate_array(&j->memory, 3 * m * m * m + 1, sizeof(double), &y, &j->error));
    j->other = (collision_mesh){.memory = &j->memory, .rows = m * m * m, .x = y};
    for (int64_t k = 0; k < m * m * m; ++k) {
        mo_vec3 p = mo_vec3_make((double)(k % m), (double)(k / m % m), (double)(k / m / m));
        p = mo_add_scaled(p, 0.15, mo_random_cube(5, 0, (uint64_t)k, 0));
        mo_vec3_store(j->mesh.x + 3 * k, p);
        p = mo_add(p, mo_vec3_make(0.5 * (double)n, 0.37, 0.21));
        mo_vec3_store(j->other.x + 3 * k, p);
    }
    for (int64_t c = 0; c < n * n * n; ++c) {
        int64_t i = c % n, k = c / n % n, l = c / n / n;
        for (int t = 0; t < 20; ++t) {
            int at = CUBE[t / 4][t % 4] ^ ((i + k + l) % 2 ? 1 : 0);
            j->mesh.corner[20 * c + t] =
                (int32_t)(i + (at & 1) + m * (k + (at >> 1 & 1) + m * (l + (at >> 2))));
        }
    }
    j->set = (mo_simplices){5 * n * n * n, 4, j->mesh.corner, j->mesh.x, NULL, false, 0};
    j->other_set = (mo_simplices){m * m * m, 1, NULL, j->other.x, NULL, false, 0};
    j->pair = (mo_simplices_pair){&j->other_set, &j->set, false};
    j->queries = &j->other_set;
    return MOTE_OK;
}

typedef struct hash_params {
    double cell, table;
    const char *function;
} hash_params;

static mote_status time_hash(const bench *b, job *j, hash_params p, const char *name,
                             double *baseline)
{
    mo_method method = {mo_family_find(&mo_subdivisions, "hashing"), &p};
    return time_search(b, j, method, name, (double)(j->set.count + j->other_set.count), baseline);
}

static mote_status vary_hash(const bench *b, job *j)
{
    static const double CELLS[] = {0.25, 0.5, 0.75, 1, 1.5, 2, 4};
    static const double TABLES[] = {0.05, 0.2, 0.5, 1, 2, 4, 16};
    static const char *const FUNCTIONS[] = {"primes", "mix", "morton"};
    double baseline = (double)NAN;
    char name[96];
    MO_TRY(time_hash(b, j, (hash_params){1.5, 1, "primes"}, "collision/hash/default", &baseline));
    for (size_t k = 0; k < sizeof CELLS / sizeof *CELLS; ++k) {
        snprintf(name, sizeof name, "collision/hash/cell_%g", CELLS[k]);
        MO_TRY(time_hash(b, j, (hash_params){CELLS[k], 1, "primes"}, name, &baseline));
    }
    for (size_t k = 0; k < sizeof TABLES / sizeof *TABLES; ++k) {
        snprintf(name, sizeof name, "collision/hash/table_%g", TABLES[k]);
        MO_TRY(time_hash(b, j, (hash_params){1.5, TABLES[k], "primes"}, name, &baseline));
    }
    for (size_t k = 0; k < sizeof FUNCTIONS / sizeof *FUNCTIONS; ++k) {
        snprintf(name, sizeof name, "collision/hash/function_%s", FUNCTIONS[k]);
        MO_TRY(time_hash(b, j, (hash_params){1.5, 1, FUNCTIONS[k]}, name, &baseline));
    }
    return MOTE_OK;
}

static mote_status run_hash(void *context, mote_error *error)
{
    const bench *b = context;
    job j;
    MO_TRY(open_job(&j, 1, error));
    mote_status status = make_solids(&j, b->quick ? 8 : 16);
    status = status == MOTE_OK ? vary_hash(b, &j) : status;
    collision_mesh_release(&j.mesh);
    collision_mesh_release(&j.other);
    if (status != MOTE_OK) {
        j.status = status;
        status = MOTE_OK;
    }
    return close_job(&j, status, error);
}

/* ---- the broad phase ---- */

static void move_boxes(job *j)
{
    ++j->step;
    for (int64_t k = 1; k < j->boxes; ++k) {
        mo_vec3 d = mo_random_cube(9, 1, (uint64_t)k, (uint32_t)j->step);
        for (int axis = 0; axis < 3; ++axis) {
            double by = j->speed * mo_vec3_at(d, axis);
            j->box[k].low[axis] += by;
            j->box[k].high[axis] += by;
        }
    }
}

static void update(void *context)
{
    job *j = context;
    move_boxes(j);
    j->status = mo_broad_phase_update(&j->broad, j->boxes, j->box, NULL, j->pool, &j->error);
}

static void only_move(void *context)
{
    move_boxes(context);
}

/* Boxes of about 1 m in a pile on a plane, that move by `speed` in a step. */
static mote_status time_boxes(const bench *b, job *j, const char *name, double speed, int threads)
{
    int64_t side = 22;
    void *box;
    MO_TRY(mo_allocate_array(&j->memory, j->boxes, sizeof(mo_box), &box, &j->error));
    j->box = box;
    j->speed = speed;
    mo_broad_phase_init(&j->broad, &j->memory);
    for (int64_t k = 0; k < j->boxes; ++k) {
        mo_vec3 at = mo_vec3_make((double)(k % side), (double)(k / side % side),
                                  0.5 + (double)(k / side / side));
        mo_vec3 r = mo_random_cube(9, 0, (uint64_t)k, 0);
        at = mo_add_scaled(mo_scale(1.02, at), 0.05, r);
        for (int axis = 0; axis < 3; ++axis) {
            double half = 0.48 + 0.05 * mo_vec3_at(r, (axis + 1) % 3);
            j->box[k].low[axis] = mo_vec3_at(at, axis) - half;
            j->box[k].high[axis] = mo_vec3_at(at, axis) + half;
        }
    }
    double end = (double)INFINITY;
    j->box[0] = (mo_box){{-end, -end, -end}, {end, end, 0}};
    for (int k = 0; k < 5; ++k) {
        update(j);
    }
    double seconds = threads > 1
                         ? bench_best_seconds(b, update, j) - bench_best_seconds(b, only_move, j)
                         : best_seconds(b, update, j) - best_seconds(b, only_move, j);
    bench_row row = {.name = name,
                     .threads = threads,
                     .seconds = seconds,
                     .rate = (double)j->boxes / seconds,
                     .unit = "boxes/s",
                     .baseline = (double)NAN};
    snprintf(row.note, sizeof row.note, "%.3f ms a step; %lld pairs, %lld boxes left theirs",
             1e3 * seconds, (long long)j->broad.pair_count, (long long)j->broad.moved);
    bench_report(b, &row);
    mo_broad_phase_release(&j->broad);
    mo_release(&j->memory, j->box);
    return j->status;
}

static mote_status run_broad(void *context, mote_error *error)
{
    const bench *b = context;
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    mote_status status = MOTE_OK;
    for (int k = 0; k < count && status == MOTE_OK; ++k) {
        job j;
        MO_TRY(open_job(&j, threads[k], error));
        j.boxes = 10000;
        status = time_boxes(b, &j, "collision/broad/rest", 0, threads[k]);
        status = status == MOTE_OK ? time_boxes(b, &j, "collision/broad/creep", 0.01, threads[k])
                                   : status;
        status =
            status == MOTE_OK ? time_boxes(b, &j, "collision/broad/fly", 0.5, threads[k]) : status;
        status = close_job(&j, status, error);
    }
    return status;
}

static const suite_case CASES[] = {
    {"collision/volumes/", "Bounding volumes on five surfaces: tightness, build, refit, overlap.",
     run_volumes},
    {"collision/search/", "Hierarchies against space subdivision, by objects and primitives.",
     run_search},
    {"collision/hash/", "Cell size, table size and hash function of spatial hashing.", run_hash},
    {"collision/broad/", "The broad phase over 10,000 moving boxes.", run_broad},
    {0}};

const suite_group bench_collision = {
    "collision", "Bounding volumes, hierarchies, space subdivision, the broad phase.", CASES};
