/* Packed codes to one a byte, and back. The bytes are those of the written format, descriptor.md section 2.3. */
#include "quantize.h"

/* Unpacks `count` codes of a type from `packed`, compares, and packs them again. */
static void both_ways(uint8_t type, uint8_t as, size_t count, const uint8_t *codes, size_t len, const uint8_t *packed) {
    const uint64_t shape[1] = {count};
    const Part part[1] = {{packed, len}};
    HurrayTensor *tensor = coded(plain(type, HURRAY_LAYOUT_ROW_MAJOR, 1, shape), 1, part), *bytes = NULL, *back = NULL;
    HurrayDescriptor *descriptor = NULL;
    uint64_t written = 0;
    uint8_t tag = 0;
    OK(hurray_tensor_unpack(tensor, NULL, NULL, &written, &bytes));
    EQUAL(count, written);
    CHECK(holds(bytes, 0, codes, count));
    OK(hurray_tensor_descriptor(bytes, &descriptor));
    OK(hurray_descriptor_element_type_tag(descriptor, &tag));
    EQUAL(as, tag);
    OK(hurray_tensor_pack(bytes, type, NULL, NULL, &written, &back));
    EQUAL(len, written);
    CHECK(holds(back, 0, packed, len));
    OK(hurray_tensor_destroy(&back));
    OK(hurray_tensor_destroy(&bytes));
    OK(hurray_tensor_destroy(&tensor));
}

static void examples(void) {
    const uint8_t booleans[11] = {1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1}, of_booleans[2] = {0xB9, 0x06};
    both_ways(HURRAY_TYPE_BOOL, HURRAY_TYPE_UINT8, 11, booleans, 2, of_booleans);
    const uint8_t int4[5] = {253, 7, 248, 2, 255}, of_int4[3] = {0x7D, 0x28, 0x0F};
    both_ways(HURRAY_TYPE_INT4, HURRAY_TYPE_INT8, 5, int4, 3, of_int4);
    const uint8_t uint4[5] = {13, 7, 8, 2, 15};
    both_ways(HURRAY_TYPE_UINT4, HURRAY_TYPE_UINT8, 5, uint4, 3, of_int4);
    both_ways(HURRAY_TYPE_FLOAT4_E2M1, HURRAY_TYPE_UINT8, 5, uint4, 3, of_int4);
    const uint8_t int2[6] = {1, 254, 0, 255, 255, 1}, of_int2[2] = {0xC9, 0x07};
    both_ways(HURRAY_TYPE_INT2, HURRAY_TYPE_INT8, 6, int2, 2, of_int2);
    const uint8_t uint2[6] = {1, 2, 0, 3, 3, 1};
    both_ways(HURRAY_TYPE_UINT2, HURRAY_TYPE_UINT8, 6, uint2, 2, of_int2);
    const uint8_t sixes[6] = {0x2A, 0x15, 0x3F, 0x01, 0x20, 0x0C};
    const uint8_t of_sixes[6] = {0x6A, 0xF5, 0x07, 0x20, 0x03, 0x00};
    both_ways(HURRAY_TYPE_FLOAT6_E2M3, HURRAY_TYPE_UINT8, 6, sixes, 6, of_sixes);
    both_ways(HURRAY_TYPE_FLOAT6_E3M2, HURRAY_TYPE_UINT8, 6, sixes, 6, of_sixes);
    both_ways(HURRAY_TYPE_INT4, HURRAY_TYPE_INT8, 0, int4, 0, of_int4);
}

/* Element 1 and 3 of a vector, and columns: wherever codes begin, each is itself. */
static void views_at_odd_elements(void) {
    const uint8_t packed[4] = {0x21, 0x43, 0x65, 0x07};
    const uint64_t shape[2] = {2, 3};
    const int64_t strides[2] = {3, -1}; /* rows 3 2 1 and 6 5 4, from element 2 */
    HurrayDescriptor *view = strided(HURRAY_TYPE_UINT4, 2, shape, strides, 1);
    HurrayTensor *tensor = tensor_over(view, packed, 4), *made = NULL;
    const uint8_t want[6] = {3, 2, 1, 6, 5, 4};
    OK(hurray_tensor_unpack(tensor, NULL, NULL, NULL, &made));
    CHECK(holds(made, 0, want, 6));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_descriptor_destroy(&view));
}

static void a_scheme_does_not_carry_over(void) {
    const uint64_t shape[1] = {4};
    const uint8_t packed[2] = {0x7D, 0x28};
    const Part part[1] = {{packed, 2}};
    HurrayTensor *tensor = coded(per_tensor(HURRAY_TYPE_INT4, 1, shape, 0.5, 1), 1, part), *made = NULL;
    const uint8_t codes[4] = {253, 7, 248, 2};
    OK(hurray_tensor_unpack(tensor, NULL, NULL, NULL, &made));
    CHECK(holds(made, 0, codes, 4));
    CHECK(!has_scheme(made));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_tensor_destroy(&tensor));
}

static void what_is_refused(void) {
    const uint64_t shape[1] = {4};
    const uint8_t bytes[4] = {1, 7, 8, 255};
    const Part part[1] = {{bytes, 4}};
    HurrayTensor *made = NULL, *tensor = coded(plain(HURRAY_TYPE_UINT8, HURRAY_LAYOUT_ROW_MAJOR, 1, shape), 1, part);
    STATUS(HURRAY_ERR_INVALID_TYPE, hurray_tensor_unpack(tensor, NULL, NULL, NULL, &made));
    STATUS(HURRAY_ERR_INVALID_TYPE, hurray_tensor_pack(tensor, HURRAY_TYPE_INT8, NULL, NULL, NULL, &made));
    STATUS(HURRAY_ERR_INVALID_TYPE, hurray_tensor_pack(tensor, 0xF0, NULL, NULL, NULL, &made));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_pack(tensor, HURRAY_TYPE_INT4, NULL, NULL, NULL, &made));
    CHECK(test_text_has("element[2] = 8 (limit 7)"));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_pack(tensor, HURRAY_TYPE_FLOAT6_E2M3, NULL, NULL, NULL, &made));
    CHECK(test_text_has("element[3] = 255 (limit 63)"));
    const uint8_t truth[1] = {0x0F};
    OK(hurray_tensor_pack(tensor, HURRAY_TYPE_BOOL, NULL, NULL, NULL, &made));
    CHECK(holds(made, 0, truth, 1));
    OK(hurray_tensor_destroy(&made));
    HurrayBuffer *room = NULL;
    OK(hurray_buffer_alloc(0, 64, &room));
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_tensor_pack(tensor, HURRAY_TYPE_BOOL, room, NULL, NULL, &made));
    OK(hurray_buffer_destroy(&room));
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 1));
    STATUS(HURRAY_ERR_COPY_REQUIRED, hurray_tensor_pack(tensor, HURRAY_TYPE_BOOL, NULL, options, NULL, &made));
    OK(hurray_options_destroy(&options));
    OK(hurray_tensor_destroy(&tensor));
    CHECK(made == NULL);
}

int main(void) {
    RUN(examples);
    RUN(views_at_odd_elements);
    RUN(a_scheme_does_not_carry_over);
    RUN(what_is_refused);
    return FINISH();
}
