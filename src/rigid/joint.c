/* The equations of joints. */
#include "rigid/joint.h"

/* A joint's frames in the world. */
typedef struct frames {
    mo_vec3 r[2]; /* from the centres of mass to the points */
    mo_vec3 d;    /* from the point of body 1 to that of body 0 */
    mo_quat turn[2];
    mo_vec3 axis[2][3]; /* x, y, z */
} frames;

static frames frames_of(const mo_rigid_joint *joint, const mo_vec3 x[2], const mo_quat q[2])
{
    frames f;
    for (int side = 0; side < 2; ++side) {
        f.r[side] = mo_quat_rotate(q[side], joint->point[side]);
        f.turn[side] = mo_quat_product(q[side], joint->frame[side]);
        mo_mat3 m = mo_mat3_transpose(mo_quat_matrix(f.turn[side]));
        for (int k = 0; k < 3; ++k) {
            f.axis[side][k] = mo_mat3_row(m, k);
        }
    }
    f.d = mo_sub(mo_add(x[0], f.r[0]), mo_add(x[1], f.r[1]));
    return f;
}

mo_rigid_joint mo_rigid_joint_make(mo_rigid_joint_kind kind, const int32_t body[2],
                                   const mo_vec3 x[2], const mo_quat q[2], mo_vec3 point,
                                   mo_vec3 other, mo_vec3 axis)
{
    mo_rigid_joint joint = {.kind = kind, .body = {body[0], body[1]}};
    mo_vec3 z = mo_unit(axis, mo_vec3_make(0, 0, 1)), up = {0, 0, 1};
    /* the shortest rotation of the z axis into the joint's */
    mo_vec3 cross = mo_cross(up, z);
    mo_quat turn = z.z > -0.999999
                       ? mo_quat_normalize((mo_quat){1 + z.z, cross.x, cross.y, cross.z})
                       : (mo_quat){0, 1, 0, 0};
    for (int side = 0; side < 2; ++side) {
        mo_quat back = mo_quat_conjugate(q[side]);
        mo_vec3 p = side == 1 && kind == MO_JOINT_DISTANCE ? other : point;
        joint.point[side] = mo_quat_rotate(back, mo_sub(p, x[side]));
        joint.frame[side] = mo_quat_normalize(mo_quat_product(back, turn));
    }
    if (kind == MO_JOINT_DISTANCE) {
        joint.rest = mo_length(mo_sub(point, other));
    }
    return joint;
}

/* ---- rows ---- */

/* Displacement of the points along a direction fixed in the world (`follows` 0) or in body 1
 * (`follows` 1, where the lever arm of body 1 reaches to the point of body 0). */
static mo_rigid_joint_row point_row(const frames *f, int slot, mo_vec3 n, double follows)
{
    return (mo_rigid_joint_row){
        .slot = slot,
        .linear = n,
        .angular = {mo_cross(f->r[0], n), mo_cross(mo_add_scaled(f->r[1], follows, f->d), n)},
        .error = mo_dot(f->d, n),
        .sign = 1};
}

static mo_rigid_joint_row angle_row(int slot, mo_vec3 axis, double error)
{
    return (mo_rigid_joint_row){.slot = slot, .angular = {axis, axis}, .error = error, .sign = 1};
}

static int point_rows(const frames *f, mo_rigid_joint_row *row)
{
    static const mo_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; ++k) {
        row[k] = point_row(f, k, axes[k], 0);
    }
    return 3;
}

/* Twice the vector part of the relative rotation, in the frame of body 1: the rotation vector
 * where it is small. */
static mo_vec3 relative_rotation(const frames *f)
{
    mo_quat r = mo_quat_product(mo_quat_conjugate(f->turn[1]), f->turn[0]);
    double s = r.w < 0 ? -2 : 2;
    return mo_vec3_make(s * r.x, s * r.y, s * r.z);
}

static int rotation_rows(const frames *f, int slot, mo_rigid_joint_row *row)
{
    mo_vec3 error = relative_rotation(f);
    for (int k = 0; k < 3; ++k) {
        row[k] = angle_row(slot + k, f->axis[1][k], mo_vec3_at(error, k));
    }
    return 3;
}

static int base_rows(const mo_rigid_joint *joint, const frames *f, mo_rigid_joint_row *row)
{
    mo_vec3 z = f->axis[0][2];
    switch (joint->kind) {
    case MO_JOINT_BALL:
        return point_rows(f, row);
    case MO_JOINT_HINGE:
        point_rows(f, row);
        for (int k = 0; k < 2; ++k) { /* z of body 0 is normal to x and y of body 1 */
            mo_vec3 a = f->axis[1][k];
            row[3 + k] = angle_row(3 + k, mo_cross(z, a), mo_dot(z, a));
        }
        return 5;
    case MO_JOINT_SLIDER:
        row[0] = point_row(f, 0, f->axis[1][0], 1);
        row[1] = point_row(f, 1, f->axis[1][1], 1);
        return 2 + rotation_rows(f, 2, row + 2);
    case MO_JOINT_FIXED:
        point_rows(f, row);
        return 3 + rotation_rows(f, 3, row + 3);
    case MO_JOINT_DISTANCE:
        return 0;
    }
    return 0;
}

/* The angle of body 0 relative to body 1, continued from the previous one. */
static double hinge_angle(const mo_rigid_joint *joint, const frames *f)
{
    const double turn = 2 * 3.14159265358979323846;
    mo_vec3 x = f->axis[0][0];
    double angle = atan2(mo_dot(x, f->axis[1][1]), mo_dot(x, f->axis[1][0]));
    return angle + turn * nearbyint((joint->angle - angle) / turn);
}

/* The row of the joint's coordinate, whose error is the coordinate itself. */
static bool coordinate_row(const mo_rigid_joint *joint, const frames *f, mo_rigid_joint_row *row)
{
    switch (joint->kind) {
    case MO_JOINT_HINGE:
        *row = angle_row(0, f->axis[1][2], hinge_angle(joint, f));
        return true;
    case MO_JOINT_SLIDER:
        *row = point_row(f, 0, f->axis[1][2], 1);
        return true;
    case MO_JOINT_DISTANCE:
        *row = point_row(f, 0, mo_unit(f->d, f->axis[1][2]), 0);
        return true;
    default:
        return false;
    }
}

static mo_rigid_joint_row reversed(mo_rigid_joint_row row)
{
    row.linear = mo_scale(-1, row.linear);
    row.angular[0] = mo_scale(-1, row.angular[0]);
    row.angular[1] = mo_scale(-1, row.angular[1]);
    row.error = -row.error;
    row.sign = -1;
    return row;
}

/* Rod, limit (the nearer one), motor and spring. */
static int coordinate_rows(const mo_rigid_joint *joint, mo_rigid_joint_row c,
                           mo_rigid_joint_row *row)
{
    int count = 0;
    double at = c.error;
    if (joint->kind == MO_JOINT_DISTANCE && !joint->rope && joint->frequency == 0) {
        row[count] = c;
        row[count].slot = 0;
        row[count++].error = at - joint->rest;
    }
    if (joint->limited) {
        bool upper = joint->upper - at < at - joint->lower;
        mo_rigid_joint_row limit = c;
        limit.error = at - (upper ? joint->upper : joint->lower);
        row[count] = upper ? reversed(limit) : limit;
        row[count++].slot = MO_JOINT_LIMIT;
    }
    if (joint->motor) {
        row[count] = c;
        row[count++].slot = MO_JOINT_MOTOR;
    }
    if (joint->frequency > 0) {
        row[count] = c;
        row[count].slot = MO_JOINT_SPRING;
        row[count++].error = at - joint->rest;
    }
    return count;
}

int mo_rigid_joint_rows(mo_rigid_joint *joint, const mo_vec3 x[2], const mo_quat q[2],
                        mo_rigid_joint_row row[MO_JOINT_ROWS])
{
    frames f = frames_of(joint, x, q);
    mo_rigid_joint_row coordinate;
    int count = base_rows(joint, &f, row);
    if ((joint->kind == MO_JOINT_DISTANCE || joint->limited || joint->motor ||
         joint->frequency > 0) &&
        coordinate_row(joint, &f, &coordinate)) {
        joint->angle = joint->kind == MO_JOINT_HINGE ? coordinate.error : 0;
        count += coordinate_rows(joint, coordinate, row + count);
    }
    return count;
}

/* The distance of the points is all there is to measure. */
static void measure_ball(mo_rigid_joint *joint, const mo_vec3 x[2], const mo_quat q[2])
{
    mo_vec3 end[2];
    for (int side = 0; side < 2; ++side) {
        end[side] = mo_add(x[side], mo_quat_rotate(q[side], joint->point[side]));
    }
    joint->error = mo_length(mo_sub(end[0], end[1]));
    joint->coordinate = joint->angle = joint->angle_error = 0;
}

void mo_rigid_joint_measure(mo_rigid_joint *joint, const mo_vec3 x[2], const mo_quat q[2])
{
    if (joint->kind == MO_JOINT_BALL) {
        measure_ball(joint, x, q);
        return;
    }
    frames f = frames_of(joint, x, q);
    mo_rigid_joint_row row = {.error = 0};
    coordinate_row(joint, &f, &row);
    mo_vec3 d = f.d, z = f.axis[1][2], turn = relative_rotation(&f);
    joint->coordinate = row.error;
    joint->angle = joint->kind == MO_JOINT_HINGE ? row.error : 0;
    joint->error = mo_length(d);
    joint->angle_error = 0;
    if (joint->kind == MO_JOINT_SLIDER) {
        joint->error = mo_length(mo_add_scaled(d, -mo_dot(d, z), z));
    }
    if (joint->kind == MO_JOINT_DISTANCE) {
        double length = row.error, over = joint->limited ? length - joint->upper : 0;
        double under = joint->limited ? joint->lower - length : 0;
        bool rod = !joint->rope && joint->frequency == 0;
        joint->error = rod ? fabs(length - joint->rest) : fmax(0, fmax(over, under));
    }
    if (joint->kind == MO_JOINT_HINGE) {
        joint->angle_error = mo_length(mo_cross(f.axis[0][2], z));
    }
    if (joint->kind == MO_JOINT_SLIDER || joint->kind == MO_JOINT_FIXED) {
        joint->angle_error = mo_length(turn);
    }
}
