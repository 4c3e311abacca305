/*
 * cmocka, with its prerequisites.
 */
#ifndef TEST_TEST_H
#define TEST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fails unless the text of an error or a warning contains this. */
static inline void fail_unless_says(const char *text, const char *part, const char *file, int line)
{
    if (!strstr(text, part)) {
        print_error("'%s' is not in: %s\n", part, text);
        _fail(file, line);
    }
}
#define assert_says(text, part) fail_unless_says((text), (part), __FILE__, __LINE__)

/* Removes a directory with its contents. */
static inline int remove_folder(const char *path)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    return system(command);
}

/* With sanitizers long physical runs are skipped or shortened. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#define SKIP_LONG_PHYSICS() \
    do { \
        if (SANITIZED) { \
            skip(); \
        } \
    } while (0)

#endif
