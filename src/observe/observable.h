/*
 * The observables of a scene: those of observe/, which measure any system or the world, and those
 * that systems bring (host/observable.h).
 */
#ifndef MO_OBSERVE_OBSERVABLE_H
#define MO_OBSERVE_OBSERVABLE_H

#include "host/observable.h"
#include "world/world.h"

/* The system measured by an observable of particles: the one with this name, or, if that is
 * NULL, the only one. */
mote_status mo_observed_system(const mo_observable_context *context, const char *name,
                               mo_system **system, mote_error *error);

/* An error for a system whose particles have no species. */
mote_status mo_observed_species(const mo_system *system, mote_error *error);

/* The parameter for its name. */
#define MO_OBSERVED_SYSTEM(type) \
    { \
        "system", MO_STRING, MO_FIELD(type, system), \
            .doc = "System whose particles are measured, by the name that reports give it; " \
                   "required if a scene has more than one." \
    }

extern const mo_family mo_observable_family;

#endif
