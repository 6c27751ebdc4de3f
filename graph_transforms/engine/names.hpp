#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Names of tensors as a GraphDef writes them in the inputs of a node: "node", "node:1", "^node".
namespace mo::graph_transforms {

struct NodeNameParts {
  std::string_view prefix;  ///< "^" of a control input
  std::string_view node;
  std::string_view suffix;  ///< ":1"
};

/// The views are into `input`. What follows a second colon (inside of functions) is left out.
NodeNameParts node_name_parts_from_input(std::string_view input);
/// "node" of all three forms.
std::string_view node_name_from_input(std::string_view input);
/// "node:0" of "node", "^node:0" of "^node".
std::string canonical_input_name(std::string_view input);

/// Whether a feed or fetch, "node" or "node:1", is of that node. Names of ONNX tensors may have colons of their own.
bool refers_to(std::string_view reference, std::string_view node);
/// The nodes that `refers_to` may mean: the whole reference, and the part before a final ":1".
std::vector<std::string_view> nodes_referred_to(std::string_view reference);
/// The output that the reference means when it is one of that node: 1 of "node:1", 0 of "node".
std::size_t port_referred_to(std::string_view reference, std::string_view node);

}  // namespace mo::graph_transforms
