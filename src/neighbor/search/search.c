#include "neighbor/search/search.h"

#include "base/radix.h"

#include <string.h>

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_search_type, mo_search_, name)
#include "neighbor/search/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_search_, name)
#include "neighbor/search/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"insert", "delete",   "nearest",
                                           "update", "parallel", NULL};

const mo_family mo_searches = {
    .name = "search",
    .doc = "Fixed-radius neighbour search. All structures find the same pairs.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .capabilities = CAPABILITIES,
};

mote_status mo_search_check_reuse(const void *params, mote_error *error)
{
    const mo_method *over = &((const mo_search_reuse *)params)->over;
    const mo_search_type *type = (const mo_search_type *)over->type;
    return type && type->reuse
               ? mo_fail(error, MOTE_ERROR_INPUT,
                         "over: '%s' itself stores lists; allowed: structures such as grid",
                         over->type->name)
               : MOTE_OK;
}

/* ---- instances of structures ---- */

static mo_radix *radix_of(const mo_structure *s)
{
    return s->type->layout.radix ? (mo_radix *)((char *)s + s->type->layout.radix) : NULL;
}

mote_status mo_structure_create(const mo_search_type *type, const void *params, mo_memory *memory,
                                void **instance, mote_error *error)
{
    const mo_structure_layout *layout = &type->layout;
    mo_structure *s = mo_allocate(memory, layout->size);
    if (!s) {
        return mo_fail_memory(error, layout->size);
    }
    s->type = type;
    s->memory = memory;
    if (type->base.param_size > 0) {
        memcpy((char *)s + layout->params, params ? params : layout->defaults,
               type->base.param_size);
    }
    if (layout->radix) {
        mo_radix_init(radix_of(s), memory);
    }
    *instance = s;
    return MOTE_OK;
}

void mo_structure_destroy(void *instance)
{
    mo_structure *s = instance;
    if (!s) {
        return;
    }
    for (const mo_structure_array *a = s->type->layout.arrays; a && a->size; ++a) {
        void *array;
        memcpy(&array, (char *)s + a->array, sizeof array);
        mo_release(s->memory, array);
    }
    if (radix_of(s)) {
        mo_radix_release(radix_of(s));
    }
    mo_release(s->memory, s);
}

int64_t mo_structure_bytes(const void *instance)
{
    const mo_structure *s = instance;
    int64_t bytes = (int64_t)s->type->layout.size, capacity;
    for (const mo_structure_array *a = s->type->layout.arrays; a && a->size; ++a) {
        memcpy(&capacity, (const char *)s + a->capacity, sizeof capacity);
        bytes += capacity * (int64_t)a->size;
    }
    return bytes + (radix_of(s) ? mo_radix_bytes(radix_of(s)) : 0);
}
