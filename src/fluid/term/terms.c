/* Everything that moves a fluid but pressure: gravity, then each term of the scene. */
#include "fluid/sph/fluid.h"
#include "fluid/viscosity/viscosity.h"

enum { GRAIN = 4096 };

typedef struct start {
    double *a;
    mo_vec3 gravity;
} start;

static void start_range(void *context, int64_t first, int64_t last)
{
    const start *s = context;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3_store(s->a + 3 * row, s->gravity);
    }
}

mote_status mo_fluid_forces(mo_fluid *f, double time, double h, mote_error *error)
{
    start s = {mo_f64(f->columns.a), mo_fluid_gravity(f, time)};
    mo_parallel_for(f->pool, f->rows, GRAIN, start_range, &s);
    const mo_method *viscosity = &f->def->viscosity;
    if (viscosity->type) {
        const mo_viscosity_type *type = (const mo_viscosity_type *)viscosity->type;
        MO_TRY(type->add(f->viscosity, viscosity->params, f, h, error));
    }
    return MOTE_OK;
}
