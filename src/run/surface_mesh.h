/* The surface object of the public interface, its creation and output. */
#ifndef MO_RUN_SURFACE_MESH_H
#define MO_RUN_SURFACE_MESH_H

#include "base/param.h"
#include "geometry/trimesh/trimesh.h"
#include "io/format/format.h"
#include "mote/surface.h"

enum { MO_SURFACE_FIELDS_MAX = 32 };

struct mote_surface {
    mo_memory memory;
    mo_trimesh mesh;
    int field_count;
    mote_column fields[MO_SURFACE_FIELDS_MAX];
    mote_surface_mesh view;
};

/* A mo_method of the surface family from a text, as mote_surface_options has it. */
mote_status mo_surface_method_read(const char *text, mo_arena *arena, mo_method *method,
                                   mote_error *error);

/* The method if none is given. */
const char *mo_surface_default(bool oriented);

/* A result format by name, with its defaults. */
mote_status mo_surface_format_read(const char *name, mo_arena *arena, mo_method *format,
                                   mote_error *error);

mote_status mo_surface_create(int64_t count, const double *x, mo_method method,
                              const mote_surface_options *options, mote_surface **surface,
                              mote_error *error);

mote_status mo_surface_write(const mote_surface *surface, mo_method format, const char *path,
                             double time, mote_error *error);

#endif
