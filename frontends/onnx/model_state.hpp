#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontends/common/hash_map.hpp"
#include "frontends/common/wire.hpp"
#include "frontends/onnx/tensor_reader.hpp"

namespace mo::onnx {

/// What a model may demand of us; more is error MO-ONNX-0017, MO-ONNX-0018, MO-ONNX-0019 or MO-ONNX-0043.
namespace limits {
/// nodes, inputs, outputs and constants, bodies included
inline constexpr std::uint64_t kNodes = 20'000'000;
/// graphs in attributes of nodes of graphs …
inline constexpr int kDepth = 64;
inline constexpr std::size_t kPorts = std::size_t{1} << 20;  ///< inputs or outputs of one node
inline constexpr std::size_t kAttributes = 4096;             ///< attributes of one node
/// elements of an attribute that is a list
inline constexpr std::size_t kListLength = std::size_t{1} << 22;
inline constexpr std::size_t kDomains = 1000;  ///< operator sets that are imported
/// nodes made by inlining functions
inline constexpr std::uint64_t kInlinedNodes = 2'000'000;
/// bytes of names made by inlining functions
inline constexpr std::uint64_t kInlinedNames = std::uint64_t{1} << 28;
}  // namespace limits

/// Newest versions that this reader was written for: those of onnx 1.23.
inline constexpr std::int64_t kNewestIrVersion = 14;
inline constexpr std::int64_t kNewestOpset = 28;

/// Which version of each domain's operators is meant. The default domain is "" (also written ai.onnx).
class OpsetImports {
 public:
  /// Errors: MO-ONNX-0005 (absurd version), MO-ONNX-0007 (imported twice with different versions), MO-ONNX-0019.
  /// Warning MO-ONNX-0006: newer than what is known.
  Expected<void> add(std::string_view domain, std::int64_t version, DiagnosticSink& sink);
  std::optional<std::int64_t> find(std::string_view domain) const;
  bool empty() const { return items_.empty(); }
  const std::vector<std::pair<std::string, std::int64_t>>& items() const { return items_; }

  /// Reads an OperatorSetIdProto and adds it.
  Expected<void> read(frontends::WireSource& source, const frontends::WireField& message, DiagnosticSink& sink);

 private:
  std::vector<std::pair<std::string, std::int64_t>> items_;
};

/// "" for the two spellings of the default domain.
inline std::string_view normal_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}
/// Name of the dynamic op: "onnx::Conv", "com.microsoft::Gelu".
std::string op_name(std::string_view domain, std::string_view op_type);

/// What all graphs of one model share while they are read.
struct ModelState {
  ModelState(frontends::WireSource& source_, ExternalFiles& external, DiagnosticSink& sink_)
      : source(source_), sink(sink_), tensors(source_, external, sink_) {}

  frontends::WireSource& source;
  DiagnosticSink& sink;
  TensorReader tensors;
  frontends::HashMap<std::string, Dimension::Symbol> symbols;  ///< by dim_param
  std::vector<std::string> symbol_names;                       ///< by symbol, counted from 1
  std::set<std::string, std::less<>> domains_warned_of;
  std::vector<Graph*> graphs;  ///< all that were read, for what has to be done at the end
  std::uint64_t nodes = 0;

  /// Counts a node against the budget.
  Expected<void> take_node();
  /// The dimension that stands for a dim_param: equal names are equal dimensions.
  Dimension symbolic(std::string_view name);
};

}  // namespace mo::onnx
