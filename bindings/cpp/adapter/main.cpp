// Lets the conformance suite use the C++ header; conformance/PROTOCOL.md says what is asked and answered.
#include "adapter.hpp"

#include <dlfcn.h>

#include <iostream>
#include <sstream>

namespace {

using namespace hurray;

std::string library_path() {
  Dl_info info;
  auto* function = reinterpret_cast<void*>(&hurray_c_abi_version);
  return dladdr(function, &info) != 0 ? info.dli_fname : "libhurray";
}

Json hello() {
  try_check_version().value();
  return Json{
      {"language", Json("cpp")}, {"abi_version", Json(hurray_c_abi_version())}, {"library", Json(library_path())}};
}

Json decode(const Json& request) {
  const bool permissive = !request["permissive"].is_null() && request["permissive"].truth();
  const auto bytes = request["bytes"].bytes();
  const Descriptor descriptor = Descriptor::decode(bytes, permissive ? Decode::permissive : Decode::strict);
  const auto encoded = descriptor.encode();
  return Json{{"descriptor", show_descriptor(descriptor)}, {"bytes", hex(encoded.data(), encoded.size())}};
}

Json bind(const Json& request) {
  const Descriptor descriptor = Descriptor::decode(request["descriptor"].bytes());
  return Json{{"item", show_tensor(Tensor::from_descriptor(descriptor, make_buffers(request["buffers"])))}};
}

Json build(const Json& request) {
  const Item item = make_item(request["item"]);
  const Tensor tensor = item.kind() == ItemKind::tensor ? item.tensor() : Tensor();
  const auto encoded = item.kind() == ItemKind::tensor ? tensor.descriptor().encode() : item.head().encode();
  return Json{{"item", show_item(item)}, {"bytes", hex(encoded.data(), encoded.size())}};
}

Json describe(const Json& request) {
  std::ostringstream out;
  out << make_tensor(request["item"]);
  return Json{{"text", Json(out.str())}};
}

Json batch(const Json& request) {
  const Json& fields = request["options"];
  const Options options = make_options(fields);
  const bool permissive = !fields["permissive"].is_null() && fields["permissive"].number<int>() == 1;
  Json statuses{std::vector<Json>()};
  const auto take = [&](span<const std::uint8_t> bytes) {
    try {
      visit(request["what"].text(), bytes, options, permissive);
      statuses.append(Json(0));
    } catch (const Error& error) {
      statuses.append(Json(error.status()));
    }
  };
  if (!request["inputs"].is_null()) {
    for (const Json& input : request["inputs"].list()) take(input.bytes());
    return Json{{"statuses", statuses}};
  }
  auto base = request["base"].bytes();
  for (const auto cut : request["cuts"].numbers<std::size_t>()) take(span<const std::uint8_t>(base.data(), cut));
  for (const auto flip : request["flips"].numbers<std::size_t>()) {
    const auto bit = static_cast<std::uint8_t>(1U << (flip & 7U));
    base.at(flip >> 3U) ^= bit;
    take(base);
    base.at(flip >> 3U) ^= bit;
  }
  return Json{{"statuses", statuses}};
}

Json foreign(const Json& request) {
  void* library = dlopen(request["library"].text().c_str(), RTLD_NOW);
  if (library == nullptr) throw Fault(dlerror());
  auto* make = reinterpret_cast<void* (*)(std::uint32_t)>(dlsym(library, "conformance_handle"));
  auto* calls = reinterpret_cast<std::uint32_t (*)(void*, std::uint32_t)>(dlsym(library, "conformance_calls"));
  void* handle = make(request["version"].number<std::uint32_t>());
  auto adopted = Tensor::try_adopt(static_cast<HurrayTensor*>(handle));
  const Json answer{{"calls", Json(calls(handle, 0))}};
  calls(handle, 1);
  if (!adopted) throw Failed(adopted.error(), answer);
  static_cast<void>(adopted->release());
  return answer;
}

Json run(const std::string& op, const Json& request) {
  if (op == "hello") return hello();
  if (op == "decode") return decode(request);
  if (op == "build") return build(request);
  if (op == "bind") return bind(request);
  if (op == "array") return use_array(request);
  if (op == "read_file") return read_file(request);
  if (op == "write_file") return write_file(request);
  if (op == "read_stream") return read_stream(request);
  if (op == "write_stream") return write_stream(request);
  if (op == "convert") return convert(request);
  if (op == "dlpack_export") return export_struct(request);
  if (op == "dlpack_import") return import_struct(request);
  if (op == "describe") return describe(request);
  if (op == "batch") return batch(request);
  if (op == "foreign") return foreign(request);
  if (op == "live_handles") return Json{{"count", Json(static_cast<std::int64_t>(live_handles()))}};
  if (op == "quit") return Json{};
  throw Fault("no op is named " + op);
}

Json failed(const Error& error, Json answer) {
  answer.set("status", Json(error.status()));
  answer.set("message", Json(error.what()));
  return answer;
}

Json answer(const std::string& op, const Json& request) {
  try {
    Json found = run(op, request);
    found.set("status", Json(0));
    return found;
  } catch (const Failed& failure) {
    return failed(failure, failure.beside);
  } catch (const Error& error) {
    return failed(error, Json{});
  } catch (const std::exception& error) {
    return Json{{"fault", Json(error.what())}};
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = Json::parse(line);
    const std::string& op = request["op"].text();
    std::cout << answer(op, request).dump() << std::endl;
    if (op == "quit") break;
  }
}
