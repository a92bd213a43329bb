/* Descriptors and items as JSON, read field by field. */

#include "adapter.h"

#include <string.h>

typedef HurrayDescriptorField Field;

static const HurrayDescriptor *shown;

/* Whether the descriptor carries a field; sections hidden behind an unknown layout are not carried. */
static bool carried(HurrayStatus status) {
    if (status == HURRAY_ERR_FIELD_NOT_PRESENT || status == HURRAY_ERR_UNSUPPORTED) return false;
    check(status);
    return true;
}

static bool has(Field field, uint32_t level, uint64_t *value) {
    return carried(hurray_descriptor_field_u64(shown, field, level, value));
}

static uint64_t u64(Field field, uint32_t level) {
    uint64_t value;

    check(hurray_descriptor_field_u64(shown, field, level, &value));
    return value;
}

static void put_u32(const char *key, Field field, uint32_t level) {
    uint64_t value;

    if (has(field, level, &value)) {
        put_key(key);
        put_number((int64_t)value);
    }
}

static void put_u64(const char *key, Field field, uint32_t level) {
    uint64_t value;

    if (has(field, level, &value)) {
        put_key(key);
        put_wide(value);
    }
}

static void put_bool(const char *key, Field field) {
    uint64_t value;

    if (has(field, 0, &value)) {
        put_key(key);
        put_truth(value != 0);
    }
}

static void put_f64(const char *key, Field field) {
    double value;

    if (carried(hurray_descriptor_field_f64(shown, field, 0, &value))) {
        put_key(key);
        put_real(value);
    }
}

static void put_named(const char *key, uint32_t space, Field field, uint32_t level) {
    put_key(key);
    put_tag(space, u64(field, level));
}

void put_tag(uint32_t space, uint64_t tag) {
    const char *name;

    if (hurray_tag_name(space, (uint32_t)tag, &name) == HURRAY_OK) put_string(name, strlen(name));
    else put_number((int64_t)tag);
}

static void put_u64s(const char *key, const uint64_t *values, size_t count, bool wide) {
    put_key(key);
    put_text("[");
    for (size_t k = 0; k < count; k++) {
        put_comma();
        if (wide) put_wide(values[k]);
        else put_number((int64_t)values[k]);
    }
    put_text("]");
}

static void put_array(const char *key, Field field, uint32_t level, bool wide) {
    uint64_t values[64];
    size_t count = COUNT(values);

    check(hurray_descriptor_field_u64_array(shown, field, level, values, &count));
    put_u64s(key, values, count, wide);
}

static void put_strides(const char *key, Field field, uint32_t level) {
    int64_t values[64];
    size_t count = COUNT(values);

    if (!carried(hurray_descriptor_field_i64_array(shown, field, level, values, &count))) return;
    put_key(key);
    put_text("[");
    for (size_t k = 0; k < count; k++) {
        put_comma();
        put_wide_signed(values[k]);
    }
    put_text("]");
}

static void put_opaque(const char *key, Field field) {
    size_t size = 0;
    HurrayStatus status = hurray_descriptor_field_bytes(shown, field, 0, NULL, &size);
    uint8_t *bytes = scratch(size + 1);

    if (status == HURRAY_ERR_BUFFER_TOO_SMALL) status = hurray_descriptor_field_bytes(shown, field, 0, bytes, &size);
    check(status);
    put_key(key);
    put_hex(bytes, size);
}

static void put_layout(void) {
    uint8_t tag;

    check(hurray_descriptor_layout_tag(shown, &tag));
    put_key("layout");
    put_text("{");
    put_key("tag");
    put_tag(HURRAY_SPACE_LAYOUT, tag);
    switch (tag) {
    case HURRAY_LAYOUT_ROW_MAJOR:
    case HURRAY_LAYOUT_COLUMN_MAJOR:
        break;
    case HURRAY_LAYOUT_STRIDED:
        put_strides("strides", HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0);
        break;
    case HURRAY_LAYOUT_TILED:
        put_key("levels");
        put_text("[");
        for (uint32_t level = 0; level < u64(HURRAY_LAYOUT_FIELD_TILED_DEPTH, 0); level++) {
            put_comma();
            put_text("{");
            put_array("tile_shape", HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, level, true);
            put_named("outer", HURRAY_SPACE_LAYOUT, HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, level);
            put_named("inner", HURRAY_SPACE_LAYOUT, HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, level);
            put_strides("outer_strides", HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES, level);
            put_strides("inner_strides", HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES, level);
            put_text("}");
        }
        put_text("]");
        break;
    case HURRAY_LAYOUT_MORTON:
        put_array("bits", HURRAY_LAYOUT_FIELD_MORTON_BITS, 0, false);
        break;
    case HURRAY_LAYOUT_COO:
        put_u64("nnz", HURRAY_LAYOUT_FIELD_COO_NNZ, 0);
        put_bool("is_sorted", HURRAY_LAYOUT_FIELD_COO_IS_SORTED);
        break;
    case HURRAY_LAYOUT_CSR:
        put_u64("nnz", HURRAY_LAYOUT_FIELD_CSR_NNZ, 0);
        break;
    case HURRAY_LAYOUT_CSC:
        put_u64("nnz", HURRAY_LAYOUT_FIELD_CSC_NNZ, 0);
        break;
    case HURRAY_LAYOUT_CSF:
        put_u64("nnz", HURRAY_LAYOUT_FIELD_CSF_NNZ, 0);
        put_array("mode_order", HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER, 0, false);
        break;
    case HURRAY_LAYOUT_BLOCK_PAGED:
        put_u32("page_size", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, 0);
        put_u64("num_pages", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, 0);
        put_u32("paged_axis", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, 0);
        put_u32("num_seqs", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, 0);
        put_named("kv_role", HURRAY_SPACE_KV_ROLE, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, 0);
        put_u32("layer_index", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, 0);
        put_key("block_table_index_type");
        put_text(u64(HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE, 0) == 0 ? "\"uint32\"" : "\"uint64\"");
        break;
    case HURRAY_LAYOUT_COMPOSITE:
        put_named("rule", HURRAY_SPACE_COMPOSITION_RULE, HURRAY_LAYOUT_FIELD_COMPOSITE_RULE, 0);
        put_named("combine_op", HURRAY_SPACE_COMBINE_OP, HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, 0);
        put_u32("member_count", HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, 0);
        break;
    case HURRAY_LAYOUT_HILBERT:
        put_u32("order", HURRAY_LAYOUT_FIELD_HILBERT_ORDER, 0);
        put_u32("rank", HURRAY_LAYOUT_FIELD_HILBERT_RANK, 0);
        break;
    default:
        if (tag >= 0xF0) {
            put_u64("layout_id", HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID, 0);
            put_opaque("data", HURRAY_LAYOUT_FIELD_PRIVATE_DATA);
        } else {
            put_opaque("unknown_data", HURRAY_LAYOUT_FIELD_UNKNOWN_DATA);
        }
    }
    put_text("}");
}

static void put_quantization(void) {
    uint64_t scheme;
    int64_t zero_point;

    if (!has(HURRAY_QUANT_FIELD_SCHEME, 0, &scheme)) return;
    put_key("quantization");
    put_text("{");
    put_named("scheme", HURRAY_SPACE_SCHEME, HURRAY_QUANT_FIELD_SCHEME, 0);
    switch (scheme) {
    case HURRAY_SCHEME_PER_TENSOR_AFFINE:
        put_f64("scale", HURRAY_QUANT_FIELD_PER_TENSOR_SCALE);
        check(hurray_descriptor_field_i64(shown, HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0, &zero_point));
        put_key("zero_point");
        put_number(zero_point);
        break;
    case HURRAY_SCHEME_PER_CHANNEL_AFFINE:
        put_u32("axis", HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 0);
        put_u32("scale_buffer", HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER, 0);
        put_u32("zero_point_buffer", HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER, 0);
        put_named("scale_type", HURRAY_SPACE_ELEMENT_TYPE, HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE, 0);
        break;
    case HURRAY_SCHEME_PER_BLOCK_AFFINE:
        put_u32("axis", HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, 0);
        put_u32("block_size", HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE, 0);
        put_u32("scale_buffer", HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER, 0);
        put_u32("zero_point_buffer", HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER, 0);
        put_named("scale_type", HURRAY_SPACE_ELEMENT_TYPE, HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE, 0);
        break;
    case HURRAY_SCHEME_NF4:
        put_u32("axis", HURRAY_QUANT_FIELD_NF4_AXIS, 0);
        put_u32("block_size", HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE, 0);
        put_u32("scale_buffer", HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER, 0);
        break;
    case HURRAY_SCHEME_MXFP:
        put_u32("axis", HURRAY_QUANT_FIELD_MXFP_AXIS, 0);
        put_u32("block_size", HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE, 0);
        put_u32("scale_buffer", HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER, 0);
        break;
    default:
        put_u32("version", HURRAY_QUANT_FIELD_SCHEME_VERSION, 0);
        put_u32("flags", HURRAY_QUANT_FIELD_FLAGS, 0);
        put_opaque("unknown_data", HURRAY_QUANT_FIELD_UNKNOWN_DATA);
    }
    put_text("}");
}

void put_statistics(const HurrayDescriptor *descriptor) {
    shown = descriptor;
    put_key("statistics");
    put_text("{");
    put_u64("nnz", HURRAY_STATS_FIELD_NNZ, 0);
    put_f64("sparsity_ratio", HURRAY_STATS_FIELD_SPARSITY_RATIO);
    put_f64("min", HURRAY_STATS_FIELD_MIN);
    put_f64("max", HURRAY_STATS_FIELD_MAX);
    put_f64("abs_max", HURRAY_STATS_FIELD_ABS_MAX);
    put_f64("mean", HURRAY_STATS_FIELD_MEAN);
    put_f64("stddev", HURRAY_STATS_FIELD_STDDEV);
    put_u32("nm_n", HURRAY_STATS_FIELD_NM_N, 0);
    put_u32("nm_m", HURRAY_STATS_FIELD_NM_M, 0);
    put_bool("has_nan", HURRAY_STATS_FIELD_HAS_NAN);
    put_bool("has_inf", HURRAY_STATS_FIELD_HAS_INF);
    put_text("}");
}

static void put_sections(void) {
    uint64_t value;
    size_t count = 0;
    HurrayStatus status = hurray_descriptor_field_u64_array(shown, HURRAY_SHARD_FIELD_PARENT_SHAPE, 0, NULL, &count);

    if (status == HURRAY_ERR_BUFFER_TOO_SMALL || carried(status)) {
        put_key("shard");
        put_text("{");
        put_array("parent_shape", HURRAY_SHARD_FIELD_PARENT_SHAPE, 0, true);
        put_array("offset", HURRAY_SHARD_FIELD_OFFSET, 0, true);
        put_text("}");
    }
    if (has(HURRAY_STATS_FIELD_COMPUTED_MASK, 0, &value)) put_statistics(shown);
    if (has(HURRAY_EXT_TYPE_FIELD_BIT_WIDTH, 0, &value)) {
        put_key("extension_type");
        put_text("{");
        put_u32("bit_width", HURRAY_EXT_TYPE_FIELD_BIT_WIDTH, 0);
        put_u32("packing_factor", HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR, 0);
        put_bool("is_float", HURRAY_EXT_TYPE_FIELD_IS_FLOAT);
        put_bool("is_signed", HURRAY_EXT_TYPE_FIELD_IS_SIGNED);
        put_u32("sign_bits", HURRAY_EXT_TYPE_FIELD_SIGN_BITS, 0);
        put_u32("exponent_bits", HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS, 0);
        put_u32("mantissa_bits", HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS, 0);
        put_u32("exponent_bias", HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS, 0);
        put_bool("has_nan", HURRAY_EXT_TYPE_FIELD_HAS_NAN);
        put_bool("has_inf", HURRAY_EXT_TYPE_FIELD_HAS_INF);
        put_text("}");
    }
    if (has(HURRAY_MEMBER_FIELD_ROLE, 0, &value))
        put_named("member_role", HURRAY_SPACE_MEMBER_ROLE, HURRAY_MEMBER_FIELD_ROLE, 0);
}

static void put_buffers(void) {
    uint32_t count;

    check(hurray_descriptor_buffer_count(shown, &count));
    put_key("buffers");
    put_text("[");
    for (uint32_t index = 0; index < count; index++) {
        const char *role = "unknown";

        put_comma();
        put_text("{");
        put_u64("byte_size", HURRAY_BUFFER_FIELD_BYTE_SIZE, index);
        put_u32("alignment", HURRAY_BUFFER_FIELD_ALIGNMENT, index);
        put_named("device", HURRAY_SPACE_DEVICE, HURRAY_BUFFER_FIELD_DEVICE_TAG, index);
        put_named("sync_mode", HURRAY_SPACE_SYNC_MODE, HURRAY_BUFFER_FIELD_SYNC_MODE, index);
        put_named("memory_class", HURRAY_SPACE_MEMORY_CLASS, HURRAY_BUFFER_FIELD_MEMORY_CLASS, index);
        (void)hurray_tag_name(HURRAY_SPACE_BUFFER_ROLE, (uint32_t)u64(HURRAY_BUFFER_FIELD_ROLE, index), &role);
        put_key("role");
        put_string(role, strlen(role));
        put_u32("role_level", HURRAY_BUFFER_FIELD_ROLE_LEVEL, index);
        put_text("}");
    }
    put_text("]");
}

void put_descriptor(const HurrayDescriptor *descriptor) {
    uint64_t shape[64], offset;
    size_t rank = COUNT(shape);
    uint8_t type;

    shown = descriptor;
    check(hurray_descriptor_shape(descriptor, shape, &rank));
    check(hurray_descriptor_byte_offset(descriptor, &offset));
    check(hurray_descriptor_element_type_tag(descriptor, &type));
    put_text("{");
    put_key("version");
    put_text("[");
    put_number((int64_t)u64(HURRAY_HEADER_FIELD_VERSION_MAJOR, 0));
    put_text(",");
    put_number((int64_t)u64(HURRAY_HEADER_FIELD_VERSION_MINOR, 0));
    put_text("]");
    put_key("dtype");
    put_tag(HURRAY_SPACE_ELEMENT_TYPE, type);
    put_u64s("shape", shape, rank, true);
    put_key("byte_offset");
    put_wide(offset);
    put_u64("element_count", HURRAY_HEADER_FIELD_ELEMENT_COUNT, 0);
    put_u32("encoded_length", HURRAY_HEADER_FIELD_ENCODED_LENGTH, 0);
    put_layout();
    put_buffers();
    put_quantization();
    put_sections();
    put_text("}");
}

static void put_buffer(const HurrayBufferList *list, uint64_t index) {
    HurrayBuffer *buffer;
    uint64_t size;
    uint32_t lead;
    void *data;

    check(hurray_buffer_list_get(list, index, &buffer));
    check(hurray_buffer_byte_size(buffer, &size));
    check(hurray_buffer_lead(buffer, &lead));
    check(hurray_buffer_host_ptr(buffer, &data));
    put_hex(lead == 0 ? data : (uint8_t *)data + lead, (size_t)size - lead);
}

void put_tensor(const HurrayTensor *tensor) {
    HurrayDescriptor *descriptor;
    HurrayBufferList *list;
    uint64_t count;

    check(hurray_tensor_descriptor(tensor, &descriptor));
    check(hurray_tensor_buffers(tensor, &list));
    check(hurray_buffer_list_len(list, &count));
    put_text("{");
    put_key("tensor");
    put_descriptor(descriptor);
    put_key("data");
    put_text("[");
    for (uint64_t k = 0; k < count; k++) {
        put_comma();
        put_buffer(list, k);
    }
    put_text("]}");
}

/* A descriptor, and the bytes that came with it. */
static void put_alone(const HurrayItem *item, const HurrayDescriptor *head) {
    HurrayTensor *tensor;
    HurrayBufferList *list;

    put_text("{");
    put_key("descriptor");
    put_descriptor(head);
    HurrayStatus status = hurray_item_data(item, &tensor);
    if (status != HURRAY_ERR_FIELD_NOT_APPLICABLE) {
        check(status);
        KEEP(tensor, tensor);
        check(hurray_tensor_buffers(tensor, &list));
        put_key("data");
        put_buffer(list, 0);
    }
    put_text("}");
}

void put_item(const HurrayItem *item) {
    uint32_t kind;
    uint64_t count;
    HurrayDescriptor *head;
    HurrayTensor *tensor;

    check(hurray_item_kind(item, &kind));
    if (kind == HURRAY_ITEM_TENSOR) {
        check(hurray_item_tensor(item, &tensor));
        KEEP(tensor, tensor);
        put_tensor(tensor);
        return;
    }
    check(hurray_item_head(item, &head));
    if (kind == HURRAY_ITEM_DESCRIPTOR) {
        put_alone(item, head);
        return;
    }
    check(hurray_item_member_count(item, &count));
    put_text("{");
    put_key("composite");
    put_descriptor(head);
    put_key("members");
    put_text("[");
    for (uint64_t k = 0; k < count; k++) {
        HurrayItem *member;

        check(hurray_item_member(item, k, &member));
        put_comma();
        put_item(member);
    }
    put_text("]}");
}
