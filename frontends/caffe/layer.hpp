#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/operator_table.hpp"

namespace mo::caffe {

/// Attributes that the reader gives every layer.
inline constexpr std::string_view kBlobCount = "@blobs";
/// Name of the constant that holds blob `index` of a layer: "conv1/blob_0".
std::string blob_name(std::string_view layer, std::size_t index);

/// A Caffe layer as an extractor or a translator sees it. Parameters are asked for by their path in the prototxt:
/// "convolution_param.kernel_size".
///
/// The text has no schema: a repeated field that occurs once looks like a single number, an integer stands where a real
/// is meant, an enumerator may be given by its number. The accessors even that out; a value of another kind is kept as
/// an error of the node (MO-FRONT-0003, with the path) and the fallback comes back. What only matters in training
/// (fillers, engines, learning rates) is marked as known by the constructor.
class Layer {
 public:
  /// `node` outlives the layer.
  explicit Layer(const FrameworkNode& node);

  std::int64_t integer(std::string_view path, std::int64_t fallback) const;
  double real(std::string_view path, double fallback) const;
  bool flag(std::string_view path, bool fallback) const;
  /// Text or an enumerator. `enumerators`: names by number, "" where a number is not used; a number without a name
  /// comes back as its digits, so that the caller, who knows the names that it takes, refuses both alike.
  std::string text(std::string_view path, std::string_view fallback,
                   std::initializer_list<std::string_view> enumerators = {}) const;

  // Repeated fields; empty when the field is missing.
  std::vector<std::int64_t> integers(std::string_view path) const;
  std::vector<double> reals(std::string_view path) const;
  std::vector<std::string> texts(std::string_view path) const;

  bool has(std::string_view path) const { return node_.has(path); }
  /// Inputs that are blobs of other layers; the weights follow them as further inputs.
  std::size_t bottoms() const;
  /// Weights that the model has for this layer: the last inputs of the node.
  std::size_t blobs() const;

  // For translators; empty where nothing is connected.
  Value bottom(std::size_t i) const { return node_.input(i); }
  Value blob(std::size_t i) const { return node_.input(bottoms() + i); }

  const FrameworkNode& node() const { return node_; }
  /// An error about this layer.
  template <class... Args>
  [[nodiscard]] Diagnostic error(std::string_view code, fmt::format_string<Args...> text, Args&&... args) const {
    return node_.error(code, text, std::forward<Args>(args)...);
  }

 private:
  const FrameworkNode& node_;
};

}  // namespace mo::caffe
