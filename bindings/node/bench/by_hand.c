/* What the package does for one tensor, by hand and for one element type: the yardstick of bench.mjs. It leaves out
 * nothing that a program needs which gives its arrays away: arrays are checked, kept, and let go on their own thread,
 * externals carry the type tag, and a tensor's type and order are looked at before it is shown as an array. */
#include <node_api.h>

#include <hurray.h>
#include <pthread.h>
#include <stdlib.h>

static const napi_type_tag TAG = {0x6875727261792e74, 0x656e736f72000001};

typedef struct {
    napi_env env;
    napi_ref array;
    pthread_t thread;
} Owner;

/* Runs `let_go` on the thread of JavaScript. */
static napi_threadsafe_function elsewhere;

static void let_go(napi_env env, napi_value function, void *context, void *data) {
    (void)function, (void)context;
    Owner *owner = data;
    if (env) napi_delete_reference(env, owner->array);
    free(owner);
}

static void released(void *given) {
    Owner *owner = given;
    if (pthread_equal(pthread_self(), owner->thread)) {
        let_go(owner->env, NULL, NULL, owner);
    } else {
        napi_call_threadsafe_function(elsewhere, owner, napi_tsfn_nonblocking);
    }
}

static void finalize(napi_env env, void *data, void *hint) {
    (void)env, (void)hint;
    hurray_tensor_destroy(data);
    free(data);
}

static napi_value fail(napi_env env, const char *text) {
    napi_throw_error(env, NULL, text);
    return NULL;
}

/* exchange(array): wraps a Float32Array, gives a share away in an external, and ends its own handle. */
static napi_value exchange(napi_env env, napi_callback_info info) {
    napi_value array, external = NULL;
    size_t count = 1, length = 0;
    void *data = NULL;
    napi_typedarray_type type;
    HurrayTensor *tensor = NULL;
    napi_get_cb_info(env, info, &count, &array, NULL, NULL);
    if (napi_get_typedarray_info(env, array, &type, &length, &data, NULL, NULL) || type != napi_float32_array) {
        return fail(env, "no Float32Array");
    }
    Owner *owner = malloc(sizeof *owner);
    HurrayTensor **slot = calloc(1, sizeof *slot);
    if (!owner || !slot) return fail(env, "memory");
    owner->env = env;
    owner->thread = pthread_self();
    if (napi_create_reference(env, array, 1, &owner->array)) return fail(env, "reference");
    const uint64_t shape[1] = {length};
    if (hurray_tensor_from_array(HURRAY_TYPE_FLOAT32, shape, 1, NULL, data, HURRAY_DEVICE_CPU, HURRAY_MEMORY_STANDARD,
                                 0, 0, NULL, owner, released, &tensor) ||
        hurray_tensor_share(tensor, slot)) {
        return fail(env, "tensor");
    }
    if (napi_create_external(env, slot, finalize, NULL, &external) || napi_type_tag_object(env, external, &TAG)) {
        return fail(env, "external");
    }
    hurray_tensor_destroy(&tensor);
    return external;
}

static void unseen(napi_env env, void *data, void *hint) {
    (void)env, (void)data;
    HurrayTensor *tensor = hint;
    hurray_tensor_destroy(&tensor);
}

/* view(external): a Float32Array on the external's tensor. */
static napi_value view(napi_env env, napi_callback_info info) {
    napi_value external, buffer, array = NULL;
    size_t count = 1, rank = 64;
    bool tagged = false;
    HurrayTensor **slot = NULL, *share = NULL;
    HurrayDescriptor *descriptor = NULL;
    void *data = NULL;
    uint64_t shape[64], elements = 1;
    int64_t strides[64];
    uint32_t flags = 0;
    uint8_t type = 0;
    napi_get_cb_info(env, info, &count, &external, NULL, NULL);
    if (napi_check_object_type_tag(env, external, &TAG, &tagged) || !tagged ||
        napi_get_value_external(env, external, (void **)&slot) || !*slot) {
        return fail(env, "no tensor");
    }
    if (hurray_tensor_descriptor(*slot, &descriptor) || hurray_descriptor_element_type_tag(descriptor, &type) ||
        type != HURRAY_TYPE_FLOAT32) {
        return fail(env, "other elements");
    }
    if (hurray_tensor_array_view(*slot, &data, shape, strides, &rank, &flags) || !(flags & HURRAY_VIEW_ROW_MAJOR) ||
        (flags & (HURRAY_VIEW_READ_ONLY | HURRAY_VIEW_MISALIGNED))) {
        return fail(env, "no array");
    }
    for (size_t k = 0; k < rank; k++) elements *= shape[k];
    if (hurray_tensor_share(*slot, &share)) return fail(env, "share");
    if (napi_create_external_arraybuffer(env, data, elements * sizeof(float), unseen, share, &buffer) ||
        napi_create_typedarray(env, napi_float32_array, elements, buffer, 0, &array)) {
        return fail(env, "array");
    }
    return array;
}

NAPI_MODULE_INIT() {
    napi_value function, name;
    napi_create_string_utf8(env, "by hand", NAPI_AUTO_LENGTH, &name);
    napi_create_threadsafe_function(env, NULL, NULL, name, 0, 1, NULL, NULL, NULL, let_go, &elsewhere);
    napi_unref_threadsafe_function(env, elsewhere);
    napi_create_function(env, "exchange", NAPI_AUTO_LENGTH, exchange, NULL, &function);
    napi_set_named_property(env, exports, "exchange", function);
    napi_create_function(env, "view", NAPI_AUTO_LENGTH, view, NULL, &function);
    napi_set_named_property(env, exports, "view", function);
    return exports;
}
