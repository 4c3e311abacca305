/*
 * Lists with a skin, reused until a point has moved half of it since they were built (L. Verlet
 * 1967, Phys. Rev. 159, 98: the "bookkeeping device"; the displacement test makes it exact).
 */
#include "neighbor/search/search.h"

static const mo_param PARAMS[] = {
    {"skin", MO_REAL, MO_FIELD(mo_search_reuse, skin), .unit = "m", .initial = "0",
     .range = "[0, inf)",
     .doc = "Skin: lists contain pairs up to this distance beyond the radius; a larger skin needs "
            "fewer rebuilds. 0: 0.12 of the radius."},
    {"over", MO_METHOD, MO_FIELD(mo_search_reuse, over), .family = &mo_searches,
     .initial = MO_SEARCH_DEFAULT_JSON, .doc = "Structure that builds the lists."},
    {0}};

const mo_search_type mo_search_verlet_list = {
    .base = {.name = "verlet_list",
             .summary =
                 "Verlet lists with a skin, rebuilt when a particle has moved half the skin.",
             .citation = "L. Verlet 1967, Phys. Rev. 159, 98",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(mo_search_reuse),
             .params = PARAMS,
             .check = mo_search_check_reuse},
    .reuse = true,
};
