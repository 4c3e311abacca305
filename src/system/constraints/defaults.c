#include "system/constraints/defaults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bending stiffness of cloth [J], that of light cotton. */
static const double BENDING = 1e-5;

/* The default of a number or a string, as in its table. */
static mote_status set_default(const mo_param *p, char *params, mo_arena *arena, mote_error *error)
{
    if (p->type == MO_REAL) {
        double value = p->initial ? strtod(p->initial, NULL) : NAN;
        memcpy(params + p->offset, &value, sizeof value);
    } else if (p->type == MO_STRING && p->initial) {
        char *text = mo_arena_text(arena, p->initial + 1); /* without quotation marks */
        if (!text) {
            return mo_fail_memory(error, strlen(p->initial));
        }
        text[strlen(text) - 1] = 0;
        memcpy(params + p->offset, &text, sizeof text);
    }
    return MOTE_OK;
}

static mote_status default_method(const char *name, double compliance, mo_arena *arena,
                                  mo_method *method, mote_error *error)
{
    const mo_descriptor *type = mo_family_find(&mo_constraints, name);
    char *params = mo_arena_allocate(arena, type->param_size);
    if (!params) {
        return mo_fail_memory(error, type->param_size);
    }
    memset(params, 0, type->param_size);
    for (const mo_param *p = type->params; p->name; ++p) {
        MO_TRY(set_default(p, params, arena, error));
    }
    ((mo_constraint_common *)params)->compliance = compliance;
    *method = (mo_method){type, params};
    return MOTE_OK;
}

mote_status mo_constraint_defaults(const mo_mesh *mesh, bool extended, mo_arena *arena,
                                   mo_method list[MO_CONSTRAINT_DEFAULTS_MAX], int *count,
                                   mote_error *error)
{
    *count = 1;
    if (mesh->tetrahedron_count > 0 && extended) {
        return default_method("neo_hookean_pair", 0, arena, &list[0], error);
    }
    MO_TRY(default_method("distance", 0, arena, &list[0], error));
    if (mesh->tetrahedron_count > 0) {
        *count = 2;
        return default_method("volume", 0, arena, &list[1], error);
    }
    if (mesh->triangle_count > 1) {
        *count = 2;
        return default_method("bend_isometric", 1 / BENDING, arena, &list[1], error);
    }
    return MOTE_OK;
}
