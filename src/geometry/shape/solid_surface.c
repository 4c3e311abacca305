#include "geometry/shape/solid_surface.h"

#include "geometry/shape/facets.h"

#include <string.h>

/* A copy with the lifetime of the parameters. */
static mote_status keep(const mo_trimesh *from, mo_arena *arena, mo_trimesh *to, mote_error *error)
{
    /* with the padding row */
    size_t points = 3 * ((size_t)from->vertices + 1) * sizeof *from->x;
    size_t corners = 3 * (size_t)from->triangles * sizeof *from->corner;
    *to = (mo_trimesh){
        .memory = arena->memory, .vertices = from->vertices, .triangles = from->triangles};
    to->x = mo_arena_allocate(arena, points);
    to->normal = mo_arena_allocate(arena, points);
    to->corner = mo_arena_allocate(arena, corners);
    if (!to->x || !to->normal || !to->corner) {
        return mo_fail_memory(error, 2 * points + corners);
    }
    memcpy(to->x, from->x, points);
    memcpy(to->normal, from->normal, points);
    memcpy(to->corner, from->corner, corners);
    return MOTE_OK;
}

mote_status mo_solid_surface_make(mo_trimesh *surface, const char *name, mo_arena *arena,
                                  mo_solid_surface *solid, mote_error *error)
{
    mo_fans fans;
    mote_status status = mo_fans_make(surface, &fans, error);
    if (status == MOTE_OK) {
        mo_trimesh_normals(surface, &fans, NULL, false);
    }
    mo_fans_release(&fans);
    MO_TRY(status);
    MO_TRY(keep(surface, arena, &solid->surface, error));
    return mo_trimesh_distance_build(surface, name, false, arena, &solid->tree, error);
}

mote_status mo_solid_surface_sample(const mo_solid_surface *solid, const char *name,
                                    const mo_sampling *how, mo_samples *samples, mote_error *error)
{
    return how->dimension == 2 ? mo_sample_section(&solid->surface, how, samples, error)
                               : mo_sample_mesh(&solid->surface, name, how, samples, error);
}

mote_status mo_solid_surface_facets(const mo_solid_surface *solid, mo_facets *facets,
                                    mote_error *error)
{
    const mo_trimesh *own = &solid->surface;
    int64_t first = facets->vertices;
    for (int64_t k = 0; k < own->vertices; ++k) {
        MO_TRY(mo_facets_vertex(facets, mo_vec3_load(own->x + 3 * k), error));
    }
    for (int64_t k = 0; k < own->triangles; ++k) {
        const int32_t *c = own->corner + 3 * k;
        MO_TRY(mo_facets_triangle(facets, first + c[0], first + c[1], first + c[2], error));
    }
    return MOTE_OK;
}
