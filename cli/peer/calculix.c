#include "peer/calculix.h"

#include "base/error.h"

#include <string.h>

static void write_mesh(FILE *file, const mo_mesh *mesh)
{
    fprintf(file, "*NODE, NSET=ALL\n");
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        const double *x = mesh->nodes + 3 * k;
        fprintf(file, "%lld, %.15g, %.15g, %.15g\n", (long long)k + 1, x[0], x[1], x[2]);
    }
    fprintf(file, "*ELEMENT, TYPE=C3D4, ELSET=BODY\n");
    for (int64_t e = 0; e < mesh->tetrahedron_count; ++e) {
        const int32_t *n = mesh->tetrahedra + 4 * e;
        fprintf(file, "%lld, %d, %d, %d, %d\n", (long long)e + 1, n[0] + 1, n[1] + 1, n[2] + 1,
                n[3] + 1);
    }
    fprintf(file, "*BOUNDARY\n");
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        if (mesh->nodes[3 * k] < 1e-9) {
            fprintf(file, "%lld, 1, 3\n", (long long)k + 1);
        }
    }
    fprintf(file, "*MATERIAL, NAME=STUFF\n*ELASTIC\n1e7, 0.3\n*DENSITY\n1000\n"
                  "*SOLID SECTION, ELSET=BODY, MATERIAL=STUFF\n");
}

static void write_loads(FILE *file, const calculix_job *job)
{
    fprintf(file, "*CLOAD\n");
    for (int64_t k = 0; k < job->mesh->node_count; ++k) {
        for (int c = 0; c < 3 && job->mesh->nodes[3 * k] > 1 - 1e-9; ++c) {
            fprintf(file, "%lld, %d, %.15g\n", (long long)k + 1, c + 1, job->f[3 * k + c]);
        }
    }
}

static void write_step(FILE *file, const calculix_job *job)
{
    if (job->kind == CALCULIX_FREQUENCIES) {
        fprintf(file, "*STEP\n*FREQUENCY\n%d\n*END STEP\n", job->frequency_count);
        return;
    }
    fprintf(file, job->kind == CALCULIX_NONLINEAR ? "*STEP, NLGEOM, INC=1000\n*STATIC\n"
                                                  : "*STEP\n*STATIC\n");
    if (job->first_step > 0) {
        fprintf(file, "%g, 1.\n", job->first_step);
    }
    if (job->tolerance > 0) {
        fprintf(file, "*CONTROLS, PARAMETERS=FIELD\n%g, %g\n", job->tolerance, job->tolerance);
    }
    write_loads(file, job);
    fprintf(file, "*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU\n*END STEP\n");
}

/* Displacements "node ux uy uz"; later tables of the file take precedence. */
static bool read_output(const char *path, double *u, int64_t nodes)
{
    char line[512];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        long long node;
        double v[3];
        if (sscanf(line, "%lld %lf %lf %lf", &node, &v[0], &v[1], &v[2]) == 4 && node >= 1 &&
            node <= nodes) {
            memcpy(u + 3 * (node - 1), v, sizeof v);
            found = found || node == nodes;
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

static mote_status run_in(const peer_folder *folder, const calculix_job *job, double *u,
                          mote_error *error)
{
    char path[sizeof folder->path + 16];
    FILE *file = peer_file_create(folder, "beam.inp", error);
    if (!file) {
        return MOTE_ERROR_IO;
    }
    write_mesh(file, job->mesh);
    write_step(file, job);
    MO_TRY(peer_file_close(file, "beam.inp", error));
    MO_TRY(peer_run(folder, "env OMP_NUM_THREADS=1 ccx -i beam", ignore_line, NULL, error));
    snprintf(path, sizeof path, "%s/beam.dat", folder->path);
    return !u || read_output(path, u, job->mesh->node_count)
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_IO, "ccx did not tell where the nodes are");
}

mote_status calculix_run(const calculix_job *job, double *u, mote_error *error)
{
    peer_folder folder;
    MO_TRY(peer_folder_make(&folder, error));
    mote_status status = run_in(&folder, job, u, error);
    peer_folder_remove(&folder);
    return status;
}
