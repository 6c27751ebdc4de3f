#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "core/tensor/tensor.hpp"
#include "core/text/lexer.hpp"

namespace mo::text {

/// A literal before its element type is known.
struct Literal {
  Shape shape;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  bool real = false;   ///< some number is a real
  bool large = false;  ///< some integer is beyond i64: `integers` has the bits of u64 numbers
};

/// The whole of `text` as a number; nothing when it is none.
std::optional<std::int64_t> integer_of(const std::string& text);
std::optional<double> real_of(const std::string& text);

/// `f32`, or `type("f3e1m1")` for a type that mo knows by name only. Nothing when the next token begins neither; error
/// MO-TEXT-0001 for a name that is not one.
Expected<std::optional<ElementType>> parse_element_type(Lexer& lexer);
/// `f32[1,?,2..8]`, `[1,3]` and `[...]` (docs/text_form.md). Error MO-TEXT-0001 with the place.
Expected<TensorType> parse_type(Lexer& lexer);
Expected<PartialShape> parse_shape(Lexer& lexer);

/// The numbers of a literal as a tensor of `type`.
Expected<Tensor> typed(const Literal& literal, ElementType type);

/// A number or nested lists, followed by a type (a tensor) or not (a literal); `splat`, `random`, `strings`
/// and `elided`, which is read as zeros when `allow_elided`.
Expected<std::variant<Literal, Tensor>> parse_literal(Lexer& lexer, bool allow_elided);

}  // namespace mo::text
