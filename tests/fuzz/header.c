/*
 * The header of a checkpoint in a valid container: the input replaces header.json, so that mutated
 * headers are not rejected by CRCs.
 */
#include "fuzz.h"

#include "io/checkpoint/checkpoint.h"
#include "io/checkpoint/npy.h"

#include <zip.h>

/* The archive of a snapshot with another header, in memory. */
static zip_source_t *pack(const mote_snapshot *s, const uint8_t *header, size_t size)
{
    zip_source_t *target = zip_source_buffer_create(NULL, 0, 0, NULL);
    zip_source_keep(target);
    zip_t *zip = zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    zip_int64_t at = zip_file_add(zip, "header.json", zip_source_buffer(zip, header, size, 0), 0);
    zip_set_file_compression(zip, (zip_uint64_t)at, ZIP_CM_STORE, 0);
    at = zip_file_add(zip, "scene.json",
                      zip_source_buffer(zip, s->source.text, strlen(s->source.text), 0), 0);
    zip_set_file_compression(zip, (zip_uint64_t)at, ZIP_CM_STORE, 0);
    static char heads[MO_COLUMNS_MAX][MO_NPY_HEAD];
    const mo_snapshot *rows = s->systems[0].rows;
    for (int k = 0; k < rows->count; ++k) {
        const mo_saved_column *c = &rows->columns[k];
        char name[160];
        mo_npy_head(c->type, rows->rows, c->components, heads[k]);
        mo_checkpoint_member(s->systems[0].name, c->name, name);
        zip_buffer_fragment_t parts[2] = {{(zip_uint8_t *)heads[k], MO_NPY_HEAD},
                                          {c->data, (size_t)rows->rows * c->row_bytes}};
        at = zip_file_add(zip, name, zip_source_buffer_fragment(zip, parts, 2, 0), 0);
        zip_set_file_compression(zip, (zip_uint64_t)at, ZIP_CM_STORE, 0);
    }
    FUZZ_NEED(zip_close(zip) == 0);
    return target;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static mote_world *world;
    static mote_snapshot *good;
    if (!world) {
        world = fuzz_world();
        FUZZ_NEED(mote_world_save(world, &good, NULL) == MOTE_OK);
    }
    if (size == 0) {
        return 0;
    }
    zip_source_t *packed = pack(good, data, size);
    zip_stat_t info;
    FUZZ_NEED(zip_source_stat(packed, &info) == 0 && zip_source_open(packed) == 0);
    void *bytes = malloc(info.size);
    FUZZ_NEED(zip_source_read(packed, bytes, info.size) == (zip_int64_t)info.size);
    zip_source_close(packed);
    zip_source_free(packed);
    mote_snapshot *snapshot = NULL;
    mote_error error = {0};
    if (mo_checkpoint_parse(bytes, info.size, NULL, &snapshot, &error) == MOTE_OK) {
        fuzz_use(world, snapshot);
    } else {
        FUZZ_NEED(error.text[0]);
    }
    mote_snapshot_destroy(snapshot);
    free(bytes);
    return 0;
}
