/*
 * Every method: its sample scene runs with finite values and without allocation after some steps,
 * and its tables are complete.
 */
#include "method/sample.h"

enum { WARM_UP = 100, STEPS = 50 };

static void check_finite(mote_world *world, const char *name)
{
    mote_column column;
    for (int s = 0; s < mote_world_system_count(world); ++s) {
        for (int c = 0; mote_world_column(world, s, c, &column); ++c) {
            for (int64_t k = 0; column.type == MOTE_F64 && k < column.rows * column.components;
                 ++k) {
                if (!isfinite(((double *)column.data)[k])) {
                    fail_msg("'%s': column %s, number %lld is not finite", name, column.name,
                             (long long)k);
                }
            }
        }
    }
}

static void check_run(const mo_family *family, const mo_descriptor *method)
{
    mote_world *world = sample_world(family, method, 1);
    take_steps(world, WARM_UP, method->name);
    int64_t allocations = mote_world_allocations(world);
    take_steps(world, STEPS, method->name);
    check_finite(world, method->name);
    if (mote_world_allocations(world) != allocations) {
        fail_msg("%s '%s' allocates in a step after %d steps", family->name, method->name, WARM_UP);
    }
    mote_world_destroy(world);
}

static void runs_without_allocation_or_nan(void **state)
{
    (void)state;
    for_every_method(check_run);
}

static void check_param(const char *owner, const mo_param *p)
{
    if (!p->doc || strlen(p->doc) < 8 || p->doc[strlen(p->doc) - 1] != '.') {
        fail_msg("%s.%s: needs a sentence, with its full stop", owner, p->name);
    }
    if (p->required && p->initial) {
        fail_msg("%s.%s: is required and has a default", owner, p->name);
    }
    if (p->range && !isfinite(mo_range_parse(p->range).low) &&
        !isfinite(mo_range_parse(p->range).high)) {
        fail_msg("%s.%s: the range %s has no end", owner, p->name, p->range);
    }
    if ((p->type == MO_METHOD && !p->family) || (p->type == MO_SECTION && !p->section)) {
        fail_msg("%s.%s: has no family or section", owner, p->name);
    }
}

static void check_tables(const mo_family *family, const mo_descriptor *method)
{
    assert_non_null(method->summary);
    assert_non_null(method->params);
    (void)family;
    for (const mo_param *p = method->params; p->name; ++p) {
        check_param(method->name, p);
        assert_true(p->offset + (p->list ? sizeof(mo_list) : mo_param_size(p)) <=
                    method->param_size);
        assert_true(p->type != MO_SECTION);
    }
}

static void tables_are_complete(void **state)
{
    (void)state;
    mo_catalog catalog;
    mo_catalog_collect(&catalog);
    for_every_method(check_tables);
    for (int k = 0; k < catalog.section_count; ++k) {
        for (const mo_param *p = catalog.sections[k]->params; p->name; ++p) {
            check_param(catalog.sections[k]->name, p);
        }
    }
}

/* A method is explained by its name, listed, and in the schema. */
static void check_catalogue(const mo_family *family, const mo_descriptor *method)
{
    char *explained, *listed, *schema, quoted[100];
    mote_error error = {0};
    assert_int_equal(mote_catalog_explain(method->name, MOTE_TEXT_PLAIN, &explained, &error),
                     MOTE_OK);
    assert_non_null(strstr(explained, method->summary));
    assert_int_equal(mote_catalog_list(family->name, MOTE_TEXT_PLAIN, &listed, &error), MOTE_OK);
    assert_non_null(strstr(listed, method->name));
    assert_int_equal(mote_catalog_schema(&schema, &error), MOTE_OK);
    snprintf(quoted, sizeof quoted, "\"%s\"", method->name);
    assert_non_null(strstr(schema, quoted));
    mote_text_free(explained);
    mote_text_free(listed);
    mote_text_free(schema);
}

static void everything_is_in_the_catalogue(void **state)
{
    (void)state;
    for_every_method(check_catalogue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_without_allocation_or_nan),
                                       cmocka_unit_test(tables_are_complete),
                                       cmocka_unit_test(everything_is_in_the_catalogue)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
