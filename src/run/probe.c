#include "run/probe.h"

#include "base/pool.h"
#include "base/text.h"
#include "geometry/surface/surface.h"

#include <string.h>

enum { NAMES_MAX = 128 };

mote_probe_options mote_probe_options_default(void)
{
    return (mote_probe_options){.config = mote_config_default()};
}

/* ---- creation ---- */

static mote_status choose(const char *function, const char *key, const char *names,
                          const char *given, const char *otherwise, int *choice, mote_error *error)
{
    *choice = mo_probe_choice(names, given ? given : otherwise);
    return *choice >= 0
               ? MOTE_OK
               : mo_fail_argument(error, function, key, "is '%.60s'; allowed: %s", given, names);
}

static mote_status choose_forms(mote_probe *p, const char *function,
                                const mote_probe_options *options, mote_error *error)
{
    int form, correction;
    MO_TRY(choose(function, "options.form", mo_probe_form_names, options->form, "difference", &form,
                  error));
    MO_TRY(choose(function, "options.correction", mo_probe_correction_names, options->correction,
                  "shepard", &correction, error));
    p->probe.form = (mo_difference)form;
    p->probe.correction = (mo_probe_correction)correction;
    return mo_probe_check(p->probe.form, p->probe.correction, error);
}

static bool is_flat(const mo_probe_source *source, const double *x)
{
    bool flat = source->rows > 0;
    for (int64_t row = 0; row < source->rows && flat; ++row) {
        flat = x[3 * row + 2] == 0;
    }
    return flat;
}

/* Twice the spacing where none is given. */
static mote_status choose_support(mote_probe *p, const mo_probe_source *source,
                                  const mote_probe_options *options, const double *x,
                                  double *support, mote_error *error)
{
    double spacing = 0;
    *support = options->support > 0 ? options->support
               : source->has_kernel ? source->kernel.support
                                    : 0;
    if (!(*support > 0)) {
        MO_TRY(mo_spacing_estimate(source->rows, x, p->pool, &spacing, error));
        *support = 2 * spacing;
    }
    return mo_search_check_radius(*support, "probe: support", error);
}

static mote_status choose_kernel(mote_probe *p, const mo_probe_source *source,
                                 const mote_probe_options *options, const double *x,
                                 mote_error *error)
{
    const char *name = options->kernel      ? options->kernel
                       : source->has_kernel ? source->kernel.type->base.name
                                            : "cubic";
    const mo_descriptor *type = mo_family_find(&mo_kernels, name);
    int dimension = options->dimension   ? options->dimension
                    : source->has_kernel ? source->kernel.dimension
                    : is_flat(source, x) ? 2
                                         : 3;
    double support;
    if (!type || !(type->capabilities & MO_KERNEL_DENSITY)) {
        return mo_fail_argument(error, source->function, "options.kernel",
                                "is '%.60s'; allowed: a kernel for densities, such as cubic or "
                                "wendland_c2",
                                name);
    }
    MO_TRY(choose_support(p, source, options, x, &support, error));
    p->probe.kernel = mo_kernel_make((const mo_kernel_type *)type, dimension, support);
    return MOTE_OK;
}

static size_t bytes_of(mote_type type)
{
    return type == MOTE_U8 ? 1 : type == MOTE_F64 || type == MOTE_I64 ? 8 : 4;
}

static mote_status copy_column(mote_probe *p, const mote_column *from, mote_error *error)
{
    size_t bytes = (size_t)from->rows * (size_t)from->components * bytes_of(from->type);
    mote_column *to = &p->columns[p->column_count++];
    *to = *from;
    to->name = mo_arena_text(&p->arena, from->name);
    to->unit = mo_arena_text(&p->arena, from->unit ? from->unit : "");
    /* one more: positions are loaded as four */
    to->data = mo_arena_allocate(&p->arena, bytes + sizeof(double));
    if (!to->name || !to->unit || !to->data) {
        return mo_fail_memory(error, bytes);
    }
    memcpy(to->data, from->data, bytes);
    return MOTE_OK;
}

static mote_status copy_columns(mote_probe *p, const mo_probe_source *source, mote_error *error)
{
    p->columns =
        mo_arena_allocate(&p->arena, (size_t)source->column_count * sizeof *p->columns + 1);
    if (!p->columns) {
        return mo_fail_memory(error, sizeof *p->columns);
    }
    for (int k = 0; k < source->column_count; ++k) {
        MO_TRY(copy_column(p, &source->columns[k], error));
    }
    return MOTE_OK;
}

static const mote_column *find_column(const mote_probe *p, const char *name)
{
    for (int k = 0; k < p->column_count; ++k) {
        if (strcmp(p->columns[k].name, name) == 0) {
            return &p->columns[k];
        }
    }
    return NULL;
}

/* A column of one component as doubles; NULL: it is missing or has a value that is not positive. */
static mote_status positive_column(mote_probe *p, const char *name, const double **out,
                                   mote_error *error)
{
    const mote_column *column = find_column(p, name);
    *out = NULL;
    if (!column || column->components != 1) {
        return MOTE_OK;
    }
    double *values = mo_arena_allocate(&p->arena, (size_t)column->rows * sizeof *values + 1);
    if (!values) {
        return mo_fail_memory(error, sizeof *values);
    }
    mo_probe_convert(column->type, column->data, column->rows, values);
    for (int64_t k = 0; k < column->rows; ++k) {
        if (!(values[k] > 0 && isfinite(values[k]))) {
            return MOTE_OK;
        }
    }
    *out = values;
    return MOTE_OK;
}

static mo_domain domain_of(const mote_domain *from)
{
    mo_domain d = {0};
    memcpy(d.periodic, from->periodic, sizeof d.periodic);
    memcpy(d.low, from->low, sizeof d.low);
    memcpy(d.high, from->high, sizeof d.high);
    return d;
}

static mote_status fill(mote_probe *p, const mo_probe_source *source,
                        const mote_probe_options *options, mote_error *error)
{
    const double *mass, *density;
    MO_TRY(choose_forms(p, source->function, options, error));
    MO_TRY(mo_pool_create(&p->memory, options->config.threads, &p->pool, error));
    MO_TRY(copy_columns(p, source, error));
    const mote_column *x = find_column(p, "x");
    if (!x || x->type != MOTE_F64) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: there are no positions", source->function);
    }
    MO_TRY(choose_kernel(p, source, options, x->data, error));
    p->probe.memory = &p->memory;
    p->probe.domain = domain_of(&source->domain);
    p->probe.pool = p->pool;
    p->time = source->time;
    MO_TRY(mo_probe_create(&p->probe, error));
    MO_TRY(positive_column(p, "mass", &mass, error));
    MO_TRY(positive_column(p, "density", &density, error));
    bool own = source->has_kernel; /* a density of elements is not one of a kernel */
    return mo_probe_set(&p->probe, source->rows, x->data, own ? mass : NULL, own ? density : NULL,
                        error);
}

mote_status mo_probe_open(const mo_probe_source *source, const mote_probe_options *options,
                          mote_probe **probe, mote_error *error)
{
    mote_probe_options defaults = mote_probe_options_default();
    const mote_probe_options *o = options ? options : &defaults;
    mo_memory memory;
    *probe = NULL;
    if (!(o->support >= 0 && isfinite(o->support))) {
        return mo_fail_argument(error, source->function, "options.support",
                                "is %g m; allowed: finite values of at least 0", o->support);
    }
    if (o->dimension != 0 && o->dimension != 2 && o->dimension != 3) {
        return mo_fail_argument(error, source->function, "options.dimension",
                                "is %d; allowed: 2, 3, and 0 for the default", o->dimension);
    }
    mo_memory_init(&memory, &o->config.allocator);
    mote_probe *p = mo_allocate(&memory, sizeof *p);
    if (!p) {
        return mo_fail_memory(error, sizeof *p);
    }
    p->memory = memory;
    mo_arena_init(&p->arena, &p->memory);
    mote_status status = fill(p, source, o, error);
    if (status != MOTE_OK) {
        mote_probe_destroy(p);
        return status;
    }
    *probe = p;
    return MOTE_OK;
}

void mote_probe_destroy(mote_probe *probe)
{
    if (probe) {
        mo_probe_release(&probe->probe);
        mo_pool_destroy(probe->pool);
        mo_arena_release(&probe->arena);
        mo_memory memory = probe->memory;
        mo_release(&memory, probe);
    }
}

/* ---- results ---- */

int mote_probe_components(const mote_probe *probe, const char *column, const char *operation)
{
    MO_NEED_OR(probe, 0);
    MO_NEED_OR(column, 0);
    MO_NEED_OR(operation, 0);
    const mote_column *found = find_column(probe, column);
    int choice = mo_probe_choice(mo_probe_operator_names, operation);
    return found && choice >= 0 ? mo_probe_components((mo_probe_operator)choice, found->components)
                                : 0;
}

static mote_status fail_column(const mote_probe *p, const char *name, mote_error *error)
{
    const char *names[NAMES_MAX];
    mo_text list = {0};
    int count = p->column_count < NAMES_MAX ? p->column_count : NAMES_MAX;
    for (int k = 0; k < count; ++k) {
        mo_text_add(&list, "%s%s", k ? ", " : "", p->columns[k].name);
        names[k] = p->columns[k].name;
    }
    const char *nearest = mo_nearest(name, names, count);
    mo_fail(error, MOTE_ERROR_INPUT, "there is no column '%.100s'%s%s%sallowed: %s", name,
            nearest ? "; did you mean '" : "; ", nearest ? nearest : "", nearest ? "'? " : "",
            list.data ? list.data : "");
    mo_text_release(&list);
    return MOTE_ERROR_INPUT;
}

mote_status mo_probe_find(const mote_probe *p, const char *name, const char *operation,
                          const mote_column **column, mo_probe_operator *found, mote_error *error)
{
    int choice = mo_probe_choice(mo_probe_operator_names, operation);
    *column = find_column(p, name);
    if (!*column) {
        return fail_column(p, name, error);
    }
    if (choice < 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "there is no operator '%.60s'; allowed: %s",
                       operation, mo_probe_operator_names);
    }
    *found = (mo_probe_operator)choice;
    return mo_probe_components(*found, (*column)->components) > 0
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_INPUT,
                         "the operator '%s' does not apply to '%.100s', which has %d components",
                         operation, name, (*column)->components);
}

mote_status mo_probe_sample(const mote_probe *p, const mote_column *column,
                            mo_probe_operator operation, int64_t count, mo_probe_position *position,
                            const void *context, double *values, mote_error *error)
{
    int64_t numbers = column->rows * column->components;
    mo_memory memory;
    void *field;
    mo_memory_init(&memory, &p->memory.allocator);
    MO_TRY(mo_allocate_array(&memory, numbers + 1, sizeof(double), &field, error));
    mo_probe_convert(column->type, column->data, numbers, field);
    mote_status status = mo_probe_evaluate(&p->probe, operation, column->components, field, count,
                                           position, context, values, error);
    mo_release(&memory, field);
    return status;
}

static mo_vec3 position_at(const void *context, int64_t index)
{
    return mo_vec3_load((const double *)context + 3 * index);
}

mote_status mote_probe_evaluate(const mote_probe *probe, const char *column, const char *operation,
                                int64_t count, const double *positions, double *values,
                                mote_error *error)
{
    MO_NEED(probe);
    MO_NEED(column);
    MO_NEED(operation);
    MO_NEED(positions);
    MO_NEED(values);
    const mote_column *found;
    mo_probe_operator choice;
    mo_error_clear(error);
    if (count < 0) {
        return MO_BAD_ARGUMENT(count, "is %lld; allowed: at least 0", (long long)count);
    }
    MO_TRY(mo_probe_find(probe, column, operation, &found, &choice, error));
    return mo_probe_sample(probe, found, choice, count, position_at, positions, values, error);
}
