/* Dense layouts, 64 MiB of float32, [4096, 4096], to row-major and back, each against a plain loop of C for the same
 * work. Both sides write memory that is page-aligned and was written before; rounds alternate, ratio of minima.
 *
 * Rows go to standard output as tab-separated values, for tools/bench.py. */
#define _GNU_SOURCE
#include "common.h"
#include <string.h>

enum { N = 4096, TILE = 32, ROUNDS = 15 };

static float *source, *ours, *theirs;

static uint32_t spread(uint32_t x) {
    x = (x | x << 8) & 0x00FF00FF;
    x = (x | x << 4) & 0x0F0F0F0F;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

/* Work of the yardstick: where element (i, j) is in the layout that is not row-major. */
#define LOOPS(name, place)                                                                                             \
    static void from_##name(float *restrict to, const float *restrict from) {                                          \
        for (size_t i = 0; i < N; i++)                                                                                 \
            for (size_t j = 0; j < N; j++) to[i * N + j] = from[place];                                                \
    }                                                                                                                  \
    static void to_##name(float *restrict to, const float *restrict from) {                                            \
        for (size_t i = 0; i < N; i++)                                                                                 \
            for (size_t j = 0; j < N; j++) to[place] = from[i * N + j];                                                \
    }

LOOPS(strided, i * 2 * N + 2 * j)
LOOPS(reversed, i *N + (N - 1 - j))
LOOPS(transposed, j *N + i)
LOOPS(morton, spread((uint32_t)i) | spread((uint32_t)j) << 1)

/* Tile by tile, each in its order. */
static void from_tiled(float *restrict to, const float *restrict from) {
    for (size_t a = 0; a < N; a += TILE)
        for (size_t b = 0; b < N; b += TILE)
            for (size_t i = 0; i < TILE; i++)
                for (size_t j = 0; j < TILE; j++) to[(a + i) * N + b + j] = *from++;
}

static void to_tiled(float *restrict to, const float *restrict from) {
    for (size_t a = 0; a < N; a += TILE)
        for (size_t b = 0; b < N; b += TILE)
            for (size_t i = 0; i < TILE; i++)
                for (size_t j = 0; j < TILE; j++) *to++ = from[(a + i) * N + b + j];
}

typedef struct {
    const char *name;
    void (*from)(float *restrict, const float *restrict), (*to)(float *restrict, const float *restrict);
    HurrayDescriptor *(*descriptor)(void);
    size_t elements;
} Row;

static HurrayDescriptorBuilder *builder;

static HurrayDescriptor *finish(void) {
    HurrayDescriptor *descriptor;
    check(hurray_descriptor_builder_push_default_buffers(builder));
    check(hurray_descriptor_builder_finish(builder, &descriptor));
    check(hurray_descriptor_builder_destroy(&builder));
    return descriptor;
}

static void begin(uint8_t layout, uint64_t byte_offset) {
    const uint64_t shape[2] = {N, N};
    check(hurray_descriptor_builder_new(HURRAY_TYPE_FLOAT32, layout, shape, 2, &builder));
    check(hurray_descriptor_builder_set_u64(builder, HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, byte_offset));
}

static HurrayDescriptor *with_strides(int64_t row, int64_t column, uint64_t byte_offset) {
    const int64_t strides[2] = {row, column};
    begin(HURRAY_LAYOUT_STRIDED, byte_offset);
    check(hurray_descriptor_builder_set_i64_array(builder, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, strides, 2));
    return finish();
}

static HurrayDescriptor *strided(void) { return with_strides(2 * N, 2, 0); }
static HurrayDescriptor *reversed(void) { return with_strides(N, -1, 4 * (N - 1)); }

static HurrayDescriptor *transposed(void) {
    begin(HURRAY_LAYOUT_COLUMN_MAJOR, 0);
    return finish();
}

static HurrayDescriptor *morton(void) {
    const uint64_t bits[2] = {12, 12};
    begin(HURRAY_LAYOUT_MORTON, 0);
    check(hurray_descriptor_builder_set_u64_array(builder, HURRAY_LAYOUT_FIELD_MORTON_BITS, 0, bits, 2));
    return finish();
}

static HurrayDescriptor *tiled(void) {
    const uint64_t tile[2] = {TILE, TILE};
    begin(HURRAY_LAYOUT_TILED, 0);
    check(hurray_descriptor_builder_set_u64_array(builder, HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, 0, tile, 2));
    check(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, 0, 1));
    check(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, 0, 1));
    return finish();
}

static const Row ROWS[] = {
    {"strided", from_strided, to_strided, strided, 2 * (size_t)N * N - 1},
    {"reversed rows", from_reversed, to_reversed, reversed, (size_t)N * N},
    {"tiled 32x32", from_tiled, to_tiled, tiled, (size_t)N * N},
    {"transposed", from_transposed, to_transposed, transposed, (size_t)N * N},
    {"Morton", from_morton, to_morton, morton, (size_t)N * N},
};

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static HurrayBuffer *buffer_of(float *data, size_t elements) {
    HurrayBuffer *buffer;
    check(hurray_buffer_from_ptr(data, elements * 4, 4096, 0, 0, 0, NULL, NULL, &buffer));
    return buffer;
}

static void measure(const Row *row, HurrayDescriptor *from, HurrayDescriptor *to, size_t read, size_t write, int back) {
    HurrayBufferList *list;
    HurrayTensor *tensor, *made;
    HurrayBuffer *into = buffer_of(ours, write);
    check(hurray_buffer_list_new(1, &list));
    check(hurray_buffer_list_push(list, buffer_of(source, read)));
    check(hurray_tensor_from_descriptor(from, list, NULL, NULL, &tensor));
    double a[ROUNDS], b[ROUNDS];
    memset(ours, 0, write * 4), memset(theirs, 0, write * 4);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        check(hurray_tensor_to_layout(tensor, to, into, NULL, NULL, &made));
        a[round] = now() - start;
        check(hurray_tensor_destroy(&made));
        start = now();
        (back ? row->to : row->from)(theirs, source);
        b[round] = now() - start;
    }
    if (memcmp(ours, theirs, write * 4) != 0) {
        fprintf(stderr, "%s: the results differ\n", row->name);
        exit(1);
    }
    qsort(a, ROUNDS, sizeof *a, by_size);
    qsort(b, ROUNDS, sizeof *b, by_size);
    printf(back ? "row-major -> %s (C)" : "%s -> row-major (C)", row->name);
    printf("\t1.25\t%.3f\t%.3f\t%.3f\t%.3f\tms\n", a[0], b[0], a[ROUNDS / 2], b[ROUNDS / 2]);
    check(hurray_tensor_destroy(&tensor));
    check(hurray_buffer_destroy(&into));
}

int main(int argc, char **argv) {
    const size_t most = 2 * (size_t)N * N;
    source = aligned_alloc(4096, most * 4);
    ours = aligned_alloc(4096, most * 4);
    theirs = aligned_alloc(4096, most * 4);
    if (!source || !ours || !theirs) return 1;
    for (size_t k = 0; k < most; k++) source[k] = (float)(k * 2654435761U >> 8);
    memset(ours, 0, most * 4);
    begin(HURRAY_LAYOUT_ROW_MAJOR, 0);
    HurrayDescriptor *rows = finish();
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
        if (argc > 1 && !strstr(ROWS[k].name, argv[1])) continue;
        HurrayDescriptor *other = ROWS[k].descriptor();
        measure(&ROWS[k], other, rows, ROWS[k].elements, (size_t)N * N, 0);
        measure(&ROWS[k], rows, other, (size_t)N * N, ROWS[k].elements, 1);
        check(hurray_descriptor_destroy(&other));
    }
    check(hurray_descriptor_destroy(&rows));
    free(source), free(ours), free(theirs);
    return 0;
}
