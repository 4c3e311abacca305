/* The domain: unbounded, or periodic along some axes. Positions stay unwrapped. */
#ifndef MO_NEIGHBOR_DOMAIN_H
#define MO_NEIGHBOR_DOMAIN_H

#include <math.h>
#include <stdbool.h>

/* All zero: everywhere. */
typedef struct mo_domain {
    bool periodic[3];
    double low[3], high[3]; /* the box, along periodic axes */
    bool flat;              /* all z are 0 */
} mo_domain;

static inline bool mo_domain_periodic(const mo_domain *domain)
{
    return domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
}

/* Of the box, if it repeats itself along all axes; 0 otherwise. */
static inline double mo_domain_volume(const mo_domain *d)
{
    bool closed = d->periodic[0] && d->periodic[1] && d->periodic[2];
    return closed ? (d->high[0] - d->low[0]) * (d->high[1] - d->low[1]) * (d->high[2] - d->low[2])
                  : 0;
}

/* A coordinate wrapped into the box. */
static inline double mo_domain_wrap(const mo_domain *d, int axis, double x)
{
    double length = d->high[axis] - d->low[axis];
    return d->periodic[axis] ? x - floor((x - d->low[axis]) / length) * length : x;
}

#endif
