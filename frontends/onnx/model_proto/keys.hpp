#pragma once

#include <string_view>

#include "frontends/common/kept_keys.hpp"

/// Of ONNX models.
namespace mo::onnx::kept_key {

// -- of a node --------------------------------------------------------------------------------------------------------
/// [name of the node here, NodeProto.name]
inline constexpr std::string_view kName = "@name";
/// [type of the node here, NodeProto.domain or nothing, NodeProto.op_type] where the type does not tell both.
inline constexpr std::string_view kOperator = "@operator";
/// NodeProto.output, where it is not the name of the node alone.
inline constexpr std::string_view kOutputs = "@outputs";
using frontends::kept_key::kFields;
using frontends::kept_key::kSpellings;
using frontends::kept_key::kWire;  ///< records of AttributeProto without the name, or a message
/// Tensors from outside that graphs in attributes read.
inline constexpr std::string_view kCaptures = "@captures";
/// Of a Const: [value that was read, records of TensorProto without the name].
inline constexpr std::string_view kTensor = "@tensor";
/// Of a Const: it is the output of a node Constant, whose value has this name ("value", "value_float" …).
inline constexpr std::string_view kConstant = "@constant";
/// Of a Placeholder in a graph inside of the model: what the graph around it gives, or an argument of the function. It
/// is not declared.
inline constexpr std::string_view kGiven = "@given";

// -- of the graph: its properties -------------------------------------------------------------------------------------
/// Records of ModelProto without the graph, and of GraphProto without what has become nodes and the lists below.
inline constexpr std::string_view kModelFields = "@model";
inline constexpr std::string_view kGraphFields = "@graph";
/// Of the graph of a function: records of FunctionProto without the nodes.
inline constexpr std::string_view kFunctionFields = "@function";
/// Lists of [name, ValueInfoProto]; of an output that a transform added, [name]; of a tensor that the graph does not
/// have, [name, ValueInfoProto, fingerprint_of_names]: it is written while that is the same.
inline constexpr std::string_view kModelInputs = "@inputs";
inline constexpr std::string_view kModelOutputs = "@outputs";
inline constexpr std::string_view kValueInfo = "@value_info";
/// The model is of a version of the format in which initializers are inputs, and so they are.
inline constexpr std::string_view kInitializersAreInputs = "@initializers_are_inputs";
/// The graph is inside of another one.
inline constexpr std::string_view kInner = "@inner";
/// Version of the default operator set.
inline constexpr std::string_view kOpset = "@opset";

}  // namespace mo::onnx::kept_key
