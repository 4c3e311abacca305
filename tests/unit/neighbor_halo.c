/*
 * The halo: ghosts compared with all images of all rows, columns, the transpose of the update,
 * threads, failures.
 */
#include "test.h"

#include "failing_allocator.h"
#include "neighbor/halo.h"
#include "numbers.h"

enum { ROWS = 20000, BRUTE_ROWS = 700, COMPONENTS = 3 };

static const double RADIUS = 0.11;

static mo_domain box(unsigned axes)
{
    mo_domain d = {.low = {-0.4, 0.1, 2}, .high = {0.6, 0.9, 3.5}};
    for (int k = 0; k < 3; ++k) {
        d.periodic[k] = axes >> k & 1;
    }
    return d;
}

/* In and around the domain, up to two periods away. */
static double *make_rows(int64_t rows, uint64_t random)
{
    double *x = malloc((3 * (size_t)rows + 1) * sizeof *x);
    for (int64_t k = 0; k < 3 * rows; ++k) {
        x[k] = random_between(&random, -2, 5);
    }
    return x;
}

typedef struct bed {
    mo_memory memory;
    mo_pool *pool;
    mo_halo halo;
    int64_t rows;
    double *x;
} bed;

static void open_bed(bed *b, mo_domain domain, int64_t rows, int threads)
{
    *b = (bed){.rows = rows, .x = make_rows(rows, 7)};
    mo_memory_init(&b->memory, NULL);
    assert_int_equal(mo_pool_create(&b->memory, threads, &b->pool, NULL), MOTE_OK);
    mo_halo_init(&b->halo, &domain, RADIUS, &b->memory);
    assert_int_equal(mo_halo_build(&b->halo, rows, b->x, b->pool, NULL), MOTE_OK);
}

static void close_bed(bed *b)
{
    mo_halo_release(&b->halo);
    assert_int_equal(mo_halo_bytes(&b->halo), 0);
    mo_pool_destroy(b->pool);
    assert_int_equal(b->memory.bytes, 0);
    free(b->x);
}

static double length_of(const mo_domain *d, int axis)
{
    return d->high[axis] - d->low[axis];
}

/* The distance of a position from the domain, along its periodic axes. */
static double outside(const mo_domain *d, const double *x)
{
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        double gap = fmax(d->low[k] - x[k], x[k] - d->high[k]);
        most = d->periodic[k] ? fmax(most, gap) : most;
    }
    return most;
}

/* ---- positions ---- */

static void assert_local(const bed *b, const double *x)
{
    const mo_halo *h = &b->halo;
    for (int64_t k = 0; k < 3 * h->owned; ++k) {
        double length = length_of(&h->domain, (int)(k % 3)), periods = (x[k] - h->x[k]) / length;
        assert_near(periods, h->domain.periodic[k % 3] ? nearbyint(periods) : 0, 1e-12);
    }
}

/* Every ghost is the image of its owner, in the order of owners and images. */
static void assert_ghosts(const bed *b, const double *x)
{
    const mo_halo *h = &b->halo;
    for (int64_t g = 0; g < h->count - h->owned; ++g) {
        for (int k = 0; k < 3; ++k) {
            int periods = (h->image[g] >> 2 * k & 3) - 1;
            double owner = h->x[3 * (int64_t)h->owner[g] + k], ghost = h->x[3 * (h->owned + g) + k];
            assert_true(h->domain.periodic[k] || periods == 0);
            assert_near(ghost, owner + periods * length_of(&h->domain, k), 1e-14);
            assert_near(mo_halo_along(h, x, h->owned + g, k), ghost, 0);
        }
        assert_true(h->image[g] != (1 | 1 << 2 | 1 << 4));
        assert_true(g == 0 || h->owner[g - 1] < h->owner[g] ||
                    (h->owner[g - 1] == h->owner[g] && h->image[g - 1] < h->image[g]));
        assert_int_equal(mo_halo_row(h, h->owned + g), h->owner[g]);
    }
}

static int64_t images_near(const mo_halo *h, int64_t row, double radius)
{
    int64_t count = 0;
    for (int k = 0; k < 27; ++k) {
        int periods[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        double x[3];
        bool exists = k != 13;
        for (int a = 0; a < 3; ++a) {
            exists = exists && (periods[a] == 0 || h->domain.periodic[a]);
            x[a] = h->x[3 * row + a] + periods[a] * length_of(&h->domain, a);
        }
        count += exists && outside(&h->domain, x) <= radius;
    }
    return count;
}

static void ghosts_are_all_images_near_a_border(void **state)
{
    (void)state;
    for (unsigned axes = 0; axes < 8; ++axes) {
        bed b;
        open_bed(&b, box(axes), BRUTE_ROWS, 2);
        const mo_halo *h = &b.halo;
        assert_int_equal(h->owned, BRUTE_ROWS);
        assert_int_equal(axes != 0, h->count > h->owned);
        assert_int_equal(axes == 0, h->x == b.x);
        assert_local(&b, b.x);
        assert_ghosts(&b, b.x);
        int64_t ghost = 0, ghosts = h->count - h->owned;
        for (int64_t row = 0; row < h->owned; ++row) {
            int64_t found = 0;
            assert_true(outside(&h->domain, h->x + 3 * row) < 1e-14);
            for (; ghost < ghosts && h->owner[ghost] == row; ++ghost) {
                ++found;
            }
            assert_true(found >= images_near(h, row, RADIUS * (1 - 1e-9)));
            assert_true(found <= images_near(h, row, RADIUS * (1 + 1e-8)));
        }
        assert_int_equal(ghost, ghosts);
        close_bed(&b);
    }
}

static void positions_follow_the_rows(void **state)
{
    (void)state;
    for (unsigned axes = 0; axes < 8; ++axes) {
        bed b;
        open_bed(&b, box(axes), BRUTE_ROWS, 2);
        int64_t count = b.halo.count;
        double *moved = make_rows(BRUTE_ROWS, 7),
               *before = malloc(3 * (size_t)count * sizeof *before);
        memcpy(before, b.halo.x, 3 * (size_t)count * sizeof *before);
        for (int64_t k = 0; k < 3 * BRUTE_ROWS; ++k) {
            moved[k] += 0.25;
        }
        mo_halo_update_positions(&b.halo, moved, b.pool);
        assert_int_equal(b.halo.count, count);
        for (int64_t k = 0; k < 3 * count; ++k) {
            assert_near(b.halo.x[k], before[k] + 0.25, 1e-14);
        }
        assert_local(&b, moved);
        assert_ghosts(&b, moved);
        free(before);
        free(moved);
        close_bed(&b);
    }
}

/* ---- columns ---- */

static double *make_column(int64_t numbers, uint64_t random)
{
    double *u = malloc((size_t)(numbers + 1) * sizeof *u);
    for (int64_t k = 0; k < numbers; ++k) {
        u[k] = random_between(&random, -1, 1);
    }
    return u;
}

static double dot(const double *a, const double *b, int64_t numbers)
{
    double sum = 0;
    for (int64_t k = 0; k < numbers; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

static float *narrow(const double *u, int64_t numbers)
{
    float *v = malloc((size_t)(numbers + 1) * sizeof *v);
    for (int64_t k = 0; k < numbers; ++k) {
        v[k] = (float)u[k];
    }
    return v;
}

static void an_update_copies_owners(void **state)
{
    (void)state;
    bed b;
    open_bed(&b, box(7), BRUTE_ROWS, 2);
    for (int components = 1; components <= 5; ++components) {
        const mo_halo *h = &b.halo;
        int64_t numbers = components * h->count;
        double *u = make_column(numbers, 3);
        float *v = narrow(u, numbers);
        mo_halo_update_f64(h, u, components, b.pool);
        mo_halo_update_f32(h, v, components, b.pool);
        double *same = make_column(numbers, 3);
        assert_memory_equal(u, same, (size_t)(components * h->owned) * sizeof *u);
        for (int64_t k = 0; k < numbers; ++k) {
            double owner = same[components * mo_halo_row(h, k / components) + k % components];
            assert_near(u[k], owner, 0);
            assert_near((double)v[k], (double)(float)owner, 0);
        }
        free(same);
        free(v);
        free(u);
    }
    close_bed(&b);
}

/* u . A v = A^T u . v, A from columns of rows to columns of local and ghost particles. */
static void add_back_is_the_transpose_of_update(void **state)
{
    (void)state;
    for (unsigned axes = 0; axes < 8; ++axes) {
        bed b;
        open_bed(&b, box(axes), BRUTE_ROWS, 2);
        const mo_halo *h = &b.halo;
        int64_t numbers = COMPONENTS * h->count, own = COMPONENTS * h->owned;
        double *u = make_column(numbers, 3), *v = make_column(numbers, 4);
        float *narrow_u = narrow(u, numbers);
        mo_halo_update_f64(h, v, COMPONENTS, b.pool);
        double left = dot(u, v, numbers), right, narrow_right = 0;
        mo_halo_add_back_f64(h, u, COMPONENTS, b.pool);
        right = dot(u, v, own);
        assert_near(left, right, 1e-12 * sqrt((double)numbers));
        mo_halo_add_back_f32(h, narrow_u, COMPONENTS, b.pool);
        for (int64_t k = 0; k < own; ++k) {
            narrow_right += (double)narrow_u[k] * v[k];
        }
        assert_near(left, narrow_right, 1e-6 * sqrt((double)numbers));
        double *same = make_column(numbers, 3); /* ghosts keep their values */
        assert_memory_equal(u + own, same + own, (size_t)(numbers - own) * sizeof *u);
        free(same);
        free(narrow_u);
        free(v);
        free(u);
        close_bed(&b);
    }
}

/* ---- threads ---- */

/* A wide radius, so that ghosts fill several blocks and owners have ghosts in two of them. */
static void the_same_bits_on_any_number_of_threads(void **state)
{
    static const int THREADS[] = {1, 2, 3, 8};
    (void)state;
    bed b[4];
    double *sum[4];
    float *narrow_sum[4];
    for (int t = 0; t < 4; ++t) {
        open_bed(&b[t], box(7), ROWS, THREADS[t]);
        b[t].halo.radius = 0.39;
        assert_int_equal(mo_halo_build(&b[t].halo, ROWS, b[t].x, b[t].pool, NULL), MOTE_OK);
        const mo_halo *h = &b[t].halo, *one = &b[0].halo;
        int64_t ghosts = h->count - h->owned, numbers = COMPONENTS * h->count;
        assert_true(ghosts > 3 * ROWS);
        assert_int_equal(h->count, one->count);
        assert_memory_equal(h->x, one->x, 3 * (size_t)h->count * sizeof *h->x);
        assert_memory_equal(h->owner, one->owner, (size_t)ghosts * sizeof *h->owner);
        assert_memory_equal(h->image, one->image, (size_t)ghosts);
        sum[t] = make_column(numbers, 5);
        narrow_sum[t] = narrow(sum[t], numbers);
        mo_halo_add_back_f64(h, sum[t], COMPONENTS, b[t].pool);
        mo_halo_add_back_f32(h, narrow_sum[t], COMPONENTS, b[t].pool);
        assert_memory_equal(sum[t], sum[0], (size_t)numbers * sizeof *sum[t]);
        assert_memory_equal(narrow_sum[t], narrow_sum[0], (size_t)numbers * sizeof *narrow_sum[t]);
    }
    /* the guaranteed order: one ghost after the other */
    const mo_halo *h = &b[0].halo;
    double *expected = make_column(COMPONENTS * h->count, 5);
    for (int64_t g = h->owned; g < h->count; ++g) {
        for (int c = 0; c < COMPONENTS; ++c) {
            expected[COMPONENTS * mo_halo_row(h, g) + c] += expected[COMPONENTS * g + c];
        }
    }
    assert_memory_equal(sum[0], expected, (size_t)(COMPONENTS * h->count) * sizeof *expected);
    free(expected);
    for (int t = 0; t < 4; ++t) {
        free(sum[t]);
        free(narrow_sum[t]);
        close_bed(&b[t]);
    }
}

/* ---- boundaries ---- */

static void no_rows_are_fine(void **state)
{
    (void)state;
    for (unsigned axes = 0; axes < 8; axes += 7) {
        bed b;
        double column[1] = {3};
        open_bed(&b, box(axes), 0, 2);
        assert_int_equal(b.halo.owned, 0);
        assert_int_equal(b.halo.count, 0);
        mo_halo_update_positions(&b.halo, b.x, b.pool);
        mo_halo_update_f64(&b.halo, column, 1, b.pool);
        mo_halo_add_back_f64(&b.halo, column, 1, b.pool);
        assert_near(column[0], 3, 0);
        close_bed(&b);
    }
}

/* Fewer rows and more, a row exactly on the boundary: no data of the previous build remains. */
static void builds_can_follow_each_other(void **state)
{
    (void)state;
    bed b;
    open_bed(&b, box(7), BRUTE_ROWS, 1);
    mo_domain d = box(7);
    double corner[4] = {d.low[0], d.low[1], d.low[2]};
    assert_int_equal(mo_halo_build(&b.halo, 1, corner, b.pool, NULL), MOTE_OK);
    assert_int_equal(b.halo.count, 8); /* an image along each axis and all their combinations */
    assert_int_equal(mo_halo_build(&b.halo, BRUTE_ROWS, b.x, b.pool, NULL), MOTE_OK);
    int64_t count = b.halo.count, bytes = mo_halo_bytes(&b.halo);
    assert_int_equal(mo_halo_build(&b.halo, BRUTE_ROWS, b.x, b.pool, NULL), MOTE_OK);
    assert_int_equal(b.halo.count, count);
    assert_int_equal(mo_halo_bytes(&b.halo), bytes);
    close_bed(&b);
}

static void failures_leave_an_empty_halo(void **state)
{
    (void)state;
    double *x = make_rows(BRUTE_ROWS, 7);
    mo_domain domain = box(7);
    mote_status status = MOTE_ERROR_MEMORY;
    int failures = 0;
    for (int64_t fail_at = 0; status != MOTE_OK; ++fail_at) {
        failing_allocator allocator;
        mo_memory memory = failing_memory(&allocator, fail_at);
        mo_halo halo;
        mo_halo_init(&halo, &domain, RADIUS, &memory);
        status = mo_halo_build(&halo, BRUTE_ROWS, x, NULL, NULL);
        if (status != MOTE_OK) {
            ++failures;
            assert_int_equal(status, MOTE_ERROR_MEMORY);
            assert_int_equal(halo.owned, 0);
            assert_int_equal(halo.count, 0);
        }
        mo_halo_release(&halo);
        assert_all_given_back(&allocator, &memory);
    }
    assert_true(failures >= 5); /* owners, images, positions, shifts, blocks */
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ghosts_are_all_images_near_a_border),
        cmocka_unit_test(positions_follow_the_rows),
        cmocka_unit_test(an_update_copies_owners),
        cmocka_unit_test(add_back_is_the_transpose_of_update),
        cmocka_unit_test(the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(no_rows_are_fine),
        cmocka_unit_test(builds_can_follow_each_other),
        cmocka_unit_test(failures_leave_an_empty_halo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
