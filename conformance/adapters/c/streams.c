/* Streams. */

#include "adapter.h"

/* Feeds a reader; each item is shown if `show` is set. */
static void feed(const uint8_t *bytes, size_t size, size_t chunk, const HurrayOptions *options, bool show) {
    HurrayStreamReader *reader;
    bool finished = false;

    check(hurray_stream_reader_new(options, &reader));
    KEEP(reader, stream_reader);
    for (;;) {
        HurrayItem *item;
        HurrayStatus status = check(hurray_stream_reader_next(reader, &item));

        if (status == HURRAY_END) return;
        if (status == HURRAY_OK) {
            uint32_t id;

            KEEP(item, item);
            if (show) {
                check(hurray_stream_reader_stream_id(reader, &id));
                put_comma();
                put_text("{");
                put_key("stream_id");
                put_number(id);
                put_key("item");
                put_item(item);
                put_text("}");
                keep_answer("]");
            }
        } else if (size > 0) {
            size_t piece = chunk == 0 || chunk > size ? size : chunk, taken;

            check(hurray_stream_reader_feed(reader, bytes, piece, &taken));
            bytes += taken;
            size -= taken;
        } else if (finished) {
            fault("the reader wants more after its end");
        } else {
            check(hurray_stream_reader_finish(reader));
            finished = true;
        }
    }
}

void read_stream(const Json *request) {
    size_t size;
    uint8_t *bytes = json_bytes(json_need(request, "bytes"), &size);

    put_key("items");
    put_text("[");
    keep_answer("]");
    feed(bytes, size, (size_t)json_u64(json_need(request, "chunk")), make_options(json_get(request, "options")), true);
    put_text("]");
}

void visit_stream(const uint8_t *bytes, size_t size, const HurrayOptions *options) {
    feed(bytes, size, 0, options, false);
}

void write_stream(const Json *request) {
    bool framed = json_is(json_need(request, "form"), "framed");
    HurrayStreamWriter *writer;

    check(hurray_stream_writer_new(framed ? HURRAY_STREAM_FRAMED : HURRAY_STREAM_BARE,
                                   framed ? (uint32_t)json_u64(json_need(request, "stream_id")) : 0,
                                   framed ? json_u64(json_need(request, "max_message_size")) : 0,
                                   make_options(json_get(request, "options")), &writer));
    KEEP(writer, stream_writer);
    put_key("bytes");
    put_text("\"");
    keep_answer("\"");
    for (const Json *one = json_need(request, "items")->child; one != NULL; one = one->next) {
        check(hurray_stream_writer_put(writer, make_item(one)));
        for (;;) {
            HurraySlice slices[8];
            size_t count = COUNT(slices), written = 0;

            check(hurray_stream_writer_chunks(writer, slices, &count));
            if (count == 0) break;
            for (size_t k = 0; k < count && k < COUNT(slices); k++) {
                put_digits(slices[k].data, slices[k].len);
                written += slices[k].len;
            }
            check(hurray_stream_writer_advance(writer, written));
        }
        keep_answer("\"");
    }
    put_text("\"");
}
