#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontends/caffe/upgrade.hpp"
#include "frontends/common/wire.hpp"

namespace mo::caffe {

/// A layer of a .caffemodel: where it is, and where its weights are.
struct StoredLayer {
  std::string name;
  std::vector<frontends::WireField> blobs;
  Form form = Form::current;
  frontends::WireField message;
  std::optional<frontends::WireField> inner;  ///< the layer of V0 inside of one of V1
};

/// A binary .caffemodel (current form, V1 or V0), scanned without its weights.
class WeightFile {
 public:
  /// Errors: MO-IO-000x and MO-IO-002x (no binary model), MO-PB-000x, MO-CAFFE-0025 (no layers), MO-CAFFE-0009 (too
  /// many).
  static Expected<std::unique_ptr<WeightFile>> open(const std::string& path);
  /// The same from memory; `name` is for messages.
  static Expected<std::unique_ptr<WeightFile>> from_bytes(std::string_view bytes, const std::string& name);

  /// The first layer of that name that has weights, or the first one at all; null when there is none.
  const StoredLayer* find(std::string_view layer) const;
  const std::vector<StoredLayer>& layers() const { return layers_; }
  frontends::WireSource& source() { return *source_; }

 private:
  explicit WeightFile(std::unique_ptr<frontends::WireSource> source) : source_(std::move(source)) {}
  Expected<void> scan();
  Expected<void> scan_layer(const frontends::WireField& message, bool is_v1);

  std::unique_ptr<frontends::WireSource> source_;
  std::vector<StoredLayer> layers_;
  std::size_t blobs_ = 0;  ///< of all of them
  std::map<std::string, std::size_t, std::less<>> places_;
};

}  // namespace mo::caffe
