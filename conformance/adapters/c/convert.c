/* Conversions. */

#include "adapter.h"

static HurrayTensor *sliced(const HurrayTensor *tensor, const Json *request) {
    const Json *steps = json_get(request, "steps");
    size_t rank, count;
    int64_t *starts = json_i64s(json_need(request, "starts"), &rank),
            *stops = json_i64s(json_need(request, "stops"), &count),
            *step = steps == NULL ? NULL : json_i64s(steps, &count);
    HurrayOptions *options;
    HurrayTensor *part, *made;

    check(hurray_tensor_slice(tensor, starts, stops, step, rank, NULL, NULL, &part));
    KEEP(part, tensor);
    check(hurray_options_new(&options));
    KEEP(options, options);
    check(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 2));
    check(hurray_tensor_to_layout(part, NULL, NULL, options, NULL, &made));
    return made;
}

static HurrayTensor *quantized(const HurrayTensor *tensor, const Json *request) {
    const Json *parameters = json_get(request, "parameters");
    HurrayDescriptor *target = make_target(json_need(request, "target"));
    HurrayBufferList *list = NULL;
    HurrayTensor *made;

    if (parameters != NULL) {
        check(hurray_buffer_list_new(json_count(parameters), &list));
        KEEP(list, buffer_list);
        for (const Json *one = parameters->child; one != NULL; one = one->next) {
            size_t size;
            uint8_t *bytes = json_bytes(one, &size);
            HurrayBuffer *buffer = copy_bytes(bytes, size);

            check(hurray_buffer_list_push(list, buffer));
            forget(buffer);
        }
    }
    check(hurray_tensor_quantize(tensor, target, list, NULL, NULL, NULL, &made));
    return made;
}

static uint64_t *lengths(const Json *request, size_t *out_count) {
    const Json *given = json_get(request, "seq_lengths");

    *out_count = 0;
    return given == NULL ? NULL : json_u64s(given, out_count);
}

static void tell(const Json *how, const HurrayTensor *tensor, const Json *request) {
    size_t count;

    if (json_is(how, "offset")) {
        uint64_t *index = json_u64s(json_need(request, "index"), &count), offset;

        check(hurray_tensor_element_offset(tensor, index, count, &offset));
        put_key("offset");
        put_wide_signed((int64_t)offset);
    } else if (json_is(how, "statistics")) {
        HurrayDescriptor *found;

        check(hurray_tensor_statistics(tensor, NULL, &found));
        KEEP(found, descriptor);
        put_statistics(found);
    } else if (json_is(how, "scatter")) {
        HurrayTensor *paged = make_tensor(json_need(request, "paged"));
        uint64_t *given = lengths(request, &count);

        check(hurray_tensor_scatter(tensor, paged, given, count, NULL, NULL));
        put_key("item");
        put_tensor(paged);
    } else if (json_is(how, "check")) {
        check(hurray_tensor_check_data(tensor, NULL));
    } else {
        fault("no such conversion");
    }
}

static HurrayTensor *converted(const Json *how, const HurrayTensor *tensor, const Json *request) {
    const Json *dtype = json_get(request, "dtype");
    uint8_t type = dtype == NULL ? 0 : tag_of(HURRAY_SPACE_ELEMENT_TYPE, dtype);
    HurrayTensor *made = NULL;
    size_t count;

    if (json_is(how, "row_major")) check(hurray_tensor_to_layout(tensor, NULL, NULL, NULL, NULL, &made));
    else if (json_is(how, "layout"))
        check(hurray_tensor_to_layout(tensor, make_target(json_need(request, "target")), NULL, NULL, NULL, &made));
    else if (json_is(how, "dequantize")) check(hurray_tensor_dequantize(tensor, type, NULL, NULL, NULL, &made));
    else if (json_is(how, "unpack")) check(hurray_tensor_unpack(tensor, NULL, NULL, NULL, &made));
    else if (json_is(how, "pack")) check(hurray_tensor_pack(tensor, type, NULL, NULL, NULL, &made));
    else if (json_is(how, "quantize")) made = quantized(tensor, request);
    else if (json_is(how, "slice")) made = sliced(tensor, request);
    else if (json_is(how, "gather")) {
        uint64_t *given = lengths(request, &count);

        check(hurray_tensor_gather(tensor, given, count, NULL, NULL, NULL, &made));
    }
    return made;
}

void convert(const Json *request) {
    const Json *how = json_need(request, "how"), *item = json_need(request, "item");
    HurrayTensor *tensor = NULL, *made;

    if (json_is(how, "assemble")) {
        check(hurray_item_assemble(make_item(item), NULL, NULL, NULL, &made));
    } else {
        tensor = make_tensor(item);
        made = converted(how, tensor, request);
    }
    if (made == NULL) {
        tell(how, tensor, request);
        return;
    }
    KEEP(made, tensor);
    put_key("item");
    put_tensor(made);
}
