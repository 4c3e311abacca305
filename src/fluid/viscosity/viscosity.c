#include "fluid/viscosity/viscosity.h"

#include <math.h>

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_viscosity_type, mo_viscosity_, name)
#include "fluid/viscosity/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_viscosity_, name)
#include "fluid/viscosity/methods.def"
#undef MO_METHOD
};

static const char *const PROPERTIES[] = {"phases", NULL};

const mo_family mo_viscosities = {
    .name = "viscosity",
    .doc = "Viscosity models, in the fluid and at boundaries.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .number_selects = "corotational",
    .capabilities = PROPERTIES,
};

/* ---- the largest step ---- */

enum { GRAIN = 4096 };

const mo_column_spec mo_viscosity_columns[] = {
    {"viscous_rate", MOTE_F32, 1, MO_STATE, "1/s",
     "upper bound of the damping rate by explicit viscosity"},
    {0}};

/* Forward Euler is stable up to h rate = 2. Rates are those of the initial positions of the last
 * step. */
#define STABLE 1.9

static void fastest(void *context, int64_t first, int64_t last, double *partial)
{
    const float *rate = context;
    float most = 0;
    for (int64_t row = first; row < last; ++row) {
        most = rate[row] > most ? rate[row] : most;
    }
    *partial = (double)most;
}

double mo_viscosity_limit(const mo_instance *self, const mo_fluid *f)
{
    int64_t rows = mo_store_owned(f->store);
    double rate = 0;
    mote_error error;
    if (rows == 0 ||
        mo_parallel_reduce(f->pool, rows, GRAIN, MO_MAX, 1, fastest,
                           self->columns[MO_VISCOUS_RATE]->data, &rate, &error) != MOTE_OK) {
        return INFINITY; /* out of memory is reported by the next step */
    }
    return rate > 0 ? STABLE / rate : INFINITY;
}
