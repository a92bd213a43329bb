/* C's own arrays as tensors, and tensors as arrays. */

#include "adapter.h"

#include <stdlib.h>

static void released(void *owner) { free(owner); }

void use_array(const Json *request) {
    uint8_t type = tag_of(HURRAY_SPACE_ELEMENT_TYPE, json_need(request, "dtype"));
    size_t rank, size, view_rank = 64;
    uint64_t *shape = json_u64s(json_need(request, "shape"), &rank), view_shape[64];
    uint8_t *bytes = json_bytes(json_need(request, "data"), &size), *array = malloc(size + 1);
    int64_t strides[64];
    uint32_t flags;
    void *view;
    HurrayTensor *tensor;
    HurrayStatus status;

    if (array == NULL) fault("no memory");
    for (size_t k = 0; k < size; k++) array[k] = bytes[k];
    status = hurray_tensor_from_array(type, shape, rank, NULL, array, HURRAY_DEVICE_CPU, HURRAY_MEMORY_STANDARD, 0, 0,
                                      NULL, array, released, &tensor);
    if (status != HURRAY_OK) free(array);
    check(status);
    KEEP(tensor, tensor);
    check(hurray_tensor_array_view(tensor, &view, view_shape, strides, &view_rank, &flags));
    put_key("item");
    put_tensor(tensor);
    put_key("values");
    if ((flags & HURRAY_VIEW_ROW_MAJOR) == 0) fault("the view is not row-major");
    put_hex(view, size);
    put_key("shared");
    put_truth(size == 0 || view == (void *)array);
}
