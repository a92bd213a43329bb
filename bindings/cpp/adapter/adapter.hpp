// What the parts of the adapter share.
#ifndef ADAPTER_HPP
#define ADAPTER_HPP

#include "json.hpp"

#include <hurray/hurray.hpp>

/// A failure with something beside it in the answer.
struct Failed : hurray::Error {
  Failed(const hurray::Error& error, Json so_far) : hurray::Error(error), beside(std::move(so_far)) {}
  Json beside;
};

/// A tag: its name, or its number if it has none.
template <class Tag>
Json tag(Tag value) {
  const std::string name = hurray::name(value);
  if (name.rfind("0x", 0) == 0) return Json(static_cast<std::uint32_t>(value));
  return Json(name);
}

/// The tag of a name or number.
template <class Tag>
Tag tag_of(const Json& value) {
  if (value.is_number()) return static_cast<Tag>(value.number<std::uint32_t>());
  for (std::uint32_t number = 0; number < 256; ++number) {
    if (tag(static_cast<Tag>(number)).is_text() && tag(static_cast<Tag>(number)).text() == value.text()) {
      return static_cast<Tag>(number);
    }
  }
  throw Fault("no tag is named " + value.text());
}

Json show_descriptor(hurray::DescriptorRef descriptor);
Json show_tensor(const hurray::Tensor& tensor);
Json show_item(hurray::ItemRef item);

hurray::Descriptor make_descriptor(const Json& fields, const std::vector<std::uint64_t>& sizes);
/// With the buffers that its layout needs.
hurray::Descriptor make_target(const Json& fields);
hurray::Buffer make_buffer(const Json& digits);
hurray::BufferList make_buffers(const Json& list);
hurray::Tensor make_tensor(const Json& item);
hurray::Item make_item(const Json& item);

hurray::Options make_options(const Json& fields);
Json read_file(const Json& request);
Json write_file(const Json& request);
Json read_stream(const Json& request);
Json write_stream(const Json& request);
/// One input of a batch.
void visit(const std::string& what, hurray::span<const std::uint8_t> bytes, const hurray::Options& options,
           bool permissive);

Json convert(const Json& request);
Json use_array(const Json& request);
Json export_struct(const Json& request);
Json import_struct(const Json& request);

#endif
