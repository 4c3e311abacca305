/*
 * A film through the ffmpeg program: raw pictures go into its standard input, H.264 comes out. It
 * is started without a shell. The film has its final name only when it is whole.
 */
#ifndef MO_VIEW_FILM_H
#define MO_VIEW_FILM_H

#include "draw/image.h"

typedef struct mo_film mo_film;

/* Says what to install if there is no ffmpeg. Width and height must be even. */
mote_status mo_film_open(const char *path, int width, int height, double fps, mo_film **film,
                         mote_error *error);
mote_status mo_film_add(mo_film *film, const mo_image *image, mote_error *error);

/* Finishes the file. The film is gone afterwards, whatever happens. */
mote_status mo_film_close(mo_film *film, mote_error *error);

/* Throws it away. NULL is fine. */
void mo_film_abandon(mo_film *film);

#endif
