#pragma once

#include <span>

#include "frontends/tensorflow/model_state.hpp"

namespace mo::tensorflow {

/// How the original of the IR's version calls the ends of a model.
enum class PublicNames {
  after_nodes,    ///< 2021.4: after the nodes; Results after the tensors
  after_tensors,  ///< 2024.6: inputs after their tensors ("x:0"), the node that an output reads without the names of
                  ///< the calls around it
};

/// Gives inputs and Results their public names (Origin::public_name). An output that is an Identity is named after the
/// node whose tensor it passes on, as no IR has Identity nodes. `calls`: the names of calls whose functions were put in
/// place; `has_signature`: inputs have names of their own.
void name_ends(Graph& graph, std::span<const NameId> calls, PublicNames names, bool has_signature);

}  // namespace mo::tensorflow
