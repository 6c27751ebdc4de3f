#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/common/pass_history.hpp"
#include "tools/report/graph_table.hpp"

namespace mo::tools {

/// A layer that several nodes of the source became.
struct Fusion {
  std::uint32_t row = 0;  ///< of the layer in the table of the IR
  std::string layer;
  std::string type;
  std::vector<std::string> sources;  ///< without constants
  /// those that put them together; where this is unknown, all that touched the layer
  std::vector<std::string> passes;
  bool folded = false;  ///< it is a constant: they were computed
};

/// A Transpose of the IR.
struct KeptTranspose {
  std::uint32_t row = 0;
  std::string layer;
  std::string order;  ///< "0,3,1,2"; empty when it is computed
  std::string from;   ///< type of what it reads
  std::string to;
  bool of_model = false;  ///< the model has one, too
  std::string reason;     ///< a sentence
  std::vector<std::string> sources;
  std::vector<std::string> passes;
};

/// A constant of the IR.
struct ConstantFact {
  std::uint32_t row = 0;
  std::string layer;
  std::string type;
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;          ///< in the .bin
  std::string same_as;               ///< the layer that wrote the bytes; empty: this one did
  std::vector<std::string> readers;  ///< the first few
  bool compressed = false;           ///< to 16 bits
  std::int64_t clipped = 0;          ///< elements beyond the range of f16
};

struct ConstantFacts {
  static constexpr std::size_t kListed = 100;

  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< of all, shared ones each time
  std::uint64_t shared = 0;
  std::uint64_t shared_bytes = 0;  ///< that sharing saved
  std::uint64_t compressed = 0;
  std::uint64_t compressed_bytes = 0;  ///< of them, in 16 bits
  std::uint64_t clipped = 0;
  std::vector<ConstantFact> biggest;  ///< up to kListed, the biggest first
  std::vector<ConstantFact> sharing;  ///< up to kListed that share, the biggest first
  std::vector<ConstantFact> clipping;
};

std::vector<Fusion> fusions_in(const GraphTable& table, const std::vector<Node>& nodes, const GraphTable& source,
                               const TextTable& texts, const PassHistory& history);

/// Why a Transpose stands where it does is read off the graph around it: the nearest layers on both sides that the
/// layout step could not have in the other layout (core/op/layout_rule.hpp).
std::vector<KeptTranspose> transposes_in(const GraphTable& table, const std::vector<Node>& nodes,
                                         const GraphTable& source, const TextTable& texts, const PassHistory& history);

/// A constant, and where its bytes are in the .bin.
struct PlacedConstant {
  Node node;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};
ConstantFacts constants_in(const GraphTable& table, const std::vector<PlacedConstant>& constants,
                           const PassHistory& history);

}  // namespace mo::tools
