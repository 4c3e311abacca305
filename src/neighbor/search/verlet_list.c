/*
 * Lists with a skin, kept until something has moved half of it since they were built (L. Verlet 1967, Phys.
 * Rev. 159, 98: the "bookkeeping device"; the test of the way moved makes it exact).
 */
#include "neighbor/search/search.h"

#include <math.h>

typedef struct params {
    double skin;
    mo_method over;
} params;

static const mo_param PARAMS[] = {
    {"skin", MO_REAL, MO_FIELD(params, skin), .unit = "m", .initial = "0", .range = "[0, inf)",
     .doc = "Lists hold pairs up to this much beyond the radius; wider lists are kept for longer. 0: 0.12 of "
            "the radius."},
    {"over", MO_METHOD, MO_FIELD(params, over), .family = &mo_searches, .initial = MO_SEARCH_DEFAULT_JSON,
     .doc = "The structure that makes the lists."},
    {0}};

static mote_status check(const void *given, mote_error *error)
{
    const params *p = given;
    return mo_search_check_over(&p->over, error);
}

static void reuse(const void *given, mo_search_reuse *out)
{
    const params *p = given;
    *out = (mo_search_reuse){.skin = p->skin > 0 ? p->skin : (double)NAN, .over = p->over};
}

const mo_search_type mo_search_verlet_list = {
    .base = {.name = "verlet_list",
             .summary = "Keeps lists with a skin until something has moved half the skin; never late.",
             .citation = "L. Verlet 1967, Phys. Rev. 159, 98",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(params),
             .params = PARAMS,
             .check = check},
    .reuse = reuse,
};
