/*
 * Reading of results: round trips, and errors for damaged files.
 */
#include "base/file.h"
#include "base/xml.h"
#include "io/stored/frames.h"

#include "frame_sample.h"

#include <math.h>

static void write_frame(void **state, const char *name, const char *format, format_options o,
                        const mo_frame *frame)
{
    mo_file file;
    assert_int_equal(mo_file_create(path_in(state, name), &file, NULL), MOTE_OK);
    assert_int_equal(format_named(format)->write(&o, frame, format_memory(), file.stream, NULL),
                     MOTE_OK);
    assert_int_equal(mo_file_commit(&file, NULL), MOTE_OK);
}

static void write_text(void **state, const char *name, const char *text)
{
    FILE *stream = fopen(path_in(state, name), "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static double number_at(const mote_column *c, int64_t k)
{
    switch (c->type) {
    case MOTE_F64:
        return ((double *)c->data)[k];
    case MOTE_F32:
        return (double)((float *)c->data)[k];
    case MOTE_I64:
        return (double)((int64_t *)c->data)[k];
    case MOTE_I32:
        return ((int32_t *)c->data)[k];
    case MOTE_U8:
        return ((uint8_t *)c->data)[k];
    }
    return NAN;
}

/* Every number of a column, exactly or as a float. */
static void check_column(const mo_stored *s, const mote_column *expected, bool single)
{
    const mote_column *found = mo_stored_find(s, expected->name);
    if (!found) {
        fail_msg("no column %s", expected->name);
        return;
    }
    assert_int_equal(found->components, expected->components);
    assert_int_equal(found->rows, expected->rows);
    for (int64_t k = 0; k < expected->rows * expected->components; ++k) {
        double wanted = number_at(expected, k);
        if (number_at(found, k) != (single ? (double)(float)wanted : wanted)) {
            fail_msg("%s[%d] is %g, not %g", expected->name, (int)k, number_at(found, k), wanted);
        }
    }
}

static void check_stored(const mo_stored *s, bool single)
{
    mote_column positions = {"x", "m", MOTE_F64, 3, ROWS, (void *)X};
    assert_true(s->time == 0.1);
    assert_int_equal(s->rows, ROWS);
    assert_int_equal(s->column_count, FIELDS + 1);
    assert_string_equal(s->columns[0].name, "x");
    check_column(s, &positions, single);
    for (int k = 0; k < FIELDS; ++k) {
        bool real = COLUMNS[k].type == MOTE_F64;
        check_column(s, &COLUMNS[k], single && real);
    }
    assert_int_equal(s->triangle_count, 2);
    assert_memory_equal(s->triangles, TRIANGLES, sizeof TRIANGLES);
    assert_int_equal(s->edge_count, 4);
    assert_memory_equal(s->edges, EDGES, sizeof EDGES);
}

static void vtp_comes_back(void **state)
{
    for (int64_t compression = 0; compression <= 9; compression += 3) {
        for (int single = 0; single < 2; ++single) {
            mo_stored s;
            write_frame(state, "f.vtp", "vtp", vtp_options(compression, single), &FRAME);
            assert_int_equal(mo_stored_read(path_in(state, "f.vtp"), &s, NULL), MOTE_OK);
            check_stored(&s, single);
            mo_stored_release(&s);
            assert_true(mo_stored_time(path_in(state, "f.vtp")) == 0.1);
        }
    }
    unlink(path_in(state, "f.vtp"));
}

static void ply_comes_back(void **state)
{
    for (int ascii = 0; ascii < 2; ++ascii) {
        mo_stored s;
        write_frame(state, "f.ply", "ply", ply_options(ascii), &FRAME);
        assert_int_equal(mo_stored_read(path_in(state, "f.ply"), &s, NULL), MOTE_OK);
        check_stored(&s, true);
        assert_string_equal(mo_stored_find(&s, "v")->unit, "m/s");
        assert_string_equal(mo_stored_find(&s, "radius")->unit, "m");
        mo_stored_release(&s);
        assert_true(mo_stored_time(path_in(state, "f.ply")) == 0.1);
    }
    unlink(path_in(state, "f.ply"));
}

/* Several blocks, the last one full and not. */
static void large_frames_come_back(void **state)
{
    for (int64_t rows = 1 << 13; rows <= (1 << 15) + 1; rows = 4 * rows + (rows == 1 << 13)) {
        double *x = malloc(3 * (size_t)rows * sizeof *x);
        for (int64_t k = 0; k < 3 * rows; ++k) {
            x[k] = sin((double)k);
        }
        mo_frame frame = {.time = 2, .rows = rows, .x = x};
        mo_stored s;
        write_frame(state, "f.vtp", "vtp", vtp_options(1, false), &frame);
        assert_int_equal(mo_stored_read(path_in(state, "f.vtp"), &s, NULL), MOTE_OK);
        assert_int_equal(s.rows, rows);
        assert_memory_equal(s.columns[0].data, x, 3 * (size_t)rows * sizeof *x);
        mo_stored_release(&s);
        free(x);
    }
    unlink(path_in(state, "f.vtp"));
}

static void empty_frames_come_back(void **state)
{
    mo_frame frame = {.time = 3, .x = X};
    mo_stored s;
    write_frame(state, "f.vtp", "vtp", vtp_options(1, true), &frame);
    assert_int_equal(mo_stored_read(path_in(state, "f.vtp"), &s, NULL), MOTE_OK);
    assert_int_equal(s.rows, 0);
    mo_stored_release(&s);
    write_frame(state, "f.ply", "ply", ply_options(false), &frame);
    assert_int_equal(mo_stored_read(path_in(state, "f.ply"), &s, NULL), MOTE_OK);
    assert_int_equal(s.rows, 0);
    mo_stored_release(&s);
    unlink(path_in(state, "f.vtp"));
    unlink(path_in(state, "f.ply"));
}

static void plain_vtp_is_read(void **state)
{
    static const char TEXT[] =
        "<?xml version=\"1.0\"?>\n<!-- <Piece> -->\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order='LittleEndian'>\n<PolyData>\n"
        "<Piece NumberOfPoints=\"2\" NumberOfVerts=\"0\" NumberOfLines=\"1\" NumberOfPolys=\"0\">\n"
        "<PointData><DataArray type=\"Int32\" Name=\"a &lt; b\" format=\"ascii\">7 "
        "-8</DataArray></PointData>\n"
        "<Points><DataArray type=\"Float32\" Name=\"P\" NumberOfComponents=\"3\" format=\"ascii\">\n"
        "1 2 3\n4 5.5 6</DataArray></Points>\n"
        "<Lines><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">1 0</DataArray>\n"
        "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">2</DataArray></Lines>\n"
        "</Piece></PolyData></VTKFile>\n";
    mo_stored s;
    write_text(state, "f.vtp", TEXT);
    assert_int_equal(mo_stored_read(path_in(state, "f.vtp"), &s, NULL), MOTE_OK);
    assert_true(((double *)s.columns[0].data)[4] == 5.5);
    assert_int_equal(((int32_t *)mo_stored_find(&s, "a < b")->data)[1], -8);
    assert_int_equal(s.edges[0], 1);
    assert_true(isnan(s.time));
    mo_stored_release(&s);
    unlink(path_in(state, "f.vtp"));
}

static char *read_all(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, stream), *size);
    fclose(stream);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
}

/* Every truncation of a file is rejected by name (except after the last value). */
static void check_beginnings(void **state, const char *name, const char *format, format_options o,
                             size_t tail)
{
    size_t size;
    write_frame(state, name, format, o, &FRAME);
    char *bytes = read_all(path_in(state, name), &size);
    for (size_t length = 0; length + tail < size; ++length) {
        mo_stored s;
        mote_error error = {0};
        write_bytes(path_in(state, name), bytes, length);
        if (mo_stored_read(path_in(state, name), &s, &error) == MOTE_OK) {
            fail_msg("%s: %d of %d bytes are taken for a frame", name, (int)length, (int)size);
        }
        assert_non_null(strstr(error.text, path_in(state, name)));
    }
    free(bytes);
    unlink(path_in(state, name));
}

static void cut_files_are_refused(void **state)
{
    check_beginnings(state, "f.vtp", "vtp", vtp_options(1, true),
                     strlen("\n  </AppendedData>\n</VTKFile>\n"));
    check_beginnings(state, "f.ply", "ply", ply_options(false), 0);
    check_beginnings(state, "f.ply", "ply", ply_options(true), strlen("0 \n"));
}

/* A file with any changed byte is rejected or read, without a crash or an invalid row. */
static void spoiled_files_do_no_harm(void **state)
{
    static const struct {
        const char *name, *format;
    } KINDS[] = {{"f.vtp", "vtp"}, {"f.ply", "ply"}};
    for (int kind = 0; kind < 2; ++kind) {
        const char *name = KINDS[kind].name;
        size_t size;
        format_options o = kind == 0 ? vtp_options(1, true) : ply_options(false);
        write_frame(state, name, KINDS[kind].format, o, &FRAME);
        char *bytes = read_all(path_in(state, name), &size);
        for (size_t k = 0; k < size; ++k) {
            char kept = bytes[k];
            bytes[k] = (char)(kept ^ (k % 3 ? 0x11 : 0x81));
            write_bytes(path_in(state, name), bytes, size);
            mo_stored s;
            if (mo_stored_read(path_in(state, name), &s, NULL) == MOTE_OK) {
                assert_true(mo_stored_rows_good(&s, s.edges, 2 * s.edge_count));
                assert_true(mo_stored_rows_good(&s, s.triangles, 3 * s.triangle_count));
                mo_stored_release(&s);
            }
            bytes[k] = kept;
        }
        free(bytes);
        unlink(path_in(state, name));
    }
}

static void need_failure(void **state, const char *name, const char *text, const char *part)
{
    mo_stored s;
    mote_error error = {0};
    write_text(state, name, text);
    assert_int_equal(mo_stored_read(path_in(state, name), &s, &error), MOTE_ERROR_INPUT);
    if (!strstr(error.text, part) || !strstr(error.text, name)) {
        fail_msg("'%s' lacks '%s' or '%s'", error.text, part, name);
    }
    unlink(path_in(state, name));
}

static void foreign_files_are_refused(void **state)
{
#define HEAD "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\"><PolyData>"
#define PIECE "<Piece NumberOfPoints=\"1\" NumberOfLines=\"0\" NumberOfPolys=\"0\">"
    need_failure(state, "f.vtp", "hello", "no Piece");
    need_failure(state, "f.vtp", "<VTKFile type=\"ImageData\">", "PolyData");
    need_failure(state, "f.vtp", "<VTKFile type=\"PolyData\" byte_order=\"MiddleEndian\">",
                 "byte order");
    need_failure(state, "f.vtp", HEAD PIECE PIECE, "several pieces");
    need_failure(state, "f.vtp", HEAD "<Piece NumberOfPoints=\"-1\">",
                 "lacks the number of points");
    need_failure(state, "f.vtp", HEAD PIECE "<Points><DataArray type=\"Float32\" format=\"wrong\">",
                 "allowed: appended, binary, ascii");
    need_failure(state, "f.vtp",
                 HEAD PIECE "<PointData><DataArray type=\"String\" format=\"ascii\">", "type");
    need_failure(state, "f.vtp", HEAD PIECE "</Piece>", "no points");
    need_failure(state, "f.ply", "plyx\n", "not a PLY");
    need_failure(state, "f.ply", "ply\nformat ascii 1.0\nelement vertex 99999999\n", "truncated");
    need_failure(state, "f.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty double x\n",
                 "float, int, uchar");
    need_failure(state, "f.ply", "ply\nformat binary_big_endian 1.0\n", "binary_little_endian");
}

static void fill_directory(void **state, bool index)
{
    char name[64];
    mo_series_entry entries[3];
    for (int k = 0; k < 3; ++k) {
        mo_frame frame = FRAME;
        frame.time = 0.25 * k;
        snprintf(name, sizeof name, "a.b.%06d.vtp", k);
        write_frame(state, name, "vtp", vtp_options(1, true), &frame);
        entries[k] = (mo_series_entry){frame.time,
                                       k == 0   ? "a.b.000000.vtp"
                                       : k == 1 ? "a.b.000001.vtp"
                                                : "a.b.000002.vtp",
                                       "forces"};
    }
    mo_file file;
    if (index) {
        assert_int_equal(mo_file_create(path_in(state, "a.b.pvd"), &file, NULL), MOTE_OK);
        assert_int_equal(
            format_named("vtp")->write_index(entries, 2, format_memory(), file.stream, NULL),
            MOTE_OK);
        assert_int_equal(mo_file_commit(&file, NULL), MOTE_OK);
    }
}

static void empty_directory(void **state)
{
    static const char *const FILES[] = {"a.b.000000.vtp", "a.b.000001.vtp", "a.b.000002.vtp",
                                        "a.b.pvd",        "c.000000.ply",   "a.b.scene.json",
                                        "c.x.000000.ply", "c.scene.json"};
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; ++k) {
        unlink(path_in(state, FILES[k]));
    }
}

static void directories_are_listed(void **state)
{
    for (int index = 0; index < 2; ++index) {
        mo_frames f;
        fill_directory(state, index);
        write_text(state, "a.b.scene.json", "{}");
        assert_int_equal(mo_frames_open(*state, &f, NULL), MOTE_OK);
        assert_string_equal(f.name, "a.b");
        /* files missing in the index are not part of the run */
        assert_int_equal(f.count, index ? 2 : 3);
        assert_int_equal(f.part_count, 1);
        assert_true(f.entries[1].time == 0.25);
        assert_int_equal(mo_frames_at(&f, 0.2), 1);
        assert_int_equal(mo_frames_at(&f, 99), f.count - 1);
        assert_string_equal(f.scene, path_in(state, "a.b.scene.json"));
        assert_string_equal(f.entries[1].files[0], path_in(state, "a.b.000001.vtp"));
        mo_frames_release(&f);
        empty_directory(state);
    }
}

static void systems_belong_together(void **state)
{
    mo_frames f;
    write_frame(state, "c.000000.ply", "ply", ply_options(true), &FRAME);
    write_frame(state, "c.x.000000.ply", "ply", ply_options(true), &FRAME);
    write_text(state, "c.scene.json", "{}");
    assert_int_equal(mo_frames_open(*state, &f, NULL), MOTE_OK);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.part_count, 2);
    assert_non_null(f.entries[0].files[0]);
    assert_non_null(f.entries[0].files[1]);
    mo_frames_release(&f);
    empty_directory(state);
}

static void several_runs_need_a_name(void **state)
{
    mo_frames f;
    mote_error error = {0};
    fill_directory(state, true);
    write_frame(state, "c.000000.ply", "ply", ply_options(true), &FRAME);
    assert_int_equal(mo_frames_open(*state, &f, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "several runs"));
    assert_int_equal(mo_frames_open(path_in(state, "a.b.pvd"), &f, NULL), MOTE_OK);
    assert_int_equal(f.count, 2);
    mo_frames_release(&f);
    empty_directory(state);
    assert_int_equal(mo_frames_open(*state, &f, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "no frames"));
    assert_int_equal(mo_frames_open(path_in(state, "nowhere"), &f, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "nowhere"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(vtp_comes_back),           IN_DIRECTORY(ply_comes_back),
        IN_DIRECTORY(large_frames_come_back),   IN_DIRECTORY(empty_frames_come_back),
        IN_DIRECTORY(plain_vtp_is_read),        IN_DIRECTORY(cut_files_are_refused),
        IN_DIRECTORY(spoiled_files_do_no_harm), IN_DIRECTORY(foreign_files_are_refused),
        IN_DIRECTORY(directories_are_listed),   IN_DIRECTORY(systems_belong_together),
        IN_DIRECTORY(several_runs_need_a_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
