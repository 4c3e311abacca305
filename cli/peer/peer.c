#include "peer/peer.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH = 4096, COMMAND = 1024, WORDS = 64, DEPTH = 16 };

/* ---- availability ---- */

bool peer_is_installed(const char *program)
{
    char file[PATH];
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)length, length ? at : ".", program);
        if (access(file, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

/* ---- directory ---- */

mote_status peer_folder_make(peer_folder *folder, mote_error *error)
{
    const char *base = getenv("TMPDIR");
    int length = snprintf(folder->path, sizeof folder->path, "%s/mote-XXXXXX",
                          base && *base ? base : P_tmpdir);
    if (length >= (int)sizeof folder->path || !mkdtemp(folder->path)) {
        return mo_fail(error, MOTE_ERROR_IO,
                       "no folder for files of a moment can be made in '%s': %s",
                       base && *base ? base : P_tmpdir, strerror(errno));
    }
    return MOTE_OK;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *level)
{
    (void)info, (void)kind, (void)level;
    return remove(path);
}

void peer_folder_remove(const peer_folder *folder)
{
    nftw(folder->path, remove_entry, DEPTH, FTW_DEPTH | FTW_PHYS);
}

FILE *peer_file_create(const peer_folder *folder, const char *name, mote_error *error)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        mo_fail(error, MOTE_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
    }
    return file;
}

mote_status peer_file_close(FILE *file, const char *name, mote_error *error)
{
    bool whole = !ferror(file);
    whole = fclose(file) == 0 && whole;
    return whole ? MOTE_OK
                 : mo_fail(error, MOTE_ERROR_IO, "%s: could not be written completely", name);
}

/* ---- execution ---- */

/* Splits the text at spaces; the words end with NULL. */
static bool split(char *text, char *words[WORDS + 1])
{
    int count = 0;
    char *rest;
    for (char *word = strtok_r(text, " ", &rest); word && count <= WORDS;
         word = strtok_r(NULL, " ", &rest)) {
        words[count++] = word;
    }
    words[count <= WORDS ? count : WORDS] = NULL;
    return count > 0 && count <= WORDS;
}

/* In the directory, without input, and with both streams into the pipe. */
static int start(const peer_folder *folder, char *const *words, const int tube[2], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder->path);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, tube[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, tube[1], STDERR_FILENO);
    int problem = posix_spawnp(child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

/* `last` is the last non-empty line. */
static void read_lines(int tube, peer_reader *read, void *context, char *last, size_t size)
{
    FILE *output = fdopen(tube, "r");
    char *line = NULL;
    size_t capacity = 0;
    last[0] = '\0';
    while (output && getline(&line, &capacity, output) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0]) {
            snprintf(last, size, "%s", line);
        }
        read(context, line);
    }
    free(line);
    if (output) {
        fclose(output);
    } else {
        close(tube);
    }
}

static mote_status judge(const char *command, int state, const char *last, mote_error *error)
{
    if (WIFSIGNALED(state)) {
        return mo_fail(error, MOTE_ERROR_IO, "'%s' was ended by signal %d; it said last: %s",
                       command, WTERMSIG(state), last);
    }
    return WEXITSTATUS(state) == 0
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_IO, "'%s' ended with exit code %d; it said last: %s",
                         command, WEXITSTATUS(state), last);
}

mote_status peer_run(const peer_folder *folder, const char *command, peer_reader *read,
                     void *context, mote_error *error)
{
    int tube[2], state = 0;
    pid_t child;
    char text[COMMAND], last[512], *words[WORDS + 1];
    if (snprintf(text, sizeof text, "%s", command) >= COMMAND || !split(text, words)) {
        return mo_fail(error, MOTE_ERROR_USAGE, "'%.100s...' is no command; allowed: 1 to %d words",
                       command, WORDS);
    }
    if (pipe2(tube, O_CLOEXEC) != 0) {
        return mo_fail(error, MOTE_ERROR_IO, "'%s' cannot be started: %s", command,
                       strerror(errno));
    }
    int problem = start(folder, words, tube, &child);
    close(tube[1]);
    if (problem) {
        close(tube[0]);
        return mo_fail(error, MOTE_ERROR_IO, "'%s' cannot be started: %s", command,
                       strerror(problem));
    }
    read_lines(tube[0], read, context, last, sizeof last);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return judge(command, state, last, error);
}
