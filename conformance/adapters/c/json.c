#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Out out;

/* ---- Memory of one request ---- */

typedef struct Block {
    struct Block *before;
    size_t used;
    size_t size;
} Block;

static Block *blocks;

void *scratch(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (blocks == NULL || blocks->size - blocks->used < size) {
        size_t room = size > ((size_t)1 << 20) ? size : (size_t)1 << 20;
        Block *block = malloc(sizeof *block + 16 + room);

        if (block == NULL) fault("no memory");
        *block = (Block){blocks, 0, room};
        blocks = block;
    }
    blocks->used += size;
    return (char *)blocks + sizeof *blocks + (16 - sizeof *blocks % 16) % 16 + blocks->used - size;
}

void scratch_reset(void) {
    while (blocks != NULL) {
        Block *before = blocks->before;

        free(blocks);
        blocks = before;
    }
}

/* ---- In ---- */

typedef struct {
    const char *at;
    const char *end;
} Text;

static Json *parse(Text *text);

static void skip(Text *text) {
    while (text->at < text->end && strchr(" \t\r\n", *text->at) != NULL) text->at++;
}

static char next(Text *text) {
    if (text->at == text->end) fault("JSON ends early");
    return *text->at++;
}

static char *put_utf8(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 63));
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    }
    return to;
}

static uint32_t parse_unit(Text *text) {
    char digits[5] = {0};

    for (int k = 0; k < 4; k++) digits[k] = next(text);
    return (uint32_t)strtoul(digits, NULL, 16);
}

static char *parse_string(Text *text, size_t *out_length) {
    const char *close = text->at;
    char *found, *to;

    while (close < text->end && *close != '"') close += *close == '\\' ? 2 : 1;
    found = to = scratch((size_t)(close - text->at) + 1);
    for (char c = next(text); c != '"'; c = next(text)) {
        if (c != '\\') {
            *to++ = c;
            continue;
        }
        c = next(text);
        switch (c) {
        case 'n':
            *to++ = '\n';
            break;
        case 't':
            *to++ = '\t';
            break;
        case 'r':
            *to++ = '\r';
            break;
        case 'b':
            *to++ = '\b';
            break;
        case 'f':
            *to++ = '\f';
            break;
        case 'u': {
            uint32_t code = parse_unit(text);

            if (code >= 0xD800 && code < 0xDC00) {
                text->at += 2;
                code = 0x10000 + ((code - 0xD800) << 10) + (parse_unit(text) - 0xDC00);
            }
            to = put_utf8(to, code);
            break;
        }
        default:
            *to++ = c;
        }
    }
    *to = '\0';
    *out_length = (size_t)(to - found);
    return found;
}

static Json *parse_members(Text *text, JsonKind kind) {
    Json *value = scratch(sizeof *value), **last = &value->child;
    char close = kind == JSON_LIST ? ']' : '}';

    *value = (Json){.kind = kind};
    last = &value->child;
    for (skip(text); text->at < text->end && *text->at != close; skip(text)) {
        const char *key = NULL;
        size_t length;

        if (*text->at == ',') text->at++;
        skip(text);
        if (kind == JSON_OBJECT) {
            next(text);
            key = parse_string(text, &length);
            skip(text);
            next(text);
        }
        *last = parse(text);
        (*last)->key = key;
        last = &(*last)->next;
    }
    next(text);
    return value;
}

static Json *parse(Text *text) {
    Json *value;
    char c;

    skip(text);
    c = next(text);
    if (c == '[' || c == '{') return parse_members(text, c == '[' ? JSON_LIST : JSON_OBJECT);
    value = scratch(sizeof *value);
    *value = (Json){.kind = JSON_NULL};
    if (c == '"') {
        value->kind = JSON_STRING;
        value->text = parse_string(text, &value->length);
    } else if (c == 't' || c == 'f') {
        value->kind = JSON_BOOL;
        value->truth = c == 't';
        text->at += c == 't' ? 3 : 4;
    } else if (c == 'n') {
        text->at += 3;
    } else {
        char *end;

        value->kind = JSON_NUMBER;
        value->number = strtoll(text->at - 1, &end, 10);
        if (end == text->at - 1) fault("no JSON");
        text->at = end;
    }
    return value;
}

const Json *json_parse(const char *text, size_t length) {
    Text whole = {text, text + length};

    return parse(&whole);
}

const Json *json_get(const Json *object, const char *key) {
    for (const Json *one = object->child; one != NULL; one = one->next)
        if (one->key != NULL && strcmp(one->key, key) == 0) return one->kind == JSON_NULL ? NULL : one;
    return NULL;
}

const Json *json_need(const Json *object, const char *key) {
    const Json *found = json_get(object, key);

    if (found == NULL) fault(key);
    return found;
}

bool json_is(const Json *value, const char *text) {
    return value != NULL && value->kind == JSON_STRING && strlen(text) == value->length &&
           memcmp(value->text, text, value->length) == 0;
}

size_t json_count(const Json *list) {
    size_t count = 0;

    for (const Json *one = list->child; one != NULL; one = one->next) count++;
    return count;
}

char *json_text(const Json *value) {
    char *found;

    if (value->kind != JSON_STRING) fault("a string is wanted");
    found = scratch(value->length + 1);
    memcpy(found, value->text, value->length);
    found[value->length] = '\0';
    return found;
}

uint64_t json_u64(const Json *value) {
    return value->kind == JSON_STRING ? strtoull(json_text(value), NULL, 10) : (uint64_t)value->number;
}

int64_t json_i64(const Json *value) {
    return value->kind == JSON_STRING ? strtoll(json_text(value), NULL, 10) : value->number;
}

double json_real(const Json *value) {
    uint64_t bits = strtoull(json_text(value), NULL, 16);
    double found;

    memcpy(&found, &bits, sizeof found);
    return found;
}

static int digit(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }

uint8_t *json_bytes(const Json *value, size_t *out_size) {
    uint8_t *found;

    if (value->kind != JSON_STRING) fault("bytes are wanted");
    found = scratch(value->length / 2 + 1);
    *out_size = value->length / 2;
    for (size_t k = 0; k < *out_size; k++)
        found[k] = (uint8_t)(digit(value->text[2 * k]) << 4 | digit(value->text[2 * k + 1]));
    return found;
}

uint64_t *json_u64s(const Json *list, size_t *out_count) {
    uint64_t *found, *to;

    *out_count = json_count(list);
    found = to = scratch(*out_count * sizeof *found + 1);
    for (const Json *one = list->child; one != NULL; one = one->next) *to++ = json_u64(one);
    return found;
}

int64_t *json_i64s(const Json *list, size_t *out_count) {
    int64_t *found, *to;

    *out_count = json_count(list);
    found = to = scratch(*out_count * sizeof *found + 1);
    for (const Json *one = list->child; one != NULL; one = one->next) *to++ = json_i64(one);
    return found;
}

/* ---- Out ---- */

static char *room(size_t size) {
    if (out.capacity - out.size < size + 1) {
        out.capacity = (out.capacity + size) * 2 + 4096;
        out.data = realloc(out.data, out.capacity);
        if (out.data == NULL) abort();
    }
    out.size += size;
    return out.data + out.size - size;
}

void put_text(const char *text) { memcpy(room(strlen(text)), text, strlen(text)); }

void put_comma(void) {
    if (out.size > 0 && strchr("[{:,", out.data[out.size - 1]) == NULL) put_text(",");
}

void put_key(const char *key) {
    put_comma();
    put_string(key, strlen(key));
    put_text(":");
}

void put_string(const char *text, size_t length) {
    put_text("\"");
    for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)text[k];
        char escaped[8];

        if (c == '"' || c == '\\' || c < ' ') {
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
            put_text(escaped);
        } else {
            *room(1) = (char)c;
        }
    }
    put_text("\"");
}

static void put_formatted(const char *format, unsigned long long number) {
    char text[32];

    snprintf(text, sizeof text, format, number);
    put_text(text);
}

void put_number(int64_t number) { put_formatted("%lld", (unsigned long long)number); }

void put_wide(uint64_t number) { put_formatted("\"%llu\"", number); }

void put_wide_signed(int64_t number) { put_formatted("\"%lld\"", (unsigned long long)number); }

void put_real(double number) {
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    put_formatted("\"%016llx\"", bits);
}

void put_truth(bool truth) { put_text(truth ? "true" : "false"); }

void put_digits(const void *data, size_t size) {
    const uint8_t *bytes = data;
    char *to = room(2 * size);

    for (size_t k = 0; k < size; k++) {
        *to++ = "0123456789abcdef"[bytes[k] >> 4];
        *to++ = "0123456789abcdef"[bytes[k] & 15];
    }
}

void put_hex(const void *data, size_t size) {
    put_text("\"");
    put_digits(data, size);
    put_text("\"");
}
