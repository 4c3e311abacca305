#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

/* The only state outside a function: a signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

/* A signal that was ignored when the program started stays so: that is how `nohup` and shells
   protect what runs in the background. */
static void catch_signal(int number, int flags)
{
    struct sigaction before, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | flags};
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(number, &action, NULL);
    }
}

void interrupt_catch(void)
{
    catch_signal(SIGINT, (int)SA_RESETHAND);
    catch_signal(SIGTERM, (int)SA_RESETHAND);
    /* these come more than once: from the terminal and the shell, and every second beyond the limit
       */
    catch_signal(SIGHUP, 0);
    catch_signal(SIGXCPU, 0);
    /* errors with a message, or none where nobody reads, not the end */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

bool interrupt_seen(void)
{
    return interrupted != 0;
}

bool interrupt_cancels(void *unused)
{
    (void)unused;
    return interrupt_seen();
}
