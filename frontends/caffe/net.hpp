#pragma once

#include <string>
#include <vector>

#include "core/attributes/attribute_value.hpp"
#include "core/types/partial_shape.hpp"
#include "frontends/caffe/prototxt.hpp"

namespace mo::caffe {

/// What a model may demand of us; more is error MO-CAFFE-0009.
namespace limits {
inline constexpr std::size_t kLayers = 1'000'000;
inline constexpr std::size_t kBlobs = 2'000'000;             ///< of all layers of a weight file
inline constexpr std::size_t kPorts = std::size_t{1} << 16;  ///< bottoms, tops or blobs of one layer
inline constexpr std::size_t kParameters = 4096;             ///< attributes of one layer
inline constexpr std::size_t kRank = 32;                     ///< Caffe: kMaxBlobAxes
}  // namespace limits

/// A layer in the current form of the format, whichever it was written in. Points into the text that it was read from.
struct NetLayer {
  std::string name;
  std::string type;
  TextPlace place;
  std::vector<std::string> bottoms;
  std::vector<std::string> tops;
  AttributeMap parameters;                ///< by path: "convolution_param.num_output"
  std::vector<const TextMessage*> blobs;  ///< weights that stand in the text
  std::vector<std::string> shared;        ///< names of the weights by which layers share them; "" for the others
};

/// An input of the whole net: an `input` field, or a top of a layer that reads data.
struct NetInput {
  std::string name;  ///< of the node
  std::string blob;
  std::string layer;  ///< type of the layer that makes it: "Input"
  PartialShape shape;
  /// made to be fed; otherwise a top of a layer that read images or labels in training
  bool is_declared = true;
  TextPlace place;
};

/// The layers of a net as they run in the test phase, and its inputs.
struct Net {
  std::string name;
  std::vector<NetInput> inputs;
  std::vector<NetLayer> layers;
};

/// The net in a text, which must outlive it. Layers of the training phase are left out, old forms are upgraded.
/// Warnings go to `sink`. Errors MO-CAFFE-0002 to MO-CAFFE-0014, each with the place in the text.
Expected<Net> read_net(const TextMessage& text, DiagnosticSink& sink);

// -- parts of read_net ------------------------------------------------------------------------------------------------

/// One `layer` or `layers`, in the current form but for paddings of V0, which are layers of type kV0Padding.
Expected<NetLayer> read_layer(const TextMessage& message);
/// What the fields `input`, `input_shape` and `input_dim` of a net say.
Expected<std::vector<NetInput>> read_net_inputs(const TextMessage& text);

/// Adds the fields of a message as attributes with paths that begin with `prefix`; fields called as one of `skipped`
/// are left out at this level.
Expected<void> flatten(const TextMessage& message, const std::string& prefix,
                       const std::vector<std::string_view>& skipped, AttributeMap& into);

/// Whether a layer runs in the test phase of the net. `net`: its `state` counts, except for the phase. Error
/// MO-CAFFE-0008.
Expected<bool> runs_in_test_phase(const TextMessage& layer, const TextMessage& net);

/// Whether layers of this type read the net's data.
bool is_data_layer(std::string_view type);
/// The inputs that stand for the tops of a data layer.
Expected<std::vector<NetInput>> inputs_of_data_layer(const TextMessage& message, const NetLayer& layer);
/// The dimensions in a BlobShape. Error MO-CAFFE-0010.
Expected<PartialShape> declared_shape(const TextMessage& message);

}  // namespace mo::caffe
