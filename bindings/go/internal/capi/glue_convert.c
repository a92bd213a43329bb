#include "glue.h"

// Each gives the result in `handle` and the bytes that were written in `number[0]`. `into` may be 0.
static int32_t converted(HurrayStatus status, HurrayTensor *result, HurrayOptions *options, HgCall *call) {
    call->handle = (uintptr_t)result;
    const int32_t done = hg_done(status, call);
    hg_options_end(options, call);
    return done;
}

int32_t hg_tensor_to_layout(uintptr_t tensor, uintptr_t target, uintptr_t into, const HgOption *options, size_t count,
                            HgCall *call) {
    HurrayTensor *result = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = hurray_tensor_to_layout((const HurrayTensor *)tensor, (const HurrayDescriptor *)target,
                                         (const HurrayBuffer *)into, made, &call->number[0], &result);
    }
    return converted(status, result, made, call);
}

int32_t hg_tensor_dequantize(uintptr_t tensor, uint8_t type, uintptr_t into, const HgOption *options, size_t count,
                             HgCall *call) {
    HurrayTensor *result = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = hurray_tensor_dequantize((const HurrayTensor *)tensor, type, (const HurrayBuffer *)into, made,
                                          &call->number[0], &result);
    }
    return converted(status, result, made, call);
}

int32_t hg_tensor_unpack(uintptr_t tensor, uintptr_t into, const HgOption *options, size_t count, HgCall *call) {
    HurrayTensor *result = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = hurray_tensor_unpack((const HurrayTensor *)tensor, (const HurrayBuffer *)into, made, &call->number[0],
                                      &result);
    }
    return converted(status, result, made, call);
}

int32_t hg_tensor_pack(uintptr_t tensor, uint8_t type, uintptr_t into, const HgOption *options, size_t count,
                       HgCall *call) {
    HurrayTensor *result = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = hurray_tensor_pack((const HurrayTensor *)tensor, type, (const HurrayBuffer *)into, made,
                                    &call->number[0], &result);
    }
    return converted(status, result, made, call);
}

// `parameters` is NULL where the library computes them.
int32_t hg_tensor_quantize(uintptr_t tensor, uintptr_t target, const uintptr_t *parameters, size_t parameter_count,
                           uintptr_t into, const HgOption *options, size_t count, HgCall *call) {
    HurrayTensor *result = NULL;
    HurrayOptions *made = NULL;
    HurrayBufferList *list = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK && parameters != NULL) status = hg_list(parameters, parameter_count, &list);
    if (status == HURRAY_OK) {
        status = hurray_tensor_quantize((const HurrayTensor *)tensor, (const HurrayDescriptor *)target, list,
                                        (const HurrayBuffer *)into, made, &call->number[0], &result);
    }
    const int32_t done = converted(status, result, made, call);
    hurray_buffer_list_destroy(&list);
    return done;
}

int32_t hg_tensor_slice(uintptr_t tensor, const int64_t *start, const int64_t *stop, const int64_t *step, size_t rank,
                        const HgOption *options, size_t count, HgCall *call) {
    HurrayTensor *result = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status =
            hurray_tensor_slice((const HurrayTensor *)tensor, start, stop, step, rank, made, &call->number[0], &result);
    }
    return converted(status, result, made, call);
}

// A descriptor in `handle`.
int32_t hg_tensor_statistics(uintptr_t tensor, const HgOption *options, size_t count, HgCall *call) {
    HurrayDescriptor *descriptor = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) status = hurray_tensor_statistics((const HurrayTensor *)tensor, made, &descriptor);
    call->handle = (uintptr_t)descriptor;
    const int32_t done = hg_done(status, call);
    hg_options_end(made, call);
    return done;
}

// `lengths` may be NULL.
int32_t hg_tensor_gather(uintptr_t tensor, const uint64_t *lengths, size_t length_count, uintptr_t into,
                         const HgOption *options, size_t count, HgCall *call) {
    HurrayTensor *result = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = hurray_tensor_gather((const HurrayTensor *)tensor, lengths, length_count, (const HurrayBuffer *)into,
                                      made, &call->number[0], &result);
    }
    return converted(status, result, made, call);
}

int32_t hg_tensor_scatter(uintptr_t tensor, uintptr_t paged, const uint64_t *lengths, size_t length_count,
                          const HgOption *options, size_t count, HgCall *call) {
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = hurray_tensor_scatter((const HurrayTensor *)tensor, (const HurrayTensor *)paged, lengths, length_count,
                                       made, &call->number[0]);
    }
    return converted(status, NULL, made, call);
}

int32_t hg_tensor_check_data(uintptr_t tensor, const HgOption *options, size_t count, HgCall *call) {
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) status = hurray_tensor_check_data((const HurrayTensor *)tensor, made);
    return converted(status, NULL, made, call);
}

int32_t hg_item_assemble(uintptr_t item, uintptr_t into, const HgOption *options, size_t count, HgCall *call) {
    HurrayTensor *result = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status =
            hurray_item_assemble((const HurrayItem *)item, (const HurrayBuffer *)into, made, &call->number[0], &result);
    }
    return converted(status, result, made, call);
}

// The offset of an element, in elements, in `number[0]`.
int32_t hg_tensor_element_offset(uintptr_t tensor, const uint64_t *index, size_t length, HgCall *call) {
    return hg_done(hurray_tensor_element_offset((const HurrayTensor *)tensor, index, length, &call->number[0]), call);
}

int32_t hg_descriptor_element_offset(uintptr_t descriptor, const uint64_t *index, size_t length, HgCall *call) {
    return hg_done(
        hurray_descriptor_element_offset((const HurrayDescriptor *)descriptor, index, length, &call->number[0]), call);
}
