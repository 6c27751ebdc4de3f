#pragma once

#include <tuple>

#include "core/attributes/declaration.hpp"

namespace mo::transformations {

/// Of pass ConstantFolding.
struct ConstantFoldingSettings {
  /// What is known because shapes are (ShapeOf of a static shape, a Gather of the parts of a Concat) becomes constant,
  /// too. A conversion leaves it to the runtime, so that the model can be reshaped, unless shapes are final.
  bool shapes = true;
  /// What is computed from constants alone becomes constant. Without it only what the shape of a tensor is in: large
  /// constants stay as they are in the model.
  bool constants = true;
  static constexpr auto attributes = Attributes{attr("shapes", &ConstantFoldingSettings::shapes),
                                                attr("constants", &ConstantFoldingSettings::constants)};
};

}  // namespace mo::transformations
