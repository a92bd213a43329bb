/* Items: a tensor, or a composite of items. */
#include "samples.h"

static void one_tensor(void) {
    int released = 0, owners = 0;
    uint32_t kind = 0, version = 0;
    uint64_t count = 0;
    HurrayTensor *tensor = dense_tensor(&released, &owners), *again = NULL, *none = NULL;
    HurrayItem *item = NULL, *member = NULL;
    HurrayDescriptor *head = NULL;
    OK(hurray_item_from_tensor(tensor, &item));
    OK(hurray_tensor_destroy(&tensor)); /* the item keeps a share */
    EQUAL(0, released + owners);
    OK(hurray_item_kind(item, &kind));
    EQUAL(HURRAY_ITEM_TENSOR, kind);
    OK(hurray_item_tensor(item, &again));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_item_head(item, &head));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_item_member_count(item, &count));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_item_member(item, 0, &member));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_item_data(item, &none));
    CHECK(none == NULL);
    OK(hurray_item_destroy(&item));
    OK(hurray_tensor_abi_version(again, &version));
    EQUAL(HURRAY_C_ABI_VERSION, version);
    EQUAL(0, released + owners);
    OK(hurray_tensor_destroy(&again)); /* and it outlived the item */
    EQUAL(1, released);
    EQUAL(1, owners);
}

static void a_group(void) {
    int released = 0, owners = 0;
    uint32_t kind = 0, rank = 9;
    uint64_t count = 0;
    HurrayTensor *tensor = dense_tensor(&released, &owners), *none = NULL;
    HurrayDescriptor *head = decoded(GROUP, sizeof GROUP), *found = NULL;
    HurrayItem *item = NULL, *composite = NULL, *member = NULL, *share = NULL;
    OK(hurray_item_from_tensor(tensor, &item));
    OK(hurray_tensor_destroy(&tensor));
    const HurrayItem *members[3] = {item, item, item};
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_item_composite_new(head, members, 3, &composite)); /* V-167: too many */
    STATUS(HURRAY_ERR_INVALID_LAYOUT, hurray_item_composite_new(head, members, 1, &composite)); /* V-167: too few */
    CHECK(composite == NULL);
    OK(hurray_item_composite_new(head, members, 2, &composite));
    OK(hurray_item_destroy(&item));
    OK(hurray_descriptor_destroy(&head));
    OK(hurray_item_kind(composite, &kind));
    EQUAL(HURRAY_ITEM_COMPOSITE, kind);
    OK(hurray_item_member_count(composite, &count));
    EQUAL(2, count);
    OK(hurray_item_head(composite, &found));
    OK(hurray_descriptor_rank(found, &rank));
    EQUAL(0, rank);
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_descriptor_destroy(&found)); /* borrowed */
    OK(hurray_item_member(composite, 1, &member));
    STATUS(HURRAY_ERR_INVALID_HANDLE, hurray_item_destroy(&member)); /* borrowed */
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_item_tensor(composite, &none));
    OK(hurray_item_share(member, &share));
    STATUS(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, hurray_item_member(composite, 2, &member));
    CHECK(member == NULL);
    OK(hurray_item_destroy(&composite));
    EQUAL(0, released + owners);
    OK(hurray_item_destroy(&share));
    EQUAL(1, released);
    EQUAL(1, owners);
}

static void no_head(void) {
    HurrayDescriptor *dense = decoded(DENSE, sizeof DENSE);
    HurrayItem *composite = NULL;
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_item_composite_new(dense, NULL, 0, &composite));
    OK(hurray_descriptor_destroy(&dense));
}

int main(void) {
    RUN(one_tensor);
    RUN(a_group);
    RUN(no_head);
    return FINISH();
}
