/* The domain: unbounded, or periodic along some axes. Positions stay unwrapped. */
#ifndef MO_NEIGHBOR_DOMAIN_H
#define MO_NEIGHBOR_DOMAIN_H

#include <math.h>
#include <stdbool.h>

/* All zero: unbounded. */
typedef struct mo_domain {
    bool periodic[3];
    double low[3], high[3]; /* the box, along periodic axes */
    bool flat;              /* all z are 0 */
} mo_domain;

static inline bool mo_domain_periodic(const mo_domain *domain)
{
    return domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
}

/* Of the box, if it is periodic along all axes; 0 otherwise. */
static inline double mo_domain_volume(const mo_domain *d)
{
    bool closed = d->periodic[0] && d->periodic[1] && d->periodic[2];
    return closed ? (d->high[0] - d->low[0]) * (d->high[1] - d->low[1]) * (d->high[2] - d->low[2])
                  : 0;
}

static inline double mo_domain_period(const mo_domain *d, int axis)
{
    return d->high[axis] - d->low[axis];
}

/* The translation by whole periods along an axis from the domain's box to that containing x; 0
 * along an axis that is not periodic. */
static inline double mo_domain_shift(const mo_domain *d, int axis, double x)
{
    double length = mo_domain_period(d, axis);
    return d->periodic[axis] ? floor((x - d->low[axis]) / length) * length : 0;
}

/* The coordinate along one axis, wrapped into the box. */
static inline double mo_domain_wrap(const mo_domain *d, int axis, double x)
{
    return x - mo_domain_shift(d, axis, x);
}

/* The nearest periodic image of a difference of positions (minimum image convention). */
static inline double mo_domain_nearest(const mo_domain *d, int axis, double difference)
{
    double length = mo_domain_period(d, axis);
    return d->periodic[axis] ? difference - floor(difference / length + 0.5) * length : difference;
}

#endif
