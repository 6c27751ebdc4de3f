#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/comparison/closeness.hpp"
#include "core/tensor/tensor.hpp"
#include "graph_transforms/engine/context.hpp"
#include "graph_transforms/engine/grammar.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::tools {

/// How an output of the changed graph differs from that of the original.
struct OutputDifference {
  std::string name;
  TensorDifference difference;
  /// "output 'y' differs by 0.5, its largest element is 3"
  std::string to_string() const;
};

/// How much outputs may differ after these transforms: a part of the largest element, by what each says of numbers
/// (graph_transforms::Numbers).
Closeness closeness_of(const std::vector<graph_transforms::TransformCall>& calls,
                       const graph_transforms::TransformRegistry& registry);

/// Values of inputs by the name of the node.
using GivenInputs = std::map<std::string, Tensor, std::less<>>;
/// Of "NAME=FILE.npy,NAME=FILE.npy". Errors: MO-GTT-0043 (no such form), MO-NPY-…, MO-IO-….
Expected<GivenInputs> read_inputs(std::string_view list);

/// Computes `outputs` by both graphs for the same inputs: those given, and random ones. The graphs are stripped, then
/// translated as for a conversion; unknown dimensions of Placeholders are taken as 1. Errors: MO-GTT-0040 (no outputs
/// are named), MO-GTT-0041 (an input of unknown rank, or of a type without random values), MO-GTT-0043 (values are
/// given for what is not an input), MO-GTT-0042 (an output has another shape or type, or is further away than
/// `closeness` allows), those of translation and execution.
Expected<std::vector<OutputDifference>> verify(const Graph& before, const Graph& after,
                                               const graph_transforms::TransformFuncContext& context,
                                               const std::vector<std::string>& outputs, const GivenInputs& given,
                                               const Closeness& closeness);

}  // namespace mo::tools
