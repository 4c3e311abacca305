/* VTK's XML ImageData: columns at the nodes of a lattice, for ParaView; see vtk_file.h. */
#ifndef MO_IO_FORMAT_VTI_H
#define MO_IO_FORMAT_VTI_H

#include "geometry/sampling/sampling.h"
#include "io/format/format.h"

/* Lattices that are not along the axes have a Direction (VTK 9). */
mote_status mo_vti_write(const mo_lattice *lattice, double time, int field_count,
                         const mote_column *fields, mo_memory *memory, FILE *stream,
                         mote_error *error);

#endif
