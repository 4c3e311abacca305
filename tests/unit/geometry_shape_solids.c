/* Cylinders, cones, capsules, ellipsoids, tori, transforms and boolean combinations: distances,
 * volumes, chords, facets and samples against closed forms and brute force. */
#include "test.h"

#include "geometry/grid/point_grid.h"
#include "geometry/shape/facets.h"
#include "geometry/shape/filling.h"
#include "geometry/shape/shape_samples.h"
#include "numbers.h"
#include "shape_text.h"

#define PI MO_PI

/* A shape with its volume and area. */
typedef struct solid {
    const char *text;
    double volume, area;
    bool convex;
} solid;

static const double FRUSTUM_SLANT = 1.019803902718557; /* sqrt(1 + 0.2^2) */

static const solid SOLIDS[] = {
    {"{\"type\": \"cylinder\", \"start\": [0.1, 0.2, -0.3], \"end\": [0.7, 0.2, 0.5], "
     "\"radius\": 0.4}",
     PI * 0.16, 2 * PI * 0.4 * 1.4, true},
    {"{\"type\": \"cone\", \"start\": [0.2, 0, 0], \"end\": [0.2, 0, 1], \"radius\": 0.75}",
     PI * 0.5625 / 3, PI * 0.75 * (0.75 + 1.25), true},
    {"{\"type\": \"cone\", \"start\": [0, 0, 0], \"end\": [0, -1, 0], \"radius\": 0.3, "
     "\"end_radius\": 0.5}",
     PI / 3 * (0.09 + 0.15 + 0.25), PI *(0.09 + 0.25 + 0.8 * FRUSTUM_SLANT), true},
    {"{\"type\": \"capsule\", \"start\": [0, 0, 0], \"end\": [0.6, 0.8, 0], \"radius\": 0.3}",
     PI * 0.09 * (1 + 0.4), 2 * PI * 0.3 * 1.6, true},
    {"{\"type\": \"ellipsoid\", \"center\": [1, 0, 0], \"radii\": [0.6, 0.6, 0.3]}",
     4 * PI / 3 * 0.108, 0, true},
    {"{\"type\": \"torus\", \"axis\": [0, 1, 1], \"radius\": 0.6, \"tube\": 0.25}",
     2 * PI *PI * 0.6 * 0.0625, 4 * PI *PI * 0.6 * 0.25, false},
    {"{\"type\": \"transform\", \"scale\": 2, \"axis\": [1, 1, 0], \"angle\": 0.7, \"translate\": "
     "[1, 2, 3], \"shape\": {\"type\": \"box\", \"min\": [-0.2, -0.3, 0], \"max\": [0.2, 0.3, "
     "0.5]}}",
     8 * 0.12, 4 * (0.48 + 1.0), true},
};
enum { SOLID_COUNT = sizeof SOLIDS / sizeof *SOLIDS };

static double distance_at(mo_method shape, mo_vec3 x, mo_vec3 *normal)
{
    double at[3], distance, n[3];
    mo_vec3_store(at, x);
    mo_shape_distances(shape, 1, at, &distance, n);
    if (normal) {
        *normal = mo_vec3_load(n);
    }
    return distance;
}

/* ---- distances ---- */

/* The nearest vertex of fine facets, which are exactly on the surface: an upper bound. */
static double brute_distance(const mo_facets *f, mo_vec3 x)
{
    double least = INFINITY;
    for (int64_t t = 0; t < f->triangles; ++t) {
        mo_vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = mo_vec3_load(f->x + 3 * (int64_t)f->corner[3 * t + k]);
        }
        /* a few points of each triangle */
        for (int k = 0; k < 15; ++k) {
            static const double W[15][2] = {{0, 0},      {1, 0},      {0, 1},     {0.5, 0},
                                            {0, 0.5},    {0.5, 0.5},  {0.25, 0},  {0.75, 0},
                                            {0, 0.25},   {0, 0.75},   {0.25, .5}, {0.5, 0.25},
                                            {0.25, .25}, {0.25, .75}, {0.75, .25}};
            mo_vec3 at = mo_add_scaled(mo_add_scaled(p[0], W[k][0], mo_sub(p[1], p[0])), W[k][1],
                                       mo_sub(p[2], p[0]));
            least = fmin(least, mo_length(mo_sub(x, at)));
        }
    }
    return least;
}

static void distances_are_those_of_the_nearest_point(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int s = 0; s < SOLID_COUNT; ++s) {
        shape_text t;
        mo_facets f;
        mo_vec3 low, high;
        open_shape(&t, SOLIDS[s].text);
        mo_facets_init(&f, &t.memory);
        assert_true(mo_shape_bounds(t.shape, &low, &high));
        mo_vec3 middle = mo_scale(0.5, mo_add(low, high));
        mo_shape_region region = {low, high, 0.05, false};
        assert_int_equal(mo_shape_facets(t.shape, &region, &f, NULL), MOTE_OK);
        for (int k = 0; k < 60; ++k) {
            mo_vec3 x = mo_add(middle, random_vec3(&random, 1.5));
            double d = distance_at(t.shape, x, NULL), brute = brute_distance(&f, x);
            /* at most the distance to a surface point, up to the height of a facet */
            assert_true(fabs(d) <= brute + 2e-3);
            assert_true(fabs(d) >= brute - 0.3);
        }
        mo_facets_release(&f);
        close_shape(&t);
    }
}

/* The projection along the normal by the distance is on the surface, and is the nearest point:
 * its normal is the same. */
static void normals_lead_to_the_nearest_point(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int s = 0; s < SOLID_COUNT; ++s) {
        shape_text t;
        mo_vec3 low, high;
        open_shape(&t, SOLIDS[s].text);
        mo_shape_bounds(t.shape, &low, &high);
        mo_vec3 middle = mo_scale(0.5, mo_add(low, high));
        for (int k = 0; k < 3000; ++k) {
            mo_vec3 n, x = mo_add(middle, random_vec3(&random, 1.5));
            double d = distance_at(t.shape, x, &n);
            assert_near(mo_length(n), 1, 1e-14);
            assert_near(distance_at(t.shape, mo_add_scaled(x, -d, n), NULL), 0, 1e-12);
            assert_near(distance_at(t.shape, mo_add_scaled(x, -0.5 * d, n), NULL), 0.5 * d, 1e-12);
        }
        close_shape(&t);
    }
}

/* Closed-form distances on the axes. */
static void distances_on_the_axes_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        mo_vec3 x, normal;
        double distance;
    } CASES[] = {
        {"{\"type\": \"cylinder\", \"start\": [0, 0, 0], \"end\": [0, 0, 2], \"radius\": 1}",
         {0.5, 0, 1},
         {1, 0, 0},
         -0.5},
        {"{\"type\": \"cylinder\", \"start\": [0, 0, 0], \"end\": [0, 0, 2], \"radius\": 1}",
         {4, 0, 6},
         {0.6, 0, 0.8},
         5},
        {"{\"type\": \"cylinder\", \"start\": [0, 0, 0], \"end\": [0, 0, 2], \"radius\": 1}",
         {0, 0.5, -3},
         {0, 0, -1},
         3},
        {"{\"type\": \"cone\", \"start\": [0, 0, 0], \"end\": [0, 0, 3], \"radius\": 4}",
         {0, 0, 5},
         {0, 0, 1},
         2},
        {"{\"type\": \"cone\", \"start\": [0, 0, 0], \"end\": [0, 0, 3], \"radius\": 4}",
         {5, 0, 5.5},
         {0.6, 0, 0.8},
         5},
        {"{\"type\": \"capsule\", \"start\": [0, 0, 0], \"end\": [0, 0, 2], \"radius\": 1}",
         {3, 0, 6},
         {0.6, 0, 0.8},
         4},
        {"{\"type\": \"ellipsoid\", \"radii\": [3, 2, 1]}", {0, 0, 0}, {0, 0, 1}, -1},
        {"{\"type\": \"ellipsoid\", \"radii\": [3, 2, 1]}", {5, 0, 0}, {1, 0, 0}, 2},
        {"{\"type\": \"ellipsoid\", \"radii\": [3, 2, 1]}", {0, -7, 0}, {0, -1, 0}, 5},
        {"{\"type\": \"torus\", \"radius\": 2, \"tube\": 0.5}", {0, 3, 0}, {0, 1, 0}, 0.5},
        {"{\"type\": \"torus\", \"radius\": 2, \"tube\": 0.5}", {2, 0, 0.25}, {0, 0, 1}, -0.25},
        {"{\"type\": \"transform\", \"scale\": 3, \"translate\": [1, 0, 0], \"shape\": {\"type\": "
         "\"sphere\", \"radius\": 1}}",
         {6, 0, 0},
         {1, 0, 0},
         2},
        {"{\"type\": \"transform\", \"axis\": [0, 0, 2], \"angle\": 1.5707963267948966, \"shape\": "
         "{\"type\": \"plane\", \"normal\": [1, 0, 0]}}",
         {7, 2, 1},
         {0, 1, 0},
         2},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        shape_text t;
        mo_vec3 n;
        open_shape(&t, CASES[k].text);
        assert_near(distance_at(t.shape, CASES[k].x, &n), CASES[k].distance, 1e-14);
        assert_near_vec3(n, CASES[k].normal, 1e-14);
        close_shape(&t);
    }
}

/* In a flat ellipsoid points of the symmetry plane have their nearest points outside of it,
 * continuously in the distance from that plane. */
static void ellipsoids_are_exact_in_their_middle_plane(void **state)
{
    (void)state;
    shape_text t;
    mo_vec3 n, m;
    open_shape(&t, "{\"type\": \"ellipsoid\", \"radii\": [2, 2, 0.5]}");
    for (int k = 0; k < 40; ++k) {
        mo_vec3 x = {0.049 * k, 0, 0};
        /* y = e^2 x/(e^2 - c^2) in the plane; the rest follows from the ellipsoid */
        double rho = 4 * x.x / (4 - 0.25), height = 0.5 * sqrt(fmax(0, 1 - rho * rho / 4));
        double expected = rho < 2 ? -sqrt((rho - x.x) * (rho - x.x) + height * height) : x.x - 2;
        assert_near(distance_at(t.shape, x, &n), expected, 1e-14);
        for (double off = 1e-300; off < 1e-9; off *= 1e6) {
            x.z = off;
            assert_near(distance_at(t.shape, x, &m), expected, 1e-9);
            assert_near(fabs(m.x), fabs(n.x), 1e-4);
        }
    }
    close_shape(&t);
}

/* ---- boolean combinations ---- */

static const char *const PARTS[3] = {
    "{\"type\": \"sphere\", \"center\": [0.1, 0, 0], \"radius\": 0.5}",
    "{\"type\": \"box\", \"min\": [-0.3, -0.35, -0.2], \"max\": [0.4, 0.3, 0.9]}",
    "{\"type\": \"cylinder\", \"start\": [-1, 0.1, 0], \"end\": [1, 0, 0.2], \"radius\": 0.15}"};

static void combinations_have_the_points_that_they_should(void **state)
{
    (void)state;
    uint64_t random = 3;
    char text[1000];
    shape_text part[3], all[3];
    snprintf(text, sizeof text, "{\"type\": \"union\", \"shapes\": [%s, %s, %s]}", PARTS[0],
             PARTS[1], PARTS[2]);
    open_shape(&all[0], text);
    snprintf(text, sizeof text, "{\"type\": \"intersection\", \"shapes\": [%s, %s, %s]}", PARTS[0],
             PARTS[1], PARTS[2]);
    open_shape(&all[1], text);
    snprintf(text, sizeof text, "{\"type\": \"difference\", \"shape\": %s, \"subtract\": [%s, %s]}",
             PARTS[0], PARTS[1], PARTS[2]);
    open_shape(&all[2], text);
    for (int k = 0; k < 3; ++k) {
        open_shape(&part[k], PARTS[k]);
    }
    for (int k = 0; k < 20000; ++k) {
        mo_vec3 x = random_vec3(&random, 1);
        bool a = mo_shape_contains(part[0].shape, x), b = mo_shape_contains(part[1].shape, x),
             c = mo_shape_contains(part[2].shape, x);
        assert_int_equal(mo_shape_contains(all[0].shape, x), a || b || c);
        assert_int_equal(mo_shape_contains(all[1].shape, x), a && b && c);
        assert_int_equal(mo_shape_contains(all[2].shape, x), a && !b && !c);
    }
    for (int k = 0; k < 3; ++k) {
        close_shape(&part[k]);
        close_shape(&all[k]);
    }
}

/* A ball of the radius of the distance around any point does not intersect the surface. */
static void bounds_of_combinations_are_safe(void **state)
{
    (void)state;
    uint64_t random = 4;
    char text[1000];
    shape_text t;
    snprintf(text, sizeof text,
             "{\"type\": \"difference\", \"shape\": {\"type\": \"union\", \"shapes\": [%s, %s]}, "
             "\"subtract\": [%s]}",
             PARTS[0], PARTS[1], PARTS[2]);
    open_shape(&t, text);
    for (int k = 0; k < 2000; ++k) {
        mo_vec3 x = random_vec3(&random, 1.2);
        double d = distance_at(t.shape, x, NULL);
        for (int j = 0; j < 20; ++j) {
            mo_vec3 y = mo_add_scaled(x, (1 - 1e-9) * fabs(d), random_unit_vec3(&random));
            double there = distance_at(t.shape, y, NULL);
            assert_true((there <= 0) == (d <= 0) || there == 0);
        }
    }
    close_shape(&t);
}

static void openings_reach_beyond_their_face(void **state)
{
    (void)state;
    mote_error error = {0};
    shape_text t;
    assert_int_equal(
        read_shape(&t,
                   "{\"type\": \"difference\", \"shape\": {\"type\": \"cylinder\", \"start\": [0, "
                   "0, 0], \"end\": [0, 0, 1], \"radius\": 0.5}, \"subtract\": [{\"type\": "
                   "\"cylinder\", \"start\": [0, 0, 0.1], \"end\": [0, 0, 1], \"radius\": 0.4}]}",
                   &error),
        MOTE_ERROR_INPUT);
    assert_says(error.text, "shape.subtract[0]: its surface coincides with a face of the shape");
    close_shape(&t);
    assert_int_equal(read_shape(&t,
                                "{\"type\": \"intersection\", \"shapes\": [{\"type\": \"sphere\", "
                                "\"radius\": 1}, {\"type\": \"sphere\", \"center\": [3, 0, 0], "
                                "\"radius\": 1}]}",
                                &error),
                     MOTE_ERROR_INPUT);
    assert_says(error.text, "their intersection is empty");
    close_shape(&t);
}

/* Nested methods are limited in depth. */
static void nesting_has_a_limit(void **state)
{
    (void)state;
    enum { DEEP = 60, LENGTH = 100 };
    char text[DEEP * LENGTH] = "";
    mote_error error = {0};
    shape_text t;
    for (int k = 0; k < DEEP; ++k) {
        strcat(text, "{\"type\": \"union\", \"shapes\": [");
    }
    strcat(text, "{\"type\": \"sphere\", \"radius\": 1}");
    for (int k = 0; k < DEEP; ++k) {
        strcat(text, "]}");
    }
    assert_int_equal(read_shape(&t, text, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, "a shape is nested more than 31 levels deep");
    close_shape(&t);
}

/* ---- chords ---- */

static void chords_end_on_the_surface(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int s = 0; s < SOLID_COUNT; ++s) {
        shape_text t;
        mo_vec3 low, high;
        int hits = 0;
        open_shape(&t, SOLIDS[s].text);
        assert_int_equal(mo_shape_has_chord(t.shape), SOLIDS[s].convex);
        mo_shape_bounds(t.shape, &low, &high);
        mo_vec3 middle = mo_scale(0.5, mo_add(low, high));
        for (int k = 0; k < 4000 && SOLIDS[s].convex; ++k) {
            mo_vec3 from = mo_add(middle, random_vec3(&random, 1)), u = random_unit_vec3(&random);
            double enter, leave;
            bool hit = mo_shape_chord(t.shape, from, u, &enter, &leave);
            hits += hit;
            if (!hit) { /* no point of the line is inside */
                for (double at = -3; at < 3; at += 0.05) {
                    assert_true(distance_at(t.shape, mo_add_scaled(from, at, u), NULL) > -1e-9);
                }
                continue;
            }
            assert_true(enter < leave);
            assert_near(distance_at(t.shape, mo_add_scaled(from, enter, u), NULL), 0, 1e-9);
            assert_near(distance_at(t.shape, mo_add_scaled(from, leave, u), NULL), 0, 1e-9);
            mo_vec3 inner = mo_add_scaled(from, 0.5 * (enter + leave), u);
            assert_true(distance_at(t.shape, inner, NULL) < 1e-9);
        }
        assert_true(!SOLIDS[s].convex || (hits > 400 && hits < 3900));
        close_shape(&t);
    }
}

/* The parts of a line within a combination are those whose points it contains. */
static void intervals_have_the_points_inside(void **state)
{
    (void)state;
    uint64_t random = 6;
    char text[1200];
    shape_text t;
    int64_t inner = 0;
    snprintf(text, sizeof text,
             "{\"type\": \"transform\", \"scale\": 1.5, \"angle\": 0.3, \"shape\": {\"type\": "
             "\"difference\", \"shape\": {\"type\": \"union\", \"shapes\": [%s, %s]}, "
             "\"subtract\": [%s, {\"type\": \"plane\", \"point\": [0, 0, -0.3]}]}}",
             PARTS[0], PARTS[1], PARTS[2]);
    open_shape(&t, text);
    for (int k = 0; k < 3000; ++k) {
        mo_interval list[MO_INTERVALS_MOST];
        mo_vec3 from = random_vec3(&random, 1), u = random_unit_vec3(&random);
        int count = mo_shape_intervals(t.shape, from, u, list);
        assert_true(count >= 0);
        for (int j = 0; j < 40; ++j) {
            double at = random_between(&random, -2, 2);
            mo_vec3 x = mo_add_scaled(from, at, u);
            bool within = false;
            for (int n = 0; n < count; ++n) {
                within = within || (at > list[n].from && at < list[n].to);
                assert_true(n == 0 || list[n].from >= list[n - 1].to);
            }
            assert_true(within == mo_shape_contains(t.shape, x) ||
                        fabs(distance_at(t.shape, x, NULL)) < 1e-9);
            inner += within;
        }
    }
    assert_true(inner > 10000);
    close_shape(&t);
}

/* ---- volumes ---- */

/* The mass of a fill is that of the volume, to a layer of cells: 0.1 spacings of the surface. */
static void fills_have_the_volume(void **state)
{
    (void)state;
    const double spacing = 0.02;
    for (int s = 0; s < SOLID_COUNT; ++s) {
        shape_text t;
        mo_fill_points points;
        mo_filling how = mo_filling_make(spacing, 3);
        open_shape(&t, SOLIDS[s].text);
        mo_fill_points_init(&points, &t.memory);
        assert_int_equal(mo_fill_shape(t.shape, &how, &points, NULL), MOTE_OK);
        double volume = (double)points.count * points.cell;
        double surface = SOLIDS[s].area > 0 ? SOLIDS[s].area : 4 * PI * 0.36;
        assert_near(volume, SOLIDS[s].volume, 0.1 * spacing * surface);
        for (int64_t k = 0; k < points.count; ++k) {
            assert_true(distance_at(t.shape, mo_vec3_load(points.x + 3 * k), NULL) < 1e-6);
        }
        mo_fill_points_release(&points);
        close_shape(&t);
    }
}

/* Two cylinders at right angles share 16/3 r^3 (Archimedes, Zu Chongzhi); a glass has the volume of
 * its wall. */
static void combinations_have_the_volume(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double volume, area;
    } CASES[] = {
        {"{\"type\": \"intersection\", \"shapes\": [{\"type\": \"cylinder\", \"start\": [-1, 0, "
         "0], \"end\": [1, 0, 0], \"radius\": 0.5}, {\"type\": \"cylinder\", \"start\": [0, -1, "
         "0], \"end\": [0, 1, 0], \"radius\": 0.5}]}",
         16.0 / 3 * 0.125, 16 * 0.25},
        {"{\"type\": \"difference\", \"shape\": {\"type\": \"cylinder\", \"start\": [0, 0, 0], "
         "\"end\": [0, 0, 1], \"radius\": 0.5}, \"subtract\": [{\"type\": \"cylinder\", \"start\": "
         "[0, 0, 0.1], \"end\": [0, 0, 1.5], \"radius\": 0.4}]}",
         PI * (0.25 - 0.16 * 0.9), 2 * PI * (0.5 + 0.4 + 0.25)},
        {"{\"type\": \"union\", \"shapes\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": "
         "[0.5, 0.5, 0.5]}, {\"type\": \"box\", \"min\": [0.25, 0.25, 0.25], \"max\": [0.75, 0.75, "
         "0.75]}]}",
         2 * 0.125 - 0.015625, 3},
    };
    for (size_t s = 0; s < sizeof CASES / sizeof *CASES; ++s) {
        shape_text t;
        mo_fill_points points;
        mo_filling how = mo_filling_make(0.02, 3);
        open_shape(&t, CASES[s].text);
        mo_fill_points_init(&points, &t.memory);
        assert_int_equal(mo_fill_shape(t.shape, &how, &points, NULL), MOTE_OK);
        assert_near((double)points.count * points.cell, CASES[s].volume,
                    0.15 * 0.02 * CASES[s].area);
        mo_fill_points_release(&points);
        close_shape(&t);
    }
}

/* ---- facets and samples ---- */

static double facet_volume(const mo_facets *f, double *area)
{
    double sum = 0;
    *area = 0;
    for (int64_t t = 0; t < f->triangles; ++t) {
        mo_vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = mo_vec3_load(f->x + 3 * (int64_t)f->corner[3 * t + k]);
        }
        mo_vec3 cross = mo_cross(mo_sub(p[1], p[0]), mo_sub(p[2], p[0]));
        sum += mo_dot(p[0], cross) / 6;
        *area += 0.5 * mo_length(cross);
    }
    return sum;
}

static void facets_enclose_the_volume(void **state)
{
    (void)state;
    for (int s = 0; s < SOLID_COUNT; ++s) {
        shape_text t;
        mo_facets f;
        mo_vec3 low, high;
        double area;
        open_shape(&t, SOLIDS[s].text);
        mo_facets_init(&f, &t.memory);
        mo_shape_bounds(t.shape, &low, &high);
        mo_shape_region region = {low, high, 0.01, false};
        assert_int_equal(mo_shape_facets(t.shape, &region, &f, NULL), MOTE_OK);
        assert_near(facet_volume(&f, &area), SOLIDS[s].volume, 1e-3 * SOLIDS[s].volume);
        assert_true(SOLIDS[s].area == 0 || fabs(area - SOLIDS[s].area) < 1e-3 * SOLIDS[s].area);
        for (int64_t k = 0; k < f.vertices; ++k) {
            assert_near(distance_at(t.shape, mo_vec3_load(f.x + 3 * k), NULL), 0, 1e-12);
        }
        mo_facets_release(&f);
        close_shape(&t);
    }
}

/* Those of a combination are on its surface, and enclose its volume. */
static void cut_facets_enclose_the_volume(void **state)
{
    (void)state;
    shape_text t;
    mo_facets f;
    double area, volume = PI * (0.25 - 0.16 * 0.9);
    open_shape(&t,
               "{\"type\": \"difference\", \"shape\": {\"type\": \"cylinder\", \"start\": [0, 0, "
               "0], \"end\": [0, 0, 1], \"radius\": 0.5}, \"subtract\": [{\"type\": \"cylinder\", "
               "\"start\": [0, 0, 0.1], \"end\": [0, 0, 1.5], \"radius\": 0.4}]}");
    mo_facets_init(&f, &t.memory);
    mo_shape_region region = {{-0.5, -0.5, 0}, {0.5, 0.5, 1}, 0.01, false};
    assert_int_equal(mo_shape_facets(t.shape, &region, &f, NULL), MOTE_OK);
    assert_near(facet_volume(&f, &area), volume, 1e-3 * volume);
    assert_near(area, PI * (0.25 + 0.25 - 0.16 + 0.16) + 2 * PI * (0.5 + 0.4 * 0.9), 0.01);
    for (int64_t k = 0; k < f.vertices; ++k) {
        assert_near(distance_at(t.shape, mo_vec3_load(f.x + 3 * k), NULL), 0, 1e-4);
    }
    mo_facets_release(&f);
    close_shape(&t);
}

static void samples_cover_the_surface(void **state)
{
    (void)state;
    const double spacing = 0.05;
    for (int s = 0; s < SOLID_COUNT; ++s) {
        shape_text t;
        mo_samples samples;
        mo_point_grid grid;
        mo_facets f;
        mo_vec3 low, high;
        double area = 0, square;
        int64_t aside = 0;
        open_shape(&t, SOLIDS[s].text);
        mo_samples_init(&samples, &t.memory);
        mo_point_grid_init(&grid, &t.memory, spacing);
        mo_facets_init(&f, &t.memory);
        mo_sampling how = mo_sampling_make(spacing, 3);
        assert_int_equal(mo_sample_shape(t.shape, &how, &samples, NULL), MOTE_OK);
        for (int64_t k = 0; k < samples.count; ++k) {
            mo_vec3 n, x = mo_vec3_load(samples.x + 3 * k);
            assert_near(distance_at(t.shape, x, &n), 0, 1e-9);
            aside += mo_dot(n, mo_vec3_load(samples.normal + 3 * k)) < 0.9; /* on edges */
            bool near = mo_point_grid_nearest(&grid, x, 0.57 * spacing, &square) >= 0;
            assert_false(near);
            assert_int_equal(mo_point_grid_add(&grid, x, NULL), MOTE_OK);
            area += samples.area[k];
        }
        assert_true(SOLIDS[s].area == 0 || fabs(area - SOLIDS[s].area) < 0.01 * SOLIDS[s].area);
        assert_true(5 * aside < samples.count);
        /* no vertex of fine facets is far from a sample */
        mo_shape_bounds(t.shape, &low, &high);
        mo_shape_region region = {low, high, 0.02, false};
        assert_int_equal(mo_shape_facets(t.shape, &region, &f, NULL), MOTE_OK);
        for (int64_t k = 0; k < f.vertices; ++k) {
            assert_true(
                mo_point_grid_nearest(&grid, mo_vec3_load(f.x + 3 * k), 0.8 * spacing, NULL) >= 0);
        }
        mo_facets_release(&f);
        mo_point_grid_release(&grid);
        mo_samples_release(&samples);
        close_shape(&t);
    }
}

/* A rotated and translated plane is a half space, a corner of two planes is not. */
static void half_spaces_are_found(void **state)
{
    (void)state;
    shape_text t;
    mo_vec3 point, normal;
    open_shape(&t, "{\"type\": \"transform\", \"translate\": [0, 0, 2], \"axis\": [1, 0, 0], "
                   "\"angle\": 0.4, \"shape\": {\"type\": \"plane\"}}");
    assert_true(mo_shape_half_space(t.shape, &point, &normal));
    assert_near_vec3(normal, mo_vec3_make(0, -sin(0.4), cos(0.4)), 1e-15);
    assert_near(mo_dot(normal, mo_sub(mo_vec3_make(0, 0, 2), point)), 0, 1e-15);
    close_shape(&t);
    open_shape(&t, "{\"type\": \"union\", \"shapes\": [{\"type\": \"plane\"}, {\"type\": "
                   "\"plane\", \"normal\": [1, 0, 0]}]}");
    assert_false(mo_shape_half_space(t.shape, &point, &normal));
    close_shape(&t);
    open_shape(&t, "{\"type\": \"sphere\", \"radius\": 1}");
    assert_false(mo_shape_half_space(t.shape, &point, &normal));
    close_shape(&t);
}

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"{\"type\": \"cylinder\", \"start\": [1, 0, 0], \"end\": [1, 0, 0], \"radius\": 1}",
         "shape.end: it coincides with start"},
        {"{\"type\": \"torus\", \"radius\": 1, \"tube\": 1}", "shape.tube: 1 must be less than"},
        {"{\"type\": \"torus\", \"axis\": [0, 0, 0], \"radius\": 1, \"tube\": 0.1}", "shape.axis"},
        {"{\"type\": \"ellipsoid\", \"radii\": [1, 0, 1]}", "radii[1]"},
        {"{\"type\": \"ellipsoid\", \"radii\": [1, 1e-6, 1]}", "10,000 times"},
        {"{\"type\": \"union\", \"shapes\": []}", "shape.shapes: a union needs at least one"},
        {"{\"type\": \"transform\", \"axis\": [0, 0, 0], \"shape\": {\"type\": \"sphere\", "
         "\"radius\": 1}}",
         "shape.axis"},
        {"{\"type\": \"difference\", \"shape\": {\"type\": \"sphere\", \"radius\": -1}, "
         "\"subtract\": []}",
         "shape.shape.radius"},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        mote_error error = {0};
        shape_text t;
        assert_int_equal(read_shape(&t, CASES[k][0], &error), MOTE_ERROR_INPUT);
        assert_says(error.text, CASES[k][1]);
        close_shape(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_nearest_point),
        cmocka_unit_test(normals_lead_to_the_nearest_point),
        cmocka_unit_test(distances_on_the_axes_are_known),
        cmocka_unit_test(ellipsoids_are_exact_in_their_middle_plane),
        cmocka_unit_test(combinations_have_the_points_that_they_should),
        cmocka_unit_test(bounds_of_combinations_are_safe),
        cmocka_unit_test(openings_reach_beyond_their_face),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(chords_end_on_the_surface),
        cmocka_unit_test(intervals_have_the_points_inside),
        cmocka_unit_test(fills_have_the_volume),
        cmocka_unit_test(combinations_have_the_volume),
        cmocka_unit_test(facets_enclose_the_volume),
        cmocka_unit_test(cut_facets_enclose_the_volume),
        cmocka_unit_test(samples_cover_the_surface),
        cmocka_unit_test(half_spaces_are_found),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
