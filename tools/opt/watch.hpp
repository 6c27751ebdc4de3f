#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/pass/library.hpp"
#include "tools/opt/options.hpp"

namespace mo::tools {

/// Watches a run of transformations: what they changed, how long they took, whether the numbers stayed the same.
class Watch {
 public:
  virtual ~Watch() = default;
  /// Errors end the run.
  virtual Expected<void> ran(const PassEvent& event) = 0;
  /// Behind the last transformation.
  virtual Expected<void> finish() { return {}; }
};

/// The watches that options and environment ask for; `graph` is as it was read, `name` that of the model.
Expected<std::vector<std::unique_ptr<Watch>>> make_watches(const OptOptions& options, const Graph& graph,
                                                           const std::string& name);

}  // namespace mo::tools
