#include "view/film.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/plain_numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct mo_film {
    char path[4096], temporary[4200];
    int width, height;
    pid_t process;
    int lock;     /* locks the temporary file; -1: none */
    int input;    /* pipe to the encoder */
    int messages; /* error output of ffmpeg */
};

/* The temporary name keeps the extension, which selects ffmpeg's container:
 * "film.mp4.0123abcd.tmp.mp4". */
static mote_status name_film(mo_film *film, const char *path, mote_error *error)
{
    const char *dot = strrchr(path, '.');
    if (strlen(path) >= sizeof film->path || !dot) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.200s: is not a valid video file name", path);
    }
    snprintf(film->path, sizeof film->path, "%s", path);
    char prefix[sizeof film->path + 1];
    snprintf(prefix, sizeof prefix, "%s.", path);
    mo_file_sweep(prefix);
    return mo_file_reserve(path, dot, film->temporary, sizeof film->temporary, &film->lock, error);
}

static int spawn(mo_film *film, int reader, const char *size, const char *fps)
{
    /* a path that begins with a dash must not be parsed as a flag */
    char output[4300];
    snprintf(output, sizeof output, "file:%s", film->temporary);
    const char *const arguments[] = {
        "ffmpeg",   "-hide_banner", "-loglevel", "error",     "-y",         "-f",     "rawvideo",
        "-pix_fmt", "rgba",         "-s",        size,        "-r",         fps,      "-i",
        "pipe:0",   "-an",          "-c:v",      "libx264",   "-preset",    "medium", "-crf",
        "18",       "-pix_fmt",     "yuv420p",   "-movflags", "+faststart", output,   NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, reader, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, film->messages, STDERR_FILENO);
    int code =
        posix_spawnp(&film->process, "ffmpeg", &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* A socket instead of a pipe: MSG_NOSIGNAL suppresses SIGPIPE after the reader has exited. */
static mote_status start(mo_film *film, double fps, mote_error *error)
{
    int ends[2];
    char size[40], rate[40];
    snprintf(size, sizeof size, "%dx%d", film->width, film->height);
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    snprintf(rate, sizeof rate, "%.6f", fps);
    mo_plain_numbers_end(numbers);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return mo_fail(error, MOTE_ERROR_IO, "%s: ffmpeg could not be started: %s", film->path,
                       strerror(errno));
    }
    int code = spawn(film, ends[0], size, rate);
    close(ends[0]);
    film->input = ends[1];
    if (code == ENOENT) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "%s: a video needs the program ffmpeg; install it (Debian: apt-get install ffmpeg), or "
            "give a directory for single images: -o frames/",
            film->path);
    }
    return code == 0 ? MOTE_OK
                     : mo_fail(error, MOTE_ERROR_IO, "%s: ffmpeg could not be started: %s",
                               film->path, strerror(code));
}

mote_status mo_film_open(const char *path, int width, int height, double fps, mo_film **out,
                         mote_error *error)
{
    *out = NULL;
    mo_film *film = mo_heap_allocate(1, sizeof *film);
    if (!film) {
        return mo_fail_memory(error, sizeof *film);
    }
    film->width = width;
    film->height = height;
    film->input = film->lock = -1;
    FILE *messages = tmpfile();
    film->messages = messages ? fcntl(fileno(messages), F_DUPFD_CLOEXEC, 3) : -1;
    if (messages) {
        fclose(messages);
    }
    mote_status status =
        film->messages >= 0
            ? name_film(film, path, error)
            : mo_fail(error, MOTE_ERROR_IO, "no temporary file could be made: %s", strerror(errno));
    if (status == MOTE_OK) {
        status = start(film, fps, error);
    }
    if (status != MOTE_OK) {
        film->process = 0;
        mo_film_abandon(film);
        return status;
    }
    *out = film;
    return MOTE_OK;
}

/* The error output of ffmpeg in one line. */
static mote_status fail_with_messages(mo_film *film, mote_error *error)
{
    char words[600] = "";
    ssize_t size = pread(film->messages, words, sizeof words - 1, 0);
    words[size > 0 ? size : 0] = '\0';
    for (char *at = words; *at; ++at) {
        *at = *at == '\n' ? ' ' : *at;
    }
    return mo_fail(error, MOTE_ERROR_IO, "%s: ffmpeg could not write the video: %s", film->path,
                   words[0] ? words : "it gave no reason");
}

mote_status mo_film_add(mo_film *film, const mo_image *image, mote_error *error)
{
    size_t size = 4 * (size_t)film->width * (size_t)film->height, sent = 0;
    while (sent < size) {
        ssize_t more = send(film->input, image->pixels + sent, size - sent, MSG_NOSIGNAL);
        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more <= 0) {
            return fail_with_messages(film, error);
        }
        sent += (size_t)more;
    }
    return MOTE_OK;
}

/* Waits for the process; true if it succeeded. */
static bool finish(mo_film *film)
{
    int state = 0;
    pid_t done;
    close(film->input);
    film->input = -1;
    do {
        done = waitpid(film->process, &state, 0);
    } while (done < 0 && errno == EINTR);
    film->process = 0;
    return done > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

mote_status mo_film_close(mo_film *film, mote_error *error)
{
    mote_status status = MOTE_OK;
    if (!finish(film)) {
        status = fail_with_messages(film, error);
    } else if (rename(film->temporary, film->path) != 0) {
        status = mo_fail(error, MOTE_ERROR_IO, "%s: could not be written: %s", film->path,
                         strerror(errno));
    } else {
        film->temporary[0] = '\0';
    }
    mo_film_abandon(film);
    return status;
}

void mo_film_abandon(mo_film *film)
{
    if (!film) {
        return;
    }
    if (film->process > 0) {
        kill(film->process, SIGKILL);
        finish(film);
    }
    if (film->input >= 0) {
        close(film->input);
    }
    if (film->messages >= 0) {
        close(film->messages);
    }
    if (film->temporary[0]) {
        unlink(film->temporary);
    }
    if (film->lock >= 0) {
        close(film->lock);
    }
    mo_heap_release(film);
}
