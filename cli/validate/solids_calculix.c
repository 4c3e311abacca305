/*
 * A beam bent by more than half its length, compared node by node with CalculiX (G. Dhondt) on the
 * same mesh with the same loads. Its linear tetrahedra (C3D4) with *ELASTIC and NLGEOM are St.
 * Venant-Kirchhoff, as in mote; the remaining difference is Newton's tolerance and the seven digits
 * of its output.
 */
#include "geometry/generate/generate.h"
#include "peer/calculix.h"
#include "validate/solids.h"

#include <math.h>
#include <stdlib.h>

static const char BEAM[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001},"
    " \"integrator\": {\"type\": \"implicit_euler\", \"solver\": \"cholesky\"},"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [1, 0.1, 0.1], \"nx\": 21, "
    "\"ny\": 4,"
    "   \"nz\": 4, \"tetrahedra\": 5},"
    "  \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": 1e7, \"poisson\": 0.3}},"
    "  \"pins\": [{\"set\": \"x0\"}], \"loads\": [{\"set\": \"x1\", \"force\": [0, 0, -300]}]}]}";

static mote_status compare(validation *v, mote_world *world, const mo_mesh *mesh, double *f,
                           double *u, mote_error *error)
{
    double worst = 0, most = 0;
    MO_TRY(solids_forces(world, f, error));
    calculix_job job = {mesh, f, CALCULIX_NONLINEAR, .first_step = 0.1, .tolerance = 1e-9};
    MO_TRY(calculix_run(&job, u, error));
    mote_static_options options = mote_static_options_default();
    options.tolerance = 1e-9;
    MO_TRY(mote_world_solve_static(world, &options, NULL, error));
    const double *x = solids_column(world, "x");
    for (int64_t k = 0; k < 3 * mesh->node_count; ++k) {
        worst = fmax(worst, fabs(x[k] - mesh->nodes[k] - u[k]));
        most = fmax(most, fabs(u[k]));
    }
    validate_at_least(v, "solids/calculix", "tip displacement [m]", most, 0.5, 0);
    /* half a unit of the seventh digit of values below 1 m, and the same for Newton on either
     * side, with a factor of ten */
    validate_absolute(v, "solids/calculix", "largest distance of a node from CalculiX's [m]", worst,
                      0, 5e-7);
    return MOTE_OK;
}

mote_status solids_calculix(void *context, mote_error *error)
{
    mote_world *world;
    mo_mesh mesh;
    if (!peer_is_installed("ccx")) {
        validate_skip(context, "solids/calculix", "CalculiX (the program ccx) is not installed");
        return MOTE_OK;
    }
    MO_TRY(solids_create(BEAM, &world, error));
    const mo_body_def *body = world->def.bodies.items;
    mote_status status = mo_mesh_generate(body->mesh, &world->memory, &mesh, error);
    if (status == MOTE_OK) {
        size_t bytes = (size_t)(3 * mesh.node_count) * sizeof(double);
        double *f = malloc(bytes), *u = malloc(bytes);
        status =
            f && u ? compare(context, world, &mesh, f, u, error) : mo_fail_memory(error, 2 * bytes);
        free(f);
        free(u);
        mo_mesh_release(&mesh);
    }
    mote_world_destroy(world);
    return status;
}
