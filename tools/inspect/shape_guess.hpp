#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// An input whose shape the model does not say as far as a conversion needs it.
struct OpenInput {
  std::string name;  ///< as --input takes it
  Value tensor;      ///< a Parameter's
  PartialShape shape;
  std::string shape_text;  ///< the same as users know it
};

/// Shapes for the inputs that agree with what is known, to be tried in this order; each entry has one for each input.
/// Sizes come from the first weights that an input meets, otherwise they are usual ones. `is_static`: no dimension may
/// stay unknown.
std::vector<std::vector<PartialShape>> shape_guesses(const std::vector<OpenInput>& inputs, bool is_static);

}  // namespace mo::tools
