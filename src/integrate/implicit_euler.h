/* The start of steps of backward Euler and its linearised form: x + h v and v, without the new
 * acceleration. */
#ifndef MO_INTEGRATE_IMPLICIT_EULER_H
#define MO_INTEGRATE_IMPLICIT_EULER_H

#include "integrate/newton.h"

void mo_implicit_euler_start(const mo_segment *segment, double h, int64_t first, int64_t last);

#endif
