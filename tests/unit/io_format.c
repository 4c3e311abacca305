/*
 * Result files: round trips, and write errors that leave no file.
 */
#include "frame_sample.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

static int files_in(const char *directory)
{
    int count = 0;
    DIR *listing = opendir(directory);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing));) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(listing);
    return count;
}

/* Writes a frame as a run does, reads the file back, removes it. Ends with a zero byte. */
static char *write_and_read(void **state, const mo_format_type *format, format_options options,
                            const mo_frame *frame, size_t *size)
{
    mo_file file;
    mote_error error;
    const char *path = path_in(state, "frame");
    assert_int_equal(mo_file_create(path, &file, &error), MOTE_OK);
    assert_int_equal(format->write(&options, frame, format_memory(), file.stream, &error), MOTE_OK);
    assert_int_equal(mo_file_commit(&file, &error), MOTE_OK);
    assert_int_equal(files_in(*state), 1);

    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char *bytes = calloc(*size + 1, 1);
    assert_int_equal(fread(bytes, 1, *size, stream), *size);
    fclose(stream);
    unlink(path);
    return bytes;
}

static const char *after(const char *text, const char *what)
{
    const char *found = strstr(text, what);
    if (!found) {
        fail_msg("no \"%s\"", what);
    }
    return found + strlen(what);
}

static float take_float(const char **cursor, bool ascii)
{
    float value;
    if (ascii) {
        char *end;
        value = strtof(*cursor, &end);
        *cursor = end;
    } else {
        memcpy(&value, *cursor, sizeof value);
        *cursor += sizeof value;
    }
    return value;
}

static int32_t take_int(const char **cursor, bool ascii)
{
    int32_t value;
    if (ascii) {
        char *end;
        value = (int32_t)strtol(*cursor, &end, 10);
        *cursor = end;
    } else {
        memcpy(&value, *cursor, sizeof value);
        *cursor += sizeof value;
    }
    return value;
}

static int take_byte(const char **cursor, bool ascii)
{
    return ascii ? take_int(cursor, true) : (unsigned char)*(*cursor)++;
}

static const char *const PLY_HEAD =
    "comment time 0.1 s\n"
    "comment units: x [m] v [m/s] id [1] body [1] radius [m] pinned [1] strain [1]\n"
    "element vertex 6\n"
    "property float x\nproperty float y\nproperty float z\n"
    "property float vx\nproperty float vy\nproperty float vz\n"
    "property int id\nproperty int body\nproperty float radius\n"
    "property uchar pinned\nproperty float strain_0\nproperty float strain_1\n";

static void check_vertices(const char **cursor, bool ascii)
{
    for (int row = 0; row < ROWS; ++row) {
        for (int k = 0; k < 3; ++k) {
            assert_true(take_float(cursor, ascii) == (float)X[3 * row + k]);
        }
        for (int k = 0; k < 3; ++k) {
            assert_true(take_float(cursor, ascii) == (float)v[3 * row + k]);
        }
        assert_int_equal(take_int(cursor, ascii), id[row]);
        assert_int_equal(take_int(cursor, ascii), body[row]);
        assert_true(take_float(cursor, ascii) == radius[row]);
        assert_int_equal(take_byte(cursor, ascii), pinned[row]);
        for (int k = 0; k < 2; ++k) {
            assert_true(take_float(cursor, ascii) == (float)strain[2 * row + k]);
        }
    }
}

static void check_ply(void **state, bool ascii)
{
    size_t size;
    char *bytes = write_and_read(state, format_named("ply"), ply_options(ascii), &FRAME, &size);
    const char *format =
        ascii ? "ply\nformat ascii 1.0\n" : "ply\nformat binary_little_endian 1.0\n";
    assert_memory_equal(bytes, format, strlen(format));
    after(bytes, PLY_HEAD);
    const char *cursor =
        after(bytes, "element face 2\nproperty list uchar int vertex_indices\nelement edge 4\n"
                     "property int vertex1\nproperty int vertex2\nend_header\n");
    check_vertices(&cursor, ascii);
    for (int k = 0; k < 6; ++k) {
        if (k % 3 == 0) {
            assert_int_equal(take_byte(&cursor, ascii), 3);
        }
        assert_int_equal(take_int(&cursor, ascii), TRIANGLES[k]);
    }
    for (int k = 0; k < 8; ++k) {
        assert_int_equal(take_int(&cursor, ascii), EDGES[k]);
    }
    cursor += strspn(cursor, " \n");
    assert_ptr_equal(cursor, bytes + size);
    free(bytes);
}

static void ply_reads_back_binary(void **state)
{
    check_ply(state, false);
}

static void ply_reads_back_ascii(void **state)
{
    check_ply(state, true);
}

static void ply_writes_edges_without_triangles(void **state)
{
    mo_frame frame = FRAME;
    frame.triangle_count = 0;
    size_t size;
    char *bytes = write_and_read(state, format_named("ply"), ply_options(false), &frame, &size);
    const char *cursor =
        after(bytes, "element edge 4\nproperty int vertex1\nproperty int vertex2\nend_header\n");
    check_vertices(&cursor, false);
    for (int k = 0; k < 8; ++k) {
        assert_int_equal(take_int(&cursor, false), EDGES[k]);
    }
    assert_ptr_equal(cursor, bytes + size);
    free(bytes);
}

static void ply_refuses_wide_integers(void **state)
{
    (void)state;
    int64_t wide[ROWS] = {0, 1, 2, 3, (int64_t)INT32_MAX + 1, 5};
    mote_column column = {"id", "1", MOTE_I64, 1, ROWS, wide};
    mo_frame frame = {.rows = ROWS, .x = X, .field_count = 1, .fields = &column};
    format_options options = ply_options(false);
    mote_error error;
    FILE *stream = tmpfile();
    assert_int_equal(format_named("ply")->write(&options, &frame, format_memory(), stream, &error),
                     MOTE_ERROR_INPUT);
    after(error.text, "\"id\" is 2147483648 in row 4");
    assert_int_equal(ftell(stream), 0);
    fclose(stream);
}

/* In single precision 1e39 is infinite: an error before anything is written, for positions and
 * fields. */
static void refuse_large(const char *format, format_options options, const mo_frame *frame,
                         const char *text)
{
    mote_error error;
    FILE *stream = tmpfile();
    assert_int_equal(format_named(format)->write(&options, frame, format_memory(), stream, &error),
                     MOTE_ERROR_NUMERIC);
    after(error.text, text);
    assert_int_equal(ftell(stream), 0);
    fclose(stream);
}

static void single_precision_has_an_end(void **state)
{
    double large[3 * ROWS] = {0, 1, 2, 3, -1e39, 5};
    mote_column column = {"v", "m/s", MOTE_F64, 3, ROWS, large};
    mo_frame field = {.rows = ROWS, .x = X, .field_count = 1, .fields = &column};
    mo_frame far = {.rows = ROWS, .x = large};
    static const char *const FORMATS[] = {"ply", "vtp", "vtu"};
    for (int k = 0; k < 3; ++k) {
        format_options options = k == 0 ? ply_options(false) : vtk_options(FORMATS[k], 1, true);
        refuse_large(FORMATS[k], options, &field, "\"v\" is -1e+39 in row 1");
        refuse_large(FORMATS[k], options, &far, "is -1e+39 in row 1");
    }
    size_t size;
    free(write_and_read(state, format_named("vtp"), vtp_options(1, false), &field, &size));
}

/* The values of an array stored without compression in one block, and their size: the table of
 * four words is followed by two bytes of zlib's header and five of a stored block's. */
static const char *stored_array(const char *bytes, const char *tag, uint64_t *size)
{
    const char *offset = after(after(bytes, tag), "offset=\"");
    const char *table =
        after(bytes, "<AppendedData encoding=\"raw\">\n_") + strtoll(offset, NULL, 10);
    uint64_t words[4];
    memcpy(words, table, sizeof words);
    assert_int_equal(words[0], 1);
    assert_in_range(words[1], 32768, 1 << 20);
    *size = words[2];
    assert_true(words[3] >= words[2] + 7);
    return table + sizeof words + 7;
}

static void check_array(const char *bytes, const char *tag, const void *expected,
                        size_t expected_size)
{
    uint64_t size;
    const char *data = stored_array(bytes, tag, &size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(data, expected, expected_size);
}

static void check_vtp_frame(const char *bytes, size_t size)
{
    static const char HEAD[] =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\" "
        "compressor=\"vtkZLibDataCompressor\">\n";
    static const char TAIL[] = "\n  </AppendedData>\n</VTKFile>\n";
    assert_memory_equal(bytes, HEAD, sizeof HEAD - 1);
    assert_string_equal(bytes + size - (sizeof TAIL - 1), TAIL);
    after(bytes, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.1</DataArray>");
    after(bytes, "<PointData Vectors=\"v\">");
}

static void vtp_holds_the_frame(void **state)
{
    size_t size;
    char *bytes = write_and_read(state, format_named("vtp"), vtp_options(0, false), &FRAME, &size);
    check_vtp_frame(bytes, size);
    after(
        bytes,
        "<Piece NumberOfPoints=\"6\" NumberOfVerts=\"2\" NumberOfLines=\"4\" NumberOfPolys=\"2\">");
    check_array(bytes, "type=\"Float64\" Name=\"v\" NumberOfComponents=\"3\"", v, sizeof v);
    check_array(bytes, "type=\"Int64\" Name=\"id\" NumberOfComponents=\"1\"", id, sizeof id);
    check_array(bytes, "type=\"Int32\" Name=\"body\"", body, sizeof body);
    check_array(bytes, "type=\"Float32\" Name=\"radius\"", radius, sizeof radius);
    check_array(bytes, "type=\"UInt8\" Name=\"pinned\"", pinned, sizeof pinned);
    check_array(bytes, "type=\"Float64\" Name=\"strain\" NumberOfComponents=\"2\"", strain,
                sizeof strain);
    check_array(bytes, "<Points>", X, sizeof X);
    check_array(bytes, "<Verts>", (int32_t[]){4, 5}, 2 * sizeof(int32_t));
    check_array(bytes, "<Lines>", EDGES, sizeof EDGES);
    check_array(bytes, "<Polys>", TRIANGLES, sizeof TRIANGLES);
    check_array(after(bytes, "<Verts>"), "Name=\"offsets\"", (int32_t[]){1, 2},
                2 * sizeof(int32_t));
    check_array(after(bytes, "<Polys>"), "Name=\"offsets\"", (int32_t[]){3, 6},
                2 * sizeof(int32_t));
    free(bytes);
}

static void vtp_shortens_reals(void **state)
{
    size_t size;
    char *bytes = write_and_read(state, format_named("vtp"), vtp_options(0, true), &FRAME, &size);
    float single[3 * ROWS];
    for (int k = 0; k < 3 * ROWS; ++k) {
        single[k] = (float)v[k];
    }
    check_array(bytes, "type=\"Float32\" Name=\"v\"", single, sizeof single);
    free(bytes);
}

static void vtp_shows_every_row(void **state)
{
    size_t size;
    mo_frame frame = FRAME;
    frame.triangle_count = 0;
    char *bytes = write_and_read(state, format_named("vtp"), vtp_options(0, true), &frame, &size);
    after(
        bytes,
        "<Piece NumberOfPoints=\"6\" NumberOfVerts=\"2\" NumberOfLines=\"4\" NumberOfPolys=\"0\">");
    check_array(bytes, "<Lines>", EDGES, sizeof EDGES);
    free(bytes);
    frame.edge_count = 0;
    bytes = write_and_read(state, format_named("vtp"), vtp_options(0, true), &frame, &size);
    after(bytes, "NumberOfVerts=\"6\"");
    check_array(bytes, "<Verts>", (int32_t[]){0, 1, 2, 3, 4, 5}, 6 * sizeof(int32_t));
    free(bytes);
}

static void vtp_index_escapes_and_numbers_parts(void **state)
{
    (void)state;
    const mo_series_entry entries[] = {
        {0, "a&b_0.vtp", "forces"}, {0, "c_0.vtp", "fluid"}, {0.1, "a&b_1.vtp", "forces"}};
    char text[2048] = {0};
    mote_error error;
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_int_equal(format_named("vtp")->write_index(entries, 3, format_memory(), stream, &error),
                     MOTE_OK);
    fclose(stream);
    after(text, "<VTKFile type=\"Collection\"");
    after(text, "timestep=\"0\" group=\"\" part=\"0\" name=\"forces\" file=\"a&amp;b_0.vtp\"/>");
    after(text, "timestep=\"0\" group=\"\" part=\"1\" name=\"fluid\" file=\"c_0.vtp\"/>");
    after(text, "timestep=\"0.1\" group=\"\" part=\"0\" name=\"forces\" file=\"a&amp;b_1.vtp\"/>");
}

static void full_disk_is_reported_by_the_format(void **state)
{
    (void)state;
    const format_options options[] = {vtp_options(1, true), ply_options(false), ply_options(true)};
    const char *const formats[] = {"vtp", "ply", "ply"};
    for (int k = 0; k < 3; ++k) {
        mote_error error;
        FILE *stream = fopen("/dev/full", "wb");
        assert_non_null(stream);
        assert_int_equal(
            format_named(formats[k])->write(&options[k], &FRAME, format_memory(), stream, &error),
            MOTE_ERROR_IO);
        after(error.text, strerror(ENOSPC));
        fclose(stream);
    }
}

/* A file whose bytes go to a full disk: the name is in the directory, the stream is not. */
static mo_file full_file(void **state)
{
    mo_file file = {.stream = fopen("/dev/full", "wb")};
    assert_non_null(file.stream);
    snprintf(file.path, sizeof file.path, "%s", path_in(state, "frame"));
    snprintf(file.temporary, sizeof file.temporary, "%s.tmp", file.path);
    fclose(fopen(file.temporary, "wb"));
    return file;
}

static void full_disk_is_reported_by_commit(void **state)
{
    mote_error error;
    mo_file file = full_file(state);
    fputs("still in the buffer", file.stream);
    assert_int_equal(mo_file_commit(&file, &error), MOTE_ERROR_IO);
    after(error.text, file.path);
    after(error.text, strerror(ENOSPC));
    assert_int_equal(files_in(*state), 0);
    mo_file_abandon(&file);
}

static void earlier_failure_is_reported_by_commit(void **state)
{
    mote_error error;
    format_options options = vtp_options(1, true);
    mo_file file = full_file(state);
    assert_int_equal(
        format_named("vtp")->write(&options, &FRAME, format_memory(), file.stream, NULL),
        MOTE_ERROR_IO);
    assert_int_equal(mo_file_commit(&file, &error), MOTE_ERROR_IO);
    assert_int_equal(files_in(*state), 0);
}

static void missing_directory_is_reported(void **state)
{
    mo_file file;
    mote_error error;
    assert_int_equal(mo_file_create(path_in(state, "missing/frame"), &file, &error), MOTE_ERROR_IO);
    after(error.text, "missing/frame");
    after(error.text, strerror(ENOENT));
    mo_file_abandon(&file);
    assert_int_equal(files_in(*state), 0);
}

static void devices_and_directories_are_not_replaced(void **state)
{
    mo_file file;
    mote_error error;
    assert_int_equal(mo_file_create(*state, &file, &error), MOTE_ERROR_IO);
    assert_int_equal(mo_file_create("/dev/null", &file, &error), MOTE_ERROR_IO);
    after(error.text, "is not a regular file");
}

static void long_and_empty_paths_are_refused(void **state)
{
    (void)state;
    mo_file file;
    mote_error error;
    char path[5000];
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(mo_file_create(path, &file, &error), MOTE_ERROR_INPUT);
    assert_int_equal(mo_directory_create(path, &error), MOTE_ERROR_INPUT);
    assert_int_equal(mo_directory_create("", &error), MOTE_ERROR_INPUT);
}

static void commit_replaces_and_leaves_no_temporary(void **state)
{
    mo_file file;
    mote_error error;
    const char *path = path_in(state, "frame");
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(mo_file_create(path, &file, &error), MOTE_OK);
        /* the old file remains until the new one is complete */
        assert_int_equal(files_in(*state), k + 1);
        fputs("text", file.stream);
        assert_int_equal(mo_file_commit(&file, &error), MOTE_OK);
        mo_file_abandon(&file);
        assert_int_equal(files_in(*state), 1);
    }
    struct stat written;
    assert_int_equal(stat(path, &written), 0);
    assert_int_equal(written.st_size, 4);
    unlink(path);
}

static void abandon_leaves_nothing(void **state)
{
    mo_file file;
    mote_error error;
    assert_int_equal(mo_file_create(path_in(state, "frame"), &file, &error), MOTE_OK);
    fputs("text", file.stream);
    mo_file_abandon(&file);
    mo_file_abandon(&file);
    assert_int_equal(files_in(*state), 0);
}

static void directories_are_made_with_parents(void **state)
{
    mote_error error;
    assert_int_equal(mo_directory_create(path_in(state, "a/b//c/"), &error), MOTE_OK);
    assert_int_equal(mo_directory_create(path_in(state, "a/b/c"), &error), MOTE_OK);
    assert_int_equal(rmdir(path_in(state, "a/b/c")), 0);
    assert_int_equal(rmdir(path_in(state, "a/b")), 0);
    assert_int_equal(rmdir(path_in(state, "a")), 0);
}

static void file_in_the_way_of_a_directory_is_named(void **state)
{
    mote_error error;
    const char *path = path_in(state, "file");
    fclose(fopen(path, "wb"));
    assert_int_equal(mo_directory_create(path_in(state, "file/sub"), &error), MOTE_ERROR_IO);
    after(error.text, "/file: is a file");
    unlink(path_in(state, "file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(ply_reads_back_binary),
        IN_DIRECTORY(ply_reads_back_ascii),
        IN_DIRECTORY(ply_writes_edges_without_triangles),
        IN_DIRECTORY(ply_refuses_wide_integers),
        IN_DIRECTORY(single_precision_has_an_end),
        IN_DIRECTORY(vtp_holds_the_frame),
        IN_DIRECTORY(vtp_shortens_reals),
        IN_DIRECTORY(vtp_shows_every_row),
        IN_DIRECTORY(vtp_index_escapes_and_numbers_parts),
        IN_DIRECTORY(full_disk_is_reported_by_the_format),
        IN_DIRECTORY(full_disk_is_reported_by_commit),
        IN_DIRECTORY(earlier_failure_is_reported_by_commit),
        IN_DIRECTORY(missing_directory_is_reported),
        IN_DIRECTORY(devices_and_directories_are_not_replaced),
        IN_DIRECTORY(long_and_empty_paths_are_refused),
        IN_DIRECTORY(commit_replaces_and_leaves_no_temporary),
        IN_DIRECTORY(abandon_leaves_nothing),
        IN_DIRECTORY(directories_are_made_with_parents),
        IN_DIRECTORY(file_in_the_way_of_a_directory_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
