#pragma once

#include <string_view>

namespace mo {

/// A file of a drop-in folder. The manifest of the folder (cmake/mo_manifest.cmake) has one for each.
template <class Registry>
struct Part {
  std::string_view path;  ///< in the tree, without its ending: "transformations/fusions/clamp_fusion"
  void (*add)(Registry& registry);
  bool on_request = false;  ///< it adds nothing but passes on request (PassRegistry::offer)
};

}  // namespace mo
