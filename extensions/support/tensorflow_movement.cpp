#include "extensions/support/tensorflow_movement.hpp"

#include "core/tensor/convert.hpp"
#include "ops/non_zero.hpp"
#include "ops/range.hpp"
#include "ops/shape_of.hpp"
#include "ops/transpose.hpp"

namespace mo::front::tensorflow {

Expected<void> expect_connected(const Node& node, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (!node.input(i))
      return node.error("MO-TF-0557", "input {} is missing", i).hint("the op does not work without it; check how the model was saved");
  return {};
}

Expected<Integers> constant_list(const Node& node, std::size_t i, std::string_view what) {
  if (!node.input(i))
    return node.error("MO-TF-0557", "input {} ({}) is missing", i, what).hint("the op does not work without it; check how the model was saved");
  if (auto numbers = known_integers(node.input(i))) return *std::move(numbers);
  return node.error("MO-TF-0551", "{} (input {}) is computed by the model", what, i)
      .hint("the IR needs a constant here; freeze the value with --input \"{}->[…]\", or cut the model there", node.input(i).node().name());
}

Expected<std::int64_t> constant_number(const Node& node, std::size_t i, std::string_view what) {
  MO_ASSIGN(const Integers numbers, constant_list(node, i, what));
  if (numbers.size() != 1) return node.error("MO-TF-0556", "{} has {} elements", what, numbers.size()).hint("it is one number");
  return numbers.front();
}

bool is_complex(const Node& node) { return node.attr<bool>("complex").value_or(false); }

std::int64_t with_hidden_axis(const Node& node, std::int64_t axis) { return is_complex(node) && axis < 0 ? axis - 1 : axis; }

Value number_of_type(Rewriter& rw, const Node& node, const Value& like, double number) {
  if (const auto type = node.attr<ElementType>("T"))
    if (auto tensor = from_reals(*type, {}, {number})) return rw.constant(*std::move(tensor));
  return number_like(rw, like, number);
}

Value typed_scalar(Rewriter& rw, ElementType type, std::int64_t number) {
  auto tensor = from_integers(type, {}, {number});
  return tensor ? rw.constant(*std::move(tensor)) : as_type(rw, rw.scalar(number), type);
}

Value typed_vector(Rewriter& rw, ElementType type, const Integers& numbers) {
  auto tensor = from_integers(type, {static_cast<std::int64_t>(numbers.size())}, numbers);
  return tensor ? rw.constant(*std::move(tensor)) : as_type(rw, rw.integers(numbers), type);
}

Value index_list(Rewriter& rw, const Value& list) {
  if (const auto known = known_integers(list); known && known_type(list).rank() == 1) return rw.integers(*known);
  return as_i64(rw, list);
}

Value visible_shape(Rewriter& rw, const Node& node, const Value& x, ElementType type) {
  const Value shape = rw.create(ops::ShapeOf{.output_type = type}, x);
  return is_complex(node) ? slice_along(rw, shape, 0, 0, -1) : shape;
}

Value with_hidden(Rewriter& rw, const Node& node, const Value& shape, std::int64_t hidden) {
  if (!is_complex(node)) return shape;
  if (auto known = known_integers(shape)) {
    known->push_back(hidden);
    return rw.integers(*known);
  }
  return join(rw, {as_i64(rw, shape), rw.integers({hidden})});
}

Value index_range(Rewriter& rw, const Value& count) {
  return rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0), count, rw.scalar<std::int64_t>(1));
}

Value places_of(Rewriter& rw, const Value& condition, ElementType type) {
  return rw.create(ops::Transpose{}, rw.create(ops::NonZero{.output_type = type}, condition), rw.integers({1, 0}));
}

}  // namespace mo::front::tensorflow
