/*
 * Memory: every allocation of a world goes through a mo_memory, which forwards to the caller's
 * allocator and counts. Blocks are aligned to 64 bytes (a cache line, and the widest vector) and
 * store their size.
 *
 * Two kinds of allocation: blocks (mo_allocate, mo_grow) for arrays that change size, and arenas
 * for objects of equal lifetime (parameters, names). Only the thread that calls the library
 * allocates.
 */
#ifndef MO_BASE_MEMORY_H
#define MO_BASE_MEMORY_H

#include "base/error.h"

typedef struct mo_memory {
    mote_allocator allocator;
    int64_t allocations; /* blocks allocated so far */
    int64_t bytes;       /* current */
    int64_t peak;        /* peak */
} mo_memory;

void mo_memory_init(mo_memory *memory, const mote_allocator *allocator);

/* Zeroed, 64-byte aligned; NULL on failure. A size of 0 gives a valid block. */
void *mo_allocate(mo_memory *memory, size_t bytes);
void mo_release(mo_memory *memory, void *block);

/* count * size zeroed bytes, with an overflow check and an error message. */
mote_status mo_allocate_array(mo_memory *memory, int64_t count, size_t size, void **block,
                              mote_error *error);

/* Reserves `need` elements in *block (which has *capacity of them, old contents kept, new ones
 * zeroed).
 */
mote_status mo_grow(mo_memory *memory, void **block, int64_t *capacity, int64_t need, size_t size,
                    mote_error *error);

/* Reserves `need` elements in the array at `array` (a pointer to a pointer), as mo_grow does. */
mote_status mo_reserve(mo_memory *memory, void *array, int64_t *capacity, int64_t need, size_t size,
                       mote_error *error);

/* The C library's heap, where the caller's allocator cannot be used: scenes, images, returned
 * texts, and background threads (a caller's allocator is called by the calling thread only).
 * Everything else uses a mo_memory. Nothing else in src/ calls malloc
 * (tests/scripts/check_style.py). */
void *mo_heap_allocate(size_t count, size_t size);   /* zeroed; NULL on failure */
void *mo_heap_resize(void *block, size_t bytes);     /* as realloc */
char *mo_heap_text(const char *text, size_t length); /* a copy of its first `length` characters */
void mo_heap_release(void *block);                   /* also for texts allocated by jansson */

typedef struct mo_arena {
    mo_memory *memory;
    struct mo_arena_chunk *chunks;
} mo_arena;

void mo_arena_init(mo_arena *arena, mo_memory *memory);
void *mo_arena_allocate(mo_arena *arena,
                        size_t bytes); /* zeroed, 16-byte aligned; NULL on failure */
char *mo_arena_text(mo_arena *arena, const char *text);
void mo_arena_release(mo_arena *arena);

#endif
