#include <numbers>

#include "frontends/tensorflow/ops/support/complex_numbers.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"

namespace mo::tensorflow {
namespace {

bool have_same_static_shape(const Value& a, const Value& b) {
  const PartialShape& shape = a.type().shape;
  return shape.is_static() && shape == b.type().shape;
}

/// Complex(a, b): both parts broadcast.
Replacement complex_of_parts(const FrameworkNode& node, Rewriter& rw) {
  Value real = node.input(0);
  Value imaginary = node.input(1);
  if (real != imaginary && !have_same_static_shape(real, imaginary)) {
    const ops::Broadcast stretch{.mode = ops::v3::BroadcastMode::bidirectional};
    real = rw.create(stretch, node.input(0), shape_of(rw, node.input(1)));
    imaginary = rw.create(stretch, node.input(1), shape_of(rw, node.input(0)));
  }
  const Value last = rw.integers({-1});
  const Value first_part = rw.create(ops::Unsqueeze{}, real, last);
  return rw.create(ops::Concat{.axis = -1}, first_part, rw.create(ops::Unsqueeze{}, imaginary, last));
}

Replacement real_part(const FrameworkNode& node, Rewriter& rw) { return part_of_complex(rw, node.input(0), 0); }
Replacement imaginary_part(const FrameworkNode& node, Rewriter& rw) { return part_of_complex(rw, node.input(0), 1); }
Replacement complex_magnitude(const FrameworkNode& node, Rewriter& rw) {
  return rw.create(ops::ReduceL2{}, node.input(0), rw.integers({-1}));
}

Replacement conjugate(const FrameworkNode& node, Rewriter& rw) {
  const Value signs = rw.constant(Tensor::vector<float>({1, -1}));
  return rw.create(ops::Multiply{}, node.input(0), as_type_of(rw, signs, node.input(0)));
}

/// The angle of (x, y): atan(y / x), turned by pi on the left side; on the vertical axis +-pi / 2; of zero 0.
Replacement complex_angle(const FrameworkNode& node, Rewriter& rw) {
  constexpr double kPi = std::numbers::pi;
  const Term x = term(rw, part_of_complex(rw, node.input(0), 0));
  const Term y = term(rw, part_of_complex(rw, node.input(0), 1));
  const Term vertical = equal(x, 0);
  const Term slope = (y / choose(vertical, x.number(1), x)).apply(ops::Atan{});
  const Term turn = choose(less(y, 0), y.number(-kPi), kPi);
  const Term sideways = choose(less(x, 0), slope + turn, slope);
  return choose(vertical, y.apply(ops::Sign{}) * (kPi / 2), sideways).value();
}

}  // namespace

/// Complex tensors are real ones with a last dimension of 2: real and imaginary part.
void register_complex(OperatorTable& table) {
  const auto add = [&table](std::string op, std::size_t inputs,
                            Replacement (*translate)(const FrameworkNode&, Rewriter&)) {
    table.translate(std::move(op), [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
      node.ignore({"T", "Tout"}, "types of input and result, which follow from each other");
      MO_TRY(node.expect_inputs(inputs));
      return translate(node, rw);
    });
  };
  add("Complex", 2, complex_of_parts);
  add("Real", 1, real_part);
  add("Imag", 1, imaginary_part);
  add("ComplexAbs", 1, complex_magnitude);
  add("Conj", 1, conjugate);
  add("Angle", 1, complex_angle);
}

}  // namespace mo::tensorflow
