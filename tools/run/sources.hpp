#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// "random", "random:7" or "zeros": values that do not come from a file.
bool is_generated(std::string_view source);

/// Arguments of --input where archives without a name stand for each of their arrays: "NAME=FILE.npz". Errors: of the
/// archive.
Expected<std::vector<std::string>> expand_archives(const std::vector<std::string>& arguments);

/// The tensor that `source` gives to input `index` of the graph: a .npy file, an array of a .npz archive (that of the
/// input's name, or the only one), a picture (values 0 to 255, channels where the input has them, batch 1), random
/// numbers, zeros. Errors: of the files, MO-RUN-0011 (a picture cannot be read), -0012 (a picture of another size than
/// the input), -0013 (zeros or random numbers for an input of open shape or of texts).
Expected<Tensor> read_source(const Graph& graph, std::size_t index, const std::string& source);

}  // namespace mo::tools
