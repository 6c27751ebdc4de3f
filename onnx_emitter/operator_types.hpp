#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types/element_type.hpp"

namespace mo::onnx_emitter {

/// Whether an operator takes an element type: not by its schema, by its schema only (ONNX Runtime has no kernel for
/// it), or in ONNX Runtime, too.
enum class Support { none, schema, kernel };

/// The element types of one operator in one op set: inputs and outputs have type parameters ("T"), or types.
class OperatorTypes {
 public:
  /// Nothing when the table has no such operator.
  static std::optional<OperatorTypes> find(std::string_view type, std::int64_t opset);
  /// The first op set in which some operator version takes the type in the place of input `i`; 0: none.
  static std::int64_t first_opset(std::string_view type, std::size_t i, ElementType element_type);

  /// The type parameter of an input, or its type; empty where each of its tensors has a type of its own, and after the
  /// last input.
  std::string_view input(std::size_t i) const { return at(inputs_, i); }
  std::string_view output(std::size_t i) const { return at(outputs_, i); }
  Support support(std::string_view parameter, ElementType type) const;
  /// The type that a parameter, or a fixed type, always stands for.
  std::optional<ElementType> only_type(std::string_view parameter) const;
  /// What holds all values of a type, and has a kernel: the narrowest one, integers first. f64 becomes f32 where there
  /// is no other one: runtimes of the IR compute it as f32, too.
  std::optional<ElementType> wider(std::string_view parameter, ElementType type) const;
  /// Whether each value of `narrow` is one of `wide`, another type: a Cast there and back changes nothing.
  static bool holds_all_of(ElementType wide, ElementType narrow);

 private:
  static std::string_view at(const std::vector<std::string_view>& names, std::size_t i);

  std::vector<std::string_view> inputs_;  ///< the last one with "*": as many as there are
  std::vector<std::string_view> outputs_;
  std::map<std::string_view, std::map<ElementType, Support>> parameters_;
};

/// The operators of one op set; each is looked up once.
class Operators {
 public:
  explicit Operators(std::int64_t opset) : opset(opset) {}
  const std::int64_t opset;
  /// Null when the table has no such operator.
  const OperatorTypes* find(std::string_view type);

 private:
  std::map<std::string, std::optional<OperatorTypes>, std::less<>> known_;
};

}  // namespace mo::onnx_emitter
