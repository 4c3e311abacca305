/* The search object of the public interface. */
#ifndef MO_RUN_POINT_SEARCH_H
#define MO_RUN_POINT_SEARCH_H

#include "mote/search.h"

/* Points with ids (NULL: 0, 1, ...), copied. `function` names the caller in messages. */
typedef struct mo_search_source {
    const char *function;
    int64_t count;
    const double *x;
    const int64_t *ids;
    mote_domain domain;
} mo_search_source;

mote_status mo_point_search_create(const mo_search_source *source,
                                   const mote_search_options *options, mote_search **search,
                                   mote_error *error);

#endif
