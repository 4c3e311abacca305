#include "fluid/methods.h"

#include "fluid/boundary/boundary.h"
#include "fluid/pressure/pressure.h"
#include "fluid/shifting/shifting.h"

/* Only for solvers that start from the final densities of the last step. */
static const mo_column_spec STEP_DENSITY = {"step_density", MOTE_F32, 1,
                                            MO_STATE,       "kg/m^d", "density of the last step"};

static mote_status create_pressure(mo_fluid *f, mote_error *error)
{
    const mo_pressure_type *type = (const mo_pressure_type *)f->def->pressure.type;
    if (type->keeps_density) {
        MO_TRY(mo_store_declare(f->store, &STEP_DENSITY, &f->columns.step_density, error));
    }
    f->walls.soft = type->soft_boundary;
    f->walls.plain = f->walls.even = type->plain_boundary;
    const mo_descriptor *kernel =
        type->density_kernel ? mo_family_find(&mo_kernels, type->density_kernel) : NULL;
    mo_fluid_set_kernel(f, kernel ? mo_kernel_make((const mo_kernel_type *)kernel, f->dimension, 1)
                                  : f->kernel);
    return mo_instance_create(&f->pressure, f, "pressure", f->def->pressure, &type->hooks, error);
}

static mote_status create_terms(mo_fluid *f, mote_error *error)
{
    const mo_pressure_type *pressure = (const mo_pressure_type *)f->def->pressure.type;
    mo_fluid_term terms[MO_FLUID_TERMS];
    int count = mo_fluid_def_terms(f->def, terms);
    for (int k = 0; k < count; ++k) {
        MO_TRY(mo_terms_add(f, terms[k].name, terms[k].method, error));
    }
    return pressure->add_terms ? pressure->add_terms(f->def->pressure.params, f, error) : MOTE_OK;
}

mote_status mo_fluid_create_methods(mo_fluid *f, mote_error *error)
{
    const mo_boundary_type *boundary = (const mo_boundary_type *)f->def->boundary.type;
    const mo_shifting_type *shifting = (const mo_shifting_type *)f->def->shifting.type;
    MO_TRY(create_pressure(f, error));
    MO_TRY(create_terms(f, error));
    if (boundary) {
        MO_TRY(mo_instance_create(&f->boundary, f, "boundary", f->def->boundary, &boundary->hooks,
                                  error));
    }
    if (shifting) {
        MO_TRY(mo_instance_create(&f->shifting, f, "shifting", f->def->shifting, &shifting->hooks,
                                  error));
    }
    return MOTE_OK;
}

bool mo_fluid_shifts(const mo_fluid *f, double time)
{
    const mo_pressure_type *pressure = (const mo_pressure_type *)f->def->pressure.type;
    const mo_method *method = &f->def->shifting;
    const mo_shifting_type *type = (const mo_shifting_type *)method->type;
    return type &&
           (!type->acts || type->acts(method->params, f, time, pressure->gains_by_shifting));
}

void mo_fluid_destroy_methods(mo_fluid *f)
{
    mo_instance_destroy(&f->shifting, f);
    mo_instance_destroy(&f->boundary, f);
    mo_terms_release(f);
    mo_instance_destroy(&f->pressure, f);
}
