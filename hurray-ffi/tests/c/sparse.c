/* Sparse tensors: to dense and to one another, their elements, their contents. The bytes are those of the written
 * format. */
#include "parts.h"

#include <pthread.h>

static const uint64_t FOUR_BY_SIX[2] = {4, 6};
static const float CSR_VALUES[8] = {1, 4, 8, 6, 3, 2, 7, 5};
static const uint64_t COLUMNS[8] = {2, 3, 1, 3, 4, 4, 0, 1}, ROW_PTR[5] = {0, 2, 5, 6, 8};
static const float CSC_VALUES[8] = {7, 8, 5, 1, 4, 6, 3, 2};
static const uint64_t ROWS[8] = {3, 1, 3, 0, 0, 1, 1, 2}, COL_PTR[7] = {0, 1, 3, 4, 6, 8, 8};
static const float ALL[24] = {0, 0, 1, 4, 0, 0, 0, 8, 0, 6, 3, 0, 0, 0, 0, 0, 2, 0, 7, 5, 0, 0, 0, 0};

/* The CSR example of layouts.md section 10, with other indices. */
static HurrayTensor *csr_of(const uint64_t columns[8], const uint64_t row_ptr[5]) {
    const Bytes parts[3] = {BYTES(CSR_VALUES), {columns, 64}, {row_ptr, 40}};
    HurrayDescriptor *of = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSR, 2, FOUR_BY_SIX, 8, 0);
    HurrayTensor *tensor = tensor_of(of, 3, parts);
    OK(hurray_descriptor_destroy(&of));
    return tensor;
}

static void one_matrix_in_every_layout(void) {
    HurrayTensor *csr = csr_of(COLUMNS, ROW_PTR), *csc = NULL, *again = NULL, *dense = NULL, *coo = NULL;
    HurrayDescriptor *to_csc = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSC, 2, FOUR_BY_SIX, 0, 0);
    HurrayDescriptor *to_csr = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSR, 2, FOUR_BY_SIX, 0, 0);
    HurrayDescriptor *to_coo = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_COO, 2, FOUR_BY_SIX, 0, 1);
    HurrayDescriptor *columns = plain(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_COLUMN_MAJOR, 2, FOUR_BY_SIX);
    uint64_t bytes = 0;
    OK(hurray_tensor_to_layout(csr, to_csc, NULL, NULL, &bytes, &csc));
    EQUAL(32 + 64 + 56, bytes);
    CHECK(part_is(csc, 0, CSC_VALUES, sizeof CSC_VALUES));
    CHECK(part_is(csc, 1, ROWS, sizeof ROWS));
    CHECK(part_is(csc, 2, COL_PTR, sizeof COL_PTR));
    OK(hurray_tensor_to_layout(csc, to_csr, NULL, NULL, NULL, &again));
    CHECK(part_is(again, 0, CSR_VALUES, sizeof CSR_VALUES));
    CHECK(part_is(again, 1, COLUMNS, sizeof COLUMNS));
    CHECK(part_is(again, 2, ROW_PTR, sizeof ROW_PTR));
    OK(hurray_tensor_destroy(&again));
    OK(hurray_tensor_to_layout(csr, to_csr, NULL, NULL, &bytes, &again)); /* as it is */
    EQUAL(0, bytes);
    CHECK(part_of(csr, 0) == part_of(again, 0));
    OK(hurray_tensor_destroy(&again));
    OK(hurray_tensor_to_layout(csc, to_coo, NULL, NULL, NULL, &coo));
    CHECK(part_is(coo, 0, CSR_VALUES, sizeof CSR_VALUES));
    const HurrayTensor *all[3] = {csr, csc, coo};
    for (int k = 0; k < 3; k++) {
        OK(hurray_tensor_check_data(all[k], NULL));
        OK(hurray_tensor_to_layout(all[k], NULL, NULL, NULL, &bytes, &dense));
        EQUAL(sizeof ALL, bytes);
        CHECK(part_is(dense, 0, ALL, sizeof ALL));
        OK(hurray_tensor_to_layout(dense, to_csc, NULL, NULL, NULL, &again));
        CHECK(part_is(again, 1, ROWS, sizeof ROWS));
        OK(hurray_tensor_destroy(&dense));
        OK(hurray_tensor_destroy(&again));
        OK(hurray_tensor_to_layout(all[k], columns, NULL, NULL, NULL, &dense)); /* by way of rows */
        for (uint64_t i = 0; i < 4; i++)
            for (uint64_t j = 0; j < 6; j++) CHECK(((const float *)part_of(dense, 0))[j * 4 + i] == ALL[i * 6 + j]);
        OK(hurray_tensor_to_layout(dense, to_csr, NULL, NULL, NULL, &again));
        CHECK(part_is(again, 1, COLUMNS, sizeof COLUMNS));
        OK(hurray_tensor_destroy(&again));
        OK(hurray_tensor_destroy(&dense));
    }
    OK(hurray_tensor_destroy(&csr));
    OK(hurray_tensor_destroy(&csc));
    OK(hurray_tensor_destroy(&coo));
    OK(hurray_descriptor_destroy(&to_csc));
    OK(hurray_descriptor_destroy(&to_csr));
    OK(hurray_descriptor_destroy(&to_coo));
    OK(hurray_descriptor_destroy(&columns));
}

static void into_the_callers_memory(void) {
    HurrayTensor *csr = csr_of(COLUMNS, ROW_PTR), *dense = NULL;
    HurrayDescriptor *to_csc = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSC, 2, FOUR_BY_SIX, 0, 0);
    HurrayBuffer *room = cpu_buffer(128, NULL), *small = cpu_buffer(95, NULL);
    memset(sample_memory, 0xA5, sizeof sample_memory);
    STATUS(HURRAY_ERR_BUFFER_TOO_SMALL, hurray_tensor_to_layout(csr, NULL, small, NULL, NULL, &dense));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_to_layout(csr, to_csc, room, NULL, NULL, &dense));
    OK(hurray_tensor_to_layout(csr, NULL, room, NULL, NULL, &dense));
    CHECK(memcmp(ALL, sample_memory, sizeof ALL) == 0);
    CHECK(test_is_untouched(sample_memory + sizeof ALL, sample_memory + 128));
    OK(hurray_tensor_destroy(&dense));
    OK(hurray_buffer_destroy(&room));
    OK(hurray_buffer_destroy(&small));
    OK(hurray_descriptor_destroy(&to_csc));
    OK(hurray_tensor_destroy(&csr));
}

static void elements(void) {
    HurrayTensor *csr = csr_of(COLUMNS, ROW_PTR);
    const uint64_t there[2] = {1, 3}, absent[2] = {1, 2}, outside[2] = {1, 6};
    uint64_t at = 77;
    OK(hurray_tensor_element_offset(csr, there, 2, &at));
    EQUAL(3, at);
    STATUS(HURRAY_ERR_NOT_FOUND, hurray_tensor_element_offset(csr, absent, 2, &at));
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_tensor_element_offset(csr, outside, 2, &at));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_element_offset(csr, there, 1, &at));
    EQUAL(3, at);
    OK(hurray_tensor_destroy(&csr));
}

/* -0.0 and NaN have a bit set; a stored zero stays between sparse layouts. */
static void what_counts_as_stored(void) {
    const uint64_t shape[2] = {1, 4};
    const uint32_t bits[4] = {0x80000000u, 0, 0x7FC00001u, 0x3F800000u};
    HurrayDescriptor *rows = plain(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, 2, shape);
    HurrayDescriptor *to_csr = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSR, 2, shape, 0, 0);
    HurrayDescriptor *to_csc = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSC, 2, shape, 0, 0);
    HurrayTensor *dense = tensor_over(rows, bits, sizeof bits), *csr = NULL, *csc = NULL;
    OK(hurray_tensor_to_layout(dense, to_csr, NULL, NULL, NULL, &csr));
    const uint32_t kept[3] = {0x80000000u, 0x7FC00001u, 0x3F800000u};
    const uint64_t columns[3] = {0, 2, 3};
    CHECK(part_is(csr, 0, kept, sizeof kept));
    CHECK(part_is(csr, 1, columns, sizeof columns));
    memset(part_of(csr, 0), 0, 4); /* a zero that is stored */
    OK(hurray_tensor_to_layout(csr, to_csc, NULL, NULL, NULL, &csc));
    const uint32_t zero[3] = {0, 0x7FC00001u, 0x3F800000u};
    CHECK(part_is(csc, 0, zero, sizeof zero));
    OK(hurray_tensor_destroy(&dense));
    OK(hurray_tensor_destroy(&csr));
    OK(hurray_tensor_destroy(&csc));
    OK(hurray_descriptor_destroy(&rows));
    OK(hurray_descriptor_destroy(&to_csr));
    OK(hurray_descriptor_destroy(&to_csc));
}

/* Whatever reads it refuses it with this rule, and says where. */
static void refused(HurrayTensor *tensor, const char *rule, const char *place) {
    HurrayTensor *made = NULL;
    HurrayDescriptor *of = NULL;
    uint64_t shape[2] = {0, 0};
    size_t rank = 2;
    OK(hurray_tensor_descriptor(tensor, &of));
    OK(hurray_descriptor_shape(of, shape, &rank));
    HurrayDescriptor *to_csc = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSC, 2, shape, 0, 0);
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_check_data(tensor, NULL));
    CHECK(test_text_has(rule) && test_text_has(place));
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_to_layout(tensor, NULL, NULL, NULL, NULL, &made));
    CHECK(test_text_has(rule) && test_text_has(place));
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_to_layout(tensor, to_csc, NULL, NULL, NULL, &made));
    CHECK(test_text_has(rule) && test_text_has(place));
    CHECK(made == NULL);
    OK(hurray_descriptor_destroy(&to_csc));
    OK(hurray_tensor_destroy(&tensor));
}

/* scipy #8778: columns beyond the width. */
static void b79_columns_beyond_the_width(void) {
    const uint64_t shape[2] = {2, 1000}, row_ptr[3] = {0, 1, 2};
    const uint64_t bad[3] = {1001, 1000, UINT64_MAX};
    const float values[2] = {1, 2};
    HurrayDescriptor *of = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSR, 2, shape, 2, 0);
    for (int k = 0; k < 3; k++) {
        const uint64_t columns[2] = {999, bad[k]};
        const Bytes parts[3] = {BYTES(values), BYTES(columns), BYTES(row_ptr)};
        refused(tensor_of(of, 3, parts), "L-032", "col_indices[1]");
    }
    OK(hurray_descriptor_destroy(&of));
}

/* pytorch #56856: row pointers that do not rise from 0 to the number of entries. */
static void b80_row_pointers(void) {
    const uint64_t shape[2] = {2, 3}, columns[3] = {0, 1, 2};
    const uint64_t wide_shape[2] = {3, 3};
    const float values[3] = {1, 2, 3};
    const uint64_t zeros[3] = {0, 0, 0}, late[3] = {1, 2, 3};
    HurrayDescriptor *of = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSR, 2, shape, 3, 0);
    const Bytes none[3] = {BYTES(values), BYTES(columns), BYTES(zeros)};
    refused(tensor_of(of, 3, none), "L-031", "row_ptr[2]");
    const Bytes first[3] = {BYTES(values), BYTES(columns), BYTES(late)};
    refused(tensor_of(of, 3, first), "L-031", "row_ptr[0]");
    OK(hurray_descriptor_destroy(&of));
    const uint64_t back[4] = {0, 3, 1, 3};
    of = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSR, 2, wide_shape, 3, 0);
    const Bytes third[3] = {BYTES(values), BYTES(columns), BYTES(back)};
    refused(tensor_of(of, 3, third), "L-031", "row_ptr[2]");
    OK(hurray_descriptor_destroy(&of));
}

/* pytorch #60277: a coordinate that is stored twice is what the caller says. */
static void b81_duplicates(void) {
    const uint64_t shape[2] = {2, 3}, at[6] = {1, 2, 0, 0, 1, 2}, twice[3] = {0, 2, 2}, row_ptr[3] = {0, 1, 3};
    const uint64_t columns[2] = {0, 2}, pointers[3] = {0, 1, 2};
    const float values[3] = {1.5f, 4, 2.25f}, sums[2] = {4, 3.75f};
    const Bytes parts[3] = {BYTES(values), BYTES(at), {NULL, 0}};
    HurrayDescriptor *of = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_COO, 2, shape, 3, 0);
    HurrayDescriptor *to_csr = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSR, 2, shape, 0, 0);
    HurrayTensor *coo = tensor_of(of, 2, parts), *made = NULL;
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_to_layout(coo, to_csr, NULL, options, NULL, &made));
    CHECK(test_text_has("L-034"));
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_to_layout(coo, NULL, NULL, NULL, NULL, &made));
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_check_data(coo, NULL));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_DUPLICATES, 1));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_to_layout(coo, NULL, NULL, options, NULL, &made));
    OK(hurray_tensor_to_layout(coo, to_csr, NULL, options, NULL, &made));
    const float kept[3] = {4, 1.5f, 2.25f};
    CHECK(part_is(made, 0, kept, sizeof kept));
    CHECK(part_is(made, 1, twice, sizeof twice));
    CHECK(part_is(made, 2, row_ptr, sizeof row_ptr));
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_check_data(made, NULL));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_DUPLICATES, 2));
    uint64_t bytes = 0, done = 0, total = 1;
    OK(hurray_tensor_to_layout(coo, to_csr, NULL, options, &bytes, &made));
    EQUAL(sizeof sums + sizeof columns + sizeof pointers, bytes);
    OK(hurray_options_progress(options, &done, &total));
    EQUAL(total, done);
    CHECK(part_is(made, 0, sums, sizeof sums));
    CHECK(part_is(made, 1, columns, sizeof columns));
    CHECK(part_is(made, 2, pointers, sizeof pointers));
    OK(hurray_tensor_check_data(made, NULL));
    OK(hurray_tensor_destroy(&made));
    OK(hurray_tensor_to_layout(coo, NULL, NULL, options, NULL, &made));
    CHECK(((const float *)part_of(made, 0))[5] == 3.75f);
    OK(hurray_tensor_destroy(&made));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_options_set_u64(options, HURRAY_OPTION_DUPLICATES, 3));
    OK(hurray_options_destroy(&options));
    OK(hurray_tensor_destroy(&coo));
    OK(hurray_descriptor_destroy(&of));
    OK(hurray_descriptor_destroy(&to_csr));
}

/* What a code of 0 stands for decides whether a quantized tensor may leave it out. */
static void quantized(void) {
    const uint64_t shape[2] = {2, 2};
    const int8_t codes[4] = {0, 5, 0, -3};
    HurrayDescriptor *to_csr = sparse(HURRAY_TYPE_INT8, HURRAY_LAYOUT_CSR, 2, shape, 0, 0);
    for (int64_t zero_point = 0; zero_point < 2; zero_point++) {
        HurrayDescriptorBuilder *builder = begun(HURRAY_TYPE_INT8, HURRAY_LAYOUT_ROW_MAJOR, 2, shape);
        OK(hurray_descriptor_builder_set_u64(builder, HURRAY_QUANT_FIELD_SCHEME, 0, HURRAY_SCHEME_PER_TENSOR_AFFINE));
        OK(hurray_descriptor_builder_set_f64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0, 0.5));
        OK(hurray_descriptor_builder_set_i64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, zero_point));
        HurrayDescriptor *of = finished(builder);
        HurrayTensor *dense = tensor_over(of, codes, sizeof codes), *made = NULL, *back = NULL;
        if (zero_point != 0) {
            STATUS(HURRAY_ERR_UNSUPPORTED, hurray_tensor_to_layout(dense, to_csr, NULL, NULL, NULL, &made));
        } else {
            const int8_t stored[2] = {5, -3};
            OK(hurray_tensor_to_layout(dense, to_csr, NULL, NULL, NULL, &made));
            CHECK(part_is(made, 0, stored, sizeof stored));
            OK(hurray_tensor_to_layout(made, NULL, NULL, NULL, NULL, &back));
            CHECK(part_is(back, 0, codes, sizeof codes));
        }
        OK(hurray_tensor_destroy(&dense));
        OK(hurray_tensor_destroy(&made));
        OK(hurray_tensor_destroy(&back));
        OK(hurray_descriptor_destroy(&of));
    }
    OK(hurray_descriptor_destroy(&to_csr));
}

/* VERIFY holds the contents of a file's tensors to the format; a plain open does not look at them. */
static void verified_files(void) {
    const uint64_t beyond[8] = {2, 3, 1, 3, 6, 4, 0, 1};
    for (int is_bad = 0; is_bad < 2; is_bad++) {
        HurrayTensor *tensor = csr_of(is_bad ? beyond : COLUMNS, ROW_PTR);
        HurrayItem *item = NULL;
        HurrayFileWriter *writer = NULL;
        HurrayBuffer *file = NULL;
        HurrayFileReader *reader = NULL;
        HurrayOptions *options = NULL;
        OK(hurray_item_from_tensor(tensor, &item));
        OK(hurray_file_writer_to_memory(NULL, &writer));
        OK(hurray_file_writer_put(writer, "x", 1, item));
        OK(hurray_file_writer_finish(writer));
        OK(hurray_file_writer_take_buffer(writer, &file));
        OK(hurray_options_new(&options));
        OK(hurray_file_reader_open_buffer(file, options, &reader));
        OK(hurray_file_reader_destroy(&reader));
        OK(hurray_options_set_u64(options, HURRAY_OPTION_VERIFY, 1));
        STATUS(is_bad ? HURRAY_ERR_INVALID_LAYOUT : HURRAY_OK, hurray_file_reader_open_buffer(file, options, &reader));
        if (is_bad) CHECK(test_text_has("L-032") && test_text_has("col_indices[4] = 6 (limit 6), at byte 4096"));
        OK(hurray_file_reader_destroy(&reader));
        OK(hurray_options_destroy(&options));
        OK(hurray_buffer_destroy(&file));
        OK(hurray_file_writer_destroy(&writer));
        OK(hurray_item_destroy(&item));
        OK(hurray_tensor_destroy(&tensor));
    }
}

/* Words of an index buffer that another thread turns over and back. */
typedef struct {
    volatile uint64_t *words;
    size_t count;
    volatile int goes_on;
} Flip;

static void *flip(void *of) {
    Flip *at = (Flip *)of;
    while (at->goes_on) {
        for (size_t k = 0; k < at->count; k++) {
            const uint64_t was = at->words[k];
            at->words[k] = UINT64_MAX - k;
            at->words[k] = 1u << 20;
            at->words[k] = was;
        }
    }
    return NULL;
}

/* Indices and pointers change while they are read: each call ends in a result or a refusal, inside its buffers. */
static void indices_change_underneath(void) {
    HurrayTensor *csr = csr_of(COLUMNS, ROW_PTR);
    HurrayDescriptor *to_csc = sparse(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_CSC, 2, FOUR_BY_SIX, 0, 0);
    const uint64_t index[2] = {1, 3};
    for (uint64_t part = 1; part < 3; part++) {
        Flip flips = {(volatile uint64_t *)part_of(csr, part), part == 1 ? 8u : 5u, 1};
        pthread_t thread;
        EQUAL(0, pthread_create(&thread, NULL, flip, &flips));
        for (int round = 0; round < 1000; round++) {
            HurrayTensor *made = NULL;
            uint64_t at = 0;
            (void)hurray_tensor_to_layout(csr, NULL, NULL, NULL, NULL, &made);
            OK(hurray_tensor_destroy(&made));
            (void)hurray_tensor_to_layout(csr, to_csc, NULL, NULL, NULL, &made);
            OK(hurray_tensor_destroy(&made));
            if (hurray_tensor_element_offset(csr, index, 2, &at) == HURRAY_OK) CHECK(at < 8);
            (void)hurray_tensor_check_data(csr, NULL);
        }
        flips.goes_on = 0;
        EQUAL(0, pthread_join(thread, NULL));
    }
    OK(hurray_tensor_check_data(csr, NULL));
    OK(hurray_descriptor_destroy(&to_csc));
    OK(hurray_tensor_destroy(&csr));
}

int main(void) {
    RUN(one_matrix_in_every_layout);
    RUN(into_the_callers_memory);
    RUN(elements);
    RUN(what_counts_as_stored);
    RUN(b79_columns_beyond_the_width);
    RUN(b80_row_pointers);
    RUN(b81_duplicates);
    RUN(quantized);
    RUN(verified_files);
    RUN(indices_change_underneath);
    return FINISH();
}
