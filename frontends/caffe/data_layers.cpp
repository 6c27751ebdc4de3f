#include <algorithm>
#include <array>

#include "frontends/caffe/net.hpp"

namespace mo::caffe {
namespace {

constexpr std::array<std::string_view, 12> kDataLayers = {
    "Input",     "Data",          "ImageData", "HDF5Data",       "MemoryData",   "WindowData",
    "DummyData", "AnnotatedData", "VideoData", "DenseImageData", "ImageSegData", "LMDBData"};

Dimension size_or_any(std::int64_t size) {
  return size > 0 && size < Dimension::kNoLimit ? Dimension(size) : Dimension();
}

/// The parameters of a data layer, as far as they tell about shapes. Old nets keep the crop in the data's own
/// parameters.
class DataParameters {
 public:
  explicit DataParameters(const AttributeMap& parameters) : parameters_(parameters) {}

  /// The first of these parameters that is a positive number.
  Dimension size(std::initializer_list<std::string_view> paths) const {
    for (const std::string_view path : paths)
      if (const AttributeValue* value = parameters_.find(path))
        if (const auto* number = value->get_if<std::int64_t>(); number && *number > 0) return size_or_any(*number);
    return {};
  }
  bool flag(std::string_view path, bool fallback) const {
    const AttributeValue* value = parameters_.find(path);
    const bool* flag = value ? value->get_if<bool>() : nullptr;
    return flag ? *flag : fallback;
  }
  std::size_t count(std::string_view path) const {
    const AttributeValue* value = parameters_.find(path);
    if (!value) return 0;
    if (const auto* list = value->get_if<std::vector<double>>()) return list->size();
    if (const auto* list = value->get_if<std::vector<std::int64_t>>()) return list->size();
    return 1;
  }

 private:
  const AttributeMap& parameters_;
};

PartialShape image_shape(const NetLayer& layer) {
  const DataParameters p(layer.parameters);
  const Dimension batch =
      p.size({"data_param.batch_size", "image_data_param.batch_size", "window_data_param.batch_size"});
  const Dimension crop = p.size({"transform_param.crop_size", "data_param.crop_size", "image_data_param.crop_size",
                                 "window_data_param.crop_size"});
  Dimension height = crop;
  Dimension width = crop;
  if (!crop.is_known()) {
    height = p.size({"transform_param.crop_h", "transform_param.resize_param.height", "image_data_param.new_height"});
    width = p.size({"transform_param.crop_w", "transform_param.resize_param.width", "image_data_param.new_width"});
  }
  Dimension channels;
  const bool is_image = layer.type == "ImageData" || layer.type == "WindowData";
  if (p.flag("transform_param.force_gray", false) || (is_image && !p.flag("image_data_param.is_color", true)))
    channels = Dimension(1);
  else if (is_image || p.flag("transform_param.force_color", false) || p.count("transform_param.mean_value") == 3)
    channels = Dimension(3);
  return PartialShape({batch, channels, height, width});
}

/// Shapes that a data layer declares, in order: `shape` messages of input_param or dummy_data_param.
Expected<std::vector<PartialShape>> declared_shapes(const TextMessage& message, std::string_view parameter) {
  std::vector<PartialShape> shapes;
  MO_TRY(message.each(parameter, [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(const TextMessage* const inner, message_of(value, field));
    return inner->each("shape", [&](const TextValue& item, const TextField& shape_field) -> Expected<void> {
      MO_ASSIGN(const TextMessage* const dims, message_of(item, shape_field));
      MO_ASSIGN(PartialShape shape, declared_shape(*dims));
      shapes.push_back(std::move(shape));
      return {};
    });
  }));
  return shapes;
}

PartialShape shape_of_top(const NetLayer& layer, std::size_t top, const std::vector<PartialShape>& declared) {
  // Caffe: one shape for each top, or one for all of them.
  if (!declared.empty()) return declared[declared.size() == 1 ? 0 : std::min(top, declared.size() - 1)];
  const DataParameters p(layer.parameters);
  if (layer.type == "MemoryData") {
    const Dimension batch = p.size({"memory_data_param.batch_size"});
    if (top > 0) return PartialShape({batch});
    return PartialShape({batch, p.size({"memory_data_param.channels"}), p.size({"memory_data_param.height"}),
                         p.size({"memory_data_param.width"})});
  }
  if (layer.type == "DummyData") {
    if (layer.parameters.contains("dummy_data_param.num"))
      return PartialShape({p.size({"dummy_data_param.num"}), p.size({"dummy_data_param.channels"}),
                           p.size({"dummy_data_param.height"}), p.size({"dummy_data_param.width"})});
    return {};
  }
  if (layer.type == "Input" || layer.type == "HDF5Data") return {};  // only the data know
  return top == 0 ? image_shape(layer) : PartialShape();
}

}  // namespace

bool is_data_layer(std::string_view type) {
  return std::find(kDataLayers.begin(), kDataLayers.end(), type) != kDataLayers.end();
}

Expected<std::vector<NetInput>> inputs_of_data_layer(const TextMessage& message, const NetLayer& layer) {
  const bool is_input = layer.type == "Input";
  MO_ASSIGN(const std::vector<PartialShape> declared,
            declared_shapes(message, is_input ? "input_param" : "dummy_data_param"));
  if (declared.size() > 1 && declared.size() != layer.tops.size())
    return error_at(layer.place, "MO-CAFFE-0010", "layer '{}' has {} tops and {} shapes", layer.name, layer.tops.size(),
                    declared.size())
        .hint("give one shape for each top, or one for all of them");
  if (layer.tops.empty())
    return error_at(layer.place, "MO-CAFFE-0010", "layer '{}' has no top", layer.name).hint("the text is incomplete");
  std::vector<NetInput> inputs;
  for (std::size_t i = 0; i < layer.tops.size(); ++i)
    inputs.push_back({layer.tops.size() == 1 ? layer.name : layer.tops[i], layer.tops[i], layer.type,
                      shape_of_top(layer, i, declared), is_input, layer.place});
  return inputs;
}

Expected<PartialShape> declared_shape(const TextMessage& message) {
  std::vector<Dimension> dims;
  MO_TRY(message.each("dim", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(const std::int64_t dim, integer_of(value, field));
    if (dim < -1 || dim == Dimension::kNoLimit || dims.size() == limits::kRank)
      return error_at(field.place_of(value), "MO-CAFFE-0010", "dimension {} of an input is {}", dims.size(), dim)
          .hint("a shape has at most {} dimensions, none of them negative; -1 means any size", limits::kRank);
    dims.push_back(dim == -1 ? Dimension() : Dimension(dim));
    return {};
  }));
  return PartialShape(std::move(dims));
}

}  // namespace mo::caffe
