/* Block-paged caches: gathered to dense, scattered back. The cache is the example of layouts.md section 12. */
#include "parts.h"

static const uint64_t SHAPE[3] = {11, 2, 2};
static const uint32_t BLOCKS[5] = {4, 1, 0, 4, 2}, STARTS[3] = {0, 3, 5};
static const uint64_t LENGTHS[2] = {5, 6};

static HurrayDescriptor *cache(const uint64_t shape[3], uint64_t page_size, uint64_t pages, uint64_t sequences) {
    HurrayDescriptorBuilder *builder = begun(HURRAY_TYPE_FLOAT16, HURRAY_LAYOUT_BLOCK_PAGED, 3, shape);
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, 0, page_size));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, 0, pages));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, 0, 0));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, 0, sequences));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, 0, 0));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, 0, UINT32_MAX));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE, 0, 0));
    HurrayDescriptor *descriptor = NULL;
    OK(hurray_descriptor_builder_push_buffer(builder, pages * page_size * shape[1] * shape[2] * 2, 64, 0, 0, 0));
    OK(hurray_descriptor_builder_push_buffer(builder, sizeof BLOCKS, 64, 0, 0, 0));
    OK(hurray_descriptor_builder_push_buffer(builder, (sequences + 1) * 4, 64, 0, 0, 0));
    OK(hurray_descriptor_builder_finish(builder, &descriptor));
    OK(hurray_descriptor_builder_destroy(&builder));
    return descriptor;
}

/* The example's tensor: element e of the pool holds e. */
static HurrayTensor *example(const uint32_t blocks[5], const uint32_t starts[3]) {
    uint16_t pool[60];
    for (uint16_t e = 0; e < 60; e++) pool[e] = e;
    const Bytes parts[3] = {BYTES(pool), {blocks, 20}, {starts, 12}};
    HurrayDescriptor *of = cache(SHAPE, 3, 5, 2);
    HurrayTensor *tensor = tensor_of(of, 3, parts);
    OK(hurray_descriptor_destroy(&of));
    return tensor;
}

static void gathered_and_scattered(void) {
    static const uint16_t slots[11] = {12, 13, 14, 3, 4, 12, 13, 14, 6, 7, 8};
    HurrayTensor *paged = example(BLOCKS, STARTS), *dense = NULL, *other = example(BLOCKS, STARTS);
    uint64_t bytes = 0, at = 0;
    OK(hurray_tensor_check_data(paged, NULL));
    OK(hurray_tensor_gather(paged, LENGTHS, 2, NULL, NULL, &bytes, &dense));
    EQUAL(88, bytes);
    uint16_t *found = (uint16_t *)part_of(dense, 0);
    for (uint16_t k = 0; k < 44; k++) EQUAL(slots[k / 4] * 4 + k % 4, found[k]);
    /* Scattered into another pool: what no token fills stays. */
    uint16_t *pool = (uint16_t *)part_of(other, 0);
    memset(pool, 0xEE, 120);
    OK(hurray_tensor_scatter(dense, other, LENGTHS, 2, NULL, &bytes));
    EQUAL(88, bytes);
    for (uint16_t e = 0; e < 60; e++) {
        int filled = 0;
        for (int k = 0; k < 11; k++) filled |= slots[k] == e / 4;
        EQUAL(filled ? e : 0xEEEE, pool[e]);
    }
    const uint64_t first[4] = {0, 4, 1, 0}, second[4] = {1, 0, 0, 0}, beyond[4] = {0, 9, 0, 0};
    OK(hurray_tensor_element_offset(paged, first, 4, &at));
    EQUAL(18, at);
    OK(hurray_tensor_element_offset(paged, second, 4, &at));
    EQUAL(48, at);
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_tensor_element_offset(paged, beyond, 4, &at));
    CHECK(test_text_has("L-041"));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_element_offset(paged, first, 3, &at));
    OK(hurray_tensor_destroy(&dense));
    OK(hurray_tensor_destroy(&paged));
    OK(hurray_tensor_destroy(&other));
}

static void lengths_that_do_not_fit(void) {
    HurrayTensor *paged = example(BLOCKS, STARTS), *made = NULL;
    const uint64_t short_sum[2] = {5, 5}, too_long[2] = {1, 10};
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_gather(paged, NULL, 0, NULL, NULL, NULL, &made));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_gather(paged, LENGTHS, 1, NULL, NULL, NULL, &made));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_gather(paged, short_sum, 2, NULL, NULL, NULL, &made));
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_tensor_gather(paged, too_long, 2, NULL, NULL, NULL, &made));
    CHECK(test_text_has("L-041") && test_text_has("sequence_lengths[1]"));
    OK(hurray_tensor_destroy(&paged));
    HurrayTensor *dense = dense_tensor(NULL, NULL);
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_gather(dense, NULL, 0, NULL, NULL, NULL, &made));
    OK(hurray_tensor_destroy(&dense));
}

static void malformed_tables(void) {
    static const uint32_t beyond[5] = {4, 5, 0, 4, 2}, last[3] = {0, 3, 6}, back[3] = {0, 3, 2};
    HurrayTensor *made = NULL, *broken[3] = {example(beyond, STARTS), example(BLOCKS, last), example(BLOCKS, back)};
    const char *places[3] = {"block_table[1]", "seq_ptr[2]", "seq_ptr[2]"};
    for (int k = 0; k < 3; k++) {
        STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_check_data(broken[k], NULL));
        CHECK(test_text_has("L-039") && test_text_has(places[k]));
        STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_tensor_gather(broken[k], LENGTHS, 2, NULL, NULL, NULL, &made));
        CHECK(test_text_has("L-039") && test_text_has(places[k]));
        OK(hurray_tensor_destroy(&broken[k]));
    }
}

/* LMCache #4798: with one head, or as many heads as a page has tokens, tokens and heads are not mistaken for each
 * other. */
static void b89_one_head_or_as_many_as_tokens(void) {
    for (uint64_t heads = 1; heads <= 3; heads += 2) {
        const uint64_t shape[3] = {6, heads, 2}, lengths[2] = {3, 3};
        static const uint32_t blocks[5] = {1, 0, 0, 0, 0}, starts[3] = {0, 1, 2};
        uint16_t pool[36];
        for (uint16_t e = 0; e < 36; e++) pool[e] = e;
        const size_t page = 3 * heads * 2;
        const Bytes parts[3] = {{pool, 2 * page * 2}, {blocks, 20}, {starts, 12}};
        HurrayDescriptor *of = cache(shape, 3, 2, 2);
        HurrayTensor *paged = tensor_of(of, 3, parts), *dense = NULL;
        OK(hurray_tensor_gather(paged, lengths, 2, NULL, NULL, NULL, &dense));
        const uint16_t *found = (const uint16_t *)part_of(dense, 0);
        for (size_t k = 0; k < 2 * page; k++) EQUAL((k + page) % (2 * page), found[k]);
        OK(hurray_tensor_destroy(&dense));
        OK(hurray_tensor_destroy(&paged));
        OK(hurray_descriptor_destroy(&of));
    }
}

static void pools_that_may_not_be_written(void) {
    HurrayTensor *paged = example(BLOCKS, STARTS), *dense = NULL, *locked = NULL;
    HurrayBufferList *list = NULL, *shares = NULL;
    HurrayDescriptor *of = NULL;
    OK(hurray_tensor_gather(paged, LENGTHS, 2, NULL, NULL, NULL, &dense));
    OK(hurray_tensor_buffers(paged, &list));
    OK(hurray_buffer_list_new(3, &shares));
    for (uint64_t k = 0; k < 3; k++) {
        HurrayBuffer *buffer = NULL, *share = NULL;
        OK(hurray_buffer_list_get(list, k, &buffer));
        OK(hurray_buffer_share(buffer, &share));
        OK(hurray_buffer_set_flags(share, HURRAY_BUFFER_READ_ONLY));
        OK(hurray_buffer_list_push(shares, share));
    }
    OK(hurray_tensor_descriptor(paged, &of));
    OK(hurray_tensor_from_descriptor(of, shares, NULL, NULL, &locked));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_scatter(dense, locked, LENGTHS, 2, NULL, NULL));
    CHECK(test_text_has("read-only"));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_tensor_scatter(dense, dense, LENGTHS, 2, NULL, NULL));
    OK(hurray_tensor_destroy(&dense));
    OK(hurray_tensor_destroy(&locked));
    OK(hurray_tensor_destroy(&paged));
}

int main(void) {
    RUN(gathered_and_scattered);
    RUN(lengths_that_do_not_fit);
    RUN(malformed_tables);
    RUN(b89_one_head_or_as_many_as_tokens);
    RUN(pools_that_may_not_be_written);
    return FINISH();
}
