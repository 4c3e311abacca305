#include "io/output/observations.h"

#include "base/file.h"
#include "base/plain_numbers.h"
#include "io/output/image_frames.h"
#include "observe/observables.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL = 64 };

typedef struct mo_observation {
    const char *name; /* of the world */
    int64_t size;     /* values per row, without the time */
    char (*labels)[LABEL];
    int64_t count, capacity; /* rows */
    double *values;          /* 1 + size per row */
    bool is_image;           /* instead of a table: `values` are those of one frame */
    mo_observable_image image;
} mo_observation;

static mote_status init_one(mo_observation *o, int index, mo_memory *memory,
                            const mote_world *world, mote_error *error)
{
    void *labels;
    o->name = mote_world_observable_name(world, index);
    o->size = mote_world_observable_size(world, index);
    o->is_image = mo_observables_image(world, index, &o->image);
    if (o->is_image) {
        return mo_allocate_array(memory, o->size, sizeof *o->values, (void **)&o->values, error);
    }
    MO_TRY(mo_allocate_array(memory, o->size, LABEL, &labels, error));
    o->labels = labels;
    for (int64_t k = 0; k < o->size; ++k) {
        mote_world_observable_label(world, index, k, o->labels[k], LABEL);
    }
    return MOTE_OK;
}

mote_status mo_observations_init(mo_observations *o, mo_memory *memory, const char *directory,
                                 const char *run, const mote_world *world, mote_error *error)
{
    int count = mote_world_observable_count(world);
    void *list;
    *o = (mo_observations){.memory = memory, .directory = directory, .run = run};
    if (count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(memory, count, sizeof *o->list, &list, error));
    o->list = list;
    o->count = count;
    for (int k = 0; k < count; ++k) {
        MO_TRY(init_one(&o->list[k], k, memory, world, error));
    }
    return MOTE_OK;
}

void mo_observations_release(mo_observations *o)
{
    for (int k = 0; k < o->count; ++k) {
        mo_release(o->memory, o->list[k].labels);
        mo_release(o->memory, o->list[k].values);
    }
    mo_release(o->memory, o->list);
    *o = (mo_observations){0};
}

/* Reserves the next row, *row. */
static mote_status next_row(mo_observation *o, mo_memory *memory, double **row, mote_error *error)
{
    void *values = o->values;
    size_t bytes = (size_t)(1 + o->size) * sizeof(double);
    mote_status status = mo_grow(memory, &values, &o->capacity, o->count + 1, bytes, error);
    o->values = values;
    MO_TRY(status);
    *row = o->values + (1 + o->size) * o->count;
    return MOTE_OK;
}

static mote_status add_row(mo_observations *o, int index, mote_world *world, mote_error *error)
{
    double *row;
    MO_TRY(next_row(&o->list[index], o->memory, &row, error));
    row[0] = mote_world_time(world);
    MO_TRY(mote_world_observe(world, index, row + 1, error));
    o->list[index].count++;
    return MOTE_OK;
}

static mo_image_frames images_of(const mo_observations *o, int index)
{
    return (mo_image_frames){o->directory, o->run, o->list[index].name, o->list[index].image};
}

static mote_status add_image(mo_observations *o, int index, mote_world *world, int frame,
                             mote_error *error)
{
    mo_observation *one = &o->list[index];
    mo_image_frames images = images_of(o, index);
    MO_TRY(mote_world_observe(world, index, one->values, error));
    return mo_image_frames_write(&images, frame, mote_world_time(world), one->values, o->memory,
                                 error);
}

mote_status mo_observations_add(mo_observations *o, mote_world *world, int frame, mote_error *error)
{
    for (int k = 0; k < o->count; ++k) {
        MO_TRY(o->list[k].is_image ? add_image(o, k, world, frame, error)
                                   : add_row(o, k, world, error));
    }
    return MOTE_OK;
}

mote_status mo_observations_index(const mo_observations *o, int first, int last,
                                  double (*time)(const void *, int), const void *context,
                                  mote_error *error)
{
    for (int k = 0; k < o->count; ++k) {
        if (o->list[k].is_image) {
            mo_image_frames images = images_of(o, k);
            MO_TRY(mo_image_frames_index(&images, first, last, time, context, o->memory, error));
        }
    }
    return MOTE_OK;
}

void mo_observations_remove_stale(const mo_observations *o, int frame)
{
    for (int k = 0; k < o->count; ++k) {
        if (o->list[k].is_image) {
            mo_image_frames images = images_of(o, k);
            mo_image_frames_remove(&images, frame);
        }
    }
}

/* ---- files ---- */

static void print_table(const mo_observation *o, FILE *stream)
{
    fputs("time_s", stream);
    for (int64_t k = 0; k < o->size; ++k) {
        fprintf(stream, ",%s", o->labels[k]);
    }
    for (int64_t row = 0; row < o->count; ++row) {
        const double *values = o->values + (1 + o->size) * row;
        for (int64_t k = 0; k <= o->size; ++k) {
            fprintf(stream, "%c%.17g", k ? ',' : '\n', values[k]);
        }
    }
    fputc('\n', stream);
}

static void path_of(const mo_observation *o, const char *base, char *path, size_t size)
{
    snprintf(path, size, "%s.%s.csv", base, o->name);
}

mote_status mo_observations_write(const mo_observations *o, const char *base, mote_error *error)
{
    for (int k = 0; k < o->count; ++k) {
        char path[sizeof((mo_file *)0)->path];
        mo_file out;
        if (o->list[k].is_image) {
            continue;
        }
        path_of(&o->list[k], base, path, sizeof path);
        MO_TRY(mo_file_create(path, &out, error));
        mo_plain_numbers numbers = mo_plain_numbers_begin();
        print_table(&o->list[k], out.stream);
        mo_plain_numbers_end(numbers);
        MO_TRY(mo_file_commit(&out, error));
    }
    return MOTE_OK;
}

/* The next complete row of a table; false at the end. */
static bool read_row(FILE *stream, int64_t numbers, double *row)
{
    for (int64_t k = 0; k < numbers; ++k) {
        int next = EOF;
        if (fscanf(stream, "%lf", &row[k]) != 1 ||
            (next = fgetc(stream)) != (k + 1 < numbers ? ',' : '\n')) {
            return false;
        }
    }
    return true;
}

static mote_status read_table(mo_observation *o, mo_memory *memory, FILE *stream, int64_t rows,
                              mote_error *error)
{
    int c = 0;
    while (c != '\n' && c != EOF) { /* the labels */
        c = fgetc(stream);
    }
    for (bool whole = true; whole && o->count < rows;) {
        double *row;
        MO_TRY(next_row(o, memory, &row, error));
        whole = read_row(stream, 1 + o->size, row);
        o->count += whole;
    }
    return MOTE_OK;
}

mote_status mo_observations_resume(mo_observations *o, const char *base, int64_t rows,
                                   mote_error *error)
{
    mote_status status = MOTE_OK;
    for (int k = 0; k < o->count && status == MOTE_OK; ++k) {
        char path[sizeof((mo_file *)0)->path];
        path_of(&o->list[k], base, path, sizeof path);
        FILE *stream = o->list[k].is_image ? NULL : fopen(path, "r");
        if (stream) {
            mo_plain_numbers numbers = mo_plain_numbers_begin();
            status = read_table(&o->list[k], o->memory, stream, rows, error);
            mo_plain_numbers_end(numbers);
            fclose(stream);
        }
    }
    return status;
}
