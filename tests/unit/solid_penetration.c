/* Contact by penetration: depths and directions of blocks that overlap, contact of a body with
 * itself, the same contacts by every search, and removal of rows. */
#include "test.h"

#include "numbers.h"
#include "solid/contact/state.h"

enum { ROWS_MAX = 4000, TETRAHEDRA_MAX = 20000 };

typedef struct fixture {
    mo_memory memory;
    mo_pool *pool;
    double x[3 * ROWS_MAX + 1], v[3 * ROWS_MAX + 1], f[3 * ROWS_MAX + 1], bound[3 * ROWS_MAX];
    double mass[ROWS_MAX];
    int64_t id[ROWS_MAX], rows;
    mo_body_contacts *contacts;
    mo_force force;
    mo_force_args args;
} fixture;

typedef struct detection_params {
    mo_method search;
} detection_params;

static void open_fixture(fixture *f, const detection_params *params, bool self)
{
    mo_body_contact_def def = {.stiffness = 1, .gap = NAN, .slip = 0.1, .self = self};
    memset(f, 0, sizeof *f);
    mo_memory_init(&f->memory, NULL);
    assert_int_equal(mo_pool_create(&f->memory, 2, &f->pool, NULL), MOTE_OK);
    def.detection.type = mo_family_find(&mo_contact_detections, "heidelberger2004");
    def.detection.params = params;
    assert_int_equal(mo_body_contacts_create(&def, 0, &f->memory, &f->contacts, NULL), MOTE_OK);
    for (int k = 0; k < ROWS_MAX; ++k) {
        f->id[k] = k;
    }
}

static const int32_t CUBE[5][4] = {
    {0, 1, 3, 5}, {0, 3, 2, 6}, {0, 5, 6, 4}, {3, 6, 5, 7}, {0, 3, 6, 5}};

/* The faces of tetrahedra that no other one has. */
static int64_t outer_faces(const int32_t *tets, int64_t count, int32_t *out)
{
    static const int FACE[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    int64_t found = 0;
    for (int64_t t = 0; t < count; ++t) {
        for (int k = 0; k < 4; ++k) {
            int shared = 0;
            for (int64_t u = 0; u < count && shared == 0; ++u) {
                int same = 0;
                for (int i = 0; i < 12 && u != t; ++i) {
                    same += tets[4 * u + i / 3] == tets[4 * t + FACE[k][i % 3]];
                }
                shared += same == 3;
            }
            for (int i = 0; i < 3 && shared == 0; ++i) {
                out[3 * found + i] = tets[4 * t + FACE[k][i]];
            }
            found += shared == 0;
        }
    }
    return found;
}

/* A block of n cells, five tetrahedra each, mirrored from cell to cell. */
static void add_block(fixture *f, mo_vec3 low, mo_vec3 size, const int n[3])
{
    static int32_t tets[4 * TETRAHEDRA_MAX], faces[12 * TETRAHEDRA_MAX];
    int64_t first = f->rows, count = 0;
    int m[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
    for (int k = 0; k < m[0] * m[1] * m[2]; ++k) {
        mo_vec3 at = mo_vec3_make((double)(k % m[0]) / n[0], (double)(k / m[0] % m[1]) / n[1],
                                  (double)(k / m[0] / m[1]) / n[2]);
        mo_vec3_store(f->x + 3 * f->rows++, mo_add(low, mo_multiply(size, at)));
    }
    for (int c = 0; c < n[0] * n[1] * n[2]; ++c) {
        int cell[3] = {c % n[0], c / n[0] % n[1], c / n[0] / n[1]};
        int mirror = (cell[0] + cell[1] + cell[2]) % 2;
        for (int t = 0; t < 20; ++t) {
            int corner = CUBE[t / 4][t % 4] ^ mirror;
            int i = cell[0] + (corner & 1), j = cell[1] + (corner >> 1 & 1),
                k = cell[2] + (corner >> 2);
            tets[4 * count + t] = (int32_t)(first + i + m[0] * (j + m[1] * (int64_t)k));
        }
        if (mirror) { /* keeps them positively oriented */
            for (int t = 0; t < 5; ++t) {
                int32_t swap = tets[4 * (count + t)];
                tets[4 * (count + t)] = tets[4 * (count + t) + 1];
                tets[4 * (count + t) + 1] = swap;
            }
        }
        count += 5;
    }
    mo_contact_surface s = {.first = first,
                            .rows = f->rows - first,
                            .x = f->x,
                            .id = f->id,
                            .triangles = faces,
                            .triangle_count = outer_faces(tets, count, faces),
                            .solid = true,
                            .tetrahedra = tets,
                            .tetrahedron_count = count};
    assert_int_equal(mo_body_contacts_add(f->contacts, &s, NULL), MOTE_OK);
}

static void search(fixture *f)
{
    if (!f->force.type) {
        for (int k = 0; k < 3 * ROWS_MAX; ++k) {
            f->bound[k] = 100;
        }
        mo_body_contacts_finish(f->contacts, f->bound, &f->force);
    }
    f->args = (mo_force_args){.rows = f->rows, .x = f->x, .v = f->v, .f = f->f, .mass = f->mass};
    memset(f->f, 0, sizeof f->f);
    assert_int_equal(f->force.type->prepare(f->contacts, &f->args, f->pool, NULL), MOTE_OK);
    f->force.type->add(f->contacts, &f->args, 0, f->rows);
}

static void close_fixture(fixture *f)
{
    mo_force_destroy(&f->force, &f->memory);
    mo_pool_destroy(f->pool);
    assert_int_equal(f->memory.bytes, 0);
}

static detection_params search_named(const char *name)
{
    return (detection_params){{mo_family_find(&mo_subdivisions, name), NULL}};
}

static void assert_no_net_force(const fixture *f)
{
    mo_vec3 sum = {0, 0, 0}, torque = {0, 0, 0};
    double size = 0;
    for (int64_t row = 0; row < f->rows; ++row) {
        mo_vec3 force = mo_vec3_load(f->f + 3 * row), x = mo_vec3_load(f->x + 3 * row);
        sum = mo_add(sum, force);
        torque = mo_add(torque, mo_cross(x, force));
        size += mo_length(force);
    }
    assert_true(size > 1);
    assert_true(mo_length(sum) < 1e-12 * size);
    assert_true(mo_length(torque) < 1e-12 * size);
}

/* A pillar pressed into the flat face of a wider block, one cell deep and three: every node of it
 * below the face has its distance from that face as depth and the face's normal as direction. */
static void depths_below_a_flat_face_are_exact(void **state)
{
    static fixture f;
    static const int WIDE[3] = {4, 4, 4}, NARROW[3] = {3, 3, 8};
    detection_params params = search_named("hashing");
    (void)state;
    for (int trial = 0; trial < 2; ++trial) {
        double sunk = trial == 0 ? 0.06 : 0.23;
        int inside = 0;
        open_fixture(&f, &params, false);
        add_block(&f, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 1, 1), WIDE);
        add_block(&f, mo_vec3_make(0.31, 0.33, 1 - sunk), mo_vec3_make(0.34, 0.33, 0.6), NARROW);
        search(&f);
        for (int64_t k = 0; k < f.contacts->set.count; ++k) {
            const mo_contact *c = &f.contacts->set.list[k];
            const double *x = f.x + 3 * c->side[0].row[0];
            if (c->side[0].row[0] >= 125) { /* of the pillar */
                assert_near(c->gap, x[2] - 1, 1e-12);
                assert_near_vec3(c->normal, mo_vec3_make(0, 0, 1), 1e-12);
                assert_near(f.contacts->laws[k].depth, 1 - x[2], 1e-12);
                ++inside;
            }
        }
        assert_int_equal(inside, trial == 0 ? 16 : 16 + 3 * 12);
        assert_no_net_force(&f);
        close_fixture(&f);
    }
}

/* Corner in corner: all searches give the same forces, and the bodies are pushed apart. */
static void searches_give_the_same_contacts(void **state)
{
    static fixture f;
    static double first[3 * ROWS_MAX];
    static const int CELLS[3] = {4, 4, 4};
    (void)state;
    for (int k = 0; k < mo_subdivisions.count; ++k) {
        detection_params params = {{mo_family_at(&mo_subdivisions, k), NULL}};
        open_fixture(&f, &params, false);
        add_block(&f, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 1, 1), CELLS);
        add_block(&f, mo_vec3_make(0.62, 0.57, 0.6), mo_vec3_make(1.1, 1, 0.9), CELLS);
        search(&f);
        assert_true(f.contacts->set.count >= 8);
        assert_no_net_force(&f);
        double apart = 0;
        for (int64_t row = 125; row < 250; ++row) {
            apart += f.f[3 * row] + f.f[3 * row + 1] + f.f[3 * row + 2];
        }
        assert_true(apart > 0);
        if (k == 0) {
            memcpy(first, f.f, sizeof first);
        }
        assert_memory_equal(first, f.f, sizeof first);
        close_fixture(&f);
    }
}

/* A beam rolled up so far that its end is in its start. */
static void a_body_finds_itself(void **state)
{
    static fixture f;
    static const int LONG[3] = {24, 2, 2};
    detection_params params = search_named("hashing");
    (void)state;
    for (int self = 0; self < 2; ++self) {
        open_fixture(&f, &params, self != 0);
        add_block(&f, mo_vec3_make(0, 0, 0), mo_vec3_make(2.4, 0.2, 0.2), LONG);
        search(&f);
        assert_int_equal(f.contacts->set.count, 0);
        for (int64_t row = 0; row < f.rows; ++row) { /* a spiral: 1.1 turns */
            double *x = f.x + 3 * row, angle = 2.88 * x[0], r = 0.36 + 0.012 * angle + x[2];
            double across = (x[1] - 0.1) * (1 - 0.03 * angle); /* the end is narrower */
            double turned[3] = {r * cos(angle), across, -r * sin(angle)};
            memcpy(x, turned, sizeof turned);
        }
        search(&f);
        assert_int_equal(f.contacts->set.count > 4, self);
        if (self) {
            assert_no_net_force(&f);
        }
        close_fixture(&f);
    }
}

/* Without the corner that was inside there is no contact. */
static void rows_that_go_take_their_contacts_along(void **state)
{
    static fixture f;
    static int64_t map[ROWS_MAX];
    static const int ONE[3] = {2, 2, 2};
    detection_params params = search_named("kd_tree");
    int64_t left = 0;
    (void)state;
    open_fixture(&f, &params, false);
    add_block(&f, mo_vec3_make(0, 0, 0), mo_vec3_make(1, 1, 1), ONE);
    add_block(&f, mo_vec3_make(0.9, 0.9, 0.9), mo_vec3_make(1, 1, 1), ONE);
    search(&f);
    assert_true(f.contacts->set.count > 0);
    for (int64_t row = 0; row < f.rows; ++row) {
        bool goes = row == 26 || row == 27; /* both corners */
        map[row] = goes ? -1 : left;
        memcpy(f.x + 3 * left, f.x + 3 * row, 3 * sizeof(double));
        left += !goes;
    }
    assert_int_equal(f.force.type->remap(f.contacts, map, left, NULL), MOTE_OK);
    f.force.type->settle(f.contacts, map);
    f.rows = left;
    search(&f);
    assert_int_equal(f.contacts->set.count, 0);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_below_a_flat_face_are_exact),
        cmocka_unit_test(searches_give_the_same_contacts),
        cmocka_unit_test(a_body_finds_itself),
        cmocka_unit_test(rows_that_go_take_their_contacts_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
