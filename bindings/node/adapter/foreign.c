/* Puts handles of a library that was built elsewhere into externals. See PROTOCOL.md, `foreign`. */
#include <node_api.h>

#include <dlfcn.h>
#include <stdlib.h>

static const napi_type_tag TAG = {0x6875727261792e74, 0x656e736f72000001};

static void *(*make)(uint32_t version);
static uint32_t (*calls)(void *handle, uint32_t destroy);

static void finalize(napi_env env, void *data, void *hint) {
    (void)env, (void)hint;
    free(data);
}

/* handle(library, version): an external with a handle of that version. */
static napi_value handle(napi_env env, napi_callback_info info) {
    napi_value given[2], external;
    size_t count = 2, length = 0;
    char path[4096];
    uint32_t version = 0;
    napi_get_cb_info(env, info, &count, given, NULL, NULL);
    napi_get_value_string_utf8(env, given[0], path, sizeof path, &length);
    napi_get_value_uint32(env, given[1], &version);
    void *library = dlopen(path, RTLD_NOW);
    void **slot = calloc(1, sizeof *slot);
    if (!library || !slot) return napi_throw_error(env, NULL, "the library does not load"), NULL;
    *(void **)&make = dlsym(library, "conformance_handle");
    *(void **)&calls = dlsym(library, "conformance_calls");
    *slot = make(version);
    napi_create_external(env, slot, finalize, NULL, &external);
    napi_type_tag_object(env, external, &TAG);
    return external;
}

/* calls(external): how often anything was called through the handle's table; the handle goes if it is still there. */
static napi_value count_calls(napi_env env, napi_callback_info info) {
    napi_value external, result;
    size_t count = 1;
    void **slot = NULL;
    napi_get_cb_info(env, info, &count, &external, NULL, NULL);
    napi_get_value_external(env, external, (void **)&slot);
    napi_create_uint32(env, calls(*slot, *slot ? 1 : 0), &result);
    *slot = NULL;
    return result;
}

NAPI_MODULE_INIT() {
    napi_value function;
    napi_create_function(env, "handle", NAPI_AUTO_LENGTH, handle, NULL, &function);
    napi_set_named_property(env, exports, "handle", function);
    napi_create_function(env, "calls", NAPI_AUTO_LENGTH, count_calls, NULL, &function);
    napi_set_named_property(env, exports, "calls", function);
    return exports;
}
