/*
 * A smooth curve through points: cubic Hermite segments with the chord lengths as parameter and the
 * tangents of E. Catmull, R. Rom 1974 (Computer Aided Geometric Design, 317) for unequal chords:
 *     m_i = (c_i (p_i - p_i-1)/c_i-1 + c_i-1 (p_i+1 - p_i)/c_i)/(c_i-1 + c_i)
 * with c_i = |p_i+1 - p_i|, so that the speed is nearly constant along it.
 */
#include "base/memory.h"
#include "geometry/motion/easing.h"
#include "geometry/motion/motion.h"

typedef struct path {
    mo_list points;
    double start, end;
    const char *easing;
    bool closed;
    /* set by prepare: the curve parameter of each point, and the tangents */
    double *knot;
    mo_vec3 *tangent;
} path;

static const mo_param PARAMS[] = {
    {"points", MO_VEC3, .list = true, MO_FIELD(path, points), .unit = "m", .required = true,
     .doc = "Interpolated displacements from the initial position, in order."},
    {"end", MO_REAL, MO_FIELD(path, end), .unit = "s", .required = true,
     .doc = "Time of arrival at the last point."},
    {"start", MO_REAL, MO_FIELD(path, start), .unit = "s", .initial = "0",
     .doc = "Time of departure from the first point."},
    MO_EASING_PARAM(path, easing),
    {"closed", MO_BOOL, MO_FIELD(path, closed), .initial = "false",
     .doc = "Closed path: returns to the first point and repeats."},
    {0}};

/* The point after the last of a closed curve is the first. */
static mo_vec3 point_of(const path *p, int64_t k)
{
    return ((const mo_vec3 *)p->points.items)[k % p->points.count];
}

static int64_t segments_of(const path *p)
{
    return p->closed ? p->points.count : p->points.count - 1;
}

static mote_status path_check(const void *params, mote_error *error)
{
    const path *p = params;
    if (p->points.count < 2) {
        return mo_fail(error, MOTE_ERROR_INPUT, "points: at least two are needed");
    }
    for (int64_t k = 0; k < segments_of(p); ++k) {
        if (!(mo_length(mo_sub(point_of(p, k + 1), point_of(p, k))) > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "points[%lld]: it coincides with the next "
                           "point",
                           (long long)k);
        }
    }
    if (!(p->end > p->start)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "end: %g is not after start = %g", p->end,
                       p->start);
    }
    return MOTE_OK;
}

/* At an open end, that of the straight line to the next point. */
static mo_vec3 tangent_at(const path *p, int64_t k)
{
    int64_t last = segments_of(p), before = k > 0 ? k - 1 : p->closed ? last - 1 : 0;
    int64_t after = k < last ? k : p->closed ? 0 : last - 1;
    double a = p->knot[before + 1] - p->knot[before], b = p->knot[after + 1] - p->knot[after];
    mo_vec3 in = mo_scale(1 / a, mo_sub(point_of(p, before + 1), point_of(p, before)));
    mo_vec3 out = mo_scale(1 / b, mo_sub(point_of(p, after + 1), point_of(p, after)));
    return mo_scale(1 / (a + b), mo_add_scaled(mo_scale(b, in), a, out));
}

static mote_status path_prepare(void *params, mo_arena *arena, mote_error *error)
{
    path *p = params;
    int64_t segments = segments_of(p);
    size_t bytes = (size_t)(segments + 1) * (sizeof *p->knot + sizeof *p->tangent);
    p->knot = mo_arena_allocate(arena, (size_t)(segments + 1) * sizeof *p->knot);
    p->tangent = mo_arena_allocate(arena, (size_t)(segments + 1) * sizeof *p->tangent);
    if (!p->knot || !p->tangent) {
        return mo_fail_memory(error, bytes);
    }
    p->knot[0] = 0;
    for (int64_t k = 0; k < segments; ++k) {
        p->knot[k + 1] = p->knot[k] + mo_length(mo_sub(point_of(p, k + 1), point_of(p, k)));
    }
    for (int64_t k = 0; k <= segments; ++k) {
        p->tangent[k] = tangent_at(p, k);
    }
    return MOTE_OK;
}

/* The point at the length s, and the derivative there. */
static mo_vec3 curve_at(const path *p, double s, mo_vec3 *slope)
{
    int64_t k = 0, last = segments_of(p) - 1;
    while (k < last && p->knot[k + 1] <= s) {
        ++k;
    }
    double c = p->knot[k + 1] - p->knot[k], u = (s - p->knot[k]) / c;
    mo_vec3 a = point_of(p, k), way = mo_sub(point_of(p, k + 1), a);
    mo_vec3 m = mo_scale(c, p->tangent[k]), n = mo_scale(c, p->tangent[k + 1]);
    /* a + m u + (3 way - 2 m - n) u^2 + (m + n - 2 way) u^3 */
    mo_vec3 square = mo_sub(mo_add_scaled(mo_scale(3, way), -2, m), n);
    mo_vec3 cube = mo_add_scaled(mo_add(m, n), -2, way);
    mo_vec3 rate = mo_add_scaled(mo_add_scaled(m, 2 * u, square), 3 * u * u, cube);
    *slope = mo_scale(1 / c, rate);
    return mo_add_scaled(mo_add_scaled(mo_add_scaled(a, u, m), u * u, square), u * u * u, cube);
}

static mo_pose path_pose(const void *params, double time)
{
    const path *p = params;
    double length = p->knot[segments_of(p)], duration = p->end - p->start, rate;
    double round = p->closed && time > p->start ? floor((time - p->start) / duration) : 0;
    double gone = mo_ease_time(p->easing, p->start, p->end, time - round * duration, &rate);
    mo_pose pose = mo_pose_identity();
    mo_vec3 slope;
    pose.p = curve_at(p, length * gone / duration, &slope);
    pose.v = mo_scale(rate * length / duration, slope);
    return pose;
}

const mo_motion_type mo_motion_path = {
    .base = {.name = "path",
             .summary = "Motion along a Catmull-Rom spline through points.",
             .citation = "E. Catmull, R. Rom 1974, Computer Aided Geometric Design, 317",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(path),
             .params = PARAMS,
             .check = path_check,
             .prepare = path_prepare},
    .pose = path_pose,
};
