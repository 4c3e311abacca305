#include "interrupt.h"

#include <signal.h>

/* The only state outside a function: a signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit is an error with a message, not the end */
}

bool interrupt_seen(void)
{
    return interrupted != 0;
}
