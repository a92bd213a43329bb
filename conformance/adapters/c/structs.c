/* DLPack structs, out and in. */

#include "../../../hurray-ffi/tests/c/dlpack.h"
#include "adapter.h"

#include <stdlib.h>
#include <string.h>

static void put_dims(const char *key, const int64_t *values, int32_t count) {
    put_key(key);
    put_text("[");
    for (int32_t k = 0; k < count; k++) {
        put_comma();
        put_wide_signed(values[k]);
    }
    put_text("]");
}

static void put_array(const DlpackTensor *array) {
    put_key("device_type");
    put_number(array->device_type);
    put_key("device_id");
    put_number(array->device_id);
    put_key("code");
    put_number(array->code);
    put_key("bits");
    put_number(array->bits);
    put_key("lanes");
    put_number(array->lanes);
    put_dims("shape", array->shape, array->ndim);
    if (array->strides != NULL) put_dims("strides", array->strides, array->ndim);
    put_key("byte_offset");
    put_wide(array->byte_offset);
}

/* Walks the elements in row-major order. */
static void put_values(const DlpackTensor *array) {
    size_t width = ((size_t)array->bits * array->lanes + 7) / 8, count = 1, size = 0;
    int64_t index[64] = {0}, strides[64], step = 1;
    uint8_t *values;

    for (int32_t k = array->ndim; k-- > 0;) {
        strides[k] = array->strides != NULL ? array->strides[k] : step;
        step *= array->shape[k];
        count *= (size_t)array->shape[k];
    }
    values = scratch(count * width + 1);
    for (size_t n = 0; n < count; n++, size += width) {
        int64_t at = 0;

        for (int32_t k = 0; k < array->ndim; k++) at += index[k] * strides[k];
        memcpy(values + size, (const char *)array->data + array->byte_offset + at * (int64_t)width, width);
        for (int32_t k = array->ndim; k-- > 0 && ++index[k] == array->shape[k];) index[k] = 0;
    }
    put_key("values");
    put_hex(values, size);
}

static uint64_t live_handles(void) {
    uint64_t count;

    check(hurray_live_handles(&count));
    return count;
}

void export_struct(const Json *request) {
    uint64_t before = live_handles();
    HurrayTensor *tensor = make_tensor(json_need(request, "item"));
    struct DLManagedTensorVersioned *versioned = NULL;
    struct DLManagedTensor *plain = NULL;

    if (json_need(request, "versioned")->truth) check(hurray_tensor_to_dlpack(tensor, NULL, &versioned));
    else check(hurray_tensor_to_dlpack_unversioned(tensor, NULL, &plain));
    release(0); /* the struct alone keeps the tensor */
    put_key("struct");
    put_text("{");
    if (versioned != NULL) {
        put_key("version");
        put_text("[");
        put_number(versioned->major);
        put_text(",");
        put_number(versioned->minor);
        put_text("]");
        put_key("flags");
        put_wide(versioned->flags);
        put_array(&versioned->tensor);
        put_text("}");
        put_values(&versioned->tensor);
        versioned->deleter(versioned);
    } else {
        put_array(&plain->tensor);
        put_text("}");
        put_values(&plain->tensor);
        plain->deleter(plain);
    }
    put_key("live");
    put_number((int64_t)(live_handles() - before));
}

static int64_t deleted;

static void delete_versioned(struct DLManagedTensorVersioned *managed) {
    (void)managed;
    deleted++;
}

static void delete_plain(struct DLManagedTensor *managed) {
    (void)managed;
    deleted++;
}

static void put_deleted(void) {
    put_key("deleted");
    put_number(deleted);
}

void import_struct(const Json *request) {
    const Json *given = json_need(request, "struct"), *strides = json_get(given, "strides"),
               *version = json_get(given, "version");
    size_t size, rank;
    uint8_t *bytes = json_bytes(json_need(request, "data"), &size);
    void *data = scratch(size + 64);
    DlpackTensor array = {0};
    HurrayTensor *tensor;
    HurrayStatus status;

    /* Memory that lasts as long as the request does: the deleters have nothing to free. */
    array.data = (char *)data + (64 - (size_t)data % 64) % 64;
    memcpy(array.data, bytes, size);
    array.device_type = (int32_t)json_i64(json_need(given, "device_type"));
    array.device_id = (int32_t)json_i64(json_need(given, "device_id"));
    array.code = (uint8_t)json_u64(json_need(given, "code"));
    array.bits = (uint8_t)json_u64(json_need(given, "bits"));
    array.lanes = (uint16_t)json_u64(json_need(given, "lanes"));
    array.shape = json_i64s(json_need(given, "shape"), &rank);
    array.ndim = (int32_t)rank;
    array.strides = strides == NULL ? NULL : json_i64s(strides, &rank);
    array.byte_offset = json_u64(json_need(given, "byte_offset"));
    deleted = 0;
    if (json_need(request, "versioned")->truth) {
        struct DLManagedTensorVersioned *managed = scratch(sizeof *managed);

        *managed = (struct DLManagedTensorVersioned){(uint32_t)version->child->number,
                                                     (uint32_t)version->child->next->number,
                                                     NULL,
                                                     delete_versioned,
                                                     json_u64(json_need(given, "flags")),
                                                     array};
        status = hurray_tensor_from_dlpack(&managed, NULL, &tensor);
    } else {
        struct DLManagedTensor *managed = scratch(sizeof *managed);

        *managed = (struct DLManagedTensor){array, NULL, delete_plain};
        status = hurray_tensor_from_dlpack_unversioned(&managed, NULL, &tensor);
    }
    if (status != HURRAY_OK) {
        put_deleted();
        keep_answer("");
        check(status);
    }
    KEEP(tensor, tensor);
    put_key("item");
    put_tensor(tensor);
    release(0);
    put_deleted();
}
