/* Tensors: joining, sharing, what a failed call gives back, the order of releases. */
#include "samples.h"

static const uint64_t dense_size[1] = {24};

static void made_from_bytes(void) {
    int released = 0, owners = 0;
    HurrayTensor *tensor = NULL;
    uint32_t version = 0, rank = 0;
    uint64_t len = 0, size = 0;
    HurrayDescriptor *descriptor = NULL;
    HurrayBufferList *list = NULL;
    HurrayBuffer *buffer = NULL;
    OK(hurray_tensor_new(7, DENSE, sizeof DENSE, cpu_list(1, dense_size, &released), &owners, count_owner, &tensor));
    OK(hurray_tensor_abi_version(tensor, &version));
    EQUAL(7, version); /* as the producer said */
    OK(hurray_tensor_descriptor(tensor, &descriptor));
    OK(hurray_descriptor_rank(descriptor, &rank));
    EQUAL(2, rank);
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_len(list, &len));
    EQUAL(1, len);
    OK(hurray_buffer_list_get(list, 0, &buffer));
    OK(hurray_buffer_byte_size(buffer, &size));
    EQUAL(24, size);
    OK(hurray_live_handles(&len));
    EQUAL(1, len); /* borrowed and inner handles do not count */
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, released);
    EQUAL(1, owners);
}

static void made_from_a_descriptor(void) {
    int released = 0;
    HurrayTensor *tensor = NULL;
    uint32_t version = 0;
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    OK(hurray_tensor_from_descriptor(descriptor, cpu_list(1, dense_size, &released), NULL, NULL, &tensor));
    OK(hurray_descriptor_destroy(&descriptor)); /* it stays the caller's, and the tensor does not need it */
    OK(hurray_tensor_abi_version(tensor, &version));
    EQUAL(HURRAY_C_ABI_VERSION, version);
    char line[513];
    size_t room = 512;
    OK(hurray_tensor_describe(tensor, line, &room));
    line[room] = 0;
    CHECK(strstr(line, "float32") != NULL);
    CAPACITY(char, room, hurray_tensor_describe(tensor, out, &len));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, released);
}

static HurrayBufferList *list_of(void *data, uint64_t size, uint32_t alignment, uint8_t device, uint8_t sync,
                                 uint8_t memory_class, int *released) {
    HurrayBuffer *buffer = NULL;
    HurrayBufferList *list = NULL;
    OK(hurray_buffer_list_new(1, &list));
    OK(hurray_buffer_from_ptr(data, size, alignment, device, sync, memory_class, count_release, released, &buffer));
    OK(hurray_buffer_list_push(list, buffer));
    return list;
}

/* After each failure list and owner are the caller's as before: the list takes another buffer, and makes a tensor. */
static void buffers_that_do_not_match(void) {
    /* CUDA float32 [2, 3], alignment 4096, event, host-pinned */
    uint8_t bytes[sizeof DENSE];
    memcpy(bytes, DENSE, sizeof DENSE);
    bytes[54] = 0x10, bytes[53] = 0, bytes[57] = HURRAY_DEVICE_CUDA, bytes[58] = HURRAY_SYNC_EVENT;
    bytes[59] = HURRAY_MEMORY_HOST_PINNED;
    static const struct {
        size_t shift;
        uint64_t size;
        uint8_t device, sync, memory_class;
        HurrayStatus status;
        const char *rule;
    } cases[] = {
        {0, 23, 1, 1, 1, HURRAY_ERR_BUFFER_MISMATCH, "L-012"},
        {64, 24, 1, 1, 1, HURRAY_ERR_BUFFER_MISMATCH, "B-011"},
        {0, 24, 2, 1, 1, HURRAY_ERR_BUFFER_MISMATCH, "B-009"},
        {0, 24, 1, 1, 0, HURRAY_ERR_BUFFER_MISMATCH, "B-009"},
        {0, 24, 1, 0, 1, HURRAY_ERR_SYNC_MODE_MISMATCH, "B-012"},
        {0, 24, 1, 2, 1, HURRAY_ERR_SYNC_MODE_MISMATCH, "B-012"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        int released = 0, owners = 0;
        uint64_t len = 0;
        HurrayTensor *tensor = (HurrayTensor *)(void *)bytes;
        HurrayBufferList *list = list_of(sample_memory + cases[k].shift, cases[k].size, 64, cases[k].device,
                                         cases[k].sync, cases[k].memory_class, &released);
        STATUS(cases[k].status, hurray_tensor_new(10, bytes, sizeof bytes, list, &owners, count_owner, &tensor));
        CHECK(test_text_has(cases[k].rule));
        CHECK(tensor == NULL);
        EQUAL(0, released + owners);
        OK(hurray_buffer_list_len(list, &len));
        EQUAL(1, len);
        OK(hurray_buffer_list_push(list, cpu_buffer(8, &released)));
        OK(hurray_buffer_list_destroy(&list));
        EQUAL(2, released);
    }
    int released = 0;
    HurrayTensor *tensor = NULL;
    OK(hurray_tensor_new(10, bytes, sizeof bytes, list_of(sample_memory, 25, 64, 1, 1, 1, &released), NULL, NULL,
                         &tensor));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, released);
}

static void too_few_and_too_many_buffers(void) {
    int released = 0, owners = 0;
    const uint64_t sizes[2] = {24, 24};
    HurrayTensor *tensor = NULL;
    HurrayBufferList *list = cpu_list(0, NULL, NULL);
    STATUS(HURRAY_ERR_BUFFER_MISMATCH, hurray_tensor_new(10, DENSE, sizeof DENSE, list, &owners, count_owner, &tensor));
    OK(hurray_buffer_list_push(list, cpu_buffer(24, &released)));
    OK(hurray_tensor_new(10, DENSE, sizeof DENSE, list, &owners, count_owner, &tensor)); /* the same list, completed */
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, owners);
    list = cpu_list(2, sizes, &released);
    STATUS(HURRAY_ERR_BUFFER_MISMATCH, hurray_tensor_new(10, DENSE, sizeof DENSE, list, &owners, count_owner, &tensor));
    CHECK(test_text_has("B-013"));
    OK(hurray_buffer_list_destroy(&list));
    EQUAL(1, owners);
    EQUAL(3, released);
}

static void descriptors_that_are_refused(void) {
    int released = 0, owners = 0;
    uint8_t bytes[sizeof DENSE];
    HurrayTensor *tensor = NULL;
    HurrayBufferList *list = cpu_list(1, dense_size, &released);
    STATUS(HURRAY_ERR_TRUNCATED, hurray_tensor_new(10, DENSE, 60, list, &owners, count_owner, &tensor));
    memcpy(bytes, DENSE, sizeof DENSE);
    bytes[0] = 'h';
    STATUS(HURRAY_ERR_INVALID_MAGIC, hurray_tensor_new(10, bytes, sizeof bytes, list, &owners, count_owner, &tensor));
    memcpy(bytes, DENSE, sizeof DENSE);
    bytes[20] = 3; /* [3, 3] needs 36 bytes: V-093 */
    STATUS(HURRAY_ERR_BUFFER_MISMATCH, hurray_tensor_new(10, bytes, sizeof bytes, list, &owners, count_owner, &tensor));
    CHECK(test_text_has("V-093"));
    HurrayDescriptor *unknown = NULL;
    OK(hurray_descriptor_decode_with(UNKNOWN, sizeof UNKNOWN, HURRAY_DECODE_PERMISSIVE, &unknown));
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_tensor_from_descriptor(unknown, list, &owners, count_owner, &tensor));
    CHECK(tensor == NULL);
    OK(hurray_descriptor_destroy(&unknown));
    EQUAL(0, released + owners);
    OK(hurray_buffer_list_destroy(&list));
    EQUAL(1, released);
}

static void shares(void) {
    int released = 0, owners = 0;
    HurrayTensor *tensor = NULL, *shares[3];
    uint32_t version = 0;
    OK(hurray_tensor_new(9, DENSE, sizeof DENSE, cpu_list(1, dense_size, &released), &owners, count_owner, &tensor));
    OK(hurray_tensor_share(tensor, &shares[0]));
    OK(hurray_tensor_share(shares[0], &shares[1]));
    OK(hurray_tensor_share(tensor, &shares[2]));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_tensor_destroy(&shares[2]));
    OK(hurray_tensor_destroy(&shares[0]));
    EQUAL(0, released + owners);
    OK(hurray_tensor_abi_version(shares[1], &version));
    EQUAL(9, version);
    OK(hurray_tensor_destroy(&shares[1]));
    EQUAL(1, released);
    EQUAL(1, owners);
}

/* A share of a tensor's buffer keeps what keeps the memory: the owner too. */
static void a_buffers_share_keeps_the_owner(void) {
    int released = 0, owners = 0;
    HurrayTensor *tensor = dense_tensor(&released, &owners), *view = NULL;
    HurrayBufferList *list = NULL, *own = NULL;
    HurrayBuffer *buffer = NULL, *share = NULL;
    OK(hurray_tensor_buffers(tensor, &list));
    OK(hurray_buffer_list_get(list, 0, &buffer));
    OK(hurray_buffer_share(buffer, &share));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(0, released + owners);
    /* The same memory under another descriptor: uint8 [24]. */
    uint8_t bytes[sizeof DENSE - 8];
    memcpy(bytes, DENSE, 28);
    memcpy(bytes + 28, DENSE + 36, sizeof DENSE - 36);
    bytes[6] = sizeof bytes, bytes[14] = HURRAY_TYPE_UINT8, bytes[16] = 1, bytes[20] = 24;
    OK(hurray_buffer_list_new(1, &own));
    OK(hurray_buffer_list_push(own, share));
    HurrayDescriptor *descriptor = decoded(bytes, sizeof bytes);
    OK(hurray_tensor_from_descriptor(descriptor, own, NULL, NULL, &view));
    OK(hurray_descriptor_destroy(&descriptor));
    EQUAL(0, released + owners);
    OK(hurray_tensor_destroy(&view));
    EQUAL(1, released);
    EQUAL(1, owners);
}

static char order[8];
static size_t order_len;

static void note(void *data, void *context) {
    (void)data;
    if (order_len < sizeof order) order[order_len++] = *(const char *)context;
}

static void note_owner(void *owner) { note(NULL, owner); }

/* Each buffer once, in order, then the owner. */
static void b125_buffers_are_released_before_the_owner(void) {
    static char names[4] = {'a', 'b', 'c', 'o'};
    const uint64_t sizes[3] = {32, 32, 24};
    HurrayBufferList *list = NULL;
    HurrayTensor *tensor = NULL;
    OK(hurray_buffer_list_new(3, &list));
    for (int k = 0; k < 3; k++) {
        HurrayBuffer *buffer = NULL;
        OK(hurray_buffer_from_ptr(sample_memory, sizes[k], 64, 0, 0, 0, note, &names[k], &buffer));
        OK(hurray_buffer_list_push(list, buffer));
    }
    OK(hurray_tensor_new(10, CSR, sizeof CSR, list, &names[3], note_owner, &tensor));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(4, order_len);
    EQUAL(0, memcmp(order, "abco", 4));
}

/* A release may call the library on other handles, and may outlive nothing of its own. */
static void destroy_another(void *owner) {
    HurrayTensor **other = (HurrayTensor **)owner;
    uint64_t rank = 0;
    HurrayDescriptor *descriptor = NULL;
    OK(hurray_tensor_descriptor(*other, &descriptor));
    OK(hurray_descriptor_field_u64(descriptor, HURRAY_HEADER_FIELD_RANK, 0, &rank));
    EQUAL(2, rank);
    OK(hurray_tensor_destroy(other));
    HurrayTensor *fresh = dense_tensor(NULL, NULL);
    OK(hurray_tensor_destroy(&fresh));
}

static void b124_a_release_calls_the_library(void) {
    int released = 0, owners = 0;
    HurrayTensor *inner = dense_tensor(&released, &owners), *outer = NULL;
    OK(hurray_tensor_new(10, DENSE, sizeof DENSE, cpu_list(1, dense_size, &released), &inner, destroy_another, &outer));
    OK(hurray_tensor_destroy(&outer));
    CHECK(inner == NULL);
    EQUAL(2, released);
    EQUAL(1, owners);
}

/* The handle is NULL before its owner is released, so that a release that looks sees no half-dead tensor. */
static HurrayTensor *watched;

static void look(void *owner) { *(int *)owner = watched == NULL; }

static void the_pointer_is_null_during_the_release(void) {
    int was_null = 0;
    OK(hurray_tensor_new(10, DENSE, sizeof DENSE, cpu_list(1, dense_size, NULL), &was_null, look, &watched));
    OK(hurray_tensor_destroy(&watched));
    EQUAL(1, was_null);
}

static void nothing_leaks_in_failing_loops(void) {
    int released = 0;
    HurrayBufferList *list = cpu_list(0, NULL, NULL);
    for (int k = 0; k < 10000; k++) {
        HurrayTensor *tensor = NULL;
        if (hurray_tensor_new(10, DENSE, sizeof DENSE, list, &released, count_owner, &tensor) !=
            HURRAY_ERR_BUFFER_MISMATCH) {
            CHECK(!"refused");
        }
    }
    EQUAL(0, released);
    OK(hurray_buffer_list_destroy(&list));
}

int main(void) {
    RUN(made_from_bytes);
    RUN(made_from_a_descriptor);
    RUN(buffers_that_do_not_match);
    RUN(too_few_and_too_many_buffers);
    RUN(descriptors_that_are_refused);
    RUN(shares);
    RUN(a_buffers_share_keeps_the_owner);
    RUN(b125_buffers_are_released_before_the_owner);
    RUN(b124_a_release_calls_the_library);
    RUN(the_pointer_is_null_during_the_release);
    RUN(nothing_leaks_in_failing_loops);
    return FINISH();
}
