/*
 * An allocator for tests: it hands out dirty memory, fails at one chosen call and when asked for gigabytes, and
 * knows what was not given back. A test that walks the failing call through a scenario, until the scenario no longer reaches it, has
 * seen every allocation fail once.
 */
#ifndef TEST_FAILING_ALLOCATOR_H
#define TEST_FAILING_ALLOCATOR_H

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct failing_allocator {
    int64_t calls;   /* of allocate so far */
    int64_t fail_at; /* the call that fails, counted from 0; -1: none */
    int64_t live;    /* blocks not given back */
    bool misused;    /* a bad alignment, or a block given back with another size */
} failing_allocator;

enum { FAILING_ALLOCATOR_PREFIX = 64, FAILING_ALLOCATOR_MOST = 1 << 30 };

static inline void *failing_allocate(void *context, size_t bytes, size_t alignment)
{
    failing_allocator *a = context;
    a->misused = a->misused || alignment == 0 || alignment > 64 || (alignment & (alignment - 1)) != 0;
    if (a->calls++ == a->fail_at || bytes > FAILING_ALLOCATOR_MOST) {
        return NULL;
    }
    size_t whole = FAILING_ALLOCATOR_PREFIX + (bytes + 63) / 64 * 64;
    unsigned char *start = aligned_alloc(64, whole);
    if (!start) {
        return NULL;
    }
    memset(start, 0xa5, whole);
    memcpy(start, &bytes, sizeof bytes);
    a->live++;
    return start + FAILING_ALLOCATOR_PREFIX;
}

static inline void failing_release(void *context, void *memory, size_t bytes)
{
    failing_allocator *a = context;
    unsigned char *start = (unsigned char *)memory - FAILING_ALLOCATOR_PREFIX;
    size_t asked;
    memcpy(&asked, start, sizeof asked);
    a->misused = a->misused || asked != bytes;
    a->live--;
    free(start);
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

/* Whether the chosen call came at all. */
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
