/* Composites put together: the examples of layouts.md section 13. */
#include "parts.h"

static HurrayDescriptor *head(uint8_t type, size_t rank, const uint64_t *shape, uint64_t rule, uint64_t op,
                              uint64_t members) {
    HurrayDescriptorBuilder *builder = begun(type, HURRAY_LAYOUT_COMPOSITE, rank, shape);
    HurrayDescriptor *descriptor = NULL;
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_COMPOSITE_RULE, 0, rule));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, 0, op));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, 0, members));
    OK(hurray_descriptor_builder_finish(builder, &descriptor));
    OK(hurray_descriptor_builder_destroy(&builder));
    return descriptor;
}

/* A builder's descriptor as a member: a box of a parent of rank 2, with a role if `role` is not negative. */
static HurrayItem *member(HurrayDescriptorBuilder *builder, const uint64_t parent[2], uint64_t row, uint64_t column,
                          int role, size_t count, const Bytes *parts) {
    const uint64_t offset[2] = {row, column};
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_SHARD_FIELD_PARENT_SHAPE, 0, parent, 2));
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_SHARD_FIELD_OFFSET, 0, offset, 2));
    if (role >= 0) OK(hurray_descriptor_builder_set_u64(builder, HURRAY_MEMBER_FIELD_ROLE, 0, (uint64_t)role));
    HurrayDescriptor *descriptor = finished(builder);
    HurrayTensor *tensor = tensor_of(descriptor, count, parts);
    HurrayItem *item = NULL;
    OK(hurray_item_from_tensor(tensor, &item));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_descriptor_destroy(&descriptor));
    return item;
}

static HurrayItem *composite(HurrayDescriptor *of, size_t count, HurrayItem **members) {
    const HurrayItem *all[4] = {NULL, NULL, NULL, NULL};
    HurrayItem *item = NULL;
    for (size_t k = 0; k < count; k++) all[k] = members[k];
    OK(hurray_item_composite_new(of, all, count, &item));
    for (size_t k = 0; k < count; k++) OK(hurray_item_destroy(&members[k]));
    OK(hurray_descriptor_destroy(&of));
    return item;
}

static const uint64_t SIX[2] = {6, 6}, FOUR[2] = {4, 4};

static HurrayDescriptorBuilder *coo_begun(const uint64_t shape[2], uint64_t nnz) {
    HurrayDescriptorBuilder *builder = begun(HURRAY_TYPE_UINT16, HURRAY_LAYOUT_COO, 2, shape);
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_COO_NNZ, 0, nnz));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_COO_IS_SORTED, 0, 0));
    return builder;
}

/* Hilbert [4,4], tiled [4,2], Morton [2,4] and COO [2,2] tile [6,6]; each element of a member is its offset, and more.
 */
static HurrayItem *partition(void) {
    static const uint64_t tall[2] = {4, 2}, wide[2] = {2, 4}, small[2] = {2, 2}, bits[2] = {1, 2};
    static const uint64_t at[4] = {1, 1, 0, 0};
    static const uint16_t stored[2] = {3011, 3000};
    uint16_t numbers[3][16];
    for (uint16_t m = 0; m < 3; m++)
        for (uint16_t k = 0; k < 16; k++) numbers[m][k] = (uint16_t)(1000 * m + k);
    HurrayItem *members[4];
    HurrayDescriptorBuilder *builder = begun(HURRAY_TYPE_UINT16, HURRAY_LAYOUT_HILBERT, 2, FOUR);
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_HILBERT_ORDER, 0, 2));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_HILBERT_RANK, 0, 2));
    const Bytes hilbert_part[1] = {{numbers[0], 32}}, tiled_part[1] = {{numbers[1], 16}};
    const Bytes morton_part[1] = {{numbers[2], 24}}, coo_parts[2] = {BYTES(stored), BYTES(at)};
    members[0] = member(builder, SIX, 0, 0, -1, 1, hilbert_part);
    builder = begun(HURRAY_TYPE_UINT16, HURRAY_LAYOUT_TILED, 2, tall);
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, 0, small, 2));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, 0, 1));
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, 0, 1));
    members[1] = member(builder, SIX, 0, 4, -1, 1, tiled_part);
    builder = begun(HURRAY_TYPE_UINT16, HURRAY_LAYOUT_MORTON, 2, wide);
    OK(hurray_descriptor_builder_set_u64_array(builder, HURRAY_LAYOUT_FIELD_MORTON_BITS, 0, bits, 2));
    members[2] = member(builder, SIX, 4, 0, -1, 1, morton_part);
    members[3] = member(coo_begun(small, 2), SIX, 4, 4, -1, 2, coo_parts);
    return composite(head(HURRAY_TYPE_UINT16, 2, SIX, HURRAY_RULE_PARTITION, HURRAY_OP_NONE, 4), 4, members);
}

static void a_partition_is_joined(void) {
    HurrayItem *item = partition();
    HurrayTensor *whole = NULL;
    uint64_t bytes = 0;
    OK(hurray_item_assemble(item, NULL, NULL, &bytes, &whole));
    EQUAL(72, bytes);
    const uint16_t *found = (const uint16_t *)part_of(whole, 0);
    EQUAL(9, found[2 * 6 + 3]);
    EQUAL(1007, found[3 * 6 + 5]);
    EQUAL(2003, found[5 * 6 + 1]);
    EQUAL(3000, found[4 * 6 + 4]);
    EQUAL(0, found[4 * 6 + 5]);
    EQUAL(0, found[5 * 6 + 4]);
    EQUAL(3011, found[5 * 6 + 5]);
    HurrayTensor *again = NULL;
    HurrayBuffer *room = cpu_buffer(72, NULL);
    memset(sample_memory, 0xA5, 128); /* what a sparse member leaves out is 0 there too */
    OK(hurray_item_assemble(item, room, NULL, NULL, &again));
    CHECK(memcmp(found, sample_memory, 72) == 0);
    CHECK(test_is_untouched(sample_memory + 72, sample_memory + 128));
    OK(hurray_tensor_destroy(&again));
    OK(hurray_buffer_destroy(&room));
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 1));
    STATUS(HURRAY_ERR_COPY_REQUIRED, hurray_item_assemble(item, NULL, options, NULL, &again));
    OK(hurray_options_destroy(&options));
    OK(hurray_tensor_destroy(&whole));
    OK(hurray_item_destroy(&item));
}

/* Base 1000..1015, A 2000..2005 at [0,1], B 3000..3005 column-major at [1,1]; then a sparse one that stores [3,3]
 * alone. */
static HurrayItem *overlay(uint64_t op, int has_sparse) {
    static const uint64_t a_shape[2] = {2, 3}, b_shape[2] = {3, 2}, c_shape[2] = {4, 4}, at[2] = {3, 3};
    static const uint16_t stored[1] = {7};
    uint16_t base[16], a[6], b[6];
    for (uint16_t k = 0; k < 16; k++) base[k] = (uint16_t)(1000 + k);
    for (uint16_t k = 0; k < 6; k++) a[k] = (uint16_t)(2000 + k), b[k] = (uint16_t)(3000 + k);
    const Bytes parts[3] = {BYTES(base), BYTES(a), BYTES(b)}, sparse_parts[2] = {BYTES(stored), BYTES(at)};
    HurrayItem *members[4];
    members[0] = member(begun(HURRAY_TYPE_UINT16, HURRAY_LAYOUT_ROW_MAJOR, 2, FOUR), FOUR, 0, 0, 1, 1, parts);
    members[1] = member(begun(HURRAY_TYPE_UINT16, HURRAY_LAYOUT_ROW_MAJOR, 2, a_shape), FOUR, 0, 1, 0, 1, parts + 1);
    members[2] = member(begun(HURRAY_TYPE_UINT16, HURRAY_LAYOUT_COLUMN_MAJOR, 2, b_shape), FOUR, 1, 1, 0, 1, parts + 2);
    if (has_sparse) members[3] = member(coo_begun(c_shape, 1), FOUR, 0, 0, 0, 2, sparse_parts);
    const uint64_t count = has_sparse ? 4 : 3;
    return composite(head(HURRAY_TYPE_UINT16, 2, FOUR, HURRAY_RULE_OVERLAY, op, count), (size_t)count, members);
}

static void an_overlay_is_applied(void) {
    static const uint16_t replaced[4] = {1015, 2001, 3003, 3004}, added[4] = {1015, 3003, 6013, 4014};
    for (int op = HURRAY_OP_REPLACE; op <= HURRAY_OP_ADD; op++) {
        for (int has_sparse = 0; has_sparse < 2; has_sparse++) {
            HurrayItem *item = overlay((uint64_t)op, has_sparse);
            HurrayTensor *whole = NULL;
            OK(hurray_item_assemble(item, NULL, NULL, NULL, &whole));
            const uint16_t *found = (const uint16_t *)part_of(whole, 0);
            const uint16_t *want = op == HURRAY_OP_ADD ? added : replaced;
            EQUAL(has_sparse ? (op == HURRAY_OP_ADD ? 1022 : 7) : want[0], found[15]);
            EQUAL(want[1], found[2]);
            EQUAL(want[2], found[6]);
            EQUAL(want[3], found[10]);
            EQUAL(1000, found[0]);
            OK(hurray_tensor_destroy(&whole));
            OK(hurray_item_destroy(&item));
        }
    }
}

static void a_group_is_refused(void) {
    HurrayTensor *tensor = dense_tensor(NULL, NULL), *made = NULL;
    HurrayItem *items[2] = {NULL, NULL};
    OK(hurray_item_from_tensor(tensor, &items[0]));
    OK(hurray_item_from_tensor(tensor, &items[1]));
    HurrayItem *group = composite(decoded(GROUP, sizeof GROUP), 2, items);
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_item_assemble(group, NULL, NULL, NULL, &made));
    CHECK(test_text_has("independent tensors"));
    OK(hurray_item_destroy(&group));
    OK(hurray_tensor_destroy(&tensor));
}

static void a_malformed_member_is_named(void) {
    static const uint64_t at[4] = {0, 1, 0, 1};
    static const uint16_t stored[2] = {1, 2};
    static const uint64_t two[2] = {2, 2};
    const Bytes parts[2] = {BYTES(stored), BYTES(at)};
    HurrayItem *members[1] = {member(coo_begun(two, 2), two, 0, 0, -1, 2, parts)};
    HurrayItem *item =
        composite(head(HURRAY_TYPE_UINT16, 2, two, HURRAY_RULE_PARTITION, HURRAY_OP_NONE, 1), 1, members);
    HurrayTensor *made = NULL;
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_item_assemble(item, NULL, NULL, NULL, &made));
    CHECK(test_text_has("L-034"));
    OK(hurray_item_destroy(&item));
}

/* Codes become numbers of the head's type: int8 at a scale of 0.5 beside float32. */
static void a_quantized_member_is_dequantized(void) {
    static const uint64_t whole_shape[2] = {2, 2}, row[2] = {1, 2};
    static const int8_t codes[2] = {3, -4};
    static const float numbers[2] = {7, 8};
    const Bytes code_part[1] = {BYTES(codes)}, number_part[1] = {BYTES(numbers)};
    HurrayDescriptorBuilder *builder = begun(HURRAY_TYPE_INT8, HURRAY_LAYOUT_ROW_MAJOR, 2, row);
    OK(hurray_descriptor_builder_set_u64(builder, HURRAY_QUANT_FIELD_SCHEME, 0, HURRAY_SCHEME_PER_TENSOR_AFFINE));
    OK(hurray_descriptor_builder_set_f64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_SCALE, 0, 0.5));
    OK(hurray_descriptor_builder_set_i64(builder, HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, 1));
    HurrayItem *members[2];
    members[0] = member(builder, whole_shape, 1, 0, -1, 1, code_part);
    members[1] =
        member(begun(HURRAY_TYPE_FLOAT32, HURRAY_LAYOUT_ROW_MAJOR, 2, row), whole_shape, 0, 0, -1, 1, number_part);
    HurrayItem *item =
        composite(head(HURRAY_TYPE_FLOAT32, 2, whole_shape, HURRAY_RULE_PARTITION, HURRAY_OP_NONE, 2), 2, members);
    HurrayTensor *whole = NULL;
    OK(hurray_item_assemble(item, NULL, NULL, NULL, &whole));
    const float want[4] = {7, 8, 1, -2.5f};
    CHECK(part_is(whole, 0, want, sizeof want));
    OK(hurray_tensor_destroy(&whole));
    OK(hurray_item_destroy(&item));
}

int main(void) {
    RUN(a_partition_is_joined);
    RUN(an_overlay_is_applied);
    RUN(a_group_is_refused);
    RUN(a_malformed_member_is_named);
    RUN(a_quantized_member_is_dequantized);
    return FINISH();
}
