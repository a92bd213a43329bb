/* Codes to numbers and numbers to codes. Expected values are those of the written format, quantization.md sections 7 to
 * 10, or worked out by hand from them. */
#include "quantize.h"

#include <math.h>

static const uint64_t FOUR[1] = {4}, TWO_THREE[2] = {2, 3}, TWO_SIX[2] = {2, 6}, SIXTEEN[1] = {16};

static void worked_examples(void) {
    const uint8_t tensor_codes[4] = {128, 253, 0, 127};
    const Part tensor_parts[1] = {{tensor_codes, 4}};
    const float tensor_values[4] = {-31.25f, 0, 0.75f, 32.5f};
    gives(coded(per_tensor(HURRAY_TYPE_INT8, 1, FOUR, 0.25, -3), 1, tensor_parts), 4, tensor_values);

    const uint8_t channel_codes[6] = {130, 7, 10, 0, 255, 20};
    const float channel_scales[3] = {0.5f, 2, -1};
    const int32_t channel_zeros[3] = {128, 0, 10};
    const Part channel_parts[3] = {{channel_codes, 6}, {channel_scales, 12}, {channel_zeros, 12}};
    const float channel_values[6] = {1, 14, -0.0f, -64, 510, -10}; /* -1 * 0 is -0 */
    gives(coded(per_channel(HURRAY_TYPE_UINT8, 2, TWO_THREE, 1, 0), 3, channel_parts), 6, channel_values);

    /* Two blocks a row, the second one of two elements; storage for whole blocks. Element [1, 5] has code D. */
    const uint8_t block_codes[8] = {0x21, 0x43, 0x65, 0xF7, 0x8E, 0xD2, 0, 0};
    const uint16_t block_scales[4] = {0x3800, 0x3C00, 0x4000, 0x4400};
    const Part block_parts[2] = {{block_codes, 8}, {block_scales, 8}};
    const float block_values[12] = {0.5f, 1, 1.5f, 2, 5, 6, 14, -2, -4, -16, 8, -12};
    HurrayDescriptor *block =
        per_block(HURRAY_TYPE_INT4, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_SIX, 1, 4, HURRAY_TYPE_FLOAT16, 1, 0);
    gives(coded(block, 2, block_parts), 12, block_values);

    uint8_t nf4_codes[8];
    memset(nf4_codes, 0x77, sizeof nf4_codes);
    nf4_codes[0] = 0x7F, nf4_codes[4] = 0xC7;
    const float nf4_scales[2] = {2, 0.5f};
    const Part nf4_parts[2] = {{nf4_codes, 8}, {nf4_scales, 8}};
    float nf4_values[16] = {2.0f};
    nf4_values[9] = 0.22035491466522217f;
    gives(coded(nf4(1, SIXTEEN, 0, 8), 2, nf4_parts), 16, nf4_values);

    const uint64_t shape[2] = {1, 32};
    uint8_t mx_codes[16] = {7};
    mx_codes[8] = 0x0B;
    const uint8_t mx_scales[2] = {0x80, 0x7D};
    const Part mx_parts[2] = {{mx_codes, 16}, {mx_scales, 2}};
    float mx_values[32] = {12.0f};
    mx_values[16] = -0.375f;
    gives(coded(mxfp(HURRAY_TYPE_FLOAT4_E2M1, 2, shape, 1, 16), 2, mx_parts), 32, mx_values);
}

/* Layout and strides do not change an element's block. */
static void codes_of_other_layouts(void) {
    const uint8_t codes[8] = {1, 4, 2, 5,
                              3, 6, 0, 0}; /* columns of [[1, 2, 3], [4, 5, 6]], and room for whole blocks */
    const float scales[4] = {1, 10, 100, 1000};
    const Part parts[2] = {{codes, 8}, {scales, 16}};
    const float want[6] = {1, 2, 30, 400, 500, 6000};
    HurrayDescriptor *columns =
        per_block(HURRAY_TYPE_UINT8, HURRAY_LAYOUT_COLUMN_MAJOR, 2, TWO_THREE, 1, 2, HURRAY_TYPE_FLOAT32, 1, 0);
    gives(coded(columns, 2, parts), 6, want);
}

static void scales_and_zero_points_in_one_buffer(void) {
    /* Three bfloat16 scales, then three zero points at byte 6. */
    const uint64_t shape[1] = {5};
    const uint8_t codes[3] = {0x21, 0x43, 0x05};
    const uint8_t parameters[18] = {0x80, 0x3F, 0x00, 0x40, 0x80, 0xBF, 1, 0, 0, 0, 2, 0, 0, 0, 15, 0, 0, 0};
    const Part parts[2] = {{codes, 3}, {parameters, 18}};
    const float want[5] = {0, 1, 2, 4, 10};
    HurrayDescriptor *descriptor =
        per_block(HURRAY_TYPE_UINT4, HURRAY_LAYOUT_ROW_MAJOR, 1, shape, 0, 2, HURRAY_TYPE_BFLOAT16, 0, 1);
    gives(coded(descriptor, 2, parts), 5, want);
}

static void numbers_of_other_types(void) {
    const uint16_t halves[6] = {0x3C00, 0xC000, 0x7BFF, 0x0001, 0xFC00, 0x8000};
    const Part parts[1] = {{halves, 12}};
    const float want[6] = {1, -2, 65504, 5.9604644775390625e-8f, -INFINITY, -0.0f};
    gives(coded(plain(HURRAY_TYPE_FLOAT16, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_THREE), 1, parts), 6, want);
    const float by_columns[6] = {1, 65504, -INFINITY, -2, 5.9604644775390625e-8f, -0.0f};
    gives(coded(plain(HURRAY_TYPE_FLOAT16, HURRAY_LAYOUT_COLUMN_MAJOR, 2, TWO_THREE), 1, parts), 6, by_columns);
    const uint8_t bits[1] = {0x2B};
    const Part boolean[1] = {{bits, 1}};
    const float truth[6] = {1, 1, 0, 1, 0, 1};
    gives(coded(plain(HURRAY_TYPE_BOOL, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_THREE), 1, boolean), 6, truth);

    HurrayTensor *tensor = floats(1, FOUR, want, 4), *made = NULL;
    uint64_t bytes = 77;
    OK(hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, &bytes, &made));
    EQUAL(0, bytes);
    CHECK(data_of(made) == data_of(tensor));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT16, NULL, NULL, &bytes, &made));
    EQUAL(8, bytes);
    CHECK(holds(made, 0, halves, 8));
    OK(hurray_tensor_destroy(&made));
    for (int tag = 0; tag < 256; tag++) {
        if (tag >= HURRAY_TYPE_FLOAT16 && tag <= HURRAY_TYPE_FLOAT64) continue;
        STATUS(HURRAY_ERR_INVALID_TYPE, hurray_tensor_dequantize(tensor, (uint8_t)tag, NULL, NULL, &bytes, &made));
    }
    OK(hurray_tensor_destroy(&tensor));
    const float complex_number[2] = {1, 2};
    const Part complex_parts[1] = {{complex_number, 8}};
    tensor = coded(plain(HURRAY_TYPE_COMPLEX64, HURRAY_LAYOUT_ROW_MAJOR, 0, NULL), 1, complex_parts);
    STATUS(HURRAY_ERR_INVALID_TYPE, hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, NULL, &made));
    OK(hurray_tensor_destroy(&tensor));
}

static void stored_values_of_sparse_tensors(void) {
    const double values[4] = {1, -2.5, 0, 1e300};
    const uint64_t columns[4] = {0, 2, 0, 1}, rows[3] = {0, 2, 4};
    const Part parts[3] = {{values, 32}, {columns, 32}, {rows, 24}};
    HurrayTensor *tensor = coded(decoded(CSR, sizeof CSR), 3, parts), *made = NULL;
    const float want[4] = {1, -2.5f, 0, INFINITY};
    uint64_t bytes = 0;
    OK(hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, &bytes, &made));
    EQUAL(16, bytes);
    CHECK(holds(made, 0, want, 16));
    for (uint64_t k = 1; k < 3; k++) {
        void *before = NULL, *after = NULL;
        OK(hurray_buffer_data_ptr(buffer_of(tensor, k), &before));
        OK(hurray_buffer_data_ptr(buffer_of(made, k), &after));
        CHECK(before == after);
    }
    OK(hurray_tensor_destroy(&made));
    HurrayBuffer *room = NULL;
    OK(hurray_buffer_alloc(64, 64, &room));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, room, NULL, NULL, &made));
    OK(hurray_buffer_destroy(&room));
    OK(hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT64, NULL, NULL, &bytes, &made));
    EQUAL(0, bytes);
    OK(hurray_tensor_destroy(&made));
    OK(hurray_tensor_destroy(&tensor));
}

static HurrayDescriptorBuilder *sparse_codes(uint32_t scheme) {
    HurrayDescriptorBuilder *builder = begun(HURRAY_TYPE_INT8, HURRAY_LAYOUT_CSR, 2, TWO_THREE);
    field(builder, HURRAY_LAYOUT_FIELD_CSR_NNZ, 4);
    field(builder, HURRAY_QUANT_FIELD_SCHEME, scheme);
    field(builder, HURRAY_QUANT_FIELD_FLAGS, 1);
    return builder;
}

/* [[1, _, 2], [3, 4, _]]: channel and block are those of the entry's index. */
static void codes_of_sparse_tensors(void) {
    const int8_t codes[4] = {1, 2, 3, 4};
    const uint64_t columns[4] = {0, 2, 0, 1}, rows[3] = {0, 2, 4}, astray[4] = {0, 2, 0, 9};
    const float scales[4] = {1, 10, 100, 1000}, by_column[4] = {1, 200, 3, 40}, by_block[4] = {1, 20, 300, 400};
    HurrayDescriptorBuilder *builder = sparse_codes(HURRAY_SCHEME_PER_CHANNEL_AFFINE);
    field(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 1);
    field(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, HURRAY_TYPE_FLOAT32);
    const Part channels[4] = {{codes, 4}, {columns, 32}, {rows, 24}, {scales, 12}};
    HurrayDescriptor *descriptor = finished(builder);
    HurrayTensor *made = NULL, *tensor = NULL;
    OK(hurray_tensor_from_descriptor(descriptor, parts_list(0, 4, channels), NULL, NULL, &tensor));
    gives(tensor, 4, by_column);
    const Part lies[4] = {{codes, 4}, {astray, 32}, {rows, 24}, {scales, 12}};
    tensor = coded(descriptor, 4, lies);
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, NULL, &made));
    CHECK(test_text_has("col_indices[3] = 9"));
    OK(hurray_tensor_destroy(&tensor));
    builder = sparse_codes(HURRAY_SCHEME_PER_BLOCK_AFFINE);
    field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, 1);
    field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, 2);
    field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, HURRAY_TYPE_FLOAT32);
    const Part blocks[4] = {{codes, 4}, {columns, 32}, {rows, 24}, {scales, 16}};
    gives(coded(finished(builder), 4, blocks), 4, by_block);
}

/* Two pages of two tokens, one head of two: a scale for each component, and one for each slot of the pool. */
static void codes_of_page_pools(void) {
    const uint64_t shape[3] = {3, 1, 2};
    const uint8_t codes[8] = {1, 1, 1, 1, 1, 1, 1, 1}, tables[64] = {0};
    const float scales[4] = {1, 10, 100, 1000};
    const float by_component[8] = {1, 10, 1, 10, 1, 10, 1, 10}, by_slot[8] = {1, 1, 10, 10, 100, 100, 1000, 1000};
    for (int each_slot = 0; each_slot < 2; each_slot++) {
        HurrayDescriptorBuilder *builder = begun(HURRAY_TYPE_UINT8, HURRAY_LAYOUT_BLOCK_PAGED, 3, shape);
        field(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, 2);
        field(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, 2);
        field(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, 0);
        field(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, 1);
        field(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, 0);
        field(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, 0);
        field(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE, 0);
        field(builder, HURRAY_QUANT_FIELD_SCHEME,
              each_slot ? HURRAY_SCHEME_PER_BLOCK_AFFINE : HURRAY_SCHEME_PER_CHANNEL_AFFINE);
        field(builder, HURRAY_QUANT_FIELD_FLAGS, 1);
        if (each_slot) {
            field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, 0);
            field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, 2);
            field(builder, HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, HURRAY_TYPE_FLOAT32);
        } else {
            field(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 2);
            field(builder, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, HURRAY_TYPE_FLOAT32);
        }
        HurrayDescriptor *descriptor = finished(builder);
        uint64_t sizes[4] = {0};
        for (uint32_t k = 0; k < 4; k++) {
            OK(hurray_descriptor_field_u64(descriptor, HURRAY_BUFFER_FIELD_BYTE_SIZE, k, &sizes[k]));
        }
        EQUAL(8, sizes[0]);
        CHECK(sizes[1] <= sizeof tables && sizes[2] <= sizeof tables);
        const Part parts[4] = {
            {codes, 8}, {tables, (size_t)sizes[1]}, {tables, (size_t)sizes[2]}, {scales, (size_t)sizes[3]}};
        gives(coded(descriptor, 4, parts), 8, each_slot ? by_slot : by_component);
    }
}

static void parameters_that_may_not_occur(void) {
    const uint8_t codes[16] = {0};
    const uint64_t shape[2] = {2, 16};
    HurrayTensor *made = NULL;
    const float bad[4] = {0, -0.0f, NAN, INFINITY};
    for (int k = 0; k < 4; k++) {
        const float scales[3] = {1, 2, bad[k]};
        const Part parts[2] = {{codes, 6}, {scales, 12}};
        HurrayTensor *tensor = coded(per_channel(HURRAY_TYPE_INT8, 2, TWO_THREE, 1, 1), 2, parts);
        STATUS(HURRAY_ERR_INVALID_DESCRIPTOR,
               hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, NULL, &made));
        CHECK(test_text_has("Q-029"));
        CHECK(test_text_has("scales[2]"));
        OK(hurray_tensor_destroy(&tensor));
    }
    const float ones[3] = {1, 1, 1};
    const int32_t zeros[3] = {0, 127, -129};
    const Part zero_parts[3] = {{codes, 6}, {ones, 12}, {zeros, 12}};
    HurrayTensor *tensor = coded(per_channel(HURRAY_TYPE_INT8, 2, TWO_THREE, 1, 0), 3, zero_parts);
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR,
           hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, NULL, &made));
    CHECK(test_text_has("Q-030"));
    CHECK(test_text_has("zero_points[2] = -129"));
    OK(hurray_tensor_destroy(&tensor));
    const float magnitudes[2] = {1, -1};
    const Part nf4_parts[2] = {{codes, 16}, {magnitudes, 8}};
    tensor = coded(nf4(2, shape, 1, 16), 2, nf4_parts);
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR,
           hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, NULL, &made));
    CHECK(test_text_has("Q-031"));
    OK(hurray_tensor_destroy(&tensor));
    const uint8_t powers[2] = {0xFF, 1};
    const Part mx_parts[2] = {{codes, 16}, {powers, 2}};
    tensor = coded(mxfp(HURRAY_TYPE_INT4, 2, shape, 1, 16), 2, mx_parts);
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR,
           hurray_tensor_dequantize(tensor, HURRAY_TYPE_FLOAT32, NULL, NULL, NULL, &made));
    CHECK(test_text_has("Q-032"));
    OK(hurray_tensor_destroy(&tensor));
    CHECK(made == NULL);
}

/* Computed parameters and codes, worked out by hand. */
static void computed_parameters(void) {
    const float values[6] = {-2, 0.5f, 100, 1, 0.26f, -127};
    HurrayTensor *tensor = floats(2, TWO_THREE, values, 6), *made = NULL;
    uint64_t bytes = 0;
    HurrayDescriptor *target = per_channel(HURRAY_TYPE_INT8, 2, TWO_THREE, 1, 1);
    OK(hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, &bytes, &made));
    EQUAL(6 + 12, bytes);
    const float scales[3] = {2.0f / 127, 0.5f / 127, 1};
    const uint8_t codes[6] = {129, 127, 100, 64, 66, 129}; /* 63.5 to even; 66.04 */
    void *found = NULL;
    OK(hurray_buffer_data_ptr(buffer_of(made, 1), &found));
    for (int k = 0; k < 3; k++) {
        /* Rounded up: the quotient, or the next float32. */
        const float scale = ((const float *)found)[k];
        CHECK(scale >= scales[k] && scale <= scales[k] * (1 + 1.2e-7f));
        CHECK((double)scale * 127 >= (double)fabsf(values[k == 2 ? 5 : k]));
    }
    CHECK(memcmp(data_of(made), codes, 3) == 0 && memcmp(data_of(made) + 4, codes + 4, 2) == 0);
    CHECK(data_of(made)[3] == 63 || data_of(made)[3] == 64);
    OK(hurray_tensor_destroy(&made));
    OK(hurray_descriptor_destroy(&target));

    /* The range of -127 to 100 in 255 steps. */
    target = per_tensor(HURRAY_TYPE_UINT8, 2, TWO_THREE, 1, 0);
    OK(hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, &bytes, &made));
    HurrayDescriptor *of = NULL;
    double scale = 0;
    int64_t zero = 0;
    OK(hurray_tensor_descriptor(made, &of));
    OK(hurray_descriptor_field_f64(of, HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0, &scale));
    OK(hurray_descriptor_field_i64(of, HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, &zero));
    CHECK(fabs(scale - 227.0 / 255) < 1e-7);
    EQUAL(143, zero); /* 142.66 */
    const uint8_t steps[6] = {141, 144, 255, 144, 143, 0};
    CHECK(memcmp(data_of(made), steps, 6) == 0);
    OK(hurray_tensor_destroy(&made));
    /* An empty list: the target's own scale and zero point. */
    HurrayBufferList *none = NULL;
    OK(hurray_buffer_list_new(0, &none));
    OK(hurray_tensor_quantize(tensor, target, none, NULL, NULL, &bytes, &made));
    const uint8_t plain_codes[6] = {0, 0, 100, 1, 0, 0};
    EQUAL(6, bytes);
    CHECK(holds(made, 0, plain_codes, 6));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_buffer_list_destroy(&none));
    OK(hurray_descriptor_destroy(&target));
    OK(hurray_tensor_destroy(&tensor));

    /* Largest magnitude 12 = 1.5 * 2^3: scale 2^(3 - 2), code 128 of e8m0; quotients 6, -0.25 (a tie), 3.5. */
    float numbers[32] = {12, -0.5f, 7};
    const uint64_t shape[2] = {1, 32};
    tensor = floats(2, shape, numbers, 32);
    target = mxfp(HURRAY_TYPE_FLOAT4_E2M1, 2, shape, 1, 16);
    OK(hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, &bytes, &made));
    EQUAL(16 + 2, bytes);
    const uint8_t powers[2] = {128, 127}, elements[16] = {0x87, 0x06};
    CHECK(holds(made, 1, powers, 2));
    CHECK(holds(made, 0, elements, 16));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_descriptor_destroy(&target));
    target = nf4(2, shape, 1, 16);
    OK(hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, &bytes, &made));
    const float magnitudes[2] = {12, 0};
    uint8_t levels[16];
    memset(levels, 0x77, sizeof levels);
    levels[0] = 0x7F, levels[1] = 0x7D; /* -0.042 is nearest to 0, 0.583 to 0.5626 */
    CHECK(holds(made, 1, magnitudes, 8));
    CHECK(holds(made, 0, levels, 16));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_descriptor_destroy(&target));
    OK(hurray_tensor_destroy(&tensor));
}

static void given_parameters(void) {
    const float values[6] = {1, 14, 0, -64, 511, -10};
    HurrayTensor *tensor = floats(2, TWO_THREE, values, 6), *made = NULL;
    HurrayDescriptor *target = per_channel(HURRAY_TYPE_UINT8, 2, TWO_THREE, 1, 0);
    const float scales[3] = {0.5f, 2, -1}, zero_scale[3] = {0.5f, 0, -1};
    const int32_t zeros[3] = {128, 0, 10};
    const Part parts[2] = {{scales, 12}, {zeros, 12}}, bad[2] = {{zero_scale, 12}, {zeros, 12}};
    const Part shorter[2] = {{scales, 8}, {zeros, 12}};
    HurrayBufferList *list = parts_list(3, 2, parts);
    uint64_t bytes = 0;
    OK(hurray_tensor_quantize(tensor, target, list, NULL, NULL, &bytes, &made));
    EQUAL(30, bytes);
    const uint8_t codes[6] = {130, 7, 10, 0, 255, 20}; /* 255.5 to even is 256, and saturates */
    CHECK(holds(made, 0, codes, 6));
    CHECK(holds(made, 1, scales, 12));
    CHECK(holds(made, 2, zeros, 12));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_buffer_list_destroy(&list));
    list = parts_list(3, 2, bad);
    STATUS(HURRAY_ERR_INVALID_DESCRIPTOR, hurray_tensor_quantize(tensor, target, list, NULL, NULL, NULL, &made));
    CHECK(test_text_has("Q-029"));
    OK(hurray_buffer_list_destroy(&list));
    list = parts_list(3, 2, shorter);
    STATUS(HURRAY_ERR_BUFFER_MISMATCH, hurray_tensor_quantize(tensor, target, list, NULL, NULL, NULL, &made));
    CHECK(test_text_has("parameters[0] = 8 (limit 12)"));
    OK(hurray_buffer_list_destroy(&list));
    list = parts_list(3, 1, parts);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_quantize(tensor, target, list, NULL, NULL, NULL, &made));
    OK(hurray_buffer_list_destroy(&list));
    OK(hurray_descriptor_destroy(&target));
    OK(hurray_tensor_destroy(&tensor));
    CHECK(made == NULL);
}

static void what_cannot_be_quantized(void) {
    const float values[6] = {1, 2, 3, 4, NAN, 6};
    HurrayTensor *tensor = floats(2, TWO_THREE, values, 6), *made = NULL, *codes = NULL;
    HurrayDescriptor *target = per_tensor(HURRAY_TYPE_INT8, 2, TWO_THREE, 1, 0);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, NULL, &made));
    CHECK(test_text_has("element[4]"));
    OK(hurray_descriptor_destroy(&target));
    const uint64_t other[2] = {3, 2};
    target = per_tensor(HURRAY_TYPE_INT8, 2, other, 1, 0);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, NULL, &made));
    CHECK(test_text_has("shape"));
    OK(hurray_descriptor_destroy(&target));
    target = plain(HURRAY_TYPE_INT32, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_THREE);
    STATUS(HURRAY_ERR_INVALID_TYPE, hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, NULL, &made));
    OK(hurray_descriptor_destroy(&target));
    /* Without a scheme: the numbers themselves, NaN where the type has one. */
    target = plain(HURRAY_TYPE_FLOAT8_E4M3, HURRAY_LAYOUT_COLUMN_MAJOR, 2, TWO_THREE);
    OK(hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, NULL, &codes));
    const uint8_t columns[6] = {0x38, 0x48, 0x40, 0x7F, 0x44, 0x4C};
    CHECK(holds(codes, 0, columns, 6));
    OK(hurray_tensor_destroy(&codes));
    OK(hurray_descriptor_destroy(&target));
    target = plain(HURRAY_TYPE_FLOAT4_E2M1, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_THREE);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, NULL, &made));
    CHECK(test_text_has("element[4]"));
    OK(hurray_descriptor_destroy(&target));
    OK(hurray_tensor_destroy(&tensor));
    const uint8_t bytes[4] = {1, 2, 3, 4};
    const Part parts[1] = {{bytes, 4}};
    tensor = coded(per_tensor(HURRAY_TYPE_INT8, 1, FOUR, 1, 0), 1, parts);
    target = per_tensor(HURRAY_TYPE_INT8, 1, FOUR, 1, 0);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, NULL, &made));
    CHECK(test_text_has("dequantize"));
    OK(hurray_descriptor_destroy(&target));
    OK(hurray_tensor_destroy(&tensor));
    CHECK(made == NULL);
}

/* Rows of six in blocks of four take room for eight; the caller's buffer keeps its lead. */
static void into_a_buffer(void) {
    const float values[12] = {1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 7};
    HurrayTensor *tensor = floats(2, TWO_SIX, values, 12), *made = NULL, *back = NULL;
    HurrayDescriptor *target =
        per_block(HURRAY_TYPE_INT4, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_SIX, 1, 4, HURRAY_TYPE_FLOAT32, 1, 0);
    const float ones[4] = {1, 1, 1, 1};
    const Part parts[1] = {{ones, 16}};
    HurrayBufferList *list = parts_list(3, 1, parts);
    HurrayBuffer *room = NULL, *small = NULL;
    unsigned char *at = sample_memory + 4096;
    memset(at, 0xA5, 64);
    OK(hurray_buffer_from_ptr(at, 64, 64, 0, 0, 0, NULL, NULL, &room));
    OK(hurray_buffer_set_lead(room, 6));
    OK(hurray_buffer_from_ptr(at, 7, 64, 0, 0, 0, NULL, NULL, &small));
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_tensor_quantize(tensor, target, list, small, NULL, NULL, &made));
    CHECK(test_is_untouched(at, at + 64));
    OK(hurray_tensor_quantize(tensor, target, list, room, NULL, NULL, &made));
    const uint8_t want[8] = {0x21, 0x43, 0x65, 0x67, 0x45, 0x73, 0, 0};
    CHECK(memcmp(at + 6, want, 8) == 0);
    CHECK(test_is_untouched(at, at + 6));
    CHECK(test_is_untouched(at + 14, at + 64));
    OK(hurray_tensor_dequantize(made, HURRAY_TYPE_FLOAT32, NULL, NULL, NULL, &back));
    CHECK(memcmp(data_of(back), values, sizeof values) == 0);
    OK(hurray_tensor_destroy(&back));
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 1));
    STATUS(HURRAY_ERR_COPY_REQUIRED, hurray_tensor_dequantize(made, HURRAY_TYPE_FLOAT32, NULL, options, NULL, &back));
    STATUS(HURRAY_ERR_COPY_REQUIRED, hurray_tensor_quantize(tensor, target, list, NULL, options, NULL, &back));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 0));
    OK(hurray_options_cancel(options));
    STATUS(HURRAY_ERR_CANCELLED, hurray_tensor_dequantize(made, HURRAY_TYPE_FLOAT32, NULL, options, NULL, &back));
    STATUS(HURRAY_ERR_CANCELLED, hurray_tensor_quantize(tensor, target, list, NULL, options, NULL, &back));
    CHECK(back == NULL);
    OK(hurray_options_destroy(&options));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_buffer_destroy(&room));
    OK(hurray_buffer_destroy(&small));
    OK(hurray_buffer_list_destroy(&list));
    OK(hurray_descriptor_destroy(&target));
    OK(hurray_tensor_destroy(&tensor));
}

/* Threads give the bytes that one gives. */
static void threads(void) {
    const uint64_t shape[2] = {1200, 1024};
    const size_t count = 1200 * 1024;
    HurrayBuffer *memory = NULL;
    HurrayBufferList *list = NULL;
    HurrayTensor *tensor = NULL, *codes = NULL, *one = NULL, *two = NULL;
    HurrayDescriptor *numbers = plain(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, 2, shape);
    HurrayDescriptor *target =
        per_block(HURRAY_TYPE_INT4, HURRAY_LAYOUT_ROW_MAJOR, 2, shape, 1, 32, HURRAY_TYPE_FLOAT16, 1, 0);
    void *data = NULL;
    OK(hurray_buffer_alloc(count * 4, 64, &memory));
    OK(hurray_buffer_data_ptr(memory, &data));
    for (size_t k = 0; k < count; k++) ((float *)data)[k] = (float)((int)(k * 7919 % 2001) - 1000) / 64;
    OK(hurray_buffer_list_new(1, &list));
    OK(hurray_buffer_list_push(list, memory));
    OK(hurray_tensor_from_descriptor(numbers, list, NULL, NULL, &tensor));
    OK(hurray_tensor_quantize(tensor, target, NULL, NULL, NULL, NULL, &codes));
    OK(hurray_tensor_dequantize(codes, HURRAY_TYPE_FLOAT32, NULL, NULL, NULL, &one));
    HurrayOptions *options = NULL;
    uint64_t done = 0, total = 0;
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_THREADS, 2));
    OK(hurray_tensor_dequantize(codes, HURRAY_TYPE_FLOAT32, NULL, options, NULL, &two));
    OK(hurray_options_progress(options, &done, &total));
    EQUAL(count * 4, done);
    EQUAL(count * 4, total);
    CHECK(memcmp(data_of(one), data_of(two), count * 4) == 0);
    size_t large = 0;
    for (size_t k = 0; k < count; k++) {
        /* The largest magnitude is 15.625: half of 15.625 / 7, and a float16's place. */
        const float error = ((const float *)(const void *)data_of(one))[k] - ((const float *)data)[k];
        large += fabsf(error) > 1.118f;
    }
    EQUAL(0, large);
    OK(hurray_options_destroy(&options));
    OK(hurray_tensor_destroy(&one));
    OK(hurray_tensor_destroy(&two));
    OK(hurray_tensor_destroy(&codes));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_descriptor_destroy(&numbers));
    OK(hurray_descriptor_destroy(&target));
}

static void empty_tensors(void) {
    const uint64_t shape[2] = {0, 8};
    const float none[1] = {0};
    HurrayTensor *tensor = floats(2, shape, none, 0), *codes = NULL, *back = NULL;
    HurrayDescriptor *targets[3] = {
        per_channel(HURRAY_TYPE_INT8, 2, shape, 1, 0),
        per_block(HURRAY_TYPE_INT4, HURRAY_LAYOUT_ROW_MAJOR, 2, shape, 0, 2, HURRAY_TYPE_FLOAT16, 0, 0),
        nf4(2, shape, 1, 8),
    };
    for (int k = 0; k < 3; k++) {
        OK(hurray_tensor_quantize(tensor, targets[k], NULL, NULL, NULL, NULL, &codes));
        OK(hurray_tensor_dequantize(codes, HURRAY_TYPE_BFLOAT16, NULL, NULL, NULL, &back));
        CHECK(holds(back, 0, "", 0));
        OK(hurray_tensor_destroy(&back));
        OK(hurray_tensor_destroy(&codes));
        OK(hurray_descriptor_destroy(&targets[k]));
    }
    OK(hurray_tensor_destroy(&tensor));
}

int main(void) {
    RUN(worked_examples);
    RUN(codes_of_other_layouts);
    RUN(scales_and_zero_points_in_one_buffer);
    RUN(numbers_of_other_types);
    RUN(stored_values_of_sparse_tensors);
    RUN(codes_of_sparse_tensors);
    RUN(codes_of_page_pools);
    RUN(parameters_that_may_not_occur);
    RUN(computed_parameters);
    RUN(given_parameters);
    RUN(what_cannot_be_quantized);
    RUN(into_a_buffer);
    RUN(threads);
    RUN(empty_tensors);
    return FINISH();
}
