#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { ALIGNMENT = 64, CHUNK = 1 << 14, HUGE_PAGE = 1 << 21 };

/* Large blocks request huge pages: neighbour lists are otherwise bound by TLB misses. Whole pages
 * only, so that no more memory is used than requested. */
static void ask_for_huge_pages(char *block, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#else
    (void)block, (void)bytes;
#endif
}

static void *allocate_default(void *context, size_t bytes, size_t alignment)
{
    (void)context;
    bool large = bytes >= 2 * HUGE_PAGE;
    alignment = large ? HUGE_PAGE : alignment;
    void *block = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (large && block) {
        ask_for_huge_pages(block, bytes);
    }
    return block;
}

static void release_default(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

void mo_memory_init(mo_memory *memory, const mote_allocator *allocator)
{
    *memory = (mo_memory){0};
    if (allocator && allocator->allocate) {
        memory->allocator = *allocator;
    } else {
        memory->allocator = (mote_allocator){allocate_default, release_default, NULL};
    }
}

/* A block is preceded by one alignment unit with its size. */
void *mo_allocate(mo_memory *memory, size_t bytes)
{
    if (bytes > SIZE_MAX - 2 * ALIGNMENT) {
        return NULL;
    }
    size_t whole = ALIGNMENT + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *block = memory->allocator.allocate(memory->allocator.context, whole, ALIGNMENT);
    if (!block) {
        return NULL;
    }
    memset(block, 0, whole);
    memcpy(block, &whole, sizeof whole);
    memory->allocations++;
    memory->bytes += (int64_t)whole;
    if (memory->bytes > memory->peak) {
        memory->peak = memory->bytes;
    }
    return block + ALIGNMENT;
}

void mo_release(mo_memory *memory, void *block)
{
    if (!block) {
        return;
    }
    char *start = (char *)block - ALIGNMENT;
    size_t whole;
    memcpy(&whole, start, sizeof whole);
    memory->bytes -= (int64_t)whole;
    memory->allocator.release(memory->allocator.context, start, whole);
}

mote_status mo_allocate_array(mo_memory *memory, int64_t count, size_t size, void **block,
                              mote_error *error)
{
    size_t bytes;
    *block = NULL;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes)) {
        return mo_fail(error, MOTE_ERROR_MEMORY,
                       "out of memory: %lld elements of %zu bytes are too many", (long long)count,
                       size);
    }
    *block = mo_allocate(memory, bytes);
    return *block ? MOTE_OK : mo_fail_memory(error, bytes);
}

mote_status mo_grow(mo_memory *memory, void **block, int64_t *capacity, int64_t need, size_t size,
                    mote_error *error)
{
    if (need <= *capacity) {
        return MOTE_OK;
    }
    int64_t grown = *capacity + *capacity / 2;
    grown = grown < need ? need : grown;
    grown = grown < 8 ? 8 : grown;
    void *larger;
    MO_TRY(mo_allocate_array(memory, grown, size, &larger, error));
    if (*block) {
        memcpy(larger, *block, (size_t)*capacity * size);
        mo_release(memory, *block);
    }
    *block = larger;
    *capacity = grown;
    return MOTE_OK;
}

mote_status mo_reserve(mo_memory *memory, void *array, int64_t *capacity, int64_t need, size_t size,
                       mote_error *error)
{
    void **block = array, *grown = *block;
    mote_status status = mo_grow(memory, &grown, capacity, need, size, error);
    *block = grown;
    return status;
}

void *mo_heap_allocate(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

void *mo_heap_resize(void *block, size_t bytes)
{
    return realloc(block, bytes);
}

char *mo_heap_text(const char *text, size_t length)
{
    char *copy = calloc(length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
    }
    return copy;
}

void mo_heap_release(void *block)
{
    free(block);
}

typedef struct mo_arena_chunk {
    struct mo_arena_chunk *next;
    size_t used, size;
} mo_arena_chunk;

enum { HEADER = (sizeof(mo_arena_chunk) + 15) / 16 * 16 };

void mo_arena_init(mo_arena *arena, mo_memory *memory)
{
    *arena = (mo_arena){memory, NULL};
}

void *mo_arena_allocate(mo_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) {
        return NULL;
    }
    bytes = (bytes + 15) / 16 * 16;
    mo_arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < bytes) {
        size_t size = HEADER + (bytes > CHUNK ? bytes : CHUNK);
        chunk = mo_allocate(arena->memory, size);
        if (!chunk) {
            return NULL;
        }
        *chunk = (mo_arena_chunk){arena->chunks, HEADER, size};
        arena->chunks = chunk;
    }
    void *result = (char *)chunk + chunk->used;
    chunk->used += bytes;
    return result;
}

char *mo_arena_text(mo_arena *arena, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = mo_arena_allocate(arena, bytes);
    if (copy) {
        memcpy(copy, text, bytes);
    }
    return copy;
}

void mo_arena_release(mo_arena *arena)
{
    mo_arena_chunk *chunk = arena->chunks;
    while (chunk) {
        mo_arena_chunk *next = chunk->next;
        mo_release(arena->memory, chunk);
        chunk = next;
    }
    arena->chunks = NULL;
}
