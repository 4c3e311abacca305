/* Sets the temperature of the particles in a region; for the force `heat`. */
#include "geometry/shape/shape.h"
#include "host/action/action.h"

typedef struct heat {
    mo_action_def common;
    double temperature;
} heat;

static const mo_param PARAMS[] = {
    MO_ACTION_TIME(heat),
    {"until", MO_REAL, MO_FIELD(heat, common.until), .unit = "s", .range = "(0, inf)",
     .doc = "Prescribes the temperature from `time` to this time; default: once."},
    MO_ACTION_REGION(heat),
    {"temperature", MO_REAL, MO_FIELD(heat, temperature), .unit = "K", .required = true,
     .range = "[0, inf)", .doc = "The temperature."},
    {0}};

static bool heat_act(const void *params, const mo_action_rows *rows)
{
    const heat *p = params;
    for (int64_t row = 0; rows->temperature && row < rows->rows; ++row) {
        if (mo_action_contains(&p->common, rows, row, NULL)) {
            rows->temperature[row] = p->temperature;
        }
    }
    return false; /* no velocity has changed */
}

const mo_action_type mo_action_heat = {
    .base = {.name = "heat",
             .summary = "Sets the temperature of the particles in a region.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(heat),
             .params = PARAMS,
             .check = mo_action_check},
    .heats = true,
    .act = heat_act,
};
