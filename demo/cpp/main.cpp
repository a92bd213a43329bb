// C++'s part of the tour: it reads what Python wrote, and writes a tensor that Python reads.
//
//     main FILE STREAM OUT
//
// FILE is a file of tensors, STREAM a Unix socket to connect to, or a file or pipe with a stream of tensors, OUT the
// file to write. One JSON object a line goes to standard output: one for each tensor of the file, then of the stream,
// with the CRC-32 of its logical bytes, then one with the number of live handles. The exit code is 1 if anything fails.
#include "../checksum.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

/// Axis and last scale of a per-channel scheme.
void tell_scheme(const hurray::Tensor& tensor) {
  const auto scheme = tensor.descriptor().quantization();
  if (!scheme) return;
  const auto* channel = std::get_if<hurray::quant::PerChannel>(&*scheme);
  if (channel == nullptr) throw std::runtime_error("a scheme that the tour does not have");
  const auto scales = tensor.part_data<const float>(hurray::Role::scales);
  std::cout << ",\"quantization\":\"per_channel_affine\",\"axis\":" << channel->axis
            << ",\"last_scale\":" << scales[scales.size() - 1];
}

/// The entry in the middle of a CSR matrix of float32.
void tell_sparse(const hurray::Tensor& tensor) {
  const auto layout = tensor.descriptor().layout();
  const auto* csr = std::get_if<hurray::layout::Csr>(&layout);
  if (csr == nullptr || csr->nnz == 0) return;
  const auto columns = tensor.part_data<const std::uint64_t>(hurray::Role::indices);
  const auto pointers = tensor.part_data<const std::uint64_t>(hurray::Role::pointers);
  const auto values = tensor.part_data<const float>(hurray::Role::values);
  const std::size_t middle = static_cast<std::size_t>(csr->nnz / 2);
  const auto after = std::upper_bound(pointers.begin(), pointers.end(), std::uint64_t{middle});
  std::cout << ",\"nnz\":" << csr->nnz << ",\"middle_row\":" << (after - pointers.begin()) - 1
            << ",\"middle_column\":" << columns[middle] << ",\"middle_value\":" << values[middle];
}

std::uint64_t copied_bytes(const hurray::Tensor& tensor) {
  const std::uint32_t reasons = HURRAY_BUFFER_COPIED_ALIGNMENT | HURRAY_BUFFER_COPIED_WIDTH |
                                HURRAY_BUFFER_COPIED_PACKING | HURRAY_BUFFER_COPIED_ON_REQUEST;
  std::uint64_t copied = 0;
  for (std::size_t k = 0; k < tensor.descriptor().buffers().size(); ++k) {
    const hurray::BufferRef buffer = tensor.buffers().at(k);
    if ((buffer.flags() & reasons) != 0) copied += buffer.byte_size();
  }
  return copied;
}

void report(const char* from, const std::string& name, const hurray::Tensor& tensor) {
  const auto descriptor = tensor.descriptor();
  const Checksum checksum = checksum_of(tensor);
  std::cout << "{\"from\":\"" << from << "\",\"name\":\"" << name << "\",\"dtype\":\""
            << hurray::name(descriptor.element_type()) << "\",\"shape\":[";
  const hurray::Shape shape = descriptor.shape();
  for (std::size_t k = 0; k < shape.rank(); ++k) std::cout << (k > 0 ? "," : "") << shape[k];
  std::cout << "],\"layout\":\"" << hurray::name(descriptor.layout_tag()) << "\",\"bytes\":" << checksum.count()
            << ",\"copied\":" << copied_bytes(tensor) << ",\"crc32\":" << checksum.value();
  tell_scheme(tensor);
  tell_sparse(tensor);
  std::cout << "}\n";
}

void read_file(const std::string& path) {
  const auto file = hurray::FileReader::open(path);
  std::uint64_t index = 0;
  for (const std::string& name : file.names()) report("file", name, file.tensor(index++));
}

/// A connection to a socket, or a descriptor of anything else.
int open_stream(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY);
  if (fd >= 0) return fd;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw std::runtime_error("the path of the socket is too long");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error(path + " cannot be opened");
  }
  return fd;
}

void read_stream(const std::string& path) {
  const int fd = open_stream(path);
  auto reader = hurray::StreamReader::make();
  int count = 0;
  for (auto arrival = reader.read_fd(fd); arrival.state != hurray::StreamState::end; arrival = reader.read_fd(fd)) {
    if (arrival.state == hurray::StreamState::item) report("stream", std::to_string(count++), arrival.item.tensor());
  }
  close(fd);
}

/// A column-major tensor whose element [i, j] is 10 i + j.
void write_file(const std::string& path) {
  std::vector<double> data(12);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) data[i + 3 * j] = static_cast<double>(10 * i + j);
  }
  const hurray::Tensor tensor = hurray::from_strided(data, {3, 4}, {1, 3});
  auto file = hurray::FileWriter::create(path);
  file.set("language", std::string("C++"));
  file.put("from_cpp", tensor);
  file.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: main FILE STREAM OUT\n";
    return 2;
  }
  std::cout << std::setprecision(9);
  try {
    read_file(argv[1]);
    read_stream(argv[2]);
    write_file(argv[3]);
    std::cout << "{\"live_handles\":" << hurray::live_handles() << "}\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
