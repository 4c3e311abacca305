/*
 * The window: a studio whose show is played. What the user does arrives as events (keys, mouse) and
 * changes the window's state; the loop then lets time pass, makes the picture, draws it with what
 * is written over it, and presents it.
 *
 *   window.c        opening, the loop, events of mouse and keyboard
 *   window_act.c    what the keys do
 *   window_text.c   what is written over the picture
 *
 * Simulation and drawing share one thread: a step is never seen half done. A world gets at most
 * BUDGET seconds of steps between two pictures, so that the window answers. Where drawing is slow
 * (a software driver) what moves is drawn without smooth edges and soft shadows, and drawn well
 * when it stands still.
 */
#ifndef MO_VIEW_WINDOW_WINDOW_H
#define MO_VIEW_WINDOW_WINDOW_H

#include "mote/checkpoint.h"
#include "mote/view.h"
#include "view/studio.h"

struct GLFWwindow;

enum { MO_WINDOW_TEXT = 600 };

typedef struct mo_window {
    const mote_scene *scene;
    const mote_window_options *options;
    struct GLFWwindow *handle;
    mo_studio studio;
    mo_renderer *renderer;
    mo_image overlay; /* as large as the window */
    int width, height;
    /* playing */
    bool playing, ended, dirty, draft, moving;
    double due;                   /* the simulated time that should be shown */
    double last;                  /* when the loop was here before [s] */
    mote_snapshot *first, *saved; /* NULL: none */
    int64_t saved_frame;          /* of stored frames; -1: none */
    mote_step_report step;
    /* measured */
    double shown; /* when the last picture was shown, if others follow it at once; else 0 [s] */
    double fps, step_seconds, draw_seconds;
    /* chosen */
    int style, field; /* places in the lists that keys go through */
    char field_name[80];
    int64_t picked; /* a particle of the picture; -1: none */
    bool inspect, help, numbers, wire;
    char message[MO_WINDOW_TEXT];
    double message_until;
    int screenshots;
    /* the mouse */
    double mouse_x, mouse_y, press_x, press_y;
    int button; /* -1: none is down */
    bool pans;
} mo_window;

/* ---- window_act.c */

/* What a character typed means; keys without one are given as these. */
enum { MO_KEY_QUIT = 'q', MO_KEY_HELP = 'h', MO_KEY_STEP = '+', MO_KEY_BACK = '-' };
/* Notes which style and field the scene has, so that the keys go on from there. */
void mo_window_begin(mo_window *w);
void mo_window_type(mo_window *w, unsigned character);
void mo_window_pick(mo_window *w, double x, double y);
/* Starts, or starts again at the end. */
void mo_window_play(mo_window *w, bool play);
/* The picture of the present moment; what fails is shown and stops the play. */
void mo_window_refresh(mo_window *w);

/* Tells the user in the window, and whoever asked for reports. */
void mo_window_say(mo_window *w, const char *format, ...) MO_PRINTF(2, 3);
/* Whoever asked for reports only. */
void mo_window_note(mo_window *w, const char *format, ...) MO_PRINTF(2, 3);

/* ---- window_text.c */

/* Fills the overlay. */
mote_status mo_window_write(mo_window *w, mote_error *error);

#endif
