#pragma once

#include "frontends/tensorflow/variables.hpp"
#include "graph_transforms/engine/context.hpp"

namespace mo::tools {

/// What TensorFlow's freeze_graph makes of a GraphDef: only what --outputs need stays, the nodes of called functions
/// take the place of the calls, and variables become constants of the same names. Errors: MO-GTT-0018 (an output that
/// is not there), MO-GTT-0070 (a variable without a value, or one that something else than a read uses), MO-TF-0010 and
/// MO-TF-0015 (calls without end), those of Services::put_function and of checkpoints.
Expected<void> freeze(Graph& graph, const tensorflow::VariableBinder& variables,
                      graph_transforms::TransformFuncContext context);

}  // namespace mo::tools
