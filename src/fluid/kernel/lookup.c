#include "fluid/kernel/lookup.h"

static void fill(mo_lookup_entry *entries, const mo_kernel *k,
                 double (*function)(const mo_kernel *k, double r))
{
    for (int step = 0; step < MO_LOOKUP_STEPS; ++step) {
        double value = function(k, k->support * sqrt((double)step / MO_LOOKUP_STEPS));
        double next = function(k, k->support * sqrt((step + 1.0) / MO_LOOKUP_STEPS));
        entries[step] = (mo_lookup_entry){(float)value, (float)(next - value)};
    }
    entries[MO_LOOKUP_STEPS] = (mo_lookup_entry){0, 0};
}

void mo_lookup_fill(mo_lookup *table, const mo_kernel *kernel)
{
    table->scale = (float)(MO_LOOKUP_STEPS / (kernel->support * kernel->support));
    fill(table->w, kernel, mo_kernel_w);
    fill(table->g, kernel, mo_kernel_gradient);
}

static void look_up_rows(const mo_lookup_entry *entries, float scale, bool wide, int64_t count,
                         const float *r2, float *out)
{
    if (wide) {
        for (int64_t i = 0; i < count; i += MO_WIDE) {
            mo_f8_store(out + i, mo_lookup_at8(entries, scale, mo_f8_load(r2 + i)));
        }
        return;
    }
    for (int64_t i = 0; i < count; ++i) {
        out[i] = mo_lookup_at(entries, scale, r2[i]);
    }
}

void mo_lookup_rows_w(const mo_lookup *table, bool wide, int64_t count, const float *r2, float *out)
{
    look_up_rows(table->w, table->scale, wide, count, r2, out);
}

void mo_lookup_rows_g(const mo_lookup *table, bool wide, int64_t count, const float *r2, float *out)
{
    look_up_rows(table->g, table->scale, wide, count, r2, out);
}
