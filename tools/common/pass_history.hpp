#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/pass/runner.hpp"

namespace mo::tools {

/// Which passes made or changed each node of a graph on its way through a conversion. It watches from outside: a pass
/// has touched a node when the node is new, or has another op, other attributes, inputs, types of outputs or name than
/// before; what is made inherits the passes of what vanished in the same pass and stood for the same nodes of the
/// source. Bodies belong to the node that owns them. Costs O(nodes) for each pass that changed something.
class PassHistory {
 public:
  /// Watches from now on; `graph` and this object stay where they are while the passes of `manager` run. Takes the
  /// manager's hook `after_pass`, and calls what was in it before.
  void watch(PassRunner& runner, const Graph& graph);

  /// Names of the passes in order; empty for a node that is as it was read.
  std::vector<std::string> of(const Node& node) const;
  /// Those of them after which the node stood for more nodes of the source than before: they put it together with
  /// others.
  std::vector<std::string> merged_by(const Node& node) const;

 private:
  struct Record {
    std::uint64_t state = 0;
    std::vector<std::string> sources;
    std::vector<std::uint32_t> passes;   ///< indices into names_
    std::vector<std::uint32_t> merging;  ///< those of them that added sources
  };
  static Record record_of(const Node& node);
  std::vector<std::string> names_of(const std::vector<std::uint32_t>& passes) const;
  void look(const Graph& graph, const std::string& pass);

  std::vector<std::string> names_;
  std::map<NodeId, Record> records_;
  const Graph* graph_ = nullptr;
};

}  // namespace mo::tools
