// Spans and strided views.
#include "check.hpp"

#include <array>

using namespace hurray;

namespace {

Test spans("view: span of arrays, vectors and other spans", [] {
  int raw[3] = {1, 2, 3};
  std::vector<int> vector{4, 5};
  const std::vector<int> constant{6};
  std::array<int, 2> array{{7, 8}};
  const span<int> a(raw);
  const span<const int> b = vector;
  const span<const int> c = constant;
  const span<const int> d = a;
  const span<int> e = array;
  eq(a.size() + b.size() + c.size() + d.size() + e.size(), 11U);
  eq(a.size_bytes(), 3 * sizeof(int));
  eq(d.subspan(1, 2)[1] + a.first(1)[0] + a.last(1)[0] + a.front() + a.back() + e.subspan(1)[0], 3 + 1 + 3 + 1 + 3 + 8);
  int sum = 0;
  for (const int value : d) sum += value;
  for (auto it = a.rbegin(); it != a.rend(); ++it) sum = 10 * sum + *it;
  eq(sum, 6321);
  check(span<int>().empty() && span<int>().data() == nullptr);
});

static_assert(std::is_convertible_v<std::vector<int>&, span<int>>);
static_assert(std::is_convertible_v<std::vector<int>, span<const int>>);
static_assert(!std::is_convertible_v<std::vector<int>, span<int>>);
static_assert(!std::is_convertible_v<const std::vector<int>&, span<int>>);
static_assert(!std::is_convertible_v<span<const int>, span<int>>);
static_assert(!std::is_convertible_v<std::vector<int>&, span<long>>);

Test by_index("view: elements by index, with any strides", [] {
  int data[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const strided_view<int> rows(data, {3, 4});
  eq(rows(2, 1), 9);
  eq(rows.rank(), 2U);
  eq(rows.extent(1), 4U);
  eq(rows.stride(0), 4);
  check(rows.is_row_major());
  const strided_view<int> backward(data + 11, {3, 4}, {-4, -1});
  eq(backward(0, 0), 11);
  eq(backward(2, 3), 0);
  check(!backward.is_row_major());
  const strided_view<const int> constant = backward;
  eq(constant(1, 1), 6);
  const std::array<std::size_t, 2> index{{1, 2}};
  eq(rows[index], 6);
  rows(0, 0) = 42;
  eq(data[0], 42);
#if defined(__cpp_multidimensional_subscript)
  eq(rows[1, 3], 7);
#endif
});

Test visiting("view: every element in row-major order", [] {
  int data[6] = {0, 1, 2, 3, 4, 5};
  std::vector<int> seen;
  strided_view<int>(data, {3, 2}, {1, 3}).for_each([&](int value) { seen.push_back(value); });
  eq(seen, (std::vector<int>{0, 3, 1, 4, 2, 5}));
  seen.clear();
  strided_view<int>(data + 5, {2, 2, 1}, {-3, 0, 99}).for_each([&](int value) { seen.push_back(value); });
  eq(seen, (std::vector<int>{5, 5, 2, 2}));
  seen.clear();
  strided_view<int>(data, {}).for_each([&](int value) { seen.push_back(value); });
  eq(seen, (std::vector<int>{0}));
  strided_view<int>(data, {2, 0}).for_each([](int) { check(false); });
  check(strided_view<int>(data, {2, 0}).empty());
});

#if defined(__cpp_lib_mdspan)
Test mdspans("view: to and from std::mdspan", [] {
  int data[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const strided_view<int> columns(data, {4, 3}, {1, 4});
  const auto span = columns.to_mdspan<2>();
  eq(span.extent(0), 4U);
  eq((span[3, 2]), 11);
  eq(strided_view<int>(span)(1, 2), 9);
  fails(HURRAY_ERR_INVALID_ARGUMENT, [&] { columns.to_mdspan<3>(); });
  fails(HURRAY_ERR_UNSUPPORTED, [&] { strided_view<int>(data, {2}, {0}).to_mdspan<1>(); });
  const std::mdspan<int, std::extents<std::size_t, 3, 4>> fixed(data);
  const Tensor tensor = from_view(strided_view<int>(fixed));
  eq(tensor.view<int>()(2, 0), 8);
});
#endif

}  // namespace
