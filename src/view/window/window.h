/*
 * The window plays the show of a studio. Events (keys, mouse) change the window's state; the loop
 * advances the time, creates the picture, draws it with its overlay, and presents it.
 *
 *   window.c        opening, the loop, events of mouse and keyboard
 *   window_act.c    actions of keys
 *   window_tool.c   tools on particles: grab, push, delete, heat, add
 *   window_text.c   text overlay
 *
 * Simulation and drawing share one thread, so that no partial step is visible. A world gets at most
 * BUDGET seconds of steps between two pictures, which keeps the window responsive. With slow
 * drawing (a software driver) moving pictures are drafts without antialiasing and soft shadows;
 * still ones have full quality.
 */
#ifndef MO_VIEW_WINDOW_WINDOW_H
#define MO_VIEW_WINDOW_WINDOW_H

#include "mote/checkpoint.h"
#include "mote/view.h"
#include "view/studio.h"

struct GLFWwindow;

enum { MO_WINDOW_TEXT = 600 };

/* Tools on particles: control and the left button. */
typedef enum mo_tool {
    MO_TOOL_GRAB,
    MO_TOOL_PUSH,
    MO_TOOL_DELETE,
    MO_TOOL_HEAT,
    MO_TOOL_ADD,
    MO_TOOLS
} mo_tool;

typedef struct mo_taken {
    int64_t id;
    mo_vec3 offset; /* from the particle pressed */
} mo_taken;

typedef struct mo_tool_state {
    mo_tool kind;
    bool active; /* the button is down */
    int system;
    double depth;         /* of the particle pressed */
    mo_vec3 at, from, to; /* its position; the cursor at the press and now */
    int64_t count;
    mo_taken *taken; /* by id */
} mo_tool_state;

typedef struct mo_window {
    const mote_scene *scene;
    const mote_window_options *options;
    struct GLFWwindow *handle;
    mo_studio studio;
    mo_renderer *renderer;
    mo_image overlay; /* of the window's size */
    int width, height;
    /* playing */
    bool playing, ended, dirty, draft, moving;
    double due;                   /* the simulated time due */
    double last;                  /* time of the last loop [s] */
    mote_snapshot *first, *saved; /* NULL: none */
    int64_t saved_frame;          /* of stored frames; -1: none */
    mote_step_report step;
    /* measured */
    double shown; /* time of the last picture in continuous play; else 0 [s] */
    double fps, step_seconds, draw_seconds;
    /* chosen */
    int style, field; /* indices into the lists of the keys */
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
    mo_tool_state tool;
} mo_window;

/* ---- window_act.c */

/* Actions of typed characters; keys without a character have these codes. */
enum { MO_KEY_QUIT = 'q', MO_KEY_HELP = 'h', MO_KEY_STEP = '+', MO_KEY_BACK = '-' };
/* Finds the style and field of the scene, from which the keys continue. */
void mo_window_begin(mo_window *w);
void mo_window_type(mo_window *w, unsigned character);
void mo_window_pick(mo_window *w, double x, double y);
/* Starts, or restarts at the end. */
void mo_window_play(mo_window *w, bool play);
/* The picture of the current moment; an error is displayed and stops the play. */
void mo_window_refresh(mo_window *w);

/* Displays a message in the window and reports it. */
void mo_window_message(mo_window *w, const char *format, ...) MO_PRINTF(2, 3);
/* Reports a message only. */
void mo_window_note(mo_window *w, const char *format, ...) MO_PRINTF(2, 3);

/* ---- window_tool.c */

void mo_window_next_tool(mo_window *w);
/* At a pixel; true: the tool follows the cursor until the release. */
bool mo_window_tool_press(mo_window *w, double x, double y);
void mo_window_tool_move(mo_window *w, double x, double y);
void mo_window_tool_release(mo_window *w);
/* Before every step of the world. */
void mo_window_tool_step(mo_window *w, mote_world *world);
void mo_window_tool_close(mo_window *w);

/* ---- window_text.c */

/* Fills the overlay. */
mote_status mo_window_write(mo_window *w, mote_error *error);

#endif
