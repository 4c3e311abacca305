/*
 * Expressions of a scene: numbers as functions of x, y, z and t.
 *
 *     sum     = product { (+ | -) product }
 *     product = power { (* | /) power }
 *     power   = [+ | -] atom [ ^ power ]          -a^b is -(a^b), a^b^c is a^(b^c)
 *     atom    = number | x | y | z | t | pi | ( sum ) | name ( sum { , sum } )
 *    names   : sin cos tan exp log sqrt abs sign floor tanh (one argument), min max pow atan2 (two)
 *
 * They are compiled once, by recursive descent with a depth limit, to operations of a stack
 * machine; evaluation neither allocates nor fails. An undefined value (log of a negative number) is
 * NaN; the caller checks.
 */
#ifndef MO_MATH_EXPRESSION_H
#define MO_MATH_EXPRESSION_H

#include "base/memory.h"

#include <stdint.h>

enum { MO_EXPRESSION_LONGEST = 1000, MO_EXPRESSION_DEEPEST = 64, MO_EXPRESSION_STACK = 70 };

typedef struct mo_operation {
    uint8_t code;
    double number;
} mo_operation;

typedef struct mo_expression {
    int count;
    const mo_operation *list;
    bool uses_time;
} mo_expression;

/* Errors name the column, from 1. The operations are in the arena. */
mote_status mo_expression_compile(const char *text, mo_arena *arena, mo_expression *expression,
                                  mote_error *error);

double mo_expression_at(const mo_expression *expression, double x, double y, double z, double t);

/* The value and its gradient, by forward differentiation. */
double mo_expression_gradient(const mo_expression *expression, double x, double y, double z,
                              double t, double gradient[3]);

/* Three expressions from a scene's list of strings; errors name the element. */
typedef struct mo_expression3 {
    mo_expression part[3];
} mo_expression3;
mote_status mo_expression3_compile(const char *name, int64_t count, const char *const *texts,
                                   mo_arena *arena, mo_expression3 *expressions, mote_error *error);

#endif
