/* Distance grids in a file beside their mesh. */
#include "base/crc.h"
#include "base/file.h"
#include "base/hash.h"
#include "fluid/map/distance_grid.h"

#include <string.h>

enum { NODES = MO_GRID_X + 1, BLOCK = NODES * NODES * NODES };

static const char MAGIC[8] = "moteSDF1";

typedef struct header {
    char magic[8];
    uint64_t checksum; /* of the inputs of the grid */
    double width, band;
    int64_t blocks;
    uint64_t content; /* checksum of the contents: coordinates of blocks, values */
} header;

static bool name_file(const char *mesh_path, uint64_t checksum, char *path, size_t size)
{
    int length = snprintf(path, size, "%s.%016llx.sdf", mesh_path, (unsigned long long)checksum);
    return length > 0 && (size_t)length < size;
}

static size_t blocks_size(int64_t blocks)
{
    return (size_t)blocks * sizeof(mo_grid_block);
}

static size_t values_size(int64_t blocks)
{
    return (size_t)blocks * BLOCK * sizeof(double);
}

static uint64_t content_of(int64_t blocks, const void *block, const void *value)
{
    uint32_t crc = mo_crc32c(0, block, blocks_size(blocks));
    return mo_crc32c(crc, value, values_size(blocks));
}

void mo_distance_grid_save(const mo_distance_grid *g, const char *mesh_path, uint64_t checksum)
{
    char path[4000];
    mo_file file;
    mote_error unused;
    int64_t blocks = g->blocks.count;
    header h = {.checksum = checksum, .width = g->width, .band = g->band, .blocks = blocks};
    if (!name_file(mesh_path, checksum, path, sizeof path) ||
        mo_file_create(path, &file, &unused) != MOTE_OK) {
        return;
    }
    memcpy(h.magic, MAGIC, sizeof h.magic);
    h.content = content_of(blocks, g->blocks.block, g->value);
    bool written =
        fwrite(&h, sizeof h, 1, file.stream) == 1 &&
        fwrite(g->blocks.block, 1, blocks_size(blocks), file.stream) == blocks_size(blocks) &&
        fwrite(g->value, 1, values_size(blocks), file.stream) == values_size(blocks);
    if (!written) {
        mo_file_abandon(&file);
        return;
    }
    mo_file_commit(&file, &unused);
}

/* Whether the data is a complete file. */
static bool is_whole(const mo_distance_grid *g, const char *data, size_t size, uint64_t checksum,
                     header *h)
{
    if (size < sizeof *h) {
        return false;
    }
    memcpy(h, data, sizeof *h);
    return memcmp(h->magic, MAGIC, sizeof h->magic) == 0 && h->checksum == checksum &&
           h->width == g->width && h->band == g->band && h->blocks > 0 && h->blocks < INT32_MAX &&
           size == sizeof *h + blocks_size(h->blocks) + values_size(h->blocks) &&
           h->content ==
               content_of(h->blocks, data + sizeof *h, data + sizeof *h + blocks_size(h->blocks));
}

static bool take(mo_distance_grid *g, const char *data, const header *h)
{
    const char *block = data + sizeof *h, *value = block + blocks_size(h->blocks);
    mote_error unused;
    for (int64_t k = 0; k < h->blocks; ++k) {
        mo_grid_block at;
        int64_t index;
        memcpy(&at, block + (size_t)k * sizeof at, sizeof at);
        if (mo_sparse_grid_add(&g->blocks, at, &index, &unused) != MOTE_OK || index != k) {
            return false;
        }
    }
    if (mo_reserve(g->memory, &g->value, &g->value_capacity, h->blocks * BLOCK, sizeof *g->value,
                   &unused) != MOTE_OK) {
        return false;
    }
    memcpy(g->value, value, values_size(h->blocks));
    return true;
}

bool mo_distance_grid_load(mo_distance_grid *g, const char *mesh_path, uint64_t checksum)
{
    char path[4000], *data = NULL;
    size_t size = 0;
    mote_error unused;
    header h;
    if (!name_file(mesh_path, checksum, path, sizeof path) ||
        mo_file_read(path, g->memory, &data, &size, &unused) != MOTE_OK) {
        return false;
    }
    bool good = is_whole(g, data, size, checksum, &h) && take(g, data, &h);
    mo_release(g->memory, data);
    if (!good) { /* treated as missing */
        mo_sparse_grid_release(&g->blocks);
        mo_sparse_grid_init(&g->blocks, g->memory, g->width);
    }
    return good;
}
