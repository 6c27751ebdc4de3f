#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/graph/graph.hpp"
#include "driver/options.hpp"

namespace mo::fuzz {

/// Converts into an empty folder and checks what holds for every model: an error explains itself and leaves nothing
/// behind; an IR consists of two files that our own reader reads again and that can be inferred. `options` without
/// output folder. The graph that was read; null after an error, and where there are custom operations.
std::unique_ptr<Graph> converted(Options options);

/// Reads an IR of our own making; null when it has custom operations. Anything else but a graph is a finding.
std::unique_ptr<Graph> read_own_ir(const std::string& xml);

/// Options for a model file of this framework ("onnx", "tf", "caffe").
Options options_for(std::string_view framework, std::string_view file_name, std::string_view bytes);

}  // namespace mo::fuzz
