/* What it costs that each index is checked when it is used: [4096, 4096] of float32, one element in ten stored, as CSR
 * and as sorted COO, to dense, each against a plain loop of C that trusts its indices. Both sides write memory that is
 * page-aligned and was written before; rounds alternate, ratio of minima. COO also finds coordinates that come twice:
 * it remembers which places were written.
 *
 * Rows go to standard output as tab-separated values, for tools/bench.py. */
#define _GNU_SOURCE
#include "common.h"
#include <string.h>

enum { N = 4096, ROUNDS = 15 };

static float *values, *ours, *theirs;
static uint64_t *columns, *pointers, *places;
static size_t nnz;

static void from_csr(float *restrict to) {
    memset(to, 0, (size_t)N * N * 4);
    for (size_t i = 0; i < N; i++)
        for (size_t p = pointers[i]; p < pointers[i + 1]; p++) to[i * N + columns[p]] = values[p];
}

static void from_coo(float *restrict to) {
    memset(to, 0, (size_t)N * N * 4);
    for (size_t p = 0; p < nnz; p++) to[places[2 * p] * N + places[2 * p + 1]] = values[p];
}

static void *room(size_t bytes) {
    void *found = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!found) exit(1);
    return found;
}

static void fill(void) {
    uint32_t state = 1;
    values = room((size_t)N * N * 4), columns = room((size_t)N * N * 8), places = room((size_t)N * N * 16);
    pointers = room((N + 1) * 8);
    for (size_t i = 0; i < N; i++) {
        pointers[i] = nnz;
        for (size_t j = 0; j < N; j++) {
            state = state * 1664525 + 1013904223;
            if (state >> 8 >= (1 << 24) / 10) continue;
            columns[nnz] = j, places[2 * nnz] = i, places[2 * nnz + 1] = j;
            values[nnz++] = (float)(j + 1);
        }
    }
    pointers[N] = nnz;
}

static HurrayTensor *tensor(uint8_t layout, uint32_t nnz_field, int is_coo) {
    const uint64_t shape[2] = {N, N};
    void *const data[3] = {values, is_coo ? places : columns, pointers};
    const uint64_t sizes[3] = {nnz * 4, is_coo ? nnz * 16 : nnz * 8, (N + 1) * 8};
    HurrayDescriptorBuilder *builder;
    HurrayDescriptor *descriptor;
    HurrayBufferList *list;
    HurrayTensor *made;
    check(hurray_descriptor_builder_new(HURRAY_TYPE_FLOAT32, layout, shape, 2, &builder));
    check(hurray_descriptor_builder_set_u64(builder, nnz_field, 0, nnz));
    if (is_coo) check(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_COO_IS_SORTED, 0, 1));
    check(hurray_descriptor_builder_push_default_buffers(builder));
    check(hurray_descriptor_builder_finish(builder, &descriptor));
    check(hurray_descriptor_builder_destroy(&builder));
    check(hurray_buffer_list_new(3, &list));
    for (int k = 0; k < (is_coo ? 2 : 3); k++) {
        HurrayBuffer *buffer;
        check(hurray_buffer_from_ptr(data[k], sizes[k], 4096, 0, 0, 0, NULL, NULL, &buffer));
        check(hurray_buffer_list_push(list, buffer));
    }
    check(hurray_tensor_from_descriptor(descriptor, list, NULL, NULL, &made));
    check(hurray_descriptor_destroy(&descriptor));
    return made;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, double bar, HurrayTensor *from, void (*loop)(float *restrict)) {
    const size_t bytes = (size_t)N * N * 4;
    double a[ROUNDS], b[ROUNDS];
    HurrayBuffer *into;
    check(hurray_buffer_from_ptr(ours, bytes, 4096, 0, 0, 0, NULL, NULL, &into));
    memset(ours, 1, bytes), memset(theirs, 1, bytes);
    for (int round = 0; round < ROUNDS; round++) {
        HurrayTensor *made;
        double start = now();
        check(hurray_tensor_to_layout(from, NULL, into, NULL, NULL, &made));
        a[round] = now() - start;
        check(hurray_tensor_destroy(&made));
        start = now();
        loop(theirs);
        b[round] = now() - start;
    }
    if (memcmp(ours, theirs, bytes) != 0) {
        fprintf(stderr, "%s: the results differ\n", name);
        exit(1);
    }
    qsort(a, ROUNDS, sizeof *a, by_size);
    qsort(b, ROUNDS, sizeof *b, by_size);
    printf("%s\t%g\t%.3f\t%.3f\t%.3f\t%.3f\tms\n", name, bar, a[0], b[0], a[ROUNDS / 2], b[ROUNDS / 2]);
    check(hurray_buffer_destroy(&into));
    check(hurray_tensor_destroy(&from));
}

int main(void) {
    fill();
    ours = room((size_t)N * N * 4), theirs = room((size_t)N * N * 4);
    measure("CSR -> dense (C that trusts)", 1.25, tensor(HURRAY_LAYOUT_CSR, HURRAY_LAYOUT_FIELD_CSR_NNZ, 0), from_csr);
    measure("COO -> dense (C that trusts)", 4, tensor(HURRAY_LAYOUT_COO, HURRAY_LAYOUT_FIELD_COO_NNZ, 1), from_coo);
    free(values), free(columns), free(places), free(pointers), free(ours), free(theirs);
    return 0;
}
