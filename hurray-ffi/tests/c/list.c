/* Buffer lists: what they take, what they lend, in which order they release. */
#include "samples.h"

static void push_and_get(void) {
    int first = 0, second = 0;
    uint64_t len = 9;
    HurrayBufferList *list = NULL;
    HurrayBuffer *a = cpu_buffer(24, &first), *b = cpu_buffer(48, &second), *got = NULL;
    OK(hurray_buffer_list_new(2, &list));
    OK(hurray_buffer_list_len(list, &len));
    EQUAL(0, len);
    OK(hurray_buffer_list_push(list, a));
    OK(hurray_buffer_list_push(list, b));
    OK(hurray_buffer_list_len(list, &len));
    EQUAL(2, len);
    OK(hurray_buffer_list_get(list, 1, &got));
    CHECK(got == b);
    uint64_t size = 0;
    OK(hurray_buffer_byte_size(got, &size));
    EQUAL(48, size);
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_buffer_list_get(list, 2, &got));
    CHECK(got == NULL);
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_buffer_list_get(list, UINT64_MAX, &got));
    EQUAL(0, first + second);
    OK(hurray_buffer_list_destroy(&list));
    CHECK(list == NULL);
    EQUAL(1, first);
    EQUAL(1, second);
    OK(hurray_buffer_list_destroy(&list));
}

/* The capacity is a hint: any number makes an empty list. */
static void capacity_is_a_hint(void) {
    const uint64_t hints[] = {0, 1, 255, 256, UINT64_MAX};
    for (size_t k = 0; k < 5; k++) {
        HurrayBufferList *list = NULL;
        OK(hurray_buffer_list_new(hints[k], &list));
        OK(hurray_buffer_list_push(list, cpu_buffer(8, NULL)));
        OK(hurray_buffer_list_push(list, cpu_buffer(8, NULL)));
        OK(hurray_buffer_list_destroy(&list));
    }
}

/* After a failed push the buffer is the caller's as before: it can be set, shared, pushed elsewhere, destroyed. */
static void at_most_255_buffers(void) {
    int released = 0;
    HurrayBufferList *list = NULL;
    OK(hurray_buffer_list_new(255, &list));
    for (int k = 0; k < 255; k++) OK(hurray_buffer_list_push(list, cpu_buffer(8, &released)));
    HurrayBuffer *extra = cpu_buffer(8, &released);
    STATUS(HURRAY_ERR_LIMIT_EXCEEDED, hurray_buffer_list_push(list, extra));
    OK(hurray_buffer_set_device_id(extra, 1));
    OK(hurray_buffer_destroy(&extra));
    EQUAL(1, released);
    OK(hurray_buffer_list_destroy(&list));
    EQUAL(256, released);
}

static void borrowed_buffers_are_read_only(void) {
    int released = 0;
    HurrayBufferList *list = NULL, *other = NULL;
    HurrayBuffer *pushed = cpu_buffer(8, &released), *share = NULL;
    OK(hurray_buffer_list_new(1, &list));
    OK(hurray_buffer_list_new(1, &other));
    OK(hurray_buffer_list_push(list, pushed));
    HurrayBuffer *copy = pushed;
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_destroy(&copy));
    CHECK(copy == pushed);
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_list_push(list, pushed));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_list_push(other, pushed));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_set_flags(pushed, 0));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_set_device_id(pushed, 0));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_set_lead(pushed, 0));
    OK(hurray_buffer_share(pushed, &share));
    OK(hurray_buffer_list_destroy(&list));
    EQUAL(0, released);
    OK(hurray_buffer_list_push(other, share));
    OK(hurray_buffer_list_destroy(&other));
    EQUAL(1, released);
}

static int order_seen[3], order_count;

static void note_order(void *data, void *context) {
    (void)data;
    if (order_count < 3) order_seen[order_count++] = (int)(intptr_t)context;
}

static void released_in_order(void) {
    HurrayBufferList *list = NULL;
    OK(hurray_buffer_list_new(0, &list));
    for (intptr_t k = 0; k < 3; k++) {
        HurrayBuffer *buffer = NULL;
        OK(hurray_buffer_from_ptr(sample_memory, 8, 64, 0, 0, 0, note_order, (void *)k, &buffer));
        OK(hurray_buffer_list_push(list, buffer));
    }
    OK(hurray_buffer_list_destroy(&list));
    EQUAL(3, order_count);
    for (int k = 0; k < 3; k++) EQUAL(k, order_seen[k]);
}

int main(void) {
    RUN(push_and_get);
    RUN(capacity_is_a_hint);
    RUN(at_most_255_buffers);
    RUN(borrowed_buffers_are_read_only);
    RUN(released_in_order);
    return FINISH();
}
