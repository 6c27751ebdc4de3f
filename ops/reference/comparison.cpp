#include "ops/reference/comparison.hpp"

#include "core/tensor/convert.hpp"
#include "ops/reference/broadcast.hpp"
#include "ops/reference/number.hpp"
#include "ops/reference/stretches.hpp"

namespace mo::ops::reference {
namespace {

/// Every comparison is one of these, of operands that may be exchanged.
enum class Relation { equal, not_equal, less, less_equal };

/// fn(relation as a function of two elements of type T)
template <class T, class Fn>
void with_relation(Relation relation, Fn fn) {
  switch (relation) {
    case Relation::equal: return fn([](const T& x, const T& y) { return x == y; });
    case Relation::not_equal: return fn([](const T& x, const T& y) { return x != y; });
    case Relation::less: return fn([](const T& x, const T& y) { return x < y; });
    case Relation::less_equal: return fn([](const T& x, const T& y) { return x <= y; });
  }
}

Expected<void> relate(Relation relation, const Tensor& a, const Tensor& b, Tensor& out) {
  const ElementType type = a.element_type();
  std::uint8_t* to = mutable_boolean_bytes(out);
  if (type == ElementType::string) {
    MO_ASSIGN(const std::vector<std::string> x, to_strings(a));
    MO_ASSIGN(const std::vector<std::string> y, to_strings(b));
    with_relation<std::string>(relation, [&](auto holds) {
      broadcast_binary(x.data(), a.shape(), y.data(), b.shape(), to, out.shape(),
                       [=](const std::string& p, const std::string& q) -> std::uint8_t { return holds(p, q); });
    });
  } else if (is_small_real(type)) {
    MO_ASSIGN(const Tensor x, convert(a, ElementType::f32));
    MO_ASSIGN(const Tensor y, convert(b, ElementType::f32));
    return relate(relation, x, y, out);
  } else if (bit_width(type) < 8) {
    MO_ASSIGN(const Tensor x, convert(a, ElementType::i8));
    MO_ASSIGN(const Tensor y, convert(b, ElementType::i8));
    return relate(relation, x, y, out);
  } else {
    visit_widened(type, [&]<class W>(std::type_identity<W>) {
      for_each_pair_stretch<W>(a, b, out.shape(), [&](const PairStretch<W>& stretch) {
        with_relation<W>(relation, [&](auto holds) {
          map_pairs(stretch, to + stretch.first, [=](W x, W y) -> std::uint8_t { return holds(x, y); });
        });
      });
    });
  }
  return {};
}

}  // namespace

Expected<void> compare(ComparisonKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  switch (kind) {
    case ComparisonKind::equal: return relate(Relation::equal, a, b, out);
    case ComparisonKind::not_equal: return relate(Relation::not_equal, a, b, out);
    case ComparisonKind::greater: return relate(Relation::less, b, a, out);
    case ComparisonKind::greater_equal: return relate(Relation::less_equal, b, a, out);
    case ComparisonKind::less: return relate(Relation::less, a, b, out);
    case ComparisonKind::less_equal: return relate(Relation::less_equal, a, b, out);
  }
  return {};
}

}  // namespace mo::ops::reference
