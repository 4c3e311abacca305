/*
 * Lists reused for a fixed number of steps (D. Tonnesen 1998, section 7.3.5: every 10 steps). Pairs
 * that enter the radius in between are missed unless the skin is wide enough; `check` makes that an
 * error.
 */
#include "neighbor/search/search.h"

static const mo_param PARAMS[] = {
    {"steps", MO_INT, MO_FIELD(mo_search_reuse, every), .initial = "10", .range = "[1, 1000000]",
     .doc = "Number of updates between rebuilds of the lists."},
    {"skin", MO_REAL, MO_FIELD(mo_search_reuse, skin), .unit = "m", .initial = "0",
     .range = "[0, inf)",
     .doc = "Skin: lists contain pairs up to this distance beyond the "
            "radius."},
    {"check", MO_BOOL, MO_FIELD(mo_search_reuse, check), .initial = "false",
     .doc = "Stop with an error if a particle moves more than half the skin between rebuilds."},
    {"over", MO_METHOD, MO_FIELD(mo_search_reuse, over), .family = &mo_searches,
     .initial = MO_SEARCH_DEFAULT_JSON, .doc = "Structure that builds the lists."},
    {0}};

const mo_search_type mo_search_cached = {
    .base = {.name = "cached",
             .summary = "Neighbour lists rebuilt after a fixed number of steps.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(mo_search_reuse),
             .params = PARAMS,
             .check = mo_search_check_reuse},
    .reuse = true,
};
