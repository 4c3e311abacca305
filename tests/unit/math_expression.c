/*
 * Expressions: values, precedence, errors with their column, arbitrary texts.
 */
#include "test.h"

#include "math/expression.h"
#include "numbers.h"

static mote_status compile(const char *text, mo_expression *e, mo_memory *memory, mo_arena *arena,
                           mote_error *error)
{
    mo_memory_init(memory, NULL);
    mo_arena_init(arena, memory);
    return mo_expression_compile(text, arena, e, error);
}

static double value_of(const char *text, double x, double y, double z, double t)
{
    mo_memory memory;
    mo_arena arena;
    mo_expression e;
    mote_error error = {0};
    if (compile(text, &e, &memory, &arena, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    double value = mo_expression_at(&e, x, y, z, t);
    mo_arena_release(&arena);
    assert_int_equal(memory.bytes, 0);
    return value;
}

static void values_are_those_of_c(void **state)
{
    (void)state;
    const double x = 0.7, y = -1.3, z = 2.5, t = 0.25, pi = 3.14159265358979323846;
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1", 1},
        {" 2.5e-3 ", 2.5e-3},
        {"x+y*z", x + y * z},
        {"(x+y)*z", (x + y) * z},
        {"x-y-z", x - y - z},
        {"x/y/z", x / y / z},
        {"-x^2", -(x * x)},
        {"(-x)^2", x * x},
        {"2^3^2", 512},
        {"2^-1", 0.5},
        {"--x", x},
        {"+x - -y", x + y},
        {"sin(pi*x)*cos(y)", sin(pi * x) * cos(y)},
        {"exp(-t)*sqrt(z)", exp(-t) * sqrt(z)},
        {"abs(y)", -y},
        {"min(x, max(y, z))", x},
        {"pow(z, 3)", pow(z, 3)},
        {"atan2(y, x)", atan2(y, x)},
        {"sign(y) + floor(z) + tanh(0) + log(1) + tan(0)", 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        assert_near(value_of(cases[k].text, x, y, z, t), cases[k].value, 1e-15);
    }
}

static void errors_name_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } CASES[] = {
        {"", "column 1 of '': it ends too early"},
        {"x +", "column 4 of 'x +': it ends too early"},
        {"x y", "column 3 of 'x y': expected an operator or the end"},
        {"2 * (x + 1", "column 11 of '2 * (x + 1': expected ')'"},
        {"sine(x)", "column 1 of 'sine(x)': there is no such name"},
        {"1 + foo", "column 5 of '1 + foo': there is no such name"},
        {"sin x", "column 5 of 'sin x': a function needs its argument in parentheses"},
        {"min(x)", "two arguments, with a comma"},
        {"sin(x, y)", "column 6 of 'sin(x, y)': expected ')' after the argument"},
        {"0x10", "column 1 of '0x10': this is not a number"},
        {"1..2", "this is not a number"},
        {"1e999", "this is not a number"},
        {"1e3x", "column 4"},
        {"system(\"rm\")", "there is no such name"},
        {"x = 3", "column 3"},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        mo_memory memory;
        mo_arena arena;
        mo_expression e;
        mote_error error = {0};
        assert_int_equal(compile(CASES[k].text, &e, &memory, &arena, &error), MOTE_ERROR_INPUT);
        assert_says(error.text, CASES[k].part);
        mo_arena_release(&arena);
    }
}

static void depth_and_length_have_limits(void **state)
{
    (void)state;
    enum { LONG = 6000 };
    static const char *const PIECES[] = {"(", "-", "sin(", "1+(", "2^", "max(1,", "1+", "x*"};
    for (size_t k = 0; k < sizeof PIECES / sizeof *PIECES; ++k) {
        char text[LONG + 100] = "";
        mo_memory memory;
        mo_arena arena;
        mo_expression e;
        mote_error error = {0};
        while (strlen(text) + 20 < LONG) {
            strcat(text, PIECES[k]);
        }
        strcat(text, "1");
        assert_int_equal(compile(text, &e, &memory, &arena, &error), MOTE_ERROR_INPUT);
        mo_arena_release(&arena);
    }
}

/* Any text compiles to a valid expression, or is rejected. */
static void no_text_breaks_it(void **state)
{
    (void)state;
    static const char *const WORDS[] = {"x",      "y",     "z",    "t",  "pi", "sin(", "max(",
                                        "atan2(", "pow(",  "(",    ")",  ",",  "+",    "-",
                                        "*",      "/",     "^",    "1",  ".5", "2e3",  "e",
                                        " ",      "sqrt(", "log(", "\"", "%s", "\xff", "_"};
    uint64_t random = 1;
    int good = 0;
    for (int k = 0; k < 200000; ++k) {
        char text[200] = "";
        mo_memory memory;
        mo_arena arena;
        mo_expression e;
        mote_error error;
        for (int64_t n = random_below(&random, 12); n >= 0; --n) {
            strcat(text, WORDS[random_below(&random, sizeof WORDS / sizeof *WORDS)]);
        }
        if (compile(text, &e, &memory, &arena, &error) == MOTE_OK) {
            double value = mo_expression_at(&e, 0.5, -2, 1e150, 3);
            assert_true(isnan(value) || value <= INFINITY);
            ++good;
        }
        mo_arena_release(&arena);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(good > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_c),
        cmocka_unit_test(errors_name_the_column),
        cmocka_unit_test(depth_and_length_have_limits),
        cmocka_unit_test(no_text_breaks_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
