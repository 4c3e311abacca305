/*
 * Commands and their flags, as tables. A command is a name, a sentence, what it is given, its flags
 * and the function that runs it; a flag is a row: its name, what stands for its value, where the
 * value goes, a sentence. The words behind a command are read by these rows, and `mote COMMAND
 * --help` prints them: what is known is explained, and no command has a parser of its own.
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
    FLAG_OWN     /* `read` sees to it */
} flag_kind;

typedef struct flag {
    const char *name, *value; /* "--threads", "N"; without a value NULL */
    flag_kind kind;
    size_t field;     /* where in the command's options it goes: offsetof(...) */
    double low, high; /* of a number; high 0: no end */
    bool above;       /* low itself is not allowed */
    /* Puts the value (NULL: the flag takes none) into the options, or complains and returns
     * false. */
    bool (*read)(const struct flag *self, const char *value, void *options);
    const void *more; /* what `read` needs beside */
    const char *doc;  /* for the help; lines are broken by hand */
} flag;

typedef struct command {
    const char *name;
    const char *operand; /* what it is given beside flags: "SCENE", "[NAME]"; NULL: nothing */
    const char *summary;
    /* what to say without an operand: "which scene? ..."; NULL: it need not be there */
    const char *missing;
    size_t operand_field;   /* of a const char * in the options */
    const flag *flags;      /* up to a row without a name; NULL: none */
    const flag *more_flags; /* the same, for a table that several commands share */
    const char *more_doc;   /* the line above these in the help */
    int (*run)(const struct command *self, int count, char **arguments); /* returns the exit code */
} command;

/* Reads what stands behind the command's name into its options, which hold the defaults; after a
 * mistake it has complained and returns false. */
bool command_read(const command *c, int count, char **arguments, void *options);

/* "  mote run SCENE        run a scene ..." */
void command_print_line(const command *c, FILE *file);

/* All of it, on standard output. */
void command_print_help(const command *c);

/* "mote: ..." on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
