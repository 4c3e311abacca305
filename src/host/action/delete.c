/* Deletes the particles in a region. */
#include "geometry/shape/shape.h"
#include "host/action/action.h"

typedef struct removal {
    mo_action_def common;
} removal;

static const mo_param PARAMS[] = {MO_ACTION_TIME(removal), MO_ACTION_REGION(removal), {0}};

static bool delete_act(const void *params, const mo_action_rows *rows)
{
    const removal *p = params;
    bool any = false;
    for (int64_t row = 0; row < rows->rows; ++row) {
        rows->removed[row] = mo_action_contains(&p->common, rows, row, NULL);
        any = any || rows->removed[row];
    }
    return any;
}

const mo_action_type mo_action_delete = {
    .base = {.name = "delete",
             .summary = "Deletes the particles in a region.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(removal),
             .params = PARAMS},
    .removes = true,
    .act = delete_act,
};
