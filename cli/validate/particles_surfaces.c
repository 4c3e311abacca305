/*
 * Triangulations of moving surfaces of oriented particles: Euler number, manifold, borders at the
 * start and ten times during 10,000 steps.
 */
#include "validate/particles.h"

#include "base/error.h"
#include "bench/case_world.h"
#include "math/quat.h"

#include <stdlib.h>

enum { STEPS = 10000, SAMPLES = 10 };

/* Surfaces in free motion from random velocities; the sheet forms from displaced positions. Without
 * growth the torus is slender, since the particles of a thicker one are too dense at its inside and
 * too sparse outside; those that grow start from meshes of uneven spacing, up to 1.7 times the
 * equilibrium distance. */
static const struct surface {
    const char *name, *body, *pairs, *oriented;
    double spacing, damping; /* damping: range of viscous damping */
    int euler;
    bool closed;
} SURFACES[] = {
    {"sphere",
     "\"mass\": 100, \"radius\": 0.3, \"axes\": \"normals\","
     " \"mesh\": {\"type\": \"shell\", \"radius\": 1.7, \"detail\": 4, \"layers\": 0}",
     "\"e\": 2, \"r0\": 0.5, \"r_a\": 0.5, \"r_b\": 1",
     "\"cocircularity\": 6, \"conormality\": 1, \"range\": 1", 0.5, 1, 2, true},
    {"torus",
     "\"mass\": 500, \"radius\": 0.1, \"axes\": \"normals\","
     " \"mesh\": {\"type\": \"torus\", \"radius\": 3, \"tube\": 1.2, \"around\": 40, \"across\": 18}",
     "\"e\": 2, \"r0\": 0.5, \"r_a\": 0.5, \"r_b\": 1",
     "\"cocircularity\": 6, \"conormality\": 1, \"range\": 1", 0.45, 1, 0, true},
    {"thick torus that grows",
     "\"mass\": 792, \"radius\": 0.5, \"axes\": \"normals\", \"growth\": {\"spacing\": 1},"
     " \"mesh\": {\"type\": \"torus\", \"radius\": 6, \"tube\": 3.6, \"around\": 36, \"across\": 22}",
     "\"e\": 1, \"r0\": 1, \"r_a\": 1, \"r_b\": 2",
     "\"cocircularity\": 0.75, \"conormality\": 0.5, \"range\": 2", 1, 2, 0, true},
    {"thin torus that grows",
     "\"mass\": 288, \"radius\": 0.5, \"axes\": \"normals\", \"growth\": {\"spacing\": 1},"
     " \"mesh\": {\"type\": \"torus\", \"radius\": 6, \"tube\": 1.2, \"around\": 36, \"across\": 8}",
     "\"e\": 1, \"r0\": 1, \"r_a\": 1, \"r_b\": 2",
     "\"cocircularity\": 0.75, \"conormality\": 0.5, \"range\": 2", 1, 2, 0, true},
    {"coarse sphere that grows",
     "\"mass\": 162, \"radius\": 0.5, \"axes\": \"normals\", \"growth\": {\"spacing\": 1},"
     " \"mesh\": {\"type\": \"shell\", \"radius\": 6, \"detail\": 4, \"layers\": 0}",
     "\"e\": 1, \"r0\": 1, \"r_a\": 1, \"r_b\": 2",
     "\"cocircularity\": 0.75, \"conormality\": 0.5, \"range\": 2", 1, 2, 2, true},
    {"sheet",
     "\"mass\": 144, \"radius\": 0.48, \"mesh\": {\"type\": \"hexagonal\", \"nx\": 12, \"ny\": 12,"
     " \"nz\": 1, \"spacing\": 1, \"displacement\": 0.3}",
     "\"e\": 3, \"r0\": 1, \"r_a\": 1, \"r_b\": 2.2",
     "\"coplanarity\": 20, \"conormality\": 20, \"range\": 2", 1, 1, 1, false},
};

static mote_status create(const struct surface *s, mote_world **world, mote_error *error)
{
    static const char SCENE[] =
        "{\"gravity\": [0, 0, 0], \"boltzmann\": 1, \"time\": {\"end\": 100, \"step\": 0.001},"
        " \"bodies\": [{\"oriented\": true, \"temperature\": 0.02, %s}],"
        " \"forces\": [{\"type\": \"lennard_jones\", %s, \"n\": 4, \"m\": 2, \"clip\": true},"
        "              {\"type\": \"oriented\", %s},"
        "              {\"type\": \"damping_viscous\", \"g\": 0.2, \"range\": %g},"
        "              {\"type\": \"damping_rotation\", \"g\": 0.05}]}";
    char text[2048];
    snprintf(text, sizeof text, SCENE, s->body, s->pairs, s->oriented, s->damping);
    return case_world_create(text, NULL, 0, world, error);
}

/* The mesh of the current positions; its numbers remain valid. */
static mote_status triangulate(const mote_world *world, const struct surface *s,
                               mote_surface_mesh *mesh, mote_error *error)
{
    int64_t rows = mote_world_rows(world, 0);
    const double *q = particles_column(world, "q");
    double *axes = malloc(3 * (size_t)rows * sizeof *axes);
    mote_surface_options options = mote_surface_options_default();
    mote_surface *surface = NULL;
    for (int64_t k = 0; axes && k < rows; ++k) {
        mo_vec3 z = {0, 0, 1};
        mo_vec3_store(axes + 3 * k, mo_quat_rotate(mo_quat_load(q + 4 * k), z));
    }
    options.normals = axes;
    options.spacing = s->spacing;
    mote_status status =
        axes ? mote_surface_create(rows, particles_column(world, "x"), &options, &surface, error)
             : mo_fail_memory(error, 0);
    if (status == MOTE_OK) {
        *mesh = mote_surface_get(surface);
    }
    mote_surface_destroy(surface);
    free(axes);
    return status;
}

/* Counts of meshes that are not as expected. */
typedef struct misses {
    int euler, manifold, border, vertices;
} misses;

static mote_status sample_meshes(mote_world *world, const struct surface *s, misses *m,
                                 mote_error *error)
{
    for (int sample = 0; sample <= SAMPLES; ++sample) {
        mote_surface_mesh mesh;
        MO_TRY(triangulate(world, s, &mesh, error));
        m->euler += mesh.euler != s->euler;
        m->manifold += !mesh.manifold;
        m->border += (mesh.border_edges == 0) != s->closed;
        m->vertices += mesh.vertices != mote_world_rows(world, 0);
        MO_TRY(sample < SAMPLES ? particles_steps(world, STEPS / SAMPLES, error) : MOTE_OK);
    }
    return MOTE_OK;
}

mote_status particles_surfaces(void *context, mote_error *error)
{
    for (size_t k = 0; k < sizeof SURFACES / sizeof *SURFACES; ++k) {
        const struct surface *s = &SURFACES[k];
        mote_world *world;
        misses m = {0};
        char name[96];
        MO_TRY(create(s, &world, error));
        mote_status status = sample_meshes(world, s, &m, error);
        mote_world_destroy(world);
        MO_TRY(status);
        snprintf(name, sizeof name, "%s: meshes with Euler number %d, of %d", s->name, s->euler,
                 SAMPLES + 1);
        validate_absolute(context, "particles/surfaces", name, SAMPLES + 1 - m.euler, SAMPLES + 1,
                          0);
        snprintf(name, sizeof name, "%s: manifold and %s, of %d", s->name,
                 s->closed ? "closed" : "with a border", SAMPLES + 1);
        validate_absolute(context, "particles/surfaces", name, SAMPLES + 1 - m.manifold - m.border,
                          SAMPLES + 1, 0);
        snprintf(name, sizeof name, "%s: meshes with all particles, of %d", s->name, SAMPLES + 1);
        validate_absolute(context, "particles/surfaces", name, SAMPLES + 1 - m.vertices,
                          SAMPLES + 1, 0);
    }
    return MOTE_OK;
}
