#pragma once

#include <string>
#include <vector>

#include "frontends/caffe/net_parameter/blob_names.hpp"

/// What a node says of its layer now, beside what was read.
namespace mo::caffe {

/// The name of the layer in the files.
std::string layer_name(const Node& node);
/// The type, and whether it is still the one that was read.
std::string layer_type(const Node& node);
bool has_type_as_read(const Node& node);
/// Names of what the layer reads but for weights. Error MO-CAFFE-0062 when an input is gone.
Expected<std::vector<std::string>> bottoms_of(const Node& node, const BlobNames& names);
std::vector<std::string> tops_of(const Node& node, const BlobNames& names);
/// The constants that are the layer's weights.
std::vector<Node> weights_of(const Node& node);
/// Whether a constant is written as it was read.
bool is_blob_as_read(const Node& constant);

/// What became of a parameter.
struct ParameterChange {
  std::string path;
  const AttributeValue* value;  ///< null: it is gone
};
std::vector<ParameterChange> changed_parameters(const Node& node);

}  // namespace mo::caffe
