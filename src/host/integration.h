/*
 * The columns of an integrator in a system's store, and their binding to the slots of its dynamics
 * (integrate/dynamics.h): positions, and orientations where rows have one.
 */
#ifndef MO_HOST_INTEGRATION_H
#define MO_HOST_INTEGRATION_H

#include "host/system.h"
#include "integrate/integrator.h"

typedef struct mo_integration {
    mo_column *aux[MO_SEGMENTS_MAX][MO_SLOTS_MAX];
    int aux_count, segments;
} mo_integration;

/* The integrator's columns, once per segment. */
mote_status mo_integration_declare(mo_system *system, const mo_integrator_type *integrator,
                                   bool oriented, mo_integration *integration, mote_error *error);

/* Columns move when rows are added; the slots follow at the start of every step. */
void mo_integration_bind(const mo_integration *integration, const mo_system *system,
                         mo_dynamics *dynamics);

/* The histories that rows have. */
mote_status mo_integration_ages(const mo_system *system, mo_dynamics *dynamics, mote_error *error);

#endif
