/* The calls that the package makes for one tensor, by hand: the yardstick of bench.mjs. */
#include <node_api.h>

#include <hurray.h>
#include <stdlib.h>

typedef struct {
    napi_env env;
    napi_ref array;
} Owner;

static void released(void *given) {
    Owner *owner = given;
    napi_delete_reference(owner->env, owner->array);
    free(owner);
}

static void finalize(napi_env env, void *data, void *hint) {
    (void)env, (void)hint;
    hurray_tensor_destroy(data);
    free(data);
}

/* exchange(array): wraps a Float32Array, gives a share away in an external, and ends its own handle. */
static napi_value exchange(napi_env env, napi_callback_info info) {
    napi_value array, external = NULL;
    size_t count = 1, length = 0;
    void *data = NULL;
    HurrayTensor *tensor = NULL;
    napi_get_cb_info(env, info, &count, &array, NULL, NULL);
    napi_get_typedarray_info(env, array, NULL, &length, &data, NULL, NULL);
    Owner *owner = malloc(sizeof *owner);
    HurrayTensor **slot = calloc(1, sizeof *slot);
    if (!owner || !slot) return NULL;
    owner->env = env;
    napi_create_reference(env, array, 1, &owner->array);
    const uint64_t shape[1] = {length};
    hurray_tensor_from_array(HURRAY_TYPE_FLOAT32, shape, 1, NULL, data, HURRAY_DEVICE_CPU, HURRAY_MEMORY_STANDARD, 0, 0,
                             NULL, owner, released, &tensor);
    hurray_tensor_share(tensor, slot);
    napi_create_external(env, slot, finalize, NULL, &external);
    hurray_tensor_destroy(&tensor);
    return external;
}

static void let_go(napi_env env, void *data, void *hint) {
    (void)env, (void)data;
    HurrayTensor *tensor = hint;
    hurray_tensor_destroy(&tensor);
}

/* view(external): a Float32Array on the external's tensor. */
static napi_value view(napi_env env, napi_callback_info info) {
    napi_value external, buffer, array = NULL;
    size_t count = 1, rank = 64;
    HurrayTensor **slot = NULL, *share = NULL;
    void *data = NULL;
    uint64_t shape[64];
    int64_t strides[64];
    uint32_t flags = 0;
    napi_get_cb_info(env, info, &count, &external, NULL, NULL);
    napi_get_value_external(env, external, (void **)&slot);
    hurray_tensor_array_view(*slot, &data, shape, strides, &rank, &flags);
    hurray_tensor_share(*slot, &share);
    napi_create_external_arraybuffer(env, data, shape[0] * sizeof(float), let_go, share, &buffer);
    napi_create_typedarray(env, napi_float32_array, shape[0], buffer, 0, &array);
    return array;
}

NAPI_MODULE_INIT() {
    napi_value function;
    napi_create_function(env, "exchange", NAPI_AUTO_LENGTH, exchange, NULL, &function);
    napi_set_named_property(env, exports, "exchange", function);
    napi_create_function(env, "view", NAPI_AUTO_LENGTH, view, NULL, &function);
    napi_set_named_property(env, exports, "view", function);
    return exports;
}
