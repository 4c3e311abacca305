/* `mote list`, `mote explain`, `mote schema`: the tables in words. */
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

static const char *const FLAGS[] = {"--json", "--markdown", NULL};

int command_list(int count, char **arguments)
{
    options o;
    char *text = NULL;
    mote_error error;
    if (!options_parse(count, arguments, "list", FLAGS, &o)) {
        return EXIT_USAGE;
    }
    mote_status status = mote_catalog_list(o.scene, format_of(&o), &text, &error);
    return print_text(status, text, &error);
}

int command_explain(int count, char **arguments)
{
    options o;
    char *text = NULL;
    mote_error error;
    if (!options_parse(count, arguments, "explain", FLAGS, &o)) {
        return EXIT_USAGE;
    }
    if (!o.scene) {
        complain("explain: what? mote explain rk4, mote explain time.step, mote explain collider");
        return EXIT_USAGE;
    }
    mote_status status = mote_catalog_explain(o.scene, format_of(&o), &text, &error);
    return print_text(status, text, &error);
}

int command_schema(int count, char **arguments)
{
    options o;
    char *text = NULL;
    mote_error error;
    static const char *const NONE[] = {NULL};
    if (!options_parse(count, arguments, "schema", NONE, &o)) {
        return EXIT_USAGE;
    }
    if (o.scene) {
        complain("schema: it takes no name, there is '%s'", o.scene);
        return EXIT_USAGE;
    }
    mote_status status = mote_catalog_schema(&text, &error);
    return print_text(status, text, &error);
}
