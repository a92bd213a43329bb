/* A package that brings its own library: makes tensors, reads and ends tensors of others. */
#include "hurray.h"

const void *plugin_library(void);
HurrayTensor *plugin_make(void *memory);
int plugin_take(HurrayTensor *tensor);

/* Which copy this package calls. */
const void *plugin_library(void) {
    static HurrayStatus (*const function)(uint64_t *) = hurray_live_handles;
    return *(void *const *)(const void *)&function;
}

HurrayTensor *plugin_make(void *memory) {
    const uint64_t shape[1] = {4};
    HurrayTensor *tensor = 0;
    hurray_tensor_from_array(HURRAY_TYPE_UINT8, shape, 1, 0, memory, 0, 0, 0, 0, 0, 0, 0, &tensor);
    return tensor;
}

int plugin_take(HurrayTensor *tensor) {
    void *data = 0;
    uint64_t shape[1], live = 9;
    int64_t strides[1];
    size_t rank = 1;
    uint32_t flags = 0, version = 0;
    int value = -1;
    if (hurray_tensor_abi_version(tensor, &version) || version != HURRAY_C_ABI_VERSION) return -1;
    if (hurray_tensor_array_view(tensor, &data, shape, strides, &rank, &flags) == HURRAY_OK) {
        value = ((unsigned char *)data)[2];
    }
    if (hurray_tensor_destroy(&tensor) || hurray_live_handles(&live) || live != 0) return -1;
    return value;
}
