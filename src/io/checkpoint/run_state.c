#include "io/checkpoint/run_state.h"

#include "base/crc.h"
#include "io/checkpoint/header_values.h"

#include <math.h>

static const char NAME[] = "run";

const mo_run_state *mo_run_state_of(const mote_snapshot *snapshot)
{
    return mo_world_snapshot_attached(snapshot, NAME);
}

mote_status mo_run_state_attach(mote_snapshot *snapshot, const mo_run_state *state, double **table,
                                mote_error *error)
{
    size_t bytes = ((size_t)state->written + 1) * MO_RUN_ROW_NUMBERS * sizeof(double);
    *table = mo_arena_allocate(&snapshot->arena, bytes);
    mo_run_state *copy = *table ? mo_world_snapshot_attach(snapshot, NAME, sizeof *copy) : NULL;
    if (!copy) {
        return mo_fail_memory(error, bytes + sizeof *copy);
    }
    *copy = *state;
    copy->table = *table;
    return MOTE_OK;
}

/* All of them, in the order of the struct. */
static json_t *measures_of(const mote_measures *m)
{
    json_t *list = json_array();
    for (size_t k = 0; k < sizeof *m / sizeof(double); ++k) {
        if (json_array_append_new(list, mo_header_number(((const double *)m)[k])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *mo_run_state_json(const mo_run_state *r)
{
    if (!r) {
        return json_null();
    }
    size_t bytes = ((size_t)r->written + 1) * MO_RUN_ROW_NUMBERS * sizeof(double);
    return json_pack("{s:i, s:i, s:I, s:f, s:o, s:i, s:f, s:f, s:i, s:I, s:o}", "frame", r->frame,
                     "written", r->written, "steps_at_frame", (json_int_t)r->steps_at_frame,
                     "wall_s", r->wall, "until", mo_header_number(r->until), "frames", r->frames,
                     "checkpoint_every", r->every, "checkpoint_wall", r->wall_every,
                     "checkpoint_keep", r->keep, "table_crc32c",
                     (json_int_t)mo_crc32c(0, r->table, bytes), "first", measures_of(&r->first));
}

static mote_status read_measures(json_t *list, mote_measures *m, mote_error *error)
{
    size_t count = sizeof *m / sizeof(double);
    if (!json_is_array(list) || json_array_size(list) != count) {
        return mo_header_fail(error, "first", "has the wrong number of values");
    }
    for (size_t k = 0; k < count; ++k) {
        json_t *value = json_array_get(list, k);
        ((double *)m)[k] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    return MOTE_OK;
}

mote_status mo_run_state_read(json_t *run, mo_run_state *out, uint32_t *table_crc,
                              mote_error *error)
{
    MO_TRY(mo_header_get_small(run, "frame", 0, &out->frame, error));
    MO_TRY(mo_header_get_small(run, "written", 0, &out->written, error));
    MO_TRY(mo_header_get_int(run, "steps_at_frame", 0, INT64_MAX / 2, &out->steps_at_frame, error));
    MO_TRY(mo_header_get_real(run, "wall_s", &out->wall, error));
    MO_TRY(mo_header_get_real_or_null(run, "until", &out->until, error));
    MO_TRY(mo_header_get_small(run, "frames", -1, &out->frames, error));
    MO_TRY(mo_header_get_real(run, "checkpoint_every", &out->every, error));
    MO_TRY(mo_header_get_real(run, "checkpoint_wall", &out->wall_every, error));
    MO_TRY(mo_header_get_small(run, "checkpoint_keep", 1, &out->keep, error));
    MO_TRY(read_measures(json_object_get(run, "first"), &out->first, error));
    *table_crc = (uint32_t)json_integer_value(json_object_get(run, "table_crc32c"));
    return out->every >= 0 && out->wall_every >= 0 && out->wall >= 0
               ? MOTE_OK
               : mo_header_fail(error, "run", "is out of range");
}
