/*
 * The particles of a picture as a participating medium on a regular grid, for volume rendering.
 *
 * A particle distributes its volume over the cells within a smoothing radius by the weight
 * (1 - q^2)^2. The fraction f of a cell that is filled gives the extinction coefficient
 * sigma = opacity f/(2 r) with the typical radius r: `opacity` is the optical depth of one diameter
 * of filled space. Light is attenuated along its direction, slice by slice; single scattering.
 */
#ifndef MO_VIEW_PICTURE_DENSITY_GRID_H
#define MO_VIEW_PICTURE_DENSITY_GRID_H

#include "base/memory.h"
#include "view/picture/look.h"
#include "view/picture/picture.h"

typedef struct mo_density_grid {
    mo_memory *memory;
    int cells[3];        /* 0: no particles */
    mo_vec3 low;         /* the corner of the first cell */
    double cell;         /* edge [m] */
    float *medium;       /* four per cell: sigma times red, green, blue (linear), and sigma [1/m] */
    uint8_t *light;      /* one per cell: transmittance to the light, 0 to 255 */
    int64_t texels, lit; /* capacities */
} mo_density_grid;

/* `light`: towards the light, of unit length. */
mote_status mo_density_grid_fill(mo_density_grid *grid, const mo_picture *picture,
                                 const mo_look *look, mo_vec3 light, mote_error *error);
void mo_density_grid_release(mo_density_grid *grid);

#endif
