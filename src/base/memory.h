/*
 * Memory: every byte a world holds goes through a mo_memory, which forwards to the caller's
 * allocator and counts. Blocks are aligned to 64 bytes (a cache line, and the widest vector) and
 * know their own size.
 *
 * Two ways to hold memory: a block of its own (mo_allocate, mo_grow) for what changes size, and an
 * arena for what lives and dies together (parameters, names). Only the thread that calls the
 * library allocates.
 */
#ifndef MO_BASE_MEMORY_H
#define MO_BASE_MEMORY_H

#include "base/error.h"

typedef struct mo_memory {
    mote_allocator allocator;
    int64_t allocations; /* blocks had so far */
    int64_t bytes;       /* held now */
    int64_t peak;        /* held at most */
} mo_memory;

void mo_memory_init(mo_memory *memory, const mote_allocator *allocator);

/* Zeroed, 64-byte aligned; NULL when there is none. A size of 0 gives a valid block. */
void *mo_allocate(mo_memory *memory, size_t bytes);
void mo_release(mo_memory *memory, void *block);

/* count * size zeroed bytes, with the overflow checked and the failure put into words. */
mote_status mo_allocate_array(mo_memory *memory, int64_t count, size_t size, void **block,
                              mote_error *error);

/* Makes room for `need` elements in *block (which has *capacity of them, old contents kept, new
 * ones zeroed).
 */
mote_status mo_grow(mo_memory *memory, void **block, int64_t *capacity, int64_t need, size_t size,
                    mote_error *error);

/* Room for `need` elements in the array at `array` (a pointer to a pointer), as mo_grow gives
 * it. */
mote_status mo_make_room(mo_memory *memory, void *array, int64_t *capacity, int64_t need,
                         size_t size, mote_error *error);

/* The C library's heap, for what no caller's allocator can be asked for: scenes, pictures, texts
   that are handed out, and blocks of threads in the background (a caller's allocator is called by
   the calling thread alone). Everything else is a mo_memory's. Nothing else in src/ calls malloc
   and its like (tests/scripts/check_style.py). */
void *mo_heap_allocate(size_t count, size_t size);   /* zeroed; NULL when there is none */
void *mo_heap_resize(void *block, size_t bytes);     /* as realloc */
char *mo_heap_text(const char *text, size_t length); /* a copy of its first `length` characters */
void mo_heap_release(void *block);                   /* also of texts that jansson makes */

typedef struct mo_arena {
    mo_memory *memory;
    struct mo_arena_chunk *chunks;
} mo_arena;

void mo_arena_init(mo_arena *arena, mo_memory *memory);
void *mo_arena_allocate(mo_arena *arena,
                        size_t bytes); /* zeroed, 16-byte aligned; NULL when there is none */
char *mo_arena_text(mo_arena *arena, const char *text);
void mo_arena_release(mo_arena *arena);

#endif
