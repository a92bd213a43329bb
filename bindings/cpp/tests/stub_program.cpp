// Linked with a library of another C ABI version, whose every function but hurray_c_abi_version ends the program.
#include <hurray/hurray.hpp>

#include <cstdio>

namespace {

int passed = 0;
int failed = 0;

void refuses(const char* what, const hurray::Error& error) {
  const std::string text = error.what();
  const bool names_both = text.find("version 10") != std::string::npos && text.find("version 11") != std::string::npos;
  const bool names_file = text.find("libhurray.so") != std::string::npos;
  const bool holds = error.status() == HURRAY_ERR_VERSION_MISMATCH && names_both && names_file;
  if (!holds) std::printf("%s: %s\n", what, text.c_str());
  ++(holds ? passed : failed);
}

}  // namespace

int main() {
  refuses("check", hurray::try_check_version().error());
  refuses("decode", hurray::Descriptor::try_decode(hurray::span<const std::uint8_t>()).error());
  refuses("builder", hurray::DescriptorBuilder::try_make(hurray::ElementType::float32, {2}).error());
  refuses("buffer", hurray::try_allocate(1).error());
  refuses("list", hurray::BufferList::try_make().error());
  refuses("options", hurray::Options::try_make().error());
  refuses("from_vector", hurray::try_from_vector(std::vector<float>{1}, {1}).error());
  refuses("info", hurray::try_info(hurray::ElementType::float32).error());
  refuses("byte_size", hurray::try_byte_size(hurray::ElementType::float32, 1).error());
  refuses("live_handles", hurray::try_live_handles().error());

  // Not even its version is asked of a handle, and it stays the caller's.
  int handle = 0;
  refuses("adopt", hurray::Tensor::try_adopt(reinterpret_cast<HurrayTensor*>(&handle)).error());
  ++(name(hurray::LayoutTag::csr) == "0x07" ? passed : failed);

  try {
    static_cast<void>(hurray::allocate(1));
    ++failed;
  } catch (const hurray::Error& error) {
    refuses("throwing form", error);
  }
  std::printf("another ABI version: %d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
