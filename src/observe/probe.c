/*
 * A probe: a column of particles interpolated by the kernel, or its gradient, divergence, curl or
 * Laplacian, at positions of a lattice or at single points (analysis/probe.h). Lines and points
 * are columns of a table, planes and grids are images (.vti) of each frame.
 *
 * A fluid has its kernel and its densities at the current positions; particles of other systems
 * need a support, and have the volumes 1/sum W.
 */
#include "analysis/probe.h"

#include "geometry/sampling/sampling.h"
#include "observe/observable.h"

#include <stdio.h>
#include <string.h>

typedef struct parameters {
    const char *system, *column, *operation, *form, *correction;
    mo_method at, kernel;
    double support;
} parameters;

static const mo_param PARAMS[] = {
    MO_OBSERVED_SYSTEM(parameters),
    {"at", MO_METHOD, MO_FIELD(parameters, at), .family = &mo_samplings, .required = true,
     .doc = "Positions: points or a line (a table), a plane or a grid (images)."},
    {"column", MO_STRING, MO_FIELD(parameters, column), .initial = "\"v\"",
     .doc = "Column of the particles, such as v, pressure, density, temperature."},
    {"operator", MO_STRING, MO_FIELD(parameters, operation), .initial = "\"value\"",
     .choices = "value|gradient|divergence|curl|laplacian|weight",
     .doc = "The value or a derivative of the column; weight is the sum of V W, 1 inside a fluid "
            "and 0 without particles."},
    {"form", MO_STRING, MO_FIELD(parameters, form), .initial = "\"difference\"",
     .choices = "plain|difference|symmetric",
     .doc = "Form of the sums of derivatives: difference for measurements, symmetric as in forces, "
            "plain without either."},
    {"correction", MO_STRING, MO_FIELD(parameters, correction), .initial = "\"shepard\"",
     .choices = "none|shepard|least_squares",
     .doc = "Of values and difference forms: Shepard's normalisation, exact for constants, or a "
            "least-squares fit, exact for linear fields. The Laplacian is a quadratic fit with "
            "both."},
    {"kernel", MO_METHOD, MO_FIELD(parameters, kernel), .family = &mo_kernels,
     .doc = "Smoothing kernel; default: that of the fluid, cubic for other particles."},
    {"support", MO_REAL, MO_FIELD(parameters, support), .unit = "m", .range = "(0, inf)",
     .doc = "Support radius of the kernel; default: that of the fluid, required for other "
            "particles."},
    {0}};

typedef struct probing {
    const parameters *params;
    mo_system *system;
    mote_world *world;
    mo_memory *memory;
    mo_probe probe;
    mo_probe_operator operation;
    int components, size; /* of the column and of the result */
    double *field;
    int64_t field_capacity;
} probing;

static mote_status probe_check(const void *params, mote_error *error)
{
    const parameters *p = params;
    return mo_probe_check(
        (mo_difference)mo_probe_choice(mo_probe_form_names, p->form),
        (mo_probe_correction)mo_probe_choice(mo_probe_correction_names, p->correction), error);
}

static void probe_destroy(void *instance, mo_memory *memory)
{
    probing *o = instance;
    mo_probe_release(&o->probe);
    mo_release(memory, o->field);
    mo_release(memory, o);
}

/* The kernel of the system, or of the parameters. */
static mote_status choose_kernel(const probing *o, const mo_domain *domain, mo_kernel *kernel,
                                 mote_error *error)
{
    const parameters *p = o->params;
    const char *name = o->system->type->base.name;
    mo_kernel own;
    bool has_own = mo_probe_kernel(&o->world->def, name, &own);
    const mo_descriptor *type = p->kernel.type ? p->kernel.type
                                : has_own      ? &own.type->base
                                               : mo_family_find(&mo_kernels, "cubic");
    if (isnan(p->support) && !has_own) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "support: it is required, since '%s' has no kernel of its own", name);
    }
    if (!(type->capabilities & MO_KERNEL_DENSITY)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "kernel: '%s' is infinite at its centre; choose another", type->name);
    }
    int dimension = has_own ? own.dimension : domain->flat ? 2 : 3;
    *kernel = mo_kernel_make((const mo_kernel_type *)type, dimension,
                             isnan(p->support) ? own.support : p->support);
    return MOTE_OK;
}

static mote_status find_column(probing *o, mote_error *error)
{
    const mo_column *column = mo_store_find(o->system->store, o->params->column);
    if (!column) {
        char known[600] = "";
        for (int k = 0; k < mo_store_columns(o->system->store); ++k) {
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "",
                     mo_store_column(o->system->store, k)->spec.name);
        }
        return mo_fail(error, MOTE_ERROR_INPUT, "column: there is no '%.60s'; allowed: %s",
                       o->params->column, known);
    }
    o->components = column->spec.components;
    o->size = mo_probe_components(o->operation, o->components);
    return o->size > 0 ? MOTE_OK
                       : mo_fail(error, MOTE_ERROR_INPUT,
                                 "operator: '%s' does not apply to '%s', which has %d components",
                                 o->params->operation, o->params->column, o->components);
}

static mote_status prepare(probing *o, const mo_domain *domain, mote_error *error)
{
    const parameters *p = o->params;
    o->operation = (mo_probe_operator)mo_probe_choice(mo_probe_operator_names, p->operation);
    o->probe = (mo_probe){.memory = o->memory,
                          .domain = *domain,
                          .form = (mo_difference)mo_probe_choice(mo_probe_form_names, p->form),
                          .correction = (mo_probe_correction)mo_probe_choice(
                              mo_probe_correction_names, p->correction),
                          .pool = o->system->host->pool};
    MO_TRY(choose_kernel(o, domain, &o->probe.kernel, error));
    MO_TRY(find_column(o, error));
    return mo_probe_create(&o->probe, error);
}

static mote_status probe_create(const void *params, const mo_observable_context *context,
                                void **instance, mote_error *error)
{
    const parameters *p = params;
    mo_system *system;
    MO_TRY(mo_observed_system(context, p->system, &system, error));
    probing *o = mo_allocate(context->memory, sizeof *o);
    if (!o) {
        return mo_fail_memory(error, sizeof *o);
    }
    *o = (probing){
        .params = p, .system = system, .world = context->world, .memory = context->memory};
    mote_status status = prepare(o, &context->domain, error);
    if (status != MOTE_OK) {
        probe_destroy(o, context->memory);
        return status;
    }
    *instance = o;
    return MOTE_OK;
}

static int64_t probe_size(const void *instance)
{
    const probing *o = instance;
    return o->size * mo_sampling_count(o->params->at);
}

/* "curl_v_z@12": the component and the index of the position. */
static void probe_label(const void *instance, int64_t index, char text[MO_OBSERVABLE_LABEL])
{
    const probing *o = instance;
    char name[MO_OBSERVABLE_LABEL];
    mo_probe_label(o->operation, o->params->column, o->components, (int)(index % o->size), name,
                   sizeof name);
    snprintf(text, MO_OBSERVABLE_LABEL, "%.20s@%lld", name, (long long)(index / o->size));
}

static mo_vec3 position_of(const void *context, int64_t index)
{
    return mo_sampling_position(((const probing *)context)->params->at, index);
}

/* Densities and pressures of a fluid at the current positions. */
static void derive_columns(const probing *o, double time)
{
    const mo_export_hooks *hooks = o->system->type->export;
    if (hooks && hooks->derive) {
        hooks->derive(o->system, time);
    }
}

/* NULL: particles without densities have the volumes 1/sum W. */
static const double *densities_of(const probing *o, int64_t rows, double *out)
{
    const mo_column *density = o->system->columns.density;
    bool has = density && mo_probe_convert(density->spec.type, density->data, rows, out);
    return has ? out : NULL;
}

static mote_status probe_observe(void *instance, double time, double *values, mote_error *error)
{
    probing *o = instance;
    int64_t rows = mo_store_owned(o->system->store), numbers = rows * o->components;
    derive_columns(o, time);
    const mo_column *column = mo_store_find(o->system->store, o->params->column);
    MO_TRY(mo_reserve(o->memory, &o->field, &o->field_capacity, numbers + rows + 1,
                      sizeof *o->field, error));
    mo_probe_convert(column->spec.type, column->data, numbers, o->field);
    MO_TRY(mo_probe_set(&o->probe, rows, mo_f64(o->system->columns.x),
                        mo_f64(o->system->columns.mass), densities_of(o, rows, o->field + numbers),
                        error));
    return mo_probe_evaluate(&o->probe, o->operation, o->components, o->field,
                             mo_sampling_count(o->params->at), position_of, o, values, error);
}

static bool probe_image(const void *instance, mo_observable_image *image)
{
    const probing *o = instance;
    mo_lattice lattice;
    if (!mo_sampling_lattice(o->params->at, &lattice) || lattice.rank < 2) {
        return false;
    }
    *image = (mo_observable_image){.lattice = lattice, .components = o->size};
    mo_probe_name(o->operation, o->params->column, image->name, sizeof image->name);
    return true;
}

const mo_observable_type mo_observable_probe = {
    .base = {.name = "probe",
             .summary = "A column interpolated at any positions, or its gradient, divergence, curl "
                        "or Laplacian.",
             .citation = "J. J. Monaghan 1992, Annu. Rev. Astron. Astrophys. 30, 543; D. Shepard "
                         "1968, ACM Natl. Conf., 517",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS,
             .check = probe_check},
    .create = probe_create,
    .destroy = probe_destroy,
    .size = probe_size,
    .label = probe_label,
    .observe = probe_observe,
    .image = probe_image,
};
