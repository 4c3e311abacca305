/*
 * Commands and their flags, as tables. A command has a name, a summary, operands, flags and a run
 * function; a flag is a row: name, value placeholder, destination, description. One parser reads
 * the arguments of all commands by these tables, and `mote COMMAND --help` prints them.
 */
#ifndef MOTE_CLI_COMMAND_H
#define MOTE_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Exit codes. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef enum flag_kind {
    FLAG_SWITCH, /* sets a bool; takes no value */
    FLAG_TEXT,   /* a const char * */
    FLAG_INT,    /* an int in the row's range */
    FLAG_REAL,   /* a double in the row's range */
    FLAG_OWN     /* parsed by `read` */
} flag_kind;

typedef struct flag {
    const char *name, *value; /* "--threads", "N"; without a value NULL */
    flag_kind kind;
    size_t field;     /* offset in the command's options: offsetof(...) */
    double low, high; /* of a number; high 0: unbounded */
    bool above;       /* low is excluded */
    /* Stores the value (NULL: the flag takes none) in the options, or reports an error and
     * returns false. */
    bool (*read)(const struct flag *self, const char *value, void *options);
    const void *more; /* further data of `read` */
    const char *doc;  /* for the help; lines are broken by hand */
} flag;

typedef struct command {
    const char *name;
    const char *operand; /* operands besides flags: "SCENE", "[NAME]"; NULL: none */
    const char *summary;
    /* message for a missing operand: "which scene? ..."; NULL: it is optional */
    const char *missing;
    size_t operand_field;   /* of a const char * in the options */
    const flag *flags;      /* ends with a row without a name; NULL: none */
    const flag *more_flags; /* the same, for a table shared by several commands */
    const char *more_doc;   /* heading of these in the help */
    int (*run)(const struct command *self, int count, char **arguments); /* returns the exit code */
} command;

/* Parses the arguments of a command into its options, which contain the defaults; reports errors
 * and returns false. */
bool command_read(const command *c, int count, char **arguments, void *options);

/* "  mote run SCENE        run a scene ..." */
void command_print_line(const command *c, FILE *file);

/* Prints the complete help on standard output. */
void command_print_help(const command *c);

/* "mote: ..." on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
