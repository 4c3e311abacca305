/*
 * Lists kept for a fixed number of steps, as in older codes (D. Tonnesen 1998, section 7.3.5: every 10 steps).
 * Pairs that come within the radius in the meantime are missed unless the skin is wide enough; `check` makes
 * that an error.
 */
#include "neighbor/search/search.h"

typedef struct params {
    int64_t steps;
    double skin;
    bool check;
    mo_method over;
} params;

static const mo_param PARAMS[] = {
    {"steps", MO_INT, MO_FIELD(params, steps), .initial = "10", .range = "[1, 1000000]",
     .doc = "Lists are built every so many updates."},
    {"skin", MO_REAL, MO_FIELD(params, skin), .unit = "m", .initial = "0", .range = "[0, inf)",
     .doc = "Lists hold pairs up to this much beyond the radius."},
    {"check", MO_BOOL, MO_FIELD(params, check), .initial = "false",
     .doc = "Stop with an error if something moves more than half the skin between builds."},
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
    *out = (mo_search_reuse){.skin = p->skin, .every = p->steps, .check = p->check, .over = p->over};
}

const mo_search_type mo_search_cached = {
    .base = {.name = "cached",
             .summary = "Builds lists every so many steps, whatever moves in between.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(params),
             .params = PARAMS,
             .check = check},
    .reuse = reuse,
};
