/* Files. */

#include "adapter.h"

#include <string.h>

HurrayOptions *make_options(const Json *fields) {
    static const struct {
        const char *name;
        uint32_t option;
    } known[] = {
        {"permissive", HURRAY_OPTION_PERMISSIVE},
        {"verify", HURRAY_OPTION_VERIFY},
        {"max_descriptor_bytes", HURRAY_OPTION_MAX_DESCRIPTOR_BYTES},
        {"max_buffer_bytes", HURRAY_OPTION_MAX_BUFFER_BYTES},
        {"max_composite_depth", HURRAY_OPTION_MAX_COMPOSITE_DEPTH},
        {"flat", HURRAY_OPTION_FLAT},
        {"cross_machine", HURRAY_OPTION_CROSS_MACHINE},
        {"data_alignment", HURRAY_OPTION_DATA_ALIGNMENT},
        {"sorted_index", HURRAY_OPTION_SORTED_INDEX},
        {"kv_mode", HURRAY_OPTION_KV_MODE},
    };
    HurrayOptions *options;

    check(hurray_options_new(&options));
    KEEP(options, options);
    for (const Json *one = fields == NULL ? NULL : fields->child; one != NULL; one = one->next) {
        size_t k = 0;

        while (k < COUNT(known) && strcmp(known[k].name, one->key) != 0) k++;
        if (k == COUNT(known)) fault("no such option");
        check(hurray_options_set_u64(options, known[k].option, json_u64(one)));
    }
    return options;
}

static HurrayFileReader *open_bytes(const void *bytes, size_t size, const HurrayOptions *options) {
    HurrayFileReader *reader;

    check(hurray_file_reader_open_buffer(copy_bytes(bytes, size), options, &reader));
    KEEP(reader, file_reader);
    return reader;
}

static HurrayFileReader *open_file(const Json *request) {
    const Json *path = json_get(request, "path");
    HurrayOptions *options = make_options(json_get(request, "options"));
    HurrayFileReader *reader;
    uint8_t *bytes;
    size_t size;

    if (path != NULL) {
        check(hurray_file_reader_open(path->text, path->length, options, &reader));
        KEEP(reader, file_reader);
        return reader;
    }
    bytes = json_bytes(json_need(request, "bytes"), &size);
    return open_bytes(bytes, size, options);
}

/* Text or bytes that are packed one after the other; `ends` says where each of them ends. */
typedef struct {
    uint8_t *bytes;
    uint64_t *ends;
    size_t size;
    size_t count;
} Packed;

static void put_packed(const Packed *packed, size_t k, bool is_text) {
    uint64_t start = k == 0 ? 0 : packed->ends[k - 1];

    if (is_text) put_string((const char *)packed->bytes + start, (size_t)(packed->ends[k] - start));
    else put_hex(packed->bytes + start, (size_t)(packed->ends[k] - start));
}

static Packed names_of(const HurrayFileReader *reader) {
    Packed names = {0};

    if (hurray_file_reader_entry_names(reader, NULL, &names.size, NULL, &names.count) == HURRAY_ERR_BUFFER_TOO_SMALL) {
        names.bytes = scratch(names.size + 1);
        names.ends = scratch(names.count * sizeof *names.ends + 1);
        check(hurray_file_reader_entry_names(reader, names.bytes, &names.size, names.ends, &names.count));
    }
    return names;
}

static void put_value(const HurrayFileReader *reader, uint64_t i, uint8_t type, size_t count, bool is_array) {
    uint64_t *words = scratch(count * sizeof *words + 1);
    Packed packed = {NULL, scratch(count * sizeof(uint64_t) + 1), 0, count};

    switch (type) {
    case HURRAY_KV_INT64:
        check(hurray_file_reader_kv_i64(reader, i, (int64_t *)words, &count));
        break;
    case HURRAY_KV_FLOAT64:
        check(hurray_file_reader_kv_f64(reader, i, (double *)words, &count));
        break;
    case HURRAY_KV_UINT64:
    case HURRAY_KV_BOOL:
        check(hurray_file_reader_kv_u64(reader, i, words, &count));
        break;
    default:
        (void)hurray_file_reader_kv_packed(reader, i, NULL, &packed.size, packed.ends, &packed.count);
        packed.bytes = scratch(packed.size + 1);
        check(hurray_file_reader_kv_packed(reader, i, packed.bytes, &packed.size, packed.ends, &packed.count));
    }
    put_text(is_array ? "[" : "");
    for (size_t k = 0; k < count; k++) {
        double real;

        put_comma();
        switch (type) {
        case HURRAY_KV_INT64:
            put_wide_signed((int64_t)words[k]);
            break;
        case HURRAY_KV_UINT64:
            put_wide(words[k]);
            break;
        case HURRAY_KV_FLOAT64:
            memcpy(&real, &words[k], sizeof real);
            put_real(real);
            break;
        case HURRAY_KV_BOOL:
            put_truth(words[k] != 0);
            break;
        default:
            put_packed(&packed, k, type == HURRAY_KV_STRING);
        }
    }
    put_text(is_array ? "]" : "");
}

static void put_kv(const HurrayFileReader *reader) {
    uint64_t pairs, count;

    check(hurray_file_reader_kv_count(reader, &pairs));
    put_key("kv");
    put_text("[");
    for (uint64_t i = 0; i < pairs; i++) {
        size_t length = 0;
        uint8_t type, is_array;
        char *key;

        (void)hurray_file_reader_kv_key(reader, i, NULL, &length);
        key = scratch(length + 1);
        check(hurray_file_reader_kv_key(reader, i, key, &length));
        check(hurray_file_reader_kv_type(reader, i, &type, &is_array, &count));
        put_comma();
        put_text("{");
        put_key("key");
        put_string(key, length);
        put_key("type");
        put_tag(HURRAY_SPACE_KV_TYPE, type);
        put_key("array");
        put_truth(is_array != 0);
        put_key("value");
        put_value(reader, i, type, (size_t)count, is_array != 0);
        put_text("}");
    }
    put_text("]");
}

static void put_entries(const HurrayFileReader *reader) {
    Packed names = names_of(reader);
    uint64_t count;

    put_key("entries");
    put_text("[");
    for (size_t k = 0; k < names.count; k++) {
        HurrayItem *item;

        check(hurray_file_reader_item(reader, k, &item));
        KEEP(item, item);
        put_comma();
        put_text("{");
        put_key("name");
        put_packed(&names, k, true);
        put_key("item");
        put_item(item);
        put_text("}");
    }
    put_text("]");
    check(hurray_file_reader_item_count(reader, &count));
    put_key("items");
    put_text("[");
    for (uint64_t i = 0; i < count; i++) {
        uint64_t index;

        check(hurray_file_reader_item_entry(reader, i, &index));
        put_comma();
        put_packed(&names, (size_t)index, true);
    }
    put_text("]");
}

void read_file(const Json *request) {
    const HurrayFileReader *reader = open_file(request);

    put_kv(reader);
    put_entries(reader);
}

void visit_file(const uint8_t *bytes, size_t size, const HurrayOptions *options) {
    const HurrayFileReader *reader = open_bytes(bytes, size, options);

    put_kv(reader);
    put_entries(reader);
}

static void set_kv(HurrayFileWriter *writer, const Json *pair) {
    const Json *key = json_need(pair, "key"), *value = json_need(pair, "value");
    uint8_t type = tag_of(HURRAY_SPACE_KV_TYPE, json_need(pair, "type"));
    bool is_array = json_need(pair, "array")->truth;
    size_t count = is_array ? json_count(value) : 1, k = 0, size = 0;
    uint64_t *words = scratch(count * sizeof *words + 1);
    double *reals = scratch(count * sizeof *reals + 1);
    uint8_t *packed = NULL;

    for (const Json *one = is_array ? value->child : value; one != NULL && k < count; one = one->next, k++) {
        if (type == HURRAY_KV_FLOAT64) {
            reals[k] = json_real(one);
        } else if (type == HURRAY_KV_STRING || type == HURRAY_KV_BYTES) {
            size_t length = one->length;
            const void *from = type == HURRAY_KV_STRING ? (const void *)one->text : json_bytes(one, &length);
            uint8_t *longer = scratch(size + length + 1);

            if (size > 0) memcpy(longer, packed, size);
            memcpy(longer + size, from, length);
            packed = longer;
            words[k] = size += length;
        } else {
            words[k] = type == HURRAY_KV_BOOL    ? one->truth
                       : type == HURRAY_KV_INT64 ? (uint64_t)json_i64(one)
                                                 : json_u64(one);
        }
    }
    if (type == HURRAY_KV_FLOAT64)
        check(hurray_file_writer_kv_set_f64(writer, key->text, key->length, type, is_array, reals, count));
    else if (type == HURRAY_KV_INT64)
        check(hurray_file_writer_kv_set_i64(writer, key->text, key->length, type, is_array, (int64_t *)words, count));
    else if (type == HURRAY_KV_STRING || type == HURRAY_KV_BYTES)
        check(hurray_file_writer_kv_set_packed(writer, key->text, key->length, type, is_array, packed, size, words,
                                               count));
    else check(hurray_file_writer_kv_set_u64(writer, key->text, key->length, type, is_array, words, count));
}

void write_file(const Json *request) {
    const Json *path = json_need(request, "path");
    HurrayOptions *options = make_options(json_get(request, "options"));
    HurrayFileWriter *writer;

    check(hurray_options_set_u64(options, HURRAY_OPTION_DURABLE, 0));
    check(hurray_file_writer_create(path->text, path->length, options, &writer));
    KEEP(writer, file_writer);
    for (const Json *pair = json_need(request, "kv")->child; pair != NULL; pair = pair->next) set_kv(writer, pair);
    for (const Json *entry = json_need(request, "entries")->child; entry != NULL; entry = entry->next) {
        const Json *name = json_need(entry, "name");

        check(hurray_file_writer_put(writer, name->text, name->length, make_item(json_need(entry, "item"))));
    }
    check(hurray_file_writer_finish(writer));
}
