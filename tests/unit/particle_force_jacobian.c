/*
 * Jacobians of pair forces compared with differences, with lists of all pairs and with a periodic
 * image.
 */
#include "jacobian.h"

#include "failing_allocator.h"
#include "numbers.h"
#include "particle/force/field.h"
#include "set_param.h"

enum { ROWS = 9, CAPACITY = 16 };

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    double x[3 * ROWS + 4], v[3 * ROWS + 1], mass[ROWS];
    int64_t start[ROWS];
    int32_t count[ROWS], index[ROWS * CAPACITY];
    mo_pairs pairs;
    mo_force force;
    jacobian_check check;
} fixture;

/* All pairs are neighbours; lists are padded to eight with the row itself. */
static void list_all(fixture *f)
{
    for (int i = 0; i < ROWS; ++i) {
        f->start[i] = CAPACITY * i;
        f->count[i] = 0;
        for (int j = 0; j < ROWS; ++j) {
            if (j != i) {
                f->index[CAPACITY * i + f->count[i]++] = j;
            }
        }
        for (int k = f->count[i]; k < CAPACITY; ++k) {
            f->index[CAPACITY * i + k] = i;
        }
    }
    f->pairs = (mo_pairs){ROWS, f->x, NULL, f->start, f->count, f->index, ROWS};
}

/* A bent grid of a distance about 1. */
static void set_up(fixture *f)
{
    memset(f, 0, sizeof *f);
    for (int k = 0; k < ROWS; ++k) {
        f->x[3 * k] = k % 3 + 0.13 * sin(5.0 * k);
        f->x[3 * k + 1] = k / 3 + 0.13 * cos(3.0 * k);
        f->x[3 * k + 2] = 0.2 * sin(7.0 * k);
        f->mass[k] = 1;
        for (int c = 0; c < 3; ++c) {
            f->v[3 * k + c] = cos(2.3 * (3 * k + c));
        }
    }
    list_all(f);
    f->memory = failing_memory(&f->allocator, -1);
    f->check.memory = &f->memory;
    f->check.force = &f->force;
    f->check.args =
        (mo_force_args){.rows = ROWS, .x = f->x, .v = f->v, .mass = f->mass, .pairs = &f->pairs};
}

static void make(fixture *f, params *p)
{
    mo_force_context context = {.memory = &f->memory};
    assert_int_equal(
        mo_force_create((const mo_force_type *)p->type, p->bytes, &context, &f->force, NULL),
        MOTE_OK);
}

static void release(fixture *f)
{
    mo_force_destroy(&f->force, &f->memory);
    assert_all_given_back(&f->allocator, &f->memory);
}

static void set_lennard_jones(params *p, int64_t n, int64_t m)
{
    clear_params_of(p, &mo_fields, "lennard_jones");
    set_real(p, "e", 2);
    set_real(p, "r0", 1.05);
    set_int(p, "n", n);
    set_int(p, "m", m);
}

static void lennard_jones_has_its_jacobian(void **state)
{
    static const int64_t EXPONENTS[][2] = {{12, 6}, {8, 4}, {7, 3}};
    static fixture f;
    params p;
    (void)state;
    for (int k = 0; k < 4; ++k) {
        set_up(&f);
        set_lennard_jones(&p, EXPONENTS[k % 3][0], EXPONENTS[k % 3][1]);
        if (k < 3) {
            /* in one case some are out of range, none on the border */
            set_real(&p, "r_b", k == 1 ? 2.6 : 5);
            set_real(&p, "r_a", k == 2 ? 1.2 : NAN);
        } else {
            set_bool(&p, "unlimited", true);
        }
        make(&f, &p);
        assert_int_equal(f.force.derivatives, MO_DF_DX);
        assert_int_equal(f.force.type->prepare(f.force.instance, &f.check.args, NULL, NULL),
                         MOTE_OK);
        check_jacobian(&f.check, 1e-6, 1e-7);
        release(&f);
    }
}

static void viscous_damping_has_its_jacobian(void **state)
{
    static fixture f;
    params p;
    (void)state;
    set_up(&f);
    clear_params_of(&p, &mo_fields, "damping_viscous");
    set_real(&p, "g", 0.7);
    set_real(&p, "range", 1.7);
    make(&f, &p);
    assert_int_equal(f.force.derivatives, MO_DF_DV);
    check_jacobian(&f.check, 1e-5, 1e-9);
    release(&f);
}

/* A periodic image of row 0, three to the right, interacts with row 2. Rows move with their
 * images. */
static void images_are_their_rows(void **state)
{
    static fixture f;
    static const int32_t OWNER[] = {0};
    params p;
    double up[3 * ROWS], down[3 * ROWS];
    mo_block_matrix matrix;
    (void)state;
    set_up(&f);
    set_lennard_jones(&p, 12, 6);
    make(&f, &p);
    f.pairs.owner = OWNER;
    for (int i = 0; i < ROWS; ++i) {
        f.count[i] = 0;
    }
    f.index[CAPACITY * 2] = ROWS; /* the index of the image */
    f.count[2] = 1;
    for (int k = 1; k < CAPACITY; ++k) {
        f.index[CAPACITY * 2 + k] = 2;
    }
    assert_int_equal(f.force.type->prepare(f.force.instance, &f.check.args, NULL, NULL), MOTE_OK);
    mo_block_pattern pattern = {0};
    mo_block_pattern_clear(&pattern, ROWS);
    assert_int_equal(
        f.force.type->jacobian->couple(f.force.instance, &f.check.args, &f.memory, &pattern, NULL),
        MOTE_OK);
    assert_int_equal(mo_block_pattern_couple(&f.memory, &pattern, 0, 2, NULL), MOTE_OK);
    matrix = (mo_block_matrix){0};
    assert_int_equal(mo_block_matrix_build(&f.memory, &pattern, &matrix, NULL), MOTE_OK);
    for (int c = 0; c < 3; ++c) {
        f.x[3 * ROWS + c] = f.x[c] + (c == 0 ? 3 : 0);
    }
    mo_jacobian_ask ask = {.along_x = 1};
    f.force.type->jacobian->fill(f.force.instance, &f.check.args, &ask, &matrix, 2, 3);
    for (int c = 0; c < 3; ++c) {
        for (int side = 0; side < 2; ++side) {
            double kept = f.x[3 * ROWS + c], *out = side ? up : down;
            f.x[3 * ROWS + c] += side ? 1e-6 : -1e-6;
            memset(out, 0, sizeof up);
            f.check.args.f = out;
            f.force.type->add(f.force.instance, &f.check.args, 2, 3);
            f.x[3 * ROWS + c] = kept;
        }
        for (int r = 0; r < 3; ++r) {
            double slope = (up[6 + r] - down[6 + r]) / 2e-6;
            double found = matrix.value[9 * mo_block_matrix_slot(&matrix, 2, 0) + 3 * c + r];
            double own = matrix.value[9 * matrix.diagonal[2] + 3 * c + r];
            assert_true(fabs(slope - found) < 1e-6 * (1 + fabs(slope)));
            assert_true(fabs(own + found) < 1e-12 * (1 + fabs(found)));
        }
    }
    mo_block_pattern_release(&f.memory, &pattern);
    mo_block_matrix_release(&f.memory, &matrix);
    release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lennard_jones_has_its_jacobian),
        cmocka_unit_test(viscous_damping_has_its_jacobian),
        cmocka_unit_test(images_are_their_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
