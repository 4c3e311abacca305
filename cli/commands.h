/* The commands of the program. */
#ifndef MOTE_CLI_COMMANDS_H
#define MOTE_CLI_COMMANDS_H

#include "command.h"

extern const command command_run, command_view, command_render, command_resume, command_info,
    command_check, command_plot, command_surface, command_search, command_probe, command_list,
    command_explain, command_schema, command_validate, command_bench, command_modes;

#endif
