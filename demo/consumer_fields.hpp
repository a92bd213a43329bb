// Python objects from C++ values, and a descriptor's layout and quantization as dicts of their fields.
#ifndef DEMO_CONSUMER_FIELDS_HPP
#define DEMO_CONSUMER_FIELDS_HPP

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <hurray/hurray.hpp>

#include <memory>

namespace fields {

/// Python has an exception set.
struct PythonError {};

struct Decref {
  void operator()(PyObject* object) const noexcept { Py_XDECREF(object); }
};
using Object = std::unique_ptr<PyObject, Decref>;

inline Object own(PyObject* object) {
  if (object == nullptr) throw PythonError();
  return Object(object);
}

inline Object number(std::uint64_t value) { return own(PyLong_FromUnsignedLongLong(value)); }
inline Object number(std::int64_t value) { return own(PyLong_FromLongLong(value)); }
inline Object number(double value) { return own(PyFloat_FromDouble(value)); }
inline Object truth(bool value) { return own(PyBool_FromLong(value)); }
inline Object text(const std::string& value) {
  return own(PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), "replace"));
}
inline Object none() { return own(Py_NewRef(Py_None)); }

template <class Values>
Object tuple_of(const Values& values) {
  Object tuple = own(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  Py_ssize_t at = 0;
  for (const auto value : values) PyTuple_SET_ITEM(tuple.get(), at++, number(value).release());
  return tuple;
}

inline Object pair(Object first, Object second) { return own(PyTuple_Pack(2, first.get(), second.get())); }

class Dict {
 public:
  Dict() : dict_(own(PyDict_New())) {}
  void set(const char* key, const Object& value) {
    if (PyDict_SetItemString(dict_.get(), key, value.get()) != 0) throw PythonError();
  }
  Object take() { return std::move(dict_); }

 private:
  Object dict_;
};

struct LayoutDict {
  Dict& out;

  void operator()(const hurray::layout::RowMajor&) const {}
  void operator()(const hurray::layout::ColumnMajor&) const {}
  void operator()(const hurray::layout::Strided& one) const { out.set("strides", tuple_of(one.strides)); }
  void operator()(const hurray::layout::Tiled& one) const {
    const Object levels = own(PyList_New(0));
    for (const auto& level : one.levels) {
      Dict dict;
      dict.set("tile_shape", tuple_of(level.tile_shape));
      dict.set("outer", text(name(level.outer)));
      dict.set("inner", text(name(level.inner)));
      dict.set("outer_strides", tuple_of(level.outer_strides));
      dict.set("inner_strides", tuple_of(level.inner_strides));
      if (PyList_Append(levels.get(), dict.take().get()) != 0) throw PythonError();
    }
    out.set("levels", levels);
  }
  void operator()(const hurray::layout::Morton& one) const { out.set("bits", tuple_of(one.bits)); }
  void operator()(const hurray::layout::Coo& one) const {
    out.set("nnz", number(one.nnz));
    out.set("is_sorted", truth(one.is_sorted));
  }
  void operator()(const hurray::layout::Csr& one) const { out.set("nnz", number(one.nnz)); }
  void operator()(const hurray::layout::Csc& one) const { out.set("nnz", number(one.nnz)); }
  void operator()(const hurray::layout::Csf& one) const {
    out.set("nnz", number(one.nnz));
    out.set("mode_order", tuple_of(one.mode_order));
  }
  void operator()(const hurray::layout::BlockPaged& one) const {
    out.set("page_size", number(std::uint64_t{one.page_size}));
    out.set("num_pages", number(one.num_pages));
    out.set("paged_axis", number(std::uint64_t{one.paged_axis}));
    out.set("num_seqs", number(std::uint64_t{one.num_seqs}));
    out.set("kv_role", text(name(one.kv_role)));
    out.set("layer_index", one.layer_index ? number(std::uint64_t{*one.layer_index}) : none());
    out.set("block_table_index_type", number(std::uint64_t{one.block_table_index_type}));
  }
  void operator()(const hurray::layout::Composite& one) const {
    out.set("rule", text(name(one.rule)));
    out.set("combine_op", text(name(one.combine_op)));
    out.set("member_count", number(std::uint64_t{one.member_count}));
  }
  void operator()(const hurray::layout::Hilbert& one) const {
    out.set("order", number(std::uint64_t{one.order}));
    out.set("rank", number(std::uint64_t{one.rank}));
  }
  void operator()(const hurray::layout::Private& one) const { out.set("layout_id", number(one.layout_id)); }
  void operator()(const hurray::layout::Unknown&) const {}
};

inline Object index_or_none(const std::optional<std::uint32_t>& index) {
  return index ? number(std::uint64_t{*index}) : none();
}

struct QuantizationDict {
  Dict& out;

  void operator()(const hurray::quant::PerTensor& one) const {
    out.set("scale", number(static_cast<double>(one.scale)));
    out.set("zero_point", number(std::int64_t{one.zero_point}));
  }
  void operator()(const hurray::quant::PerChannel& one) const {
    out.set("axis", number(std::uint64_t{one.axis}));
    out.set("scale_buffer", index_or_none(one.scale_buffer));
    out.set("zero_point_buffer", index_or_none(one.zero_point_buffer));
    out.set("scale_type", text(name(one.scale_type)));
  }
  void operator()(const hurray::quant::PerBlock& one) const {
    out.set("axis", number(std::uint64_t{one.axis}));
    out.set("block_size", number(std::uint64_t{one.block_size}));
    out.set("scale_buffer", index_or_none(one.scale_buffer));
    out.set("zero_point_buffer", index_or_none(one.zero_point_buffer));
    out.set("scale_type", text(name(one.scale_type)));
  }
  template <class BlockScaled>
  void operator()(const BlockScaled& one) const {
    out.set("axis", number(std::uint64_t{one.axis}));
    out.set("block_size", number(std::uint64_t{one.block_size}));
    out.set("scale_buffer", index_or_none(one.scale_buffer));
  }
  void operator()(const hurray::quant::Unknown& one) const { out.set("version", number(std::uint64_t{one.version})); }
};

inline Object quantization_dict(const std::optional<hurray::Quantization>& quantization,
                                hurray::DescriptorRef descriptor) {
  if (!quantization) return none();
  Dict dict;
  dict.set("scheme", text(hurray::name(hurray::scheme_of(*quantization))));
  dict.set("version", number(descriptor.u64(HURRAY_QUANT_FIELD_SCHEME_VERSION)));
  std::visit(QuantizationDict{dict}, *quantization);
  return dict.take();
}

}  // namespace fields

#endif
