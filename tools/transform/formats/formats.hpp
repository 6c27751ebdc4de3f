#pragma once

#include "tools/transform/model_format.hpp"

/// The formats that there are.
namespace mo::tools {

const ModelFormat& graph_def_format();
/// A GraphDef with signatures, variables and assets around it.
const ModelFormat& saved_model_format();
const ModelFormat& onnx_format();
const ModelFormat& caffe_format();

/// "DIR" of "DIR/" and of "DIR/saved_model.pb".
std::string folder_of_saved_model(const std::string& path);

}  // namespace mo::tools
