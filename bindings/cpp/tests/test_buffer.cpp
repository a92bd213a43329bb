// Buffers, lists of them, and options.
#include "check.hpp"
#include "counted.hpp"

#include <cstdlib>

using namespace hurray;

namespace {

alignas(64) std::uint8_t memory64[128];

Test allocated("buffer: memory of the library's own", [] {
  const Buffer buffer = allocate(100, 256);
  eq(buffer.byte_size(), 100U);
  eq(buffer.alignment(), 256U);
  eq(buffer.device(), Device::cpu);
  eq(buffer.device_id(), 0);
  eq(buffer.sync_mode(), SyncMode::producer_synced);
  eq(buffer.memory_class(), MemoryClass::standard);
  eq(buffer.flags(), 0U);
  eq(buffer.lead(), 0U);
  eq(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0U);
  for (const std::byte byte : buffer.bytes()) check(byte == std::byte{0});
  buffer.mutable_bytes()[99] = std::byte{7};
  eq(static_cast<const std::uint8_t*>(buffer.host_data())[99], 7);
  fails(HURRAY_ERR_INVALID_ARGUMENT, [] { allocate(1, 3); });
});

Test wrapped("buffer: memory that exists, with an owner", [] {
  std::atomic<int> ended{0};
  {
    Memory memory;
    memory.data = memory64;
    memory.byte_size = sizeof memory64;
    const Buffer buffer = wrap(memory, Counted(&ended));
    eq(buffer.data(), static_cast<void*>(memory64));
    const Buffer share = buffer.share();
    eq(share.data(), buffer.data());
  }
  eq(ended.load(), 1);
  Memory odd;
  odd.data = memory64 + 1;
  odd.byte_size = 8;
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { wrap(odd); });
});

Test device("buffer: device memory is never read", [] {
  Memory memory;
  memory.data = memory64;
  memory.byte_size = 64;
  memory.device = Device::cuda;
  memory.sync_mode = SyncMode::event;
  memory.memory_class = MemoryClass::unified;
  Buffer buffer = wrap(memory);
  eq(buffer.device(), Device::cuda);
  eq(buffer.sync_mode(), SyncMode::event);
  eq(buffer.memory_class(), MemoryClass::unified);
  fails(HURRAY_ERR_UNSUPPORTED, [&] { buffer.bytes(); });
  buffer.set_device_id(3);
  eq(buffer.device_id(), 3);
  buffer.set_flags(HURRAY_BUFFER_HOST_POINTER);
  eq(buffer.bytes().size(), 64U);
});

Test handoff("buffer: the payload of a hand-off fits the mode", [] {
  Memory memory;
  memory.data = memory64;
  memory.byte_size = 64;
  const auto release = [](void*, void*) {};
  int handle = 0;
  wrap(memory).check_producer_synced();
  fails(HURRAY_ERR_SYNC_MODE_MISMATCH, [&] { wrap(memory).check_producer_synced(&handle); });
  memory.device = Device::cuda;
  memory.sync_mode = SyncMode::event;
  wrap(memory).check_event(&handle, Device::cuda, release);
  fails(HURRAY_ERR_SYNC_MODE_MISMATCH, [&] { wrap(memory).check_event(&handle, Device::rocm, release); });
  memory.sync_mode = SyncMode::consumer_stream;
  wrap(memory).check_consumer_stream(&handle, Device::cuda);
  fails(HURRAY_ERR_SYNC_MODE_MISMATCH, [&] { wrap(memory).check_consumer_stream(nullptr, Device::cuda); });
});

Test read_only("buffer: const memory is read-only", [] {
  const Buffer buffer = buffer_of(span<const std::uint8_t>(memory64, 128));
  eq(buffer.data(), static_cast<void*>(memory64));
  eq(buffer.flags(), static_cast<std::uint32_t>(HURRAY_BUFFER_READ_ONLY));
  eq(buffer.bytes().size(), 128U);
  const std::string text = fails(HURRAY_ERR_COPY_REQUIRED, [&] { buffer.mutable_bytes(); });
  check(text.find("Copy::always") != std::string::npos);
  eq(buffer_of(span<const std::uint8_t>(memory64, 128), Copy::always).mutable_bytes().size(), 128U);
});

Test misaligned("buffer: a misaligned array is copied, and says why", [] {
  const Buffer buffer = buffer_of(span<std::uint8_t>(memory64 + 8, 16));
  check(buffer.data() != static_cast<void*>(memory64 + 8));
  eq(buffer.flags(), static_cast<std::uint32_t>(HURRAY_BUFFER_COPIED_ALIGNMENT));
  fails(HURRAY_ERR_COPY_REQUIRED, [] { buffer_of(span<std::uint8_t>(memory64 + 8, 16), Copy::never); });
  eq(buffer_of(span<std::uint8_t>(memory64, 16), Copy::never).flags(), 0U);
  eq(buffer_of(span<std::uint8_t>(memory64, 16), Copy::always).flags(),
     static_cast<std::uint32_t>(HURRAY_BUFFER_COPIED_ON_REQUEST));
});

template <class T>
struct Aligned {
  using value_type = T;
  Aligned() = default;
  template <class U>
  Aligned(const Aligned<U>&) {}
  template <class U>
  struct rebind {
    using other = Aligned<U>;
  };
  T* allocate(std::size_t n) { return static_cast<T*>(std::aligned_alloc(64, (n * sizeof(T) + 63) / 64 * 64)); }
  void deallocate(T* p, std::size_t) { std::free(p); }
  friend bool operator==(const Aligned&, const Aligned&) { return true; }
  friend bool operator!=(const Aligned&, const Aligned&) { return false; }
};

Test moved_vector("buffer: an aligned vector that is moved in is kept in place", [] {
  std::vector<double, Aligned<double>> values(9, 2.5);
  const double* data = values.data();
  const Buffer buffer = buffer_of(std::move(values));
  eq(buffer.data(), static_cast<const void*>(data));
  eq(buffer.byte_size(), 72U);
  eq(buffer.flags(), 0U);
});

Test widened_indices("buffer: narrow indices are widened", [] {
  const std::vector<std::int32_t> indices{0, 3, 2147483647};
  const Buffer buffer = widened(span<const std::int32_t>(indices));
  eq(buffer.flags(), static_cast<std::uint32_t>(HURRAY_BUFFER_COPIED_WIDTH));
  const std::uint64_t* wide = static_cast<const std::uint64_t*>(buffer.host_data());
  eq(wide[1], 3U);
  eq(wide[2], 2147483647U);
  fails(HURRAY_ERR_COPY_REQUIRED, [&] { widened(span<const std::int32_t>(indices), Copy::never); });
});

Test empty_buffer("buffer: no bytes", [] {
  eq(buffer_of(std::vector<float>()).byte_size(), 0U);
  check(buffer_of(span<float>()).bytes().empty());
});

Test lead("buffer: the lead is below 64", [] {
  Buffer buffer = allocate(128);
  buffer.set_lead(48);
  eq(buffer.lead(), 48U);
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { buffer.set_lead(64); });
});

Test lists("buffer: a list takes what is pushed", [] {
  std::atomic<int> ended{0};
  BufferList list = BufferList::make(2);
  eq(list.size(), 0U);
  Memory memory;
  Buffer buffer = wrap(memory, Counted(&ended));
  list.push(std::move(buffer));
  check(!buffer);
  list.push(allocate(5));
  eq(list.size(), 2U);
  eq(list.at(1).byte_size(), 5U);
  fails(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, [&] { list.at(2); });
  fails(HURRAY_ERR_NULL_POINTER, [&] { list.push(Buffer()); });
  eq(ended.load(), 0);
  list.reset();
  eq(ended.load(), 1);
});

Test full_list("buffer: a refused buffer stays the caller's", [] {
  BufferList list = BufferList::make();
  for (int k = 0; k < 255; ++k) list.push(allocate(0));
  Buffer last = allocate(1);
  fails(HURRAY_ERR_LIMIT_EXCEEDED, [&] { list.push(std::move(last)); });
  eq(last.byte_size(), 1U);
});

Test borrowed_list("buffer: the list of a tensor cannot be pushed to", [] {
  const Tensor tensor = from_vector(std::vector<float>{1}, {1});
  BufferList wrong = BufferList::adopt(const_cast<HurrayBufferList*>(tensor.buffers().get()));
  Buffer buffer = allocate(1);
  fails(HURRAY_ERR_INVALID_HANDLE, [&] { wrong.push(std::move(buffer)); });
  eq(buffer.byte_size(), 1U);
  static_cast<void>(wrong.release());
});

Test option_values("options: set, cancel, progress", [] {
  Options options = Options::make();
  options.set(HURRAY_OPTION_COPY, 1).set(HURRAY_OPTION_THREADS, 2);
  eq(options.progress().done, 0U);
  eq(options.progress().total, 0U);
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { options.set(HURRAY_OPTION_COPY, 3); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { options.set(999, 0); });
  options.cancel();
  fails(HURRAY_ERR_NULL_POINTER, [] { Options().cancel(); });
  Options moved = Options::adopt(options.release());
  check(static_cast<bool>(moved));
});

Test forbidden_copy("options: a copy that was forbidden", [] {
  alignas(8) std::uint8_t bytes[16] = {};
  Array array;
  array.element_type = ElementType::int32;
  array.shape = {2};
  array.data = bytes;
  array.byte_strides = {6};
  fails(HURRAY_ERR_COPY_REQUIRED,
        [&] { Tensor::from_array(array, detail::NoOwner{}, Options::make().set(HURRAY_OPTION_COPY, 1)); });
  const Tensor copy = Tensor::from_array(array);
  eq(copy.buffers().at(0).flags(), static_cast<std::uint32_t>(HURRAY_BUFFER_COPIED_ALIGNMENT));
});

}  // namespace
