#include "ops/pad.hpp"

#include <algorithm>

#include "frontends/tensorflow/ops/support/complex_numbers.hpp"
#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"

namespace mo::tensorflow {
namespace {

/// What is added in front of and behind each dimension.
struct Margins {
  Value begin;
  Value end;
};

/// The columns of paddings [dimensions, 2], which are input 1. Error MO-TF-0556 for other shapes and negative numbers.
Expected<Margins> margins_of(const FrameworkNode& node, Rewriter& rw) {
  const Value paddings = node.input(1);
  const PartialShape& shape = paddings.type().shape;
  if (shape.has_rank() && (shape.size() != 2 || !shape[1].compatible(Dimension(2))))
    return node.error("MO-TF-0556", "paddings have shape {}", shape.to_string()).hint("they are a matrix [dimensions of the data, 2]");
  const auto numbers = integers_of(paddings);
  if (numbers && std::any_of(numbers->begin(), numbers->end(), [](std::int64_t v) { return v < 0; }))
    return node.error("MO-TF-0556", "a padding is negative").hint("TensorFlow pads, Slice cuts off; check how the model was saved");
  const auto column = [&](std::int64_t i) {
    return with_hidden(rw, node, as_i64(rw, rw.create(ops::Gather{}, paddings, rw.scalar(i), rw.scalar<std::int64_t>(1))), 0);
  };
  return Margins{column(0), column(1)};
}

Replacement pad(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Margins margins, margins_of(node, rw));
  return rw.create(ops::v1::Pad{}, node.input(0), margins.begin, margins.end, number_like(rw, node.input(0), 0));
}

/// The value is input 2. Of a complex one, each part fills up what is that part of the numbers.
Replacement pad_with_value(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const Margins margins, margins_of(node, rw));
  if (!is_complex(node)) return rw.create(ops::v1::Pad{}, node.input(0), margins.begin, margins.end, as_scalar(rw, node.input(2)));
  const auto padded = [&](std::int64_t part) {
    const Value x = slice_along(rw, node.input(0), -1, part, part + 1);
    return rw.create(ops::v1::Pad{}, x, margins.begin, margins.end, part_of_complex(rw, node.input(2), part));
  };
  const Value real = padded(0);
  return rw.create(ops::Concat{.axis = -1}, real, padded(1));
}

Replacement mirror_pad(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(2));
  const auto mode = node.required<std::string>("mode");
  if (node.failure()) return *node.failure();
  if (mode != "REFLECT" && mode != "SYMMETRIC") return node.error("MO-TF-0553", "mode is \"{}\"", mode).hint("mode is REFLECT or SYMMETRIC");
  MO_ASSIGN(const Margins margins, margins_of(node, rw));
  const auto pad_mode = mode == "REFLECT" ? ops::PadMode::reflect : ops::PadMode::symmetric;
  return rw.create(ops::v1::Pad{{.pad_mode = pad_mode}}, node.input(0), margins.begin, margins.end);
}

}  // namespace

void register_pad(OperatorTable& table) {
  table.translate("Pad", pad);
  table.translate("PadV2", pad_with_value);
  table.translate("MirrorPad", mirror_pad);
}

}  // namespace mo::tensorflow
