// Items: a tensor, or a composite with its members.
#include "check.hpp"

using namespace hurray;

namespace {

Tensor member_of(const Shard& shard, std::vector<float> values, const Shape& shape) {
  auto builder = DescriptorBuilder::make(ElementType::float32, shape);
  const Descriptor descriptor = builder.shard(shard).default_buffers().finish();
  return Tensor::from_descriptor(descriptor, std::move(BufferList::make().push(buffer_of(std::move(values)))));
}

Test one_tensor("item: one tensor", [] {
  const Tensor tensor = from_vector(std::vector<float>{1, 2}, {2});
  Item item = Item::from_tensor(tensor);
  eq(item.kind(), ItemKind::tensor);
  const Tensor again = item.tensor();
  eq(again.data<float>().data(), tensor.data<float>().data());
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { item.head(); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { item.member_count(); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { item.member(0); });
  const Item share = item.share();
  item.reset();
  eq(share.kind(), ItemKind::tensor);
});

Test composite("item: a partition of two members", [] {
  auto builder = DescriptorBuilder::make(ElementType::float32, {4},
                                         layout::Composite{CompositionRule::partition, CombineOp::none, 2});
  const Descriptor head = builder.finish();
  std::vector<Item> members;
  members.push_back(Item::from_tensor(member_of({Shape{4}, {2}}, {3, 4}, {2})));
  members.push_back(Item::from_tensor(member_of({Shape{4}, {0}}, {1, 2}, {2})));
  const Item item = Item::composite(head, members);
  members.clear();
  eq(item.kind(), ItemKind::composite);
  eq(item.member_count(), 2U);
  eq(item.head().layout_tag(), LayoutTag::composite);
  const ItemRef first = item.member(0);
  eq(first.tensor().to_vector<float>(), (std::vector<float>{3, 4}));
  const Item kept = item.member(1).share();
  eq(kept.tensor().to_vector<float>(), (std::vector<float>{1, 2}));
  fails(HURRAY_ERR_INDEX_OUT_OF_BOUNDS, [&] { item.member(2); });
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { item.tensor(); });
});

Test gap("item: a partition with a gap is refused, its members stay", [] {
  auto builder = DescriptorBuilder::make(ElementType::float32, {4},
                                         layout::Composite{CompositionRule::partition, CombineOp::none, 1});
  const Descriptor head = builder.finish();
  std::vector<Item> members;
  members.push_back(Item::from_tensor(member_of({Shape{4}, {2}}, {3, 4}, {2})));
  const std::string text = fails(HURRAY_ERR_INVALID_LAYOUT, [&] { Item::composite(head, members); });
  check(text.find("L-066") != std::string::npos || text.find("V-166") != std::string::npos);
  eq(members[0].kind(), ItemKind::tensor);
  const Item adopted = Item::adopt(members[0].release());
  check(adopted && !members[0]);
});

}  // namespace
