/* Streams between two processes over a pipe, against length-prefixed frames written by hand with the same system calls.
 * Rounds alternate; teardown is included. Rows go to standard output as tab-separated values, for tools/bench.py. */
#define _GNU_SOURCE
#include "hurray.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 9, BATCH = 128 };

static void check(int good) {
    if (good) return;
    char text[512];
    size_t len = sizeof text;
    hurray_last_error_message(text, &len);
    fprintf(stderr, "stream: %.*s\n", (int)len, text);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *memory(size_t size) {
    void *data = aligned_alloc(4096, (size + 4095) & ~(size_t)4095);
    check(data != NULL);
    memset(data, 1, size);
    return data;
}

static void send_all(int fd, const void *data, size_t size) {
    for (const char *at = data; size > 0;) {
        const ssize_t count = write(fd, at, size);
        if (count <= 0) _exit(1);
        at += count;
        size -= (size_t)count;
    }
}

static int receive_all(int fd, void *data, size_t size) {
    for (char *at = data; size > 0;) {
        const ssize_t count = read(fd, at, size);
        if (count <= 0) return 0;
        at += count;
        size -= (size_t)count;
    }
    return 1;
}

static double frames(size_t size, int count) {
    int ends[2], got = 0;
    void *data = memory(size);
    check(pipe(ends) == 0);
    const double start = now();
    const pid_t child = fork();
    if (child == 0) {
        for (int k = 0; k < count; k++) {
            const uint64_t length = size;
            send_all(ends[1], &length, sizeof length);
            send_all(ends[1], data, size);
        }
        _exit(0);
    }
    close(ends[1]);
    for (uint64_t length; receive_all(ends[0], &length, sizeof length); got++) {
        void *frame = aligned_alloc(64, (length + 63) & ~(uint64_t)63);
        check(receive_all(ends[0], frame, length));
        free(frame);
    }
    waitpid(child, NULL, 0);
    const double taken = now() - start;
    check(got == count);
    close(ends[0]);
    free(data);
    return taken / count;
}

static double streams(size_t size, int count) {
    int ends[2], got = 0;
    const uint64_t shape = size;
    void *data = memory(size);
    HurrayTensor *tensor = NULL;
    HurrayItem *item = NULL;
    check(hurray_tensor_from_array(HURRAY_TYPE_UINT8, &shape, 1, NULL, data, 0, 0, 0, 0, NULL, NULL, NULL, &tensor) ==
          0);
    check(hurray_item_from_tensor(tensor, &item) == 0);
    check(pipe(ends) == 0);
    const double start = now();
    const pid_t child = fork();
    if (child == 0) {
        HurrayStreamWriter *writer = NULL;
        check(hurray_stream_writer_new(HURRAY_STREAM_BARE, 0, 0, NULL, &writer) == 0);
        for (int k = 1; k <= count; k++) {
            check(hurray_stream_writer_put(writer, item) == 0);
            if (size > 4096 || k % BATCH == 0 || k == count) check(hurray_stream_write_fd(writer, ends[1]) == 0);
        }
        _exit(0);
    }
    close(ends[1]);
    HurrayOptions *options = NULL;
    HurrayStreamReader *reader = NULL;
    check(hurray_options_new(&options) == 0);
    check(hurray_options_set_u64(options, HURRAY_OPTION_READ_AHEAD, 65536) == 0);
    check(hurray_stream_reader_new(options, &reader) == 0);
    HurrayItem *next = NULL;
    while (hurray_stream_read_fd(reader, ends[0], &next) == HURRAY_OK) {
        HurrayTensor *arrived = NULL;
        check(hurray_item_tensor(next, &arrived) == 0);
        hurray_item_destroy(&next);
        hurray_tensor_destroy(&arrived);
        got++;
    }
    waitpid(child, NULL, 0);
    const double taken = now() - start;
    check(got == count);
    close(ends[0]);
    hurray_stream_reader_destroy(&reader);
    hurray_options_destroy(&options);
    hurray_item_destroy(&item);
    hurray_tensor_destroy(&tensor);
    free(data);
    return taken / count;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void row(const char *name, double bar, size_t size, int count) {
    double ours[ROUNDS], theirs[ROUNDS];
    for (int k = 0; k < ROUNDS; k++) {
        theirs[k] = frames(size, count) * 1e6;
        ours[k] = streams(size, count) * 1e6;
    }
    qsort(ours, ROUNDS, sizeof *ours, ascending);
    qsort(theirs, ROUNDS, sizeof *theirs, ascending);
    printf("%s\t%g\t%g\t%g\t%g\t%g\tus\n", name, bar, ours[0], theirs[0], ours[ROUNDS / 2], theirs[ROUNDS / 2]);
}

int main(void) {
    row("stream of 1 MiB, C to C (frames)", 1.15, 1 << 20, 1000);
    row("stream of 256 bytes, C to C (frames)", 1 / 0.3, 256, 50000);
    return 0;
}
