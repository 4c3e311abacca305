/*
 * Answers for scenes: one JSON object per line of the standard input, one per line of the output,
 * so that a script compares thousands of small worlds in one process.
 *
 *   {"scene": {...}, "steps": 3}              the state after that number of steps
 *   {"scene": {...}, "directory": "D"}        a run to the scene's end that writes to D
 *   {"scene": {...}, "picture": "P.png"}      its picture (where there is a renderer)
 *
 * The answer has "error" (null, or why it failed), "warnings", "seconds" of processor time, "state"
 * (the state hash), and "bits": a hash of everything that can be read of the world: all columns,
 * measures, the report of the last step, edges and triangles, observables.
 */
#include <inttypes.h>
#include <jansson.h>
#include <mote/mote.h>
#ifdef OUTCOME_VIEW
#include <mote/view.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void mix(uint64_t *hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t k = 0; k < bytes; ++k) { /* FNV-1a */
        *hash = (*hash ^ at[k]) * 0x100000001b3u;
    }
}

static void mix_text(uint64_t *hash, const char *text)
{
    mix(hash, text, strlen(text));
}

static void mix_columns(uint64_t *hash, const mote_world *world, int system)
{
    mote_column column;
    for (int k = 0; mote_world_column(world, system, k, &column); ++k) {
        size_t size = column.type == MOTE_F64 || column.type == MOTE_I64 ? 8
                      : column.type == MOTE_U8                           ? 1
                                                                         : 4;
        mix_text(hash, column.name);
        mix(hash, column.data, (size_t)(column.rows * column.components) * size);
    }
    const int32_t *rows = NULL;
    int64_t edges = mote_world_edges(world, system, &rows);
    mix(hash, rows, (size_t)edges * 2 * sizeof *rows);
    int64_t triangles = mote_world_triangles(world, system, &rows);
    mix(hash, rows, (size_t)triangles * 3 * sizeof *rows);
    for (int k = 0; k < mote_world_skin_count(world, system); ++k) {
        mote_skin skin;
        mote_world_skin(world, system, k, &skin);
        double *x = calloc((size_t)skin.vertices * 3 + 1, sizeof *x);
        mote_world_skin_interpolate(world, system, k, "x", x);
        mix(hash, x, (size_t)skin.vertices * 3 * sizeof *x);
        free(x);
    }
}

static void mix_observables(uint64_t *hash, mote_world *world)
{
    for (int k = 0; k < mote_world_observable_count(world); ++k) {
        int64_t size = mote_world_observable_size(world, k);
        double *values = calloc((size_t)size + 1, sizeof *values);
        mote_error error;
        mote_world_observe(world, k, values, &error);
        mix(hash, values, (size_t)size * sizeof *values);
        for (int64_t n = 0; n < size; ++n) {
            char label[100];
            mote_world_observable_label(world, k, n, label, sizeof label);
            mix_text(hash, label);
        }
        free(values);
    }
}

static void mix_report(uint64_t *hash, const mote_step_report *r)
{
    const double numbers[] = {r->time,
                              r->dt,
                              r->courant,
                              (double)r->contacts,
                              (double)r->penetrations,
                              (double)r->evaluations,
                              (double)r->newton_iterations,
                              (double)r->linear_iterations,
                              r->newton_residual,
                              r->linear_residual,
                              r->density_error,
                              r->density_error_max,
                              (double)r->iterations,
                              (double)r->divergence_iterations,
                              r->residual,
                              r->divergence_residual};
    mix(hash, numbers, sizeof numbers);
    mix_text(hash, r->limited_by ? r->limited_by : "");
}

static uint64_t bits_of(mote_world *world, const mote_step_report *report)
{
    uint64_t hash = 0xcbf29ce484222325u;
    mote_measures m = {0};
    mote_error error;
    mix_report(&hash, report);
    mote_world_measure(world, &m, &error);
    mix(&hash, &m, sizeof m);
    mote_world_derive(world);
    for (int s = 0; s < mote_world_system_count(world); ++s) {
        mix_columns(&hash, world, s);
    }
    mix_observables(&hash, world);
    return hash;
}

static json_t *hex(uint64_t number)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, number);
    return json_string(text);
}

static void note_warnings(json_t *answer, const mote_world *world)
{
    json_t *list = json_array();
    for (int k = 0; k < mote_world_warning_count(world); ++k) {
        json_array_append_new(list, json_string(mote_world_warning(world, k).text));
    }
    json_object_set_new(answer, "warnings", list);
}

static mote_status step_scene(const mote_scene *scene, int steps, json_t *answer, mote_error *error)
{
    mote_config config = mote_config_default();
    config.threads = 1;
    mote_world *world;
    mote_status status = mote_world_create(scene, &config, &world, error);
    if (status != MOTE_OK) {
        return status;
    }
    mote_step_report report = {0};
    for (int k = 0; k < steps && status == MOTE_OK; ++k) {
        status = mote_world_step(world, &report, error);
    }
    mote_measures m = {0};
    mote_world_measure(world, &m, error);
    json_object_set_new(answer, "energies",
                        json_pack("[f, f, f]", m.kinetic, m.potential, m.elastic));
    note_warnings(answer, world);
    json_object_set_new(answer, "bits", hex(bits_of(world, &report)));
    json_object_set_new(answer, "state", hex(mote_world_state_hash(world)));
    mote_world_destroy(world);
    return status;
}

static mote_status run_scene(const mote_scene *scene, const char *directory, json_t *answer,
                             mote_error *error)
{
    mote_run_options options = mote_run_options_default();
    mote_run_summary summary = {0};
    options.config.threads = 1;
    options.directory = directory;
    mote_status status = mote_run(scene, &options, &summary, error);
    json_object_set_new(answer, "state", hex(summary.state_hash));
    return status;
}

static mote_status draw_scene(const mote_scene *scene, const char *picture, mote_error *error)
{
#ifdef OUTCOME_VIEW
    mote_render_options options = mote_render_options_default();
    options.config.threads = 1;
    options.output = picture;
    return mote_render(scene, &options, NULL, error);
#else
    (void)scene, (void)picture;
    snprintf(error->text, sizeof error->text, "there is no renderer");
    return MOTE_ERROR_USAGE;
#endif
}

static json_t *answer_to(json_t *question)
{
    json_t *answer = json_pack("{s:[]}", "warnings");
    clock_t begun = clock();
    const char *directory = json_string_value(json_object_get(question, "directory"));
    const char *picture = json_string_value(json_object_get(question, "picture"));
    int steps = (int)json_integer_value(json_object_get(question, "steps"));
    char *text = json_dumps(json_object_get(question, "scene"), 0);
    mote_scene *scene = NULL;
    mote_error error = {0};
    mote_status status = mote_scene_parse(text ? text : "", &scene, &error);
    if (status == MOTE_OK) {
        status = directory ? run_scene(scene, directory, answer, &error)
                 : picture ? draw_scene(scene, picture, &error)
                           : step_scene(scene, steps, answer, &error);
        mote_scene_destroy(scene);
    }
    json_object_set_new(answer, "error", status == MOTE_OK ? json_null() : json_string(error.text));
    json_object_set_new(answer, "seconds", json_real((double)(clock() - begun) / CLOCKS_PER_SEC));
    free(text);
    return answer;
}

int main(void)
{
    json_error_t error;
    json_t *question;
    while ((question = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, &error)) != NULL) {
        json_t *answer = answer_to(question);
        json_dumpf(answer, stdout, JSON_COMPACT);
        putchar('\n');
        fflush(stdout);
        json_decref(answer);
        json_decref(question);
    }
    return 0;
}
