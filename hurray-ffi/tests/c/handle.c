/* Handles that are NULL, of another type, or borrowed; what a refused call leaves behind. */
#include "calls.h"

/* A handle out-parameter that a failing call must have set to NULL. */
static void spoil(void) {
    memset(&o, 0x11, sizeof o);
    o.buffer = NULL;
    o.list = NULL;
    o.versioned = NULL;
    o.unversioned = NULL;
    o.len = 0;
    o.len = o.other_len = 0;
}

/* NULL options are the defaults, so that `hurray_tensor_from_array` succeeds. */
static void null_subjects(void) {
#define CALL(function, type, arguments)                                                                                \
    {                                                                                                                  \
        type *subject = NULL;                                                                                          \
        spoil();                                                                                                       \
        STATUS(strcmp(#function, "hurray_tensor_from_array") ? HURRAY_ERR_NULL_POINTER : HURRAY_OK,                    \
               function arguments);                                                                                    \
    }
    OPTIONS_CALLS(CALL)
    OK(hurray_tensor_destroy(&o.tensor));
    BUFFER_CALLS(CALL)
    LIST_CALLS(CALL)
    DESCRIPTOR_CALLS(CALL)
    BUILDER_CALLS(CALL)
    TENSOR_CALLS(CALL)
    ITEM_CALLS(CALL)
    FILE_READER_CALLS(CALL)
    FILE_WRITER_CALLS(CALL)
    STREAM_READER_CALLS(CALL)
    STREAM_WRITER_CALLS(CALL)
#undef CALL
}

static void subjects_of_another_type(void) {
    HurrayBuffer *buffer = cpu_buffer(8, NULL);
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
#define CALL(function, type, arguments)                                                                                \
    {                                                                                                                  \
        type *subject = (type *)(void *)options;                                                                       \
        spoil();                                                                                                       \
        STATUS(HURRAY_ERR_INVALID_HANDLE, function arguments);                                                         \
    }
    BUFFER_CALLS(CALL)
    LIST_CALLS(CALL)
    DESCRIPTOR_CALLS(CALL)
    BUILDER_CALLS(CALL)
    TENSOR_CALLS(CALL)
    ITEM_CALLS(CALL)
    FILE_READER_CALLS(CALL)
    FILE_WRITER_CALLS(CALL)
    STREAM_READER_CALLS(CALL)
    STREAM_WRITER_CALLS(CALL)
#undef CALL
#define CALL(function, type, arguments)                                                                                \
    {                                                                                                                  \
        type *subject = (type *)(void *)buffer;                                                                        \
        spoil();                                                                                                       \
        STATUS(HURRAY_ERR_INVALID_HANDLE, function arguments);                                                         \
    }
    OPTIONS_CALLS(CALL)
    OPENING_CALLS(CALL)
#undef CALL
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_tensor_abi_version((HurrayTensor *)(void *)options, &o.u32));
#define DESTROY(function, type)                                                                                        \
    {                                                                                                                  \
        void *wrong = strcmp(#type, "HurrayOptions") ? (void *)options : (void *)buffer;                               \
        type *subject = (type *)wrong;                                                                                 \
        STATUS(HURRAY_ERR_INVALID_HANDLE, function(&subject));                                                         \
        CHECK((void *)subject == wrong);                                                                               \
    }
    ALL_DESTROYS(DESTROY)
#undef DESTROY
    OK(hurray_options_destroy(&options));
    OK(hurray_buffer_destroy(&buffer));
}

/* Memory that is no handle at all: zeros, and a pointer that cannot be one. */
static void subjects_that_are_no_handles(void) {
    static const uint64_t zeros[8] = {0};
    const void *none[2] = {zeros, (const char *)zeros + 4};
    for (int k = 0; k < 2; k++) {
#define CALL(function, type, arguments)                                                                                \
    {                                                                                                                  \
        type *subject = (type *)(uintptr_t)none[k];                                                                    \
        spoil();                                                                                                       \
        STATUS(HURRAY_ERR_INVALID_HANDLE, function arguments);                                                         \
    }
        ALL_CALLS(CALL)
#undef CALL
    }
}

static void failing_calls_clear_the_handle_they_would_give(void) {
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    void *const wrong = options;
#define CLEARS(out, call)                                                                                              \
    memset(&o, 0x11, sizeof o);                                                                                        \
    STATUS(HURRAY_ERR_INVALID_HANDLE, call);                                                                           \
    CHECK(out == NULL);
    CLEARS(o.buffer, hurray_buffer_share((HurrayBuffer *)wrong, &o.buffer))
    CLEARS(o.buffer, hurray_buffer_list_get((HurrayBufferList *)wrong, 0, &o.buffer))
    CLEARS(o.tensor, hurray_tensor_new(10, DENSE, sizeof DENSE, (HurrayBufferList *)wrong, NULL, NULL, &o.tensor))
    CLEARS(o.tensor, hurray_tensor_from_descriptor((HurrayDescriptor *)wrong, NULL, NULL, NULL, &o.tensor))
    CLEARS(o.tensor, hurray_tensor_share((HurrayTensor *)wrong, &o.tensor))
    CLEARS(o.tensor, hurray_tensor_part((HurrayTensor *)wrong, 1, 0, &o.tensor))
    CLEARS(o.descriptor, hurray_tensor_descriptor((HurrayTensor *)wrong, &o.descriptor))
    CLEARS(o.list, hurray_tensor_buffers((HurrayTensor *)wrong, &o.list))
    CLEARS(o.descriptor, hurray_descriptor_builder_finish((HurrayDescriptorBuilder *)wrong, &o.descriptor))
    CLEARS(o.item, hurray_item_from_tensor((HurrayTensor *)wrong, &o.item))
    CLEARS(o.item, hurray_item_composite_new((HurrayDescriptor *)wrong, NULL, 0, &o.item))
    CLEARS(o.item, hurray_item_share((HurrayItem *)wrong, &o.item))
    CLEARS(o.tensor, hurray_item_tensor((HurrayItem *)wrong, &o.tensor))
    CLEARS(o.descriptor, hurray_item_head((HurrayItem *)wrong, &o.descriptor))
    CLEARS(o.item, hurray_item_member((HurrayItem *)wrong, 0, &o.item))
    CLEARS(o.versioned, hurray_tensor_to_dlpack((HurrayTensor *)wrong, NULL, &o.versioned))
    CLEARS(o.unversioned, hurray_tensor_to_dlpack_unversioned((HurrayTensor *)wrong, NULL, &o.unversioned))
    CLEARS(o.reader, hurray_file_reader_open_buffer((HurrayBuffer *)wrong, NULL, &o.reader))
    CLEARS(o.descriptor, hurray_file_reader_entry_descriptor((HurrayFileReader *)wrong, 0, &o.descriptor))
    CLEARS(o.tensor, hurray_file_reader_entry_tensor((HurrayFileReader *)wrong, 0, &o.tensor))
    CLEARS(o.item, hurray_file_reader_item((HurrayFileReader *)wrong, 0, &o.item))
    CLEARS(o.buffer, hurray_file_writer_take_buffer((HurrayFileWriter *)wrong, &o.buffer))
    CLEARS(o.item, hurray_stream_reader_next((HurrayStreamReader *)wrong, &o.item))
    CLEARS(o.descriptor, hurray_stream_reader_pending((HurrayStreamReader *)wrong, &o.descriptor))
    CLEARS(o.item, hurray_stream_read_fd((HurrayStreamReader *)wrong, 0, &o.item))
#undef CLEARS
    OK(hurray_options_destroy(&options));
}

static void destroying_nothing(void) {
#define DESTROY(function, type)                                                                                        \
    {                                                                                                                  \
        type *nothing = NULL;                                                                                          \
        OK(function(NULL));                                                                                            \
        OK(function(&nothing));                                                                                        \
        OK(function(&nothing));                                                                                        \
    }
    ALL_DESTROYS(DESTROY)
#undef DESTROY
}

/* Each destroy writes NULL, so that the second one does nothing. */
static void second_destroy_of_a_nulled_pointer(void) {
    int released = 0, owners = 0;
    HurrayOptions *options = NULL;
    HurrayBuffer *buffer = cpu_buffer(8, &released);
    HurrayBufferList *list = NULL;
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    HurrayDescriptorBuilder *builder = NULL;
    HurrayTensor *tensor = dense_tensor(&released, &owners);
    HurrayItem *item = NULL;
    OK(hurray_options_new(&options));
    OK(hurray_buffer_list_new(0, &list));
    OK(hurray_descriptor_builder_new(3, 1, NULL, 0, &builder));
    OK(hurray_item_from_tensor(tensor, &item));
#define TWICE(function, handle)                                                                                        \
    OK(function(&handle));                                                                                             \
    CHECK(handle == NULL);                                                                                             \
    OK(function(&handle));
    TWICE(hurray_options_destroy, options)
    TWICE(hurray_buffer_destroy, buffer)
    TWICE(hurray_buffer_list_destroy, list)
    TWICE(hurray_descriptor_destroy, descriptor)
    TWICE(hurray_descriptor_builder_destroy, builder)
    TWICE(hurray_tensor_destroy, tensor)
    EQUAL(0, owners);
    TWICE(hurray_item_destroy, item)
#undef TWICE
    EQUAL(2, released);
    EQUAL(1, owners);
}

static void borrowed_handles_are_read_only(void) {
    int released = 0, owners = 0;
    HurrayTensor *tensor = dense_tensor(&released, &owners);
    HurrayDescriptor *descriptor = NULL;
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL, *own = cpu_buffer(8, &released);
    OK(hurray_tensor_descriptor(tensor, &descriptor));
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, 0, &buffer));
#define KEPT(type, handle, call)                                                                                       \
    {                                                                                                                  \
        type *const before = handle;                                                                                   \
        STATUS(HURRAY_ERR_INVALID_HANDLE, call);                                                                       \
        CHECK(handle == before);                                                                                       \
    }
    KEPT(HurrayDescriptor, descriptor, hurray_descriptor_destroy(&descriptor))
    KEPT(HurrayBufferList, list, hurray_buffer_list_destroy(&list))
    KEPT(HurrayBuffer, buffer, hurray_buffer_destroy(&buffer))
    KEPT(HurrayBufferList, list, hurray_buffer_list_push(list, own))
    KEPT(HurrayBuffer, buffer, hurray_buffer_set_flags(buffer, 1))
    KEPT(HurrayBuffer, buffer, hurray_buffer_set_device_id(buffer, 1))
    KEPT(HurrayBuffer, buffer, hurray_buffer_set_lead(buffer, 1))
#undef KEPT
    HurrayTensor *other = NULL;
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_tensor_new(10, DENSE, sizeof DENSE, list, NULL, NULL, &other));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_tensor_from_descriptor(descriptor, list, NULL, NULL, &other));
    EQUAL(0, released + owners);
    OK(hurray_buffer_destroy(&own));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(2, released);
    EQUAL(1, owners);
}

int main(void) {
    RUN(null_subjects);
    RUN(subjects_of_another_type);
    RUN(subjects_that_are_no_handles);
    RUN(failing_calls_clear_the_handle_they_would_give);
    RUN(destroying_nothing);
    RUN(second_destroy_of_a_nulled_pointer);
    RUN(borrowed_handles_are_read_only);
    return FINISH();
}
