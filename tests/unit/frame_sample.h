/*
 * A frame with a column of every type, parameters of the formats, and an output directory.
 */
#ifndef TEST_UNIT_FRAME_SAMPLE_H
#define TEST_UNIT_FRAME_SAMPLE_H

#include "test.h"

#include "io/format/format.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 6, FIELDS = 6 };

static const double X[3 * ROWS] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.1, -2.5, 1e-3, 7, 8, 9};
static const int32_t TRIANGLES[] = {0, 1, 2, 0, 2, 3};
static const int32_t EDGES[] = {0, 1, 1, 2, 2, 3, 3, 0};

static double v[3 * ROWS] = {0.1, 0.2, 0.3, 1, 2, 3, -1, -2, -3, 4, 5, 6, 1e-9, 1e9, 0, 7, 8, 9};
static int64_t id[ROWS] = {10, 11, 12, INT32_MIN, INT32_MAX, 15};
static int32_t body[ROWS] = {0, 0, 0, 0, 1, -1};
static float radius[ROWS] = {0.5f, 0.25f, 0.125f, 1, 2, 3};
static uint8_t pinned[ROWS] = {0, 1, 0, 255, 0, 1};
static double strain[2 * ROWS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static const mote_column COLUMNS[FIELDS] = {
    {"v", "m/s", MOTE_F64, 3, ROWS, v},        {"id", "1", MOTE_I64, 1, ROWS, id},
    {"body", "1", MOTE_I32, 1, ROWS, body},    {"radius", "m", MOTE_F32, 1, ROWS, radius},
    {"pinned", "1", MOTE_U8, 1, ROWS, pinned}, {"strain", "1", MOTE_F64, 2, ROWS, strain},
};

/* Temporary memory of formats, with a leak check. */
static inline mo_memory *format_memory(void)
{
    static mo_memory memory;
    assert_int_equal(memory.bytes, 0);
    mo_memory_init(&memory, NULL);
    return &memory;
}

static const mo_frame FRAME = {.time = 0.1,
                               .rows = ROWS,
                               .x = X,
                               .field_count = FIELDS,
                               .fields = COLUMNS,
                               .edge_count = 4,
                               .edges = EDGES,
                               .triangle_count = 2,
                               .triangles = TRIANGLES};

/* A format's parameters, reached by name as the scene reader does it. */
typedef union format_options {
    int64_t align;
    char bytes[64];
} format_options;

static const mo_format_type *format_named(const char *name)
{
    const mo_descriptor *found = mo_family_find(&mo_formats, name);
    assert_non_null(found);
    assert_true(found->param_size <= sizeof(format_options));
    return (const mo_format_type *)found;
}

static void set_option(const char *format, format_options *o, const char *name, const void *value,
                       size_t size)
{
    for (const mo_param *p = format_named(format)->base.params; p->name; ++p) {
        if (strcmp(p->name, name) == 0) {
            memcpy(o->bytes + p->offset, value, size);
            return;
        }
    }
    fail_msg("%s has no parameter %s", format, name);
}

static format_options vtk_options(const char *format, int64_t compression, bool single)
{
    format_options o = {0};
    set_option(format, &o, "compression", &compression, sizeof compression);
    set_option(format, &o, "single", &single, sizeof single);
    return o;
}

static format_options vtp_options(int64_t compression, bool single)
{
    return vtk_options("vtp", compression, single);
}

static format_options ply_options(bool ascii)
{
    format_options o = {0};
    set_option("ply", &o, "ascii", &ascii, sizeof ascii);
    return o;
}

static int make_directory(void **state)
{
    *state = mkdtemp(strdup("mote_io_XXXXXX"));
    return *state ? 0 : -1;
}

static int remove_directory(void **state)
{
    int status = rmdir(*state); /* every test leaves it empty */
    free(*state);
    return status;
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

static const char *path_in(void **state, const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", (const char *)*state, name);
    return path;
}

#endif
