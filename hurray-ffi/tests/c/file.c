/* Files: written to memory, a path and a callback; read by path, descriptor, buffer and callback. */
#include "samples.h"

#include <fcntl.h>
#include <unistd.h>

static HurrayItem *dense_item(int *released) {
    HurrayTensor *tensor = dense_tensor(released, NULL);
    HurrayItem *item = NULL;
    OK(hurray_item_from_tensor(tensor, &item));
    OK(hurray_tensor_destroy(&tensor));
    return item;
}

/* A file with tensors "x" and "y", and what `fill` sets, in memory. */
static HurrayBuffer *file_in_memory(void (*fill)(HurrayFileWriter *)) {
    HurrayFileWriter *writer = NULL;
    HurrayBuffer *file = NULL;
    HurrayItem *item = dense_item(NULL);
    OK(hurray_file_writer_to_memory(NULL, &writer));
    if (fill) fill(writer);
    OK(hurray_file_writer_put(writer, "x", 1, item));
    OK(hurray_file_writer_put(writer, "y", 1, item));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_take_buffer(writer, &file)); /* not finished */
    OK(hurray_file_writer_finish(writer));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_finish(writer));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_put(writer, "z", 1, item));
    OK(hurray_file_writer_take_buffer(writer, &file));
    HurrayBuffer *again = file;
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_take_buffer(writer, &again));
    CHECK(again == NULL);
    OK(hurray_file_writer_destroy(&writer));
    OK(hurray_item_destroy(&item));
    return file;
}

static void entries(void) {
    HurrayBuffer *file = file_in_memory(NULL);
    HurrayFileReader *reader = NULL;
    HurrayDescriptor *descriptor = NULL, *again = NULL;
    HurrayTensor *tensor = NULL;
    HurrayItem *item = NULL;
    uint64_t count = 0, index = 9, offset = 0, length = 0;
    uint32_t rank = 0, kind = 0;
    uint8_t bytes[61];
    OK(hurray_file_reader_open_buffer(file, NULL, &reader));
    OK(hurray_buffer_destroy(&file)); /* the reader keeps a share */
    OK(hurray_file_reader_entry_count(reader, &count));
    EQUAL(2, count);
    OK(hurray_file_reader_entry_find(reader, "y", 1, &index));
    EQUAL(1, index);
    STATUS(HURRAY_ERR_NOT_FOUND, hurray_file_reader_entry_find(reader, "yy", 2, &index));
    STATUS(HURRAY_ERR_NOT_FOUND, hurray_file_reader_entry_find(reader, NULL, 0, &index));
    EQUAL(1, index);
    uint8_t names[2];
    uint64_t ends[2];
    size_t names_len = 2, ends_len = 2;
    CAPACITY(uint8_t, 2, hurray_file_reader_entry_names(reader, out, &len, ends, (ends_len = 2, &ends_len)));
    CAPACITY(uint64_t, 2, hurray_file_reader_entry_names(reader, names, (names_len = 2, &names_len), out, &len));
    OK(hurray_file_reader_entry_names(reader, names, &names_len, ends, &ends_len));
    EQUAL(0, memcmp(names, "xy", 2));
    EQUAL(1, ends[0]);
    EQUAL(2, ends[1]);
    OK(hurray_file_reader_entry_range(reader, 0, &offset, &length));
    EQUAL(4096, offset);
    EQUAL(24, length);
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_file_reader_entry_range(reader, 2, &offset, &length));
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_file_reader_entry_tensor(reader, UINT64_MAX, &tensor));
    OK(hurray_file_reader_entry_descriptor(reader, 0, &descriptor));
    OK(hurray_file_reader_entry_descriptor(reader, 0, &again));
    CHECK(descriptor == again); /* one descriptor, lent out */
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_descriptor_destroy(&again));
    size_t len = sizeof bytes;
    OK(hurray_descriptor_encode(descriptor, bytes, &len));
    EQUAL(0, memcmp(bytes, DENSE, sizeof DENSE));
    OK(hurray_file_reader_entry_read(reader, 1, 0, 16, bytes, 8));
    EQUAL(0, memcmp(bytes, sample_memory + 16, 8));
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_file_reader_entry_read(reader, 1, 0, 17, bytes, 8));
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_file_reader_entry_read(reader, 1, 0, UINT64_MAX, bytes, 8));
    OK(hurray_file_reader_item_count(reader, &count));
    EQUAL(2, count);
    OK(hurray_file_reader_item_entry(reader, 1, &index));
    EQUAL(1, index);
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_file_reader_item_entry(reader, 2, &index));
    OK(hurray_file_reader_item(reader, 1, &item));
    OK(hurray_item_kind(item, &kind));
    EQUAL(HURRAY_ITEM_TENSOR, kind);
    for (uint32_t advice = HURRAY_ADVICE_NORMAL; advice <= HURRAY_ADVICE_POPULATE; advice++) {
        OK(hurray_file_reader_advise(reader, UINT64_MAX, advice));
    }
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_reader_advise(reader, 0, 5));
    OK(hurray_file_reader_entry_tensor(reader, 0, &tensor));
    OK(hurray_file_reader_destroy(&reader)); /* tensor and item outlive it */
    OK(hurray_tensor_descriptor(tensor, &descriptor));
    OK(hurray_descriptor_rank(descriptor, &rank));
    EQUAL(2, rank);
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_item_destroy(&item));
}

static const double floats[3] = {0.5, -1.0, 1e300};
static const int64_t integers[2] = {INT64_MIN, INT64_MAX};
static const uint64_t naturals[2] = {0, UINT64_MAX}, truths[3] = {1, 0, 1}, ends[3] = {2, 2, 5}, one_end[1] = {1};

static void fill_keys(HurrayFileWriter *writer) {
    OK(hurray_file_writer_kv_set_f64(writer, "f", 1, HURRAY_KV_FLOAT64, 1, floats, 3));
    OK(hurray_file_writer_kv_set_i64(writer, "i", 1, HURRAY_KV_INT64, 1, integers, 2));
    OK(hurray_file_writer_kv_set_u64(writer, "u", 1, HURRAY_KV_UINT64, 1, naturals, 2));
    OK(hurray_file_writer_kv_set_u64(writer, "t", 1, HURRAY_KV_BOOL, 1, truths, 3));
    OK(hurray_file_writer_kv_set_packed(writer, "s", 1, HURRAY_KV_STRING, 1, (const uint8_t *)"abcde", 5, ends, 3));
    OK(hurray_file_writer_kv_set_packed(writer, "b", 1, HURRAY_KV_BYTES, 0, (const uint8_t *)"\xff", 1, one_end, 1));
    OK(hurray_file_writer_kv_set_f64(writer, "none", 4, HURRAY_KV_FLOAT64, 1, NULL, 0));
    OK(hurray_file_writer_kv_set_i64(writer, "one", 3, HURRAY_KV_INT64, 0, integers, 1));
}

static void keys(void) {
    HurrayBuffer *file = file_in_memory(fill_keys);
    HurrayFileReader *reader = NULL;
    uint64_t count = 0, i = 0, u64s[3];
    int64_t i64s[2];
    double f64s[3];
    uint8_t type = 0, is_array = 9, bytes[5];
    size_t len = 3, other_len = 3;
    OK(hurray_file_reader_open_buffer(file, NULL, &reader));
    OK(hurray_file_reader_kv_count(reader, &count));
    EQUAL(8, count);
    CAPACITY(char, 4, hurray_file_reader_kv_key(reader, 6, out, &len));
    CAPACITY(double, 3, hurray_file_reader_kv_f64(reader, 0, out, &len));
    CAPACITY(int64_t, 2, hurray_file_reader_kv_i64(reader, 1, out, &len));
    CAPACITY(uint64_t, 2, hurray_file_reader_kv_u64(reader, 2, out, &len));
    CAPACITY(uint8_t, 5, hurray_file_reader_kv_packed(reader, 4, out, &len, u64s, (other_len = 3, &other_len)));
    CAPACITY(uint64_t, 3, hurray_file_reader_kv_packed(reader, 4, bytes, (other_len = 5, &other_len), out, &len));
    OK(hurray_file_reader_kv_f64(reader, 0, f64s, &len));
    EQUAL(0, memcmp(f64s, floats, sizeof floats));
    OK(hurray_file_reader_kv_find(reader, "i", 1, &i));
    OK(hurray_file_reader_kv_i64(reader, i, i64s, (len = 2, &len)));
    CHECK(i64s[0] == INT64_MIN && i64s[1] == INT64_MAX);
    OK(hurray_file_reader_kv_u64(reader, 2, u64s, &len));
    CHECK(u64s[0] == 0 && u64s[1] == UINT64_MAX);
    OK(hurray_file_reader_kv_u64(reader, 3, u64s, (len = 3, &len)));
    CHECK(u64s[0] == 1 && u64s[1] == 0 && u64s[2] == 1);
    OK(hurray_file_reader_kv_packed(reader, 4, bytes, (len = 5, &len), u64s, (other_len = 3, &other_len)));
    EQUAL(0, memcmp(bytes, "abcde", 5));
    EQUAL(0, memcmp(u64s, ends, sizeof ends));
    OK(hurray_file_reader_kv_packed(reader, 5, bytes, &len, u64s, &other_len));
    CHECK(len == 1 && other_len == 1 && bytes[0] == 0xFF && u64s[0] == 1);
    OK(hurray_file_reader_kv_type(reader, 6, &type, &is_array, &count));
    CHECK(type == HURRAY_KV_FLOAT64 && is_array == 1 && count == 0);
    OK(hurray_file_reader_kv_f64(reader, 6, NULL, (len = 0, &len)));
    OK(hurray_file_reader_kv_type(reader, 7, &type, &is_array, &count));
    CHECK(type == HURRAY_KV_INT64 && is_array == 0 && count == 1);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_reader_kv_u64(reader, 1, u64s, &len));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_reader_kv_i64(reader, 2, i64s, &len));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_reader_kv_f64(reader, 4, f64s, &len));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_reader_kv_packed(reader, 0, bytes, &len, u64s, &other_len));
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_file_reader_kv_key(reader, 8, (char *)bytes, &len));
    STATUS(HURRAY_ERR_NOT_FOUND, hurray_file_reader_kv_find(reader, "F", 1, &i));
    OK(hurray_file_reader_destroy(&reader));
    OK(hurray_buffer_destroy(&file));
}

/* What is set wrongly, each on a writer of its own: a writer that failed fails alike ever after. */
static void keys_refused(void) {
#define REFUSED(want, call)                                                                                            \
    {                                                                                                                  \
        HurrayFileWriter *writer = NULL;                                                                               \
        OK(hurray_file_writer_to_memory(NULL, &writer));                                                               \
        STATUS(want, call);                                                                                            \
        STATUS(want, hurray_file_writer_finish(writer));                                                               \
        OK(hurray_file_writer_destroy(&writer));                                                                       \
    }
    const uint64_t two[1] = {2}, down[2] = {2, 1};
    const uint8_t *abc = (const uint8_t *)"abc";
    REFUSED(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_kv_set_u64(writer, "", 0, HURRAY_KV_UINT64, 0, two, 1))
    REFUSED(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_kv_set_u64(writer, "\xff", 1, HURRAY_KV_UINT64, 0, two, 1))
    REFUSED(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_kv_set_u64(writer, "k", 1, HURRAY_KV_INT64, 0, two, 1))
    REFUSED(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_kv_set_u64(writer, "k", 1, HURRAY_KV_BOOL, 0, two, 1))
    REFUSED(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_kv_set_u64(writer, "k", 1, HURRAY_KV_UINT64, 2, two, 1))
    REFUSED(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_kv_set_u64(writer, "k", 1, HURRAY_KV_UINT64, 0, two, 0))
    REFUSED(HURRAY_ERR_INVALID_ARGUMENT,
            hurray_file_writer_kv_set_packed(writer, "k", 1, HURRAY_KV_STRING, 1, abc, 3, down, 2))
    REFUSED(HURRAY_ERR_INVALID_ARGUMENT,
            hurray_file_writer_kv_set_packed(writer, "k", 1, HURRAY_KV_STRING, 0, abc, 3, two, 1))
    REFUSED(HURRAY_ERR_INVALID_ARGUMENT, hurray_file_writer_kv_set_packed(writer, "k", 1, HURRAY_KV_STRING, 0,
                                                                          (const uint8_t *)"\xff", 1, one_end, 1))
#undef REFUSED
}

static void paths(void) {
    char path[64];
    int released = 0;
    HurrayItem *item = dense_item(&released);
    HurrayFileWriter *writer = NULL;
    HurrayFileReader *reader = NULL;
    HurrayOptions *options = NULL;
    uint64_t done = 0, total = 0;
    snprintf(path, sizeof path, "hurray-c-%ld.hrry", (long)getpid()); /* in the working directory */
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_DURABLE, 0));
    OK(hurray_file_writer_create(path, strlen(path), options, &writer));
    OK(hurray_file_writer_put(writer, "x", 1, item));
    EQUAL(-1, access(path, F_OK)); /* not before it is complete */
    OK(hurray_file_writer_finish(writer));
    OK(hurray_options_progress(options, &done, &total));
    CHECK(done == total && total > 4096 + 24);
    OK(hurray_file_writer_destroy(&writer));
    int fd = open(path, O_RDONLY);
    OK(hurray_file_reader_open_fd(fd, NULL, &reader));
    close(fd); /* it was duplicated */
    HurrayTensor *tensor = NULL;
    OK(hurray_file_reader_entry_tensor(reader, 0, &tensor));
    OK(hurray_file_reader_destroy(&reader));
    OK(hurray_file_reader_open(path, strlen(path), NULL, &reader));
    OK(hurray_file_reader_destroy(&reader));
    OK(hurray_options_cancel(options));
    STATUS(HURRAY_ERR_CANCELLED, hurray_file_reader_open(path, strlen(path), options, &reader));
    OK(hurray_file_writer_create(path, strlen(path), options, &writer));
    STATUS(HURRAY_ERR_CANCELLED, hurray_file_writer_put(writer, "x", 1, item));
    OK(hurray_file_writer_destroy(&writer));
    remove(path);
    STATUS(HURRAY_ERR_IO, hurray_file_reader_open(path, strlen(path), NULL, &reader));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_options_destroy(&options));
    OK(hurray_item_destroy(&item));
    EQUAL(1, released);
}

struct bytes {
    uint8_t data[16384];
    size_t len;
    int released;
};

static int32_t append(void *context, const uint8_t *bytes, uint64_t len) {
    struct bytes *to = (struct bytes *)context;
    if (len > sizeof to->data - to->len) return 28;
    memcpy(to->data + to->len, bytes, (size_t)len);
    to->len += (size_t)len;
    return 0;
}

static int64_t read_range(void *context, uint64_t offset, uint8_t *out, uint64_t len) {
    const struct bytes *from = (const struct bytes *)context;
    if (offset >= from->len) return 0;
    if (len > from->len - offset) len = from->len - offset;
    memcpy(out, from->data + offset, (size_t)len);
    return (int64_t)len;
}

static void release_bytes(void *context) { ((struct bytes *)context)->released++; }

static void callbacks(void) {
    static struct bytes bytes;
    HurrayItem *item = dense_item(NULL);
    HurrayFileWriter *writer = NULL;
    HurrayFileReader *reader = NULL;
    HurrayTensor *tensor = NULL;
    int32_t os_error = 0;
    OK(hurray_file_writer_to_callback(append, &bytes, release_bytes, NULL, &writer));
    OK(hurray_file_writer_put(writer, "x", 1, item));
    OK(hurray_file_writer_finish(writer));
    EQUAL(0, bytes.released);
    OK(hurray_file_writer_destroy(&writer));
    EQUAL(1, bytes.released);
    OK(hurray_file_reader_open_callback(read_range, &bytes, release_bytes, bytes.len, NULL, &reader));
    OK(hurray_file_reader_entry_tensor(reader, 0, &tensor));
    OK(hurray_file_reader_destroy(&reader));
    EQUAL(2, bytes.released);
    OK(hurray_tensor_destroy(&tensor));
    /* More than there is room for: the failure carries the callback's number, and comes again. */
    bytes.len = sizeof bytes.data - 100;
    OK(hurray_file_writer_to_callback(append, &bytes, release_bytes, NULL, &writer));
    STATUS(HURRAY_ERR_IO, hurray_file_writer_put(writer, "x", 1, item));
    OK(hurray_last_error_info(NULL, &os_error, NULL));
    EQUAL(28, os_error);
    STATUS(HURRAY_ERR_IO, hurray_file_writer_finish(writer));
    EQUAL(2, bytes.released);
    OK(hurray_file_writer_destroy(&writer));
    EQUAL(3, bytes.released);
    OK(hurray_item_destroy(&item));
}

int main(void) {
    for (size_t k = 0; k < sizeof sample_memory; k++) sample_memory[k] = (unsigned char)(k * 7);
    RUN(entries);
    RUN(keys);
    RUN(keys_refused);
    RUN(paths);
    RUN(callbacks);
    return FINISH();
}
