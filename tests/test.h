/* cmocka, with what it needs before it. */
#ifndef TEST_TEST_H
#define TEST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The sanitizers look at memory and threads, and take their time: what runs long for the sake of physics is left out there,
   or made small. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#define SKIP_LONG_PHYSICS()                                                                                  \
    do {                                                                                                     \
        if (SANITIZED) {                                                                                     \
            skip();                                                                                          \
        }                                                                                                    \
    } while (0)

#endif
