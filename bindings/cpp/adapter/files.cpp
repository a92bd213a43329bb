// Files and streams.
#include "adapter.hpp"

#include <algorithm>

namespace {

using namespace hurray;

FileReader open_bytes(span<const std::uint8_t> bytes, const Options& options) {
  Buffer buffer = allocate(bytes.size());
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(buffer.mutable_bytes().data()));
  return FileReader::open_buffer(buffer, options);
}

FileReader open(const Json& request) {
  const Options options = make_options(request["options"]);
  if (!request["path"].is_null()) return FileReader::open(request["path"].text(), options);
  return open_bytes(request["bytes"].bytes(), options);
}

struct KvShower {
  Json& out;

  void operator()(bool value) const { one("bool", Json(value)); }
  void operator()(std::int64_t value) const { one("int64", wide(value)); }
  void operator()(std::uint64_t value) const { one("uint64", wide(value)); }
  void operator()(double value) const { one("float64", real(value)); }
  void operator()(const std::string& value) const { one("string", Json(value)); }
  void operator()(const Bytes& value) const { one("bytes", hex(value.data(), value.size())); }
  void operator()(const std::vector<bool>& values) const {
    many("bool", values, [](bool value) { return Json(value); });
  }
  void operator()(const std::vector<std::int64_t>& values) const { many("int64", values, wide<std::int64_t>); }
  void operator()(const std::vector<std::uint64_t>& values) const { many("uint64", values, wide<std::uint64_t>); }
  void operator()(const std::vector<double>& values) const { many("float64", values, real); }
  void operator()(const std::vector<std::string>& values) const {
    many("string", values, [](const std::string& value) { return Json(value); });
  }
  void operator()(const std::vector<Bytes>& values) const {
    many("bytes", values, [](const Bytes& value) { return hex(value.data(), value.size()); });
  }

 private:
  void one(const char* type, Json value) const {
    out.set("type", Json(type));
    out.set("array", Json(false));
    out.set("value", std::move(value));
  }
  template <class Values, class Show>
  void many(const char* type, const Values& values, Show show) const {
    Json list{std::vector<Json>()};
    for (const auto& value : values) list.append(show(value));
    out.set("type", Json(type));
    out.set("array", Json(true));
    out.set("value", std::move(list));
  }
};

template <class T, class Read>
KvValue each(const Json& pair, Read read) {
  if (!pair["array"].truth()) return T(read(pair["value"]));
  std::vector<T> values;
  for (const Json& one : pair["value"].list()) values.push_back(read(one));
  return values;
}

KvValue make_kv(const Json& pair) {
  const std::string& type = pair["type"].text();
  if (type == "bool") return each<bool>(pair, [](const Json& one) { return one.truth(); });
  if (type == "int64") return each<std::int64_t>(pair, [](const Json& one) { return one.number<std::int64_t>(); });
  if (type == "uint64") return each<std::uint64_t>(pair, [](const Json& one) { return one.number<std::uint64_t>(); });
  if (type == "float64") return each<double>(pair, [](const Json& one) { return one.real(); });
  if (type == "string") return each<std::string>(pair, [](const Json& one) { return one.text(); });
  return each<Bytes>(pair, [](const Json& one) { return one.bytes(); });
}

Json contents(const FileReader& file) {
  Json pairs{std::vector<Json>()};
  for (std::uint64_t k = 0; k < file.kv_count(); ++k) {
    Json pair{{"key", Json(file.kv_key(k))}};
    std::visit(KvShower{pair}, file.kv_value(k));
    pairs.append(std::move(pair));
  }
  const auto names = file.names();
  Json entries{std::vector<Json>()};
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Item item = file.item(k);
    entries.append(Json{{"name", Json(names[k])}, {"item", show_item(item)}});
  }
  Json items{std::vector<Json>()};
  for (const std::uint64_t index : file.items()) items.append(Json(names.at(static_cast<std::size_t>(index))));
  return Json{{"entries", entries}, {"items", items}, {"kv", pairs}};
}

/// Feeds a reader, and hands each item to `take`.
template <class Take>
void feed(span<const std::uint8_t> bytes, std::size_t chunk, const Options& options, Take take) {
  StreamReader reader = StreamReader::make(options);
  bool finished = false;
  std::size_t at = 0;
  for (;;) {
    const Arrival arrival = reader.next();
    if (arrival) {
      take(reader, arrival.item);
    } else if (arrival.state == StreamState::end) {
      return;
    } else if (at < bytes.size()) {
      const std::size_t rest = bytes.size() - at;
      at += reader.feed(span<const std::uint8_t>(bytes.data() + at, chunk == 0 ? rest : std::min(rest, chunk)));
    } else if (finished) {
      throw Fault("the reader wants more after its end");
    } else {
      reader.finish();
      finished = true;
    }
  }
}

}  // namespace

Options make_options(const Json& fields) {
  const std::pair<const char*, std::uint32_t> known[] = {
      {"permissive", HURRAY_OPTION_PERMISSIVE},
      {"verify", HURRAY_OPTION_VERIFY},
      {"max_descriptor_bytes", HURRAY_OPTION_MAX_DESCRIPTOR_BYTES},
      {"max_buffer_bytes", HURRAY_OPTION_MAX_BUFFER_BYTES},
      {"max_composite_depth", HURRAY_OPTION_MAX_COMPOSITE_DEPTH},
      {"flat", HURRAY_OPTION_FLAT},
      {"cross_machine", HURRAY_OPTION_CROSS_MACHINE},
      {"data_alignment", HURRAY_OPTION_DATA_ALIGNMENT},
      {"sorted_index", HURRAY_OPTION_SORTED_INDEX},
      {"kv_mode", HURRAY_OPTION_KV_MODE},
  };
  Options options = Options::make();
  for (const auto& [key, value] : fields.members()) {
    const auto found =
        std::find_if(std::begin(known), std::end(known), [&key = key](const auto& one) { return key == one.first; });
    if (found == std::end(known)) throw Fault("no option is named " + key);
    options.set(found->second, value.number<std::uint64_t>());
  }
  return options;
}

Json read_file(const Json& request) { return contents(open(request)); }

Json write_file(const Json& request) {
  Options options = make_options(request["options"]);
  options.set(HURRAY_OPTION_DURABLE, 0);
  FileWriter writer = FileWriter::create(request["path"].text(), options);
  for (const Json& pair : request["kv"].list()) writer.set(pair["key"].text(), make_kv(pair));
  for (const Json& entry : request["entries"].list()) writer.put(entry["name"].text(), make_item(entry["item"]));
  writer.finish();
  return Json{};
}

Json read_stream(const Json& request) {
  Json items{std::vector<Json>()};
  try {
    feed(request["bytes"].bytes(), request["chunk"].number<std::size_t>(), make_options(request["options"]),
         [&](const StreamReader& reader, const Item& item) {
           items.append(Json{{"stream_id", Json(reader.stream_id())}, {"item", show_item(item)}});
         });
  } catch (const Error& error) {
    throw Failed(error, Json{{"items", items}});
  }
  return Json{{"items", items}};
}

Json write_stream(const Json& request) {
  const Options options = make_options(request["options"]);
  StreamWriter writer = request["form"].text() == "framed"
                            ? StreamWriter::framed(request["stream_id"].number<std::uint32_t>(),
                                                   request["max_message_size"].number<std::uint64_t>(), options)
                            : StreamWriter::bare(options);
  std::vector<std::uint8_t> out;
  for (const Json& one : request["items"].list()) {
    const Item item = make_item(one);
    try {
      writer.put(item);
    } catch (const Error& error) {
      throw Failed(error, Json{{"bytes", hex(out.data(), out.size())}});
    }
    for (;;) {
      HurraySlice slices[8];
      const std::size_t count = std::min<std::size_t>(writer.chunks(span<HurraySlice>(slices, 8)), 8);
      if (count == 0) break;
      const std::size_t before = out.size();
      for (std::size_t k = 0; k < count; ++k) out.insert(out.end(), slices[k].data, slices[k].data + slices[k].len);
      writer.advance(out.size() - before);
    }
  }
  return Json{{"bytes", hex(out.data(), out.size())}};
}

void visit(const std::string& what, span<const std::uint8_t> bytes, const Options& options, bool permissive) {
  if (what == "decode") {
    Descriptor::decode(bytes, permissive ? Decode::permissive : Decode::strict);
  } else if (what == "read_file") {
    contents(open_bytes(bytes, options));
  } else {
    feed(bytes, 0, options, [](const StreamReader&, const Item&) {});
  }
}
