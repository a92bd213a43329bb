/* Reads and makes DLPack's structs. See PROTOCOL.md, `dlpack_export` and `dlpack_import`. */
#include "../../../hurray-ffi/tests/c/dlpack.h"

#include <node_api.h>

#include <stdlib.h>
#include <string.h>

static const napi_type_tag TAGS[2] = {{0x646c74656e736f72, 0}, {0x646c74656e736f72, 1}};

static uint32_t deleted;
static void count_versioned(struct DLManagedTensorVersioned *managed) { deleted += managed != NULL; }
static void count_plain(struct DLManagedTensor *managed) { deleted += managed != NULL; }

static void set_number(napi_env env, napi_value object, const char *name, double number) {
    napi_value value;
    napi_create_double(env, number, &value);
    napi_set_named_property(env, object, name, value);
}

static void set_words(napi_env env, napi_value object, const char *name, const int64_t *words, uint32_t count) {
    napi_value list, value;
    napi_create_array_with_length(env, count, &list);
    for (uint32_t k = 0; k < count; k++) {
        napi_create_bigint_int64(env, words[k], &value);
        napi_set_element(env, list, k, value);
    }
    napi_set_named_property(env, object, name, list);
}

/* Copies the elements in row-major order; those narrower than a byte are packed and contiguous. */
static size_t gather(const DlpackTensor *array, int axis, int64_t at, uint8_t *out) {
    size_t width = (size_t)array->bits * array->lanes / 8, done = 0;
    if (axis == array->ndim) {
        memcpy(out, (const uint8_t *)array->data + array->byte_offset + at * (int64_t)width, width);
        return width;
    }
    for (int64_t k = 0; k < array->shape[axis]; k++)
        done += gather(array, axis + 1, at + k * array->strides[axis], out + done);
    return done;
}

static napi_value values_of(napi_env env, const DlpackTensor *array) {
    size_t count = 1, bits = (size_t)array->bits * array->lanes;
    for (int k = 0; k < array->ndim; k++) count *= (size_t)array->shape[k];
    uint8_t *bytes = malloc(count * bits / 8 + 1);
    size_t size = 0;
    if (bytes && count > 0 && bits >= 8) {
        size = gather(array, 0, 0, bytes);
    } else if (bytes && count > 0) {
        size = (count * bits + 7) / 8;
        memcpy(bytes, (const uint8_t *)array->data + array->byte_offset, size);
    }
    napi_value result;
    napi_create_buffer_copy(env, size, bytes, NULL, &result);
    free(bytes);
    return result;
}

/* read(external, versioned): the struct's fields and the elements; then its deleter runs. */
static napi_value read_struct(napi_env env, napi_callback_info info) {
    napi_value given[2], result;
    size_t count = 2;
    bool versioned = false;
    void **slot = NULL;
    napi_get_cb_info(env, info, &count, given, NULL, NULL);
    napi_get_value_bool(env, given[1], &versioned);
    napi_get_value_external(env, given[0], (void **)&slot);
    struct DLManagedTensorVersioned *newer = versioned ? *slot : NULL;
    struct DLManagedTensor *older = versioned ? NULL : *slot;
    const DlpackTensor *array = versioned ? &newer->tensor : &older->tensor;
    napi_create_object(env, &result);
    if (versioned) {
        set_number(env, result, "major", newer->major);
        set_number(env, result, "minor", newer->minor);
        set_number(env, result, "flags", (double)newer->flags);
    }
    set_number(env, result, "device_type", array->device_type);
    set_number(env, result, "device_id", array->device_id);
    set_number(env, result, "code", array->code);
    set_number(env, result, "bits", array->bits);
    set_number(env, result, "lanes", array->lanes);
    set_number(env, result, "byte_offset", (double)array->byte_offset);
    set_words(env, result, "shape", array->shape, (uint32_t)array->ndim);
    if (array->strides) set_words(env, result, "strides", array->strides, (uint32_t)array->ndim);
    napi_set_named_property(env, result, "values", values_of(env, array));
    *slot = NULL;
    if (newer) newer->deleter(newer);
    if (older) older->deleter(older);
    return result;
}

/* What a made struct stands on, freed when its external goes; the tensor made of it is gone by then. */
typedef struct {
    void *managed;
    struct DLManagedTensorVersioned newer;
    struct DLManagedTensor older;
    int64_t shape[64], strides[64];
    void *data;
} Made;

static void finalize(napi_env env, void *data, void *hint) {
    (void)env, (void)hint;
    Made *made = data;
    free(made->data);
    free(made);
}

static double number(napi_env env, napi_value object, const char *name) {
    napi_value value;
    double found = 0;
    napi_get_named_property(env, object, name, &value);
    napi_get_value_double(env, value, &found);
    return found;
}

static int64_t *words(napi_env env, napi_value object, const char *name, int64_t *out, int32_t *length) {
    napi_value list, value;
    bool is_list = false, lossless = false;
    uint32_t count = 0;
    napi_get_named_property(env, object, name, &list);
    if (napi_is_array(env, list, &is_list) != napi_ok || !is_list) return NULL;
    napi_get_array_length(env, list, &count);
    for (uint32_t k = 0; k < count && k < 64; k++) {
        napi_get_element(env, list, k, &value);
        napi_get_value_bigint_int64(env, value, out + k, &lossless);
    }
    if (length) *length = (int32_t)count;
    return out;
}

/* make(fields, data, versioned): a struct in a tagged external. */
static napi_value make_struct(napi_env env, napi_callback_info info) {
    napi_value given[3], external;
    size_t count = 3, size = 0;
    void *bytes = NULL;
    bool versioned = false;
    napi_get_cb_info(env, info, &count, given, NULL, NULL);
    napi_get_buffer_info(env, given[1], &bytes, &size);
    napi_get_value_bool(env, given[2], &versioned);
    Made *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->data = aligned_alloc(64, size / 64 * 64 + 64);
    if (made->data && size > 0) memcpy(made->data, bytes, size);
    DlpackTensor array = {.data = made->data,
                          .device_type = (int32_t)number(env, given[0], "device_type"),
                          .device_id = (int32_t)number(env, given[0], "device_id"),
                          .code = (uint8_t)number(env, given[0], "code"),
                          .bits = (uint8_t)number(env, given[0], "bits"),
                          .lanes = (uint16_t)number(env, given[0], "lanes"),
                          .byte_offset = (uint64_t)number(env, given[0], "byte_offset")};
    array.shape = words(env, given[0], "shape", made->shape, &array.ndim);
    array.strides = words(env, given[0], "strides", made->strides, NULL);
    deleted = 0;
    made->newer = (struct DLManagedTensorVersioned){.major = (uint32_t)number(env, given[0], "major"),
                                                    .minor = (uint32_t)number(env, given[0], "minor"),
                                                    .deleter = count_versioned,
                                                    .flags = (uint64_t)number(env, given[0], "flags"),
                                                    .tensor = array};
    made->older = (struct DLManagedTensor){.tensor = array, .deleter = count_plain};
    made->managed = versioned ? (void *)&made->newer : (void *)&made->older;
    napi_create_external(env, made, finalize, NULL, &external);
    napi_type_tag_object(env, external, &TAGS[versioned]);
    return external;
}

/* deleted(): how often the deleter of the last struct ran. */
static napi_value times_deleted(napi_env env, napi_callback_info info) {
    napi_value result;
    (void)info;
    napi_create_uint32(env, deleted, &result);
    return result;
}

NAPI_MODULE_INIT() {
    napi_value function;
    napi_create_function(env, "read", NAPI_AUTO_LENGTH, read_struct, NULL, &function);
    napi_set_named_property(env, exports, "read", function);
    napi_create_function(env, "make", NAPI_AUTO_LENGTH, make_struct, NULL, &function);
    napi_set_named_property(env, exports, "make", function);
    napi_create_function(env, "deleted", NAPI_AUTO_LENGTH, times_deleted, NULL, &function);
    napi_set_named_property(env, exports, "deleted", function);
    return exports;
}
