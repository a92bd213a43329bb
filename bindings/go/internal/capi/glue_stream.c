#include "glue.h"

int32_t hg_reader_new(const HgOption *options, size_t count, HgCall *call) {
    HurrayStreamReader *reader = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) status = hurray_stream_reader_new(made, &reader);
    call->handle = (uintptr_t)reader;
    const int32_t done = hg_done(status, call);
    hg_options_end(made, call);
    return done;
}

// Takes in what arrived in the last window, or the end of the input, and asks for the next item. HURRAY_OK: it is in
// `handle`. HURRAY_NEED_MORE: the next window is in `handle` and `number[0]`.
int32_t hg_reader_step(uintptr_t handle, uint64_t arrived, int finished, HgCall *call) {
    HurrayStreamReader *reader = (HurrayStreamReader *)handle;
    HurrayItem *item = NULL;
    if (arrived != 0) {
        const HurrayStatus status = hurray_stream_reader_advance(reader, (size_t)arrived);
        if (status < 0) return hg_done(status, call);
    }
    if (finished) {
        const HurrayStatus status = hurray_stream_reader_finish(reader);
        if (status < 0) return hg_done(status, call);
    }
    HurrayStatus status = hurray_stream_reader_next(reader, &item);
    call->handle = (uintptr_t)item;
    if (status == HURRAY_NEED_MORE) {
        uint8_t *window = NULL;
        size_t size = 0;
        status = hurray_stream_reader_window(reader, &window, &size);
        call->handle = (uintptr_t)window;
        call->number[0] = size;
        if (status == HURRAY_OK) status = HURRAY_NEED_MORE;
    }
    return hg_done(status, call);
}

int32_t hg_reader_stream_id(uintptr_t reader, HgCall *call) {
    uint32_t id = 0;
    const HurrayStatus status = hurray_stream_reader_stream_id((const HurrayStreamReader *)reader, &id);
    call->number[0] = id;
    return hg_done(status, call);
}

// The reader's memory until the next call: address in `handle`, length in `number[0]`.
int32_t hg_reader_unread(uintptr_t reader, HgCall *call) {
    const uint8_t *start = NULL;
    size_t size = 0;
    const HurrayStatus status = hurray_stream_reader_unread((const HurrayStreamReader *)reader, &start, &size);
    call->handle = (uintptr_t)start;
    call->number[0] = size;
    return hg_done(status, call);
}

int32_t hg_reader_reply(uintptr_t reader, uint8_t *out, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_stream_reader_reply((HurrayStreamReader *)reader, out, &room);
    call->number[0] = room;
    return hg_done(status, call);
}

void hg_reader_destroy(uintptr_t reader) {
    HurrayStreamReader *handle = (HurrayStreamReader *)reader;
    hurray_stream_reader_destroy(&handle);
}

int32_t hg_sender_new(uint32_t form, uint32_t stream_id, uint64_t max_message_size, const HgOption *options,
                      size_t count, HgCall *call) {
    HurrayStreamWriter *writer = NULL;
    HurrayOptions *made = NULL;
    HurrayStatus status = hg_options(options, count, call, &made);
    if (status == HURRAY_OK) status = hurray_stream_writer_new(form, stream_id, max_message_size, made, &writer);
    call->handle = (uintptr_t)writer;
    const int32_t done = hg_done(status, call);
    hg_options_end(made, call);
    return done;
}

// The pieces that come next; `number[0]` is how many were written to `pieces`.
static int32_t pieces_of(HurrayStreamWriter *writer, HgPiece *pieces, size_t room, HgCall *call) {
    HurraySlice slices[64];
    if (room > 64) room = 64;
    size_t count = room;
    const HurrayStatus status = hurray_stream_writer_chunks(writer, slices, &count);
    if (status != HURRAY_OK) return hg_done(status, call);
    if (count > room) count = room;
    for (size_t k = 0; k < count; k++) {
        pieces[k].data = (uintptr_t)slices[k].data;
        pieces[k].length = slices[k].len;
    }
    call->number[0] = count;
    return HURRAY_OK;
}

int32_t hg_sender_put(uintptr_t writer, uintptr_t item, HgPiece *pieces, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_stream_writer_put((HurrayStreamWriter *)writer, (const HurrayItem *)item);
    if (status != HURRAY_OK) return hg_done(status, call);
    return pieces_of((HurrayStreamWriter *)writer, pieces, room, call);
}

int32_t hg_sender_put_tensor(uintptr_t writer, uintptr_t tensor, HgPiece *pieces, size_t room, HgCall *call) {
    HurrayItem *item = NULL;
    const HurrayStatus status = hurray_item_from_tensor((const HurrayTensor *)tensor, &item);
    if (status != HURRAY_OK) return hg_done(status, call);
    const int32_t done = hg_sender_put(writer, (uintptr_t)item, pieces, room, call);
    hurray_item_destroy(&item);
    return done;
}

int32_t hg_sender_sent(uintptr_t writer, uint64_t sent, HgPiece *pieces, size_t room, HgCall *call) {
    const HurrayStatus status = hurray_stream_writer_advance((HurrayStreamWriter *)writer, (size_t)sent);
    if (status != HURRAY_OK) return hg_done(status, call);
    return pieces_of((HurrayStreamWriter *)writer, pieces, room, call);
}

void hg_sender_destroy(uintptr_t writer) {
    HurrayStreamWriter *handle = (HurrayStreamWriter *)writer;
    hurray_stream_writer_destroy(&handle);
}
