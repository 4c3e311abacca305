/*
 * Drag in a moving medium, u = v - wind:  f = -(linear + quadratic |u|) u. Linear is Stokes's law (6 pi mu r
 * for a sphere of radius r in a fluid of viscosity mu), quadratic is Newton's (1/2 rho c_d A).
 */
#include "math/vec3.h"
#include "particle/force/field.h"

typedef struct drag {
    double linear, quadratic;
    mo_vec3 wind;
} drag;

static const mo_param PARAMS[] = {
    {"linear", MO_REAL, MO_FIELD(drag, linear), .unit = "kg/s", .initial = "0", .range = "[0, inf)",
     .doc = "Coefficient of the speed: 6 pi mu r for a sphere."},
    {"quadratic", MO_REAL, MO_FIELD(drag, quadratic), .unit = "kg/m", .initial = "0", .range = "[0, inf)",
     .doc = "Coefficient of the speed squared: half of density times drag coefficient times area."},
    {"wind", MO_VEC3, MO_FIELD(drag, wind), .unit = "m/s", .initial = "[0, 0, 0]",
     .doc = "Velocity of the medium."},
    {0}};

static void add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const drag *p = instance;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 u = mo_sub(mo_vec3_load(args->v + 3 * row), p->wind);
        double factor = p->linear + p->quadratic * mo_length(u);
        mo_vec3 f = mo_vec3_load(args->f + 3 * row);
        mo_vec3_store(args->f + 3 * row, mo_add_scaled(f, -factor, u));
    }
}

const mo_field_type mo_field_drag = {
    .base = {.name = "drag",
             .summary = "Linear and quadratic drag in a medium that may move.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(drag),
             .params = PARAMS},
    .add = add,
};
