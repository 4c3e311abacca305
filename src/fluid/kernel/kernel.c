#include "fluid/kernel/kernel.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_kernel_type, mo_kernel_, name)
#include "fluid/kernel/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_kernel_, name)
#include "fluid/kernel/methods.def"
#undef MO_METHOD
};

static const char *const PROPERTIES[] = {"smooth", "positive", "density", NULL};

const mo_family mo_kernels = {
    .name = "kernel",
    .doc = "Smoothing kernels W(r, h).",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
    .capabilities = PROPERTIES,
};

mo_kernel mo_kernel_make(const mo_kernel_type *type, int dimension, double support)
{
    double value = type->factor[dimension - 1];
    for (int d = 0; d < dimension; ++d) {
        value /= support;
    }
    double gradient_scale = value / (support * support);
    mo_kernel k = {.type = type,
                   .dimension = dimension,
                   .support = support,
                   .inverse = 1 / support,
                   .value = value,
                   .gradient_scale = gradient_scale,
                   .form = type->form[dimension - 1],
                   .power = type->bell.power,
                   .inverse_f = (float)(1 / support),
                   .value_f = (float)value,
                   .gradient_scale_f = (float)gradient_scale,
                   .turns_f = (float)(dimension - 1)};
    for (int c = 0; c < 3; ++c) {
        k.bell_value[c] = (float)type->bell.value[c];
        k.bell_gradient[c] = (float)type->bell.gradient[c];
    }
    return k;
}
