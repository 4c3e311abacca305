#include "fluid/viscosity/shear.h"

#include <math.h>

enum { GRAIN = 4096 };

mote_status mo_shear_create(mo_shear *s, mo_fluid *f, double nu, mo_method law, mote_error *error)
{
    MO_TRY(mo_allocate_array(f->memory, f->phase_count, sizeof *s->nu, (void **)&s->nu, error));
    s->law = law;
    for (int k = 0; k < f->phase_count; ++k) {
        s->nu[k] = isnan(f->phases[k].viscosity) ? nu : f->phases[k].viscosity;
        s->most = fmax(s->most, s->nu[k]);
        s->several = s->several || s->nu[k] != s->nu[0];
    }
    return MOTE_OK;
}

void mo_shear_release(mo_shear *s, mo_fluid *f)
{
    mo_release(f->memory, s->nu);
    mo_release(f->memory, s->row);
    mo_release(f->memory, s->mu);
    mo_strain_release(&s->strain, f);
}

typedef struct shearing {
    const mo_shear *shear;
    const mo_fluid *fluid;
} shearing;

static void viscosity_rows(void *context, int64_t first, int64_t last)
{
    const shearing *c = context;
    const mo_shear *s = c->shear;
    const int32_t *phase = c->fluid->columns.phase->data;
    const mo_rheology_type *type = (const mo_rheology_type *)s->law.type;
    for (int64_t row = first; row < last; ++row) {
        double nu = s->nu[phase[row]];
        if (type) { /* E is in spacings */
            const float *e = s->strain.tensor + MO_STRAIN * row;
            double rate = sqrt(2 * mo_strain_square(e)) / c->fluid->spacing;
            nu = type->viscosity(s->law.params, nu, rate);
        }
        s->row[row] = (float)nu;
    }
}

static void spread_range(void *context, int64_t first, int64_t last)
{
    const shearing *c = context;
    for (int64_t k = first; k < last; ++k) {
        c->shear->mu[k] = c->shear->row[mo_halo_row(c->fluid->halo, k)] / c->fluid->specific[k];
    }
}

mote_status mo_shear_update(mo_shear *s, mo_fluid *f, mote_error *error)
{
    shearing c = {s, f};
    if (!mo_shear_mixed(s, f)) {
        return MOTE_OK;
    }
    MO_TRY(mo_reserve(f->memory, &s->row, &s->row_capacity, f->rows, sizeof(float), error));
    MO_TRY(mo_reserve(f->memory, &s->mu, &s->mu_capacity, f->slots, sizeof(float), error));
    if (s->law.type) {
        MO_TRY(mo_strain_fit(&s->strain, f, error));
        if (s->strain.mixed) {
            mo_fluid_pack_velocities(f);
        }
    }
    mo_parallel_for(f->pool, f->rows, GRAIN, viscosity_rows, &c);
    mo_parallel_for(f->pool, f->slots, GRAIN, spread_range, &c);
    return MOTE_OK;
}
