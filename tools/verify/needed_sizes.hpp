#pragma once

#include "core/graph/graph.hpp"

namespace mo::tools {

/// For each Parameter of an inferred model its shape, with the sizes that its readers need where the model leaves them
/// open: channels that the filters of a convolution take, the rows of the matrix of a product, what broadcasts with a
/// known dimension. An input of unknown rank whose reader is a Reshape has the shape that this Reshape makes. Readers
/// are found after other ops, too, as far as inference follows an unknown dimension (Dimension::symbol); of several
/// needs of one dimension the first in the order of the nodes counts. These are sizes that are likely to run, not what
/// the model means: a dimension of 1 would broadcast as well.
std::vector<PartialShape> shapes_that_readers_need(const Graph& graph);

}  // namespace mo::tools
