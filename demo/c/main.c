/* C's part of the tour: it reads what Python wrote, and writes a tensor that Python reads.
 *
 *     main FILE STREAM OUT
 *
 * FILE is a file of tensors, STREAM a Unix socket to connect to, or a file or pipe with a stream of tensors, OUT the
 * file to write. One JSON object a line goes to standard output: one for each tensor of the file, then of the stream,
 * with the CRC-32 of its logical bytes, then one with the number of live handles. The exit code is 1 if anything fails.
 */
#include <fcntl.h>
#include <hurray.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Ends the program with the library's text where a call fails. */
static void must(HurrayStatus status, const char *what) {
    if (status >= 0) return;
    char text[512];
    size_t length = sizeof text;
    if (hurray_last_error_message(text, &length) != HURRAY_OK) length = 0;
    fprintf(stderr, "%s: %s %.*s\n", what, hurray_status_name(status), (int)length, text);
    exit(1);
}

static uint32_t crc32_of(uint32_t crc, const uint8_t *bytes, uint64_t count) {
    static uint32_t table[256];
    if (table[1] == 0) {
        for (uint32_t k = 0; k < 256; k++) {
            uint32_t value = k;
            for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
            table[k] = value;
        }
    }
    crc = ~crc;
    for (uint64_t k = 0; k < count; k++) crc = table[(crc ^ bytes[k]) & 0xff] ^ crc >> 8;
    return ~crc;
}

/* An array inside a tensor, or the tensor's own elements. */
typedef struct {
    const uint8_t *data;
    uint64_t shape[64];
    int64_t strides[64];
    size_t rank;
    uint32_t width; /* bytes of one element */
} Array;

static Array view(const HurrayTensor *tensor) {
    Array array = {0};
    void *data = NULL;
    uint32_t flags = 0, bits = 0, alignment = 0, kind = 0;
    uint64_t type = 0;
    HurrayDescriptor *descriptor = NULL;
    array.rank = 64;
    must(hurray_tensor_array_view(tensor, &data, array.shape, array.strides, &array.rank, &flags), "view");
    must(hurray_tensor_descriptor(tensor, &descriptor), "descriptor");
    must(hurray_descriptor_field_u64(descriptor, HURRAY_HEADER_FIELD_ELEMENT_TYPE, 0, &type), "element type");
    must(hurray_element_type_info((uint8_t)type, &bits, &alignment, &kind), "element type");
    array.data = data;
    array.width = bits / 8;
    return array;
}

static uint64_t count_of(const Array *array) {
    uint64_t count = 1;
    for (size_t k = 0; k < array->rank; k++) count *= array->shape[k];
    return count;
}

/* Adds the elements' bytes, in row-major order. */
static uint64_t add(uint32_t *crc, const Array *array) {
    uint64_t index[64] = {0}, count = count_of(array);
    for (uint64_t done = 0; done < count; done++) {
        int64_t at = 0;
        for (size_t k = 0; k < array->rank; k++) at += (int64_t)index[k] * array->strides[k];
        *crc = crc32_of(*crc, array->data + at, array->width);
        for (size_t k = array->rank; k-- > 0 && ++index[k] == array->shape[k];) index[k] = 0;
    }
    return count * array->width;
}

static HurrayTensor *part(const HurrayTensor *tensor, uint32_t role) {
    HurrayTensor *found = NULL;
    HurrayStatus status = hurray_tensor_part(tensor, role, 0, &found);
    if (status != HURRAY_ERR_FIELD_NOT_APPLICABLE) must(status, "part");
    return found;
}

static uint64_t copied_bytes(const HurrayTensor *tensor) {
    const uint32_t reasons = HURRAY_BUFFER_COPIED_ALIGNMENT | HURRAY_BUFFER_COPIED_WIDTH |
                             HURRAY_BUFFER_COPIED_PACKING | HURRAY_BUFFER_COPIED_ON_REQUEST;
    HurrayBufferList *list = NULL;
    uint64_t count = 0, copied = 0;
    must(hurray_tensor_buffers(tensor, &list), "buffers");
    must(hurray_buffer_list_len(list, &count), "buffers");
    for (uint64_t k = 0; k < count; k++) {
        HurrayBuffer *buffer = NULL;
        uint32_t flags = 0;
        uint64_t size = 0;
        must(hurray_buffer_list_get(list, k, &buffer), "buffer");
        must(hurray_buffer_flags(buffer, &flags), "buffer");
        must(hurray_buffer_byte_size(buffer, &size), "buffer");
        if (flags & reasons) copied += size;
    }
    return copied;
}

/* The axis and the last scale of a per-channel scheme. */
static void tell_scheme(const HurrayTensor *tensor, const HurrayDescriptor *descriptor) {
    uint64_t scheme = 0, axis = 0;
    const char *name = NULL;
    HurrayStatus status = hurray_descriptor_field_u64(descriptor, HURRAY_QUANT_FIELD_SCHEME, 0, &scheme);
    if (status == HURRAY_ERR_FIELD_NOT_PRESENT) return;
    must(status, "scheme");
    must(hurray_tag_name(HURRAY_SPACE_SCHEME, (uint32_t)scheme, &name), "scheme");
    printf(",\"quantization\":\"%s\"", name);
    if (scheme != HURRAY_SCHEME_PER_CHANNEL_AFFINE) return;
    must(hurray_descriptor_field_u64(descriptor, HURRAY_QUANT_FIELD_PER_CHANNEL_AXIS, 0, &axis), "axis");
    HurrayTensor *scales = part(tensor, HURRAY_ROLE_SCALES);
    Array array = view(scales);
    float last;
    memcpy(&last, array.data + (count_of(&array) - 1) * sizeof last, sizeof last);
    printf(",\"axis\":%llu,\"last_scale\":%.9g", (unsigned long long)axis, (double)last);
    hurray_tensor_destroy(&scales);
}

/* The entry in the middle of a CSR matrix of float32. */
static void tell_sparse(const HurrayTensor *tensor, const HurrayDescriptor *descriptor) {
    uint64_t nnz = 0;
    HurrayStatus status = hurray_descriptor_field_u64(descriptor, HURRAY_LAYOUT_FIELD_CSR_NNZ, 0, &nnz);
    if (status == HURRAY_ERR_FIELD_NOT_APPLICABLE || nnz == 0) return;
    must(status, "nnz");
    HurrayTensor *parts[3] = {part(tensor, HURRAY_ROLE_VALUES), part(tensor, HURRAY_ROLE_INDICES),
                              part(tensor, HURRAY_ROLE_POINTERS)};
    Array values = view(parts[0]), columns = view(parts[1]), pointers = view(parts[2]);
    uint64_t middle = nnz / 2, row = 0, next, column;
    float value;
    for (;; row++) {
        memcpy(&next, pointers.data + (row + 1) * sizeof next, sizeof next);
        if (next > middle) break;
    }
    memcpy(&column, columns.data + middle * sizeof column, sizeof column);
    memcpy(&value, values.data + middle * sizeof value, sizeof value);
    printf(",\"nnz\":%llu,\"middle_row\":%llu,\"middle_column\":%llu,\"middle_value\":%.9g", (unsigned long long)nnz,
           (unsigned long long)row, (unsigned long long)column, (double)value);
    for (int k = 0; k < 3; k++) hurray_tensor_destroy(&parts[k]);
}

static void report(const char *from, const char *name, size_t name_length, const HurrayTensor *tensor) {
    const uint32_t roles[4] = {HURRAY_ROLE_INDICES, HURRAY_ROLE_POINTERS, HURRAY_ROLE_SCALES, HURRAY_ROLE_ZERO_POINTS};
    HurrayDescriptor *descriptor = NULL;
    uint64_t type = 0, layout = 0, shape[64], bytes = 0;
    size_t rank = 64;
    uint32_t crc = 0;
    const char *type_name = NULL, *layout_name = NULL;
    must(hurray_tensor_descriptor(tensor, &descriptor), "descriptor");
    must(hurray_descriptor_field_u64(descriptor, HURRAY_HEADER_FIELD_ELEMENT_TYPE, 0, &type), "element type");
    must(hurray_descriptor_field_u64(descriptor, HURRAY_HEADER_FIELD_LAYOUT, 0, &layout), "layout");
    must(hurray_descriptor_field_u64_array(descriptor, HURRAY_HEADER_FIELD_SHAPE, 0, shape, &rank), "shape");
    must(hurray_tag_name(HURRAY_SPACE_ELEMENT_TYPE, (uint32_t)type, &type_name), "element type");
    must(hurray_tag_name(HURRAY_SPACE_LAYOUT, (uint32_t)layout, &layout_name), "layout");

    HurrayTensor *values = part(tensor, HURRAY_ROLE_VALUES);
    Array array = view(values ? values : tensor);
    bytes += add(&crc, &array);
    hurray_tensor_destroy(&values);
    for (int k = 0; k < 4; k++) {
        HurrayTensor *found = part(tensor, roles[k]);
        if (!found) continue;
        array = view(found);
        bytes += add(&crc, &array);
        hurray_tensor_destroy(&found);
    }
    printf("{\"from\":\"%s\",\"name\":\"%.*s\",\"dtype\":\"%s\",\"shape\":[", from, (int)name_length, name, type_name);
    for (size_t k = 0; k < rank; k++) printf("%s%llu", k ? "," : "", (unsigned long long)shape[k]);
    printf("],\"layout\":\"%s\",\"bytes\":%llu,\"copied\":%llu,\"crc32\":%u", layout_name, (unsigned long long)bytes,
           (unsigned long long)copied_bytes(tensor), crc);
    tell_scheme(tensor, descriptor);
    tell_sparse(tensor, descriptor);
    printf("}\n");
}

static void read_file(const char *path) {
    HurrayFileReader *file = NULL;
    size_t length = 0, count = 0;
    must(hurray_file_reader_open(path, strlen(path), NULL, &file), path);
    /* All names at once, one after another; first the sizes. */
    HurrayStatus status = hurray_file_reader_entry_names(file, NULL, &length, NULL, &count);
    if (status != HURRAY_ERR_BUFFER_TOO_SMALL) must(status, path);
    uint8_t *names = malloc(length + 1);
    uint64_t *ends = malloc((count + 1) * sizeof *ends);
    if (!names || !ends) exit(1);
    must(hurray_file_reader_entry_names(file, names, &length, ends, &count), path);
    for (uint64_t k = 0; k < count; k++) {
        uint64_t start = k ? ends[k - 1] : 0;
        HurrayTensor *tensor = NULL;
        must(hurray_file_reader_entry_tensor(file, k, &tensor), path);
        report("file", (const char *)names + start, (size_t)(ends[k] - start), tensor);
        hurray_tensor_destroy(&tensor);
    }
    free(names);
    free(ends);
    hurray_file_reader_destroy(&file);
}

/* A connection to a socket, or a descriptor of anything else. */
static int open_stream(const char *path) {
    int fd = open(path, O_RDONLY);
    if (fd >= 0) return fd;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ? fd : -1;
}

static void read_stream(const char *path) {
    HurrayStreamReader *reader = NULL;
    HurrayItem *item = NULL;
    int fd = open_stream(path), count = 0;
    HurrayStatus status;
    if (fd < 0) {
        perror(path);
        exit(1);
    }
    must(hurray_stream_reader_new(NULL, &reader), path);
    while ((status = hurray_stream_read_fd(reader, fd, &item)) != HURRAY_END) {
        must(status, path);
        HurrayTensor *tensor = NULL;
        char name[24];
        must(hurray_item_tensor(item, &tensor), path);
        report("stream", name, (size_t)snprintf(name, sizeof name, "%d", count++), tensor);
        hurray_tensor_destroy(&tensor);
        hurray_item_destroy(&item);
    }
    hurray_stream_reader_destroy(&reader);
    close(fd);
}

/* A column-major tensor whose element [i, j] is 10 i + j. */
static void write_file(const char *path) {
    static double data[12];
    const uint64_t shape[2] = {3, 4};
    const int64_t strides[2] = {8, 24};
    HurrayTensor *tensor = NULL;
    HurrayItem *item = NULL;
    HurrayFileWriter *file = NULL;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) data[i + 3 * j] = 10 * i + j;
    }
    must(hurray_tensor_from_array(HURRAY_TYPE_FLOAT64, shape, 2, strides, data, HURRAY_DEVICE_CPU,
                                  HURRAY_MEMORY_STANDARD, 0, 0, NULL, NULL, NULL, &tensor),
         path);
    must(hurray_item_from_tensor(tensor, &item), path);
    must(hurray_file_writer_create(path, strlen(path), NULL, &file), path);
    const uint64_t end = 1;
    must(hurray_file_writer_kv_set_packed(file, "language", 8, HURRAY_KV_STRING, 0, (const uint8_t *)"C", 1, &end, 1),
         path);
    must(hurray_file_writer_put(file, "from_c", 6, item), path);
    must(hurray_file_writer_finish(file), path);
    hurray_file_writer_destroy(&file);
    hurray_item_destroy(&item);
    hurray_tensor_destroy(&tensor);
}

int main(int argc, char **argv) {
    uint64_t live = 0;
    if (argc != 4) {
        fprintf(stderr, "usage: main FILE STREAM OUT\n");
        return 2;
    }
    if (hurray_c_abi_version() != HURRAY_C_ABI_VERSION) return 1;
    read_file(argv[1]);
    read_stream(argv[2]);
    write_file(argv[3]);
    must(hurray_live_handles(&live), "live handles");
    printf("{\"live_handles\":%llu}\n", (unsigned long long)live);
    return 0;
}
