#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

/* The only global state, as required by a signal handler. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

/* Signals ignored at the start of the program stay ignored, as `nohup` and background shells
 * require. */
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
    /* these may be sent repeatedly: by terminal and shell, and every second beyond the limit */
    catch_signal(SIGHUP, 0);
    catch_signal(SIGXCPU, 0);
    /* become write errors instead of terminating the process */
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
