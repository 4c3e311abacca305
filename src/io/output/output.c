#include "io/output/output.h"

#include "geometry/surface/surface.h"
#include "io/format/format.h"

static const mo_param OUTPUT[] = {
    {"formats", MO_METHOD, .list = true, MO_FIELD(mo_output_def, formats), .family = &mo_formats,
     .initial = "[\"vtp\"]", .doc = "What each frame is written as."},
    {"fields", MO_STRING, .list = true, MO_FIELD(mo_output_def, fields),
     .initial = "[\"id\", \"v\", \"body\"]",
     .doc = "The columns written beside the positions, such as \"v\", \"a\", \"mass\"."},
    {"surface", MO_METHOD, MO_FIELD(mo_output_def, surface), .family = &mo_surfaces,
     .initial = "\"anisotropic\"", .doc = "How `mote surface` makes a mesh of the particles."},
    {"checkpoint_every", MO_REAL, MO_FIELD(mo_output_def, checkpoint_every), .unit = "s",
     .range = "(0, inf)",
     .doc =
         "Write a checkpoint whenever so much simulated time has passed, from which `mote resume` goes on."},
    {"checkpoint_wall", MO_REAL, MO_FIELD(mo_output_def, checkpoint_wall), .unit = "s",
     .range = "(0, inf)", .doc = "Write a checkpoint whenever so much real time has passed."},
    {"checkpoint_keep", MO_INT, MO_FIELD(mo_output_def, checkpoint_keep), .initial = "2",
     .range = "[1, 1000]", .doc = "How many checkpoints to keep; older ones are removed."},
    {"wrap", MO_BOOL, MO_FIELD(mo_output_def, wrap), .initial = "true",
     .doc =
         "In a periodic domain, write positions moved into the box; not where edges join particles."},
    {0}};

const mo_section mo_output_section = {"output", "What the frames of a run hold.",
                                      sizeof(mo_output_def), .params = OUTPUT};
