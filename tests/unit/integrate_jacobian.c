/*
 * Jacobians of forces compared with finite differences, and their matrices.
 */
#include "jacobian.h"

#include "failing_allocator.h"
#include "numbers.h"
#include "particle/force/field.h"
#include "set_param.h"
#include "solid/model/model.h"

extern const mo_model_type mo_model_spring;
extern const mo_force_type mo_field_damping_point, mo_field_drag;

enum { ROWS = 12 };

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    double x[3 * ROWS + 1], v[3 * ROWS + 1], mass[ROWS];
    mo_force force;
    jacobian_check check;
} fixture;

static void scatter_rows(fixture *f)
{
    for (int k = 0; k < 3 * ROWS; ++k) {
        f->x[k] = sin(3.1 * k) + 0.1 * k;
        f->v[k] = cos(2.3 * k);
    }
    f->memory = failing_memory(&f->allocator, -1);
    f->check.memory = &f->memory;
    f->check.force = &f->force;
    f->check.args = (mo_force_args){.rows = ROWS, .x = f->x, .v = f->v, .mass = f->mass};
}

static void make_springs(fixture *f, double damping_spring, double damping_viscous)
{
    params p;
    mo_mesh mesh = {.memory = &f->memory};
    clear_params(&p, &mo_model_spring.force.base);
    set_real(&p, "k", 50);
    set_real(&p, "k_length", NAN);
    set_real(&p, "shear", 1);
    set_real(&p, "bend", 0.5);
    set_real(&p, "damping_spring", damping_spring);
    set_real(&p, "damping_viscous", damping_viscous);
    for (int k = 0; k < ROWS;
         ++k) { /* rest shape: some are in tension, some in compression below */
        mo_vec3 x = mo_vec3_load(f->x + 3 * k);
        assert_int_equal(mo_mesh_add_node(&mesh, mo_scale(k % 3 ? 0.7 : 1.6, x), 1, NULL), MOTE_OK);
    }
    for (int k = 0; k < ROWS; ++k) {
        for (int j = k + 1; j < ROWS && j < k + 4; ++j) {
            assert_int_equal(mo_mesh_add_edge(&mesh, k, j, j % 3, NULL), MOTE_OK);
        }
    }
    mo_force_context context = {.memory = &f->memory};
    assert_int_equal(mo_force_create(&mo_model_spring.force, NULL, &context, &f->force, NULL),
                     MOTE_OK);
    assert_int_equal(mo_model_spring.add_body(f->force.instance, p.bytes, &mesh, 0, NULL), MOTE_OK);
    assert_int_equal(mo_model_spring.finish(&f->force, ROWS, NULL), MOTE_OK);
    mo_mesh_release(&mesh);
}

static void springs_have_their_jacobian(void **state)
{
    static fixture f;
    (void)state;
    scatter_rows(&f);
    make_springs(&f, 0, 3);
    assert_int_equal(f.force.derivatives, MO_DF_DX | MO_DF_DV);
    check_jacobian(&f.check, 1e-5, 1e-8);
    mo_force_destroy(&f.force, &f.memory);
    /* along the edge: its contribution to df/dx is neglected, that to df/dv is complete */
    make_springs(&f, 2, 0);
    check_differences(&f.check, true, 1e-5, 1e-8);
    check_product(&f.check, (mo_jacobian_ask){.along_x = 2, .along_v = 0.3});
    check_definite(&f.check);
    mo_force_destroy(&f.force, &f.memory);
    make_springs(&f, 0, 0);
    assert_int_equal(f.force.derivatives, MO_DF_DX);
    mo_force_destroy(&f.force, &f.memory);
    assert_all_given_back(&f.allocator, &f.memory);
}

/* Without clamping, springs in compression make it indefinite. */
static void squeezed_springs_are_indefinite(void **state)
{
    static fixture f;
    mo_block_matrix matrix;
    (void)state;
    scatter_rows(&f);
    make_springs(&f, 0, 0);
    fill_matrix(&f.check, (mo_jacobian_ask){.along_x = 1}, false, &matrix);
    make_dense(&matrix, f.check.dense);
    double scale = largest_of(f.check.dense, 9 * ROWS * ROWS);
    assert_true(least_pivot(f.check.dense, 3 * ROWS, 1e-10 * scale) < 0);
    mo_block_matrix_release(&f.memory, &matrix);
    mo_force_destroy(&f.force, &f.memory);
}

static void drag_and_damping_have_theirs(void **state)
{
    static fixture f;
    params p;
    mo_force_context context = {0};
    (void)state;
    scatter_rows(&f);
    clear_params(&p, &mo_field_drag.base);
    set_real(&p, "linear", 0.3);
    set_real(&p, "quadratic", 0.7);
    set_vec3(&p, "wind", mo_vec3_make(0.1, 0, -0.2));
    assert_int_equal(mo_force_create(&mo_field_drag, p.bytes, &context, &f.force, NULL), MOTE_OK);
    assert_int_equal(f.force.derivatives, MO_DF_DV);
    check_jacobian(&f.check, 1e-5, 1e-8);
    clear_params(&p, &mo_field_damping_point.base);
    set_real(&p, "g", 0.3);
    assert_int_equal(mo_force_create(&mo_field_damping_point, p.bytes, &context, &f.force, NULL),
                     MOTE_OK);
    check_jacobian(&f.check, 1e-5, 1e-8);
}

/* Pairs in any order, more than once and of a row with itself. */
static void patterns_are_sorted_sets(void **state)
{
    static const int32_t PAIRS[][2] = {{3, 1}, {0, 4}, {1, 3}, {2, 2}, {4, 0}, {3, 0}};
    static const int32_t COLUMNS[] = {0, 3, 4, 1, 3, 2, 0, 1, 3, 0, 4};
    static const int64_t STARTS[] = {0, 3, 5, 6, 9, 11};
    failing_allocator allocator;
    mo_memory memory = failing_memory(&allocator, -1);
    mo_block_pattern pattern = {0};
    mo_block_matrix matrix = {0};
    (void)state;
    for (int round = 0; round < 2; ++round) {
        mo_block_pattern_clear(&pattern, 5);
        for (size_t k = 0; k < sizeof PAIRS / sizeof *PAIRS; ++k) {
            assert_int_equal(
                mo_block_pattern_couple(&memory, &pattern, PAIRS[k][0], PAIRS[k][1], NULL),
                MOTE_OK);
        }
        assert_int_equal(mo_block_matrix_build(&memory, &pattern, &matrix, NULL), MOTE_OK);
        assert_memory_equal(matrix.column, COLUMNS, sizeof COLUMNS);
        assert_memory_equal(matrix.start, STARTS, sizeof STARTS);
        assert_int_equal(mo_block_matrix_slot(&matrix, 3, 1), 7);
        assert_int_equal(mo_block_matrix_slot(&matrix, 1, 0), -1);
        assert_int_equal(matrix.diagonal[4], 10);
    }
    mo_block_pattern_release(&memory, &pattern);
    mo_block_matrix_release(&memory, &matrix);
    assert_all_given_back(&allocator, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_have_their_jacobian),
        cmocka_unit_test(squeezed_springs_are_indefinite),
        cmocka_unit_test(drag_and_damping_have_theirs),
        cmocka_unit_test(patterns_are_sorted_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
