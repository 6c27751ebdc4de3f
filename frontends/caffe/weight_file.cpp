#include "frontends/caffe/weight_file.hpp"

#include "frontends/caffe/fields.hpp"
#include "frontends/caffe/net.hpp"
#include "frontends/common/file_kind.hpp"

namespace mo::caffe {
namespace {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

struct LayerFields {
  std::uint32_t name;
  std::uint32_t blobs;
  std::uint32_t v0;  ///< the V0 layer inside of a V1 one; 0 when there is none
};
constexpr LayerFields kCurrent{layer_field::kName, layer_field::kBlobs, 0};
constexpr LayerFields kV1{v1_layer_field::kName, v1_layer_field::kBlobs, v1_layer_field::kV0Layer};
constexpr LayerFields kV0{v0_layer_field::kName, v0_layer_field::kBlobs, 0};

Expected<void> scan_fields(WireSource& source, const WireField& message, const LayerFields& fields, StoredLayer& layer,
                           std::size_t& blobs) {
  MO_ASSIGN(WireReader reader, frontends::message_of(source, message));
  return reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == fields.name) {
      MO_ASSIGN(const std::string_view name, frontends::short_text_of(source, field));
      layer.name = name;
    } else if (field.number == fields.blobs) {
      if (field.type != frontends::WireType::bytes) return frontends::wrong_wire_type(field, "a blob");
      if (layer.blobs.size() == limits::kPorts)
        return error("MO-CAFFE-0009", "layer '{}' of \"{}\" has more than {} blobs", layer.name, source.name(),
                     limits::kPorts)
            .hint("the file is corrupt (compare its checksum), or too large to convert");
      if (++blobs > limits::kBlobs)
        return error("MO-CAFFE-0009", "\"{}\" has more than {} blobs", source.name(), limits::kBlobs)
            .hint("the file is corrupt (compare its checksum), or too large to convert");
      layer.blobs.push_back(field);
    } else if (fields.v0 != 0 && field.number == fields.v0) {
      layer.form = Form::v0;
      layer.inner = field;
      return scan_fields(source, field, kV0, layer, blobs);  // one level: V0 holds no layers
    }
    return {};
  });
}

}  // namespace

Expected<std::unique_ptr<WeightFile>> WeightFile::open(const std::string& path) {
  MO_ASSIGN(FilePtr file, File::open(path));
  MO_ASSIGN(std::optional<frontends::NotBinaryModel> problem, frontends::why_not_binary_model(file));
  if (problem && problem->text == frontends::NotBinaryModel::Text::protobuf)
    return std::move(problem->reason)
        .hint(
            "weights come from the binary .caffemodel (--input_model), the topology from the prototxt (--input_proto)");
  if (problem) return std::move(problem->reason);
  std::unique_ptr<WeightFile> made(new WeightFile(std::make_unique<WireSource>(std::move(file))));
  MO_TRY(made->scan());
  return made;
}

Expected<std::unique_ptr<WeightFile>> WeightFile::from_bytes(std::string_view bytes, const std::string& name) {
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  std::unique_ptr<WeightFile> made(new WeightFile(std::make_unique<WireSource>(std::move(buffer), name)));
  MO_TRY(made->scan());
  return made;
}

Expected<void> WeightFile::scan() {
  WireReader reader(*source_);
  std::size_t v1 = 0;
  std::size_t current = 0;
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != net_field::kV1Layers && field.number != net_field::kLayer) return {};
    if (v1 + current == limits::kLayers)
      return error("MO-CAFFE-0009", "\"{}\" has more than {} layers", source_->name(), limits::kLayers)
          .hint("the file is corrupt (compare its checksum), or too large to convert");
    ++(field.number == net_field::kV1Layers ? v1 : current);
    return scan_layer(field, field.number == net_field::kV1Layers);
  }));
  if (v1 + current == 0)
    return error("MO-CAFFE-0025", "\"{}\" has no layers", source_->name())
        .hint("the file is empty, or is not a .caffemodel (a .solverstate has no layers)");
  return {};
}

Expected<void> WeightFile::scan_layer(const WireField& message, bool is_v1) {
  StoredLayer layer;
  layer.form = is_v1 ? Form::v1 : Form::current;
  layer.message = message;
  MO_TRY(scan_fields(*source_, message, is_v1 ? kV1 : kCurrent, layer, blobs_));
  const auto [at, is_new] = places_.emplace(layer.name, layers_.size());
  if (!is_new && layers_[at->second].blobs.empty()) at->second = layers_.size();
  layers_.push_back(std::move(layer));
  return {};
}

const StoredLayer* WeightFile::find(std::string_view layer) const {
  const auto at = places_.find(layer);
  return at == places_.end() ? nullptr : &layers_[at->second];
}

}  // namespace mo::caffe
