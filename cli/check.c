/* `mote check SCENE`: builds the world, takes no step, writes nothing, and says what is in it. */
#include "commands.h"
#include "options.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_world(const mote_world *world, const char *file)
{
    printf("%s is fine\n", file);
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

/* What building it had to say: particles left out, things that do not reach each other. */
static void print_warnings(const mote_world *world)
{
    for (int k = 0; k < mote_world_warning_count(world); ++k) {
        printf("  warning: %s\n", mote_world_warning(world, k).text);
    }
}

static void print_scheme(const mote_advice *advice)
{
    char step[32];
    snprintf(step, sizeof step, isinf(advice->stable_step) ? "any step" : "%.3g s", advice->stable_step);
    printf("    %-18s order %d  %s%s\n", advice->integrator, advice->order,
           advice->stable_step > 0 ? step : "none: grows at any step",
           advice->own ? "  <- this scene, as it is set up" : "");
}

static void print_own_step(const mote_advice *own, double omega)
{
    printf("  the scene's step is %.3g s: omega h = %.3g, (omega h)^2/12 = %.2g\n", own->step,
           omega * own->step, own->accuracy);
    if (own->stable_step > 0 && own->step > own->stable_step) {
        printf(
            "  that is more than %s bears: without damping expect it to explode, take a smaller time.step\n",
            own->integrator);
    } else if (own->step > own->damped_step) {
        printf("  with the damping of springs and elements %s bears steps up to about %.3g s: expect it to "
               "explode, take "
               "a smaller time.step or less damping\n",
               own->integrator, own->damped_step);
    }
}

/* The largest stable steps, so that nobody has to find them by explosions. */
static void print_advice(mote_world *world)
{
    double omega, rate;
    mote_advice advice, own = {0};
    if (mote_world_frequency(world, &omega, NULL) != MOTE_OK || !(omega > 0) ||
        mote_world_damping(world, &rate, NULL) != MOTE_OK ||
        !mote_world_advice(world, omega, rate, 0, &advice)) {
        return;
    }
    printf("  highest frequency at most %.4g rad/s; largest stable step without damping:\n", omega);
    for (int k = 0; mote_world_advice(world, omega, rate, k, &advice); ++k) {
        print_scheme(&advice);
        own = advice.own ? advice : own;
    }
    print_own_step(&own, omega);
}

static void print_json(const mote_scene *scene, const mote_world *world)
{
    char hash[20];
    int64_t particles = 0;
    for (int s = 0; s < mote_world_system_count(world); ++s) {
        particles += mote_world_rows(world, s);
    }
    snprintf(hash, sizeof hash, "%016" PRIx64, mote_scene_hash(scene));
    json_t *o = json_pack("{s:s, s:s, s:I, s:i}", "scene", mote_scene_name(scene), "scene_hash", hash,
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
        complain_about(o->scene, &error);
        return status == MOTE_ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
    }
    if (o->json) {
        print_json(scene, world);
    } else if (!o->quiet) {
        print_world(world, o->scene);
        print_warnings(world);
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
    .summary = "read and build a scene, say what is in it, write nothing",
    .missing = "which scene? mote check SCENE.json",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = check,
};
