/*
 * A test allocator: returns uninitialised memory, fails at one chosen call and for gigabytes, and
 * detects leaks. A test that repeats a scenario with successive failing calls, until the scenario
 * does not reach it, covers every allocation.
 */
#ifndef TEST_FAILING_ALLOCATOR_H
#define TEST_FAILING_ALLOCATOR_H

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct failing_block {
    size_t bytes;
    struct failing_block *previous, *next;
} failing_block;

typedef struct failing_allocator {
    int64_t calls;   /* of allocate so far */
    int64_t fail_at; /* the call that fails, counted from 0; -1: none */
    int64_t live;    /* blocks not released */
    failing_block *blocks;
    bool misused; /* a bad alignment, or a release with another size */
} failing_allocator;

enum { FAILING_ALLOCATOR_PREFIX = 64, FAILING_ALLOCATOR_MOST = 1 << 30 };

static inline void *failing_allocate(void *context, size_t bytes, size_t alignment)
{
    failing_allocator *a = context;
    a->misused =
        a->misused || alignment == 0 || alignment > 64 || (alignment & (alignment - 1)) != 0;
    if (a->calls++ == a->fail_at || bytes > FAILING_ALLOCATOR_MOST) {
        return NULL;
    }
    size_t whole = FAILING_ALLOCATOR_PREFIX + (bytes + 63) / 64 * 64;
    unsigned char *start = aligned_alloc(64, whole);
    if (!start) {
        return NULL;
    }
    memset(start, 0xa5, whole);
    failing_block *block = (failing_block *)start;
    *block = (failing_block){bytes, NULL, a->blocks};
    if (a->blocks) {
        a->blocks->previous = block;
    }
    a->blocks = block;
    a->live++;
    return start + FAILING_ALLOCATOR_PREFIX;
}

static inline void failing_release(void *context, void *memory, size_t bytes)
{
    failing_allocator *a = context;
    failing_block *block = (failing_block *)((unsigned char *)memory - FAILING_ALLOCATOR_PREFIX);
    a->misused = a->misused || block->bytes != bytes;
    *(block->previous ? &block->previous->next : &a->blocks) = block->next;
    if (block->next) {
        block->next->previous = block->previous;
    }
    a->live--;
    free(block);
}

/* Memory that fails at call `fail_at` of *a. */
static inline mo_memory failing_memory(failing_allocator *a, int64_t fail_at)
{
    *a = (failing_allocator){.fail_at = fail_at};
    mote_allocator hooks = {failing_allocate, failing_release, a};
    mo_memory memory;
    mo_memory_init(&memory, &hooks);
    return memory;
}

/* The number of bytes of a live block from `address` on; 0 if it is in none. */
static inline size_t bytes_behind(const failing_allocator *a, const void *address)
{
    uintptr_t at = (uintptr_t)address;
    for (const failing_block *block = a->blocks; block; block = block->next) {
        uintptr_t start = (uintptr_t)block + FAILING_ALLOCATOR_PREFIX;
        if (at >= start && at <= start + block->bytes) {
            return start + block->bytes - at;
        }
    }
    return 0;
}

/* Whether the chosen call was reached. */
static inline bool has_failed(const failing_allocator *a)
{
    return a->fail_at >= 0 && a->calls > a->fail_at;
}

static inline void assert_all_given_back(const failing_allocator *a, const mo_memory *memory)
{
    assert_int_equal(a->live, 0);
    assert_int_equal(memory->bytes, 0);
    assert_false(a->misused);
}

#endif
