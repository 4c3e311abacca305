/*
 * Numbers in files and tables have a decimal point in any locale. Between the two calls printf and
 * strtod of this thread use the "C" locale for numbers.
 */
#ifndef MO_BASE_PLAIN_NUMBERS_H
#define MO_BASE_PLAIN_NUMBERS_H

#include <locale.h>

typedef struct mo_plain_numbers {
    locale_t plain, previous;
} mo_plain_numbers;

static inline mo_plain_numbers mo_plain_numbers_begin(void)
{
    mo_plain_numbers n = {newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), (locale_t)0};
    n.previous = n.plain ? uselocale(n.plain) : (locale_t)0;
    return n;
}

static inline void mo_plain_numbers_end(mo_plain_numbers n)
{
    if (n.plain) {
        uselocale(n.previous);
        freelocale(n.plain);
    }
}

#endif
