/* DLPack from C. */
#include "dlpack.h"
#include "samples.h"

static void out_and_in(void) {
    int released = 0, owners = 0;
    HurrayTensor *tensor = dense_tensor(&released, &owners);
    int32_t type = 0, id = -1;
    OK(hurray_tensor_dlpack_device(tensor, &type, &id));
    EQUAL(1, type); /* kDLCPU */
    EQUAL(0, id);
    DLManagedTensorVersioned *versioned = NULL;
    DLManagedTensor *unversioned = NULL;
    OK(hurray_tensor_to_dlpack(tensor, NULL, &versioned));
    OK(hurray_tensor_to_dlpack_unversioned(tensor, NULL, &unversioned));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(0, released);
    EQUAL(1, versioned->major);
    EQUAL(0, versioned->flags);
    EQUAL(2, versioned->tensor.ndim);
    EQUAL(2, versioned->tensor.code); /* kDLFloat */
    EQUAL(32, versioned->tensor.bits);
    EQUAL(2, versioned->tensor.shape[0]);
    EQUAL(3, versioned->tensor.shape[1]);
    EQUAL(3, versioned->tensor.strides[0]);
    EQUAL(1, versioned->tensor.strides[1]);
    CHECK(versioned->tensor.data == unversioned->tensor.data);
    OK(hurray_tensor_from_dlpack(&versioned, NULL, &tensor));
    CHECK(versioned == NULL);
    unversioned->deleter(unversioned);
    EQUAL(0, released);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, released);
    EQUAL(1, owners);
}

static void out_and_in_without_a_version(void) {
    int released = 0;
    HurrayTensor *tensor = dense_tensor(&released, NULL);
    DLManagedTensor *managed = NULL;
    void *data = NULL;
    uint64_t shape[2] = {0, 0};
    int64_t strides[2];
    size_t rank = 2;
    uint32_t flags;
    OK(hurray_tensor_to_dlpack_unversioned(tensor, NULL, &managed));
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_tensor_from_dlpack_unversioned(&managed, NULL, &tensor));
    CHECK(managed == NULL);
    OK(hurray_tensor_array_view(tensor, &data, shape, strides, &rank, &flags));
    CHECK(data == sample_memory);
    EQUAL(2, rank);
    EQUAL(2, shape[0]);
    EQUAL(3, shape[1]);
    EQUAL(0, released);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, released);
}

/* A refused struct stays its owner's; one of an unknown major version does not. */
static void refusals(void) {
    int released = 0;
    HurrayTensor *tensor = dense_tensor(&released, NULL), *made = NULL;
    DLManagedTensorVersioned *versioned = NULL;
    OK(hurray_tensor_to_dlpack(tensor, NULL, &versioned));
    OK(hurray_tensor_destroy(&tensor));
    versioned->tensor.lanes = 4;
    STATUS(HURRAY_ERR_UNSUPPORTED, hurray_tensor_from_dlpack(&versioned, NULL, &made));
    CHECK(versioned != NULL && made == NULL);
    versioned->tensor.lanes = 1;
    versioned->major = 2;
    STATUS(HURRAY_ERR_VERSION_MISMATCH, hurray_tensor_from_dlpack(&versioned, NULL, &made));
    CHECK(versioned == NULL && made == NULL);
    EQUAL(1, released);
}

int main(void) {
    RUN(out_and_in);
    RUN(out_and_in_without_a_version);
    RUN(refusals);
    return FINISH();
}
