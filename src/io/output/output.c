#include "io/output/output.h"

#include "geometry/surface/surface.h"
#include "io/format/format.h"

static const mo_param OUTPUT[] = {
    {"formats", MO_METHOD, .list = true, MO_FIELD(mo_output_def, formats), .family = &mo_formats,
     .initial = "[\"vtp\"]", .doc = "File formats of each frame."},
    {"fields", MO_STRING, .list = true, MO_FIELD(mo_output_def, fields),
     .initial = "[\"id\", \"v\", \"body\"]",
     .doc = "Columns written in addition to the positions, such as \"v\", \"a\", \"mass\"."},
    {"surface", MO_METHOD, MO_FIELD(mo_output_def, surface), .family = &mo_surfaces,
     .doc = "Surface reconstruction of `mote surface`; default tangential_delaunay for oriented "
            "particles, else anisotropic."},
    {"checkpoint_every", MO_REAL, MO_FIELD(mo_output_def, checkpoint_every), .unit = "s",
     .range = "(0, inf)",
     .doc = "Simulated time between checkpoints, which `mote resume` continues from."},
    {"checkpoint_wall", MO_REAL, MO_FIELD(mo_output_def, checkpoint_wall), .unit = "s",
     .range = "(0, inf)", .doc = "Wall-clock time between checkpoints."},
    {"checkpoint_keep", MO_INT, MO_FIELD(mo_output_def, checkpoint_keep), .initial = "2",
     .range = "[1, 1000]", .doc = "Number of checkpoints to keep; older ones are removed."},
    {"wrap", MO_BOOL, MO_FIELD(mo_output_def, wrap), .initial = "true",
     .doc =
         "In a periodic domain, write positions wrapped into the box, except for particles joined "
         "by edges."},
    {0}};

const mo_section mo_output_section = {"output", "Output of a run.", sizeof(mo_output_def),
                                      .params = OUTPUT};
