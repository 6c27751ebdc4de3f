#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The different elements of the flattened data, or with an axis (input 1) the different slices along it. Outputs: what
/// is different; the first place of each; for every element or slice the place of its equal in output 0; how often each
/// is there. `sorted`: ascending (slices: at the first difference), otherwise in the order of their first places.
struct Unique {
  static constexpr OpId id{"Unique", 10};
  bool sorted = true;
  ElementType index_element_type = ElementType::i64;
  ElementType count_element_type = ElementType::i64;
  static constexpr auto attributes =
      Attributes{attr("sorted", &Unique::sorted), attr("index_element_type", &Unique::index_element_type),
                 attr("count_element_type", &Unique::count_element_type)};
  static constexpr OpTraits traits{.outputs = 4, .shape_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
