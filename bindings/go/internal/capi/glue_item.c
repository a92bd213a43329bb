#include "glue.h"

int32_t hg_item_from_tensor(uintptr_t tensor, HgCall *call) {
    HurrayItem *item = NULL;
    const HurrayStatus status = hurray_item_from_tensor((const HurrayTensor *)tensor, &item);
    call->handle = (uintptr_t)item;
    return hg_done(status, call);
}

int32_t hg_item_composite(uintptr_t head, const uintptr_t *members, size_t count, HgCall *call) {
    HurrayItem *item = NULL;
    const HurrayStatus status = hurray_item_composite_new(
        (const HurrayDescriptor *)head, (const HurrayItem *const *)(const void *)members, count, &item);
    call->handle = (uintptr_t)item;
    return hg_done(status, call);
}

// The kind in `number[0]`, the number of members in `number[1]`.
int32_t hg_item_kind(uintptr_t item, HgCall *call) {
    uint32_t kind = 0;
    HurrayStatus status = hurray_item_kind((const HurrayItem *)item, &kind);
    call->number[0] = kind;
    call->number[1] = 0;
    if (status == HURRAY_OK && kind == HURRAY_ITEM_COMPOSITE) {
        status = hurray_item_member_count((const HurrayItem *)item, &call->number[1]);
    }
    return hg_done(status, call);
}

// A share.
int32_t hg_item_tensor(uintptr_t item, HgCall *call) {
    HurrayTensor *tensor = NULL;
    const HurrayStatus status = hurray_item_tensor((const HurrayItem *)item, &tensor);
    call->handle = (uintptr_t)tensor;
    return hg_done(status, call);
}

// A share.
int32_t hg_item_data(uintptr_t item, HgCall *call) {
    HurrayTensor *tensor = NULL;
    const HurrayStatus status = hurray_item_data((const HurrayItem *)item, &tensor);
    call->handle = (uintptr_t)tensor;
    return hg_done(status, call);
}

// Borrowed from the item.
int32_t hg_item_head(uintptr_t item, HgCall *call) {
    HurrayDescriptor *head = NULL;
    const HurrayStatus status = hurray_item_head((const HurrayItem *)item, &head);
    call->handle = (uintptr_t)head;
    return hg_done(status, call);
}

// A share.
int32_t hg_item_member(uintptr_t item, uint64_t index, HgCall *call) {
    HurrayItem *borrowed = NULL;
    HurrayItem *share = NULL;
    HurrayStatus status = hurray_item_member((const HurrayItem *)item, index, &borrowed);
    if (status == HURRAY_OK) status = hurray_item_share(borrowed, &share);
    call->handle = (uintptr_t)share;
    return hg_done(status, call);
}

void hg_item_destroy(uintptr_t item) {
    HurrayItem *handle = (HurrayItem *)item;
    hurray_item_destroy(&handle);
}
