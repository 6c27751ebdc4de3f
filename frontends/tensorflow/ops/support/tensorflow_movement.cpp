#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"

#include "core/tensor/convert.hpp"
#include "ops/non_zero.hpp"
#include "ops/range.hpp"
#include "ops/shape_of.hpp"
#include "ops/transpose.hpp"

namespace mo::tensorflow {

Expected<Integers> known_list(const FrameworkNode& node, std::size_t i, std::string_view what) {
  MO_TRY(node.expect_inputs(i + 1));
  if (auto numbers = integers_of(node.input(i))) return *std::move(numbers);
  return node.error("MO-TF-0551", "{} (input {}) is computed by the model", what, i)
      .hint("the IR needs a constant here; freeze the value with --input \"{}->[…]\", or cut the model there",
            node.input(i).node().name());
}

Expected<std::int64_t> known_number(const FrameworkNode& node, std::size_t i, std::string_view what) {
  MO_ASSIGN(const Integers numbers, known_list(node, i, what));
  if (numbers.size() != 1)
    return node.error("MO-TF-0556", "{} has {} elements", what, numbers.size()).hint("it is one number");
  return numbers.front();
}

std::int64_t with_hidden_axis(const FrameworkNode& node, std::int64_t axis, std::string_view type) {
  return axis < 0 && is_complex(node, type) ? axis - 1 : axis;
}

Value visible_shape(Rewriter& rw, const FrameworkNode& node, const Value& x, ElementType element_type) {
  const Value shape = rw.create(ops::ShapeOf{.output_type = element_type}, x);
  return is_complex(node) ? slice_along(rw, shape, 0, 0, -1) : shape;
}

Value with_hidden(Rewriter& rw, const FrameworkNode& node, const Value& list, std::int64_t hidden) {
  return is_complex(node) ? join(rw, {as_i64(rw, list), rw.integers({hidden})}) : list;
}

Value typed_scalar(Rewriter& rw, ElementType type, std::int64_t number) {
  auto tensor = from_integers(type, {}, {number});
  return tensor ? rw.constant(*std::move(tensor)) : as_type(rw, rw.scalar(number), type);
}

Value typed_vector(Rewriter& rw, ElementType type, const Integers& numbers) {
  auto tensor = from_integers(type, {static_cast<std::int64_t>(numbers.size())}, numbers);
  return tensor ? rw.constant(*std::move(tensor)) : as_type(rw, rw.integers(numbers), type);
}

Value list_length(Rewriter& rw, const Value& list) {
  if (const auto count = type_of(list).shape.element_count()) return rw.scalar(*count);
  return as_scalar(rw, shape_of(rw, list));
}

Value index_range(Rewriter& rw, const Value& count) {
  return rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0), count,
                   rw.scalar<std::int64_t>(1));
}

Value places_of(Rewriter& rw, const Value& condition) {
  return rw.create(ops::Transpose{}, rw.create(ops::NonZero{.output_type = ElementType::i64}, condition),
                   rw.integers({1, 0}));
}

}  // namespace mo::tensorflow
