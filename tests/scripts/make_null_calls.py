#!/usr/bin/env python3
"""Writes the calls of tests/api/null.c: every public function with NULL for each of its pointer arguments in turn.

A function with an argument that this script cannot make up stops the build: tell it in VALUES how to.

usage: make_null_calls.py INCLUDE-DIR OUT
"""
import pathlib
import sys

import public_api

# By type and name, or by type alone; `v` holds what tests/api/null.c has made.
VALUES = {
    "mote_world *": "v->world", "const mote_world *": "v->world", "mote_world **": "&v->made_world",
    "mote_scene *": "v->scene", "const mote_scene *": "v->scene", "mote_scene **": "&v->made_scene",
    "mote_snapshot *": "v->snapshot", "const mote_snapshot *": "v->snapshot", "mote_snapshot **": "&v->made_snapshot",
    "mote_surface *": "v->surface", "const mote_surface *": "v->surface", "mote_surface **": "&v->made_surface",
    "mote_search *": "v->search", "const mote_search *": "v->search", "mote_search **": "&v->made_search",
    "mote_probe *": "v->probe", "const mote_probe *": "v->probe", "mote_probe **": "&v->made_probe",
    "const mote_probe_options *": "&v->probe_options", "const char * operation": '"value"',
    "const char * sampling": '"{\\"type\\": \\"points\\", \\"positions\\": [[0, 0, 0]]}"',
    "const char *const * columns": '(const char *const[]){"x"}', "const char *const * operations": '(const char *const[]){"value"}',
    "const mote_search_options *": "&v->search_options", "int64_t *": "v->counts", "bool *": "&v->flag",
    "const mote_config *": "&v->config", "const mote_particles *": "&v->particles",
    "const mote_run_options *": "&v->run", "const mote_surface_options *": "&v->surface_options",
    "const mote_surface_run_options *": "&v->surface_run", "const mote_static_options *": "&v->statics",
    "const mote_render_options *": "&(mote_render_options){0}", "const mote_window_options *": "&(mote_window_options){0}",
    "mote_force_fn *": "no_force", "void *": "v", "const uint8_t *": "v->gone", "const int32_t **": "&v->rows",
    "double *": "v->numbers", "const double *": "v->numbers", "char **": "&v->made_text", "char *": "v->label",
    "size_t size": "sizeof v->label", "mote_text_format": "MOTE_TEXT_PLAIN", "mote_status": "MOTE_OK",
    "bool": "false", "int count": "1", "int": "0", "int64_t": "0", "double": "0",
    "const char * directory": "NULL", "const char * family": '"integrator"', "const char * text": '"{}"',
    "const char * path": "v->path", "const char * results": "v->path", "const char * name": '"a"',
    "const char * column": '"x"', "const char * system": '"forces"', "const char * value": '"1"',
    "const char ** limited_by": "&(const char *){NULL}",
}
# What a function without a status returns for NULL, if it is not 0, false or NULL.
RETURNED = {"mote_world_system_find": "-1"}
NUMBERS = ("bool", "int", "int64_t", "uint64_t", "double")


def value_of(function, argument):
    for key in (f"{argument.type} {argument.name}", argument.type):
        if key in VALUES:
            return VALUES[key]
    if argument.type.startswith("mote_") and argument.type.endswith(" *"):
        return f"&({argument.type[:-2]}){{0}}"  # something to be filled
    sys.exit(f"make_null_calls.py: no value for '{argument.type} {argument.name}' of {function.name}; add one to VALUES")


def call(function, nulls):
    values = ["NULL" if a.name in nulls else "&v->error" if a.name == "error" else value_of(function, a)
              for a in function.arguments]
    return f"{function.name}({', '.join(values)})"


def lines_of(function):
    """Nothing is drawn here: of libmote_view the refusals alone are called."""
    pointers = [a for a in function.arguments if a.is_pointer() and a.name != "error"]
    for argument in pointers:
        made = call(function, [argument.name])
        names = f'"{function.name}", "{argument.name}"'
        if argument.optional and function.header == "view.h":
            continue
        if function.result == "mote_status":
            yield f"{'need_taken' if argument.optional else 'need_refused'}(v, {made}, {names});"
            if not argument.optional:
                yield f"need_status({call(function, [argument.name, 'error'])}, {names});"
        elif function.result in NUMBERS and not argument.optional:
            yield f"need_number((double){made}, {RETURNED.get(function.name, '0')}, {names});"
        elif function.result.endswith("*") and not argument.optional:
            yield f"need_null({made}, {names});"
        else:
            yield f"(void){made};"
        yield "release(v);"


def write_function(out, name, functions):
    calls = [line for function in functions for line in lines_of(function)]
    out.append(f"static void {name}(values *v)\n{{")
    out.extend("    " + line for line in calls)
    out.append("}\n")


def main():
    include, path = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    functions = list(public_api.functions(include))
    out = ["/* Made by make_null_calls.py from the public headers. */"]
    write_function(out, "call_library", [f for f in functions if f.header != "view.h"])
    out.append("#ifdef TEST_VIEW")
    write_function(out, "call_view", [f for f in functions if f.header == "view.h"])
    out.append("#endif")
    path.write_text("\n".join(out) + "\n")


main()
