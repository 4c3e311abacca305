/*
 * Contacts between bodies: detection, Jacobians, removal of rows.
 */
#include "jacobian.h"

#include "failing_allocator.h"
#include "solid/contact/state.h"

enum { ROWS = 8 };

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    double x[3 * ROWS + 1], v[3 * ROWS + 1], mass[ROWS], bound[3 * ROWS];
    mo_force force;
    jacobian_check check;
} fixture;

/* A tetrahedron with its base up, at z = 0, and one in contact with it by a corner, slightly
 * penetrating. */
static const int64_t ID[ROWS] = {10, 11, 12, 13, 24, 25, 26, 27};
static const double LOWER[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, -1}};
static const double UPPER[4][3] = {{0.3, 0.25, -0.05}, {1, 0.2, 1}, {0, 1, 1.1}, {0, -0.4, 0.9}};
static const int32_t FACES[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
static const int32_t TURNED[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

/* Four corners, of which `face` are those of the triangles. */
static void add_body(fixture *f, mo_body_contacts *c, const double corner[4][3],
                     const int32_t face[4][3], int64_t first)
{
    int32_t triangles[12];
    for (int k = 0; k < 4; ++k) {
        memcpy(f->x + 3 * (first + k), corner[k], sizeof corner[k]);
    }
    for (int k = 0; k < 12; ++k) {
        triangles[k] = (int32_t)first + face[k / 3][k % 3];
    }
    mo_contact_surface surface = {.first = first,
                                  .rows = 4,
                                  .x = f->x,
                                  .id = ID,
                                  .triangles = triangles,
                                  .triangle_count = 4,
                                  .solid = true};
    assert_int_equal(mo_body_contacts_add(c, &surface, NULL), MOTE_OK);
}

static mo_body_contacts *set_up(fixture *f, double friction)
{
    mo_body_contact_def def = {
        .stiffness = 1, .gap = 0.02, .friction = friction, .slip = 0.1, .damping = 0.01};
    mo_body_contacts *c;
    memset(f, 0, sizeof *f);
    f->memory = failing_memory(&f->allocator, -1);
    assert_int_equal(mo_body_contacts_create(&def, 0, &f->memory, &c, NULL), MOTE_OK);
    add_body(f, c, LOWER, FACES, 0);
    add_body(f, c, UPPER, TURNED, 4);
    for (int k = 0; k < 3 * ROWS; ++k) {
        f->bound[k] = 100;
        f->v[k] = 0.3 * cos(2.3 * k);
    }
    mo_body_contacts_finish(c, f->bound, &f->force);
    f->check.memory = &f->memory;
    f->check.force = &f->force;
    f->check.args = (mo_force_args){.rows = ROWS, .x = f->x, .v = f->v, .mass = f->mass};
    assert_int_equal(f->force.type->prepare(c, &f->check.args, NULL, NULL), MOTE_OK);
    return c;
}

static void release(fixture *f)
{
    mo_force_destroy(&f->force, &f->memory);
    assert_all_given_back(&f->allocator, &f->memory);
}

static void the_corner_is_found(void **state)
{
    static fixture f;
    mo_body_contacts *c = set_up(&f, 0);
    (void)state;
    assert_int_equal(c->set.count, 1);
    const mo_contact *t = &c->set.list[0];
    const double *w = t->side[1].weight;
    assert_int_equal(t->side[0].rows, 1);
    assert_int_equal(t->side[0].row[0], 4);
    assert_int_equal(t->side[1].rows, 3);
    assert_true(fabs(c->laws[0].depth - 0.07) < 1e-14 && fabs(t->gap + 0.05) < 1e-14);
    assert_true(fabs(t->normal.z - 1) < 1e-14);
    assert_true(fabs(w[0] - 0.45) < 1e-14 && fabs(w[1] - 0.3) < 1e-14 && fabs(w[2] - 0.25) < 1e-14);
    assert_true(fabs(c->laws[0].k - 50) < 1e-12);
    assert_int_equal(mo_feature_number(t->key.feature[0]), ID[4]);
    assert_int_equal(mo_feature_number(t->key.feature[1]), 0); /* the base */
    uint64_t number = f.force.type->jacobian->coupling(c);
    f.x[14] = 0.5; /* row 4 moves up: a pattern without contact */
    assert_int_equal(f.force.type->prepare(c, &f.check.args, NULL, NULL), MOTE_OK);
    assert_int_equal(c->set.count, 0);
    assert_true(f.force.type->jacobian->coupling(c) != number);
    release(&f);
}

/* df/dv is exact without friction. df/dx of the node is exact on a flat face; other terms are
 * neglected. */
static void jacobians_match_their_flags(void **state)
{
    static fixture f;
    (void)state;
    mo_body_contacts *c = set_up(&f, 0);
    check_differences(&f.check, true, 1e-6, 1e-7);
    release(&f);
    c = set_up(&f, 0.4);
    check_product(&f.check, (mo_jacobian_ask){.along_x = 1, .along_v = 0.3});
    check_definite(&f.check);
    release(&f);
    c = set_up(&f, 0);
    memset(f.v, 0, sizeof f.v);
    mo_block_matrix matrix;
    fill_matrix(&f.check, (mo_jacobian_ask){.along_x = 1}, false, &matrix);
    for (int k = 0; k < 3; ++k) {
        double up[3 * ROWS], down[3 * ROWS];
        forces_moved(&f.check, false, 12 + k, 1e-6, up);
        forces_moved(&f.check, false, 12 + k, -1e-6, down);
        for (int r = 0; r < 3; ++r) {
            double slope = (up[12 + r] - down[12 + r]) / 2e-6;
            assert_true(fabs(slope - matrix.value[9 * matrix.diagonal[4] + 3 * k + r]) < 1e-6);
        }
    }
    assert_true(c->set.count == 1);
    mo_block_matrix_release(&f.memory, &matrix);
    release(&f);
}

/* Contact forces are equal and opposite. */
static void forces_sum_to_nothing(void **state)
{
    static fixture f;
    double force[3 * ROWS] = {0}, sum[3] = {0};
    set_up(&f, 0.4);
    (void)state;
    f.check.args.f = force;
    f.force.type->add(f.force.instance, &f.check.args, 0, ROWS);
    for (int k = 0; k < 3 * ROWS; ++k) {
        sum[k % 3] += force[k];
    }
    assert_true(force[14] > 1);
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(sum[k]) < 1e-13);
    }
    release(&f);
}

/* The faces of a removed row are removed; remaining contacts refer to existing rows. */
static void rows_may_be_removed(void **state)
{
    static fixture f;
    (void)state;
    for (int gone = 1; gone < 8; gone += 6) {
        mo_body_contacts *c = set_up(&f, 0);
        int64_t map[ROWS];
        double kept[3 * ROWS];
        int64_t next = 0;
        for (int k = 0; k < ROWS; ++k) {
            map[k] = k == gone ? -1 : next;
            memcpy(kept + 3 * next, f.x + 3 * k, 3 * sizeof(double));
            next += k != gone;
        }
        memcpy(f.x, kept, sizeof kept);
        f.check.args.rows = ROWS - 1;
        assert_int_equal(f.force.type->remap(c, map, ROWS - 1, NULL), MOTE_OK);
        f.force.type->settle(c, map);
        assert_int_equal(f.force.type->prepare(c, &f.check.args, NULL, NULL), MOTE_OK);
        assert_int_equal(c->point_count, 7);
        assert_int_equal(c->triangle_count, 5);
        assert_true(gone == 1 || c->set.count >= 1);
        for (int64_t k = 0; k < c->set.count; ++k) {
            for (int j = 0; j < 4; ++j) {
                int64_t row = mo_contact_row(&c->set.list[k], j);
                assert_true(row >= 0 && row < ROWS - 1);
            }
        }
        release(&f);
    }
}

/* Random small bodies: neighbours are exactly the pairs with overlapping boxes, each in both
 * directions. */
static void neighbours_are_those_that_overlap(void **state)
{
    enum { BODIES = 60 };
    static double x[12 * BODIES];
    static const int64_t id[4 * BODIES];
    failing_allocator allocator;
    mo_memory memory = failing_memory(&allocator, -1);
    mo_body_contact_def def = {.stiffness = 1, .gap = 0.02, .slip = 0.1};
    mo_body_contacts *c;
    int64_t pairs = 0;
    (void)state;
    assert_int_equal(mo_body_contacts_create(&def, 0, &memory, &c, NULL), MOTE_OK);
    for (int b = 0; b < BODIES; ++b) {
        mo_vec3 at = mo_vec3_make(3 * cos(1.3 * b), 2 * cos(2.9 * b), 4 * cos(7.1 * b));
        const int32_t triangle[3] = {4 * b, 4 * b + 1, 4 * b + 2};
        mo_contact_surface surface = {.first = 4 * b,
                                      .rows = 4,
                                      .x = x,
                                      .id = id,
                                      .triangles = triangle,
                                      .triangle_count = 1,
                                      .solid = true};
        for (int k = 0; k < 4; ++k) {
            mo_vec3_store(x + 12 * b + 3 * k, mo_add(at, mo_vec3_load(LOWER[k])));
        }
        assert_int_equal(mo_body_contacts_add(c, &surface, NULL), MOTE_OK);
    }
    c->reach = 0.3;
    assert_int_equal(mo_contact_find_boxes(c, x, NULL), MOTE_OK);
    for (int32_t a = 0; a < BODIES; ++a) {
        const mo_contact_body *p = &c->bodies[a];
        for (int32_t b = 0; b < BODIES; ++b) {
            const mo_contact_body *q = &c->bodies[b];
            bool overlap = p->low.x <= q->high.x && p->high.x >= q->low.x &&
                           p->low.y <= q->high.y && p->high.y >= q->low.y &&
                           p->low.z <= q->high.z && p->high.z >= q->low.z;
            int times = 0;
            for (int64_t k = 0; k < p->near_count; ++k) {
                times += c->near[p->first_near + k] == b;
            }
            assert_int_equal(times, overlap && a != b);
        }
        pairs += p->near_count;
    }
    assert_true(pairs > 20 && pairs < BODIES * 20);
    mo_body_contacts_destroy(c, &memory);
    assert_all_given_back(&allocator, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corner_is_found),
        cmocka_unit_test(jacobians_match_their_flags),
        cmocka_unit_test(forces_sum_to_nothing),
        cmocka_unit_test(rows_may_be_removed),
        cmocka_unit_test(neighbours_are_those_that_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
