/* Handles that other builds of the library made: of another version, or with a table that is shorter. They are made
 * here by hand from what is frozen for ever: the prefix, and the start of the table. */
#include "calls.h"

typedef HurrayStatus (*Slot)(void);

typedef struct {
    uint32_t size, abi_version;
    HurrayStatus (*destroy)(void **handle);
    HurrayStatus (*adopt)(void *handle, uint32_t how);
    HurrayStatus (*last_error)(char *out, size_t *out_len, int32_t *out_status, int32_t *out_os_error,
                               uint64_t *out_offset);
    Slot slots[200];
} Table;

typedef struct {
    char mark[8];
    uint32_t build_abi, reported_abi;
    const Table *table;
    uint64_t body[8]; /* of no concern to anyone else */
} Handle;

static int destroyed, taken, given_back, dropped;

static HurrayStatus destroy(void **handle) {
    destroyed++;
    *handle = NULL;
    return HURRAY_OK;
}

static HurrayStatus refuse_to_destroy(void **handle) {
    (void)handle;
    return HURRAY_ERR_INVALID_HANDLE;
}

static HurrayStatus adopt(void *handle, uint32_t how) {
    (void)handle;
    *(how == 1 ? &taken : how == 0 ? &given_back : &dropped) += 1;
    return HURRAY_OK;
}

static HurrayStatus last_error(char *out, size_t *out_len, int32_t *out_status, int32_t *out_os_error,
                               uint64_t *out_offset) {
    static const char text[] = "V-999: told by the other copy";
    *out_status = HURRAY_ERR_CORRUPT;
    *out_os_error = 5;
    *out_offset = 77;
    *out_len = sizeof text - 1;
    memcpy(out, text, sizeof text - 1);
    return HURRAY_OK;
}

static Table table;
static Handle handle;

static void prepare(const char *mark, uint32_t version, size_t table_size) {
    memset(&table, 0, sizeof table);
    table.size = (uint32_t)table_size;
    table.abi_version = version;
    table.destroy = destroy;
    table.adopt = adopt;
    table.last_error = last_error;
    memset(&handle, 0xEE, sizeof handle);
    memcpy(handle.mark, mark, 8);
    handle.build_abi = handle.reported_abi = version;
    handle.table = &table;
    memset(&o, 0, sizeof o);
    destroyed = taken = given_back = dropped = 0;
}

/* Refused by everything but the version and the destroy, whatever version it is. */
static void of_another_version(void) {
    const uint32_t versions[] = {0, 9, 11, UINT32_MAX};
    for (int k = 0; k < 4; k++) {
#define CALL(function, type, arguments)                                                                                \
    {                                                                                                                  \
        type *subject = (type *)(void *)&handle;                                                                       \
        STATUS(HURRAY_ERR_VERSION_MISMATCH, function arguments);                                                       \
        CHECK(test_text_has("abi_version"));                                                                           \
    }
        prepare("HRRYopts", versions[k], sizeof table);
        OPTIONS_CALLS(CALL)
        prepare("HRRYbuff", versions[k], sizeof table);
        BUFFER_CALLS(CALL)
        prepare("HRRYlist", versions[k], sizeof table);
        LIST_CALLS(CALL)
        prepare("HRRYdesc", versions[k], sizeof table);
        DESCRIPTOR_CALLS(CALL)
        prepare("HRRYbldr", versions[k], sizeof table);
        BUILDER_CALLS(CALL)
        prepare("HRRYfrea", versions[k], sizeof table);
        FILE_READER_CALLS(CALL)
        prepare("HRRYfwri", versions[k], sizeof table);
        FILE_WRITER_CALLS(CALL)
        prepare("HRRYitem", versions[k], sizeof table);
        ITEM_CALLS(CALL)
        prepare("HRRYsrea", versions[k], sizeof table);
        STREAM_READER_CALLS(CALL)
        prepare("HRRYswri", versions[k], sizeof table);
        STREAM_WRITER_CALLS(CALL)
        prepare("HRRYtens", versions[k], sizeof table);
        TENSOR_CALLS(CALL)
#undef CALL
        uint32_t version = 5;
        OK(hurray_tensor_abi_version((HurrayTensor *)(void *)&handle, &version));
        EQUAL(versions[k], version);
        EQUAL(0, destroyed + taken + given_back + dropped);
    }
}

static void destroyed_through_its_own_table(void) {
    static const char *const marks[] = {"HRRYopts", "HRRYbuff", "HRRYlist", "HRRYdesc", "HRRYbldr", "HRRYtens",
                                        "HRRYitem", "HRRYfrea", "HRRYfwri", "HRRYsrea", "HRRYswri"};
    int k = 0;
#define DESTROY(function, type)                                                                                        \
    {                                                                                                                  \
        type *subject = (type *)(void *)&handle;                                                                       \
        prepare(marks[k++], 11, 16); /* a table that ends behind its destroy */                                        \
        OK(function(&subject));                                                                                        \
        CHECK(subject == NULL);                                                                                        \
        EQUAL(1, destroyed);                                                                                           \
        subject = (type *)(void *)&handle;                                                                             \
        table.destroy = refuse_to_destroy;                                                                             \
        STATUS(HURRAY_ERR_INVALID_HANDLE, function(&subject));                                                         \
        CHECK((void *)subject == &handle);                                                                             \
    }
    ALL_DESTROYS(DESTROY)
#undef DESTROY
}

/* A producer that passes a number which its build does not have: the build decides. */
static void the_build_decides(void) {
    uint32_t version = 0;
    HurrayTensor *tensor = (HurrayTensor *)(void *)&handle, *share = NULL;
    prepare("HRRYtens", 11, sizeof table);
    handle.reported_abi = HURRAY_C_ABI_VERSION;
    OK(hurray_tensor_abi_version(tensor, &version));
    EQUAL(HURRAY_C_ABI_VERSION, version);
    STATUS(HURRAY_ERR_VERSION_MISMATCH, hurray_tensor_share(tensor, &share));
    CHECK(share == NULL);
}

static void as_arguments(void) {
    HurrayBufferList *list = cpu_list(0, NULL, NULL);
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE), *head = decoded(GROUP, sizeof GROUP);
    HurrayTensor *tensor = NULL;
    HurrayItem *composite = NULL;
    const HurrayItem *members[2] = {(HurrayItem *)(void *)&handle, (HurrayItem *)(void *)&handle};
    prepare("HRRYbuff", 11, sizeof table);
    STATUS(HURRAY_ERR_VERSION_MISMATCH, hurray_buffer_list_push(list, (HurrayBuffer *)(void *)&handle));
    prepare("HRRYlist", 11, sizeof table);
    STATUS(HURRAY_ERR_VERSION_MISMATCH,
           hurray_tensor_from_descriptor(descriptor, (HurrayBufferList *)(void *)&handle, NULL, NULL, &tensor));
    prepare("HRRYitem", 11, sizeof table);
    STATUS(HURRAY_ERR_VERSION_MISMATCH, hurray_item_composite_new(head, members, 2, &composite));
    EQUAL(0, destroyed + taken + given_back + dropped);
    CHECK(tensor == NULL && composite == NULL);
    OK(hurray_buffer_list_destroy(&list));
    OK(hurray_descriptor_destroy(&descriptor));
    OK(hurray_descriptor_destroy(&head));
}

enum { FIXED = offsetof(Table, slots) };

/* Same version, shorter table, or one with holes: what is not there is unsupported, what is beyond is not read. */
static void slots_that_are_not_there(void) {
    const size_t sizes[] = {FIXED, FIXED + sizeof(Slot) - 1, sizeof table};
    for (int k = 0; k < 3; k++) {
#define CALL(function, type, arguments)                                                                                \
    {                                                                                                                  \
        type *subject = (type *)(void *)&handle;                                                                       \
        STATUS(HURRAY_ERR_UNSUPPORTED, function arguments);                                                            \
    }
        prepare("HRRYopts", HURRAY_C_ABI_VERSION, sizes[k]);
        OPTIONS_CALLS(CALL)
        prepare("HRRYbuff", HURRAY_C_ABI_VERSION, sizes[k]);
        BUFFER_CALLS(CALL)
        prepare("HRRYlist", HURRAY_C_ABI_VERSION, sizes[k]);
        LIST_CALLS(CALL)
        prepare("HRRYdesc", HURRAY_C_ABI_VERSION, sizes[k]);
        DESCRIPTOR_CALLS(CALL)
        prepare("HRRYbldr", HURRAY_C_ABI_VERSION, sizes[k]);
        BUILDER_CALLS(CALL)
        prepare("HRRYfrea", HURRAY_C_ABI_VERSION, sizes[k]);
        FILE_READER_CALLS(CALL)
        prepare("HRRYfwri", HURRAY_C_ABI_VERSION, sizes[k]);
        FILE_WRITER_CALLS(CALL)
        prepare("HRRYitem", HURRAY_C_ABI_VERSION, sizes[k]);
        ITEM_CALLS(CALL)
        prepare("HRRYsrea", HURRAY_C_ABI_VERSION, sizes[k]);
        STREAM_READER_CALLS(CALL)
        prepare("HRRYswri", HURRAY_C_ABI_VERSION, sizes[k]);
        STREAM_WRITER_CALLS(CALL)
        prepare("HRRYtens", HURRAY_C_ABI_VERSION, sizes[k]);
        TENSOR_CALLS(CALL)
#undef CALL
    }
}

static HurrayStatus corrupt(void) { return HURRAY_ERR_CORRUPT; }
static HurrayStatus need_more(void) { return HURRAY_NEED_MORE; }
static HurrayStatus another_status(void) { return HURRAY_ERR_IO; }

static size_t slot(size_t offset) { return (offset - FIXED) / sizeof(Slot); }

/* An offset of `abi/layout.json`, which never changes. */
enum { BUFFER_BYTE_SIZE = 80 };

static void text_of_the_other_copy(void) {
    uint64_t size = 0, offset = 0;
    HurrayStatus status = 0;
    int32_t os_error = 0;
    const HurrayBuffer *buffer = (const HurrayBuffer *)(const void *)&handle;
    prepare("HRRYbuff", HURRAY_C_ABI_VERSION, BUFFER_BYTE_SIZE + sizeof(Slot)); /* ends just behind this slot */
    table.slots[slot(BUFFER_BYTE_SIZE)] = corrupt;
    STATUS(HURRAY_ERR_CORRUPT, hurray_buffer_byte_size(buffer, &size));
    CHECK(test_text_has("V-999: told by the other copy"));
    OK(hurray_last_error_info(&status, &os_error, &offset));
    EQUAL(HURRAY_ERR_CORRUPT, status);
    EQUAL(5, os_error);
    EQUAL(77, offset);
    /* Text of another status is not this call's. */
    table.slots[slot(BUFFER_BYTE_SIZE)] = another_status;
    size_t len = 9;
    STATUS(HURRAY_ERR_IO, hurray_buffer_byte_size(buffer, &size));
    OK(hurray_last_error_info(&status, &os_error, NULL));
    EQUAL(HURRAY_ERR_IO, status);
    EQUAL(0, os_error);
    OK(hurray_last_error_message(NULL, &len));
    EQUAL(0, len);
    /* Progress is no error. */
    table.slots[slot(BUFFER_BYTE_SIZE)] = need_more;
    STATUS(HURRAY_NEED_MORE, hurray_buffer_byte_size(buffer, &size));
    OK(hurray_last_error_info(&status, NULL, NULL));
    EQUAL(HURRAY_ERR_IO, status);
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_buffer_flags(buffer, &o.u32));
}

/* An argument whose copy lacks what bringing it in needs goes back to its caller. */
static void given_back_when_it_cannot_be_brought_in(void) {
    HurrayBufferList *list = cpu_list(0, NULL, NULL);
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    HurrayTensor *tensor = NULL;
    uint64_t len = 9;
    prepare("HRRYbuff", HURRAY_C_ABI_VERSION, FIXED);
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_buffer_list_push(list, (HurrayBuffer *)(void *)&handle));
    EQUAL(1, taken);
    EQUAL(1, given_back);
    EQUAL(0, dropped);
    OK(hurray_buffer_list_len(list, &len));
    EQUAL(0, len);
    prepare("HRRYlist", HURRAY_C_ABI_VERSION, FIXED);
    STATUS(HURRAY_ERR_UNSUPPORTED,
           hurray_tensor_from_descriptor(descriptor, (HurrayBufferList *)(void *)&handle, NULL, NULL, &tensor));
    EQUAL(1, taken);
    EQUAL(1, given_back);
    EQUAL(0, dropped);
    OK(hurray_buffer_list_destroy(&list));
    OK(hurray_descriptor_destroy(&descriptor));
}

int main(void) {
    CHECK(offsetof(Table, destroy) == 8 && offsetof(Handle, table) == 16 && sizeof(void *) == 8);
    RUN(of_another_version);
    RUN(destroyed_through_its_own_table);
    RUN(the_build_decides);
    RUN(as_arguments);
    RUN(slots_that_are_not_there);
    RUN(text_of_the_other_copy);
    RUN(given_back_when_it_cannot_be_brought_in);
    return FINISH();
}
