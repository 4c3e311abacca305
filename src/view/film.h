/*
 * A video encoder: raw images are piped to the ffmpeg program, which writes H.264. It is started
 * without a shell. The file gets its final name when it is complete.
 */
#ifndef MO_VIEW_FILM_H
#define MO_VIEW_FILM_H

#include "draw/image.h"

typedef struct mo_film mo_film;

/* An error names the package to install if there is no ffmpeg. Width and height must be even. */
mote_status mo_film_open(const char *path, int width, int height, double fps, mo_film **film,
                         mote_error *error);
mote_status mo_film_add(mo_film *film, const mo_image *image, mote_error *error);

/* Completes the file. Releases the film also on failure. */
mote_status mo_film_close(mo_film *film, mote_error *error);

/* Discards the file. NULL is allowed. */
void mo_film_abandon(mo_film *film);

#endif
