/* What the C benchmarks share. */
#ifndef HURRAY_BENCH_COMMON_H
#define HURRAY_BENCH_COMMON_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "hurray.h"

/* Ends the program where a call fails. */
static inline void check(HurrayStatus status) {
  if (status != HURRAY_OK) {
    char text[512];
    size_t len = sizeof text;
    hurray_last_error_message(text, &len);
    fprintf(stderr, "%s: %.*s\n", hurray_status_name(status), (int)len, text);
    exit(1);
  }
}

/* Milliseconds. */
static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#endif
