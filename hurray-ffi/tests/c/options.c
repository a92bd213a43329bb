/* Options: numbered values with bounds, and cancelling. */
#include "samples.h"

static void bounds(void) {
    /* option, largest value; the value after it is refused (UINT64_MAX has none) */
    static const struct {
        uint32_t option;
        uint64_t most;
    } rules[] = {
        {HURRAY_OPTION_PERMISSIVE, 1},
        {HURRAY_OPTION_CROSS_MACHINE, 1},
        {HURRAY_OPTION_MAP, 2},
        {HURRAY_OPTION_VERIFY, 1},
        {HURRAY_OPTION_SORTED_INDEX, 1},
        {HURRAY_OPTION_INDEX_CRC, 1},
        {HURRAY_OPTION_KV_MODE, 3},
        {HURRAY_OPTION_DURABLE, 1},
        {HURRAY_OPTION_COMPACT, 1},
        {HURRAY_OPTION_REFUSE_DEVICE_BYTES, 1},
        {HURRAY_OPTION_COPY, 2},
        {HURRAY_OPTION_PARTIAL_BLOCKS, 1},
        {HURRAY_OPTION_DUPLICATES, 2},
        {HURRAY_OPTION_DATA_ALIGNMENT, 2 << 20},
        {HURRAY_OPTION_MAX_DESCRIPTOR_BYTES, UINT64_MAX},
        {HURRAY_OPTION_MAX_BUFFER_BYTES, UINT64_MAX},
        {HURRAY_OPTION_MAX_TOTAL_BYTES, UINT64_MAX},
        {HURRAY_OPTION_MAX_INDEX_BYTES, UINT64_MAX},
        {HURRAY_OPTION_MAX_KV_BYTES, UINT64_MAX},
        {HURRAY_OPTION_READ_AHEAD, UINT64_MAX},
    };
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++) {
        OK(hurray_options_set_u64(options, rules[k].option, rules[k].most));
        if (rules[k].most != UINT64_MAX) {
            STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_options_set_u64(options, rules[k].option, rules[k].most + 1));
        }
    }
    OK(hurray_options_set_u64(options, HURRAY_OPTION_DATA_ALIGNMENT, 8192));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_options_set_u64(options, HURRAY_OPTION_DATA_ALIGNMENT, 2048));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_options_set_u64(options, HURRAY_OPTION_DATA_ALIGNMENT, 4097));
    CHECK(test_text_has("option[13] = 4097"));
    OK(hurray_options_destroy(&options));
}

static void numbers_without_an_option(void) {
    HurrayOptions *options = NULL;
    OK(hurray_options_new(&options));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_options_set_u64(options, 0, 0));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_options_set_u64(options, 28, 0));
    STATUS(HURRAY_ERR_INVALID_ARGUMENT, hurray_options_set_u64(options, UINT32_MAX, 0));
    CHECK(test_text_has("option"));
    OK(hurray_options_destroy(&options));
}

/* 32 bytes copied from an array; a cancelled call copies nothing that can be seen, and stays cancelled. */
static void progress_and_cancel(void) {
    const uint64_t shape[1] = {8};
    float values[8] = {0};
    int owners = 0;
    uint64_t done = 9, total = 9;
    HurrayOptions *options = NULL;
    HurrayTensor *tensor = NULL;
    OK(hurray_options_new(&options));
    OK(hurray_options_progress(options, &done, &total));
    EQUAL(0, done);
    EQUAL(0, total);
    OK(hurray_options_set_u64(options, HURRAY_OPTION_COPY, 2));
    OK(hurray_tensor_from_array(HURRAY_TYPE_FLOAT32, shape, 1, NULL, values, 0, 0, 0, 0, options, &owners, count_owner,
                                &tensor));
    EQUAL(1, owners);
    OK(hurray_tensor_destroy(&tensor));
    OK(hurray_options_progress(options, &done, &total));
    EQUAL(32, done);
    EQUAL(32, total);
    OK(hurray_options_cancel(options));
    for (int k = 0; k < 2; k++) {
        tensor = (HurrayTensor *)(void *)values;
        STATUS(HURRAY_ERR_CANCELLED, hurray_tensor_from_array(HURRAY_TYPE_FLOAT32, shape, 1, NULL, values, 0, 0, 0, 0,
                                                              options, &owners, count_owner, &tensor));
        CHECK(tensor == NULL);
    }
    EQUAL(1, owners);
    OK(hurray_options_destroy(&options));
    CHECK(options == NULL);
}

int main(void) {
    RUN(bounds);
    RUN(numbers_without_an_option);
    RUN(progress_and_cancel);
    return FINISH();
}
