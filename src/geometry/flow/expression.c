/* Velocities as expressions of x, y and z (math/expression.h). */
#include "math/expression.h"
#include "geometry/flow/flow.h"

typedef struct expression {
    mo_list velocity;
    mo_expression3 compiled; /* created by prepare */
} expression;

static const mo_param PARAMS[] = {
    {"velocity", MO_STRING, .list = true, MO_FIELD(expression, velocity), .unit = "m/s",
     .required = true,
     .doc = "Three expressions of x, y and z in metres, such as [\"-y\", \"x\", \"0\"]: numbers, + "
            "- * / ^, parentheses, pi, sin cos tan exp log sqrt abs sign floor tanh min max pow "
            "atan2; t is 0."},
    {0}};

static mote_status expression_prepare(void *params, mo_arena *arena, mote_error *error)
{
    expression *e = params;
    return mo_expression3_compile("velocity", e->velocity.count, e->velocity.items, arena,
                                  &e->compiled, error);
}

static mo_vec3 expression_velocity(const void *params, mo_vec3 x)
{
    const mo_expression *part = ((const expression *)params)->compiled.part;
    return mo_vec3_make(mo_expression_at(&part[0], x.x, x.y, x.z, 0),
                        mo_expression_at(&part[1], x.x, x.y, x.z, 0),
                        mo_expression_at(&part[2], x.x, x.y, x.z, 0));
}

const mo_flow_type mo_flow_expression = {
    .base = {.name = "expression",
             .summary = "Three expressions of the position.",
             .param_size = sizeof(expression),
             .params = PARAMS,
             .prepare = expression_prepare},
    .velocity = expression_velocity,
};
