/* header.json: built with jansson, read back with every number and text checked. */
#include "io/checkpoint/checkpoint.h"

#include "base/crc.h"
#include "base/memory.h"
#include "io/checkpoint/header_values.h"
#include "io/checkpoint/run_state.h"

#include <stdio.h>
#include <string.h>

static const char FORMAT[] = "mote checkpoint";

/* Limits of systems and couplings, against forged headers. */
enum { STORES_MAX = 256 };

/* ---- writing ---- */

static json_t *text_or_null(const char *text)
{
    char *copy = text ? mo_heap_text(text, strlen(text)) : NULL;
    if (!copy) {
        return text ? NULL : json_null();
    }
    mo_clean_text(copy); /* a file's name may be any bytes */
    json_t *string = json_string(copy);
    mo_heap_release(copy);
    return string;
}

static json_t *columns_of(const mo_snapshot *rows, const uint32_t *crc32c)
{
    json_t *columns = json_array();
    for (int k = 0; k < rows->count; ++k) {
        const mo_saved_column *c = &rows->columns[k];
        size_t bytes = (size_t)rows->rows * c->row_bytes;
        uint32_t crc = crc32c ? crc32c[k] : mo_crc32c(0, c->data, bytes);
        json_t *column = json_pack("{s:s, s:s, s:i, s:I, s:I}", "name", c->name, "type",
                                   mo_type_name(c->type), "components", c->components, "bytes",
                                   (json_int_t)bytes, "crc32c", (json_int_t)crc);
        if (json_array_append_new(columns, column) != 0) {
            json_decref(columns);
            return NULL;
        }
    }
    return columns;
}

static json_t *bodies_of(const mo_saved_system *s)
{
    json_t *bodies = json_array();
    for (int64_t k = 0; k < s->body_count; ++k) {
        json_t *body = json_pack("{s:s, s:I}", "name", s->bodies[k].name, "count",
                                 (json_int_t)s->bodies[k].count);
        if (json_array_append_new(bodies, body) != 0) {
            json_decref(bodies);
            return NULL;
        }
    }
    return bodies;
}

static json_t *systems_of(const mote_snapshot *snapshot, const uint32_t *crc32c)
{
    json_t *systems = json_array();
    for (int k = 0; k < snapshot->system_count; ++k) {
        const mo_saved_system *s = &snapshot->systems[k];
        json_t *system =
            json_pack("{s:s, s:I, s:I, s:I, s:i, s:o, s:o}", "name", s->name, "rows",
                      (json_int_t)s->rows->rows, "next_id", (json_int_t)s->rows->next_id, "built",
                      (json_int_t)s->built, "callbacks", s->callbacks, "bodies", bodies_of(s),
                      "columns", columns_of(s->rows, crc32c));
        crc32c = crc32c ? crc32c + s->rows->count : NULL;
        if (json_array_append_new(systems, system) != 0) {
            json_decref(systems);
            return NULL;
        }
    }
    return systems;
}

static json_t *couplings_of(const mote_snapshot *snapshot, const uint32_t *crc32c)
{
    json_t *couplings = json_array();
    for (int k = 0; crc32c && k < snapshot->system_count; ++k) { /* systems precede couplings */
        crc32c += snapshot->systems[k].rows->count;
    }
    for (int k = 0; k < snapshot->coupling_count; ++k) {
        const mo_saved_coupling *c = &snapshot->couplings[k];
        json_t *coupling = json_pack(
            "{s:s, s:I, s:I, s:o}", "name", c->name, "rows", (json_int_t)c->rows->rows, "next_id",
            (json_int_t)c->rows->next_id, "columns", columns_of(c->rows, crc32c));
        crc32c = crc32c ? crc32c + c->rows->count : NULL;
        if (json_array_append_new(couplings, coupling) != 0) {
            json_decref(couplings);
            return NULL;
        }
    }
    return couplings;
}

static json_t *warnings_of(const mo_warnings *warnings)
{
    json_t *list = json_array();
    for (int k = 0; k < warnings->count; ++k) {
        json_t *warning =
            json_pack("{s:s, s:s, s:I, s:f}", "kind", warnings->list[k].kind, "text",
                      warnings->list[k].text, "count", (json_int_t)warnings->list[k].times,
                      "first_time", warnings->list[k].first_time);
        if (json_array_append_new(list, warning) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *scene_of(const mo_source *source)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "name", text_or_null(source->name), "file",
                     text_or_null(source->file), "hash", mo_header_hash(source->hash),
                     "motion_hash", mo_header_hash(source->motion_hash));
}

/* {"species": [...], "fluid.phases": [...]}: by the path of the list. */
static json_t *names_of(const mote_snapshot *s)
{
    json_t *tables = json_object();
    for (int t = 0; t < s->names_count; ++t) {
        json_t *list = json_array();
        for (int64_t k = 0; k < s->names[t].count; ++k) {
            if (json_array_append_new(list, json_string(s->names[t].list[k])) != 0) {
                json_decref(list);
                list = NULL;
                break;
            }
        }
        if (json_object_set_new(tables, s->names[t].path, list) != 0) {
            json_decref(tables);
            return NULL;
        }
    }
    return tables;
}

static json_t *clock_of(const mo_clock_state *c)
{
    return json_pack("{s:f, s:f, s:I, s:I, s:f}", "time", c->time, "base", c->base, "steps",
                     (json_int_t)c->steps, "steps_at_base", (json_int_t)c->steps_at_base,
                     "previous_dt", c->previous);
}

/* Of the step control `auto`; else null. */
static json_t *advice_of(const mo_step_advice *a)
{
    if (a->interval == 0) {
        return json_null();
    }
    return json_pack("{s:f, s:f, s:f, s:f, s:s, s:I, s:I}", "frequency", a->frequency, "damping",
                     a->damping, "motion", a->motion, "held", a->current, "held_by",
                     a->current_limit, "due", (json_int_t)a->due, "interval",
                     (json_int_t)a->interval);
}

json_t *mo_checkpoint_header(const mote_snapshot *s, const uint32_t *crc32c)
{
    return json_pack(
        "{s:s, s:i, s:s, s:s, s:o, s:f, s:I, s:s?, s:o, s:o, s:o, s:o, s:b, s:I, s:o, s:o, s:o, "
        "s:o, s:o, s:o, s:o}",
        "format", FORMAT, "format_version", MO_CHECKPOINT_FORMAT, "version",
        s->version ? s->version : mote_version(), "instruction_set",
        s->instruction_set ? s->instruction_set : mote_instruction_set(), "scene",
        scene_of(&s->source), "time", s->clock.time, "steps", (json_int_t)s->clock.steps,
        "integrator", s->integrator, "clock", clock_of(&s->clock), "speed_rate",
        mo_header_number(s->rates.speed), "acceleration_rate",
        mo_header_number(s->rates.acceleration), "state_hash",
        mo_header_hash(mote_snapshot_hash(s)), "stale", s->stale, "steps_at_min",
        (json_int_t)s->steps_at_min, "initial_hash", mo_header_hash(s->initial_hash), "names",
        names_of(s), "systems", systems_of(s, crc32c), "couplings", couplings_of(s, crc32c),
        "warnings", warnings_of(&s->warnings), "run", mo_run_state_json(mo_run_state_of(s)),
        "step_advice", advice_of(&s->advice));
}

/* ---- reading ---- */

static mote_status read_format(json_t *header, mote_error *error)
{
    const char *format = json_string_value(json_object_get(header, "format"));
    int version;
    if (!format || strcmp(format, FORMAT) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "header.json does not identify a mote checkpoint");
    }
    MO_TRY(mo_header_get_small(header, "format_version", 0, &version, error));
    if (version < 1) {
        return mo_header_fail(error, "format_version", "is not a known version");
    }
    if (version < MO_CHECKPOINT_FORMAT) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "it has version %d of the format, written by an older mote; this one (%s) reads "
            "version %d",
            version, mote_version(), MO_CHECKPOINT_FORMAT);
    }
    if (version > MO_CHECKPOINT_FORMAT) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "it has version %d of the format, written by a newer mote; this one (%s) reads version %d",
            version, mote_version(), MO_CHECKPOINT_FORMAT);
    }
    return MOTE_OK;
}

static mote_status read_clock(json_t *clock, mo_clock_state *out, mote_error *error)
{
    MO_TRY(mo_header_get_real(clock, "time", &out->time, error));
    MO_TRY(mo_header_get_real(clock, "base", &out->base, error));
    MO_TRY(mo_header_get_int(clock, "steps", 0, INT64_MAX / 2, &out->steps, error));
    MO_TRY(mo_header_get_int(clock, "steps_at_base", 0, out->steps, &out->steps_at_base, error));
    MO_TRY(mo_header_get_real(clock, "previous_dt", &out->previous, error));
    return out->time >= 0 && out->previous >= 0
               ? MOTE_OK
               : mo_header_fail(error, "clock", "is not increasing");
}

static mote_status read_warnings(json_t *list, mo_warnings *out, mote_error *error)
{
    if (!json_is_array(list) || json_array_size(list) > MO_WARNINGS_MAX) {
        return mo_header_fail(error, "warnings", "is missing or too long");
    }
    for (size_t k = 0; k < json_array_size(list); ++k) {
        json_t *warning = json_array_get(list, k);
        const char *kind = json_string_value(json_object_get(warning, "kind"));
        const char *text = json_string_value(json_object_get(warning, "text"));
        if (!kind || !text || strlen(kind) >= sizeof out->list[k].kind ||
            strlen(text) >= sizeof out->list[k].text) {
            return mo_header_fail(error, "warnings", "has entries of a wrong type");
        }
        strcpy(out->list[k].kind, kind);
        strcpy(out->list[k].text, text);
        MO_TRY(mo_header_get_int(warning, "count", 1, INT64_MAX / 2, &out->list[k].times, error));
        MO_TRY(mo_header_get_real(warning, "first_time", &out->list[k].first_time, error));
        out->count = (int)k + 1;
    }
    return MOTE_OK;
}

static mote_status read_bodies(json_t *list, mo_saved_system *out, mo_arena *arena,
                               mote_error *error)
{
    if (!json_is_array(list)) {
        return mo_header_fail(error, "bodies", "is not a list");
    }
    size_t count = json_array_size(list);
    out->bodies = mo_arena_allocate(arena, count * sizeof *out->bodies + 1);
    if (!out->bodies) {
        return mo_fail_memory(error, count * sizeof *out->bodies);
    }
    for (size_t k = 0; k < count; ++k) {
        json_t *body = json_array_get(list, k);
        MO_TRY(mo_header_get_text(body, "name", 4096, false, arena, &out->bodies[k].name, error));
        MO_TRY(mo_header_get_int(body, "count", 0, INT32_MAX, &out->bodies[k].count, error));
    }
    out->body_count = (int64_t)count;
    return MOTE_OK;
}

/* Reads the size of a store, and checks its list of columns. */
static mote_status read_rows(json_t *owner, mo_snapshot *rows, mote_error *error)
{
    MO_TRY(mo_header_get_int(owner, "rows", 0, INT32_MAX, &rows->rows, error));
    MO_TRY(mo_header_get_int(owner, "next_id", 0, INT64_MAX / 2, &rows->next_id, error));
    json_t *columns = json_object_get(owner, "columns");
    return json_is_array(columns) && json_array_size(columns) <= MO_COLUMNS_MAX
               ? MOTE_OK
               : mo_header_fail(error, "columns", "is missing or too long");
}

static mote_status read_system(json_t *system, mote_snapshot *snapshot, mote_error *error)
{
    const char *name;
    mo_saved_system *out = NULL;
    MO_TRY(mo_header_get_text(system, "name", 63, false, &snapshot->arena, &name, error));
    /* names must be unique, since members have them */
    for (int k = 0; k < snapshot->system_count; ++k) {
        if (strcmp(snapshot->systems[k].name, name) == 0) {
            return mo_header_fail(error, "systems", "has a duplicate name");
        }
    }
    MO_TRY(mo_world_snapshot_add_system(snapshot, name, &out, error));
    MO_TRY(read_rows(system, out->rows, error));
    MO_TRY(mo_header_get_int(system, "built", 0, INT32_MAX, &out->built, error));
    MO_TRY(mo_header_get_small(system, "callbacks", 0, &out->callbacks, error));
    return read_bodies(json_object_get(system, "bodies"), out, &snapshot->arena, error);
}

static mote_status read_systems(json_t *systems, mote_snapshot *snapshot, mote_error *error)
{
    if (!json_is_array(systems) || json_array_size(systems) > STORES_MAX) {
        return mo_header_fail(error, "systems", "is missing or too long");
    }
    for (size_t k = 0; k < json_array_size(systems); ++k) {
        MO_TRY(read_system(json_array_get(systems, k), snapshot, error));
    }
    return MOTE_OK;
}

static mote_status read_couplings(json_t *couplings, mote_snapshot *snapshot, mote_error *error)
{
    if (!json_is_array(couplings) || json_array_size(couplings) > STORES_MAX) {
        return mo_header_fail(error, "couplings", "is not a list or too long");
    }
    for (size_t k = 0; k < json_array_size(couplings); ++k) {
        json_t *coupling = json_array_get(couplings, k);
        const char *name;
        mo_saved_coupling *out = NULL;
        MO_TRY(mo_header_get_text(coupling, "name", 63, false, &snapshot->arena, &name, error));
        if (mo_world_snapshot_coupling(snapshot, name)) {
            return mo_header_fail(error, "couplings", "has a duplicate name");
        }
        MO_TRY(mo_world_snapshot_add_coupling(snapshot, name, &out, error));
        MO_TRY(read_rows(coupling, out->rows, error));
    }
    return MOTE_OK;
}

static mote_status read_names(const char *path, json_t *list, mote_snapshot *snapshot,
                              mote_error *error)
{
    mo_saved_names *out = NULL;
    size_t count = json_array_size(list);
    if (json_is_null(list)) {
        return MOTE_OK; /* older files have no names */
    }
    if (!json_is_array(list)) {
        return mo_header_fail(error, "names", "has entries that are not lists");
    }
    MO_TRY(mo_world_snapshot_add_names(snapshot, path, (int64_t)count, &out, error));
    for (size_t k = 0; k < count; ++k) {
        const char *name = json_string_value(json_array_get(list, k));
        if (!name) {
            return mo_header_fail(error, "names", "has entries that are not names");
        }
        out->list[k] = mo_arena_text(&snapshot->arena, name);
        if (!out->list[k]) {
            return mo_fail_memory(error, strlen(name));
        }
    }
    return MOTE_OK;
}

/* Keys missing in the first files of this format. */
static mote_status read_advice(json_t *advice, mo_step_advice *a, mo_arena *arena,
                               mote_error *error)
{
    const char *name;
    MO_TRY(mo_header_get_real(advice, "frequency", &a->frequency, error));
    MO_TRY(mo_header_get_real(advice, "damping", &a->damping, error));
    MO_TRY(mo_header_get_real(advice, "motion", &a->motion, error));
    MO_TRY(mo_header_get_real(advice, "held", &a->current, error));
    MO_TRY(mo_header_get_text(advice, "held_by", MO_STEP_NAME - 1, false, arena, &name, error));
    MO_TRY(mo_header_get_int(advice, "due", 0, INT64_MAX / 2, &a->due, error));
    MO_TRY(mo_header_get_int(advice, "interval", 0, INT32_MAX, &a->interval, error));
    snprintf(a->current_limit, sizeof a->current_limit, "%s", name);
    return a->current >= 0 ? MOTE_OK
                           : mo_header_fail(error, "step_advice", "has a step that is below 0");
}

static mote_status read_late_keys(json_t *header, json_t *scene, mote_snapshot *s,
                                  mote_error *error)
{
    s->source.motion_hash = s->source.hash;
    if (json_object_get(scene, "motion_hash")) {
        MO_TRY(mo_header_get_hash(scene, "motion_hash", &s->source.motion_hash, error));
    }
    if (json_object_get(header, "steps_at_min")) {
        MO_TRY(
            mo_header_get_int(header, "steps_at_min", 0, INT64_MAX / 2, &s->steps_at_min, error));
    }
    json_t *advice = json_object_get(header, "step_advice");
    if (advice && !json_is_null(advice)) {
        MO_TRY(read_advice(advice, &s->advice, &s->arena, error));
    }
    json_t *couplings = json_object_get(header, "couplings");
    if (couplings) {
        MO_TRY(read_couplings(couplings, s, error));
    }
    const char *path;
    json_t *list, *names = json_object_get(header, "names");
    if (names && !json_is_object(names)) {
        return mo_header_fail(error, "names", "is not an object of lists");
    }
    json_object_foreach(names, path, list)
    {
        MO_TRY(read_names(path, list, s, error));
    }
    return MOTE_OK;
}

mote_status mo_checkpoint_read_header(json_t *header, mote_snapshot *s, mote_error *error)
{
    mo_arena *arena = &s->arena;
    json_t *scene = json_object_get(header, "scene");
    MO_TRY(read_format(header, error));
    MO_TRY(mo_header_get_text(scene, "name", 4096, true, arena, &s->source.name, error));
    MO_TRY(mo_header_get_text(scene, "file", 8192, true, arena, &s->source.file, error));
    MO_TRY(mo_header_get_hash(scene, "hash", &s->source.hash, error));
    MO_TRY(read_late_keys(header, scene, s, error));
    MO_TRY(mo_header_get_text(header, "version", 63, false, arena, &s->version, error));
    MO_TRY(mo_header_get_text(header, "instruction_set", 63, false, arena, &s->instruction_set,
                              error));
    MO_TRY(mo_header_get_text(header, "integrator", 63, true, arena, &s->integrator, error));
    MO_TRY(read_clock(json_object_get(header, "clock"), &s->clock, error));
    MO_TRY(mo_header_get_real_or_null(header, "speed_rate", &s->rates.speed, error));
    MO_TRY(mo_header_get_real_or_null(header, "acceleration_rate", &s->rates.acceleration, error));
    MO_TRY(mo_header_get_hash(header, "initial_hash", &s->initial_hash, error));
    s->stale = json_is_true(json_object_get(header, "stale"));
    MO_TRY(read_warnings(json_object_get(header, "warnings"), &s->warnings, error));
    return read_systems(json_object_get(header, "systems"), s, error);
}

static bool find_type(const char *name, mote_type *type)
{
    for (int k = MOTE_F64; k <= MOTE_U8; ++k) {
        if (name && strcmp(name, mo_type_name((mote_type)k)) == 0) {
            *type = (mote_type)k;
            return true;
        }
    }
    return false;
}

mote_status mo_checkpoint_read_column(json_t *owner, size_t k, mo_header_column *out,
                                      mote_error *error)
{
    json_t *column = json_array_get(json_object_get(owner, "columns"), k);
    const char *name = json_string_value(json_object_get(column, "name"));
    int64_t crc = 0;
    if (!name || !name[0] || strlen(name) >= MO_COLUMN_NAME) {
        return mo_header_fail(error, "columns", "has an entry without a name");
    }
    out->name = name;
    if (!find_type(json_string_value(json_object_get(column, "type")), &out->type)) {
        return mo_header_fail(error, name, "has an unknown type");
    }
    MO_TRY(mo_header_get_small(column, "components", 1, &out->components, error));
    MO_TRY(mo_header_get_int(column, "crc32c", 0, UINT32_MAX, &crc, error));
    out->crc = (uint32_t)crc;
    return out->components <= 1024 ? MOTE_OK
                                   : mo_header_fail(error, name, "has too many components");
}
