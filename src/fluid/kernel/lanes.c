#include "fluid/kernel/lanes.h"

typedef struct rows {
    const mo_kernel *kernel;
    int64_t count;
    const float *r2;
    float *out;
} rows;

#define LOOP(name, function) \
    MO_INLINE void name(mo_kernel_form form, const rows *r) \
    { \
        mo_kernel kernel = *r->kernel; \
        for (int64_t i = 0; i < r->count; i += MO_WIDE) { \
            mo_f8_store(r->out + i, function(form, &kernel, mo_f8_load(r->r2 + i))); \
        } \
    }

LOOP(all_w, mo_form_w8)
LOOP(all_g, mo_form_g8)
LOOP(all_l, mo_form_l8)

void mo_kernel_rows_w(const mo_kernel *k, int64_t count, const float *r2, float *out)
{
    rows r = {k, count, r2, out};
    MO_KERNEL_CALL(k->form, all_w, &r)
}

void mo_kernel_rows_g(const mo_kernel *k, int64_t count, const float *r2, float *out)
{
    rows r = {k, count, r2, out};
    MO_KERNEL_CALL(k->form, all_g, &r)
}

void mo_kernel_rows_l(const mo_kernel *k, int64_t count, const float *r2, float *out)
{
    rows r = {k, count, r2, out};
    MO_KERNEL_CALL(k->form, all_l, &r)
}
