#include "frontends/caffe/net_parameter/stored_records.hpp"

#include "frontends/caffe/fields.hpp"
#include "frontends/caffe/upgrade.hpp"
#include "frontends/common/field_record.hpp"

namespace mo::caffe {

using frontends::records_but;
using frontends::WireField;
using frontends::WireReader;

namespace {

/// The type in the current form, where the message says one.
Expected<std::string> type_in(WeightFile& file, const WireField& message, Form form) {
  const std::uint32_t number = form == Form::current ? std::uint32_t{layer_field::kType}
                               : form == Form::v1    ? std::uint32_t{v1_layer_field::kType}
                                                     : std::uint32_t{v0_layer_field::kType};
  std::string type;
  MO_ASSIGN(WireReader reader, message_of(file.source(), message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != number) return {};
    if (form == Form::v1) {
      MO_ASSIGN(const std::int64_t value, integer_of(field));
      type = std::string(type_of_v1(value).value_or(""));
      return {};
    }
    MO_ASSIGN(type, text_of(file.source(), field));
    if (form == Form::v0) type = std::string(type_of_v0(type).value_or(type));
    return {};
  }));
  return type;
}

}  // namespace

Expected<LayerRecords> records_of_layer(WeightFile& file, std::size_t place) {
  const StoredLayer& layer = file.layers()[place];
  LayerRecords made;
  MO_ASSIGN(made.type, type_in(file, layer.inner.value_or(layer.message), layer.form));
  MO_ASSIGN(AttributeList records, records_but(file.source(), layer.message, {}));
  AttributeValue inner;
  if (layer.inner) { MO_ASSIGN(inner, records_but(file.source(), *layer.inner, {})); }
  made.kept = AttributeList{static_cast<std::int64_t>(place), static_cast<std::int64_t>(layer.form), std::move(records),
                            std::move(inner)};
  return made;
}

Expected<AttributeList> records_of_blob(WeightFile& file, const WireField& blob) {
  MO_ASSIGN(AttributeValue whole, record_of(file.source(), blob));
  MO_ASSIGN(AttributeList fields, records_but(file.source(), blob,
                                              {blob_field::kData, blob_field::kDiff, blob_field::kDoubleData,
                                               blob_field::kDoubleDiff, blob_field::kRawData}));
  return AttributeList{std::move(whole), std::move(fields)};
}

}  // namespace mo::caffe
