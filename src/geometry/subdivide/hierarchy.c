/* A bounding volume hierarchy (geometry/hierarchy/) as a search over primitives: a second
 * tree is built over the queries, and the two are traversed level by level. */
#include "geometry/subdivide/subdivide.h"

extern const mo_subdivision_type mo_subdivision_hierarchy;

typedef struct parameters {
    mo_method bound;
} parameters;

static const mo_param PARAMS[] = {{"bound", MO_METHOD, MO_FIELD(parameters, bound),
                                   .initial = MO_BOUND_DEFAULT_JSON, .family = &mo_bounds,
                                   .doc = "Bounding volume."},
                                  {0}};

typedef struct instance {
    mo_hierarchy set, queries;
} instance;

static void hierarchy_release(void *at, mo_memory *memory)
{
    instance *h = at;
    (void)memory;
    if (h->set.memory) {
        mo_hierarchy_release(&h->set);
        mo_hierarchy_release(&h->queries);
    }
}

static mote_status hierarchy_build(void *at, const void *params, const mo_subdivided *over,
                                   mo_memory *memory, mo_pool *pool, mote_error *error)
{
    instance *h = at;
    if (!h->set.memory) {
        const parameters *p = params;
        const mo_bound_type *bound = p ? (const mo_bound_type *)p->bound.type : &mo_bound_aabb;
        mo_hierarchy_init(&h->set, bound, memory);
        mo_hierarchy_init(&h->queries, bound, memory);
    }
    return mo_hierarchy_build(&h->set, &over->set, MO_HIERARCHY_MORTON, pool, error);
}

static mote_status hierarchy_pairs(void *at, const mo_simplices *queries, bool own,
                                   mo_pair_search *search, mo_pool *pool, mote_error *error)
{
    instance *h = at;
    if (own) {
        MO_TRY(mo_pair_search_run(search, &h->set, &h->set, NULL, NULL, NULL, pool, error));
        for (int64_t k = 0; k < search->count; ++k) {
            mo_index_pair p = search->pairs[k];
            search->pairs[k] = p.a < p.b ? p : (mo_index_pair){p.b, p.a};
        }
        return MOTE_OK;
    }
    h->queries.origin = h->set.origin;
    h->queries.keep_origin = true;
    MO_TRY(mo_hierarchy_build(&h->queries, queries, MO_HIERARCHY_MORTON, pool, error));
    return mo_pair_search_run(search, &h->queries, &h->set, NULL, NULL, NULL, pool, error);
}

const mo_subdivision_type mo_subdivision_hierarchy = {
    .base = {.name = "hierarchy",
             .summary = "Bounding volume hierarchies of the primitives and of the queries, tested "
                        "against each other layer by layer.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .size = sizeof(instance),
    .release = hierarchy_release,
    .build = hierarchy_build,
    .pairs = hierarchy_pairs,
};
