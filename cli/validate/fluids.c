/* Fluids against closed forms, published figures and what a perfect lattice gives. */
#include "validate/fluids.h"

static const suite_case CASES[] = {
    {"fluids/lattice", "Sums of every kernel on perfect lattices.", fluids_lattice},
    {"fluids/operators",
     "What SPH operators keep and make exact, on lattices and scattered particles.",
     fluids_operators},
    {"fluids/still_tank", "Hydrostatics with every solver and both kinds of walls.",
     fluids_still_tank},
    {"fluids/density", "Compression against the tolerance that was asked for.", fluids_density},
    {"fluids/dam_front", "A dam break in two dimensions against Martin and Moyce.",
     fluids_dam_front},
    {"fluids/sloshing", "The first mode of a tank.", fluids_sloshing},
    {"fluids/poiseuille", "Flow through a channel: the parabola.", fluids_poiseuille},
    {"fluids/couette", "Flow between walls of which one slides: the series and the line.",
     fluids_couette},
    {"fluids/taylor_green", "Eddies in a periodic square: how they decay.", fluids_taylor_green},
    {"fluids/cavity",
     "A box with a sliding lid, Reynolds number 100: the profile of Ghia, Ghia and Shin.",
     fluids_cavity},
    {0}};

const suite_group validate_fluids = {"fluids", "Fluids by SPH.", CASES};
