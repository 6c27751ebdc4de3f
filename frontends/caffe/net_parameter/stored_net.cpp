#include "frontends/caffe/net_parameter/stored_net.hpp"

#include <functional>

#include "frontends/caffe/fields.hpp"
#include "frontends/caffe/upgrade.hpp"
#include "frontends/caffe/weight_file.hpp"
#include "frontends/common/field_record.hpp"

namespace mo::caffe {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

/// Reads what a layer says; all of its fields become records.
struct LayerScan {
  WireSource& source;
  StoredRecords& layer;

  Expected<AttributeList> scan(const WireField& message,
                               const std::function<Expected<void>(const WireField&)>& look) const {
    AttributeList records;
    MO_ASSIGN(WireReader reader, frontends::message_of(source, message));
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      MO_TRY(look(field));
      MO_ASSIGN(AttributeValue record, frontends::record_of(source, field));
      records.push_back(std::move(record));
      return {};
    }));
    return records;
  }

  Expected<void> read_text(const WireField& field, std::string& into) const {
    MO_ASSIGN(into, frontends::text_of(source, field));
    return {};
  }

  Expected<AttributeList> scan_current(const WireField& message) const {
    return scan(message, [&](const WireField& field) -> Expected<void> {
      if (field.number == layer_field::kName) return read_text(field, layer.name);
      if (field.number == layer_field::kType) return read_text(field, layer.type);
      if (field.number == layer_field::kBlobs) layer.blobs.push_back(field);
      return {};
    });
  }

  Expected<AttributeList> scan_v0(const WireField& message) const {
    return scan(message, [&](const WireField& field) -> Expected<void> {
      if (field.number == v0_layer_field::kName) return read_text(field, layer.name);
      if (field.number == v0_layer_field::kBlobs) layer.blobs.push_back(field);
      if (field.number != v0_layer_field::kType) return {};
      MO_TRY(read_text(field, layer.type));
      layer.type = std::string(type_of_v0(layer.type).value_or(layer.type));
      return {};
    });
  }

  /// `inner`: the layer of V0, if there is one.
  Expected<AttributeList> scan_v1(const WireField& message, std::optional<AttributeList>& inner) const {
    return scan(message, [&](const WireField& field) -> Expected<void> {
      if (field.number == v1_layer_field::kName) return read_text(field, layer.name);
      if (field.number == v1_layer_field::kBlobs) layer.blobs.push_back(field);
      if (field.number == v1_layer_field::kType) {
        MO_ASSIGN(const std::int64_t number, frontends::integer_of(field));
        layer.type = std::string(type_of_v1(number).value_or(""));
      }
      if (field.number == v1_layer_field::kV0Layer) { MO_ASSIGN(inner, scan_v0(field)); }
      return {};
    });
  }
};

}  // namespace

Expected<std::unique_ptr<StoredNet>> StoredNet::open(const std::string& path) {
  MO_TRY(WeightFile::open(path));  // says what is no .caffemodel
  MO_ASSIGN(FilePtr file, File::open(path));
  std::unique_ptr<StoredNet> made(new StoredNet(std::make_unique<WireSource>(std::move(file))));
  MO_TRY(made->read());
  return made;
}

Expected<std::unique_ptr<StoredNet>> StoredNet::from_bytes(std::string_view bytes) {
  MO_TRY(WeightFile::from_bytes(bytes, "the weights in memory"));
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  std::unique_ptr<StoredNet> made(
      new StoredNet(std::make_unique<WireSource>(std::move(buffer), "the weights in memory")));
  MO_TRY(made->read());
  return made;
}

Expected<void> StoredNet::read() {
  WireReader reader(*source_);
  return reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == net_field::kV1Layers || field.number == net_field::kLayer)
      return read_layer(field, field.number == net_field::kV1Layers);
    MO_ASSIGN(AttributeValue record, frontends::record_of(*source_, field));
    fields_.push_back(std::move(record));
    return {};
  });
}

Expected<void> StoredNet::read_layer(const WireField& message, bool is_v1) {
  StoredRecords layer;
  std::optional<AttributeList> inner;
  const LayerScan scan{*source_, layer};
  MO_ASSIGN(AttributeList records, is_v1 ? scan.scan_v1(message, inner) : scan.scan_current(message));
  const Form form = inner ? Form::v0 : is_v1 ? Form::v1 : Form::current;
  layer.kept = AttributeList{static_cast<std::int64_t>(layers_.size()), static_cast<std::int64_t>(form),
                             std::move(records), inner ? AttributeValue(*std::move(inner)) : AttributeValue()};
  const auto [at, is_new] = places_.emplace(layer.name, layers_.size());
  if (!is_new && layers_[at->second].blobs.empty()) at->second = layers_.size();
  layers_.push_back(std::move(layer));
  return {};
}

Expected<AttributeList> StoredNet::records_of(const WireField& blob) {
  AttributeList fields;
  MO_ASSIGN(WireReader reader, frontends::message_of(*source_, blob));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case blob_field::kData:
      case blob_field::kDiff:
      case blob_field::kDoubleData:
      case blob_field::kDoubleDiff:
      case blob_field::kRawData: return {};
      default: break;
    }
    MO_ASSIGN(AttributeValue record, frontends::record_of(*source_, field));
    fields.push_back(std::move(record));
    return {};
  }));
  MO_ASSIGN(AttributeValue whole, frontends::record_of(*source_, blob));
  return AttributeList{std::move(whole), std::move(fields)};
}

std::optional<std::size_t> StoredNet::find(const std::string& layer) const {
  const auto at = places_.find(layer);
  return at == places_.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace mo::caffe
