#pragma once

#include "core/pass/pass.hpp"

namespace mo::phases {

/// Pass "BoundaryNames": the layers at the ends of the model are called as programs expect it.
///
/// An input with a public name gets it. The node before a Result with a public name gets that name: API 1.0 (IECore)
/// calls outputs after that layer. A node with several outputs keeps its name, as does an input; where the name is that
/// of another node (an Identity of TensorFlow that is gone) a Convert to the same type bears it; in IR version 10,
/// whose API needs it, the addition of zero. Then every input and output has a tensor name, and tensors that TensorFlow
/// calls "x:0" are also called "x" where no other tensor is.
Pass boundary_names();

}  // namespace mo::phases
