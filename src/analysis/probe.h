/*
 * A probe: fields of particles and their derivatives at any position, in double precision. With
 * V_j = m_j/rho_j, W and grad W of the distance x - x_j, and S = sum_j V_j W (D. Shepard 1968):
 *
 *   value       sum V_j A_j W
 *   gradient    sum of grad W times  V_j (A_j - A)                             difference
 *                                    V_j A_j                                   plain
 *                                    rho m_j (A/rho^2 + A_j/rho_j^2)           symmetric
 *   divergence, curl: from the gradient
 *   laplacian   sum V_j (A_j - A) lap W,  plain and symmetric  V_j A_j lap W
 *
 * A and rho = sum m_j W are those at the position. The pairwise Laplacian of operators.h cannot be
 * used away from particles: it needs the exact value A at the position, and the smoothing error of
 * the interpolated one is as large as the result.
 *
 * Corrections of values and of the difference form:
 *   shepard        the interpolation sum V_j A_j W/S and its derivatives: constants are exact, also
 *                  at surfaces; the Laplacian as below, since second derivatives are too noisy;
 *   least_squares  value and gradient of a weighted least-squares fit of a linear function, the
 *                  Laplacian of a quadratic one: such fields are exact on any arrangement.
 */
#ifndef MO_ANALYSIS_PROBE_H
#define MO_ANALYSIS_PROBE_H

#include "fluid/sph/operators.h"
#include "host/system.h"
#include "math/vec3.h"
#include "neighbor/search.h"

typedef enum mo_probe_operator {
    MO_PROBE_VALUE,
    MO_PROBE_GRADIENT,   /* dA_a/dx_b at 3 a + b */
    MO_PROBE_DIVERGENCE, /* of vectors */
    MO_PROBE_CURL,       /* of vectors */
    MO_PROBE_LAPLACIAN,  /* of each component */
    MO_PROBE_WEIGHT,     /* S: 1 inside, 1/2 at a plane surface, 0 without particles */
    MO_PROBE_OPERATORS
} mo_probe_operator;

typedef enum mo_probe_correction {
    MO_PROBE_UNCORRECTED,
    MO_PROBE_SHEPARD,
    MO_PROBE_LEAST_SQUARES
} mo_probe_correction;

/* Names, as in a scene: "value|gradient|...". */
extern const char *const mo_probe_operator_names, *const mo_probe_form_names,
                                                      *const mo_probe_correction_names;

/* The index of a name in such a list; -1: it is not there. */
int mo_probe_choice(const char *names, const char *name);

typedef struct mo_probe {
    mo_memory *memory;
    mo_search *search; /* of one set, with the support as its radius */
    mo_domain domain;
    mo_kernel kernel;
    mo_difference form;
    mo_probe_correction correction;
    mo_pool *pool;
    int64_t rows;
    const double *x, *mass, *density;
    double *own; /* mass and density of particles without */
    int64_t own_capacity;
} mo_probe;

/* Fails if the correction does not apply to the form. */
mote_status mo_probe_check(mo_difference form, mo_probe_correction correction, mote_error *error);

/* Components of a field. */
enum { MO_PROBE_FIELD_MAX = 9 };

/* Values per position of an operator on a column of `components`; 0: it does not apply. */
int mo_probe_components(mo_probe_operator operation, int components);

/* The name of a result ("curl_v"), and of one of its components ("curl_v_z", "grad_v_x_dy"). */
void mo_probe_name(mo_probe_operator operation, const char *column, char *name, size_t size);
void mo_probe_label(mo_probe_operator operation, const char *column, int components, int index,
                    char *label, size_t size);

/* Values of any type as doubles; false: an unknown type. */
bool mo_probe_convert(mote_type type, const void *data, int64_t count, double *out);

/* The kernel of the particles of the system `name` (NULL: the first) of a scene, with its support
 * and dimension; false: it has none, or there is no such system. */
bool mo_probe_kernel(const mo_world_def *def, const char *name, mo_kernel *kernel);

/* Creates the neighbour search of a probe whose other members down to `pool` are set. */
mote_status mo_probe_create(mo_probe *probe, mote_error *error);
void mo_probe_release(mo_probe *probe);

/* Sets the particles. Without masses or densities (NULL) these are 1 and the number density sum_j
 * W, so that V_j = 1/sum W. */
mote_status mo_probe_set(mo_probe *probe, int64_t rows, const double *x, const double *mass,
                         const double *density, mote_error *error);

/* The result of an operator on a field of `components` at `count` positions; 0 where there are no
 * particles. */
typedef mo_vec3 mo_probe_position(const void *context, int64_t index);
mote_status mo_probe_evaluate(const mo_probe *probe, mo_probe_operator operation, int components,
                              const double *field, int64_t count, mo_probe_position *position,
                              const void *context, double *out, mote_error *error);

#endif
