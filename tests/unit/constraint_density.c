/*
 * The density constraint: corrections of one constraint against the gradient by central
 * differences, momentum of many, convergence, and the half-space of a collider.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constraint/problem.h"
#include "failing_allocator.h"
#include "geometry/generate/generate.h"
#include "geometry/shape/shape.h"
#include "material_cases.h"
#include "set_param.h"

enum { NX = 6, COUNT = NX * NX * NX };

static const double SPACING = 0.1, RELAXATION = 0.5;

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    mo_mesh mesh;
    mo_constraint_set set;
    params p, shape;
    mo_collider collider;
    mo_colliders colliders;
    mo_pool *pool;
    mo_constraint_problem problem;
    double x[4 * COUNT], start[4 * COUNT];
} fixture;

/* A lattice with the given spacing, of which the first `fluid` rows have the constraint. */
static void open_set(fixture *f, double spacing, int64_t fluid)
{
    params p;
    memset(f, 0, sizeof *f);
    f->memory = failing_memory(&f->allocator, -1);
    clear_params_of(&p, &mo_meshes, "block");
    set_vec3(&p, "min", mo_vec3_make(0, 0, 0));
    set_vec3(&p, "max", mo_scale(spacing * (NX - 1), mo_vec3_make(1, 1, 1)));
    set_int(&p, "nx", NX);
    set_int(&p, "ny", NX);
    set_int(&p, "nz", NX);
    set_int(&p, "tetrahedra", 5);
    assert_int_equal(mo_mesh_generate(method_of(&p), &f->memory, &f->mesh, NULL), MOTE_OK);
    clear_params_of(&f->p, &mo_constraints, "density");
    set_real(&f->p, "spacing", SPACING);
    set_real(&f->p, "support", 2);
    set_real(&f->p, "relaxation", RELAXATION);
    set_real(&f->p, "viscosity", 0.1);
    const mo_constraint_type *type = (const mo_constraint_type *)f->p.type;
    mo_constraint_set_init(&f->set, type, f->p.bytes, true, 0, &f->memory);
    f->mesh.node_count = fluid;
    assert_int_equal(type->add(&f->set, &f->mesh, NULL), MOTE_OK);
    f->mesh.node_count = COUNT;
    assert_int_equal(mo_constraint_set_finish(&f->set, COUNT, NULL), MOTE_OK);
    f->colliders = (mo_colliders){.list = &f->collider};
    assert_int_equal(mo_pool_create(&f->memory, 2, &f->pool, NULL), MOTE_OK);
    f->problem = (mo_constraint_problem){.pool = f->pool,
                                         .p = f->x,
                                         .start = f->start,
                                         .rows = COUNT,
                                         .h = 0.01,
                                         .sets = &f->set,
                                         .set_count = 1,
                                         .colliders = &f->colliders};
}

static void close_set(fixture *f)
{
    mo_constraint_set_release(&f->set);
    mo_mesh_release(&f->mesh);
    mo_pool_destroy(f->pool);
    assert_all_given_back(&f->allocator, &f->memory);
}

static void deform(fixture *f, double by)
{
    uint64_t seed = 4;
    for (int64_t k = 0; k < COUNT; ++k) {
        for (int n = 0; n < 3; ++n) {
            f->x[4 * k + n] = f->mesh.nodes[3 * k + n] + by * (random_between(&seed, 0, 1) - 0.5);
        }
        f->x[4 * k + 3] = 0.5 + random_between(&seed, 0, 1);
    }
}

static double largest(fixture *f)
{
    double sums[3];
    f->set.type->group->residual(&f->set, &f->problem, sums);
    return sums[0];
}

static void begin(fixture *f)
{
    assert_int_equal(f->set.type->begin(&f->set, &f->problem, NULL), MOTE_OK);
}

/* One constraint: dx_k = -omega w_k C g_k/sum w g^2 with the gradient by differences of C. */
static void check_gradient(bool wall)
{
    const double h = 1e-6;
    fixture f;
    double g[3 * COUNT], sum = 0, most = 0, worst = 0;
    open_set(&f, 0.8 * SPACING, 1);
    if (wall) {
        clear_params_of(&f.shape, &mo_shapes, "plane");
        set_vec3(&f.shape, "point", mo_vec3_make(0, 0, -0.06));
        set_vec3(&f.shape, "normal", mo_vec3_make(0.1, 0.2, 1));
        f.collider = (mo_collider){
            .shape = method_of(&f.shape), .projects = true, .pose = mo_pose_identity()};
        f.colliders.count = 1;
    }
    deform(&f, 0.02);
    for (int n = 0; n < 3; ++n) { /* into the lattice, so that it is compressed */
        f.x[n] += 0.12;
    }
    begin(&f);
    double c = largest(&f);
    assert_true(c > 0.05);
    for (int64_t k = 0; k < 3 * COUNT; ++k) {
        double *x = &f.x[4 * (k / 3) + k % 3], old = *x;
        *x = old + h;
        double up = largest(&f);
        *x = old - h;
        g[k] = (up - largest(&f)) / (2 * h);
        *x = old;
        sum += f.x[4 * (k / 3) + 3] * g[k] * g[k];
    }
    memcpy(f.start, f.x, sizeof f.start);
    f.set.type->group->sweep(&f.set, &f.problem, 1);
    for (int64_t k = 0; k < 3 * COUNT; ++k) {
        int64_t at = 4 * (k / 3) + k % 3;
        double expected = -RELAXATION * f.x[4 * (k / 3) + 3] * c * g[k] / sum;
        most = fmax(most, fabs(expected));
        worst = fmax(worst, fabs(f.x[at] - f.start[at] - expected));
    }
    if (!(worst < 1e-6 * most)) {
        fail_msg("error %g of %g", worst, most);
    }
    close_set(&f);
}

static void test_gradient(void **state)
{
    (void)state;
    check_gradient(false);
    check_gradient(true);
}

/* A compressed lattice expands: linear momentum is conserved, also by the viscosity, and the
 * density error decreases. */
static void test_momentum(void **state)
{
    fixture f;
    double v[3 * COUNT];
    mo_vec3 moved = {0, 0, 0}, before = {0, 0, 0}, after = {0, 0, 0};
    uint64_t seed = 8;
    (void)state;
    open_set(&f, 0.9 * SPACING, COUNT);
    deform(&f, 0.01);
    memcpy(f.start, f.x, sizeof f.start);
    begin(&f);
    double first = largest(&f);
    assert_true(first > 0.2);
    for (int n = 0; n < 100; ++n) {
        f.set.type->group->sweep(&f.set, &f.problem, 1);
    }
    assert_true(largest(&f) < 0.02 * first);
    for (int64_t k = 0; k < COUNT; ++k) {
        mo_vec3 d = mo_sub(mo_vec3_load(f.x + 4 * k), mo_vec3_load(f.start + 4 * k));
        moved = mo_add_scaled(moved, 1 / f.x[4 * k + 3], d);
        for (int n = 0; n < 3; ++n) {
            v[3 * k + n] = random_between(&seed, -1, 1);
        }
        before = mo_add(before, mo_vec3_load(v + 3 * k));
    }
    assert_true(mo_length(moved) < 1e-13 * COUNT);
    f.set.type->group->finish(&f.set, &f.problem, v);
    for (int64_t k = 0; k < COUNT; ++k) {
        after = mo_add(after, mo_vec3_load(v + 3 * k));
    }
    assert_true(mo_length(mo_sub(after, before)) < 1e-12);
    close_set(&f);
}

/* A quiescent lattice at the rest spacing has no error, in the interior and at its border. */
static void test_lattice(void **state)
{
    fixture f;
    (void)state;
    open_set(&f, SPACING, COUNT);
    deform(&f, 0);
    begin(&f);
    assert_true(largest(&f) < 1e-12);
    close_set(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_lattice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
