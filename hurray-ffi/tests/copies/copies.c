/* Two copies of the library in one process. Arguments: the path loaded first, the other, how. The functions of the
 * header go through `lib`: `in(copy)` says which copy the calls after it enter. */
#define _GNU_SOURCE
#include "copy.h"

#include "calls.h"
#include "dlpack.h"

#include <pthread.h>
#include <stddef.h>

/* What a panic interrupted is leaked on purpose: here the panic's own message. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:std9panicking\n"; }

static Copy copies[2];
static Copy *one, *other; /* each test runs with both assignments */

static void in(Copy *copy) { lib = copy; }

static uint64_t live_in(Copy *copy) {
    Copy *before = lib;
    uint64_t live = 99;
    in(copy);
    OK(hurray_live_handles(&live));
    in(before);
    return live;
}

typedef struct {
    char mark[8];
    uint32_t build_abi, reported_abi;
    void *const *table;
} Prefix;

/* Every entry of a copy's table points into that copy's own image. */
static void tables_hold_their_own_functions(void) {
    void *const *tables[2];
    HurrayStatus (*functions[2])(uint64_t *);
    for (int k = 0; k < 2; k++) {
        HurrayBuffer *buffer = NULL;
        Dl_info info;
        in(k ? other : one);
        OK(hurray_buffer_alloc(8, 64, &buffer));
        functions[k] = hurray_live_handles;
        tables[k] = ((const Prefix *)(void *)buffer)->table;
        uint32_t size = *(const uint32_t *)tables[k];
        CHECK(size > 8 && size % sizeof(void *) == 0);
        for (uint32_t at = 1; at < size / sizeof(void *); at++) {
            CHECK(dladdr(tables[k][at], &info) != 0 && strcmp(info.dli_fname, lib->path) == 0);
        }
        OK(hurray_buffer_destroy(&buffer));
    }
    CHECK(tables[0] != tables[1]);
    CHECK(functions[0] != functions[1]);
}

/* What a call put into `o`, handles and DLPack's structs aside: those it ends. */
static void tidy(void) {
    if (o.versioned) o.versioned->deleter(o.versioned);
    if (o.unversioned) o.unversioned->deleter(o.unversioned);
    o.versioned = NULL, o.unversioned = NULL;
    hurray_buffer_destroy(&o.buffer);
    hurray_buffer_list_destroy(&o.list);
    hurray_descriptor_destroy(&o.descriptor);
    hurray_tensor_destroy(&o.tensor);
    hurray_item_destroy(&o.item);
    o.buffer = NULL, o.list = NULL, o.descriptor = NULL, o.tensor = NULL, o.item = NULL;
}

static unsigned char kept[sizeof o];

/* Both copies answer alike: status, outputs, text. */
#define CALL(function, type, arguments)                                                                                \
    {                                                                                                                  \
        HurrayStatus statuses[2];                                                                                      \
        for (int test_k = 0; test_k < 2; test_k++) {                                                                   \
            type *subject = (type *)handle;                                                                            \
            in(test_k ? other : one);                                                                                  \
            memset(&o, 0, sizeof o);                                                                                   \
            o.len = sizeof o.u64s / 8;                                                                                 \
            statuses[test_k] = function arguments;                                                                     \
            tidy();                                                                                                    \
            if (test_k == 0) memcpy(kept, &o, sizeof o);                                                               \
        }                                                                                                              \
        STATUS(statuses[0], statuses[1]);                                                                              \
        CHECK(memcmp(kept, &o, sizeof o) == 0);                                                                        \
    }

static void b129_used_through_either(void) {
    void *handle = NULL;
    in(one);
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    handle = options;
    OPTIONS_CALLS(CALL)
    HurrayBuffer *buffer = cpu_buffer(24, NULL);
    handle = buffer;
    BUFFER_CALLS(CALL)
    in(one);
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    handle = descriptor;
    DESCRIPTOR_CALLS(CALL)
    in(one);
    HurrayDescriptorBuilder *builder = NULL;
    OK(hurray_descriptor_builder_new(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, one_by_one, 2, &builder));
    handle = builder;
    BUILDER_CALLS(CALL)
    in(one);
    HurrayTensor *tensor = dense_tensor(NULL, NULL);
    HurrayBufferList *list = NULL;
    handle = tensor;
    TENSOR_CALLS(CALL)
    in(other);
    OK(hurray_tensor_buffers(tensor, &list));
    handle = list; /* borrowed, and used like any other */
    LIST_CALLS(CALL)
    in(other);
    HurrayItem *item = NULL;
    OK(hurray_item_from_tensor(tensor, &item));
    CHECK(memcmp(item, "HRRYitem", 8) == 0);
    handle = item;
    ITEM_CALLS(CALL)
    in(other); /* destroyed through the other copy, the one that did not make them */
    OK(hurray_options_destroy(&options));
    OK(hurray_buffer_destroy(&buffer));
    OK(hurray_descriptor_destroy(&descriptor));
    OK(hurray_descriptor_builder_destroy(&builder));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_item_destroy(&item));
}
#undef CALL

static void shares_belong_to_their_maker(void) {
    int released = 0, owners = 0;
    in(one);
    HurrayTensor *tensor = dense_tensor(&released, &owners), *share = NULL;
    in(other);
    OK(hurray_tensor_share(tensor, &share));
    EQUAL(2, live_in(one));
    EQUAL(0, live_in(other));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(0, released + owners);
    in(one);
    OK(hurray_tensor_destroy(&share));
    EQUAL(1, released);
    EQUAL(1, owners);
}

/* A buffer of one in a list of the other, that list in a tensor; ended through one. */
static void a_foreign_buffer_in_a_list(void) {
    int released = 0, owners = 0;
    HurrayBufferList *list = NULL;
    HurrayTensor *tensor = NULL;
    in(one);
    HurrayBuffer *buffer = cpu_buffer(24, &released), *got = NULL, *dead = buffer;
    OK(hurray_buffer_set_flags(buffer, HURRAY_BUFFER_READ_ONLY));
    OK(hurray_buffer_set_lead(buffer, 5));
    OK(hurray_buffer_set_device_id(buffer, 6));
    in(other);
    OK(hurray_buffer_list_new(1, &list));
    OK(hurray_buffer_list_push(list, buffer));
    EQUAL(1, live_in(one)); /* taken, and counted by its maker until it is dropped */
    EQUAL(1, live_in(other));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_destroy(&dead));
    CHECK(dead == buffer);
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_list_push(list, buffer));
    OK(hurray_buffer_list_get(list, 0, &got));
    CHECK(got != buffer);
    void *data = NULL;
    uint32_t flags = 0, lead = 0;
    int32_t id = 0;
    uint64_t size = 0;
    in(one);
    OK(hurray_buffer_data_ptr(got, &data));
    CHECK(data == sample_memory);
    OK(hurray_buffer_byte_size(got, &size));
    EQUAL(24, size);
    OK(hurray_buffer_flags(got, &flags));
    EQUAL(HURRAY_BUFFER_READ_ONLY, flags);
    OK(hurray_buffer_lead(got, &lead));
    EQUAL(5, lead);
    OK(hurray_buffer_device_id(got, &id));
    EQUAL(6, id);
    OK(hurray_tensor_new(10, DENSE, sizeof DENSE, list, &owners, count_owner, &tensor));
    CHECK(((const Prefix *)(void *)tensor)->table ==
          ((const Prefix *)(void *)got)->table); /* the list is the subject */
    EQUAL(1, live_in(one));
    EQUAL(1, live_in(other));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, released);
    EQUAL(1, owners);
}

/* A descriptor of one with a list of the other, which holds buffers of both. */
static void a_foreign_list_in_a_tensor(void) {
    const uint64_t sizes[3] = {32, 32, 24};
    int released = 0, owners = 0;
    HurrayBufferList *list = NULL;
    HurrayTensor *tensor = NULL, *part = NULL;
    HurrayItem *item = NULL;
    in(other);
    OK(hurray_buffer_list_new(3, &list));
    for (int k = 0; k < 3; k++) {
        in(k == 1 ? one : other);
        HurrayBuffer *buffer = cpu_buffer(sizes[k], &released);
        in(other);
        OK(hurray_buffer_list_push(list, buffer));
    }
    in(one);
    HurrayDescriptor *descriptor = decoded(CSR, sizeof CSR);
    OK(hurray_tensor_from_descriptor(descriptor, list, &owners, count_owner, &tensor));
    OK(hurray_descriptor_destroy(&descriptor));
    HurrayBufferList *dead = list;
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_list_destroy(&dead));
    CHECK(dead == list);
    EQUAL(2, live_in(one)); /* the tensor, and the buffer that the other copy took */
    EQUAL(1, live_in(other));
    in(other);
    OK(hurray_tensor_part(tensor, HURRAY_ROLE_POINTERS, 0, &part));
    OK(hurray_item_from_tensor(part, &item));
    OK(hurray_tensor_destroy(&part));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(0, released + owners);
    OK(hurray_item_destroy(&item));
    EQUAL(3, released);
    EQUAL(1, owners);
}

/* Options are the subject: the tensor is made where they were. */
static void foreign_options(void) {
    const uint64_t shape[1] = {4};
    int owners = 0;
    HurrayOptions *options = NULL;
    HurrayTensor *tensor = NULL;
    in(one);
    OK(hurray_options_new(&options));
    in(other);
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 2));
    OK(hurray_tensor_from_array(HURRAY_TYPE_UINT8, shape, 1, NULL, sample_memory, 0, 0, 0, 0, options, &owners,
                                count_owner, &tensor));
    EQUAL(1, owners);
    EQUAL(2, live_in(one));
    EQUAL(0, live_in(other));
    uint64_t done = 0, total = 0;
    OK(hurray_options_progress(options, &done, &total));
    EQUAL(4, done);
    OK(hurray_options_cancel(options));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_options_destroy(&options));
}

/* A descriptor of one that came without a tensor: read through the other, and no part of its composites and streams. */
static void a_foreign_descriptor_alone(void) {
    static const uint8_t OPENING[12] = {4, 0, 0, 0, 1, 0, 0, 0, 77}, TAIL[16] = {24, [12] = 1};
    static const uint8_t DATA[20] = {5, 0, 0, 0, 1, 0, 0, 0, 32}, END[12] = {6, 0, 0, 0, 1};
    uint8_t bytes[145] = {0};
    size_t consumed = 0;
    uint32_t kind = 0;
    uint8_t layout = 0;
    uint64_t size = 0;
    HurrayOptions *options = NULL;
    HurrayStreamReader *reader = NULL;
    HurrayStreamWriter *writer = NULL;
    HurrayItem *item = NULL, *share = NULL, *made = NULL;
    HurrayDescriptor *descriptor = NULL;
    HurrayTensor *tensor = NULL;
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    memcpy(bytes, OPENING, sizeof OPENING);
    memcpy(bytes + 12, DENSE, sizeof DENSE);
    bytes[12 + 15] = 0x30; /* no layout of this version */
    memcpy(bytes + 73, TAIL, sizeof TAIL);
    memcpy(bytes + 89, DATA, sizeof DATA);
    memcpy(bytes + 133, END, sizeof END);
    in(one);
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_PERMISSIVE, 1));
    OK(hurray_stream_reader_new(options, &reader));
    OK(hurray_options_destroy(&options));
    OK(hurray_stream_reader_feed(reader, bytes, sizeof bytes, &consumed));
    OK(hurray_stream_reader_next(reader, &item));
    OK(hurray_stream_reader_destroy(&reader));
    in(other);
    OK(hurray_item_share(item, &share));
    OK(hurray_item_destroy(&item));
    OK(hurray_item_kind(share, &kind));
    EQUAL(HURRAY_ITEM_DESCRIPTOR, kind);
    OK(hurray_item_head(share, &descriptor));
    OK(hurray_descriptor_layout_tag(descriptor, &layout));
    EQUAL(0x30, layout);
    HurrayDescriptor *borrowed = descriptor;
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_descriptor_destroy(&borrowed));
    OK(hurray_item_data(share, &tensor));
    HurrayDescriptor *head = decoded(GROUP, sizeof GROUP);
    const HurrayItem *members[2] = {share, share};
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_item_composite_new(head, members, 2, &made));
    OK(hurray_descriptor_destroy(&head));
    OK(hurray_stream_writer_new(HURRAY_STREAM_BARE, 0, 0, NULL, &writer));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_stream_writer_put(writer, share));
    OK(hurray_stream_writer_destroy(&writer));
    EQUAL(2, live_in(one));
    EQUAL(0, live_in(other));
    OK(hurray_item_destroy(&share));
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, 0, &buffer));
    OK(hurray_buffer_byte_size(buffer, &size));
    EQUAL(24, size);
    OK(hurray_tensor_destroy(&tensor));
}

/* A composite of a head of one and members of both, nested. */
static void foreign_members(void) {
    int released = 0, owners = 0;
    HurrayItem *mine = NULL, *theirs = NULL, *inner = NULL, *outer = NULL, *member = NULL;
    in(one);
    HurrayTensor *tensor = dense_tensor(&released, &owners);
    OK(hurray_item_from_tensor(tensor, &mine));
    OK(hurray_tensor_destroy(&tensor));
    in(other);
    tensor = dense_tensor(&released, &owners);
    OK(hurray_item_from_tensor(tensor, &theirs));
    OK(hurray_tensor_destroy(&tensor));
    HurrayDescriptor *head = decoded(GROUP, sizeof GROUP);
    const HurrayItem *members[2] = {mine, theirs};
    in(one);
    OK(hurray_item_composite_new(head, members, 2, &inner));
    OK(hurray_descriptor_destroy(&head));
    head = decoded(GROUP, sizeof GROUP);
    members[0] = inner;
    in(other);
    OK(hurray_item_composite_new(head, members, 2, &outer));
    OK(hurray_descriptor_destroy(&head));
    OK(hurray_item_destroy(&mine));
    OK(hurray_item_destroy(&theirs));
    OK(hurray_item_destroy(&inner));
    EQUAL(0, released + owners);
    uint32_t kind = 0;
    uint64_t count = 0;
    OK(hurray_item_member(outer, 0, &member));
    OK(hurray_item_kind(member, &kind));
    EQUAL(HURRAY_ITEM_COMPOSITE, kind);
    OK(hurray_item_member_count(member, &count));
    EQUAL(2, count);
    in(one);
    OK(hurray_item_destroy(&outer));
    EQUAL(2, released);
    EQUAL(2, owners);
}

/* The text, the status and the offset of a failure are those of the copy that was called. */
static void error_text_arrives(void) {
    HurrayBuffer *buffer = NULL;
    HurrayStatus status = 0;
    in(other);
    STATUS(HURRAY_ERR_NULL_POINTER, hurray_live_handles(NULL));
    in(one);
    HurrayBufferList *list = cpu_list(0, NULL, NULL);
    in(other);
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_buffer_list_get(list, 3, &buffer));
    CHECK(test_text_has("index = 3"));
    OK(hurray_last_error_info(&status, NULL, NULL));
    EQUAL(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, status);
    HurrayTensor *tensor = NULL;
    uint64_t offset = 0;
    uint8_t bytes[sizeof DENSE];
    memcpy(bytes, DENSE, sizeof DENSE);
    bytes[60] = 1;
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR, hurray_tensor_new(10, bytes, sizeof bytes, list, NULL, NULL, &tensor));
    CHECK(test_text_has("V-090"));
    OK(hurray_last_error_info(&status, NULL, &offset));
    EQUAL(60, offset);
    /* An answer stores nothing, there or here. */
    size_t len = 0;
    in(one);
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    in(other);
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_descriptor_shape(descriptor, NULL, &len));
    OK(hurray_last_error_info(&status, NULL, NULL));
    EQUAL(HURRAY_ERR_INVALID_DESCRIPTOR, status);
    OK(hurray_descriptor_destroy(&descriptor));
    OK(hurray_buffer_list_destroy(&list));
}

/* After a failure everything brought in is its caller's as before, usable and not released. */
static void failures_give_everything_back(void) {
    const uint64_t small[1] = {23};
    int released = 0, owners = 0;
    HurrayTensor *tensor = NULL;
    in(one);
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    in(other);
    HurrayBufferList *list = cpu_list(1, small, &released);
    in(one);
    STATUS(HURRAY_ERR_BUFFER_MISMATCH, hurray_tensor_from_descriptor(descriptor, list, &owners, count_owner, &tensor));
    CHECK(tensor == NULL);
    CHECK(test_text_has("L-012"));
    EQUAL(0, released + owners);
    EQUAL(1, live_in(other));
    OK(hurray_buffer_list_push(list, cpu_buffer(8, &released))); /* a list can be written to by its owner only */
    OK(hurray_buffer_list_destroy(&list));
    EQUAL(2, released);
    /* A list that is full refuses a foreign buffer, which can then be set, pushed elsewhere, or destroyed. */
    in(other);
    list = cpu_list(0, NULL, NULL);
    for (int k = 0; k < 255; k++) OK(hurray_buffer_list_push(list, cpu_buffer(8, NULL)));
    in(one);
    HurrayBuffer *buffer = cpu_buffer(8, &released);
    in(other);
    STATUS(HURRAY_ERR_LIMIT_EXCEEDED, hurray_buffer_list_push(list, buffer));
    OK(hurray_buffer_set_device_id(buffer, 2));
    OK(hurray_buffer_destroy(&buffer));
    EQUAL(3, released);
    OK(hurray_buffer_list_destroy(&list));
    /* Borrowed ones are refused. */
    in(one);
    tensor = dense_tensor(&released, &owners);
    in(other);
    HurrayTensor *second = NULL;
    HurrayBufferList *borrowed = NULL;
    OK(hurray_tensor_buffers(tensor, &borrowed));
    HurrayDescriptor *theirs = decoded(DENSE, sizeof DENSE);
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_tensor_from_descriptor(theirs, borrowed, &owners, count_owner, &second));
    OK(hurray_buffer_list_get(borrowed, 0, &buffer));
    list = cpu_list(0, NULL, NULL);
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_list_push(list, buffer));
    CHECK(test_text_has("borrowed")); /* the words of the copy that refused */
    HurrayDescriptor *lent = NULL;
    OK(hurray_tensor_descriptor(tensor, &lent));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_descriptor_destroy(&lent));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_list_destroy(&borrowed));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_buffer_destroy(&buffer));
    CHECK(lent != NULL && borrowed != NULL && buffer != NULL);
    EQUAL(0, owners);
    OK(hurray_buffer_list_destroy(&list));
    OK(hurray_descriptor_destroy(&theirs));
    OK(hurray_descriptor_destroy(&descriptor));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, owners);
}

/* A descriptor that was read permissively there makes a tensor here. */
static void permissive_descriptors_travel(void) {
    /* float32 [2] in private layout 0xF3, id 7, no bytes, one buffer of 16. */
    static const uint8_t private_layout[] = {
        0x48, 0x52, 0x52, 0x59, 1, 0,  65, 0, 0, 0, 0, 0, 0, 0,  3, 0xF3, 1, 0, 0, 0, 2, 0,
        0,    0,    0,    0,    0, 0,  0,  0, 0, 0, 0, 0, 0, 0,  7, 0,    0, 0, 0, 0, 0, 0,
        0,    0,    0,    0,    1, 16, 0,  0, 0, 0, 0, 0, 0, 64, 0, 0,    0, 0, 0, 0, 0,
    };
    const uint64_t size[1] = {16};
    int released = 0;
    HurrayDescriptor *descriptor = NULL;
    HurrayTensor *tensor = NULL;
    HurrayItem *item = NULL, *composite = NULL;
    in(one);
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_descriptor_decode(private_layout, sizeof private_layout, &descriptor));
    OK(hurray_descriptor_decode_with(private_layout, sizeof private_layout, HURRAY_DECODE_PERMISSIVE, &descriptor));
    in(other);
    OK(hurray_tensor_from_descriptor(descriptor, cpu_list(1, size, &released), NULL, NULL, &tensor));
    OK(hurray_descriptor_destroy(&descriptor));
    OK(hurray_item_from_tensor(tensor, &item));
    OK(hurray_tensor_destroy(&tensor));
    const HurrayItem *members[2] = {item, item};
    HurrayDescriptor *head = decoded(GROUP, sizeof GROUP); /* of `other`; the item is of `one` */
    OK(hurray_item_composite_new(head, members, 2, &composite));
    OK(hurray_descriptor_destroy(&head));
    OK(hurray_item_destroy(&item));
    OK(hurray_item_destroy(&composite));
    EQUAL(1, released);
}

/* A panic stops at the boundary of the copy it happened in, and is told through the copy that was called. */
static void panics_stop_at_the_boundary(void) {
    HurrayOptions *options = NULL;
    HurrayDescriptorBuilder *builder = NULL;
    HurrayDescriptor *descriptor = NULL;
    in(one);
    OK(hurray_options_new(&options));
    OK(hurray_descriptor_builder_new(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, NULL, 0, &builder));
    HurrayStatus probed = hurray_options_set_u64(options, UINT32_MAX, 0);
    if (probed == HURRAY_ERR_INVALID_ARGUMENT) { /* the copy without the probe */
        OK(hurray_options_destroy(&options));
        OK(hurray_descriptor_builder_destroy(&builder));
        return;
    }
    STATUS(HURRAY_ERR_INTERNAL_PANIC, probed);
    in(other);
    STATUS(HURRAY_ERR_INTERNAL_PANIC, hurray_options_set_u64(options, UINT32_MAX, 0));
    CHECK(test_text_has("panic"));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 1)); /* one atomic number: nothing is half done */
    STATUS(HURRAY_ERR_INTERNAL_PANIC, hurray_descriptor_builder_set_u64(builder, UINT32_MAX, 0, 0));
    STATUS(HURRAY_ERR_INTERNAL_PANIC,
           hurray_descriptor_builder_set_u64(builder, HURRAY_HEADER_FIELD_BYTE_OFFSET, 0, 0));
    STATUS(HURRAY_ERR_INTERNAL_PANIC, hurray_descriptor_builder_push_default_buffers(builder));
    STATUS(HURRAY_ERR_INTERNAL_PANIC, hurray_descriptor_builder_finish(builder, &descriptor));
    OK(hurray_descriptor_builder_destroy(&builder));
    OK(hurray_options_destroy(&options));
}

enum { THREADS = 8, ROUNDS = 1000 };

/* One tensor, and the copy that a thread goes through. */
typedef struct {
    Copy *through;
    const HurrayTensor *tensor;
    int failed;
} Visit;

static void *share_read_and_drop(void *argument) {
    Visit *visit = argument;
    in(visit->through);
    for (int k = 0; k < ROUNDS && !visit->failed; k++) {
        HurrayTensor *share = NULL;
        HurrayDescriptor *descriptor = NULL;
        HurrayBufferList *list = NULL;
        HurrayBuffer *buffer = NULL, *kept = NULL;
        void *data = NULL;
        uint64_t size = 0, rank = 0;
        visit->failed = hurray_tensor_share(visit->tensor, &share) || hurray_tensor_descriptor(share, &descriptor) ||
                        hurray_descriptor_field_u64(descriptor, HURRAY_HEADER_FIELD_RANK, 0, &rank) || rank != 2 ||
                        hurray_tensor_buffers(share, &list) || hurray_buffer_list_get(list, 0, &buffer) ||
                        hurray_buffer_share(buffer, &kept) || hurray_tensor_destroy(&share) ||
                        hurray_buffer_data_ptr(kept, &data) || hurray_buffer_byte_size(kept, &size) || size != 24 ||
                        memcmp(data, sample_memory, 24) != 0 || hurray_buffer_destroy(&kept);
    }
    return NULL;
}

/* Eight threads share, read and drop one tensor, every second of them through the copy that did not make it. */
static void shared_at_once_through_both(void) {
    int released = 0, owners = 0;
    pthread_t threads[THREADS];
    Visit visits[THREADS];
    in(one);
    HurrayTensor *tensor = dense_tensor(&released, &owners);
    for (int k = 0; k < THREADS; k++) {
        visits[k] = (Visit){k % 2 ? other : one, tensor, 0};
        EQUAL(0, pthread_create(&threads[k], NULL, share_read_and_drop, &visits[k]));
    }
    for (int k = 0; k < THREADS; k++) {
        EQUAL(0, pthread_join(threads[k], NULL));
        EQUAL(0, visits[k].failed);
    }
    EQUAL(0, released + owners);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, released);
    EQUAL(1, owners);
}

static void both(void (*test)(void), const char *name) {
    for (int k = 0; k < 2; k++) {
        test_faults = 0;
        one = &copies[k], other = &copies[1 - k];
        test();
        EQUAL(0, live_in(one));
        EQUAL(0, live_in(other));
        if (test_faults) {
            test_failed++;
            printf("  %s failed, one = %s\n", name, one->path);
        } else test_passed++;
    }
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    for (int k = 0; k < 2; k++) {
        int mode = strcmp(arguments[3], "RTLD_GLOBAL") ? RTLD_LOCAL : RTLD_GLOBAL;
        copies[k].path = arguments[1 + k];
        copies[k].image = dlopen(arguments[1 + k], RTLD_NOW | mode);
        if (!copies[k].image) return printf("%s\n", dlerror()), 2;
        load_functions(&copies[k]);
    }
    for (int closed = 0; closed < 2; closed++) {
        both(tables_hold_their_own_functions, "tables_hold_their_own_functions");
        both(b129_used_through_either, "b129_used_through_either");
        both(shares_belong_to_their_maker, "shares_belong_to_their_maker");
        both(a_foreign_buffer_in_a_list, "a_foreign_buffer_in_a_list");
        both(a_foreign_list_in_a_tensor, "a_foreign_list_in_a_tensor");
        both(foreign_options, "foreign_options");
        both(a_foreign_descriptor_alone, "a_foreign_descriptor_alone");
        both(foreign_members, "foreign_members");
        both(error_text_arrives, "error_text_arrives");
        both(shared_at_once_through_both, "shared_at_once_through_both");
        both(failures_give_everything_back, "failures_give_everything_back");
        both(permissive_descriptors_travel, "permissive_descriptors_travel");
        both(panics_stop_at_the_boundary, "panics_stop_at_the_boundary");
        /* Once more after the images were closed: they stay. */
        if (!closed) EQUAL(0, dlclose(copies[0].image) + dlclose(copies[1].image));
    }
    return FINISH();
}
