/* Streams: windows, feeding, gather lists, the loops over a descriptor, a child at the other end. */
#include "samples.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* float32 [2,3] with the values 1 to 6, written by hand: stream.md section 7. */
static const float VALUES[6] = {1, 2, 3, 4, 5, 6};

static size_t example(uint8_t *out) {
    memcpy(out, DENSE, sizeof DENSE);
    memcpy(out + sizeof DENSE, VALUES, sizeof VALUES);
    return sizeof DENSE + sizeof VALUES;
}

static HurrayItem *example_item(int *released) {
    HurrayTensor *tensor = dense_tensor(released, NULL);
    HurrayItem *item = NULL;
    memcpy(sample_memory, VALUES, sizeof VALUES);
    OK(hurray_item_from_tensor(tensor, &item));
    OK(hurray_tensor_destroy(&tensor));
    return item;
}

/* Whether an item is that example; ends it. */
static int is_example(HurrayItem **item) {
    HurrayTensor *tensor = NULL;
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    void *data = NULL;
    uint64_t size = 0;
    OK(hurray_item_tensor(*item, &tensor));
    OK(hurray_item_destroy(item));
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, 0, &buffer));
    OK(hurray_buffer_host_ptr(buffer, &data));
    OK(hurray_buffer_byte_size(buffer, &size));
    int same = size == sizeof VALUES && memcmp(data, VALUES, sizeof VALUES) == 0;
    OK(hurray_tensor_destroy(&tensor));
    return same;
}

static void through_windows(void) {
    uint8_t bytes[256], *window = NULL;
    const uint8_t *unread = NULL;
    size_t total = example(bytes), at = 0, size = 0;
    HurrayStreamReader *reader = NULL;
    HurrayItem *item = NULL;
    uint32_t id = 7;
    OK(hurray_stream_reader_new(NULL, &reader));
    HurrayStatus status = HURRAY_NEED_MORE;
    while ((status = hurray_stream_reader_next(reader, &item)) == HURRAY_NEED_MORE) {
        OK(hurray_stream_reader_window(reader, &window, &size));
        CHECK(size > 0 && size <= total - at);
        memcpy(window, bytes + at, size);
        at += size;
        OK(hurray_stream_reader_advance(reader, size));
    }
    OK(status);
    EQUAL(total, at);
    CHECK(is_example(&item));
    OK(hurray_stream_reader_stream_id(reader, &id));
    EQUAL(0, id);
    OK(hurray_stream_reader_unread(reader, &unread, &size));
    EQUAL(0, size);
    OK(hurray_stream_reader_finish(reader));
    STATUS(HURRAY_END, hurray_stream_reader_next(reader, &item));
    CHECK(item == NULL);
    size = 1;
    OK(hurray_stream_reader_reply(reader, bytes, &size));
    EQUAL(0, size);
    OK(hurray_stream_reader_destroy(&reader));
    OK(hurray_stream_reader_destroy(&reader));
}

/* PING on stream 1 with two bytes, by hand from the written format: what is owed is as long, and is given once. */
static void answers(void) {
    static const uint8_t ping[14] = {10, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 'h', 'i'};
    size_t consumed = 0, left = 1;
    HurrayStreamReader *reader = NULL;
    HurrayItem *item = NULL;
    OK(hurray_stream_reader_new(NULL, &reader));
    OK(hurray_stream_reader_feed(reader, ping, sizeof ping, &consumed));
    EQUAL(sizeof ping, consumed);
    STATUS(HURRAY_NEED_MORE, hurray_stream_reader_next(reader, &item));
    CAPACITY(uint8_t, sizeof ping, hurray_stream_reader_reply(reader, out, &len));
    OK(hurray_stream_reader_reply(reader, NULL, (left = 0, &left)));
    EQUAL(0, left);
    OK(hurray_stream_reader_destroy(&reader));
}

static void fed(void) {
    uint8_t bytes[256];
    size_t total = example(bytes), consumed = 0;
    HurrayStreamReader *reader = NULL;
    HurrayDescriptor *pending = NULL;
    HurrayBuffer *given = NULL;
    HurrayItem *item = NULL;
    OK(hurray_stream_reader_new(NULL, &reader));
    STATUS(HURRAY_NEED_MORE, hurray_stream_reader_pending(reader, &pending));
    OK(hurray_stream_reader_feed(reader, bytes, 70, &consumed));
    EQUAL(70, consumed);
    OK(hurray_stream_reader_pending(reader, &pending));
    uint32_t rank = 0;
    OK(hurray_descriptor_rank(pending, &rank));
    EQUAL(2, rank);
    OK(hurray_buffer_alloc(24, 64, &given));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_stream_reader_provide_buffer(reader, 0, given));
    OK(hurray_stream_reader_feed(reader, bytes + 70, total - 70, &consumed));
    EQUAL(total - 70, consumed);
    OK(hurray_stream_reader_next(reader, &item));
    CHECK(is_example(&item));
    OK(hurray_stream_reader_feed(reader, bytes, 61, &consumed));
    OK(hurray_stream_reader_provide_buffer(reader, 0, given));
    OK(hurray_stream_reader_feed(reader, bytes + 61, 24, &consumed));
    OK(hurray_stream_reader_next(reader, &item));
    void *data = NULL;
    OK(hurray_buffer_data_ptr(given, &data));
    CHECK(memcmp(data, VALUES, sizeof VALUES) == 0);
    CHECK(is_example(&item));
    OK(hurray_buffer_destroy(&given));
    OK(hurray_stream_reader_feed(reader, bytes, 60, &consumed));
    STATUS(HURRAY_ERR_TRUNCATED, hurray_stream_reader_finish(reader));
    CHECK(test_text_has("S-001"));
    STATUS(HURRAY_ERR_TRUNCATED, hurray_stream_reader_next(reader, &item));
    OK(hurray_stream_reader_destroy(&reader));
}

static void gathered(void) {
    int released = 0;
    HurrayStreamWriter *writer = NULL;
    HurrayItem *item = example_item(&released);
    HurraySlice slices[4];
    size_t count = 4;
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_stream_writer_new(3, 0, 0, NULL, &writer));
    CHECK(writer == NULL);
    OK(hurray_stream_writer_new(HURRAY_STREAM_BARE, 0, 0, NULL, &writer));
    OK(hurray_stream_writer_chunks(writer, slices, &count));
    EQUAL(0, count);
    OK(hurray_stream_writer_put(writer, item));
    OK(hurray_item_destroy(&item));
    count = 4;
    OK(hurray_stream_writer_chunks(writer, slices, &count));
    size_t total = 0;
    for (size_t k = 0; k < count; k++) total += slices[k].len;
    EQUAL(85, total);
    CHECK(memcmp(slices[0].data, DENSE, sizeof DENSE) == 0);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_stream_writer_advance(writer, 86));
    OK(hurray_stream_writer_advance(writer, 85));
    count = 0;
    OK(hurray_stream_writer_chunks(writer, NULL, &count));
    EQUAL(0, count);
    EQUAL(1, released);
    OK(hurray_stream_writer_destroy(&writer));
    OK(hurray_stream_writer_destroy(&writer));
}

/* A child writes; this process reads what it wrote, however the child ends. */
static void from_a_child(void) {
    for (int whole = 0; whole < 2; whole++) {
        int ends[2];
        EQUAL(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
        pid_t child = fork();
        if (child == 0) {
            HurrayStreamWriter *writer = NULL;
            HurrayItem *item = example_item(NULL);
            int failed = hurray_stream_writer_new(HURRAY_STREAM_FRAMED, 5, 0, NULL, &writer);
            for (int k = 0; k < 100 && !failed; k++) {
                failed = hurray_stream_writer_put(writer, item) || hurray_stream_write_fd(writer, ends[1]);
            }
            if (!whole && !failed && write(ends[1], "\4\0\0", 3) != 3) failed = 1;
            _exit(failed ? 1 : 0);
        }
        close(ends[1]);
        HurrayStreamReader *reader = NULL;
        HurrayItem *item = NULL;
        OK(hurray_stream_reader_new(NULL, &reader));
        for (int k = 0; k < 100; k++) {
            OK(hurray_stream_read_fd(reader, ends[0], &item));
            CHECK(is_example(&item));
        }
        uint32_t id = 0;
        OK(hurray_stream_reader_stream_id(reader, &id));
        EQUAL(5, id);
        STATUS(whole ? HURRAY_END : HURRAY_ERR_TRUNCATED, hurray_stream_read_fd(reader, ends[0], &item));
        OK(hurray_stream_reader_destroy(&reader));
        close(ends[0]);
        int ended = -1;
        EQUAL(child, waitpid(child, &ended, 0));
        EQUAL(0, ended);
    }
}

/* The framed example of stream.md section 7, with a layout that no version has. */
static size_t unknown(uint8_t *out) {
    static const uint8_t HEAD[12] = {4, 0, 0, 0, 1, 0, 0, 0, 77}, TAIL[16] = {24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    static const uint8_t DATA[20] = {5, 0, 0, 0, 1, 0, 0, 0, 32}, END[12] = {6, 0, 0, 0, 1};
    uint8_t *to = out;
    memcpy(to, HEAD, sizeof HEAD);
    memcpy(to += sizeof HEAD, DENSE, sizeof DENSE);
    to[15] = 0x30;
    memcpy(to += sizeof DENSE, TAIL, sizeof TAIL);
    memcpy(to += sizeof TAIL, DATA, sizeof DATA);
    memcpy(to += sizeof DATA, VALUES, sizeof VALUES);
    memcpy(to += sizeof VALUES, END, sizeof END);
    return (size_t)(to + sizeof END - out);
}

static void descriptors_alone(void) {
    uint8_t bytes[256];
    size_t total = unknown(bytes), consumed = 0;
    uint32_t kind = 0;
    uint8_t layout = 0;
    uint64_t size = 0;
    void *data = NULL;
    HurrayOptions *options = NULL;
    HurrayStreamReader *reader = NULL;
    HurrayItem *item = NULL, *none = NULL;
    HurrayDescriptor *descriptor = NULL;
    HurrayTensor *tensor = NULL;
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    EQUAL(145, total);
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_PERMISSIVE, 1));

    /* A framed stream says how many bytes there are. */
    OK(hurray_stream_reader_new(options, &reader));
    OK(hurray_stream_reader_feed(reader, bytes, total, &consumed));
    EQUAL(total, consumed);
    OK(hurray_stream_reader_next(reader, &item));
    OK(hurray_item_kind(item, &kind));
    EQUAL(HURRAY_ITEM_DESCRIPTOR, kind);
    OK(hurray_item_head(item, &descriptor));
    OK(hurray_descriptor_layout_tag(descriptor, &layout));
    EQUAL(0x30, layout);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_item_tensor(item, &tensor));
    OK(hurray_item_data(item, &tensor));
    OK(hurray_item_destroy(&item));
    STATUS(HURRAY_NEED_MORE, hurray_stream_reader_next(reader, &item));
    OK(hurray_stream_reader_destroy(&reader));
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, 0, &buffer));
    OK(hurray_buffer_host_ptr(buffer, &data));
    OK(hurray_buffer_byte_size(buffer, &size));
    EQUAL(24, size);
    EQUAL(0, memcmp(data, VALUES, sizeof VALUES));
    OK(hurray_tensor_destroy(&tensor));

    /* A bare one does not. */
    OK(hurray_stream_reader_new(options, &reader));
    OK(hurray_stream_reader_feed(reader, bytes + 12, 61, &consumed));
    OK(hurray_stream_reader_next(reader, &item));
    STATUS(HURRAY_ERR_FIELD_NOT_APPLICABLE, hurray_item_data(item, &tensor));
    CHECK(tensor == NULL);
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_stream_reader_next(reader, &none));
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_stream_reader_feed(reader, bytes, 1, &consumed));
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_stream_reader_finish(reader));
    OK(hurray_stream_reader_destroy(&reader));
    OK(hurray_item_destroy(&item));
    OK(hurray_options_destroy(&options));
}

static void to_nobody(void) {
    int ends[2], os_error = 0;
    HurrayStreamWriter *writer = NULL;
    HurrayItem *item = example_item(NULL);
    signal(SIGPIPE, SIG_DFL);
    EQUAL(0, pipe(ends));
    close(ends[0]);
    OK(hurray_stream_writer_new(HURRAY_STREAM_BARE, 0, 0, NULL, &writer));
    OK(hurray_stream_writer_put(writer, item));
    STATUS(HURRAY_ERR_IO, hurray_stream_write_fd(writer, ends[1]));
    OK(hurray_last_error_info(NULL, &os_error, NULL));
    EQUAL(EPIPE, os_error);
    STATUS(HURRAY_ERR_IO, hurray_stream_writer_put(writer, item));
    OK(hurray_item_destroy(&item));
    OK(hurray_stream_writer_destroy(&writer));
    close(ends[1]);
}

int main(void) {
    RUN(through_windows);
    RUN(answers);
    RUN(fed);
    RUN(gathered);
    RUN(from_a_child);
    RUN(descriptors_alone);
    RUN(to_nobody);
    return FINISH();
}
