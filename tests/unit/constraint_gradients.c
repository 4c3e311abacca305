/*
 * Every constraint: its gradients and second derivatives against central differences at random
 * deformations, translation and rotation of the whole without effect, and the momenta of a
 * projection.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constraint/project.h"
#include "failing_allocator.h"
#include "geometry/generate/generate.h"
#include "material_cases.h"
#include "set_param.h"

enum { NX = 3, COUNT = NX * NX * NX, ROUNDS = 4 };

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    mo_mesh mesh;
    mo_constraint_set set;
    params p, material;
    double x[4 * COUNT + 4];
} fixture;

static void make_mesh(fixture *f)
{
    params p;
    clear_params_of(&p, &mo_meshes, "block");
    set_vec3(&p, "min", mo_vec3_make(0, 0, 0));
    set_vec3(&p, "max", mo_vec3_make(1, 1.2, 0.8));
    set_int(&p, "nx", NX);
    set_int(&p, "ny", NX);
    set_int(&p, "nz", NX);
    set_int(&p, "tetrahedra", 5);
    assert_int_equal(mo_mesh_generate(method_of(&p), &f->memory, &f->mesh, NULL), MOTE_OK);
    assert_int_equal(f->mesh.node_count, COUNT);
}

/* A cloth of as many nodes, for forms on triangles. */
static void make_cloth(fixture *f)
{
    params p;
    clear_params_of(&p, &mo_meshes, "cloth");
    set_vec3(&p, "origin", mo_vec3_make(0, 0, 0));
    set_vec3(&p, "u", mo_vec3_make(1, 0.3, 0));
    set_vec3(&p, "v", mo_vec3_make(0, 1, 0.4));
    set_int(&p, "columns", NX * NX);
    set_int(&p, "rows", NX);
    assert_int_equal(mo_mesh_generate(method_of(&p), &f->memory, &f->mesh, NULL), MOTE_OK);
    assert_int_equal(f->mesh.node_count, COUNT);
}

/* The forms of methods that have one for triangles and one for tetrahedra. */
static const mo_constraint_type *form_of(const mo_constraint_type *type, bool cloth)
{
    mo_mesh mesh = {.triangle_count = 1, .tetrahedron_count = !cloth};
    return type->form ? type->form(&mesh) : type;
}

static void open_set(fixture *f, const mo_constraint_type *type, bool extended)
{
    memset(f, 0, sizeof *f);
    f->memory = failing_memory(&f->allocator, -1);
    if (type->nodes == 3) {
        make_cloth(f);
    } else {
        make_mesh(f);
    }
    clear_params(&f->p, &type->base);
    for (const mo_param *q = type->base.params; q->name; ++q) {
        if (q->type == MO_REAL && q->initial) {
            set_real(&f->p, q->name, strtod(q->initial, NULL));
        } else if (q->type == MO_STRING) {
            const char *both = "both";
            memcpy(f->p.bytes + q->offset, &both, sizeof both);
        } else if (q->type == MO_METHOD) {
            set_material_params(&f->material, mo_family_find(&mo_materials, "stvk"));
            mo_method material = method_of(&f->material);
            memcpy(f->p.bytes + q->offset, &material, sizeof material);
        }
    }
    mo_constraint_set_init(&f->set, type, f->p.bytes, extended, 0, &f->memory);
    assert_int_equal(type->add(&f->set, &f->mesh, NULL), MOTE_OK);
    assert_true(f->set.count > 0);
    assert_int_equal(mo_constraint_set_finish(&f->set, COUNT, NULL), MOTE_OK);
    assert_int_equal(mo_constraint_sets_share(&f->set, 1, COUNT, NULL), MOTE_OK);
}

static void close_set(fixture *f)
{
    mo_constraint_set_release(&f->set);
    mo_mesh_release(&f->mesh);
    assert_all_given_back(&f->allocator, &f->memory);
}

/* The rest shape, randomly deformed, with random inverse masses. */
static void deform(fixture *f, uint64_t *seed)
{
    for (int64_t k = 0; k < COUNT; ++k) {
        for (int n = 0; n < 3; ++n) {
            f->x[4 * k + n] = f->mesh.nodes[3 * k + n] + 0.06 * (random_between(seed, 0, 1) - 0.5);
        }
        f->x[4 * k + 3] = 0.5 + random_between(seed, 0, 1);
    }
}

static void evaluate(const fixture *f, int64_t batch, int function, double value[MO_LANES],
                     double gradient[MO_CONSTRAINT_NODES_MAX][3][MO_LANES])
{
    const mo_constraint_type *type = f->set.type;
    mo_d4 x[MO_CONSTRAINT_NODES_MAX][3], c, g[MO_CONSTRAINT_NODES_MAX][3];
    const int32_t *rows = mo_constraint_rows(&f->set, batch);
    for (int n = 0; n < type->nodes; ++n) {
        for (int k = 0; k < 3; ++k) {
            for (int lane = 0; lane < MO_LANES; ++lane) {
                x[n][k][lane] = f->x[4 * rows[n * MO_LANES + lane] + k];
            }
        }
    }
    type->evaluate(&f->set, batch, function, (const mo_d4(*)[3])x, &c, g);
    memcpy(value, &c, sizeof c);
    memcpy(gradient, g, sizeof g);
}

/* The largest error of the gradients of a batch, relative to the largest one. */
static double gradient_error(fixture *f, int64_t batch, int function)
{
    const double h = 1e-5;
    double value[MO_LANES], up[MO_LANES], down[MO_LANES], most = 0, worst = 0;
    double g[MO_CONSTRAINT_NODES_MAX][3][MO_LANES], unused[MO_CONSTRAINT_NODES_MAX][3][MO_LANES];
    const int32_t *rows = mo_constraint_rows(&f->set, batch);
    evaluate(f, batch, function, value, g);
    for (int n = 0; n < f->set.type->nodes; ++n) {
        for (int k = 0; k < 3; ++k) {
            for (int lane = 0; lane < f->set.lanes[batch]; ++lane) {
                double *x = &f->x[4 * rows[n * MO_LANES + lane] + k], old = *x;
                *x = old + h;
                evaluate(f, batch, function, up, unused);
                *x = old - h;
                evaluate(f, batch, function, down, unused);
                *x = old;
                double slope = (up[lane] - down[lane]) / (2 * h);
                most = fmax(most, fabs(slope));
                worst = fmax(worst, fabs(slope - g[n][k][lane]));
            }
        }
    }
    return worst / most;
}

static void check_gradients(const mo_constraint_type *type, bool extended)
{
    fixture f;
    uint64_t seed = 7;
    open_set(&f, type, extended);
    for (int round = 0; round < ROUNDS; ++round) {
        deform(&f, &seed);
        for (int64_t b = 0; b < f.set.batches; ++b) {
            for (int n = 0; n < type->functions; ++n) {
                double error = gradient_error(&f, b, n);
                if (!(error < 1e-6)) {
                    fail_msg("%s, function %d, batch %d: error %g", type->base.name, n, (int)b,
                             error);
                }
            }
        }
    }
    close_set(&f);
}

/* The largest error of the second derivatives of a batch, relative to the largest one of the set. */
static void compare_hessian(fixture *f, int64_t batch, int function, double *worst, double *most)
{
    const double step = 1e-5;
    const mo_constraint_type *type = f->set.type;
    int count = 3 * type->nodes;
    mo_hessian h;
    mo_d4 x[MO_CONSTRAINT_NODES_MAX][3];
    double unused[MO_LANES], up[MO_CONSTRAINT_NODES_MAX][3][MO_LANES],
        down[MO_CONSTRAINT_NODES_MAX][3][MO_LANES];
    const int32_t *rows = mo_constraint_rows(&f->set, batch);
    memset(h, 0, sizeof h);
    for (int n = 0; n < count; ++n) {
        for (int lane = 0; lane < MO_LANES; ++lane) {
            x[n / 3][n % 3][lane] = f->x[4 * rows[n / 3 * MO_LANES + lane] + n % 3];
        }
    }
    if (type->hessian) {
        type->hessian(&f->set, batch, function, (const mo_d4(*)[3])x, h);
    }
    for (int b = 0; b < count; ++b) {
        for (int lane = 0; lane < f->set.lanes[batch]; ++lane) {
            double *at = &f->x[4 * rows[b / 3 * MO_LANES + lane] + b % 3], old = *at;
            *at = old + step;
            evaluate(f, batch, function, unused, up);
            *at = old - step;
            evaluate(f, batch, function, unused, down);
            *at = old;
            for (int a = 0; a < count; ++a) {
                double slope = (up[a / 3][a % 3][lane] - down[a / 3][a % 3][lane]) / (2 * step);
                *most = fmax(*most, fabs(slope));
                *worst = fmax(*worst, fabs(slope - h[a][b][lane]));
            }
        }
    }
}

static void check_hessians(const mo_constraint_type *type, bool extended)
{
    fixture f;
    uint64_t seed = 11;
    open_set(&f, type, extended);
    for (int round = 0; round < ROUNDS; ++round) {
        double worst = 0, most = 1e-3; /* those of linear functions are 0 */
        deform(&f, &seed);
        for (int64_t b = 0; b < f.set.batches; ++b) {
            for (int n = 0; n < type->functions; ++n) {
                compare_hessian(&f, b, n, &worst, &most);
            }
        }
        if (!(worst < 1e-6 * most)) {
            fail_msg("%s: error %g of %g", type->base.name, worst, most);
        }
    }
    close_set(&f);
}

static void for_every_form(void (*function)(const mo_constraint_type *type, bool extended))
{
    for (int k = 0; k < mo_constraints.count; ++k) {
        const mo_constraint_type *type = (const mo_constraint_type *)mo_constraints.methods[k];
        if (!type->add || type->group) {
            continue; /* tests of their own */
        }
        for (int cloth = 0; cloth <= (type->form != NULL); ++cloth) {
            if (type->base.capabilities & MO_CONSTRAINT_PBD) {
                function(form_of(type, cloth), false);
            }
            if (type->base.capabilities & MO_CONSTRAINT_XPBD) {
                function(form_of(type, cloth), true);
            }
        }
    }
}

static void test_gradients(void **state)
{
    (void)state;
    for_every_form(check_gradients);
}

static void test_hessians(void **state)
{
    (void)state;
    for_every_form(check_hessians);
}

/* Sums of m x and of m r x dx over all rows. */
static void momenta(const fixture *f, const double *from, double linear[3], double angular[3])
{
    memset(linear, 0, 3 * sizeof(double));
    memset(angular, 0, 3 * sizeof(double));
    for (int64_t k = 0; k < COUNT; ++k) {
        mo_vec3 x = mo_vec3_load(from + 4 * k), d = mo_sub(mo_vec3_load(f->x + 4 * k), x);
        double m = 1 / f->x[4 * k + 3];
        mo_vec3 l = mo_cross(x, d);
        for (int n = 0; n < 3; ++n) {
            linear[n] += m * mo_vec3_at(d, n);
            angular[n] += m * mo_vec3_at(l, n);
        }
    }
}

/* A projection conserves the linear momentum; the angular one to second order of the corrections,
 * since the gradient is that of the start: the first function of a set is tested, alone. */
static void check_momenta(const mo_constraint_type *type, bool extended)
{
    fixture f;
    uint64_t seed = 3;
    double linear[3], angular[3], before[4 * COUNT + 4];
    open_set(&f, type, extended);
    deform(&f, &seed);
    memcpy(before, f.x, sizeof before);
    mo_projection j = {.set = &f.set,
                       .p = f.x,
                       .before = before,
                       .inverse_h2 = 1e4,
                       .factor = {0.7, 0.7, 0.7, 0.7, 0.7, 0.7},
                       .damping = extended ? 0.3 : 0};
    for (int64_t c = 0; c < f.set.colors; ++c) {
        memcpy(before, f.x, sizeof before);
        type->project(&j, f.set.color[c], f.set.color[c + 1]);
        momenta(&f, before, linear, angular);
        bool first = type->functions == 1;
        for (int n = 0; n < 3; ++n) {
            assert_true(fabs(linear[n]) < 1e-13);
            assert_true(!first || fabs(angular[n]) < 1e-13);
        }
    }
    close_set(&f);
}

static void test_momenta(void **state)
{
    (void)state;
    for_every_form(check_momenta);
}

/* No two constraints of a colour share a row, and every constraint occurs once. */
static void check_colors(const mo_constraint_type *type, bool extended)
{
    fixture f;
    int64_t found = 0;
    open_set(&f, type, extended);
    for (int64_t c = 0; c < f.set.colors; ++c) {
        uint8_t used[COUNT] = {0};
        for (int64_t b = f.set.color[c]; b < f.set.color[c + 1]; ++b) {
            for (int lane = 0; lane < f.set.lanes[b]; ++lane, ++found) {
                for (int n = 0; n < type->nodes; ++n) {
                    int32_t row = mo_constraint_rows(&f.set, b)[n * MO_LANES + lane];
                    assert_int_equal(used[row]++, 0);
                }
            }
        }
    }
    assert_int_equal(found, f.set.count);
    close_set(&f);
}

static void test_colors(void **state)
{
    (void)state;
    for_every_form(check_colors);
}

/* Constraints of the remaining rows do not depend on the order of removals. */
static void test_remap(void **state)
{
    fixture f;
    mo_constraint_set once, first, twice;
    int64_t map[COUNT], both[COUNT], next[COUNT];
    (void)state;
    open_set(&f, (const mo_constraint_type *)mo_family_find(&mo_constraints, "distance"), true);
    for (int64_t k = 0; k < COUNT; ++k) {
        map[k] = k < 5 ? k : k == 5 ? -1 : k - 1;  /* without row 5 */
        next[k] = k < 8 ? k : k == 8 ? -1 : k - 1; /* then without row 9 */
        both[k] = k == 5 || k == 9 ? -1 : k < 5 ? k : k < 9 ? k - 1 : k - 2;
    }
    assert_int_equal(mo_constraint_set_remap(&f.set, both, COUNT - 2, &once, NULL), MOTE_OK);
    assert_int_equal(mo_constraint_set_remap(&f.set, map, COUNT - 1, &first, NULL), MOTE_OK);
    assert_int_equal(mo_constraint_set_remap(&first, next, COUNT - 2, &twice, NULL), MOTE_OK);
    assert_true(once.count < f.set.count);
    assert_int_equal(once.count, twice.count);
    assert_int_equal(once.batches, twice.batches);
    assert_memory_equal(once.rows, twice.rows,
                        (size_t)once.batches * 2 * MO_LANES * sizeof(int32_t));
    assert_memory_equal(once.numbers, twice.numbers,
                        (size_t)once.batches * MO_LANES * sizeof(double));
    mo_constraint_set_release(&once);
    mo_constraint_set_release(&first);
    mo_constraint_set_release(&twice);
    close_set(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients), cmocka_unit_test(test_hessians),
        cmocka_unit_test(test_momenta),   cmocka_unit_test(test_colors),
        cmocka_unit_test(test_remap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
