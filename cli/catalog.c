/*
 * `mote list`, `mote explain`, `mote schema`: documentation from the parameter tables.
 */
#include "commands.h"
#include "options.h"

#include <stdio.h>

static mote_text_format format_of(const options *o)
{
    return o->json ? MOTE_TEXT_JSON : o->markdown ? MOTE_TEXT_MARKDOWN : MOTE_TEXT_PLAIN;
}

static int print_text(mote_status status, char *text, const mote_error *error)
{
    if (status != MOTE_OK) {
        complain("%s", error->text);
        return status == MOTE_ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
    }
    fputs(text, stdout);
    mote_text_free(text);
    return EXIT_DONE;
}

static const flag FLAGS[] = {
    OPTIONS_JSON,
    {"--markdown", NULL, FLAG_SWITCH, offsetof(options, markdown), .doc = "as Markdown"},
    {0}};

static int list(const command *self, int count, char **arguments)
{
    options o = options_default();
    char *text = NULL;
    mote_error error;
    if (!command_read(self, count, arguments, &o)) {
        return EXIT_USAGE;
    }
    mote_status status = mote_catalog_list(o.scene, format_of(&o), &text, &error);
    return print_text(status, text, &error);
}

static int explain(const command *self, int count, char **arguments)
{
    options o = options_default();
    char *text = NULL;
    mote_error error;
    if (!command_read(self, count, arguments, &o)) {
        return EXIT_USAGE;
    }
    mote_status status = mote_catalog_explain(o.scene, format_of(&o), &text, &error);
    return print_text(status, text, &error);
}

static int schema(const command *self, int count, char **arguments)
{
    options o = options_default();
    char *text = NULL;
    mote_error error;
    if (!command_read(self, count, arguments, &o)) {
        return EXIT_USAGE;
    }
    mote_status status = mote_catalog_schema(&text, &error);
    return print_text(status, text, &error);
}

const command command_list = {
    .name = "list",
    .operand = "[FAMILY]",
    .summary = "list the methods",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = list,
};

const command command_explain = {
    .name = "explain",
    .operand = "NAME",
    .summary = "a method, family, section or parameter: rk4, time.step, collider",
    .missing = "a name is missing: mote explain rk4, mote explain time.step, mote explain "
               "collider",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = explain,
};

const command command_schema = {
    .name = "schema",
    .summary = "JSON Schema of scenes, for editors",
    .run = schema,
};
