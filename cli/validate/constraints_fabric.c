/* Woven cloth: strain of triangles in warp, weft and shear against the closed forms of an
 * orthotropic sheet without lateral contraction. */
#include "validate/constraints.h"

#include "base/error.h"
#include "bench/case_world.h"
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

static const double COMPLIANCE = 1e-3, WEFT = 0.4, SHEAR = 0.05;

/* A sheet of 0.4 x 0.2 m under the traction T on its short sides: its mean strain along x, once it
 * rests. Loads are those of a uniform traction: corners have half a share. */
static mote_status pull(const char *solver, const char *warp, double traction, double *strain,
                        mote_error *error)
{
    char text[1600];
    mote_world *world;
    double quarter = 0.25 * 0.2 * traction;
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 10, \"step\": 0.01}, \"gravity\": [0, 0, 0], \"constraints\": "
             "{%s}, \"bodies\": [{\"density\": 0.3, \"mesh\": {\"type\": \"cloth\", \"u\": [0.4, "
             "0, 0], \"v\": [0, 0.2, 0], \"columns\": 5, \"rows\": 3}, \"model\": {\"type\": "
             "\"xpbd\", \"damping\": 30, \"constraints\": [{\"type\": \"strain\", \"compliance\": "
             "%g, \"weft\": %g, \"shear\": %g, \"warp\": %s}]}, \"loads\": [{\"nodes\": [0, 10], "
             "\"force\": [%g, 0, 0]}, {\"nodes\": [5], \"force\": [%g, 0, 0]}, {\"nodes\": [4, "
             "14], \"force\": [%g, 0, 0]}, {\"nodes\": [9], \"force\": [%g, 0, 0]}]}]}",
             solver, COMPLIANCE, WEFT, SHEAR, warp, -2 * quarter, -2 * quarter, 2 * quarter,
             2 * quarter);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    const double *x = case_column(world, "x");
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && mote_world_time(world) < 1) {
        status = mote_world_step(world, NULL, error);
    }
    *strain = 0;
    for (int row = 0; row < 3; ++row) {
        *strain += (x[3 * (5 * row + 4)] - x[3 * (5 * row)] - 0.4) / (3 * 0.4);
    }
    mote_world_destroy(world);
    return status;
}

/* Along an axis the strain is the traction times the compliance in that direction, at any strain.
 * At 45 degrees to both, of small strains, 1/E = (1/E_warp + 1/E_weft + 1/G)/4. */
mote_status constraints_fabric(void *context, mote_error *error)
{
    const double c = COMPLIANCE, bias = 0.25 * c * (1 + 1 / WEFT + 1 / SHEAR);
    const struct {
        const char *name, *solver, *warp;
        double traction, compliance;
    } RUNS[] = {{"along the warp, default solver", "", "[1, 0, 0]", 100, c},
                {"along the warp, newton", "\"solver\": \"newton\"", "[1, 0, 0]", 100, c},
                {"along the weft, default solver", "", "[0, 1, 0]", 100, c / WEFT},
                {"along the weft, newton", "\"solver\": \"newton\"", "[0, 1, 0]", 100, c / WEFT},
                {"on the bias, default solver", "", "[1, 1, 0]", 0.1, bias},
                {"on the bias, newton", "\"solver\": \"newton\"", "[1, 1, 0]", 0.1, bias}};
    for (size_t k = 0; k < sizeof RUNS / sizeof *RUNS; ++k) {
        double strain;
        char quantity[100];
        MO_TRY(pull(RUNS[k].solver, RUNS[k].warp, RUNS[k].traction, &strain, error));
        snprintf(quantity, sizeof quantity, "strain %s", RUNS[k].name);
        validate_relative(context, "constraints/fabric", quantity, strain,
                          RUNS[k].traction * RUNS[k].compliance, 0.01);
    }
    return MOTE_OK;
}
