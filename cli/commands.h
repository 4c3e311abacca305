/* The commands of the program: each gets what stands after its name and returns the exit code. */
#ifndef MOTE_CLI_COMMANDS_H
#define MOTE_CLI_COMMANDS_H

/* Exit codes. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

int command_run(int count, char **arguments);
int command_render(int count, char **arguments);
int command_view(int count, char **arguments);
int command_resume(int count, char **arguments);
int command_info(int count, char **arguments);
int command_check(int count, char **arguments);
int command_plot(int count, char **arguments);
int command_surface(int count, char **arguments);
int command_list(int count, char **arguments);
int command_explain(int count, char **arguments);
int command_schema(int count, char **arguments);
int command_bench(int count, char **arguments);
int command_validate(int count, char **arguments);

#endif
