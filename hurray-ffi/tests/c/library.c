/* Versions, status names, tags, error text. */
#include "samples.h"

static void versions(void) {
    EQUAL(10, HURRAY_C_ABI_VERSION);
    EQUAL(10, hurray_c_abi_version());
    int major = -1, minor = -1, patch = -1;
    EQUAL(3, sscanf(hurray_version_string(), "%d.%d.%d", &major, &minor, &patch));
    CHECK(major >= 0 && minor >= 0 && patch >= 0);
}

static void a_status_without_a_name(void) {
    const HurrayStatus none[] = {3, -30, INT32_MIN, INT32_MAX};
    for (size_t k = 0; k < 4; k++) CHECK(strcmp(hurray_status_name(none[k]), "HURRAY_ERR_UNKNOWN") == 0);
}

static const char *tag(uint32_t space, uint32_t value) {
    const char *name = "";
    OK(hurray_tag_name(space, value, &name));
    return name;
}

static void names_of_tags(void) {
    CHECK(strcmp(tag(HURRAY_SPACE_ELEMENT_TYPE, HURRAY_TYPE_BFLOAT16), "bfloat16") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_LAYOUT, HURRAY_LAYOUT_HILBERT), "hilbert") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_SCHEME, HURRAY_SCHEME_NF4), "nf4") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_DEVICE, HURRAY_DEVICE_LEVEL_ZERO), "level_zero") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_MEMORY_CLASS, HURRAY_MEMORY_PEER), "peer") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_SYNC_MODE, HURRAY_SYNC_EVENT), "event") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_COMPOSITION_RULE, HURRAY_RULE_OVERLAY), "overlay") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_COMBINE_OP, HURRAY_OP_ADD), "add") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_MEMBER_ROLE, HURRAY_MEMBER_BASE), "base") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_KV_TYPE, HURRAY_KV_FLOAT64), "float64") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_KV_ROLE, HURRAY_KV_ROLE_FUSED), "fused") == 0);
    CHECK(strcmp(tag(HURRAY_SPACE_BUFFER_ROLE, HURRAY_ROLE_ZERO_POINTS), "zero_points") == 0);
    const char *name = "untouched";
    STATUS(HURRAY_ERR_NOT_FOUND, hurray_tag_name(HURRAY_SPACE_ELEMENT_TYPE, 0x47, &name));
    STATUS(HURRAY_ERR_NOT_FOUND, hurray_tag_name(HURRAY_SPACE_ELEMENT_TYPE, 0x103, &name));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tag_name(0, 1, &name));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tag_name(13, 1, &name));
    CHECK(strcmp(name, "untouched") == 0);
}

static void element_types(void) {
    /* tag, bits, alignment, kind: specification 2.1 */
    static const struct {
        uint8_t tag;
        uint32_t bits, alignment, kind;
    } types[] = {
        {HURRAY_TYPE_FLOAT16, 16, 2, HURRAY_KIND_FLOAT | HURRAY_KIND_SIGNED | HURRAY_KIND_TIER_1},
        {HURRAY_TYPE_FLOAT64, 64, 8, HURRAY_KIND_FLOAT | HURRAY_KIND_SIGNED | HURRAY_KIND_TIER_1},
        {HURRAY_TYPE_UINT16, 16, 2, HURRAY_KIND_INTEGER | HURRAY_KIND_TIER_1},
        {HURRAY_TYPE_INT64, 64, 8, HURRAY_KIND_INTEGER | HURRAY_KIND_SIGNED | HURRAY_KIND_TIER_1},
        {HURRAY_TYPE_BOOL, 1, 1, HURRAY_KIND_BOOL | HURRAY_KIND_SUB_BYTE | HURRAY_KIND_TIER_1},
        {HURRAY_TYPE_FLOAT6_E3M2, 6, 1, HURRAY_KIND_FLOAT | HURRAY_KIND_SIGNED | HURRAY_KIND_SUB_BYTE},
        {HURRAY_TYPE_FLOAT8_E8M0, 8, 1, HURRAY_KIND_FLOAT},
        {HURRAY_TYPE_FLOAT128, 128, 16, HURRAY_KIND_FLOAT | HURRAY_KIND_SIGNED},
        {HURRAY_TYPE_INT4, 4, 1, HURRAY_KIND_INTEGER | HURRAY_KIND_SIGNED | HURRAY_KIND_SUB_BYTE},
        {HURRAY_TYPE_UINT2, 2, 1, HURRAY_KIND_INTEGER | HURRAY_KIND_SUB_BYTE},
    };
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        uint32_t bits = 0, alignment = 0, kind = 0;
        OK(hurray_element_type_info(types[k].tag, &bits, &alignment, &kind));
        EQUAL(types[k].bits, bits);
        EQUAL(types[k].alignment, alignment);
        EQUAL(types[k].kind, kind);
    }
    uint32_t bits = 0, alignment = 0, kind = 0;
    OK(hurray_element_type_info(HURRAY_TYPE_COMPLEX64, &bits, &alignment, &kind));
    EQUAL(64, bits);
    EQUAL(4, alignment);
    CHECK(kind & HURRAY_KIND_COMPLEX);
    STATUS(HURRAY_ERR_INVALID_TYPE, hurray_element_type_info(0xF0, &bits, &alignment, &kind));
    EQUAL(64, bits);
}

static void bytes_of_elements(void) {
    static const struct {
        uint8_t tag;
        uint64_t count, bytes;
    } sizes[] = {
        {HURRAY_TYPE_FLOAT32, 3, 12},    {HURRAY_TYPE_BOOL, 9, 2},        {HURRAY_TYPE_INT4, 5, 3},
        {HURRAY_TYPE_INT2, 6, 2},        {HURRAY_TYPE_FLOAT6_E2M3, 1, 3}, {HURRAY_TYPE_FLOAT6_E2M3, 5, 6},
        {HURRAY_TYPE_COMPLEX128, 2, 32}, {HURRAY_TYPE_INT8, 0, 0},        {HURRAY_TYPE_BOOL, UINT64_MAX, 1ULL << 61},
    };
    uint64_t bytes = 7;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        OK(hurray_element_type_bytes(sizes[k].tag, sizes[k].count, &bytes));
        EQUAL(sizes[k].bytes, bytes);
    }
    bytes = 7;
    STATUS(HURRAY_ERR_OVERFLOW, hurray_element_type_bytes(HURRAY_TYPE_FLOAT64, 1ULL << 61, &bytes));
    STATUS(HURRAY_ERR_INVALID_TYPE, hurray_element_type_bytes(0, 1, &bytes));
    EQUAL(7, bytes);
}

/* Runs first: nothing has failed on this thread yet. */
static void no_error_yet(void) {
    HurrayStatus status = 5;
    int32_t os_error = 5;
    uint64_t offset = 5;
    size_t len = 5;
    OK(hurray_last_error_info(&status, &os_error, &offset));
    EQUAL(0, status);
    EQUAL(0, os_error);
    EQUAL(-1, offset);
    OK(hurray_last_error_message(NULL, &len));
    EQUAL(0, len);
}

static void the_last_error(void) {
    /* The reserved byte 15 of the buffer's handle, at 45 + 15: rule V-090. */
    uint8_t bytes[sizeof DENSE];
    memcpy(bytes, DENSE, sizeof DENSE);
    bytes[60] = 9;
    HurrayDescriptor *descriptor = NULL;
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR, hurray_descriptor_decode(bytes, sizeof bytes, &descriptor));
    CHECK(descriptor == NULL);
    char text[512];
    size_t full = sizeof text;
    OK(hurray_last_error_message(text, &full));
    CHECK(full > 7 && memcmp(text, "V-090: ", 7) == 0);
    CHECK(test_text_has("60"));
    CAPACITY(char, full, hurray_last_error_message(out, &len));
    HurrayStatus status = 0;
    int32_t os_error = 5;
    uint64_t offset = 0;
    OK(hurray_last_error_info(&status, &os_error, &offset));
    EQUAL(HURRAY_ERR_INVALID_DESCRIPTOR, status);
    EQUAL(0, os_error);
    EQUAL(60, offset);
}

static void answers_and_successes_leave_the_last_error(void) {
    HurrayBufferList *list = NULL;
    OK(hurray_buffer_list_new(0, &list));
    HurrayBuffer *borrowed = NULL;
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_buffer_list_get(list, 4, &borrowed));
    OK(hurray_buffer_list_destroy(&list));
    HurrayDescriptor *descriptor = decoded(DENSE, sizeof DENSE);
    uint64_t value = 0;
    size_t len = 0;
    const char *name = NULL;
    STATUS(HURRAY_ERR_FIELD_NOT_PRESENT, hurray_descriptor_field_u64(descriptor, HURRAY_QUANT_FIELD_SCHEME, 0, &value));
    STATUS(HURRAY_ERR_FIELD_NOT_APPLICABLE,
           hurray_descriptor_field_u64(descriptor, HURRAY_LAYOUT_FIELD_CSR_NNZ, 0, &value));
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_descriptor_shape(descriptor, NULL, &len));
    STATUS(HURRAY_ERR_NOT_FOUND, hurray_tag_name(HURRAY_SPACE_LAYOUT, 99, &name));
    OK(hurray_descriptor_destroy(&descriptor));
    HurrayStatus status = 0;
    OK(hurray_last_error_info(&status, NULL, NULL));
    EQUAL(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, status);
    CHECK(test_text_has("index"));
}

int main(void) {
    RUN(no_error_yet);
    RUN(versions);
    RUN(a_status_without_a_name);
    RUN(names_of_tags);
    RUN(element_types);
    RUN(bytes_of_elements);
    RUN(the_last_error);
    RUN(answers_and_successes_leave_the_last_error);
    return FINISH();
}
