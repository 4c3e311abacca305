/* Fluids against closed forms, published figures and what a perfect lattice gives: each case with
 * both presets, then other solvers, boundaries and kernels; finer ones and longer ones are a group
 * of their own. */
#include "validate/fluids.h"

static const suite_case CASES[] = {
    {"fluids/quiescent_2d/", "A tank of 40 x 20 particles at rest: load, pressure, speed.",
     fluids_quiescent_2d},
    {"fluids/quiescent_3d/", "A tank of 15 x 15 x 15 particles at rest.", fluids_quiescent_3d},
    {"fluids/disc/", "A free disc in a straining flow becomes an ellipse.", fluids_disc},
    {"fluids/dam_front/", "A dam break in two dimensions against Martin and Moyce.",
     fluids_dam_front},
    {"fluids/sloshing/", "The first mode of a tank: its period, and what five periods leave.",
     fluids_sloshing},
    {"fluids/poiseuille/", "Flow through a channel: the parabola.", fluids_poiseuille},
    {"fluids/couette/", "Flow between walls of which one slides: the series and the line.",
     fluids_couette},
    {"fluids/shear_wave/", "The decay of shear waves along an axis and a diagonal.",
     fluids_shear_wave},
    {"fluids/taylor_green/", "Eddies in a periodic square: how they decay.", fluids_taylor_green},
    {"fluids/cavity/",
     "A box with a sliding lid, Reynolds number 100: the profile of Ghia, Ghia and Shin.",
     fluids_cavity},
    {"fluids/lock_exchange/", "Fluids of 1000 and 900 kg/m^3 side by side change places.",
     fluids_lock},
    {"fluids/lattice", "Sums of every kernel on perfect lattices.", fluids_lattice},
    {"fluids/operators",
     "What SPH operators keep and make exact, on lattices and scattered particles.",
     fluids_operators},
    {"fluids/still_tank", "Hydrostatics with every solver and both kinds of walls.",
     fluids_still_tank},
    {"fluids/density", "Compression against the tolerance that was asked for.", fluids_density},
    {"fluids/dam_gate", "The dam break with a delay of the gate and friction of the floor.",
     fluids_dam_gate},
    {"fluids/sloshing_solvers", "The first mode of a tank with every solver.",
     fluids_sloshing_solvers},
    {0}};

const suite_group validate_fluids = {"fluids", "Fluids by SPH.", CASES};

static const suite_case LONG_CASES[] = {
    {"fluids_long/quiescent_2d/", "The tank of 40 x 20 particles after 20 s.",
     fluids_quiescent_2d_long},
    {"fluids_long/quiescent_3d/", "The tank of 15 x 15 x 15 particles after 20 s.",
     fluids_quiescent_3d_long},
    {"fluids_long/poiseuille", "The channel at other spacings.", fluids_poiseuille_long},
    {"fluids_long/couette", "The same with a wall that slides.", fluids_couette_long},
    {"fluids_long/taylor_green", "The eddies at other spacings.", fluids_taylor_green_long},
    {"fluids_long/cavity", "The box with a sliding lid at other spacings.", fluids_cavity_long},
    {0}};

const suite_group validate_fluids_long = {"fluids_long", "Fluids by SPH, finer and longer.",
                                          LONG_CASES};
