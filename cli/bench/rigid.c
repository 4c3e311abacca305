/*
 * Steps of rigid bodies: stacks, piles and joints at 60 Hz with the defaults, without sleeping.
 *
 *   rigid/pyramid   5,050 boxes of 1 m in a wall, base 100, standing
 *   rigid/pile      2,000 boxes, spheres and capsules dropped into a container, until they lie
 *   rigid/hulls     1,000 convex hulls of 16 points dropped into a container, until they lie
 *   rigid/grid      100 x 100 bodies on ball joints
 *   rigid/stack     ten boxes, each heavier than the one below, 1:100 in all
 *   rigid/chain     50 links of 0.2 m, a weight of 1,000 links at the end
 *
 * A figure is the mean of a run, since the cost changes as the bodies come to rest, and quality is
 * measured in the same run: mean penetration over points that overlap, joint error. Figures of
 * Box3D (30c67b5, 4 substeps) and the bars are of a machine of 102 GFLOP/s a core; the bars are
 * scaled by the measured GFLOP/s of a core (`mote bench calibrate`) and compared with processor
 * time on one thread and with elapsed time on several.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/calibrate.h"
#include "bench/case_world.h"
#include "mote/mote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bars in milliseconds a step on one and on two threads, at REFERENCE operations per second of a
 * core; 0: none. */
typedef struct bars {
    double one, two;
} bars;

static const double REFERENCE = 102e9;

/* ", 1.1 of the bar of 12 ms": the figure by the scaled bar. */
static void compare(const bars *bar, int threads, double seconds, char *text, size_t size)
{
    double scaled = 1e-3 * (threads == 1 ? bar->one : bar->two) * REFERENCE;
    text[0] = 0;
    if (scaled > 0 && threads <= 2) {
        scaled /= calibrate_core_flops();
        snprintf(text, size, ", %.2f of the scaled bar of %.1f ms", seconds / scaled, 1e3 * scaled);
    }
}

/* A quantity that the rigid system reports; NaN: it does not. */
static double quantity(const mote_world *world, const char *name)
{
    for (int k = 0; k < mote_world_quantity_count(world); ++k) {
        mote_quantity q = mote_world_quantity(world, k);
        if (!strcmp(q.name, name)) {
            return q.value;
        }
    }
    return NAN;
}

/* "narrow phase 1.2 ms, solve 3.4 ms": the stages of the rigid system, per step. */
static void list_stages(const mote_world *world, int steps, char *text, size_t size)
{
    int at = 0;
    text[0] = 0;
    for (int k = 0; k < mote_world_stage_count(world); ++k) {
        mote_stage stage = mote_world_stage(world, k);
        if (!strncmp(stage.name, "rigid ", 6) && at < (int)size) {
            at += snprintf(text + at, size - (size_t)at, "%s%s %.2f ms", at ? ", " : "",
                           stage.name + 6, 1e3 * stage.seconds / steps);
        }
    }
}

/* Mean distance of the points of a joint; 0 without joints. */
static double joint_error_mean(const mote_world *world)
{
    int64_t count = mote_world_joint_count(world);
    double sum = 0;
    for (int64_t k = 0; k < count; ++k) {
        mote_joint joint;
        sum += mote_world_joint(world, k, &joint) ? joint.error : 0;
    }
    return count ? sum / (double)count : 0;
}

/* Times a run of a scene, on one thread and on all. `reference`: the note. */
static mote_status time_scene(const bench *b, const char *name, const char *scene, int steps,
                              bars bar, const char *reference, mote_error *error)
{
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    steps = b->quick ? (steps + 9) / 10 : steps;
    for (int k = 0; k < count; ++k) {
        mote_world *world;
        MO_TRY(case_world_create(scene, NULL, threads[k], &world, error));
        double seconds = 0, cpu = 0, penetration = 0, joint = 0, joint_mean = 0;
        mote_status status = MOTE_OK;
        for (int n = 0; n < steps && status == MOTE_OK; ++n) {
            double start = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
            status = mote_world_step(world, NULL, error);
            seconds += now(CLOCK_MONOTONIC) - start;
            cpu += now(CLOCK_PROCESS_CPUTIME_ID) - used;
            penetration += quantity(world, "penetration_mean") / steps;
            joint = fmax(joint, quantity(world, "joint_error"));
            joint_mean += joint_error_mean(world) / steps;
        }
        bench_row row = {.name = name,
                         .threads = threads[k],
                         .seconds = seconds / steps,
                         .rate = steps / seconds,
                         .unit = "steps/s",
                         .baseline = NAN};
        char stages[160], ratio[60];
        list_stages(world, steps, stages, sizeof stages);
        compare(&bar, threads[k], (threads[k] == 1 ? cpu : seconds) / steps, ratio, sizeof ratio);
        snprintf(
            row.note, sizeof row.note,
            "%.2f ms a step, %.2f ms of processor time%s (%s), %lld bodies, mean penetration %.2g mm, "
            "joint error: mean %.2g, largest %.2g mm; %s",
            1e3 * row.seconds, 1e3 * cpu / steps, ratio, stages,
            (long long)mote_world_rows(world, 0), 1e3 * penetration, 1e3 * joint_mean, 1e3 * joint,
            reference);
        mote_world_destroy(world);
        MO_TRY(status);
        bench_report(b, &row);
    }
    return MOTE_OK;
}

#define PLANE "\"colliders\": [{\"shape\": {\"type\": \"plane\", \"normal\": [0, 0, 1]}}]"
#define CLOCK "\"time\": {\"end\": 100, \"step\": 0.016666666666666666}"

static mote_status run_pyramid(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{" CLOCK ", \"bodies\": [{\"model\": \"rigid\", \"shape\": {\"type\": \"box\", \"min\": "
        "[-0.49, -0.5, 0], \"max\": [0.49, 0.5, 1]}, \"mass\": 1000, \"copies\": [{\"count\": 100, "
        "\"step\": [1, 0, 0]}, {\"count\": 100, \"step\": [0.5, 0, 1], \"fewer\": 1}]}], " PLANE
        "}";
    return time_scene(context, "rigid/pyramid", SCENE, 120, (bars){24, 17},
                      "Box3D elsewhere: 24.0 / 16.9 ms on 1 / 2 threads, 6.8 mm", error);
}

static mote_status run_pile(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{" CLOCK ", \"bodies\": [{\"model\": \"rigid\", \"shape\": {\"type\": \"box\", \"min\": "
        "[-3.9, -3.9, 0.4], \"max\": [-3.4, -3.4, 0.9]}, \"density\": 500, \"copies\": [{\"count\": "
        "9, \"step\": [0.85, 0.01, 0]}, {\"count\": 9, \"step\": [0.01, 0.85, 0.01]}, {\"count\": 9, "
        "\"step\": [0.01, -0.01, 2]}]}, {\"model\": \"rigid\", \"shape\": {\"type\": \"sphere\", "
        "\"center\": [-3.6, -3.6, 1.3], \"radius\": 0.3}, \"density\": 500, \"copies\": [{\"count\": "
        "9, \"step\": [0.85, 0.01, 0]}, {\"count\": 9, \"step\": [0.01, 0.85, 0.01]}, {\"count\": 8, "
        "\"step\": [-0.01, 0.01, 2]}]}, {\"model\": \"rigid\", \"shape\": {\"type\": \"capsule\", "
        "\"start\": [-3.8, -3.6, 1.9], \"end\": [-3.4, -3.6, 1.9], \"radius\": 0.15}, \"density\": "
        "500, \"copies\": [{\"count\": 9, \"step\": [0.85, 0.01, 0]}, {\"count\": 9, \"step\": [0.01, "
        "0.85, 0.01]}, {\"count\": 8, \"step\": [0.01, 0.01, 2]}]}], \"colliders\": [{\"inside\": "
        "true, \"shape\": {\"type\": \"box\", \"min\": [-4.5, -4.5, 0], \"max\": [4.5, 4.5, 40]}}]}";
    return time_scene(context, "rigid/pile", SCENE, 480, (bars){9, 7},
                      "Box3D elsewhere: 9.0 / 10.0 ms on 1 / 2 threads, 3.7 mm", error);
}

/* Three hulls of 16 points on a ball of 0.3 m, spread by the golden angle with different twists. */
static mote_status run_hulls(void *context, mote_error *error)
{
    enum { POINTS = 16, KINDS = 3 };
    const int layers[KINDS] = {4, 3, 3};
    char text[6000];
    int at = snprintf(text, sizeof text, "{" CLOCK ", \"bodies\": [");
    for (int kind = 0; kind < KINDS; ++kind) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s{\"model\": \"rigid\", \"density\": 500, \"shape\": {\"type\": "
                       "\"hull\", \"points\": [",
                       kind ? ", " : "");
        for (int k = 0; k < POINTS; ++k) {
            double z = 1 - (2 * k + 1.0) / POINTS, r = sqrt(1 - z * z), a = (2.4 + 0.3 * kind) * k;
            at += snprintf(text + at, sizeof text - (size_t)at, "%s[%.4f, %.4f, %.4f]",
                           k ? ", " : "", -3.6 + 0.3 * r * cos(a), -3.6 + 0.3 * r * sin(a),
                           0.5 + 0.8 * kind + 0.3 * z);
        }
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "]}, \"copies\": [{\"count\": 10, \"step\": [0.78, 0.01, 0]}, {\"count\": "
                       "10, \"step\": [0.01, 0.78, 0.01]}, {\"count\": %d, \"step\": [0.01, "
                       "-0.01, 2.5]}]}",
                       layers[kind]);
    }
    snprintf(text + at, sizeof text - (size_t)at,
             "], \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": "
             "[-4.5, -4.5, 0], \"max\": [4.5, 4.5, 40]}}]}");
    return time_scene(context, "rigid/hulls", text, 480, (bars){6, 5},
                      "Box3D elsewhere: 5.9 / 6.6 ms on 1 / 2 threads, 3.0 mm", error);
}

/* The bodies of the first row at every tenth column do not move. */
static mote_status run_grid(void *context, mote_error *error)
{
    enum { SIDE = 100, LINE = 160 };
    char *text = malloc(SIDE * SIDE * 3 * LINE);
    if (!text) {
        return mo_fail_memory(error, SIDE * SIDE * 3 * LINE);
    }
    int at = sprintf(text, "{" CLOCK ", \"bodies\": [");
    for (int k = 0; k < SIDE * SIDE; ++k) {
        bool fixed = k < SIDE && (k % 10 == 0 || k == SIDE - 1);
        at +=
            sprintf(text + at,
                    "%s{\"name\": \"b%d\", \"model\": \"rigid\", \"shape\": {\"type\": \"sphere\", "
                    "\"center\": [%d, 0, %d], \"radius\": 0.4}, \"mass\": 1, \"fixed\": %s}",
                    k ? "," : "", k, k % SIDE, -k / SIDE, fixed ? "true" : "false");
    }
    at += sprintf(text + at, "], \"joints\": [");
    const char *comma = "";
    for (int k = 0; k < SIDE * SIDE; ++k) {
        int x = k % SIDE, z = k / SIDE;
        if (x + 1 < SIDE) {
            at +=
                sprintf(text + at,
                        "%s{\"type\": \"ball\", \"bodies\": [\"b%d\", \"b%d\"], \"point\": [%g, 0, "
                        "%d]}",
                        comma, k + 1, k, x + 0.5, -z);
            comma = ",";
        }
        if (z + 1 < SIDE) {
            at +=
                sprintf(text + at,
                        "%s{\"type\": \"ball\", \"bodies\": [\"b%d\", \"b%d\"], \"point\": [%d, 0, "
                        "%g]}",
                        comma, k + SIDE, k, x, -z - 0.5);
        }
    }
    sprintf(text + at, "]}");
    mote_status status = time_scene(context, "rigid/grid", text, 60, (bars){20, 14},
                                    "Box3D elsewhere, hung differently: 22.1 / 16.2 ms on 1 / 2 "
                                    "threads, mean joint error 1.3 mm",
                                    error);
    free(text);
    return status;
}

static mote_status run_stack(void *context, mote_error *error)
{
    char text[8000];
    int at = snprintf(text, sizeof text, "{" CLOCK ", \"bodies\": [");
    for (int k = 0; k < 10; ++k) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s{\"model\": \"rigid\", \"shape\": {\"type\": \"box\", \"min\": [-0.5, "
                       "-0.5, %d], \"max\": [0.5, 0.5, %d]}, \"mass\": %.17g}",
                       k ? ", " : "", k, k + 1, 1000 * pow(100, k / 9.0));
    }
    snprintf(text + at, sizeof text - (size_t)at, "], " PLANE "}");
    return time_scene(context, "rigid/stack", text, 600, (bars){0},
                      "Box3D elsewhere: 0.02 ms, sinks by 50 mm", error);
}

static mote_status run_chain(void *context, mote_error *error)
{
    static const char SCENE[] =
        "{" CLOCK ", \"bodies\": [{\"name\": \"link\", \"model\": \"rigid\", \"shape\": {\"type\": "
        "\"box\", \"min\": [0, -0.02, -0.02], \"max\": [0.2, 0.02, 0.02]}, \"mass\": 1, \"copies\": "
        "[{\"count\": 50, \"step\": [0.2, 0, 0]}], \"collides\": false}, {\"name\": \"weight\", "
        "\"model\": \"rigid\", \"shape\": {\"type\": \"sphere\", \"center\": [10.3, 0, 0], "
        "\"radius\": 0.3}, \"mass\": 1000, \"collides\": false}], \"joints\": [{\"type\": \"ball\", "
        "\"bodies\": [\"link\"], \"point\": [0, 0, 0]}, {\"type\": \"ball\", \"bodies\": [\"link\"], "
        "\"chain\": true, \"point\": [0.2, 0, 0]}, {\"type\": \"ball\", \"bodies\": [\"link\", "
        "\"weight\"], \"copies\": [-1, 0], \"point\": [10, 0, 0]}]}";
    return time_scene(context, "rigid/chain", SCENE, 300, (bars){0},
                      "Box3D elsewhere: 0.10 ms, joint error 59 mm", error);
}

static const suite_case CASES[] = {
    {"rigid/pyramid", "A wall pyramid of 5,050 boxes.", run_pyramid},
    {"rigid/pile", "2,000 boxes, spheres and capsules dropped into a container.", run_pile},
    {"rigid/hulls", "1,000 convex hulls dropped into a container.", run_hulls},
    {"rigid/grid", "100 x 100 bodies on ball joints.", run_grid},
    {"rigid/stack", "Ten boxes, each heavier than the one below.", run_stack},
    {"rigid/chain", "A chain of 50 links that drops a weight of 1,000 links.", run_chain},
    {0}};

const suite_group bench_rigid = {"rigid", "Steps of rigid bodies with contacts and joints.", CASES};
