#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/op/infer_context.hpp"

namespace mo::custom_ops {

/// The shape of an output as an expression of input shapes and attributes: "in0", "[in0[0], attrs.depth]",
/// "[...in0[:-1], in1.rank * 2]" (docs/custom_ops.md has the grammar). Immutable once parsed; unknown dimensions go
/// through all of it.
class ShapeExpression {
 public:
  /// Error MO-CONFIG-0101 with the character where the expression stops to make sense.
  static Expected<ShapeExpression> parse(std::string_view text);

  /// Error MO-CONFIG-0106: an index outside of its list, a missing input, a negative dimension, a division by zero, an
  /// overflow.
  Expected<PartialShape> evaluate(const InferContext& ctx, const AttributeMap& attributes) const;

  const std::string& text() const { return text_; }
  /// The attributes that the expression asks for.
  std::vector<std::string> attributes() const;

  enum class Kind : std::uint8_t {
    number,
    unknown,
    unknown_list,
    list,
    spread,
    input,
    input_value,
    attribute,
    length,
    product,
    index,
    slice,
    negate,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    minimum,
    maximum,
    ceil_divide,
    broadcast,
  };
  /// One vertex of the tree; children by their index, -1: left out (bounds of a slice).
  struct Term {
    Kind kind = Kind::unknown;
    std::int64_t number = 0;
    std::string name;
    std::vector<int> children;
  };

 private:
  friend class ShapeParser;
  std::string text_;
  std::vector<Term> terms_;
  int root_ = 0;
};

/// Longer expressions are mistakes.
inline constexpr std::size_t kMaxExpressionLength = 1000;

}  // namespace mo::custom_ops
