#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph_transforms/engine/context.hpp"

namespace mo::graph_transforms {

/// Changes the graph, or fails and says why; after an error the graph may be half changed.
using TransformFunc = std::function<Expected<void>(Graph& graph, const TransformFuncContext& context)>;

/// Transforms by name. A file `x.cpp` of graph_transforms/ defines `register_x(TransformRegistry&)`, which calls `register_transform`.
class TransformRegistry {
 public:
  /// A name that is there already is kept as a problem.
  void register_transform(std::string name, TransformFunc transform);
  /// Null when there is none.
  const TransformFunc* find(std::string_view name) const;
  /// In alphabetical order.
  std::vector<std::string> names() const;
  /// Names that were registered twice.
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  std::map<std::string, TransformFunc, std::less<>> transforms_;
  std::vector<Diagnostic> problems_;
};

/// All transforms of this folder.
void register_all(TransformRegistry& registry);

}  // namespace mo::graph_transforms
