/*
 * Result files: frames as VTP and PLY, and the index of a run. The first characters select the
 * format, so that one corpus serves all three.
 */
#include "fuzz.h"

#include "io/stored/frames.h"

/* Accesses every value of a frame and validates every row index. */
static void use_frame(const mo_stored *s)
{
    FUZZ_NEED(s->column_count > 0 && s->rows >= 0 && strcmp(s->columns[0].name, "x") == 0);
    FUZZ_NEED(s->columns[0].type == MOTE_F64 && s->columns[0].components == 3);
    unsigned sum = 0;
    for (int c = 0; c < s->column_count; ++c) {
        const mote_column *column = &s->columns[c];
        static const size_t BYTES[] = {
            [MOTE_F64] = 8, [MOTE_F32] = 4, [MOTE_I64] = 8, [MOTE_I32] = 4, [MOTE_U8] = 1};
        size_t bytes = (size_t)column->rows * (size_t)column->components * BYTES[column->type];
        FUZZ_NEED(column->rows == s->rows && strlen(column->name) < 128);
        for (size_t k = 0; k < bytes; ++k) {
            sum += ((const unsigned char *)column->data)[k];
        }
    }
    for (int64_t k = 0; k < 2 * s->edge_count; ++k) {
        FUZZ_NEED(s->edges[k] >= 0 && s->edges[k] < s->rows);
    }
    for (int64_t k = 0; k < 3 * s->triangle_count; ++k) {
        FUZZ_NEED(s->triangles[k] >= 0 && s->triangles[k] < s->rows);
    }
    static volatile unsigned kept; /* so that the sum is not eliminated */
    kept = sum;
    (void)kept;
}

static void read_frame(const char *path, char *data, size_t size)
{
    mo_bytes file = {path, data, size};
    mo_stored stored;
    mote_error error = {0};
    if (mo_stored_parse(&file, &stored, &error) == MOTE_OK) {
        use_frame(&stored);
        mo_stored_release(&stored);
    } else {
        FUZZ_NEED(error.text[0]);
    }
}

static void read_index(const char *text, size_t size)
{
    mo_frames frames = {.directory = "out", .name = "run"};
    mote_error error = {0};
    mo_memory_init(&frames.memory, NULL);
    mo_arena_init(&frames.arena, &frames.memory);
    mote_status status = mo_frames_read_index(&frames, text, size, &error);
    FUZZ_NEED(status == MOTE_OK || error.text[0]);
    for (int64_t k = 0; k < frames.count; ++k) {
        for (int part = 0; part < frames.part_count; ++part) {
            FUZZ_NEED(!frames.entries[k].files[part] || frames.entries[k].files[part][0]);
        }
    }
    FUZZ_NEED(frames.count == 0 || mo_frames_at(&frames, 0.5) < frames.count);
    mo_frames_release(&frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* exactly sized, so that the sanitizer guards its end */
    char *text = malloc(size + 1);
    FUZZ_NEED(text);
    memcpy(text, data, size);
    text[size] = '\0';
    if (size >= 3 && memcmp(data, "ply", 3) == 0) {
        read_frame("frame.ply", text, size);
    } else if (memmem(data, size, "\"Collection\"", 12)) {
        read_index(text, size);
    } else {
        read_frame("frame.vtp", text, size);
    }
    free(text);
    return 0;
}
