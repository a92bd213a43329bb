/* The door, measured from C through the shared library: exchange, share, one field read, and the same through the
 * table of another copy of the library. Each row against its yardstick, rounds alternating, ratio of minima.
 *
 * usage: door PATH-OF-ANOTHER-COPY. Rows go to standard output as tab-separated values, for tools/bench.py. */
#define _GNU_SOURCE
#include "common.h"
#include <dlfcn.h>
#include <string.h>

enum { ROUNDS = 31, CALLS = 20000 };

/* float32 [2, 3, 4], row-major, one buffer of 96 bytes. */
static const unsigned char BYTES[] = {'H', 'R', 'R', 'Y', 1, 0, 69, 0,  0, 0, 0, 0, 0, 0, 3, 1,  3, 0, 0, 0, 2, 0, 0,
                                      0,   0,   0,   0,   0, 3, 0,  0,  0, 0, 0, 0, 0, 4, 0, 0,  0, 0, 0, 0, 0, 0, 0,
                                      0,   0,   0,   0,   0, 0, 1,  96, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0};
_Static_assert(sizeof BYTES == 69, "20 header, 24 shape, 8 offset, 1 count, 16 entry");

static _Alignas(64) float memory[24];
static HurrayDescriptor *descriptor, *away;
static HurrayTensor *shared;
static volatile uint64_t sink;

static void release(void *data, void *context) { (void)data, (void)context; }

static void release_owner(void *owner) { (void)owner; }

/* What a producer and a consumer do by hand with DLPack's versioned struct: make it, read the fields, delete it. */
typedef struct Managed {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct Managed *);
    uint64_t flags;
    void *data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
    int64_t room[6];
} Managed;

static void managed_delete(Managed *self) {
    release(self->data, self->context);
    free(self);
}

static Managed *managed_make(void) {
    static const int64_t shape[3] = {2, 3, 4}, strides[3] = {12, 4, 1};
    Managed *self = malloc(sizeof *self);
    if (!self) {
        exit(1);
    }
    *self = (Managed){.major = 1, .minor = 1, .deleter = managed_delete, .data = memory, .device_type = 1, .ndim = 3};
    self->code = 2, self->bits = 32, self->lanes = 1;
    self->shape = self->room, self->strides = self->room + 3;
    memcpy(self->shape, shape, sizeof shape);
    memcpy(self->strides, strides, sizeof strides);
    return self;
}

/* Made elsewhere, as far as the compiler knows. */
static Managed *(*volatile make)(void) = managed_make;

static void dlpack(void) {
    Managed *tensor = make();
    sink += tensor->major + (uint64_t)tensor->ndim + tensor->code + tensor->bits + (uint64_t)tensor->shape[0] +
            (uint64_t)tensor->device_type + tensor->byte_offset + (uintptr_t)tensor->data;
    tensor->deleter(tensor);
}

static void exchange(int from_bytes) {
    HurrayBuffer *buffer;
    HurrayBufferList *list;
    HurrayTensor *tensor;
    check(hurray_buffer_from_ptr(memory, 96, 64, 0, 0, 0, release, NULL, &buffer));
    check(hurray_buffer_list_new(1, &list));
    check(hurray_buffer_list_push(list, buffer));
    check(from_bytes
              ? hurray_tensor_new(HURRAY_C_ABI_VERSION, BYTES, sizeof BYTES, list, memory, release_owner, &tensor)
              : hurray_tensor_from_descriptor(descriptor, list, memory, release_owner, &tensor));
    uint32_t version, rank;
    HurrayDescriptor *fields;
    check(hurray_tensor_abi_version(tensor, &version));
    check(hurray_tensor_descriptor(tensor, &fields));
    check(hurray_tensor_buffers(tensor, &list));
    uint8_t type, layout;
    uint64_t offset, shape[8];
    size_t room = 8;
    void *data;
    check(hurray_descriptor_element_type_tag(fields, &type));
    check(hurray_descriptor_layout_tag(fields, &layout));
    check(hurray_descriptor_rank(fields, &rank));
    check(hurray_descriptor_byte_offset(fields, &offset));
    check(hurray_descriptor_shape(fields, shape, &room));
    check(hurray_buffer_list_get(list, 0, &buffer));
    check(hurray_buffer_data_ptr(buffer, &data));
    sink += version + type + layout + rank + offset + shape[0] + (uintptr_t)data;
    check(hurray_tensor_destroy(&tensor));
}

static void exchange_decoded(void) { exchange(0); }

static void exchange_bytes(void) { exchange(1); }

static void share(void) {
    HurrayTensor *tensor;
    check(hurray_tensor_share(shared, &tensor));
    check(hurray_tensor_destroy(&tensor));
}

static void allocate(void) {
    void *volatile block = malloc(96);
    free(block);
}

static void version(void) { sink += hurray_c_abi_version(); }

static void field(void) {
    uint64_t value = 0;
    hurray_descriptor_field_u64(descriptor, HURRAY_BUFFER_FIELD_BYTE_SIZE, 0, &value);
    sink += value;
}

static void field_away(void) {
    uint64_t value = 0;
    hurray_descriptor_field_u64(away, HURRAY_BUFFER_FIELD_BYTE_SIZE, 0, &value);
    sink += value;
}

static double timed(void (*call)(void)) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < CALLS; i++) {
        call();
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / CALLS;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void row(const char *name, double bar, void (*ours)(void), void (*theirs)(void)) {
    double a[ROUNDS], b[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        a[i] = timed(ours);
        b[i] = timed(theirs);
    }
    qsort(a, ROUNDS, sizeof *a, compare);
    qsort(b, ROUNDS, sizeof *b, compare);
    printf("%s\t%g\t%g\t%g\t%g\t%g\tns\n", name, bar, a[0], b[0], a[ROUNDS / 2], b[ROUNDS / 2]);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s PATH-OF-ANOTHER-COPY\n", argv[0]);
        return 2;
    }
    void *copy = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    HurrayStatus (*decode_away)(const uint8_t *, size_t, HurrayDescriptor **) = NULL;
    if (copy) {
        *(void **)&decode_away = dlsym(copy, "hurray_descriptor_decode");
    }
    if (!decode_away) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    check(hurray_descriptor_decode(BYTES, sizeof BYTES, &descriptor));
    check(decode_away(BYTES, sizeof BYTES, &away));
    const uint64_t shape[1] = {24};
    check(hurray_tensor_from_array(HURRAY_TYPE_FLOAT32, shape, 1, NULL, memory, 0, 0, 0, 0, NULL, NULL, NULL, &shared));
    row("exchange, decoded (DLPack by hand)", 6, exchange_decoded, dlpack);
    row("exchange, from bytes (DLPack by hand)", 9, exchange_bytes, dlpack);
    row("share + destroy (malloc + free of 96)", 3, share, allocate);
    row("one field (hurray_c_abi_version)", 6, field, version);
    row("one field, another copy's (the same)", 9, field_away, version);
    check(hurray_tensor_destroy(&shared));
    check(hurray_descriptor_destroy(&away));
    check(hurray_descriptor_destroy(&descriptor));
    return 0;
}
