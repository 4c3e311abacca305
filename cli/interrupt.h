/* Ctrl-C and SIGTERM end what is going on cleanly; the second one ends the program at once. */
#ifndef MOTE_CLI_INTERRUPT_H
#define MOTE_CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
bool interrupt_seen(void);

#endif
