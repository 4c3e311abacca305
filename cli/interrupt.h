/* Signals that end what is going on cleanly: SIGINT (Ctrl-C) and SIGTERM, of which the second one
   ends the program at once, SIGHUP (the terminal is gone) and SIGXCPU (the limit of processor
   time). A file beyond the size limit and a closed pipe become errors of a write. */
#ifndef MOTE_CLI_INTERRUPT_H
#define MOTE_CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
bool interrupt_seen(void);

/* The same as a hook of mote_config. */
bool interrupt_cancels(void *unused);

#endif
