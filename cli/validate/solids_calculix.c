/*
 * A beam bent by more than half its length, node by node beside CalculiX (G. Dhondt) on the same mesh with the same loads.
 * Its linear tetrahedra (C3D4) with *ELASTIC and NLGEOM are St. Venant-Kirchhoff, and so are ours; both solve the same
 * equations, and what is left is Newton's tolerance and the seven digits of its output.
 */
#include "geometry/mesh/mesh.h"
#include "peer/peer.h"
#include "validate/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char BEAM[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001},"
    " \"integrator\": {\"type\": \"implicit_euler\", \"solver\": \"cholesky\"},"
    " \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"max\": [1, 0.1, 0.1], \"nx\": 21, "
    "\"ny\": 4,"
    "   \"nz\": 4, \"tetrahedra\": 5},"
    "  \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": 1e7, \"poisson\": 0.3}},"
    "  \"pins\": [{\"set\": \"x0\"}], \"loads\": [{\"set\": \"x1\", \"force\": [0, 0, -300]}]}]}";

/* The input: the mesh, the nodes at x = 0 held, the forces f (of the unbent shape, so the loads alone). */
static mote_status write_input(const peer_folder *folder, const mo_mesh *mesh, const double *f,
                               mote_error *error)
{
    FILE *file = peer_file_create(folder, "beam.inp", error);
    if (!file) {
        return MOTE_ERROR_IO;
    }
    fprintf(file, "*NODE, NSET=ALL\n");
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        const double *x = mesh->nodes + 3 * k;
        fprintf(file, "%lld, %.15g, %.15g, %.15g\n", (long long)k + 1, x[0], x[1], x[2]);
    }
    fprintf(file, "*ELEMENT, TYPE=C3D4, ELSET=BODY\n");
    for (int64_t e = 0; e < mesh->tetrahedron_count; ++e) {
        const int32_t *n = mesh->tetrahedra + 4 * e;
        fprintf(file, "%lld, %d, %d, %d, %d\n", (long long)e + 1, n[0] + 1, n[1] + 1, n[2] + 1, n[3] + 1);
    }
    fprintf(file, "*BOUNDARY\n");
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        if (mesh->nodes[3 * k] < 1e-9) {
            fprintf(file, "%lld, 1, 3\n", (long long)k + 1);
        }
    }
    fprintf(file,
            "*MATERIAL, NAME=STUFF\n*ELASTIC\n1e7, 0.3\n*SOLID SECTION, ELSET=BODY, MATERIAL=STUFF\n"
            "*STEP, NLGEOM, INC=1000\n*STATIC\n0.1, 1.\n*CONTROLS, PARAMETERS=FIELD\n1e-9, 1e-9\n*CLOAD\n");
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        if (mesh->nodes[3 * k] > 1 - 1e-9) {
            fprintf(file, "%lld, 3, %.15g\n", (long long)k + 1, f[3 * k + 2]);
        }
    }
    fprintf(file, "*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU\n*END STEP\n");
    return peer_file_close(file, "beam.inp", error);
}

/* Displacements "node ux uy uz"; later tables of the file win. */
static int64_t read_output(const char *path, double *u, int64_t nodes)
{
    char line[512];
    int64_t found = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        long long node;
        double v[3];
        if (sscanf(line, "%lld %lf %lf %lf", &node, &v[0], &v[1], &v[2]) == 4 && node >= 1 && node <= nodes) {
            memcpy(u + 3 * (node - 1), v, sizeof v);
            found += node == nodes ? nodes : 0;
        }
    }
    if (file) {
        fclose(file);
    }
    return found;
}

static void ignore_line(void *context, const char *line)
{
    (void)context, (void)line;
}

static mote_status ask_calculix(const peer_folder *folder, const mo_mesh *mesh, const double *f, double *u,
                                mote_error *error)
{
    char path[sizeof folder->path + 16];
    MO_TRY(write_input(folder, mesh, f, error));
    MO_TRY(peer_run(folder, "env OMP_NUM_THREADS=1 ccx -i beam", ignore_line, NULL, error));
    snprintf(path, sizeof path, "%s/beam.dat", folder->path);
    return read_output(path, u, mesh->node_count) > 0
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_IO, "ccx did not tell where the nodes are");
}

static mote_status run_calculix(const mo_mesh *mesh, const double *f, double *u, mote_error *error)
{
    peer_folder folder;
    MO_TRY(peer_folder_make(&folder, error));
    mote_status status = ask_calculix(&folder, mesh, f, u, error);
    peer_folder_remove(&folder);
    return status;
}

static mote_status compare(validation *v, mote_world *world, const mo_mesh *mesh, double *f, double *u,
                           mote_error *error)
{
    double worst = 0, most = 0;
    MO_TRY(solids_forces(world, f, error));
    MO_TRY(run_calculix(mesh, f, u, error));
    mote_static_options options = mote_static_options_default();
    options.tolerance = 1e-9;
    MO_TRY(mote_world_solve_static(world, &options, NULL, error));
    const double *x = solids_column(world, "x");
    for (int64_t k = 0; k < 3 * mesh->node_count; ++k) {
        worst = fmax(worst, fabs(x[k] - mesh->nodes[k] - u[k]));
        most = fmax(most, fabs(u[k]));
    }
    validate_at_least(v, "solids/calculix", "how far the tip goes [m]", most, 0.5, 0);
    /* half a unit of the seventh digit of numbers below 1 m, and as much again for Newton on either side, ten times */
    validate_absolute(v, "solids/calculix", "largest distance of a node from CalculiX's [m]", worst, 0, 5e-7);
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
    mote_status status = mo_mesh_build(body->mesh, &world->memory, &mesh, error);
    if (status == MOTE_OK) {
        size_t bytes = (size_t)(3 * mesh.node_count) * sizeof(double);
        double *f = malloc(bytes), *u = malloc(bytes);
        status = f && u ? compare(context, world, &mesh, f, u, error) : mo_fail_memory(error, 2 * bytes);
        free(f);
        free(u);
        mo_mesh_release(&mesh);
    }
    mote_world_destroy(world);
    return status;
}
