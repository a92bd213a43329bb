// Ownership: whatever is done with the C++ objects, every owner ends once and every handle is destroyed once.
#include "check.hpp"
#include "counted.hpp"

#include <stdexcept>
#include <thread>

using namespace hurray;

namespace {

float numbers[4] = {1, 2, 3, 4};

Tensor make(std::atomic<int>& ended) { return from_span(span<float>(numbers, 4), {4}, Counted(&ended)); }

Test scope("handle: the end of a scope", [] {
  std::atomic<int> ended{0};
  {
    const Tensor tensor = make(ended);
    check(static_cast<bool>(tensor));
    eq(ended.load(), 0);
  }
  eq(ended.load(), 1);
});

Test move("handle: B126, move construction leaves the source empty", [] {
  std::atomic<int> ended{0};
  {
    Tensor first = make(ended);
    Tensor second = std::move(first);
    check(!first && second);
    fails(HURRAY_ERR_NULL_POINTER, [&] { first.describe(); });
  }
  eq(ended.load(), 1);
});

Test move_assign("handle: B126, move assignment releases the target first", [] {
  std::atomic<int> first_ended{0};
  std::atomic<int> second_ended{0};
  {
    Tensor first = make(first_ended);
    Tensor second = make(second_ended);
    first = std::move(second);
    eq(first_ended.load(), 1);
    eq(second_ended.load(), 0);
    check(first && !second);
  }
  eq(first_ended.load(), 1);
  eq(second_ended.load(), 1);
});

Test self_move("handle: B126, assigning a handle to itself keeps it", [] {
  std::atomic<int> ended{0};
  {
    Tensor tensor = make(ended);
    Tensor& same = tensor;
    tensor = std::move(same);
    eq(ended.load(), 0);
    check(static_cast<bool>(tensor));
  }
  eq(ended.load(), 1);
});

Test swapped("handle: B126, swap", [] {
  std::atomic<int> ended[2] = {};
  {
    Tensor first = make(ended[0]);
    Tensor second = make(ended[1]);
    first.swap(second);
    first.reset();
    eq(ended[1].load(), 1);
    eq(ended[0].load(), 0);
    using std::swap;
    swap(first, second);
    check(first && !second);
  }
  eq(ended[0].load(), 1);
});

Test growth("handle: B126, a vector of handles that grows", [] {
  std::atomic<int> ended{0};
  {
    std::vector<Tensor> tensors;
    for (int k = 0; k < 100; ++k) tensors.push_back(make(ended));
    eq(ended.load(), 0);
    tensors.erase(tensors.begin() + 10, tensors.begin() + 20);
    eq(ended.load(), 10);
  }
  eq(ended.load(), 100);
});

struct Broken {
  explicit Broken(Tensor&& given) : tensor(std::move(given)) { throw std::logic_error("in the constructor"); }
  Tensor tensor;
};

Test throwing_constructor("handle: B126, an exception in the constructor of what holds it", [] {
  std::atomic<int> ended{0};
  try {
    Broken broken(make(ended));
    check(false);
  } catch (const std::logic_error&) {
  }
  eq(ended.load(), 1);
});

Test failed_call("handle: a failed constructor ends its owner once", [] {
  std::atomic<int> ended{0};
  Array array;
  array.shape = {4};
  fails(HURRAY_ERR_NULL_POINTER, [&] { Tensor::from_array(array, Counted(&ended)); });
  eq(ended.load(), 1);
  fails(HURRAY_ERR_BUFFER_MISMATCH, [&] { from_span(span<float>(numbers, 4), {5}, Counted(&ended)); });
  eq(ended.load(), 2);
  Memory memory;
  memory.data = numbers;
  memory.byte_size = 16;
  memory.alignment = 3;
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { wrap(memory, Counted(&ended)); });
  eq(ended.load(), 3);
});

Test shares("handle: the owner ends with the last share, in any order", [] {
  std::atomic<int> ended{0};
  Tensor first = make(ended);
  Tensor second = first.share();
  Buffer buffer = second.buffers().at(0).share();
  first.reset();
  second.reset();
  eq(ended.load(), 0);
  // The first bytes may belong to somebody else: numbers are not aligned to 64.
  check(static_cast<std::byte*>(buffer.host_data()) + buffer.lead() == reinterpret_cast<std::byte*>(numbers));
  buffer.reset();
  eq(ended.load(), 1);
});

Test copied("handle: a copy ends the owner before the call returns", [] {
  std::atomic<int> ended{0};
  const Tensor tensor = from_span(span<float>(numbers, 4), {4}, Counted(&ended), Copy::always);
  eq(ended.load(), 1);
  check((tensor.buffers().at(0).flags() & HURRAY_BUFFER_COPIED_ON_REQUEST) != 0);
  eq(tensor.to_vector<float>()[3], 4.0F);
});

Test released("handle: release gives the raw handle up, adopt takes it", [] {
  std::atomic<int> ended{0};
  Tensor tensor = make(ended);
  HurrayTensor* raw = tensor.release();
  check(!tensor && raw != nullptr);
  eq(ended.load(), 0);
  {
    const Tensor again = Tensor::adopt(raw);
  }
  eq(ended.load(), 1);
});

Test other_version("handle: a tensor of another ABI version is refused and stays the caller's", [] {
  auto descriptor = DescriptorBuilder::make(ElementType::float32, {4}).default_buffers().finish();
  std::atomic<int> ended{0};
  Tensor foreign = Tensor::from_bytes(descriptor.encode(), std::move(BufferList::make().push(allocate(16))),
                                      Counted(&ended), HURRAY_C_ABI_VERSION - 1);
  eq(foreign.abi_version(), 9U);
  HurrayTensor* raw = foreign.release();
  const std::string text = fails(HURRAY_ERR_VERSION_MISMATCH, [&] { Tensor::adopt(raw); });
  check(text.find("version 9") != std::string::npos && text.find("version 10") != std::string::npos);
  eq(ended.load(), 0);
  eq(hurray_tensor_destroy(&raw), HURRAY_OK);
  eq(ended.load(), 1);
  fails(HURRAY_ERR_NULL_POINTER, [] { Tensor::adopt(nullptr); });
});

struct ThrowsAtEnd {
  explicit ThrowsAtEnd(std::atomic<int>* count) : ended(count) {}
  ThrowsAtEnd(ThrowsAtEnd&& other) noexcept : ended(std::exchange(other.ended, nullptr)) {}
  ~ThrowsAtEnd() noexcept(false) {
    if (ended == nullptr) return;
    ++*ended;
    throw std::runtime_error("in the destructor");
  }
  std::atomic<int>* ended;
};

Test throwing_owner("handle: B127, an owner whose destructor throws is stopped in the callback", [] {
  std::atomic<int> ended{0};
  {
    const Tensor tensor = from_span(span<float>(numbers, 4), {4}, ThrowsAtEnd(&ended));
  }
  eq(ended.load(), 1);
  Memory memory;
  {
    const Buffer buffer = wrap(memory, ThrowsAtEnd(&ended));
  }
  eq(ended.load(), 2);
});

Test other_thread("handle: the last share goes on another thread", [] {
  std::atomic<int> ended{0};
  Tensor tensor = make(ended);
  std::thread([share = std::move(tensor)]() mutable { share.reset(); }).join();
  eq(ended.load(), 1);
});

Test borrowed("handle: what is borrowed is not destroyed", [] {
  std::atomic<int> ended{0};
  const Tensor tensor = make(ended);
  {
    const DescriptorRef descriptor = tensor.descriptor();
    const BufferRef buffer = tensor.buffers().at(0);
    eq(descriptor.rank(), 1U);
    eq(buffer.byte_size() - buffer.lead(), 16U);
  }
  // A borrowed handle that is adopted by mistake is refused by the library's destroy.
  {
    const Descriptor wrong = Descriptor::adopt(const_cast<HurrayDescriptor*>(tensor.descriptor().get()));
  }
  eq(tensor.descriptor().rank(), 1U);
  eq(ended.load(), 0);
});

static_assert(!std::is_copy_constructible_v<Tensor> && !std::is_copy_assignable_v<Tensor>);
static_assert(!std::is_copy_constructible_v<Buffer> && !std::is_copy_constructible_v<Descriptor>);
static_assert(std::is_nothrow_move_constructible_v<Tensor> && std::is_nothrow_move_assignable_v<Tensor>);
static_assert(std::is_nothrow_move_constructible_v<Buffer> && std::is_nothrow_move_constructible_v<Options>);
static_assert(std::is_nothrow_destructible_v<BufferList> && std::is_nothrow_destructible_v<DescriptorBuilder>);
static_assert(sizeof(Tensor) == sizeof(void*) && sizeof(Buffer) == sizeof(void*));

}  // namespace
