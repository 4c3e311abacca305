#include "fluid/vorticity/confinement.h"

#include <math.h>

typedef struct confining {
    const mo_fluid *fluid;
    float *curl;
    double *a, strength;
} confining;

static void confine_rows(void *context, int64_t first, int64_t last)
{
    const confining *c = context;
    const mo_fluid *f = c->fluid;
    for (int64_t row = first; row < last; ++row) {
        const float *curl = c->curl + 4 * row;
        mo_f8 sum[3] = {{0}};
        mo_fluid_row r = mo_fluid_row_of(f, row);
        for (int64_t at = r.first; at < r.last; at += 8) {
            mo_f8 other[4];
            mo_fluid_pairs p = mo_fluid_pairs_at(f, &r, at);
            mo_f8_load4(c->curl, p.j, other);
            mo_f8 strength = (other[3] - curl[3]) * p.gradient_factor;
            sum[0] += strength * p.x;
            sum[1] += strength * p.y;
            sum[2] += strength * p.z;
        }
        mo_vec3 uphill = mo_vec3_make((double)mo_f8_sum(sum[0]), (double)mo_f8_sum(sum[1]),
                                      (double)mo_f8_sum(sum[2]));
        double steep = mo_length(uphill);
        if (steep > 0) {
            mo_vec3 w = mo_vec3_make((double)curl[0], (double)curl[1], (double)curl[2]);
            mo_vec3 more = mo_scale(c->strength / steep, mo_cross(uphill, w));
            mo_vec3_store(c->a + 3 * row, mo_add(mo_vec3_load(c->a + 3 * row), more));
        }
    }
}

/* curl: particles x (w, |w|) */
typedef struct confinement_state {
    float *curl;
    int64_t curl_capacity;
} confinement_state;

static mote_status confinement_accelerate(mo_instance *self, mo_fluid *f, double h,
                                          mote_error *error)
{
    (void)h;
    confinement_state *m = self->state;
    const mo_confinement *params = self->method.params;
    MO_TRY(
        mo_reserve(f->memory, &m->curl, &m->curl_capacity, 4 * f->slots + 4, sizeof(float), error));
    confining c = {f, m->curl, mo_f64(f->columns.a), params->strength};
    mo_vorticity_curl(f, m->curl);
    mo_fluid_spread4(f, m->curl);
    mo_parallel_for(f->pool, f->rows, MO_FLUID_GRAIN, confine_rows, &c);
    return MOTE_OK;
}

static void confinement_destroy(mo_instance *self, mo_fluid *f)
{
    mo_release(f->memory, ((confinement_state *)self->state)->curl);
}

static const mo_param PARAMS[] = {{"strength", MO_REAL, MO_FIELD(mo_confinement, strength),
                                   .unit = "m/s", .initial = "0.1", .range = "[0, inf)",
                                   .doc = "Coefficient epsilon of the confinement force."},
                                  {0}};

const mo_vorticity_type mo_vorticity_confinement = {
    .base = {.name = "confinement",
             .summary =
                 "Vorticity confinement: accelerates eddies along their rotation; adds energy, and "
                 "does not conserve momentum.",
             .citation =
                 "Fedkiw, Stam, Jensen 2001; Macklin, Mueller 2013, ACM Trans. Graph. 32, 104",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(mo_confinement),
             .params = PARAMS},
    .hooks = {.state_size = sizeof(confinement_state), .destroy = confinement_destroy},
    .accelerate = confinement_accelerate,
};
