/* Tensor handles of any version, which count what is called through their table. See PROTOCOL.md, `foreign`. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 256 };

typedef int32_t (*Slot)(void *handle);

typedef struct {
    uint32_t size;
    uint32_t version;
    Slot slots[SLOTS];
} Table;

typedef struct {
    uint64_t mark;
    uint32_t build;
    uint32_t reported;
    const Table *table;
} Handle;

static uint32_t calls;

static int32_t count(void *handle) {
    (void)handle;
    calls++;
    return -10;
}

void *conformance_handle(uint32_t version) {
    static Table table;
    Handle *handle = malloc(sizeof *handle);

    if (handle == NULL) return NULL;
    table.size = sizeof table;
    table.version = version;
    for (int k = 0; k < SLOTS; k++) table.slots[k] = count;
    memcpy(&handle->mark, "HRRYtens", 8);
    handle->build = version;
    handle->reported = version;
    handle->table = &table;
    calls = 0;
    return handle;
}

uint32_t conformance_calls(void *handle, uint32_t destroy) {
    if (destroy == 1) free(handle);
    return calls;
}
