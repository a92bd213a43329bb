/* Lets the conformance suite use the header from plain C; PROTOCOL.md says what is asked and answered. */

#define _GNU_SOURCE
#include "adapter.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- How a request ends early ---- */

static jmp_buf ends;
static HurrayStatus failed;
static char message[512];
static size_t message_length;
static size_t answered;
static const char *answer_end;

_Noreturn void fault(const char *text) {
    failed = HURRAY_OK;
    snprintf(message, sizeof message, "%s", text);
    message_length = strlen(message);
    longjmp(ends, 1);
}

HurrayStatus check(HurrayStatus status) {
    HurrayStatus belongs_to;
    int32_t os_error;
    uint64_t offset;

    if (status >= HURRAY_OK) return status;
    failed = status;
    message_length = sizeof message;
    if (hurray_last_error_info(&belongs_to, &os_error, &offset) != HURRAY_OK || belongs_to != status ||
        hurray_last_error_message(message, &message_length) != HURRAY_OK)
        message_length = 0;
    longjmp(ends, 1);
}

void keep_answer(const char *end) {
    answered = out.size;
    answer_end = end;
}

/* ---- Handles of a request ---- */

static struct {
    void *handle;
    Destroy destroy;
} *handles;
static size_t handle_count, handle_room;

void keep(void *handle, Destroy destroy) {
    if (handle_count == handle_room) {
        handle_room = handle_room * 2 + 64;
        handles = realloc(handles, handle_room * sizeof *handles);
        if (handles == NULL) abort();
    }
    handles[handle_count].handle = handle;
    handles[handle_count++].destroy = destroy;
}

void forget(const void *handle) {
    for (size_t k = handle_count; k-- > 0;) {
        if (handles[k].handle == handle) {
            handles[k].handle = NULL;
            return;
        }
    }
}

size_t kept(void) { return handle_count; }

void release(size_t down_to) {
    while (handle_count > down_to) {
        handle_count--;
        if (handles[handle_count].handle != NULL && handles[handle_count].destroy(&handles[handle_count].handle) != 0)
            abort();
    }
}

/* ---- Requests ---- */

static const char *library_path(void) {
    Dl_info info;

    return dladdr((void *)(size_t)hurray_c_abi_version, &info) != 0 ? info.dli_fname : "libhurray";
}

static void hello(void) {
    uint32_t version = hurray_c_abi_version();

    if (version != HURRAY_C_ABI_VERSION) {
        failed = HURRAY_ERR_VERSION_MISMATCH;
        message_length = (size_t)snprintf(message, sizeof message, "%s has version %u, and %u is wanted",
                                          library_path(), version, HURRAY_C_ABI_VERSION);
        longjmp(ends, 1);
    }
    put_key("language");
    put_string("c", 1);
    put_key("abi_version");
    put_number(version);
    put_key("library");
    put_string(library_path(), strlen(library_path()));
}

static HurrayDescriptor *decoded(const uint8_t *bytes, size_t size, bool permissive) {
    HurrayDescriptor *descriptor;

    check(hurray_descriptor_decode_with(bytes, size, permissive ? HURRAY_DECODE_PERMISSIVE : 0, &descriptor));
    KEEP(descriptor, descriptor);
    return descriptor;
}

static void put_encoded(const HurrayDescriptor *descriptor) {
    size_t size = 0;
    uint8_t *bytes;

    (void)hurray_descriptor_encode(descriptor, NULL, &size);
    bytes = scratch(size + 1);
    check(hurray_descriptor_encode(descriptor, bytes, &size));
    put_key("bytes");
    put_hex(bytes, size);
}

static void decode(const Json *request) {
    const Json *permissive = json_get(request, "permissive");
    size_t size;
    uint8_t *bytes = json_bytes(json_need(request, "bytes"), &size);
    HurrayDescriptor *descriptor = decoded(bytes, size, permissive != NULL && permissive->truth);

    put_key("descriptor");
    put_descriptor(descriptor);
    put_encoded(descriptor);
}

static void build(const Json *request) {
    HurrayItem *item = make_item(json_need(request, "item"));
    HurrayDescriptor *descriptor;
    HurrayTensor *tensor;
    uint32_t kind;

    put_key("item");
    put_item(item);
    check(hurray_item_kind(item, &kind));
    if (kind == HURRAY_ITEM_TENSOR) {
        check(hurray_item_tensor(item, &tensor));
        KEEP(tensor, tensor);
        check(hurray_tensor_descriptor(tensor, &descriptor));
    } else {
        check(hurray_item_head(item, &descriptor));
    }
    put_encoded(descriptor);
}

static void describe(const Json *request) {
    HurrayTensor *tensor = make_tensor(json_need(request, "item"));
    char text[1024];
    size_t length = sizeof text;

    check(hurray_tensor_describe(tensor, text, &length));
    put_key("text");
    put_string(text, length);
}

/* ---- Batches ---- */

static HurrayStatus outcome(const Json *what, const uint8_t *bytes, size_t size, const HurrayOptions *options,
                            bool permissive) {
    jmp_buf outer;
    size_t before = kept(), written = out.size;
    volatile HurrayStatus status = HURRAY_OK;

    memcpy(outer, ends, sizeof outer);
    if (setjmp(ends) == 0) {
        if (json_is(what, "decode")) (void)decoded(bytes, size, permissive);
        else if (json_is(what, "read_file")) visit_file(bytes, size, options);
        else visit_stream(bytes, size, options);
    } else {
        status = failed;
        if (failed == HURRAY_OK) { /* a fault, which is the whole request's */
            memcpy(ends, outer, sizeof outer);
            longjmp(ends, 1);
        }
    }
    memcpy(ends, outer, sizeof outer);
    release(before);
    out.size = written;
    return status;
}

static void batch(const Json *request) {
    const Json *what = json_need(request, "what"), *options = json_get(request, "options"),
               *inputs = json_get(request, "inputs");
    const Json *permissive = options == NULL ? NULL : json_get(options, "permissive");
    HurrayOptions *made = make_options(options);
    bool is_permissive = permissive != NULL && permissive->number == 1;
    uint8_t *bytes;
    size_t size;

    put_key("statuses");
    put_text("[");
    for (const Json *one = inputs == NULL ? NULL : inputs->child; one != NULL; one = one->next) {
        bytes = json_bytes(one, &size);
        put_comma();
        put_number(outcome(what, bytes, size, made, is_permissive));
    }
    if (inputs == NULL) {
        bytes = json_bytes(json_need(request, "base"), &size);
        for (const Json *cut = json_need(request, "cuts")->child; cut != NULL; cut = cut->next) {
            put_comma();
            put_number(outcome(what, bytes, (size_t)cut->number, made, is_permissive));
        }
        for (const Json *flip = json_need(request, "flips")->child; flip != NULL; flip = flip->next) {
            uint8_t bit = (uint8_t)(1 << (flip->number & 7));

            bytes[flip->number >> 3] ^= bit;
            put_comma();
            put_number(outcome(what, bytes, size, made, is_permissive));
            bytes[flip->number >> 3] ^= bit;
        }
    }
    put_text("]");
}

/* ---- Handles of another version ---- */

static void foreign(const Json *request) {
    void *library = dlopen(json_text(json_need(request, "library")), RTLD_NOW);
    void *(*make)(uint32_t);
    uint32_t (*calls)(void *, uint32_t);
    uint32_t version, count;
    HurrayTensor *tensor;

    if (library == NULL) fault(dlerror());
    *(void **)&make = dlsym(library, "conformance_handle");
    *(void **)&calls = dlsym(library, "conformance_calls");
    tensor = make((uint32_t)json_u64(json_need(request, "version")));
    check(hurray_tensor_abi_version(tensor, &version));
    count = calls(tensor, 0);
    calls(tensor, 1);
    put_key("calls");
    put_number(count);
    keep_answer("");
    if (version != HURRAY_C_ABI_VERSION) {
        failed = HURRAY_ERR_VERSION_MISMATCH;
        message_length = (size_t)snprintf(message, sizeof message, "the tensor has version %u, and %u is wanted",
                                          version, HURRAY_C_ABI_VERSION);
        longjmp(ends, 1);
    }
}

static void live(void) {
    uint64_t count;

    check(hurray_live_handles(&count));
    put_key("count");
    put_number((int64_t)count);
}

static void run(const Json *request) {
    const Json *op = json_need(request, "op");

    if (json_is(op, "hello")) hello();
    else if (json_is(op, "decode")) decode(request);
    else if (json_is(op, "build")) build(request);
    else if (json_is(op, "bind")) bind_tensor(request);
    else if (json_is(op, "array")) use_array(request);
    else if (json_is(op, "read_file")) read_file(request);
    else if (json_is(op, "write_file")) write_file(request);
    else if (json_is(op, "read_stream")) read_stream(request);
    else if (json_is(op, "write_stream")) write_stream(request);
    else if (json_is(op, "convert")) convert(request);
    else if (json_is(op, "dlpack_export")) export_struct(request);
    else if (json_is(op, "dlpack_import")) import_struct(request);
    else if (json_is(op, "describe")) describe(request);
    else if (json_is(op, "batch")) batch(request);
    else if (json_is(op, "foreign")) foreign(request);
    else if (json_is(op, "live_handles")) live();
    else if (!json_is(op, "quit")) fault("no such op");
}

static bool answer(const char *line, size_t length) {
    const Json *request = NULL;
    volatile bool quit = false;

    out.size = 0;
    failed = HURRAY_OK;
    message_length = 0;
    put_text("{");
    keep_answer("");
    if (setjmp(ends) == 0) {
        request = json_parse(line, length);
        run(request);
        quit = json_is(json_get(request, "op"), "quit");
        put_key("status");
        put_number(0);
    } else if (failed == HURRAY_OK) {
        out.size = 1;
        put_key("fault");
        put_string(message, message_length);
    } else {
        out.size = answered;
        put_text(answer_end);
        put_key("status");
        put_number(failed);
        put_key("message");
        put_string(message, message_length);
    }
    put_text("}\n");
    release(0);
    fwrite(out.data, 1, out.size, stdout);
    fflush(stdout);
    scratch_reset();
    return !quit;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    while ((length = getline(&line, &room, stdin)) > 0 && answer(line, (size_t)length)) continue;
    free(line);
    free(handles);
    free(out.data);
    return 0;
}
