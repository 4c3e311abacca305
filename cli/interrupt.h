/*
 * Signals that stop cleanly: SIGINT (Ctrl-C) and SIGTERM, of which the second one terminates at
 * once, SIGHUP (terminal closed) and SIGXCPU (CPU time limit). Exceeding the file size limit and a
 * closed pipe become write errors.
 */
#ifndef MOTE_CLI_INTERRUPT_H
#define MOTE_CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
bool interrupt_seen(void);

/* The same as a hook of mote_config. */
bool interrupt_cancels(void *unused);

#endif
