/* Tensors and composites of the fields that a request gives. */

#include "adapter.h"

#include <string.h>

typedef HurrayDescriptorField Field;

static HurrayDescriptorBuilder *made;

uint8_t tag_of(uint32_t space, const Json *value) {
    const char *name;

    if (value->kind == JSON_NUMBER) return (uint8_t)value->number;
    for (uint32_t tag = 0; tag < 256; tag++)
        if (hurray_tag_name(space, tag, &name) == HURRAY_OK && json_is(value, name)) return (uint8_t)tag;
    fault("no such tag");
}

/* Each sets a field if the request has the key. */

static void set_u64(const Json *from, const char *key, Field field, uint32_t level) {
    const Json *value = json_get(from, key);

    if (value != NULL)
        check(hurray_descriptor_builder_set_u64(made, field, level,
                                                value->kind == JSON_BOOL ? value->truth : json_u64(value)));
}

static void set_tag(const Json *from, const char *key, uint32_t space, Field field, uint32_t level) {
    const Json *value = json_get(from, key);

    if (value != NULL) check(hurray_descriptor_builder_set_u64(made, field, level, tag_of(space, value)));
}

static void set_f64(const Json *from, const char *key, Field field) {
    const Json *value = json_get(from, key);

    if (value != NULL) check(hurray_descriptor_builder_set_f64(made, field, 0, json_real(value)));
}

static void set_u64s(const Json *from, const char *key, Field field, uint32_t level) {
    const Json *value = json_get(from, key);
    size_t count;

    if (value != NULL) {
        uint64_t *values = json_u64s(value, &count);

        check(hurray_descriptor_builder_set_u64_array(made, field, level, values, count));
    }
}

static void set_i64s(const Json *from, const char *key, Field field, uint32_t level) {
    const Json *value = json_get(from, key);
    size_t count;

    if (value != NULL) {
        int64_t *values = json_i64s(value, &count);

        check(hurray_descriptor_builder_set_i64_array(made, field, level, values, count));
    }
}

static void set_layout(const Json *layout) {
    const Json *type = json_get(layout, "block_table_index_type");
    uint32_t level = 0;
    const Json *data = json_get(layout, "data");

    switch (tag_of(HURRAY_SPACE_LAYOUT, json_need(layout, "tag"))) {
    case HURRAY_LAYOUT_STRIDED:
        set_i64s(layout, "strides", HURRAY_LAYOUT_FIELD_STRIDED_STRIDES, 0);
        break;
    case HURRAY_LAYOUT_TILED:
        for (const Json *one = json_need(layout, "levels")->child; one != NULL; one = one->next, level++) {
            set_u64s(one, "tile_shape", HURRAY_LAYOUT_FIELD_TILED_TILE_SHAPE, level);
            set_tag(one, "outer", HURRAY_SPACE_LAYOUT, HURRAY_LAYOUT_FIELD_TILED_OUTER_LAYOUT, level);
            set_tag(one, "inner", HURRAY_SPACE_LAYOUT, HURRAY_LAYOUT_FIELD_TILED_INNER_LAYOUT, level);
            set_i64s(one, "outer_strides", HURRAY_LAYOUT_FIELD_TILED_OUTER_STRIDES, level);
            set_i64s(one, "inner_strides", HURRAY_LAYOUT_FIELD_TILED_INNER_STRIDES, level);
        }
        break;
    case HURRAY_LAYOUT_MORTON:
        set_u64s(layout, "bits", HURRAY_LAYOUT_FIELD_MORTON_BITS, 0);
        break;
    case HURRAY_LAYOUT_COO:
        set_u64(layout, "nnz", HURRAY_LAYOUT_FIELD_COO_NNZ, 0);
        set_u64(layout, "is_sorted", HURRAY_LAYOUT_FIELD_COO_IS_SORTED, 0);
        break;
    case HURRAY_LAYOUT_CSR:
        set_u64(layout, "nnz", HURRAY_LAYOUT_FIELD_CSR_NNZ, 0);
        break;
    case HURRAY_LAYOUT_CSC:
        set_u64(layout, "nnz", HURRAY_LAYOUT_FIELD_CSC_NNZ, 0);
        break;
    case HURRAY_LAYOUT_CSF:
        set_u64(layout, "nnz", HURRAY_LAYOUT_FIELD_CSF_NNZ, 0);
        set_u64s(layout, "mode_order", HURRAY_LAYOUT_FIELD_CSF_MODE_ORDER, 0);
        break;
    case HURRAY_LAYOUT_BLOCK_PAGED:
        set_u64(layout, "page_size", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, 0);
        set_u64(layout, "num_pages", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, 0);
        set_u64(layout, "paged_axis", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, 0);
        set_u64(layout, "num_seqs", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, 0);
        set_tag(layout, "kv_role", HURRAY_SPACE_KV_ROLE, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, 0);
        set_u64(layout, "layer_index", HURRAY_LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, 0);
        check(hurray_descriptor_builder_set_u64(made, HURRAY_LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE, 0,
                                                json_is(type, "uint64")));
        break;
    case HURRAY_LAYOUT_COMPOSITE:
        set_tag(layout, "rule", HURRAY_SPACE_COMPOSITION_RULE, HURRAY_LAYOUT_FIELD_COMPOSITE_RULE, 0);
        set_tag(layout, "combine_op", HURRAY_SPACE_COMBINE_OP, HURRAY_LAYOUT_FIELD_COMPOSITE_COMBINE_OP, 0);
        set_u64(layout, "member_count", HURRAY_LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, 0);
        break;
    case HURRAY_LAYOUT_HILBERT:
        set_u64(layout, "order", HURRAY_LAYOUT_FIELD_HILBERT_ORDER, 0);
        set_u64(layout, "rank", HURRAY_LAYOUT_FIELD_HILBERT_RANK, 0);
        break;
    default:
        set_u64(layout, "layout_id", HURRAY_LAYOUT_FIELD_PRIVATE_LAYOUT_ID, 0);
        if (data != NULL) {
            size_t size;
            uint8_t *bytes = json_bytes(data, &size);

            check(hurray_descriptor_builder_set_bytes(made, HURRAY_LAYOUT_FIELD_PRIVATE_DATA, 0, bytes, size));
        }
    }
}

static void set_quantization(const Json *q) {
    uint8_t scheme = tag_of(HURRAY_SPACE_SCHEME, json_need(q, "scheme"));
    /* The fields of each scheme with parameter buffers, in the order of the keys below. */
    static const Field per_channel[] = {HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 0,
                                        HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_BUFFER,
                                        HURRAY_QUANT_FIELD_PER_CHANNEL_ZERO_POINT_BUFFER,
                                        HURRAY_QUANT_FIELD_PER_CHANNEL_SCALE_TYPE},
                       per_block[] = {HURRAY_QUANT_FIELD_PER_BLOCK_AXIS, HURRAY_QUANT_FIELD_PER_BLOCK_BLOCK_SIZE,
                                      HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_BUFFER,
                                      HURRAY_QUANT_FIELD_PER_BLOCK_ZERO_POINT_BUFFER,
                                      HURRAY_QUANT_FIELD_PER_BLOCK_SCALE_TYPE},
                       nf4[] = {HURRAY_QUANT_FIELD_NF4_AXIS, HURRAY_QUANT_FIELD_NF4_BLOCK_SIZE,
                                HURRAY_QUANT_FIELD_NF4_SCALE_BUFFER, 0, 0},
                       mxfp[] = {HURRAY_QUANT_FIELD_MXFP_AXIS, HURRAY_QUANT_FIELD_MXFP_BLOCK_SIZE,
                                 HURRAY_QUANT_FIELD_MXFP_SCALE_BUFFER, 0, 0};
    const Field *fields = scheme == HURRAY_SCHEME_PER_CHANNEL_AFFINE ? per_channel
                          : scheme == HURRAY_SCHEME_PER_BLOCK_AFFINE ? per_block
                          : scheme == HURRAY_SCHEME_NF4              ? nf4
                                                                     : mxfp;

    check(hurray_descriptor_builder_set_u64(made, HURRAY_QUANT_FIELD_SCHEME, 0, scheme));
    if (scheme == HURRAY_SCHEME_PER_TENSOR_AFFINE) {
        set_f64(q, "scale", HURRAY_QUANT_FIELD_PER_TENSOR_SCALE);
        check(hurray_descriptor_builder_set_i64(made, HURRAY_QUANT_FIELD_PER_TENSOR_ZERO_POINT, 0,
                                                json_i64(json_need(q, "zero_point"))));
        return;
    }
    set_u64(q, "axis", fields[0], 0);
    set_u64(q, "block_size", fields[1], 0);
    set_u64(q, "scale_buffer", fields[2], 0);
    set_u64(q, "zero_point_buffer", fields[3], 0);
    set_tag(q, "scale_type", HURRAY_SPACE_ELEMENT_TYPE, fields[4], 0);
}

static void set_sections(const Json *fields) {
    const Json *shard = json_get(fields, "shard"), *s = json_get(fields, "statistics"),
               *e = json_get(fields, "extension_type");

    if (shard != NULL) {
        set_u64s(shard, "parent_shape", HURRAY_SHARD_FIELD_PARENT_SHAPE, 0);
        set_u64s(shard, "offset", HURRAY_SHARD_FIELD_OFFSET, 0);
    }
    if (s != NULL) {
        set_u64(s, "nnz", HURRAY_STATS_FIELD_NNZ, 0);
        set_f64(s, "sparsity_ratio", HURRAY_STATS_FIELD_SPARSITY_RATIO);
        set_f64(s, "min", HURRAY_STATS_FIELD_MIN);
        set_f64(s, "max", HURRAY_STATS_FIELD_MAX);
        set_f64(s, "abs_max", HURRAY_STATS_FIELD_ABS_MAX);
        set_f64(s, "mean", HURRAY_STATS_FIELD_MEAN);
        set_f64(s, "stddev", HURRAY_STATS_FIELD_STDDEV);
        set_u64(s, "nm_n", HURRAY_STATS_FIELD_NM_N, 0);
        set_u64(s, "nm_m", HURRAY_STATS_FIELD_NM_M, 0);
        set_u64(s, "has_nan", HURRAY_STATS_FIELD_HAS_NAN, 0);
        set_u64(s, "has_inf", HURRAY_STATS_FIELD_HAS_INF, 0);
    }
    if (e != NULL) {
        set_u64(e, "bit_width", HURRAY_EXT_TYPE_FIELD_BIT_WIDTH, 0);
        set_u64(e, "packing_factor", HURRAY_EXT_TYPE_FIELD_PACKING_FACTOR, 0);
        set_u64(e, "is_float", HURRAY_EXT_TYPE_FIELD_IS_FLOAT, 0);
        set_u64(e, "is_signed", HURRAY_EXT_TYPE_FIELD_IS_SIGNED, 0);
        set_u64(e, "sign_bits", HURRAY_EXT_TYPE_FIELD_SIGN_BITS, 0);
        set_u64(e, "exponent_bits", HURRAY_EXT_TYPE_FIELD_EXPONENT_BITS, 0);
        set_u64(e, "mantissa_bits", HURRAY_EXT_TYPE_FIELD_MANTISSA_BITS, 0);
        set_u64(e, "exponent_bias", HURRAY_EXT_TYPE_FIELD_EXPONENT_BIAS, 0);
        set_u64(e, "has_nan", HURRAY_EXT_TYPE_FIELD_HAS_NAN, 0);
        set_u64(e, "has_inf", HURRAY_EXT_TYPE_FIELD_HAS_INF, 0);
    }
    set_tag(fields, "member_role", HURRAY_SPACE_MEMBER_ROLE, HURRAY_MEMBER_FIELD_ROLE, 0);
}

static void begin(const Json *fields) {
    const Json *layout = json_need(fields, "layout"), *offset = json_need(fields, "byte_offset");
    size_t rank;
    uint64_t *shape = json_u64s(json_need(fields, "shape"), &rank);

    check(hurray_descriptor_builder_new(tag_of(HURRAY_SPACE_ELEMENT_TYPE, json_need(fields, "dtype")),
                                        tag_of(HURRAY_SPACE_LAYOUT, json_need(layout, "tag")), shape, rank, &made));
    KEEP(made, descriptor_builder);
    if (json_u64(offset) != 0) set_u64(fields, "byte_offset", HURRAY_HEADER_FIELD_BYTE_OFFSET, 0);
    set_layout(layout);
    if (json_get(fields, "quantization") != NULL) set_quantization(json_get(fields, "quantization"));
}

static HurrayDescriptor *finish(const Json *fields) {
    HurrayDescriptor *descriptor;

    set_sections(fields);
    check(hurray_descriptor_builder_finish(made, &descriptor));
    KEEP(descriptor, descriptor);
    return descriptor;
}

HurrayDescriptor *make_descriptor(const Json *fields, const uint64_t *sizes, size_t count) {
    begin(fields);
    for (size_t k = 0; k < count; k++)
        check(hurray_descriptor_builder_push_buffer(made, sizes[k], 64, HURRAY_DEVICE_CPU, HURRAY_SYNC_PRODUCER_SYNCED,
                                                    HURRAY_MEMORY_STANDARD));
    return finish(fields);
}

HurrayDescriptor *make_target(const Json *fields) {
    begin(fields);
    check(hurray_descriptor_builder_push_default_buffers(made));
    return finish(fields);
}

HurrayBuffer *copy_bytes(const void *bytes, size_t size) {
    HurrayBuffer *buffer;
    void *data;

    check(hurray_buffer_alloc(size, 64, &buffer));
    KEEP(buffer, buffer);
    check(hurray_buffer_host_ptr(buffer, &data));
    if (size > 0) memcpy(data, bytes, size);
    return buffer;
}

/* A list of copies, and their sizes if they are asked for. */
static HurrayBufferList *make_buffers(const Json *data, uint64_t *sizes) {
    HurrayBufferList *list;
    size_t k = 0;

    check(hurray_buffer_list_new(json_count(data), &list));
    KEEP(list, buffer_list);
    for (const Json *one = data->child; one != NULL; one = one->next) {
        size_t size;
        uint8_t *bytes = json_bytes(one, &size);
        HurrayBuffer *buffer = copy_bytes(bytes, size);

        check(hurray_buffer_list_push(list, buffer));
        forget(buffer);
        if (sizes != NULL) sizes[k++] = size;
    }
    return list;
}

static HurrayTensor *join(const HurrayDescriptor *descriptor, HurrayBufferList *list) {
    HurrayTensor *tensor;

    check(hurray_tensor_from_descriptor(descriptor, list, NULL, NULL, &tensor));
    forget(list);
    KEEP(tensor, tensor);
    return tensor;
}

HurrayTensor *make_tensor(const Json *item) {
    const Json *data = json_need(item, "data");
    size_t count = json_count(data);
    uint64_t *sizes = scratch(count * sizeof *sizes + 1);
    HurrayBufferList *list = make_buffers(data, sizes);

    return join(make_descriptor(json_need(item, "tensor"), sizes, count), list);
}

void bind_tensor(const Json *request) {
    size_t size;
    uint8_t *bytes = json_bytes(json_need(request, "descriptor"), &size);
    HurrayDescriptor *descriptor;

    check(hurray_descriptor_decode(bytes, size, &descriptor));
    KEEP(descriptor, descriptor);
    put_key("item");
    put_tensor(join(descriptor, make_buffers(json_need(request, "buffers"), NULL)));
}

HurrayItem *make_item(const Json *item) {
    const Json *members = json_get(item, "members");
    HurrayItem *made_item;
    const HurrayItem **found;
    size_t count = 0;

    if (members == NULL) {
        check(hurray_item_from_tensor(make_tensor(item), &made_item));
        KEEP(made_item, item);
        return made_item;
    }
    found = scratch(json_count(members) * sizeof(void *) + 1);
    for (const Json *one = members->child; one != NULL; one = one->next) found[count++] = make_item(one);
    check(hurray_item_composite_new(make_descriptor(json_need(item, "composite"), NULL, 0), found, count, &made_item));
    KEEP(made_item, item);
    return made_item;
}
