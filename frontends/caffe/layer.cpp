#include "frontends/caffe/layer.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace mo::caffe {
namespace {

/// Whether a parameter only matters in training, or only chooses an implementation. Caffe: fillers set weights before
/// training starts, `param` holds learning rates, `engine` chooses cuDNN.
bool has_no_effect_on_inference(std::string_view path) {
  static constexpr std::array<std::string_view, 5> messages = {"param", "loss_param", "transform_param", "loss_weight",
                                                               "propagate_down"};
  static constexpr std::array<std::string_view, 3> anywhere = {"filler", "engine", "force_nd_im2col"};
  const std::string_view first = path.substr(0, path.find('.'));
  if (std::find(messages.begin(), messages.end(), first) != messages.end()) return true;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t dot = std::min(path.find('.', at), path.size());
    const std::string_view part = path.substr(at, dot - at);
    if (part.ends_with("_filler") || std::find(anywhere.begin(), anywhere.end(), part) != anywhere.end()) return true;
    at = dot + 1;
  }
  return false;
}

}  // namespace

std::string blob_name(std::string_view layer, std::size_t index) { return fmt::format("{}/blob_{}", layer, index); }

Layer::Layer(const FrameworkNode& node) : node_(node) {
  node.ignore_if([](const std::string& name, const AttributeValue&) { return has_no_effect_on_inference(name); },
                 "it fills weights before training, controls training, or chooses an implementation");
}

std::int64_t Layer::integer(std::string_view path, std::int64_t fallback) const {
  return node_.attr<std::int64_t>(path, fallback);
}

double Layer::real(std::string_view path, double fallback) const {
  const auto value = node_.optional_attr<AttributeValue>(path);
  if (!value) return fallback;
  // Protobuf text: these words are numbers where a number is expected.
  if (const auto* word = value->get_if<std::string>()) {
    if (*word == "inf" || *word == "infinity") return std::numeric_limits<double>::infinity();
    if (*word == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  return node_.attr<double>(path, fallback);
}

bool Layer::flag(std::string_view path, bool fallback) const {
  const auto value = node_.optional_attr<AttributeValue>(path);
  if (!value) return fallback;
  // Protobuf text: short forms of true and false.
  if (const auto* word = value->get_if<std::string>(); word && (*word == "t" || *word == "f")) return *word == "t";
  return node_.attr<bool>(path, fallback);
}

std::string Layer::text(std::string_view path, std::string_view fallback,
                        std::initializer_list<std::string_view> enumerators) const {
  const auto value = node_.optional_attr<AttributeValue>(path);
  if (!value) return std::string(fallback);
  if (const auto* number = value->get_if<std::int64_t>(); number && enumerators.size() > 0) {
    const bool is_known = *number >= 0 && static_cast<std::uint64_t>(*number) < enumerators.size() &&
                          !enumerators.begin()[*number].empty();
    return is_known ? std::string(enumerators.begin()[*number]) : std::to_string(*number);
  }
  return node_.attr<std::string>(path, std::string(fallback));
}

std::vector<std::int64_t> Layer::integers(std::string_view path) const {
  const auto value = node_.optional_attr<AttributeValue>(path);
  if (!value) return {};
  if (const auto* one = value->get_if<std::int64_t>()) return {*one};
  return node_.attr<std::vector<std::int64_t>>(path, {});
}

std::vector<double> Layer::reals(std::string_view path) const {
  const auto value = node_.optional_attr<AttributeValue>(path);
  if (!value) return {};
  // One number, or a word that is one.
  if (value->holds<std::int64_t>() || value->holds<double>() || value->holds<std::string>()) return {real(path, 0)};
  return node_.attr<std::vector<double>>(path, {});
}

std::vector<std::string> Layer::texts(std::string_view path) const {
  const auto value = node_.optional_attr<AttributeValue>(path);
  if (!value) return {};
  if (const auto* one = value->get_if<std::string>()) return {*one};
  return node_.attr<std::vector<std::string>>(path, {});
}

std::size_t Layer::bottoms() const { return node_.input_count() - std::min(blobs(), node_.input_count()); }

std::size_t Layer::blobs() const {
  const std::int64_t count = node_.attr<std::int64_t>(kBlobCount, 0);
  return count < 0 ? 0 : std::min(static_cast<std::size_t>(count), node_.input_count());
}

}  // namespace mo::caffe
