#include "neighbor/search/search.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_search_type, mo_search_, name)
#include "neighbor/search/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_search_, name)
#include "neighbor/search/methods.def"
#undef MO_METHOD
};

static const char *const CAPABILITIES[] = {"insert", "delete", "nearest", "update", "parallel", NULL};

const mo_family mo_searches = {
    .name = "search",
    .doc = "How the points within a radius are found. All structures find the same pairs.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .capabilities = CAPABILITIES,
};

mote_status mo_search_check_over(const mo_method *over, mote_error *error)
{
    const mo_search_type *type = (const mo_search_type *)over->type;
    return type && type->reuse
               ? mo_fail(error, MOTE_ERROR_INPUT,
                         "over: '%s' keeps lists itself; allowed are structures, as grid", over->type->name)
               : MOTE_OK;
}
