#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/attributes/attribute_value.hpp"
#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/common/wire.hpp"

namespace mo::caffe {

/// A layer of a .caffemodel that is going to be written again.
struct StoredRecords {
  std::string name;
  std::string type;  ///< in the current form; empty when the file does not say
  std::vector<frontends::WireField> blobs;
  AttributeValue kept;  ///< kept_key::kStored
};

/// A .caffemodel with all that it says; weights stay in the file.
class StoredNet {
 public:
  /// Errors: those of WeightFile.
  static Expected<std::unique_ptr<StoredNet>> open(const std::string& path);
  static Expected<std::unique_ptr<StoredNet>> from_bytes(std::string_view bytes);

  const std::vector<StoredRecords>& layers() const { return layers_; }
  /// The position of the layer that Caffe would take weights for `layer` from: the first of that name that has weights,
  /// or else the first.
  std::optional<std::size_t> find(const std::string& layer) const;
  /// Records of what are no layers.
  const AttributeList& fields() const { return fields_; }
  /// [record of a blob, records of what it says beside numbers].
  Expected<AttributeList> records_of(const frontends::WireField& blob);
  frontends::WireSource& source() { return *source_; }

 private:
  explicit StoredNet(std::unique_ptr<frontends::WireSource> source) : source_(std::move(source)) {}
  Expected<void> read();
  Expected<void> read_layer(const frontends::WireField& message, bool is_v1);

  std::unique_ptr<frontends::WireSource> source_;
  std::vector<StoredRecords> layers_;
  std::map<std::string, std::size_t> places_;
  AttributeList fields_;
};

}  // namespace mo::caffe
