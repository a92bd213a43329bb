#include "glue.h"

// The struct in `handle`: versioned, or not.
int32_t hg_tensor_to_dlpack(uintptr_t tensor, int versioned, const HgOption *options, size_t count, HgCall *call) {
    DLManagedTensorVersioned *managed = NULL;
    DLManagedTensor *plain = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = versioned ? hurray_tensor_to_dlpack((const HurrayTensor *)tensor, made, &managed)
                           : hurray_tensor_to_dlpack_unversioned((const HurrayTensor *)tensor, made, &plain);
    }
    call->handle = versioned ? (uintptr_t)managed : (uintptr_t)plain;
    const int32_t done = hg_done(status, call);
    hg_options_end(made, call);
    return done;
}

// On success, and for another major version, the struct is no longer the caller's.
int32_t hg_tensor_from_dlpack(uintptr_t address, int versioned, const HgOption *options, size_t count, HgCall *call) {
    DLManagedTensorVersioned *managed = (DLManagedTensorVersioned *)address;
    DLManagedTensor *plain = (DLManagedTensor *)address;
    HurrayTensor *tensor = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) {
        status = versioned ? hurray_tensor_from_dlpack(&managed, made, &tensor)
                           : hurray_tensor_from_dlpack_unversioned(&plain, made, &tensor);
    }
    call->handle = (uintptr_t)tensor;
    const int32_t done = hg_done(status, call);
    hg_options_end(made, call);
    return done;
}

// Device type and id in `number[0]` and `number[1]`.
int32_t hg_tensor_dlpack_device(uintptr_t tensor, HgCall *call) {
    int32_t type = 0;
    int32_t id = 0;
    const HurrayStatus status = hurray_tensor_dlpack_device((const HurrayTensor *)tensor, &type, &id);
    call->number[0] = (uint64_t)(int64_t)type;
    call->number[1] = (uint64_t)(int64_t)id;
    return hg_done(status, call);
}
