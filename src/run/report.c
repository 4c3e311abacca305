#include "run/report.h"

#include "base/file.h"
#include "base/memory.h"
#include "io/checkpoint/run_state.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* JSON has no infinities; non-finite values are null. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *hash_text(uint64_t hash)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

/* A file's name may be any bytes; JSON is UTF-8. */
static json_t *clean_string(const char *text)
{
    char *copy = mo_heap_text(text, strlen(text));
    if (!copy) {
        return NULL;
    }
    mo_clean_text(copy);
    json_t *string = json_string(copy);
    mo_heap_release(copy);
    return string;
}

static json_t *stages_of(const mo_run_record *r)
{
    json_t *stages = json_object();
    for (int k = 0; k < mote_world_stage_count(r->world); ++k) {
        mote_stage stage = mote_world_stage(r->world, k);
        json_object_set_new(stages, stage.name, json_real(stage.seconds));
    }
    json_object_set_new(stages, "output", json_real(r->output_seconds));
    json_object_set_new(stages, "checkpoint", json_real(r->checkpoint_seconds));
    return stages;
}

/* Adds the rows of a system by kind; `system` is NULL in scenes without it. */
static void add_kinds(json_t *kinds, const mo_system_type *type, const mo_system *system,
                      const mo_world_def *def)
{
    const mo_report_hooks *hooks = type->reported;
    int64_t rows = system ? mo_store_rows(system->store) : 0, counts[MO_NUMBERS_MAX] = {rows};
    if (!hooks || !hooks->kinds) {
        if (system) {
            json_object_set_new(kinds, type->base.name, json_integer(rows));
        }
        return;
    }
    if (system && hooks->count) {
        counts[0] = 0;
        hooks->count(system, def, counts);
    }
    for (int k = 0; hooks->kinds[k]; ++k) {
        json_object_set_new(kinds, hooks->kinds[k], json_integer(counts[k]));
    }
}

/* Particles by kind, in the order of systems.def. */
static json_t *particles_of(const mote_world *world, int64_t *total)
{
    json_t *kinds = json_object();
    const mo_system_type *type;
    *total = 0;
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        const mo_system *system = mo_world_system(world, type);
        add_kinds(kinds, type, system, &world->def);
        *total += system ? mo_store_rows(system->store) : 0;
    }
    return kinds;
}

/* The numbers of a system over the steps of this run; null in scenes without it. */
static json_t *summary_of(const mo_system *system, double time)
{
    mo_report_number numbers[MO_NUMBERS_MAX];
    if (!system) {
        return json_null();
    }
    json_t *summary = json_object();
    int count = system->type->reported->summary(system, time, numbers);
    for (int k = 0; k < count; ++k) {
        double value = numbers[k].value;
        json_object_set_new(summary, numbers[k].name,
                            numbers[k].whole ? json_integer((json_int_t)value) : number(value));
    }
    return summary;
}

static double total_energy(const mote_measures *m)
{
    return m->kinetic + m->potential + m->elastic;
}

static json_t *vector(const double v[3])
{
    return json_pack("[o, o, o]", number(v[0]), number(v[1]), number(v[2]));
}

static json_t *energy_of(const mo_run_record *r)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "kinetic", number(r->last.kinetic), "potential",
                     number(r->last.potential), "elastic", number(r->last.elastic), "total_first",
                     number(total_energy(&r->first)), "total_last", number(total_energy(&r->last)));
}

/* null without implicit solves; Newton's residual is null if not evaluated, as after one
 * iteration */
static json_t *implicit_of(const mote_world *world)
{
    const mo_newton_count *n = &world->solved;
    if (n->solves == 0) {
        return json_null();
    }
    double solves = (double)n->solves, systems = n->iterations > 0 ? (double)n->iterations : 1;
    return json_pack("{s:I, s:f, s:f, s:o, s:o, s:I, s:I}", "solves", (json_int_t)n->solves,
                     "newton_iterations_avg", (double)n->iterations / solves,
                     "linear_iterations_avg", (double)n->linear_iterations / systems,
                     "newton_residual_max", number(n->residual > 0 ? n->residual : (double)NAN),
                     "linear_residual_max", number(n->linear_residual), "newton_not_converged",
                     (json_int_t)n->unfinished, "linear_not_converged", (json_int_t)n->unsolved);
}

static json_t *rest_of(const mo_run_record *r)
{
    const mote_static_report *s = r->rest;
    return s ? json_pack("{s:I, s:I, s:I, s:o, s:o, s:o}", "iterations", (json_int_t)s->iterations,
                         "linear_iterations", (json_int_t)s->linear_iterations, "evaluations",
                         (json_int_t)s->evaluations, "force_N", number(s->force), "residual",
                         number(s->residual), "displacement_m", number(s->displacement))
             : json_null();
}

static json_t *workers_of(const mote_world *world)
{
    json_t *workers = json_array();
    for (int k = 0; k < mote_world_threads(world); ++k) {
        json_array_append_new(workers, json_integer(mote_world_worker_blocks(world, k)));
    }
    return workers;
}

static json_t *warnings_of(const mote_world *world)
{
    json_t *warnings = json_array();
    for (int k = 0; k < mote_world_warning_count(world); ++k) {
        mote_warning w = mote_world_warning(world, k);
        json_array_append_new(warnings, json_pack("{s:s, s:I, s:f}", "text", w.text, "count",
                                                  (json_int_t)w.count, "first_time", w.first_time));
    }
    return warnings;
}

static int64_t peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (int64_t)usage.ru_maxrss * 1024;
}

/* The checkpoint that was resumed, with the changes; null for a run from the start. */
static json_t *resumed_of(const mo_run_record *r)
{
    const mote_snapshot *s = r->options->resume;
    if (!s) {
        return json_null();
    }
    const mo_run_state *before = mo_run_state_of(s);
    json_t *changes = json_array();
    for (int k = 0; k < r->options->change_count; ++k) {
        json_array_append_new(changes, clean_string(r->options->changes[k]));
    }
    return json_pack("{s:f, s:I, s:f, s:o, s:o}", "time", s->clock.time, "steps",
                     (json_int_t)s->clock.steps, "wall_s_before", before ? before->wall : 0.,
                     "scene_hash", hash_text(s->source.hash), "changes", changes);
}

static const char *outcome(const mo_run_record *r)
{
    return r->failure ? "failed" : r->summary->cancelled ? "stopped" : "done";
}

/* Over the steps of this run; null if none. */
static json_t *sizes_of(const mo_step_sizes *s)
{
    if (s->count == 0) {
        return json_null();
    }
    json_t *limits = json_object();
    for (int k = 0; k < s->limit_count; ++k) {
        json_object_set_new(limits, s->limits[k].name, json_integer(s->limits[k].count));
    }
    return json_pack("{s:f, s:f, s:f, s:o}", "min", s->least, "mean", s->sum / (double)s->count,
                     "max", s->most, "limited_by", limits);
}

static bool put(json_t *report, const char *key, json_t *value)
{
    return json_object_set_new(report, key, value) == 0;
}

/* NULL if memory is insufficient. */
static json_t *build(const mo_run_record *r)
{
    int64_t particles;
    double seconds = 0;
    const mo_system_type *type;
    for (int k = 0; k < mote_world_stage_count(r->world); ++k) {
        seconds += mote_world_stage(r->world, k).seconds;
    }
    bool whole = true;
    json_t *report = json_object(), *kinds = particles_of(r->world, &particles);
    int64_t steps = r->summary->steps - r->steps_before;
    double rate = seconds > 0 ? (double)particles * (double)steps / seconds : 0;
    whole &= put(report, "version", json_string(mote_version()));
    whole &= put(report, "instruction_set", json_string(mote_instruction_set()));
    whole &= put(report, "scene", clean_string(mote_scene_name(r->scene)));
    whole &= put(report, "scene_hash", hash_text(mote_scene_hash(r->scene)));
    whole &= put(report, "outcome", json_string(outcome(r)));
    whole &= put(report, "failure", r->failure ? json_string(r->failure) : json_null());
    whole &= put(report, "threads", json_integer(mote_world_threads(r->world)));
    whole &= put(report, "worker_blocks", workers_of(r->world));
    whole &= put(report, "time", json_real(r->summary->time));
    whole &= put(report, "steps", json_integer(r->summary->steps));
    whole &= put(report, "step_sizes", sizes_of(&r->sizes));
    whole &= put(report, "frames", json_integer(r->summary->frames));
    whole &= put(report, "checkpoints", json_integer(r->summary->checkpoints));
    whole &= put(report, "resumed", resumed_of(r));
    whole &= put(report, "wall_s", json_real(r->summary->wall));
    whole &= put(report, "stages", stages_of(r));
    whole &= put(report, "particles", kinds);
    whole &= put(report, "particle_steps_per_s", json_real(rate));
    for (int k = 0; (type = mo_system_type_at(k)) != NULL; ++k) {
        if (type->reported && type->reported->summary) {
            const mo_system *system = mo_world_system(r->world, type);
            whole &= put(report, type->base.name, summary_of(system, r->world->clock.time));
        }
    }
    whole &= put(report, "implicit", implicit_of(r->world));
    whole &= put(report, "static", rest_of(r));
    whole &= put(report, "energy", energy_of(r));
    whole &= put(report, "momentum",
                 json_pack("{s:o, s:o}", "linear", vector(r->last.momentum), "angular",
                           vector(r->last.angular_momentum)));
    whole &= put(report, "peak_memory_bytes", json_integer(peak_memory()));
    whole &= put(report, "state_hash", hash_text(r->summary->state_hash));
    whole &= put(report, "warnings", warnings_of(r->world));
    if (!whole) {
        json_decref(report);
        return NULL;
    }
    return report;
}

mote_status mo_report_write(const char *path, const mo_run_record *record, mote_error *error)
{
    json_t *report = build(record);
    char *text = report ? json_dumps(report, JSON_INDENT(2)) : NULL;
    json_decref(report);
    if (!text) {
        return mo_fail(error, MOTE_ERROR_MEMORY, "%s: the report could not be assembled", path);
    }
    mo_file file;
    mote_status status = mo_file_create(path, &file, error);
    if (status == MOTE_OK) {
        fprintf(file.stream, "%s\n", text);
        status = mo_file_commit_synced(&file, error);
    }
    mo_heap_release(text);
    return status;
}
