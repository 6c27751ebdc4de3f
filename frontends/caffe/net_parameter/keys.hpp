#pragma once

#include <cstdint>
#include <string_view>

/// Of Caffe nets, which need none of those of every framework (frontends/common/kept_keys.hpp).
namespace mo::caffe::kept_key {

// -- of a node --------------------------------------------------------------------------------------------------------
/// [name of the node here, name of the layer, type of the node here].
inline constexpr std::string_view kLayer = "@layer";
/// [what stands before the field, the field] of the prototxt.
inline constexpr std::string_view kText = "@text";
/// The attributes that were read.
inline constexpr std::string_view kParameters = "@parameters";
/// Names of blobs, as they were read.
inline constexpr std::string_view kBottoms = "@bottoms";
inline constexpr std::string_view kTops = "@tops";
/// Numbers top, bottom, top, bottom …: the layer writes the top over the bottom.
inline constexpr std::string_view kInPlace = "@in_place";
/// It shares weights with other layers.
inline constexpr std::string_view kShared = "@shared";
/// It does not run in the test phase.
inline constexpr std::string_view kSkipped = "@skipped";
/// Of an input that is a field of the net.
inline constexpr std::string_view kNetInput = "@net_input";
/// [position in the .caffemodel, Form, records, records of the layer of V0 inside].
inline constexpr std::string_view kStored = "@stored";
/// Of a Const: [value that was read]; of one of the .caffemodel also [record of its BlobProto, records of its fields
/// without the numbers].
inline constexpr std::string_view kBlob = "@blob";

// -- of the graph: its properties -------------------------------------------------------------------------------------
/// Form of the prototxt.
inline constexpr std::string_view kForm = "@form";
/// Lists of [name of a field, the text before it, the field] for fields that are not layers; and the text after the
/// last one.
inline constexpr std::string_view kNetText = "@net";
inline constexpr std::string_view kEnd = "@end";
/// Names of the inputs that are fields of the net.
inline constexpr std::string_view kNetInputs = "@inputs";
/// List of [name of a node, names of its blobs], of all layers that were read.
inline constexpr std::string_view kBlobNames = "@blobs";
/// Records of the .caffemodel that are no layers; it is not there without one.
inline constexpr std::string_view kStoredNet = "@stored_net";

}  // namespace mo::caffe::kept_key
