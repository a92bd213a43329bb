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

// Options with the values of a list of pairs. The caller destroys what it gets, after a failure too.
static HurrayStatus made_of(const HgOption *pairs, size_t count, HurrayOptions **out) {
    HurrayStatus status = hurray_options_new(out);
    for (size_t k = 0; k < count && status == HURRAY_OK; k++) {
        status = hurray_options_set_u64(*out, pairs[k].id, pairs[k].value);
    }
    return status;
}

// The options of a call: a list of pairs, or what `call` names. No pairs give NULL, which stands for the defaults. What
// comes out ends with hg_options_end.
int32_t hg_options(const HgOption *pairs, size_t count, const HgCall *call, HurrayOptions **out) {
    *out = (HurrayOptions *)call->options;
    return *out != NULL || count == 0 ? HURRAY_OK : made_of(pairs, count, out);
}

void hg_options_end(HurrayOptions *options, const HgCall *call) {
    if ((uintptr_t)options != call->options) hurray_options_destroy(&options);
}

// Options that outlive the call: in `handle`.
int32_t hg_options_new(const HgOption *pairs, size_t count, HgCall *call) {
    HurrayOptions *made = NULL;
    const int32_t done = hg_done(made_of(pairs, count, &made), call);
    if (done != HURRAY_OK) hurray_options_destroy(&made);
    call->handle = (uintptr_t)made;
    return done;
}

void hg_options_cancel(uintptr_t options) { hurray_options_cancel((const HurrayOptions *)options); }

void hg_options_progress(uintptr_t options, uint64_t *done, uint64_t *total) {
    hurray_options_progress((const HurrayOptions *)options, done, total);
}

void hg_options_destroy(uintptr_t options) {
    HurrayOptions *handle = (HurrayOptions *)options;
    hurray_options_destroy(&handle);
}
