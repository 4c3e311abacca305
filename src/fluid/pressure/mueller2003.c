/*
 * The fluid of M. Mueller, D. Charypar, M. Gross 2003, as published: wcsph with poly6 for
 * densities, spiky for the pressure force, p = k (rho - rho0) (eq. 12) without clamping, and the
 * force of their eq. 10,
 *     f_i = -sum_j m_j (p_i + p_j)/(2 rho_j) grad W_ij,
 * which is half of -grad p: quiescent fluid needs twice the pressure, and hence twice the
 * compression, to support its weight. For comparison only; use wcsph instead. Its viscosity is a
 * separate method, `mueller2003`.
 */
#include "fluid/pressure/wcsph.h"

#include <math.h>

typedef struct mueller2003 {
    double stiffness;
    const char *force;
} mueller2003;

static const mo_param PARAMS[] = {
    {"stiffness", MO_REAL, MO_FIELD(mueller2003, stiffness), .unit = "m^2/s^2", .initial = "1000",
     .range = "(0, inf)", .doc = "k of p = k (rho - rho0), the square of the speed of sound."},
    {"force", MO_STRING, MO_FIELD(mueller2003, force), .initial = "\"half_mean\"",
     .choices = "symmetric|mean|half_mean|plain",
     .doc =
         "Discretisation of the pressure gradient, as for wcsph; half_mean is the published one, "
         "half of the gradient."},
    {0}};

static mo_wcsph_def preset(const mueller2003 *p)
{
    return (mo_wcsph_def){.state = {mo_family_find(&mo_state_equations, "linear"), &p->stiffness},
                          .density = "summation",
                          .force = p->force,
                          .kernel = {mo_family_find(&mo_kernels, "spiky"), NULL}};
}

static mote_status mueller2003_step(mo_instance *self, mo_fluid *f, const mo_fluid_step *now,
                                    mote_error *error)
{
    mo_wcsph_def def = preset(self->method.params);
    return mo_wcsph_step(self, &def, f, now, error);
}

static double mueller2003_limit(const void *params, const mo_fluid *f)
{
    mo_wcsph_def def = preset(params);
    return mo_wcsph_limit(&def, f);
}

static mo_fluid_sound mueller2003_sound(const void *params, const mo_fluid *f)
{
    const mueller2003 *p = params;
    (void)f;
    return (mo_fluid_sound){sqrt(p->stiffness), "fluid.pressure.stiffness", p->stiffness};
}

static void mueller2003_publish(const mo_instance *self, mo_fluid *f)
{
    mo_wcsph_def def = preset(self->method.params);
    mo_wcsph_publish(self, &def, f);
}

/* Different kernels for densities and forces have no conserved energy, and tension is not
 * clamped: dropped blocks were unstable below 0.5 to 1 % of c R in three dimensions, 0.8 to 1.6
 * % in two. */
static double mueller2003_least_viscosity(const void *params, const mo_fluid *f)
{
    const mueller2003 *p = params;
    return 0.015 * sqrt(p->stiffness) * f->support;
}

const mo_pressure_type mo_pressure_mueller2003 = {
    .base =
        {.name = "mueller2003",
         .summary =
             "Explicit state-equation SPH as published in 2003, with its own kernels and half the "
             "pressure gradient.",
         .citation = "Mueller, Charypar, Gross 2003, Symp. Computer Animation, 154",
         .capabilities = MO_PORTABLE,
         .param_size = sizeof(mueller2003),
         .params = PARAMS},
    .step = mueller2003_step,
    .limit = mueller2003_limit,
    .sound = mueller2003_sound,
    .publish = mueller2003_publish,
    .density_kernel = "poly6",
    .soft_boundary = true,
    .keeps_density = true,
    .least_viscosity = mueller2003_least_viscosity,
    .gains_by_shifting = true,
};
