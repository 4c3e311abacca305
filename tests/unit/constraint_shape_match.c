/*
 * Shape matching: positions that a deformation reaches are their own goals, others are corrected
 * with both momenta conserved.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constraint/project.h"
#include "constraint/solver/solver.h"
#include "failing_allocator.h"
#include "geometry/generate/generate.h"
#include "material_cases.h"
#include "math/quat.h"
#include "set_param.h"

enum { NX = 5, COUNT = NX * NX * NX };

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    mo_mesh mesh;
    mo_constraint_set set;
    params p;
    double x[4 * COUNT];
} fixture;

static void open_set(fixture *f, const char *deformation, double beta, double region, bool extended)
{
    params p;
    memset(f, 0, sizeof *f);
    f->memory = failing_memory(&f->allocator, -1);
    clear_params_of(&p, &mo_meshes, "block");
    set_vec3(&p, "min", mo_vec3_make(0, 0, 0));
    set_vec3(&p, "max", mo_vec3_make(1, 1.2, 0.8));
    set_int(&p, "nx", NX);
    set_int(&p, "ny", NX);
    set_int(&p, "nz", NX);
    set_int(&p, "tetrahedra", 5);
    assert_int_equal(mo_mesh_generate(method_of(&p), &f->memory, &f->mesh, NULL), MOTE_OK);
    clear_params_of(&f->p, &mo_constraints, "shape_match");
    memcpy(param_at(&f->p, "deformation", MO_STRING, false), &deformation, sizeof deformation);
    set_real(&f->p, "beta", beta);
    set_real(&f->p, "region", region);
    set_real(&f->p, "compliance", extended ? 1e-4 : (double)NAN);
    set_real(&f->p, "stiffness", (double)NAN);
    const mo_constraint_type *type = (const mo_constraint_type *)f->p.type;
    mo_constraint_set_init(&f->set, type, f->p.bytes, extended, 0, &f->memory);
    assert_int_equal(type->add(&f->set, &f->mesh, NULL), MOTE_OK);
    assert_int_equal(mo_constraint_set_finish(&f->set, COUNT, NULL), MOTE_OK);
}

static void close_set(fixture *f)
{
    mo_constraint_set_release(&f->set);
    mo_mesh_release(&f->mesh);
    assert_all_given_back(&f->allocator, &f->memory);
}

/* x = R (a X + s X_x X_y e_z) + t: rigid for a = 1 and s = 0, linear for s = 0. */
static void set_positions(fixture *f, double stretch, double twist, uint64_t *seed)
{
    mo_quat q = mo_quat_normalize((mo_quat){0.6, 0.3, -0.5, 0.4});
    for (int64_t k = 0; k < COUNT; ++k) {
        mo_vec3 X = mo_vec3_load(f->mesh.nodes + 3 * k),
                y = {stretch * X.x, X.y / stretch, X.z + twist * X.x * X.y};
        mo_vec3 x = mo_add(mo_quat_rotate(q, y), mo_vec3_make(3, -2, 1));
        mo_vec3_store(f->x + 4 * k, x);
        f->x[4 * k + 3] = 0.5 + random_between(seed, 0, 1);
    }
}

/* The largest correction of an iteration. */
static double sweep(fixture *f)
{
    double before[4 * COUNT], most = 0;
    mo_constraint_problem problem = {
        .p = f->x, .start = before, .rows = COUNT, .h = 0.01, .sets = &f->set, .set_count = 1};
    memcpy(before, f->x, sizeof before);
    assert_int_equal(f->set.type->begin(&f->set, &problem, NULL), MOTE_OK);
    f->set.type->group->sweep(&f->set, &problem, 1);
    for (int64_t k = 0; k < 4 * COUNT; ++k) {
        most = fmax(most, fabs(f->x[k] - before[k]));
    }
    return most;
}

static void check_goals(const char *deformation, double region, double stretch, double twist)
{
    fixture f;
    uint64_t seed = 5;
    open_set(&f, deformation, deformation[0] == 'r' ? (double)NAN : 1, region, false);
    set_positions(&f, stretch, twist, &seed);
    double most = sweep(&f);
    if (!(most < 1e-12)) {
        fail_msg("%s, region %g: correction %g", deformation, region, most);
    }
    set_positions(&f, 1.05 * stretch, 0.1 + twist, &seed);
    f.x[0] += 0.1; /* not reached by any of them */
    assert_true(sweep(&f) > 1e-3);
    close_set(&f);
}

static void test_goals(void **state)
{
    (void)state;
    check_goals("rigid", (double)NAN, 1, 0);
    check_goals("rigid", 0.5, 1, 0);
    check_goals("linear", (double)NAN, 1.2, 0);
    check_goals("linear", 0.5, 1.2, 0);
    check_goals("quadratic", (double)NAN, 1.2, 0.3);
    check_goals("quadratic", 0.4, 1.2, 0.3);
}

static void check_momenta(const char *deformation, double region, bool extended)
{
    fixture f;
    uint64_t seed = 9;
    double before[4 * COUNT];
    mo_vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
    open_set(&f, deformation, deformation[0] == 'r' ? (double)NAN : 0.4, region, extended);
    set_positions(&f, 1.1, 0.2, &seed);
    for (int64_t k = 0; k < COUNT; ++k) {
        for (int n = 0; n < 3; ++n) {
            f.x[4 * k + n] += 0.05 * (random_between(&seed, 0, 1) - 0.5);
        }
    }
    memcpy(before, f.x, sizeof before);
    assert_true(sweep(&f) > 1e-3);
    for (int64_t k = 0; k < COUNT; ++k) {
        mo_vec3 x = mo_vec3_load(before + 4 * k), d = mo_sub(mo_vec3_load(f.x + 4 * k), x);
        linear = mo_add_scaled(linear, 1 / f.x[4 * k + 3], d);
        angular = mo_add_scaled(angular, 1 / f.x[4 * k + 3], mo_cross(x, d));
    }
    assert_true(mo_length(linear) < 1e-12);
    assert_true(mo_length(angular) < 1e-12);
    close_set(&f);
}

static void test_momenta(void **state)
{
    static const char *const DEFORMATIONS[] = {"rigid", "linear", "quadratic"};
    (void)state;
    for (int k = 0; k < 6; ++k) {
        check_momenta(DEFORMATIONS[k % 3], (double)NAN, k < 3);
        check_momenta(DEFORMATIONS[k % 3], 0.4, k < 3);
    }
}

/* Removal in two steps is removal in one, also after the first substep. */
static void test_remap(void **state)
{
    fixture f;
    uint64_t seed = 9;
    mo_constraint_set one, two, first;
    int64_t map[COUNT], again[COUNT], both[COUNT];
    (void)state;
    open_set(&f, "linear", 0.5, 0.4, true);
    set_positions(&f, 1.1, 0.2, &seed);
    sweep(&f);
    for (int64_t k = 0; k < COUNT; ++k) {
        map[k] = k < 5 ? k : k == 5 ? -1 : k - 1;
        again[k] = k < 8 ? k : k == 8 ? -1 : k - 1;
        both[k] = k == 5 || k == 9 ? -1 : k < 5 ? k : k < 9 ? k - 1 : k - 2;
    }
    assert_int_equal(mo_constraint_set_remap(&f.set, both, COUNT - 2, &one, NULL), MOTE_OK);
    assert_int_equal(mo_constraint_set_remap(&f.set, map, COUNT - 1, &first, NULL), MOTE_OK);
    assert_int_equal(mo_constraint_set_remap(&first, again, COUNT - 2, &two, NULL), MOTE_OK);
    double a = one.type->group->energy(&one, NULL, f.x),
           b = two.type->group->energy(&two, NULL, f.x);
    assert_true(a > 0);
    assert_memory_equal(&a, &b, sizeof a);
    mo_constraint_set_release(&one);
    mo_constraint_set_release(&first);
    mo_constraint_set_release(&two);
    close_set(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goals),
        cmocka_unit_test(test_momenta),
        cmocka_unit_test(test_remap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
