/* Handles on other threads, at the end of a thread, at the end of the process, and in a child of it. */
#include "samples.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t dense_size[1] = {24};

static void *destroy_tensor(void *argument) {
    HurrayTensor *tensor = (HurrayTensor *)argument;
    return hurray_tensor_destroy(&tensor) == HURRAY_OK ? NULL : argument;
}

static void on_thread(void *(*body)(void *), void *argument) {
    pthread_t thread;
    void *result = NULL;
    EQUAL(0, pthread_create(&thread, NULL, body, argument));
    EQUAL(0, pthread_join(thread, &result));
    CHECK(result == NULL);
}

static pthread_t released_on;

static void note_thread(void *owner) {
    ++*(int *)owner;
    released_on = pthread_self();
}

/* The release runs once, on the thread that drops the last share. */
static void released_from_another_thread(void) {
    int released = 0, owners = 0;
    HurrayTensor *tensor = NULL, *share = NULL;
    OK(hurray_tensor_new(10, DENSE, sizeof DENSE, cpu_list(1, dense_size, &released), &owners, note_thread, &tensor));
    OK(hurray_tensor_share(tensor, &share));
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(0, owners);
    on_thread(destroy_tensor, share);
    EQUAL(1, owners);
    EQUAL(1, released);
    CHECK(!pthread_equal(released_on, pthread_self()));
}

enum { THREADS = 8, ROUNDS = 2000 };

static void *share_and_drop(void *argument) {
    const HurrayTensor *tensor = (const HurrayTensor *)argument;
    for (int k = 0; k < ROUNDS; k++) {
        HurrayTensor *share = NULL, *part = NULL;
        HurrayBufferList *list = NULL;
        HurrayBuffer *buffer = NULL, *kept = NULL;
        uint64_t sum = 0, size = 0;
        if (hurray_tensor_share(tensor, &share) || hurray_tensor_buffers(share, &list) ||
            hurray_buffer_list_get(list, k % 3, &buffer) || hurray_buffer_share(buffer, &kept) ||
            hurray_tensor_part(share, HURRAY_ROLE_INDICES, 0, &part) || hurray_tensor_destroy(&share) ||
            hurray_buffer_byte_size(kept, &size) || hurray_live_handles(&sum) || hurray_buffer_destroy(&kept) ||
            hurray_tensor_destroy(&part) || size != (k % 3 == 2 ? 24u : 32u)) {
            return argument;
        }
    }
    return NULL;
}

/* Many threads share and drop one tensor: it is released once, by the last. */
static void shared_at_once(void) {
    const uint64_t sizes[3] = {32, 32, 24};
    int released = 0, owners = 0;
    pthread_t threads[THREADS];
    HurrayTensor *tensor = NULL;
    OK(hurray_tensor_new(10, CSR, sizeof CSR, cpu_list(3, sizes, &released), &owners, count_owner, &tensor));
    for (int k = 0; k < THREADS; k++) EQUAL(0, pthread_create(&threads[k], NULL, share_and_drop, tensor));
    for (int k = 0; k < THREADS; k++) {
        void *result = NULL;
        EQUAL(0, pthread_join(threads[k], &result));
        CHECK(result == NULL);
    }
    EQUAL(0, released + owners);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(3, released);
    EQUAL(1, owners);
}

static void *fail_here(void *argument) {
    HurrayDescriptor *descriptor = NULL;
    HurrayStatus status = 0;
    size_t len = 0;
    (void)argument;
    /* Nothing has failed on this thread yet; then its own error is there. */
    if (hurray_last_error_info(&status, NULL, NULL) || status != HURRAY_OK) return &sample_memory;
    if (hurray_last_error_message(NULL, &len) || len != 0) return &sample_memory;
    if (hurray_descriptor_decode(DENSE, 12, &descriptor) != HURRAY_ERR_TRUNCATED) return &sample_memory;
    if (hurray_last_error_info(&status, NULL, NULL) || status != HURRAY_ERR_TRUNCATED) return &sample_memory;
    return NULL;
}

static void each_thread_has_its_last_error(void) {
    HurrayStatus status = 0;
    STATUS(HURRAY_ERR_NULL_POINTER, hurray_live_handles(NULL));
    on_thread(fail_here, NULL);
    OK(hurray_last_error_info(&status, NULL, NULL));
    EQUAL(HURRAY_ERR_NULL_POINTER, status);
}

static pthread_key_t last_words;

/* Runs among the destructors of the thread's own variables: calls, failing ones too, still work. */
static void at_thread_end(void *argument) {
    HurrayTensor *tensor = (HurrayTensor *)argument;
    HurrayDescriptor *descriptor = NULL;
    if (hurray_descriptor_decode(DENSE, 12, &descriptor) != HURRAY_ERR_TRUNCATED) abort();
    if (hurray_tensor_destroy(&tensor) != HURRAY_OK) abort();
}

static void *leave_a_tensor(void *argument) { return pthread_setspecific(last_words, argument) == 0 ? NULL : argument; }

static void destroyed_as_a_thread_ends(void) {
    int owners = 0;
    HurrayTensor *tensor = dense_tensor(NULL, &owners);
    EQUAL(0, pthread_key_create(&last_words, at_thread_end));
    on_thread(leave_a_tensor, tensor);
    EQUAL(1, owners);
    EQUAL(0, pthread_key_delete(last_words));
}

/* Parent and child have their own copy of the handle; each releases its own, once. */
static void destroyed_in_a_child_too(void) {
    int owners = 0, status = 1;
    HurrayTensor *tensor = dense_tensor(NULL, &owners);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int good = hurray_tensor_destroy(&tensor) == HURRAY_OK && owners == 1;
        _exit(good ? 0 : 1);
    }
    EQUAL(child, waitpid(child, &status, 0));
    EQUAL(0, status);
    EQUAL(0, owners);
    OK(hurray_tensor_destroy(&tensor));
    EQUAL(1, owners);
}

static HurrayTensor *left_over;
static int left_over_owners;

static void at_process_end(void) {
    uint64_t live = 9;
    if (hurray_tensor_destroy(&left_over) != HURRAY_OK || left_over_owners != 1) _exit(3);
    if (hurray_live_handles(&live) != HURRAY_OK || live != 0) _exit(4);
}

int main(void) {
    if (atexit(at_process_end) != 0) return 1;
    RUN(released_from_another_thread);
    RUN(shared_at_once);
    RUN(each_thread_has_its_last_error);
    RUN(destroyed_as_a_thread_ends);
    RUN(destroyed_in_a_child_too);
    int failed = FINISH();
    left_over = dense_tensor(NULL, &left_over_owners);
    return failed;
}
