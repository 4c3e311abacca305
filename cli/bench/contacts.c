/*
 * The narrow phase: time per pair of convex shapes in shallow contact, as in a pile at rest: the
 * first lies on the second, moved and turned at random, with gaps of at most a millimetre, and the
 * axis of the last step is known. contacts/apart/...: pairs whose bounding boxes overlap, but not
 * they. contacts/fast/...: a body at 50 m/s, swept through a step of 1/60 s.
 */
#include "bench/bench.h"
#include "collide/narrow/narrow.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS = 2048, HULL_POINTS = 24 };

typedef struct job {
    mo_memory memory;
    mo_arena arena;
    mo_collision_shape first, second;
    mo_pose pose[PAIRS], still;
    mo_narrow_query query;
    mo_manifold_hint hint[PAIRS];
    int hints[PAIRS];
    int64_t found, points;
} job;

static mo_convex primitive(mo_primitive_kind kind, mo_vec3 half, double low, double high)
{
    mo_primitive p = {
        .kind = kind, .axes = mo_mat3_identity(), .half = half, .radius = {low, high}};
    return mo_convex_of_primitive(&p);
}

/* A pebble with two parallel faces of six corners or fewer. */
static mote_status hull_part(job *j, mo_convex *part, mote_error *error)
{
    double x[3 * HULL_POINTS];
    mo_hull *hull = mo_arena_allocate(&j->arena, sizeof *hull);
    if (!hull) {
        return mo_fail_memory(error, sizeof *hull);
    }
    for (int k = 0; k < HULL_POINTS; ++k) {
        mo_vec3 p = mo_random_cube(3, 1, (uint64_t)k, 0);
        p.z = k < 12 ? 0 : 0.3 * p.z;
        p = mo_scale((k < 12 ? 0.4 : 0.5) / mo_length(p), p);
        p.z = k < 6 ? -0.3 : k < 12 ? 0.3 : fmin(fmax(p.z, -0.25), 0.25);
        mo_vec3_store(x + 3 * (size_t)k, p);
    }
    MO_TRY(mo_hull_build(HULL_POINTS, x, "hull", &j->arena, hull, NULL, error));
    *part = mo_convex_of_hull(hull);
    return MOTE_OK;
}

typedef struct pair_case {
    const char *name;
    char first, second; /* see part_of */
    double height, spread, tilt;
} pair_case;

static mote_status part_of(job *j, char kind, mo_convex *part, mote_error *error)
{
    mo_vec3 cube = {0.5, 0.5, 0.5}, line = {0, 0, 0.5};
    switch (kind) {
    case 's':
        *part = primitive(MO_PRIMITIVE_SPHERE, cube, 0.5, 0.5);
        return MOTE_OK;
    case 'b':
        *part = primitive(MO_PRIMITIVE_BOX, cube, 0, 0);
        return MOTE_OK;
    case 'c': /* lying along x */
        *part = primitive(MO_PRIMITIVE_CAPSULE, line, 0.5, 0.5);
        part->axes = (mo_mat3){{0, 0, 1, 0, 1, 0, -1, 0, 0}};
        return MOTE_OK;
    case 'y':
        *part = primitive(MO_PRIMITIVE_FRUSTUM, line, 0.5, 0.5);
        return MOTE_OK;
    case 'k':
        *part = primitive(MO_PRIMITIVE_FRUSTUM, line, 0.5, 0);
        return MOTE_OK;
    default:
        return hull_part(j, part, error);
    }
}

static void set_poses(job *j, const pair_case *c, double speed)
{
    j->still = mo_pose_identity();
    for (int k = 0; k < PAIRS; ++k) {
        mo_vec3 r = mo_random_cube(5, 0, (uint64_t)k, 0), s = mo_random_cube(5, 1, (uint64_t)k, 0);
        mo_quat q = {1, c->tilt * s.x, c->tilt * s.y, s.z};
        j->pose[k] = mo_pose_identity();
        j->pose[k].p = mo_vec3_make(c->spread * r.x, c->spread * r.y, c->height + 1e-3 * r.z);
        j->pose[k].R = mo_quat_matrix(mo_quat_normalize(q));
        j->pose[k].v = mo_vec3_make(0, 0, -speed);
    }
}

static void collide(void *context)
{
    job *j = context;
    j->found = j->points = 0;
    for (int k = 0; k < PAIRS; ++k) {
        mo_manifold m[MO_NARROW_MOST];
        mo_narrow_hints hints = {j->hints[k], &j->hint[k]};
        int count =
            mo_narrow_bodies(&j->first, &j->pose[k], &j->second, &j->still, &j->query, hints, m);
        j->found += count > 0;
        j->hints[k] = count > 0;
        j->hint[k] = count > 0 ? m[0].hint : j->hint[k];
        for (int i = 0; i < count; ++i) {
            j->points += m[i].count;
        }
    }
}

static mote_status run_pair(const bench *b, const pair_case *c, double speed, job *j,
                            mote_error *error)
{
    mo_convex first, second;
    MO_TRY(part_of(j, c->first, &first, error));
    MO_TRY(part_of(j, c->second, &second, error));
    MO_TRY(mo_collision_shape_add_part(&j->first, &first, &j->arena, error));
    MO_TRY(mo_collision_shape_add_part(&j->second, &second, &j->arena, error));
    j->query = (mo_narrow_query){0.005, 1 / 60.0};
    set_poses(j, c, speed);
    double seconds = bench_best_seconds(b, collide, j);
    bench_row row = {.name = c->name,
                     .threads = 1,
                     .seconds = seconds,
                     .rate = PAIRS / seconds,
                     .unit = "pairs/s",
                     .baseline = (double)NAN};
    snprintf(row.note, sizeof row.note, "%.0f ns a pair; %.0f %% in contact, %.1f points each",
             1e9 * seconds / PAIRS, 100.0 * (double)j->found / PAIRS,
             j->found ? (double)j->points / (double)j->found : 0);
    bench_report(b, &row);
    return MOTE_OK;
}

static const pair_case PAIR_CASES[] = {
    {"contacts/sphere_sphere", 's', 's', 1, 0, 1},
    {"contacts/sphere_box", 's', 'b', 1, 0.4, 1},
    {"contacts/capsule_capsule", 'c', 'c', 1, 0.1, 0},
    {"contacts/capsule_box", 'c', 'b', 1, 0.3, 0.001},
    {"contacts/box_box", 'b', 'b', 1, 0.3, 1e-4},
    {"contacts/box_edge_box", 'b', 'b', 1.05, 0.3, 0.1},
    {"contacts/cylinder_box", 'y', 'b', 1, 0.3, 1e-4},
    {"contacts/cone_box", 'k', 'b', 1, 0.3, 1e-4},
    {"contacts/hull_box", 'h', 'b', 0.8, 0.2, 1e-4},
    {"contacts/hull_hull", 'h', 'h', 0.6, 0.1, 1e-4},
    {"contacts/hull_edge_hull", 'h', 'h', 0.62, 0.2, 0.05},
    {"contacts/apart/box_box", 'b', 'b', 1.3, 0.6, 1},
    {"contacts/apart/hull_hull", 'h', 'h', 0.9, 0.6, 1},
    {"contacts/fast/sphere_box", 's', 'b', 1.5, 0.4, 1},
    {"contacts/fast/box_box", 'b', 'b', 1.7, 0.4, 1},
};

static mote_status run_contacts(void *context, mote_error *error)
{
    const bench *b = context;
    mote_status status = MOTE_OK;
    for (size_t k = 0; k < sizeof PAIR_CASES / sizeof *PAIR_CASES && status == MOTE_OK; ++k) {
        if (!suite_selects(b->wanted, PAIR_CASES[k].name)) {
            continue;
        }
        mo_memory memory;
        mo_memory_init(&memory, NULL);
        job *j = mo_allocate(&memory, sizeof *j);
        if (!j) {
            return mo_fail_memory(error, sizeof *j);
        }
        mo_memory_init(&j->memory, NULL);
        mo_arena_init(&j->arena, &j->memory);
        bool fast = strncmp(PAIR_CASES[k].name, "contacts/fast/", 14) == 0;
        status = run_pair(b, &PAIR_CASES[k], fast ? 50 : 0, j, error);
        mo_arena_release(&j->arena);
        mo_release(&memory, j);
    }
    return status;
}

static const suite_case CASES[] = {
    {"contacts/", "Contact manifolds of pairs of convex shapes, one thread.", run_contacts}, {0}};

const suite_group bench_contacts = {"contacts", "Narrow phase: contact manifolds of pairs.", CASES};
