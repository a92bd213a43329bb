// clang-format Language: C
/* The harness of the C tests. A test is a function; it passes when none of its checks failed. */
#ifndef TEST_H
#define TEST_H

#include "hurray.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_passed, test_failed, test_faults;

static inline void test_equal(int64_t want, int64_t got, int line, const char *what) {
    if (want != got) {
        test_faults++;
        printf("  line %d: %s: wanted %" PRId64 ", got %" PRId64 "\n", line, what, want, got);
    }
}

/* The status of a call. */
static inline void test_status(HurrayStatus want, HurrayStatus got, int line, const char *what) {
    if (want != got) {
        char text[512];
        size_t len = sizeof text;
        if (hurray_last_error_message(text, &len) != HURRAY_OK) len = 0;
        printf("  %s, not %s: %.*s\n", hurray_status_name(got), hurray_status_name(want), (int)len, text);
    }
    test_equal(want, got, line, what);
}

#define CHECK(condition) test_equal(1, (condition) ? 1 : 0, __LINE__, #condition)
#define EQUAL(want, got) test_equal((int64_t)(want), (int64_t)(got), __LINE__, #got)
#define STATUS(want, call) test_status((want), (call), __LINE__, #call)
#define OK(call) STATUS(HURRAY_OK, call)

/* Whether the text of the last error has `part` in it. */
static inline int test_text_has(const char *part) {
    char text[513];
    size_t len = sizeof text - 1;
    if (hurray_last_error_message(text, &len) != HURRAY_OK) return 0;
    text[len] = 0;
    return strstr(text, part) != NULL;
}

/* Bytes of 0xA5 from `at` on, up to `end`. */
static inline int test_is_untouched(const unsigned char *at, const unsigned char *end) {
    while (at < end && *at == 0xA5) at++;
    return at == end;
}

/* clang-format off */
/* The capacity idiom of `call`, which fills `out` and `len` with `want` (above 0) values of a type. */
#define CAPACITY(type, want, call) do { \
    const size_t test_want = (size_t)(want), test_end = (test_want + 1) * sizeof(type); \
    unsigned char *test_room = (unsigned char *)malloc(test_end); \
    memset(test_room, 0xA5, test_end); \
    type *out = NULL; \
    for (size_t len, test_k = 0; test_k < 3; test_k++) { /* no array, twice; one element short */ \
        len = test_k == 0 ? 0 : test_k == 1 ? test_want : test_want - 1; \
        STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, call); EQUAL(want, len); \
        if (test_k == 1) out = (type *)(void *)test_room; \
    } \
    CHECK(test_is_untouched(test_room, test_room + test_end)); \
    size_t len = test_want; \
    OK(call); EQUAL(want, len); \
    CHECK(test_is_untouched(test_room + test_want * sizeof(type), test_room + test_end)); \
    free(test_room); \
    } while (0)

#define RUN(test) do { \
    uint64_t test_live = 1; \
    test_faults = 0; \
    test(); \
    OK(hurray_live_handles(&test_live)); EQUAL(0, test_live); \
    if (test_faults) { test_failed++; printf("  %s failed\n", #test); } else test_passed++; \
    } while (0)
/* clang-format on */

#define FINISH() (printf("%s: %d passed, %d failed\n", __FILE__, test_passed, test_failed), test_failed != 0)

#endif
