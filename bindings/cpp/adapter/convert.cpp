// Conversions.
#include "adapter.hpp"

namespace {

using namespace hurray;

std::vector<std::uint64_t> lengths(const Json& request) {
  const Json& given = request["seq_lengths"];
  return given.is_null() ? std::vector<std::uint64_t>() : given.numbers<std::uint64_t>();
}

Tensor sliced(const Tensor& tensor, const Json& request) {
  const auto starts = request["starts"].numbers<std::int64_t>();
  const auto stops = request["stops"].numbers<std::int64_t>();
  const Json& steps = request["steps"];
  const auto step = steps.is_null() ? std::vector<std::int64_t>() : steps.numbers<std::int64_t>();
  const Converted part = slice(tensor, starts, stops, step);
  auto options = Options::make();
  options.set(HURRAY_OPTION_COPY, static_cast<std::uint64_t>(Copy::always));
  return contiguous(part.tensor, BufferRef(), options).tensor;
}

Tensor quantized(const Tensor& tensor, const Json& request) {
  const Descriptor target = make_target(request["target"]);
  const Json& parameters = request["parameters"];
  if (parameters.is_null()) return quantize(tensor, target).tensor;
  auto list = BufferList::make(parameters.list().size());
  for (const Json& one : parameters.list()) list.push(make_buffer(one));
  return quantize(tensor, target, list).tensor;
}

Tensor converted(const std::string& how, const Tensor& tensor, const Json& request) {
  const auto type = [&] { return tag_of<ElementType>(request["dtype"]); };
  if (how == "row_major") return contiguous(tensor).tensor;
  if (how == "layout") {
    const Descriptor target = make_target(request["target"]);
    return to_layout(tensor, target).tensor;
  }
  if (how == "dequantize") return dequantize(tensor, type()).tensor;
  if (how == "quantize") return quantized(tensor, request);
  if (how == "unpack") return unpack(tensor).tensor;
  if (how == "pack") return pack(tensor, type()).tensor;
  if (how == "slice") return sliced(tensor, request);
  if (how == "gather") return gather(tensor, lengths(request)).tensor;
  throw Fault("no conversion is named " + how);
}

}  // namespace

Json convert(const Json& request) {
  const std::string& how = request["how"].text();
  if (how == "assemble") {
    const Item item = make_item(request["item"]);
    return Json{{"item", show_tensor(assemble(item).tensor)}};
  }
  const Tensor tensor = make_tensor(request["item"]);
  if (how == "statistics") {
    const Descriptor found = statistics(tensor);
    return Json{{"statistics", show_descriptor(found)["statistics"]}};
  }
  if (how == "offset") {
    const auto offset = element_offset(tensor, Shape(request["index"].numbers<std::uint64_t>()));
    return Json{{"offset", wide(offset)}};
  }
  if (how == "check") {
    check_data(tensor);
    return Json{};
  }
  if (how == "scatter") {
    const Tensor paged = make_tensor(request["paged"]);
    scatter(tensor, paged, lengths(request));
    return Json{{"item", show_tensor(paged)}};
  }
  return Json{{"item", show_tensor(converted(how, tensor, request))}};
}
