/* Rigid bodies against closed forms, with the defaults of a scene. */
#include "validate/rigid.h"

#include "bench/case_world.h"

mote_status rigid_world(const char *text, mote_world **world, mote_error *error)
{
    return case_world_create(text, NULL, 1, world, error);
}

double *rigid_column(const mote_world *world, const char *name)
{
    mote_column column;
    int system = mote_world_system_find(world, "rigid");
    return mote_world_column_find(world, system, name, &column) ? column.data : NULL;
}

static const suite_case CASES[] = {
    {"rigid/inertia", "Mass, centre and inertia of primitives and closed meshes.", rigid_inertia},
    {"rigid/symmetric_top", "Torque-free precession of a symmetric top.", rigid_symmetric_top},
    {"rigid/asymmetric_top", "Flips about the intermediate axis, by the elliptic integral.",
     rigid_asymmetric_top},
    {"rigid/integrators", "Energy and angular momentum over 100,000 steps, by integrator.",
     rigid_integrators},
    {"rigid/rotation_matrix", "Drift of a rotation matrix before Gram-Schmidt.",
     rigid_rotation_matrix},
    {"rigid/sliding", "A sliding box stops after v^2/(2 mu g).", rigid_sliding},
    {"rigid/slope", "Blocks slide above atan mu and tip above atan(width / height).", rigid_slope},
    {"rigid/rolling", "A sphere on a slope, with and without slip.", rigid_rolling},
    {"rigid/bowling", "A sliding ball rolls at 5/7 of its speed.", rigid_bowling},
    {"rigid/bouncing", "Heights fall by e^2.", rigid_bouncing},
    {"rigid/oblique", "Oblique impact of two spheres, sliding and sticking.", rigid_oblique},
    {"rigid/cradle", "Newton's cradle.", rigid_cradle},
    {"rigid/stacks", "Ten boxes at rest; the top 100 times heavier.", rigid_stacks},
    {"rigid/pendulum", "Period of a pendulum at 90 degrees.", rigid_pendulum},
    {"rigid/direct", "Energy of pendulums by RATTLE over 10^4 s.", rigid_direct},
    {"rigid/gyroscope", "Precession of a fast gyroscope.", rigid_gyroscope},
    {"rigid/heavy_top", "Steady precession and nutation of a heavy symmetric top.",
     rigid_heavy_top},
    {"rigid/catenary", "A chain that hangs from two ends.", rigid_catenary},
    {"rigid/dominoes", "Speed of a wave of dominoes.", rigid_dominoes},
    {"rigid/cradle_strings", "Newton's cradle on strings.", rigid_cradle_strings},
    {"rigid/chain", "Stretch of a chain under a heavy weight.", rigid_chain},
    {0}};

const suite_group validate_rigid = {"rigid",
                                    "Rigid bodies: mass, free motion, contacts and joints.", CASES};
