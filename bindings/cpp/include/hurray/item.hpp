// Items: one tensor, a composite of a head and members that are items themselves, or a descriptor that came alone.
#ifndef HURRAY_CPP_ITEM_HPP
#define HURRAY_CPP_ITEM_HPP

#include <hurray/tensor.hpp>

#include <optional>

namespace hurray {

class Item;
class ItemRef;

/// What an item is. A descriptor alone comes from streams that are read with `PERMISSIVE` or `FLAT`.
enum class ItemKind : std::uint32_t {
  tensor = HURRAY_ITEM_TENSOR,
  composite = HURRAY_ITEM_COMPOSITE,
  descriptor = HURRAY_ITEM_DESCRIPTOR
};

namespace detail {

/// What can be read of an item, owned or borrowed.
template <class Self>
class ItemReader {
 public:
  result<ItemKind> try_kind() const {
    return read_enum<ItemKind>([this](std::uint32_t* out) { return hurray_item_kind(raw(), out); });
  }

  /// A share of the item's tensor; HURRAY_ERR_INVALID_ARGUMENT of another kind.
  result<Tensor> try_tensor() const {
    HurrayTensor* tensor = nullptr;
    if (const HurrayStatus status = hurray_item_tensor(raw(), &tensor); status != HURRAY_OK) return last_error(status);
    return Tensor::try_adopt(tensor);
  }

  /// The head of a composite, or the descriptor that came alone, borrowed; HURRAY_ERR_INVALID_ARGUMENT of a tensor.
  result<DescriptorRef> try_head() const& {
    const auto head = read<HurrayDescriptor*>([this](HurrayDescriptor** out) { return hurray_item_head(raw(), out); });
    if (!head) return head.error();
    return DescriptorRef(*head);
  }

  /// The bytes that came with a descriptor whose layout is unknown, as a uint8 tensor [n]: all its buffers, in order,
  /// without padding. None where nobody knows how many they are, and for a composite's head.
  /// HURRAY_ERR_INVALID_ARGUMENT of a tensor or composite.
  result<std::optional<Tensor>> try_data() const {
    HurrayTensor* tensor = nullptr;
    const HurrayStatus status = hurray_item_data(raw(), &tensor);
    if (status == HURRAY_ERR_FIELD_NOT_APPLICABLE) return std::optional<Tensor>();
    if (status != HURRAY_OK) return last_error(status);
    auto made = Tensor::try_adopt(tensor);
    if (!made) return made.error();
    return std::optional<Tensor>(std::move(*made));
  }

  /// The number of members of a composite; HURRAY_ERR_INVALID_ARGUMENT of another kind.
  result<std::uint64_t> try_member_count() const {
    return read<std::uint64_t>([this](std::uint64_t* out) { return hurray_item_member_count(raw(), out); });
  }

  /// A member of a composite, borrowed.
  result<ItemRef> try_member(std::uint64_t index) const&;

  /// Another handle on the same item.
  result<Item> try_share() const;

#if defined(__cpp_exceptions)
  ItemKind kind() const { return try_kind().value(); }
  Tensor tensor() const { return try_tensor().value(); }
  DescriptorRef head() const& { return try_head().value(); }
  std::optional<Tensor> data() const { return try_data().value(); }
  std::uint64_t member_count() const { return try_member_count().value(); }
  ItemRef member(std::uint64_t index) const&;
  Item share() const;
#endif

 private:
  const HurrayItem* raw() const noexcept { return static_cast<const Self*>(this)->get(); }
};

}  // namespace detail

/// A borrowed item: lives as long as the composite that gave it.
class ItemRef : public detail::ItemReader<ItemRef> {
 public:
  explicit ItemRef(const HurrayItem* raw = nullptr) noexcept : raw_(raw) {}

  const HurrayItem* get() const noexcept { return raw_; }

 private:
  const HurrayItem* raw_;
};

/// An item of one's own.
class Item : public detail::Handle<HurrayItem, hurray_item_destroy>, public detail::ItemReader<Item> {
 public:
  Item() noexcept = default;

  /// Takes ownership of a raw handle, which must not be a borrowed one.
  static Item adopt(HurrayItem* raw) noexcept { return Item(raw); }

  operator ItemRef() const& noexcept { return ItemRef(get()); }
  operator ItemRef() const&& = delete;

  /// An item of one tensor, of which it keeps a share.
  static result<Item> try_from_tensor(const Tensor& tensor) {
    return detail::make_handle<Item>([&](HurrayItem** out) { return hurray_item_from_tensor(tensor.get(), out); });
  }

  /// A composite of a head and its members, in order, by all rules of the whole; it keeps shares of the members.
  static result<Item> try_composite(DescriptorRef head, span<const Item> members) {
    std::vector<const HurrayItem*> raw;
    raw.reserve(members.size());
    for (const Item& member : members) raw.push_back(member.get());
    return detail::make_handle<Item>(
        [&](HurrayItem** out) { return hurray_item_composite_new(head.get(), raw.data(), raw.size(), out); });
  }

#if defined(__cpp_exceptions)
  static Item from_tensor(const Tensor& tensor) { return try_from_tensor(tensor).value(); }
  static Item composite(DescriptorRef head, span<const Item> members) { return try_composite(head, members).value(); }
#endif

 private:
  explicit Item(HurrayItem* raw) noexcept : Handle(raw) {}
};

template <class Self>
result<ItemRef> detail::ItemReader<Self>::try_member(std::uint64_t index) const& {
  const auto member =
      read<HurrayItem*>([this, index](HurrayItem** out) { return hurray_item_member(raw(), index, out); });
  if (!member) return member.error();
  return ItemRef(*member);
}

template <class Self>
result<Item> detail::ItemReader<Self>::try_share() const {
  return make_handle<Item>([this](HurrayItem** out) { return hurray_item_share(raw(), out); });
}

#if defined(__cpp_exceptions)
template <class Self>
ItemRef detail::ItemReader<Self>::member(std::uint64_t index) const& {
  return try_member(index).value();
}
template <class Self>
Item detail::ItemReader<Self>::share() const {
  return try_share().value();
}
#endif

}  // namespace hurray

#endif
