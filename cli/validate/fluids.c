/* Fluids against closed forms, published figures and what a perfect lattice gives. */
#include "validate/fluids.h"

static const suite_case CASES[] = {
    {"fluids/lattice", "Sums of every kernel on perfect lattices.", fluids_lattice},
    {"fluids/operators", "What SPH operators keep and make exact, on lattices and scattered particles.",
     fluids_operators},
    {"fluids/still_tank", "Hydrostatics with every solver and both kinds of walls.", fluids_still_tank},
    {"fluids/density", "Compression against the tolerance that was asked for.", fluids_density},
    {"fluids/dam_front", "A dam break in two dimensions against Martin and Moyce.", fluids_dam_front},
    {"fluids/sloshing", "The first mode of a tank.", fluids_sloshing},
    {0}};

const suite_group validate_fluids = {"fluids", "Fluids by SPH.", CASES};
