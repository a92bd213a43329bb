/* Layout to layout, and where elements lie. The expected bytes and offsets are those of the written format. */
#include "convert.h"

/* The worked examples of layouts.md sections 2 and 4 to 8. */
static void examples_of_offsets(void) {
    const uint64_t first[3] = {2, 3, 5}, second[3] = {2, 4, 3};
    HurrayDescriptor *rows = plain(HURRAY_TYPE_INT4, HURRAY_LAYOUT_ROW_MAJOR, 3, first);
    EQUAL(28, offset3(rows, 1, 2, 3));
    OK(hurray_descriptor_destroy(&rows));
    HurrayDescriptor *columns = plain(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_COLUMN_MAJOR, 3, second);
    EQUAL(5, offset3(columns, 1, 2, 0));
    OK(hurray_descriptor_destroy(&columns));
    const int64_t steps[3] = {-12, 3, -1};
    HurrayDescriptor *strided_one = strided(HURRAY_TYPE_FLOAT16, 3, second, steps, 28);
    EQUAL(-7, offset3(strided_one, 1, 2, 1));
    OK(hurray_descriptor_destroy(&strided_one));
    const uint64_t shape[2] = {5, 6}, tile[2] = {2, 4};
    HurrayDescriptor *tiles = tiled(HURRAY_TYPE_FLOAT32, 2, shape, tile);
    EQUAL(29, offset2(tiles, 3, 5));
    OK(hurray_descriptor_destroy(&tiles));
    const uint64_t cube[3] = {5, 3, 6}, wide[2] = {2, 8}, tall[2] = {8, 2};
    const uint64_t cube_bits[3] = {3, 3, 3}, wide_bits[2] = {1, 3}, tall_bits[2] = {3, 1};
    HurrayDescriptor *code = morton(HURRAY_TYPE_FLOAT32, 3, cube, cube_bits);
    EQUAL(340, offset3(code, 4, 2, 5));
    OK(hurray_descriptor_destroy(&code));
    code = morton(HURRAY_TYPE_FLOAT32, 2, wide, wide_bits);
    EQUAL(35, offset2(code, 1, 5));
    OK(hurray_descriptor_destroy(&code));
    code = morton(HURRAY_TYPE_FLOAT32, 2, tall, tall_bits);
    EQUAL(23, offset2(code, 7, 1));
    OK(hurray_descriptor_destroy(&code));
    const uint64_t eight[2] = {8, 8}, four[3] = {4, 4, 4};
    HurrayDescriptor *curve = hilbert(HURRAY_TYPE_FLOAT32, 2, eight, 3);
    EQUAL(52, offset2(curve, 5, 3));
    OK(hurray_descriptor_destroy(&curve));
    curve = hilbert(HURRAY_TYPE_FLOAT32, 3, four, 2);
    EQUAL(36, offset3(curve, 2, 3, 1));
    OK(hurray_descriptor_destroy(&curve));
}

static void refused_offsets(void) {
    HurrayDescriptor *dense = decoded(DENSE, sizeof DENSE), *csr = decoded(CSR, sizeof CSR);
    HurrayDescriptor *group = decoded(GROUP, sizeof GROUP);
    const uint64_t index[3] = {1, 2, 0}, outside[2] = {1, 3};
    uint64_t offset = 77;
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_element_offset(dense, index, 3, &offset));
    CHECK(test_text_has("L-013"));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_descriptor_element_offset(dense, NULL, 0, &offset));
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_descriptor_element_offset(dense, outside, 2, &offset));
    CHECK(test_text_has("L-014"));
    CHECK(test_text_has("index[1] = 3 (limit 3)"));
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_descriptor_element_offset(csr, index, 2, &offset));
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_descriptor_element_offset(group, NULL, 0, &offset));
    EQUAL(77, offset);
    OK(hurray_descriptor_destroy(&dense));
    OK(hurray_descriptor_destroy(&csr));
    OK(hurray_descriptor_destroy(&group));
}

static const int16_t SIX[6] = {1, 2, 3, 4, 5, 6};
static const uint64_t TWO_BY_THREE[2] = {2, 3};

static void rows_to_columns_and_back(void) {
    HurrayDescriptor *rows = plain(HURRAY_TYPE_INT16, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_BY_THREE);
    HurrayDescriptor *columns = plain(HURRAY_TYPE_INT16, HURRAY_LAYOUT_COLUMN_MAJOR, 2, TWO_BY_THREE);
    HurrayTensor *tensor = tensor_over(rows, SIX, sizeof SIX), *made = NULL, *back = NULL;
    uint64_t bytes = 77, index[2] = {0, 2}, offset = 0;
    OK(hurray_tensor_to_layout(tensor, columns, NULL, NULL, &bytes, &made));
    EQUAL(12, bytes);
    const int16_t want[6] = {1, 4, 2, 5, 3, 6};
    CHECK(memcmp(want, data_of(made), sizeof want) == 0);
    EQUAL(0, (uintptr_t)data_of(made) % 64);
    OK(hurray_tensor_element_offset(made, index, 2, &offset));
    EQUAL(4, offset);
    OK(hurray_tensor_to_layout(made, NULL, NULL, NULL, NULL, &back));
    CHECK(memcmp(SIX, data_of(back), sizeof SIX) == 0);
    OK(hurray_tensor_destroy(&back));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_descriptor_destroy(&rows));
    OK(hurray_descriptor_destroy(&columns));
}

static void shares_and_copies(void) {
    HurrayDescriptor *rows = plain(HURRAY_TYPE_INT16, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_BY_THREE);
    HurrayDescriptor *columns = plain(HURRAY_TYPE_INT16, HURRAY_LAYOUT_COLUMN_MAJOR, 2, TWO_BY_THREE);
    const int64_t steps[2] = {3, 1};
    HurrayDescriptor *steps_of_rows = strided(HURRAY_TYPE_INT16, 2, TWO_BY_THREE, steps, 0);
    HurrayTensor *tensor = tensor_over(rows, SIX, sizeof SIX), *made = NULL;
    HurrayOptions *options = NULL;
    uint64_t bytes = 77;
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 1));
    OK(hurray_tensor_to_layout(tensor, NULL, NULL, options, &bytes, &made));
    EQUAL(0, bytes);
    CHECK(data_of(tensor) == data_of(made));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_tensor_to_layout(tensor, steps_of_rows, NULL, options, &bytes, &made));
    EQUAL(0, bytes);
    CHECK(data_of(tensor) == data_of(made));
    uint8_t tag = 0;
    HurrayDescriptor *of = NULL;
    OK(hurray_tensor_descriptor(made, &of));
    OK(hurray_descriptor_layout_tag(of, &tag));
    EQUAL(HURRAY_LAYOUT_STRIDED, tag);
    OK(hurray_tensor_destroy(&made));
    STATUS(HURRAY_ERR_COPY_REQUIRED, hurray_tensor_to_layout(tensor, columns, NULL, options, &bytes, &made));
    CHECK(made == NULL);
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 2));
    OK(hurray_tensor_to_layout(tensor, NULL, NULL, options, &bytes, &made));
    EQUAL(12, bytes);
    CHECK(data_of(tensor) != data_of(made));
    CHECK(memcmp(SIX, data_of(made), sizeof SIX) == 0);
    OK(hurray_tensor_destroy(&made));
    OK(hurray_options_cancel(options));
    STATUS(HURRAY_ERR_CANCELLED, hurray_tensor_to_layout(tensor, columns, NULL, options, &bytes, &made));
    OK(hurray_options_destroy(&options));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_descriptor_destroy(&rows));
    OK(hurray_descriptor_destroy(&columns));
    OK(hurray_descriptor_destroy(&steps_of_rows));
}

static void into_a_buffer(void) {
    HurrayDescriptor *rows = plain(HURRAY_TYPE_INT16, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_BY_THREE);
    HurrayDescriptor *columns = plain(HURRAY_TYPE_INT16, HURRAY_LAYOUT_COLUMN_MAJOR, 2, TWO_BY_THREE);
    HurrayTensor *tensor = tensor_over(rows, SIX, sizeof SIX), *made = NULL;
    HurrayBuffer *room = NULL, *small = NULL, *locked = NULL, *same = NULL;
    int released = 0;
    uint64_t bytes = 0;
    memset(sample_memory + 4096, 0xA5, 64);
    OK(hurray_buffer_from_ptr(sample_memory + 4096, 64, 64, 0, 0, 0, count_release, &released, &room));
    OK(hurray_buffer_from_ptr(sample_memory + 4096, 11, 64, 0, 0, 0, NULL, NULL, &small));
    OK(hurray_buffer_from_ptr(sample_memory + 4096, 64, 64, 0, 0, 0, NULL, NULL, &locked));
    OK(hurray_buffer_set_flags(locked, HURRAY_BUFFER_READ_ONLY));
    OK(hurray_buffer_from_ptr(sample_memory, 64, 64, 0, 0, 0, NULL, NULL, &same));
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_tensor_to_layout(tensor, columns, small, NULL, &bytes, &made));
    CHECK(test_text_has("smaller than the result: into = 11 (needs 12)"));
    /* An array that is too short is an answer: no text, and the earlier one is not taken for its own. */
    size_t rank = 1;
    uint64_t extent = 0;
    HurrayStatus of = HURRAY_OK;
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_descriptor_shape(columns, &extent, &rank));
    OK(hurray_last_error_info(&of, NULL, NULL));
    CHECK(of != HURRAY_ERR_BUFFER_TOO_SMALL);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_to_layout(tensor, columns, locked, NULL, &bytes, &made));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_to_layout(tensor, columns, same, NULL, &bytes, &made));
    CHECK(test_text_has("overlaps"));
    CHECK(test_is_untouched(sample_memory + 4096, sample_memory + 4096 + 64));
    OK(hurray_buffer_set_lead(room, 6));
    OK(hurray_tensor_to_layout(tensor, columns, room, NULL, &bytes, &made));
    EQUAL(12, bytes);
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_buffer_destroy(&room));
    EQUAL(0, released);
    const int16_t want[6] = {1, 4, 2, 5, 3, 6};
    CHECK(memcmp(want, sample_memory + 4096 + 6, sizeof want) == 0);
    CHECK(test_is_untouched(sample_memory + 4096, sample_memory + 4096 + 6));
    CHECK(test_is_untouched(sample_memory + 4096 + 18, sample_memory + 4096 + 64));
    CHECK(data_of(made) == sample_memory + 4096 + 6);
    OK(hurray_tensor_destroy(&made));
    EQUAL(1, released);
    OK(hurray_buffer_destroy(&small));
    OK(hurray_buffer_destroy(&locked));
    OK(hurray_buffer_destroy(&same));
    OK(hurray_descriptor_destroy(&rows));
    OK(hurray_descriptor_destroy(&columns));
}

static void targets_that_do_not_fit(void) {
    HurrayDescriptor *rows = plain(HURRAY_TYPE_INT16, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_BY_THREE);
    HurrayTensor *tensor = tensor_over(rows, SIX, sizeof SIX), *made = NULL;
    const uint64_t other_shape[2] = {3, 2};
    HurrayDescriptor *other = plain(HURRAY_TYPE_INT16, HURRAY_LAYOUT_ROW_MAJOR, 2, other_shape);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_to_layout(tensor, other, NULL, NULL, NULL, &made));
    CHECK(test_text_has("shape"));
    OK(hurray_descriptor_destroy(&other));
    other = plain(HURRAY_TYPE_UINT16, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_BY_THREE);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_to_layout(tensor, other, NULL, NULL, NULL, &made));
    CHECK(test_text_has("element_type"));
    OK(hurray_descriptor_destroy(&other));
    const int64_t onto_one[2] = {0, 1};
    other = strided(HURRAY_TYPE_INT16, 2, TWO_BY_THREE, onto_one, 0);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_to_layout(tensor, other, NULL, NULL, NULL, &made));
    CHECK(test_text_has("strides"));
    OK(hurray_descriptor_destroy(&other));
    CHECK(made == NULL);
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_descriptor_destroy(&rows));
}

/* [2, 3], every second column from the last one on, both rows: a share with strides 3, -2, at the third element. */
static void parts(void) {
    HurrayDescriptor *rows = plain(HURRAY_TYPE_INT16, HURRAY_LAYOUT_ROW_MAJOR, 2, TWO_BY_THREE), *of = NULL;
    HurrayTensor *tensor = tensor_over(rows, SIX, sizeof SIX), *made = NULL;
    const int64_t start[2] = {0, 2}, stop[2] = {2, -1}, step[2] = {1, -2};
    uint64_t bytes = 77;
    OK(hurray_tensor_slice(tensor, start, stop, step, 2, NULL, &bytes, &made));
    EQUAL(0, bytes);
    CHECK(data_of(made) == data_of(tensor) + 4);
    int64_t strides[2] = {0, 0};
    uint64_t shape[2] = {0, 0};
    size_t len = 2;
    OK(hurray_tensor_descriptor(made, &of));
    OK(hurray_descriptor_shape(of, shape, &len));
    EQUAL(2, shape[0]);
    EQUAL(2, shape[1]);
    OK(hurray_descriptor_field_i64_array(of, HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0, strides, &len));
    EQUAL(3, strides[0]);
    EQUAL(-2, strides[1]);
    OK(hurray_tensor_destroy(&made));
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 2));
    OK(hurray_tensor_slice(tensor, start, stop, step, 2, options, &bytes, &made));
    EQUAL(8, bytes);
    const int16_t want[4] = {3, 1, 6, 4};
    CHECK(memcmp(want, data_of(made), sizeof want) == 0);
    OK(hurray_tensor_destroy(&made));
    OK(hurray_options_destroy(&options));
    const int64_t outside[2] = {2, 4}, nowhere[2] = {1, 0};
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_tensor_slice(tensor, start, outside, NULL, 2, NULL, NULL, &made));
    CHECK(test_text_has("stop[1] = 4 (limit 3)"));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_slice(tensor, start, stop, nowhere, 2, NULL, NULL, &made));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_slice(tensor, start, stop, NULL, 1, NULL, NULL, &made));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_descriptor_destroy(&rows));
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, deviation 2, the textbook's example; and zeros beside stored values. */
static void statistics(void) {
    const float eight[8] = {2, 4, 4, 4, 5, 5, 7, 9};
    const uint64_t shape[2] = {2, 4};
    const uint32_t fields[7] = {HURRAY_STATS_FIELD_SPARSITY_RATIO,
                                HURRAY_STATS_FIELD_MIN,
                                HURRAY_STATS_FIELD_MAX,
                                HURRAY_STATS_FIELD_ABS_MAX,
                                HURRAY_STATS_FIELD_MEAN,
                                HURRAY_STATS_FIELD_STDDEV,
                                0};
    const double want[6] = {0, 2, 9, 9, 5, 2};
    HurrayDescriptor *columns = plain(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_COLUMN_MAJOR, 2, shape), *found = NULL;
    HurrayTensor *tensor = tensor_over(columns, eight, sizeof eight);
    uint64_t nnz = 0, size = 0;
    uint8_t layout = 0;
    OK(hurray_tensor_statistics(tensor, NULL, &found));
    OK(hurray_descriptor_field_u64(found, HURRAY_STATS_FIELD_NNZ, 0, &nnz));
    EQUAL(8, nnz);
    for (size_t k = 0; k < 6; k++) {
        double value = -1;
        OK(hurray_descriptor_field_f64(found, fields[k], 0, &value));
        CHECK(value == want[k]);
    }
    OK(hurray_descriptor_layout_tag(found, &layout));
    EQUAL(HURRAY_LAYOUT_COLUMN_MAJOR, layout);
    OK(hurray_descriptor_field_u64(found, HURRAY_BUFFER_FIELD_BYTE_SIZE, 0, &size));
    EQUAL(32, size);
    OK(hurray_descriptor_destroy(&found));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_descriptor_destroy(&columns));
}

int main(void) {
    RUN(examples_of_offsets);
    RUN(refused_offsets);
    RUN(rows_to_columns_and_back);
    RUN(shares_and_copies);
    RUN(into_a_buffer);
    RUN(targets_that_do_not_fit);
    RUN(parts);
    RUN(statistics);
    return FINISH();
}
