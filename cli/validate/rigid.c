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
    {0}};

const suite_group validate_rigid = {"rigid",
                                    "Rigid bodies: mass, free motion, contacts and joints.", CASES};
