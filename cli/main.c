#include "commands.h"

#include <mote/mote.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const command *const COMMANDS[] = {
    &command_run,    &command_view,     &command_render, &command_resume,
    &command_info,   &command_check,    &command_plot,   &command_surface,
    &command_search, &command_probe,    &command_list,   &command_explain,
    &command_schema, &command_validate, &command_bench,  &command_modes,
};

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

static const command *find_command(const char *name)
{
    for (int k = 0; k < COMMAND_COUNT; ++k) {
        if (strcmp(COMMANDS[k]->name, name) == 0) {
            return COMMANDS[k];
        }
    }
    complain("there is no command '%s'; `mote help` lists them", name);
    return NULL;
}

static void print_help(FILE *file)
{
    fputs("mote: fluids, solids, cloth and particles from one scene file\n\n", file);
    for (int k = 0; k < COMMAND_COUNT; ++k) {
        command_print_line(COMMANDS[k], file);
    }
    fputs("\n  mote COMMAND --help   options of a command\n  mote --version        version and "
          "instruction set\n\nExit codes: 0 done, 1 the run failed, 2 bad usage or input.\n",
          file);
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int run_command(const char *name, int count, char **arguments)
{
    const command *c = find_command(name);
    if (!c) {
        return EXIT_USAGE;
    }
    for (int k = 0; k < count; ++k) {
        if (asks_for_help(arguments[k])) {
            command_print_help(c);
            return EXIT_DONE;
        }
    }
    return c->run(c, count, arguments);
}

/* `mote help` and `mote help COMMAND`. */
static int answer_help(int count, char **arguments)
{
    if (count == 0 || asks_for_help(arguments[0])) {
        print_help(stdout);
        return EXIT_DONE;
    }
    const command *c = find_command(arguments[0]);
    if (c) {
        command_print_help(c);
    }
    return c ? EXIT_DONE : EXIT_USAGE;
}

static int answer(int count, char **arguments)
{
    const char *first = arguments[0];
    if (strcmp(first, "help") == 0 || asks_for_help(first)) {
        return answer_help(count - 1, arguments + 1);
    }
    if (strcmp(first, "--version") == 0) {
        printf("mote %s (%s)\n", mote_version(), mote_instruction_set());
        return EXIT_DONE;
    }
    return run_command(first, count - 1, arguments + 1);
}

/* The reader of our output has closed the pipe, which is not an error. */
static bool reader_is_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP));
}

int main(int count, char **arguments)
{
    if (count < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    int code = answer(count - 1, arguments + 1);
    if ((fflush(stdout) != 0 || ferror(stdout)) && !reader_is_gone()) {
        complain("the output could not be written");
        code = code == EXIT_DONE ? EXIT_FAILED : code;
    }
    return code;
}
