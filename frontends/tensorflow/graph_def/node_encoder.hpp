#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontends/tensorflow/graph_def/attribute_codec.hpp"
#include "frontends/tensorflow/model_state.hpp"

namespace mo::tensorflow {

/// How the nodes of a function refer to a tensor: "node:argument:index", or the name of an argument of the function.
using FunctionReference = std::function<Expected<std::string>(const Value& value)>;

/// Builds one NodeDef after the other; keeps its memory.
class NodeEncoder {
 public:
  NodeEncoder() = default;
  /// For the nodes of a function.
  explicit NodeEncoder(FunctionReference reference) : reference_(std::move(reference)) {}

  /// The NodeDef of `node`, valid until the next call. Errors: MO-TF-0050, MO-TF-0051, those of references.
  Expected<const Encoding*> encode(const Node& node);

 private:
  Expected<void> encode_inputs(const Node& node);
  Expected<void> list_inputs(const Node& node);
  Expected<void> encode_references(const Node& node);
  bool mean_the_same(const std::vector<std::string>& spelled, std::size_t tensors) const;
  Expected<void> encode_attributes();

  FunctionReference reference_;
  const AttributeMap* attributes_ = nullptr;
  Encoding message_;
  Encoding entry_;
  Encoding value_;
  std::vector<std::string> inputs_;
  std::vector<const AttributeMap::Item*> sorted_;
};

/// What a node of a function reads, and of which ops: what kept_key::kSources keeps.
std::vector<std::string> sources_of(const Node& node);

}  // namespace mo::tensorflow
