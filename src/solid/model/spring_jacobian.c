/*
 * Jacobians of springs. With d = x_j - x_i, l = |d|, n = d/l and a as in spring.c
 *     df_i/dx_j = -df_i/dx_i = c 1 + (a/L - c) n n^T,  c = a (1/L - 1/l),
 *     df_i/dv_j = -df_i/dv_i = g_v 1 + g_s n n^T.
 * c, the transverse stiffness, is negative in compression; a definite Jacobian has 0 there (K.-J.
 * Choi, H.-S. Ko 2002, "Stable but responsive cloth", section 4). The contribution of damping to
 * df/dx through the rotation of n is neglected, since it is not symmetric.
 */
#include "solid/model/spring_state.h"

/* w = t 1 + s n n^T of four springs: t, and the products of s n n^T. */
typedef struct four_blocks {
    mo_d4 xx, xy, xz, yy, yz, zz;
} four_blocks;

/* t and s with s n n^T = (s/l^2) d d^T. */
MO_INLINE void weigh(const mo_spring_material *m, const mo_spring_batch *b,
                     const mo_jacobian_ask *ask, mo_d4 inverse, mo_d4 *t, mo_d4 *s)
{
    mo_d4 across = b->factor * (inverse - b->inverse_length);
    if (ask->definite) {
        across = mo_d4_max(across, mo_d4_set(0));
    }
    mo_d4 along = b->factor * inverse - across;
    *t = ask->along_x * across + ask->along_v * m->viscous;
    *s = (ask->along_x * along + ask->along_v * m->along) / b->square;
}

MO_INLINE four_blocks blocks_of(const mo_element_table *table, const mo_spring_material *m,
                                const mo_force_args *args, const mo_jacobian_ask *ask,
                                int64_t batch)
{
    mo_spring_batch b = mo_spring_load(table, m, args->x, batch);
    mo_d4 t, s;
    weigh(m, &b, ask, mo_spring_inverse_rest(table, batch), &t, &s);
    mo_d4 sx = s * b.dx, sy = s * b.dy, sz = s * b.dz;
    return (four_blocks){sx * b.dx + t, sx * b.dy, sx * b.dz,
                         sy * b.dy + t, sy * b.dz, sz * b.dz + t};
}

/* Adds a block, its first eight entries and its last. */
MO_INLINE void add_block(double *value, int64_t slot, mo_d4 a, mo_d4 b, double last)
{
    if (slot >= 0) {
        double *to = value + 9 * slot;
        mo_d4_store(to, mo_d4_load(to) + a);
        mo_d4_store(to + 4, mo_d4_load(to + 4) + b);
        to[8] += last;
    }
}

/* The slots of a spring are those of (i, i), (i, j), (j, i), (j, j); -1 for the rows of other
 * blocks. */
static void fill_run(const mo_springs *springs, const mo_element_run *run,
                     const mo_force_args *args, const mo_jacobian_ask *ask, double *value)
{
    const mo_element_table *table = &springs->table;
    const mo_spring_material m = springs->materials[run->group];
    for (int64_t done = 0; done < run->count; done += MO_LANES) {
        int64_t batch = run->first + done / MO_LANES;
        int lanes = mo_element_lanes(run, done / MO_LANES);
        const int32_t *slot = table->slots + 4 * MO_LANES * batch;
        four_blocks w = blocks_of(table, &m, args, ask, batch);
        mo_d4 a[4], b[4];
        mo_d4_transpose(w.xx, w.xy, w.xz, w.xy, a);
        mo_d4_transpose(w.yy, w.yz, w.xz, w.yz, b);
        for (int k = 0; k < lanes; ++k, slot += 4) {
            add_block(value, slot[0], -a[k], -b[k], -w.zz[k]);
            add_block(value, slot[1], a[k], b[k], w.zz[k]);
            add_block(value, slot[2], a[k], b[k], w.zz[k]);
            add_block(value, slot[3], -a[k], -b[k], -w.zz[k]);
        }
    }
}

static void spring_fill(const void *instance, const mo_force_args *args, const mo_jacobian_ask *ask,
                        mo_block_matrix *matrix, int64_t first, int64_t last)
{
    const mo_springs *s = instance;
    int64_t from, to;
    (void)last;
    mo_element_table_runs(&s->table, first, &from, &to);
    for (int64_t k = from; k < to; ++k) {
        fill_run(s, &s->table.runs[k], args, ask, matrix->value);
    }
}

MO_INLINE void multiply_run(const mo_springs *springs, const mo_element_run *run,
                            const mo_force_args *args, const mo_jacobian_ask *ask, const double *p,
                            double *y, bool inner)
{
    const mo_element_table *table = &springs->table;
    const mo_spring_material m = springs->materials[run->group];
    for (int64_t done = 0; done < run->count; done += MO_LANES) {
        int64_t batch = run->first + done / MO_LANES;
        int lanes = mo_element_lanes(run, done / MO_LANES);
        const int32_t *ends = mo_spring_ends(table, batch);
        mo_spring_batch b = mo_spring_load(table, &m, args->x, batch);
        mo_d4 t, s, xi, yi, zi, xj, yj, zj, rows[4];
        weigh(&m, &b, ask, mo_spring_inverse_rest(table, batch), &t, &s);
        mo_d4_load3(p, ends, &xi, &yi, &zi);
        mo_d4_load3(p, ends + MO_LANES, &xj, &yj, &zj);
        mo_d4 px = xj - xi, py = yj - yi, pz = zj - zi;
        s *= px * b.dx + py * b.dy + pz * b.dz;
        mo_d4_rows3(t * px + s * b.dx, t * py + s * b.dy, t * pz + s * b.dz, rows);
        for (int k = 0; k < lanes; ++k) {
            mo_d4_add3(y + 3 * (int64_t)ends[k], rows[k]);
            if (inner) {
                mo_d4_add3(y + 3 * (int64_t)ends[MO_LANES + k], -rows[k]);
            }
        }
    }
}

static void spring_multiply(const void *instance, const mo_force_args *args,
                            const mo_jacobian_ask *ask, const double *p, double *y, int64_t first,
                            int64_t last)
{
    const mo_springs *s = instance;
    int64_t from, to;
    (void)last;
    mo_element_table_runs(&s->table, first, &from, &to);
    for (int64_t k = from; k < to; ++k) {
        const mo_element_run *run = &s->table.runs[k];
        run->inner ? multiply_run(s, run, args, ask, p, y, true)
                   : multiply_run(s, run, args, ask, p, y, false);
    }
}

static mote_status spring_couple(const void *instance, const mo_force_args *args, mo_memory *memory,
                                 mo_block_pattern *pattern, mote_error *error)
{
    const mo_springs *s = instance;
    (void)args;
    return mo_element_table_couple(&s->table, memory, pattern, error);
}

static mote_status spring_find_slots(void *instance, const mo_block_matrix *matrix,
                                     mote_error *error)
{
    mo_springs *s = instance;
    return mo_element_table_find_slots(&s->table, matrix, error);
}

unsigned mo_spring_derivatives(const mo_springs *s)
{
    bool damped = false;
    for (int64_t k = 0; k < s->material_count; ++k) {
        damped = damped || s->materials[k].along > 0 || s->materials[k].viscous > 0;
    }
    return MO_DF_DX | (damped ? MO_DF_DV : 0);
}

const mo_force_jacobian mo_spring_jacobian = {
    .derivatives = MO_DF_DX | MO_DF_DV,
    .couple = spring_couple,
    .find_slots = spring_find_slots,
    .fill = spring_fill,
    .multiply = spring_multiply,
};
