#define _GNU_SOURCE
#include "glue.h"

#include <dlfcn.h>

// Passes a status on. On failure the text is fetched here, on the thread of the call that failed, if it belongs to it.
int32_t hg_done(HurrayStatus status, HgCall *call) {
    if (status >= 0) return status;
    HurrayStatus stored = HURRAY_OK;
    size_t length = sizeof call->text;
    call->text_length = 0;
    hurray_last_error_info(&stored, &call->os_error, &call->offset);
    if (stored != status) {
        call->os_error = 0;
        call->offset = UINT64_MAX;
    } else if (hurray_last_error_message(call->text, &length) == HURRAY_OK) {
        call->text_length = (uint32_t)length;
    }
    return status;
}

// The file that the library was loaded from, as NUL-terminated static text, or 0.
uintptr_t hg_library_path(void) {
    Dl_info info;
    if (dladdr((const void *)(uintptr_t)&hurray_c_abi_version, &info) == 0) return 0;
    return (uintptr_t)info.dli_fname;
}

// Options as a list of pairs. The caller destroys what it gets; no pairs give NULL, which stands for the defaults.
int32_t hg_options(const HgOption *pairs, size_t count, HurrayOptions **out) {
    *out = NULL;
    if (count == 0) return HURRAY_OK;
    HurrayStatus status = hurray_options_new(out);
    for (size_t k = 0; k < count && status == HURRAY_OK; k++) {
        status = hurray_options_set_u64(*out, pairs[k].id, pairs[k].value);
    }
    return status;
}
