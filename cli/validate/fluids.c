/*
 * Fluids compared with closed forms, published data and lattice sums: each case with both presets,
 * then other solvers, boundaries and kernels; finer and longer runs form a separate group.
 */
#include "validate/fluids.h"

static const suite_case CASES[] = {
    {"fluids/quiescent_2d/",
     "Hydrostatic equilibrium of 40 x 20 particles: load, pressure, "
     "speed.",
     fluids_quiescent_2d},
    {"fluids/quiescent_3d/", "Hydrostatic equilibrium of 15 x 15 x 15 particles.",
     fluids_quiescent_3d},
    {"fluids/disc/", "A free disc in a straining flow becomes an ellipse.", fluids_disc},
    {"fluids/dam_front/", "A dam break in two dimensions against Martin and Moyce.",
     fluids_dam_front},
    {"fluids/sloshing/",
     "First sloshing mode of a tank: its period, and its amplitude after five "
     "periods.",
     fluids_sloshing},
    {"fluids/poiseuille/", "Poiseuille flow: the parabolic profile.", fluids_poiseuille},
    {"fluids/couette/", "Couette flow: the transient series and the linear profile.",
     fluids_couette},
    {"fluids/shear_wave/", "The decay of shear waves along an axis and a diagonal.",
     fluids_shear_wave},
    {"fluids/taylor_green/", "Taylor-Green vortices in a periodic square: the decay.",
     fluids_taylor_green},
    {"fluids/probe/", "The vorticity of Taylor-Green vortices by a probe.", fluids_probe},
    {"fluids/cavity/",
     "Lid-driven cavity, Reynolds number 100: the profile of Ghia, Ghia and Shin.", fluids_cavity},
    {"fluids/lock_exchange/", "Lock exchange of fluids of 1000 and 900 kg/m^3.", fluids_lock},
    {"fluids/lattice", "Kernel sums on perfect lattices, every kernel.", fluids_lattice},
    {"fluids/operators",
     "Conservation and consistency of SPH operators, on lattices and disordered particles.",
     fluids_operators},
    {"fluids/still_tank", "Hydrostatics with every pressure solver and both kinds of boundaries.",
     fluids_still_tank},
    {"fluids/density", "Density error as a function of the tolerance.", fluids_density},
    {"fluids/dam_gate", "The dam break with a fitted gate delay and floor friction.",
     fluids_dam_gate},
    {"fluids/sloshing_solvers", "First sloshing mode of a tank with every solver.",
     fluids_sloshing_solvers},
    {0}};

const suite_group validate_fluids = {"fluids", "Fluids by SPH.", CASES};

static const suite_case LONG_CASES[] = {
    {"fluids_long/quiescent_2d/", "The tank of 40 x 20 particles after 20 s.",
     fluids_quiescent_2d_long},
    {"fluids_long/quiescent_3d/", "The tank of 15 x 15 x 15 particles after 20 s.",
     fluids_quiescent_3d_long},
    {"fluids_long/poiseuille", "Poiseuille flow at other spacings.", fluids_poiseuille_long},
    {"fluids_long/couette", "Couette flow at other spacings.", fluids_couette_long},
    {"fluids_long/taylor_green", "Taylor-Green vortices at other spacings.",
     fluids_taylor_green_long},
    {"fluids_long/cavity", "Lid-driven cavity at other spacings.", fluids_cavity_long},
    {0}};

const suite_group validate_fluids_long = {"fluids_long", "Fluids by SPH, finer and longer.",
                                          LONG_CASES};
