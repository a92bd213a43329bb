// clang-format Language: C
/* JSON in and out, and what ends a request early. */

#ifndef ADAPTER_JSON_H
#define ADAPTER_JSON_H

#include <hurray.h>
#include <stdbool.h>

typedef enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_LIST, JSON_OBJECT } JsonKind;

/** A value. Members of a list or an object are chained. Lives until the next request. */
typedef struct Json {
    JsonKind kind;
    bool truth;
    int64_t number;
    const char *text; /* of a string; not NUL-terminated */
    size_t length;
    const char *key; /* NUL-terminated */
    struct Json *child;
    struct Json *next;
} Json;

/** What is being written: the answer's keys so far. */
typedef struct {
    char *data;
    size_t size;
    size_t capacity;
} Out;

/** Memory that lasts until the next request. */
void *scratch(size_t size);
void scratch_reset(void);

const Json *json_parse(const char *text, size_t length);
/** A member of an object; NULL if it is missing or null. */
const Json *json_get(const Json *object, const char *key);
/** As above, and a fault if it is missing. */
const Json *json_need(const Json *object, const char *key);
bool json_is(const Json *value, const char *text);
size_t json_count(const Json *list);
char *json_text(const Json *value);
uint64_t json_u64(const Json *value); /* a number, or one in a string */
int64_t json_i64(const Json *value);
double json_real(const Json *value);
uint8_t *json_bytes(const Json *value, size_t *out_size);
uint64_t *json_u64s(const Json *list, size_t *out_count);
int64_t *json_i64s(const Json *list, size_t *out_count);

extern Out out;

void put_text(const char *text); /* as it is */
void put_key(const char *key);   /* with a comma where one is due */
void put_comma(void);
void put_string(const char *text, size_t length);
void put_number(int64_t number);
void put_wide(uint64_t number);
void put_wide_signed(int64_t number);
void put_real(double number);
void put_truth(bool truth);
void put_hex(const void *data, size_t size);
void put_digits(const void *data, size_t size); /* without quotes */

/** Ends the request: the adapter cannot express something. */
_Noreturn void fault(const char *text);
/** Ends the request unless the status is 0 or positive; gives it back. */
HurrayStatus check(HurrayStatus status);

#endif
