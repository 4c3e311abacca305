#include "math/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER,
    X,
    Y,
    Z,
    T,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    NEGATE,
    SIN,
    COS,
    TAN,
    EXP,
    LOG,
    SQRT,
    ABS,
    SIGN,
    FLOOR,
    TANH,
    MIN,
    MAX,
    ATAN2
};

static const struct {
    const char *name;
    uint8_t code;
    int arguments; /* 0: a variable; -1: a constant */
} NAMES[] = {
    {"x", X, 0},       {"y", Y, 0},     {"z", Z, 0},       {"t", T, 0},         {"pi", NUMBER, -1},
    {"sin", SIN, 1},   {"cos", COS, 1}, {"tan", TAN, 1},   {"exp", EXP, 1},     {"log", LOG, 1},
    {"sqrt", SQRT, 1}, {"abs", ABS, 1}, {"sign", SIGN, 1}, {"floor", FLOOR, 1}, {"tanh", TANH, 1},
    {"min", MIN, 2},   {"max", MAX, 2}, {"pow", POWER, 2}, {"atan2", ATAN2, 2},
};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

typedef struct parser {
    const char *text, *at;
    mo_operation list[MO_EXPRESSION_LONGEST + 1];
    int count, depth;
    int height; /* of the stack */
    mote_error *error;
} parser;

static mote_status fail(const parser *p, const char *what)
{
    return mo_fail(p->error, MOTE_ERROR_INPUT,
                   "column %d of '%.200s': %s; allowed: numbers, + - * / ^, parentheses, x y z t "
                   "pi, sin cos tan exp log sqrt abs sign floor tanh min max pow atan2",
                   (int)(p->at - p->text) + 1, p->text, what);
}

static void skip_spaces(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n') {
        ++p->at;
    }
}

/* `change` of the stack height, which is bounded by the nesting depth. */
static mote_status emit(parser *p, int code, double number, int change)
{
    p->height += change;
    if (p->count == MO_EXPRESSION_LONGEST || p->height >= MO_EXPRESSION_STACK) {
        return fail(p, "the expression is too long");
    }
    p->list[p->count++] = (mo_operation){(uint8_t)code, number};
    return MOTE_OK;
}

static mote_status parse_sum(parser *p);

static mote_status parse_number(parser *p)
{
    char *end;
    /* excludes hexadecimal numbers and infinities accepted by strtod */
    size_t length = strspn(p->at, "0123456789.");
    if (p->at[length] == 'e' || p->at[length] == 'E') {
        size_t sign = p->at[length + 1] == '-' || p->at[length + 1] == '+';
        size_t digits = strspn(p->at + length + 1 + sign, "0123456789");
        length += digits > 0 ? 1 + sign + digits : 0;
    }
    double number = strtod(p->at, &end);
    if (end != p->at + length || !isfinite(number)) {
        return fail(p, "this is not a number");
    }
    p->at = end;
    return emit(p, NUMBER, number, 1);
}

static mote_status parse_arguments(parser *p, int code, int count)
{
    skip_spaces(p);
    if (*p->at != '(') {
        return fail(p, "a function needs its argument in parentheses");
    }
    ++p->at;
    for (int k = 0; k < count; ++k) {
        if (k > 0) {
            skip_spaces(p);
            if (*p->at != ',') {
                return fail(p, "this function has two arguments, with a comma between");
            }
            ++p->at;
        }
        MO_TRY(parse_sum(p));
    }
    skip_spaces(p);
    if (*p->at != ')') {
        return fail(p, count == 1 ? "expected ')' after the argument"
                                  : "expected ')' after two arguments");
    }
    ++p->at;
    return emit(p, code, 0, 1 - count);
}

static mote_status parse_name(parser *p)
{
    size_t length = 0;
    while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_') {
        ++length;
    }
    for (int k = 0; k < NAME_COUNT; ++k) {
        if (strlen(NAMES[k].name) == length && memcmp(NAMES[k].name, p->at, length) == 0) {
            p->at += length;
            return NAMES[k].arguments > 0 ? parse_arguments(p, NAMES[k].code, NAMES[k].arguments)
                                          : emit(p, NAMES[k].code, 3.14159265358979323846, 1);
        }
    }
    return fail(p, "there is no such name");
}

static mote_status parse_atom(parser *p)
{
    skip_spaces(p);
    if (*p->at == '(') {
        ++p->at;
        MO_TRY(parse_sum(p));
        skip_spaces(p);
        if (*p->at != ')') {
            return fail(p, "expected ')'");
        }
        ++p->at;
        return MOTE_OK;
    }
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        return parse_number(p);
    }
    if (isalpha((unsigned char)*p->at)) {
        return parse_name(p);
    }
    return fail(p, *p->at ? "expected a number, a name or '('" : "it ends too early");
}

static mote_status parse_power(parser *p)
{
    if (++p->depth > MO_EXPRESSION_DEEPEST) {
        return fail(p, "it is nested too deeply");
    }
    skip_spaces(p);
    bool negative = *p->at == '-';
    if (negative || *p->at == '+') {
        ++p->at;
        MO_TRY(parse_power(p));
    } else {
        MO_TRY(parse_atom(p));
        skip_spaces(p);
        if (*p->at == '^') {
            ++p->at;
            MO_TRY(parse_power(p));
            MO_TRY(emit(p, POWER, 0, -1));
        }
    }
    --p->depth;
    return negative ? emit(p, NEGATE, 0, 0) : MOTE_OK;
}

/* Operands joined by left-associative operators. */
static mote_status parse_chain(parser *p, mote_status (*operand)(parser *), char first,
                               int first_code, char second, int second_code)
{
    MO_TRY(operand(p));
    for (;;) {
        skip_spaces(p);
        char operation = *p->at;
        if (operation != first && operation != second) {
            return MOTE_OK;
        }
        ++p->at;
        MO_TRY(operand(p));
        MO_TRY(emit(p, operation == first ? first_code : second_code, 0, -1));
    }
}

static mote_status parse_product(parser *p)
{
    return parse_chain(p, parse_power, '*', MULTIPLY, '/', DIVIDE);
}

static mote_status parse_sum(parser *p)
{
    if (++p->depth > MO_EXPRESSION_DEEPEST) {
        return fail(p, "it is nested too deeply");
    }
    MO_TRY(parse_chain(p, parse_product, '+', ADD, '-', SUBTRACT));
    --p->depth;
    return MOTE_OK;
}

mote_status mo_expression_compile(const char *text, mo_arena *arena, mo_expression *expression,
                                  mote_error *error)
{
    parser p = {.text = text, .at = text, .error = error};
    MO_TRY(parse_sum(&p));
    skip_spaces(&p);
    if (*p.at) {
        return fail(&p, "expected an operator or the end");
    }
    size_t bytes = (size_t)p.count * sizeof *p.list;
    mo_operation *list = mo_arena_allocate(arena, bytes);
    if (!list) {
        return mo_fail_memory(error, bytes);
    }
    memcpy(list, p.list, bytes);
    *expression = (mo_expression){.count = p.count, .list = list};
    for (int k = 0; k < p.count; ++k) {
        expression->uses_time = expression->uses_time || list[k].code == T;
    }
    return MOTE_OK;
}

/* ---- evaluation ---- */

static double unary(int code, double a)
{
    switch (code) {
    case NEGATE:
        return -a;
    case SIN:
        return sin(a);
    case COS:
        return cos(a);
    case TAN:
        return tan(a);
    case EXP:
        return exp(a);
    case LOG:
        return log(a);
    case SQRT:
        return sqrt(a);
    case ABS:
        return fabs(a);
    case SIGN:
        return a > 0 ? 1 : a < 0 ? -1 : a;
    case FLOOR:
        return floor(a);
    default:
        return tanh(a);
    }
}

static double binary(int code, double a, double b)
{
    switch (code) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case DIVIDE:
        return a / b;
    case POWER: /* squares are frequent, and a product is portable */
        return b == 2 ? a * a : pow(a, b);
    case MIN:
        return a < b ? a : b;
    case MAX:
        return a > b ? a : b;
    default:
        return atan2(a, b);
    }
}

double mo_expression_at(const mo_expression *e, double x, double y, double z, double t)
{
    double stack[MO_EXPRESSION_STACK] = {0};
    const double variable[4] = {x, y, z, t};
    int top = 0;
    for (int k = 0; k < e->count; ++k) {
        int code = e->list[k].code;
        if (code == NUMBER) {
            stack[top++] = e->list[k].number;
        } else if (code <= T) {
            stack[top++] = variable[code - X];
        } else if (code <= POWER || code >= MIN) {
            --top;
            stack[top - 1] = binary(code, stack[top - 1], stack[top]);
        } else {
            stack[top - 1] = unary(code, stack[top - 1]);
        }
    }
    return stack[0];
}

/* ---- derivatives ---- */

/* A value with its derivatives along x, y and z. */
typedef struct dual {
    double value, along[3];
} dual;

/* The derivative of unary(code, a), where value = unary(code, a). */
static double unary_derivative(int code, double a, double value)
{
    switch (code) {
    case NEGATE:
        return -1;
    case SIN:
        return cos(a);
    case COS:
        return -sin(a);
    case TAN:
        return 1 + value * value;
    case EXP:
        return value;
    case LOG:
        return 1 / a;
    case SQRT:
        return 0.5 / value;
    case ABS:
        return a < 0 ? -1 : 1;
    case TANH:
        return 1 - value * value;
    default: /* piecewise constant */
        return 0;
    }
}

/* The partial derivatives of value = binary(code, a, b). */
static void binary_derivatives(int code, double a, double b, double value, double *da, double *db)
{
    double square = a * a + b * b;
    *da = *db = 1;
    switch (code) {
    case SUBTRACT:
        *db = -1;
        break;
    case MULTIPLY:
        *da = b;
        *db = a;
        break;
    case DIVIDE:
        *da = 1 / b;
        *db = -value / b;
        break;
    case POWER:
        *da = b == 2 ? 2 * a : b == 0 ? 0 : b * pow(a, b - 1);
        *db = a > 0 ? value * log(a) : 0;
        break;
    case MIN:
        *da = a < b;
        *db = !(a < b);
        break;
    case MAX:
        *da = a > b;
        *db = !(a > b);
        break;
    case ATAN2:
        *da = b / square;
        *db = -a / square;
        break;
    default:
        break;
    }
}

static void apply_unary(int code, dual *d)
{
    double value = unary(code, d->value), slope = unary_derivative(code, d->value, value);
    d->value = value;
    for (int c = 0; c < 3; ++c) {
        d->along[c] *= slope;
    }
}

/* a constant exponent is differentiated without the logarithm: (-x)^3 */
static void apply_binary(int code, dual *a, const dual *b)
{
    double value = binary(code, a->value, b->value), da, db;
    binary_derivatives(code, a->value, b->value, value, &da, &db);
    for (int c = 0; c < 3; ++c) {
        a->along[c] =
            (a->along[c] != 0 ? da * a->along[c] : 0) + (b->along[c] != 0 ? db * b->along[c] : 0);
    }
    a->value = value;
}

double mo_expression_gradient(const mo_expression *e, double x, double y, double z, double t,
                              double gradient[3])
{
    dual stack[MO_EXPRESSION_STACK] = {0};
    const double variable[4] = {x, y, z, t};
    int top = 0;
    for (int k = 0; k < e->count; ++k) {
        int code = e->list[k].code;
        if (code == NUMBER) {
            stack[top++] = (dual){e->list[k].number, {0, 0, 0}};
        } else if (code <= T) {
            stack[top++] = (dual){variable[code - X], {code == X, code == Y, code == Z}};
        } else if (code <= POWER || code >= MIN) {
            --top;
            apply_binary(code, &stack[top - 1], &stack[top]);
        } else {
            apply_unary(code, &stack[top - 1]);
        }
    }
    for (int c = 0; c < 3; ++c) {
        gradient[c] = stack[0].along[c];
    }
    return stack[0].value;
}

mote_status mo_expression3_compile(const char *name, int64_t count, const char *const *texts,
                                   mo_arena *arena, mo_expression3 *expressions, mote_error *error)
{
    if (count != 3) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%s: expected three expressions, along x, y and z, found %lld", name,
                       (long long)count);
    }
    for (int k = 0; k < 3; ++k) {
        mote_error problem = {0};
        mote_status status =
            mo_expression_compile(texts[k], arena, &expressions->part[k], &problem);
        if (status != MOTE_OK) {
            return mo_fail(error, status, "%s[%d]: %.1000s", name, k, problem.text);
        }
    }
    return MOTE_OK;
}
