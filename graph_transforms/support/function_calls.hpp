#pragma once

#include "graph_transforms/engine/editor.hpp"

namespace mo::graph_transforms {

/// Puts the nodes of the function that `call` calls, as "call/node", in its place; calls inside of the function stay
/// calls. A call that --outputs names leaves an Identity (IdentityN) of its name. Errors: MO-GTT-0026 (the call names
/// no function), MO-GTT-0034, those of Services::put_function.
Expected<void> inline_call(GraphEditor& editor, const Node& call);

}  // namespace mo::graph_transforms
