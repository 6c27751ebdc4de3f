#pragma once

#include <string_view>

#include "frontends/common/kept_keys.hpp"

/// Of a GraphDef, and of what is around it.
namespace mo::tensorflow::kept_key {

// -- of a node --------------------------------------------------------------------------------------------------------
inline constexpr std::string_view kDevice = "@device";
/// Of a node: its inputs as the file spells them, when that is not "x" for output 0, "x:1", and control inputs "^x"
/// last.
inline constexpr std::string_view kInputs = "@inputs";
using frontends::kept_key::kFields;  ///< of the properties of the graph as well
using frontends::kept_key::kSpellings;
using frontends::kept_key::kWire;  ///< the bytes of an AttrValue
/// Of a node of a function: what it read when @inputs were read, as a GraphDef says it.
inline constexpr std::string_view kSources = "@sources";
/// Of a Placeholder that stands for an argument of a function: its name.
inline constexpr std::string_view kArgument = "@argument";

// -- of the graph of a SavedModel: its properties. In the lists of records an empty list stands for what the graph is
// written into ---
/// Records of SavedModel; an empty one is the MetaGraph with the graph.
inline constexpr std::string_view kSavedModel = "@saved_model";
/// Records of that MetaGraph; an empty one is its graph.
inline constexpr std::string_view kMetaGraph = "@meta_graph";
/// [signature, key, tensor, whether it is an input], of all signatures.
inline constexpr std::string_view kSignatures = "@signatures";
/// Names of nodes that loading the model runs.
inline constexpr std::string_view kLoading = "@loading";
/// Prefix of the checkpoint.
inline constexpr std::string_view kVariables = "@variables";

// -- of a value -------------------------------------------------------------------------------------------------------
/// A function, and the attributes that it is called with.
inline constexpr std::string_view kFunction = "function";
inline constexpr std::string_view kFunctionAttributes = "attributes";

}  // namespace mo::tensorflow::kept_key
