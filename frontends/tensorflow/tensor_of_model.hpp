#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tensorflow {

/// A tensor of a model, for a graph that is not read yet. It has parts, because its text is ambiguous: "1:0" is output
/// 0 of node "1", input 1 of node "0" in --output, or output 0 of a node of that name.
struct TensorOfModel {
  std::string node;
  std::size_t port = 0;
};

/// Where values of a graph are found when the model that it is written to is read again.
inline std::vector<TensorOfModel> tensors_of(const std::vector<Value>& values) {
  std::vector<TensorOfModel> tensors;
  for (const Value& value : values) tensors.push_back({std::string(value.node().name()), value.index()});
  return tensors;
}

}  // namespace mo::tensorflow
