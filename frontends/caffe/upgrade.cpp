#include "frontends/caffe/upgrade.hpp"

#include <algorithm>
#include <map>

namespace mo::caffe {
namespace {

struct V1Type {
  std::int64_t number;
  std::string_view enumerator;
  std::string_view type;
};
constexpr V1Type kV1Types[] = {
    {1, "ACCURACY", "Accuracy"},
    {2, "BNLL", "BNLL"},
    {3, "CONCAT", "Concat"},
    {4, "CONVOLUTION", "Convolution"},
    {5, "DATA", "Data"},
    {6, "DROPOUT", "Dropout"},
    {7, "EUCLIDEAN_LOSS", "EuclideanLoss"},
    {8, "FLATTEN", "Flatten"},
    {9, "HDF5_DATA", "HDF5Data"},
    {10, "HDF5_OUTPUT", "HDF5Output"},
    {11, "IM2COL", "Im2col"},
    {12, "IMAGE_DATA", "ImageData"},
    {13, "INFOGAIN_LOSS", "InfogainLoss"},
    {14, "INNER_PRODUCT", "InnerProduct"},
    {15, "LRN", "LRN"},
    {16, "MULTINOMIAL_LOGISTIC_LOSS", "MultinomialLogisticLoss"},
    {17, "POOLING", "Pooling"},
    {18, "RELU", "ReLU"},
    {19, "SIGMOID", "Sigmoid"},
    {20, "SOFTMAX", "Softmax"},
    {21, "SOFTMAX_LOSS", "SoftmaxWithLoss"},
    {22, "SPLIT", "Split"},
    {23, "TANH", "TanH"},
    {24, "WINDOW_DATA", "WindowData"},
    {25, "ELTWISE", "Eltwise"},
    {26, "POWER", "Power"},
    {27, "SIGMOID_CROSS_ENTROPY_LOSS", "SigmoidCrossEntropyLoss"},
    {28, "HINGE_LOSS", "HingeLoss"},
    {29, "MEMORY_DATA", "MemoryData"},
    {30, "ARGMAX", "ArgMax"},
    {31, "THRESHOLD", "Threshold"},
    {32, "DUMMY_DATA", "DummyData"},
    {33, "SLICE", "Slice"},
    {34, "MVN", "MVN"},
    {35, "ABSVAL", "AbsVal"},
    {36, "SILENCE", "Silence"},
    {37, "CONTRASTIVE_LOSS", "ContrastiveLoss"},
    {38, "EXP", "Exp"},
    {39, "DECONVOLUTION", "Deconvolution"},
};

struct V0Type {
  std::string_view old;
  std::string_view type;
};
constexpr V0Type kV0Types[] = {
    {"accuracy", "Accuracy"},
    {"bnll", "BNLL"},
    {"concat", "Concat"},
    {"conv", "Convolution"},
    {"data", "Data"},
    {"dropout", "Dropout"},
    {"euclidean_loss", "EuclideanLoss"},
    {"flatten", "Flatten"},
    {"hdf5_data", "HDF5Data"},
    {"hdf5_output", "HDF5Output"},
    {"im2col", "Im2col"},
    {"images", "ImageData"},
    {"infogain_loss", "InfogainLoss"},
    {"innerproduct", "InnerProduct"},
    {"lrn", "LRN"},
    {"multinomial_logistic_loss", "MultinomialLogisticLoss"},
    {"padding", kV0Padding},
    {"pool", "Pooling"},
    {"relu", "ReLU"},
    {"sigmoid", "Sigmoid"},
    {"softmax", "Softmax"},
    {"softmax_loss", "SoftmaxWithLoss"},
    {"split", "Split"},
    {"tanh", "TanH"},
    {"window_data", "WindowData"},
};

struct V0Parameter {
  std::string_view old;
  std::string_view type;
  std::string_view path;
};
constexpr V0Parameter kV0Parameters[] = {
    {"num_output", "Convolution", "convolution_param.num_output"},
    {"num_output", "InnerProduct", "inner_product_param.num_output"},
    {"biasterm", "Convolution", "convolution_param.bias_term"},
    {"biasterm", "InnerProduct", "inner_product_param.bias_term"},
    {"pad", "Convolution", "convolution_param.pad"},
    {"pad", "Pooling", "pooling_param.pad"},
    {"pad", kV0Padding, "pad"},
    {"kernelsize", "Convolution", "convolution_param.kernel_size"},
    {"kernelsize", "Pooling", "pooling_param.kernel_size"},
    {"group", "Convolution", "convolution_param.group"},
    {"stride", "Convolution", "convolution_param.stride"},
    {"stride", "Pooling", "pooling_param.stride"},
    {"pool", "Pooling", "pooling_param.pool"},
    {"dropout_ratio", "Dropout", "dropout_param.dropout_ratio"},
    {"local_size", "LRN", "lrn_param.local_size"},
    {"alpha", "LRN", "lrn_param.alpha"},
    {"beta", "LRN", "lrn_param.beta"},
    {"k", "LRN", "lrn_param.k"},
    {"concat_dim", "Concat", "concat_param.concat_dim"},
};

}  // namespace

std::optional<std::string_view> type_of_v1(std::string_view enumerator) {
  const auto* found = std::find_if(std::begin(kV1Types), std::end(kV1Types),
                                   [&](const V1Type& row) { return row.enumerator == enumerator; });
  return found == std::end(kV1Types) ? std::nullopt : std::optional(found->type);
}

std::optional<std::string_view> type_of_v1(std::int64_t number) {
  const auto* found =
      std::find_if(std::begin(kV1Types), std::end(kV1Types), [&](const V1Type& row) { return row.number == number; });
  return found == std::end(kV1Types) ? std::nullopt : std::optional(found->type);
}

std::optional<std::string_view> type_of_v0(std::string_view type) {
  const auto* found =
      std::find_if(std::begin(kV0Types), std::end(kV0Types), [&](const V0Type& row) { return row.old == type; });
  return found == std::end(kV0Types) ? std::nullopt : std::optional(found->type);
}

std::optional<std::string_view> v1_enumerator_of(std::string_view type) {
  const auto* found =
      std::find_if(std::begin(kV1Types), std::end(kV1Types), [&](const V1Type& row) { return row.type == type; });
  return found == std::end(kV1Types) ? std::nullopt : std::optional(found->enumerator);
}

std::optional<std::int64_t> v1_number_of(std::string_view type) {
  const auto* found =
      std::find_if(std::begin(kV1Types), std::end(kV1Types), [&](const V1Type& row) { return row.type == type; });
  return found == std::end(kV1Types) ? std::nullopt : std::optional(found->number);
}

std::optional<std::string_view> v0_type_of(std::string_view type) {
  const auto* found =
      std::find_if(std::begin(kV0Types), std::end(kV0Types), [&](const V0Type& row) { return row.type == type; });
  return found == std::end(kV0Types) ? std::nullopt : std::optional(found->old);
}

std::optional<std::string_view> v0_parameter_of(std::string_view type, std::string_view path) {
  const auto* found = std::find_if(std::begin(kV0Parameters), std::end(kV0Parameters),
                                   [&](const V0Parameter& row) { return row.type == type && row.path == path; });
  return found == std::end(kV0Parameters) ? std::nullopt : std::optional(found->old);
}

void upgrade_v0_parameters(NetLayer& layer, const AttributeMap& flat) {
  // What else there is concerns training or the reading of data.
  for (const AttributeMap::Item& item : flat)
    for (const V0Parameter& row : kV0Parameters)
      if (row.old == item.name && row.type == layer.type) layer.parameters.set(row.path, item.value);
}

Expected<void> fold_v0_padding(std::vector<NetLayer>& layers) {
  struct Padding {
    std::string blob;
    AttributeValue size;
  };
  std::map<std::string, Padding> paddings;  // by the blob that a padding layer makes
  for (NetLayer& layer : layers) {
    for (std::string& bottom : layer.bottoms) {
      const auto found = paddings.find(bottom);
      if (found == paddings.end()) continue;
      const bool is_convolution = layer.type == "Convolution";
      if ((!is_convolution && layer.type != "Pooling") || layer.bottoms.size() != 1)
        return error_at(layer.place, "MO-CAFFE-0014", "layer '{}' of type {} reads the padding layer of '{}'",
                        layer.name, layer.type, bottom)
            .hint("only convolutions and poolings take over the padding; write the net in the current form");
      layer.parameters.set(is_convolution ? "convolution_param.pad" : "pooling_param.pad", found->second.size);
      bottom = found->second.blob;
    }
    if (layer.type != kV0Padding) continue;
    if (layer.bottoms.size() != 1 || layer.tops.size() != 1 || layer.bottoms == layer.tops)
      return error_at(layer.place, "MO-CAFFE-0014", "the padding layer '{}' does not have one bottom and one top",
                      layer.name)
          .hint("the net is invalid: upgrade it again from the original prototxt");
    const AttributeValue* size = layer.parameters.find("pad");
    paddings[layer.tops[0]] = {layer.bottoms[0], size ? *size : AttributeValue(std::int64_t{0})};
  }
  std::erase_if(layers, [](const NetLayer& layer) { return layer.type == kV0Padding; });
  return {};
}

}  // namespace mo::caffe
