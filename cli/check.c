/*
 * `mote check SCENE`: builds the world and describes it, without a step and without output.
 */
#include "commands.h"
#include "options.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_world(const mote_world *world, const char *file)
{
    printf("%s is valid\n", file);
    for (int s = 0; s < mote_world_system_count(world); ++s) {
        const int32_t *unused;
        printf("  system %s: %lld particles, %lld edges, %lld triangles, %.1f MiB\n",
               mote_world_system_name(world, s), (long long)mote_world_rows(world, s),
               (long long)mote_world_edges(world, s, &unused),
               (long long)mote_world_triangles(world, s, &unused),
               (double)mote_world_memory(world) / (1 << 20));
    }
    for (int k = 0; k < mote_world_body_count(world); ++k) {
        mote_body body = mote_world_body(world, k);
        printf("  body %s: %lld particles\n", body.name, (long long)body.count);
    }
}

/* Warnings of the setup: removed particles, bodies that do not interact. */
static void print_warnings(const mote_world *world)
{
    for (int k = 0; k < mote_world_warning_count(world); ++k) {
        printf("  warning: %s\n", mote_world_warning(world, k).text);
    }
}

static void print_scheme(const mote_advice *advice)
{
    char step[32];
    snprintf(step, sizeof step, isinf(advice->damped_step) ? "any step" : "%.3g s",
             advice->damped_step);
    printf("    %-18s order %d  %s%s\n", advice->integrator, advice->order,
           advice->stable_step > 0 ? step : "none: unstable at any step",
           advice->current ? "  <- this scene" : "");
}

/* The first step, and its active limit. */
static void print_step(const mote_world *world)
{
    const char *limited_by;
    double step = mote_world_step_size(world, &limited_by);
    printf("  the scene's step is %.3g s, set by '%s'\n", step, limited_by);
}

/* The conclusion. Frequency and damping are upper bounds, so a larger step may still be stable. */
static void print_verdict(const mote_advice *own, double omega, bool warned)
{
    printf("  at the scene's step omega h = %.3g, (omega h)^2/12 = %.2g\n", omega * own->step,
           own->accuracy);
    if (!(own->stable_step > 0)) {
        printf("  verdict: %s is unstable at any step; its energy grows more slowly for smaller "
               "steps\n",
               own->integrator);
    } else if (own->step > own->damped_step) {
        printf(
            "  verdict: possibly unstable: the step exceeds the stability bound of %.3g s of %s%s; "
            "use a smaller step (time.step, or max of cfl)%s or an implicit integrator\n",
            own->damped_step, own->integrator,
            own->damped_step < own->stable_step ? " with this damping" : "",
            own->damped_step < own->stable_step ? ", less damping" : "");
    } else if (isinf(own->damped_step) && omega * own->step > 1) {
        printf(
            "  verdict: unconditionally stable (linear analysis); motions with periods below %.3g "
            "s are not resolved\n",
            6.2832 * own->step);
    } else {
        printf("  verdict: stable%s\n", warned ? ", but see the warnings above" : "");
    }
}

/* The largest stable steps of all integrators. */
static void print_advice(mote_world *world)
{
    double omega, rate;
    bool warned = mote_world_warning_count(world) > 0;
    mote_advice advice, own = {0};
    if (mote_world_frequency(world, &omega, NULL) != MOTE_OK ||
        mote_world_damping(world, &rate, NULL) != MOTE_OK || !(omega > 0 || rate > 0) ||
        !mote_world_advice(world, omega, rate, 0, &advice)) {
        printf("  verdict: valid%s\n", warned ? ", but see the warnings above" : "");
        return;
    }
    printf(
        "  highest frequency at most %.4g rad/s, fastest damping at most %.4g 1/s; largest stable step:\n",
        omega, rate);
    for (int k = 0; mote_world_advice(world, omega, rate, k, &advice); ++k) {
        print_scheme(&advice);
        own = advice.current ? advice : own;
    }
    print_verdict(&own, omega, warned);
}

static void print_json(const mote_scene *scene, const mote_world *world)
{
    char hash[20];
    int64_t particles = 0;
    for (int s = 0; s < mote_world_system_count(world); ++s) {
        particles += mote_world_rows(world, s);
    }
    snprintf(hash, sizeof hash, "%016" PRIx64, mote_scene_hash(scene));
    json_t *o =
        json_pack("{s:s, s:s, s:I, s:i}", "scene", mote_scene_name(scene), "scene_hash", hash,
                  "particles", (json_int_t)particles, "bodies", mote_world_body_count(world));
    char *text = json_dumps(o, JSON_COMPACT);
    puts(text ? text : "{}");
    free(text);
    json_decref(o);
}

static int check_scene(const mote_scene *scene, const options *o)
{
    mote_error error;
    mote_world *world;
    mote_config config = mote_config_default();
    config.threads = 1;
    mote_status status = mote_run_check(scene, &config, &error);
    if (status == MOTE_OK) {
        status = mote_world_create(scene, &config, &world, &error);
    }
    if (status != MOTE_OK) {
        print_file_error(o->scene, &error);
        return status == MOTE_ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
    }
    if (o->json) {
        print_json(scene, world);
    } else if (!o->quiet) {
        print_world(world, o->scene);
        print_warnings(world);
        print_step(world);
        print_advice(world);
    }
    mote_world_destroy(world);
    return EXIT_DONE;
}

static const flag FLAGS[] = {OPTIONS_SET, OPTIONS_QUIET, OPTIONS_JSON, {0}};

static int check(const command *self, int count, char **arguments)
{
    options o = options_default();
    mote_scene *scene = command_read(self, count, arguments, &o) ? options_load(&o) : NULL;
    if (!scene) {
        return EXIT_USAGE;
    }
    int code = check_scene(scene, &o);
    mote_scene_destroy(scene);
    return code;
}

const command command_check = {
    .name = "check",
    .operand = "SCENE",
    .summary = "read and build a scene and report its contents and stability, without output "
               "files",
    .missing = "a scene is missing: mote check SCENE.json",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = check,
};
