#include "ops/pad.hpp"

#include "frontends/tensorflow/ops/support/complex_numbers.hpp"
#include "frontends/tensorflow/ops/support/padding.hpp"
#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/concat.hpp"

namespace mo::tensorflow {
namespace {

Replacement pad(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Margins margins, margins_of(node, rw, node.input(1)));
  return rw.create(ops::v1::Pad{}, node.input(0), margins.begin, margins.end, number_like(rw, node.input(0), 0));
}

/// The value is input 2. Of a complex one, each part fills up what is that part of the numbers.
Replacement pad_with_value(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const Margins margins, margins_of(node, rw, node.input(1)));
  if (!is_complex(node))
    return rw.create(ops::v1::Pad{}, node.input(0), margins.begin, margins.end, as_scalar(rw, node.input(2)));
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
  MO_ASSIGN(const Value padded, mirror_padded(node, rw, node.input(0), node.input(1)));
  return padded;
}

}  // namespace

void register_pad(OperatorTable& table) {
  table.translate("Pad", pad);
  table.translate("PadV2", pad_with_value);
  table.translate("MirrorPad", mirror_pad);
}

}  // namespace mo::tensorflow
