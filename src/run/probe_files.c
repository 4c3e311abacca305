/* Tables and images of a probe. */
#include "run/probe.h"

#include "base/file.h"
#include "base/plain_numbers.h"
#include "base/text.h"
#include "geometry/sampling/sampling.h"
#include "io/format/vti.h"
#include "run/method_text.h"

#include <stdio.h>

enum { RESULTS_MAX = 31, LABEL = 48 };

/* The results at all positions; the first is the weight. */
typedef struct results {
    const mote_probe *probe;
    mo_memory memory;
    mo_arena arena;
    mo_method sampling;
    int64_t positions;
    int count;
    mo_probe_operator operations[RESULTS_MAX + 1];
    const mote_column *from[RESULTS_MAX + 1];
    mote_column fields[RESULTS_MAX + 1];
    char names[RESULTS_MAX + 1][LABEL];
} results;

static mo_vec3 position_of(const void *context, int64_t index)
{
    return mo_sampling_position(((const results *)context)->sampling, index);
}

static mote_status add_result(results *r, const char *column, const char *operation,
                              mote_error *error)
{
    int k = r->count;
    MO_TRY(mo_probe_find(r->probe, column, operation, &r->from[k], &r->operations[k], error));
    int components = mo_probe_components(r->operations[k], r->from[k]->components);
    double *values = mo_arena_allocate(
        &r->arena, (size_t)r->positions * (size_t)components * sizeof *values + 1);
    if (!values) {
        return mo_fail_memory(error, sizeof *values);
    }
    mo_probe_name(r->operations[k], column, r->names[k], LABEL);
    r->fields[k] = (mote_column){r->names[k], "", MOTE_F64, components, r->positions, values};
    r->count++;
    return mo_probe_sample(r->probe, r->from[k], r->operations[k], r->positions, position_of, r,
                           values, error);
}

static void results_release(results *r)
{
    mo_arena_release(&r->arena);
}

static mote_status compute(results *r, const char *sampling, int count, const char *const *columns,
                           const char *const *operations, mote_error *error)
{
    MO_TRY(mo_method_text_read(sampling, "probe", "sampling", &mo_samplings, &r->arena,
                               &r->sampling, error));
    r->positions = mo_sampling_count(r->sampling);
    MO_TRY(add_result(r, "x", "weight", error));
    for (int k = 0; k < count; ++k) {
        MO_TRY(add_result(r, columns[k], operations[k], error));
    }
    return MOTE_OK;
}

static mote_status results_create(results *r, const mote_probe *probe, const char *sampling,
                                  int count, const char *const *columns,
                                  const char *const *operations, mote_error *error)
{
    *r = (results){.probe = probe};
    mo_memory_init(&r->memory, &probe->memory.allocator);
    mo_arena_init(&r->arena, &r->memory);
    if (count < 0 || count > RESULTS_MAX) {
        return mo_fail(error, MOTE_ERROR_USAGE, "probe: %d results; allowed: 0 to %d", count,
                       RESULTS_MAX);
    }
    mote_status status = compute(r, sampling, count, columns, operations, error);
    if (status != MOTE_OK) {
        results_release(r);
    }
    return status;
}

/* ---- files ---- */

static void print_labels(const results *r, mo_text *text)
{
    mo_text_add(text, "x_m,y_m,z_m");
    for (int k = 0; k < r->count; ++k) {
        for (int c = 0; c < r->fields[k].components; ++c) {
            char label[LABEL];
            mo_probe_label(r->operations[k], r->from[k]->name, r->from[k]->components, c, label,
                           sizeof label);
            mo_text_add(text, ",%s", label);
        }
    }
}

static void print_table(const results *r, mo_text *text)
{
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    print_labels(r, text);
    for (int64_t i = 0; i < r->positions; ++i) {
        mo_vec3 x = position_of(r, i);
        mo_text_add(text, "\n%.17g,%.17g,%.17g", x.x, x.y, x.z);
        for (int k = 0; k < r->count; ++k) {
            const double *values = (const double *)r->fields[k].data + i * r->fields[k].components;
            for (int c = 0; c < r->fields[k].components; ++c) {
                mo_text_add(text, ",%.17g", values[c]);
            }
        }
    }
    mo_text_add(text, "\n");
    mo_plain_numbers_end(numbers);
}

mote_status mote_probe_table(const mote_probe *probe, const char *sampling, int count,
                             const char *const *columns, const char *const *operations, char **text,
                             mote_error *error)
{
    MO_NEED(probe);
    MO_NEED(sampling);
    MO_NEED(columns);
    MO_NEED(operations);
    MO_NEED(text);
    results r;
    mo_text table = {0};
    *text = NULL;
    mo_error_clear(error);
    MO_TRY(results_create(&r, probe, sampling, count, columns, operations, error));
    print_table(&r, &table);
    results_release(&r);
    return mo_text_take(&table, text, error);
}

static mote_status write_image(const results *r, FILE *stream, mote_error *error)
{
    mo_lattice lattice;
    mo_memory memory;
    mo_memory_init(&memory, &r->probe->memory.allocator);
    if (!mo_sampling_lattice(r->sampling, &lattice)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "single points are no image; write .csv, or choose a line, plane or grid");
    }
    return mo_vti_write(&lattice, r->probe->time, r->count, r->fields, &memory, stream, error);
}

static mote_status write_file(const results *r, const char *path, bool image, mote_error *error)
{
    mo_file file;
    mote_error problem = {0};
    mote_status status = MOTE_OK;
    MO_TRY(mo_file_create(path, &file, error));
    if (image) {
        status = write_image(r, file.stream, &problem);
    } else {
        mo_text table = {0};
        print_table(r, &table);
        status = table.failed ? mo_fail_memory(&problem, table.length) : MOTE_OK;
        fputs(table.data ? table.data : "", file.stream);
        mo_text_release(&table);
    }
    if (status != MOTE_OK) {
        mo_file_abandon(&file);
        return mo_fail(error, status, "%.500s: %.1200s", path, problem.text);
    }
    return mo_file_commit(&file, error);
}

mote_status mote_probe_write(const mote_probe *probe, const char *sampling, int count,
                             const char *const *columns, const char *const *operations,
                             const char *path, mote_error *error)
{
    MO_NEED(probe);
    MO_NEED(sampling);
    MO_NEED(columns);
    MO_NEED(operations);
    MO_NEED(path);
    results r;
    bool image = mo_ends_with(path, ".vti");
    mo_error_clear(error);
    if (!image && !mo_ends_with(path, ".csv")) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%.1000s: the extension selects the format; allowed: .csv, .vti", path);
    }
    MO_TRY(results_create(&r, probe, sampling, count, columns, operations, error));
    mote_status status = write_file(&r, path, image, error);
    results_release(&r);
    return status;
}
