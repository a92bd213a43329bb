/* A consumer and producer of tensors that knows nothing of the package: the header, Node-API and the type tag. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <node_api.h>

#include <hurray.h>
#include <stdlib.h>
#include <sys/mman.h>

static const napi_type_tag TAG = {0x6875727261792e74, 0x656e736f72000001};

static void finalize(napi_env env, void *data, void *hint) {
    (void)env, (void)hint;
    hurray_tensor_destroy(data);
    free(data);
}

static napi_value fail(napi_env env, const char *text) {
    napi_throw_error(env, NULL, text);
    return NULL;
}

/* Takes an external's tensor, adds its float32 elements, and lets it go. */
static napi_value sum(napi_env env, napi_callback_info info) {
    napi_value external, result;
    size_t count = 1;
    bool tagged = false;
    HurrayTensor **slot = NULL;
    napi_get_cb_info(env, info, &count, &external, NULL, NULL);
    if (napi_check_object_type_tag(env, external, &TAG, &tagged) != napi_ok || !tagged) return fail(env, "no tensor");
    napi_get_value_external(env, external, (void **)&slot);
    if (!*slot) return fail(env, "consumed");
    uint32_t version = 0;
    if (hurray_tensor_abi_version(*slot, &version) || version != HURRAY_C_ABI_VERSION) return fail(env, "version");
    HurrayTensor *tensor = *slot;
    *slot = NULL;
    void *data = NULL;
    uint64_t shape[64];
    int64_t strides[64];
    size_t rank = 64;
    uint32_t flags = 0;
    double total = 0;
    if (!hurray_tensor_array_view(tensor, &data, shape, strides, &rank, &flags) && (flags & HURRAY_VIEW_ROW_MAJOR)) {
        uint64_t elements = 1;
        for (size_t k = 0; k < rank; k++) elements *= shape[k];
        for (uint64_t k = 0; k < elements; k++) total += ((const float *)data)[k];
    }
    hurray_tensor_destroy(&tensor);
    napi_create_double(env, total, &result);
    return result;
}

static void released(void *owner) { free(owner); }

/* Makes a tensor of its own, [0, 1, 2, 3], in an external. */
static napi_value make(napi_env env, napi_callback_info info) {
    (void)info;
    float *data = malloc(4 * sizeof(float));
    HurrayTensor **slot = calloc(1, sizeof *slot);
    if (!data || !slot) return fail(env, "memory");
    for (int k = 0; k < 4; k++) data[k] = (float)k;
    const uint64_t shape[1] = {4};
    if (hurray_tensor_from_array(HURRAY_TYPE_FLOAT32, shape, 1, NULL, data, HURRAY_DEVICE_CPU, HURRAY_MEMORY_STANDARD,
                                 0, 0, NULL, data, released, slot)) {
        return fail(env, "tensor");
    }
    napi_value external;
    napi_create_external(env, slot, finalize, NULL, &external);
    napi_type_tag_object(env, external, &TAG);
    return external;
}

static const uint64_t VAST = (uint64_t)5 << 30;
static uint32_t given_back;

static void give_back(void *owner) {
    munmap(owner, VAST);
    given_back++;
}

/* Makes a tensor of 5 GiB that are no memory before they are touched. */
static napi_value vast(napi_env env, napi_callback_info info) {
    (void)info;
    HurrayTensor **slot = calloc(1, sizeof *slot);
    void *data = mmap(NULL, VAST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!slot || data == MAP_FAILED) return fail(env, "memory");
    if (hurray_tensor_from_array(HURRAY_TYPE_UINT8, &VAST, 1, NULL, data, HURRAY_DEVICE_CPU, HURRAY_MEMORY_STANDARD, 0,
                                 0, NULL, data, give_back, slot)) {
        return fail(env, "tensor");
    }
    napi_value external;
    napi_create_external(env, slot, finalize, NULL, &external);
    napi_type_tag_object(env, external, &TAG);
    return external;
}

/* How many of those were given back. */
static napi_value gone(napi_env env, napi_callback_info info) {
    (void)info;
    napi_value count;
    napi_create_uint32(env, given_back, &count);
    return count;
}

NAPI_MODULE_INIT() {
    napi_value function;
    napi_create_function(env, "vast", NAPI_AUTO_LENGTH, vast, NULL, &function);
    napi_set_named_property(env, exports, "vast", function);
    napi_create_function(env, "gone", NAPI_AUTO_LENGTH, gone, NULL, &function);
    napi_set_named_property(env, exports, "gone", function);
    napi_create_function(env, "sum", NAPI_AUTO_LENGTH, sum, NULL, &function);
    napi_set_named_property(env, exports, "sum", function);
    napi_create_function(env, "make", NAPI_AUTO_LENGTH, make, NULL, &function);
    napi_set_named_property(env, exports, "make", function);
    return exports;
}
