/*
 * Signed distances of a solid on a sparse grid: for shapes whose exact distance is expensive
 * (meshes), and maps that evaluate it a thousand times per node.
 *
 * Blocks of 8^3 cells within a band around the surface have exact distances at their 9^3 nodes, in
 * double, with trilinear interpolation, which is exact for planes. The normal is its gradient.
 * Elsewhere the solid itself is evaluated. At the medial axis the error is up to a third of a cell.
 *
 * Grids of large meshes are cached in a file next to the mesh (mo_distance_grid_load,
 * mo_distance_grid_save), named by a checksum of the inputs. Incomplete or foreign files are
 * ignored.
 */
#ifndef MO_FLUID_MAP_DISTANCE_GRID_H
#define MO_FLUID_MAP_DISTANCE_GRID_H

#include "fluid/map/solid_map.h"

typedef struct mo_distance_grid {
    mo_memory *memory;
    mo_map_solid solid;
    double width, band; /* of a cell; distance from the surface up to which there are blocks */
    mo_sparse_grid blocks;
    double *value; /* of the nodes, block by block */
    int64_t value_capacity;
} mo_distance_grid;

/* A grid without blocks: every distance is evaluated by the solid. */
void mo_distance_grid_init(mo_distance_grid *grid, const mo_map_solid *solid, double width,
                           double band, mo_memory *memory);
mote_status mo_distance_grid_build(mo_distance_grid *grid, mo_pool *pool, mote_error *error);
void mo_distance_grid_release(mo_distance_grid *grid);

/* An mo_gap_fn; the context is a grid. */
void mo_distance_grid_gaps(const void *grid, int64_t count, const double *x, double *gap,
                           double *normal);

/* Loads the file for a mesh with this checksum; false: there is no valid one. */
bool mo_distance_grid_load(mo_distance_grid *grid, const char *mesh_path, uint64_t checksum);

/* Writes that file; failures are ignored. */
void mo_distance_grid_save(const mo_distance_grid *grid, const char *mesh_path, uint64_t checksum);

#endif
