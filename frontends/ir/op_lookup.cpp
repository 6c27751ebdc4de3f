#include "frontends/ir/op_lookup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/graph/builtin_ops.hpp"
#include "frontends/ir/xml.hpp"

namespace mo::ir {
namespace {

constexpr std::size_t kShownLayers = 5;
constexpr std::size_t kShownOps = 50;

template <std::size_t N>
bool is_one_of(std::string_view type, const std::string_view (&names)[N]) {
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view name) { return equal_ignoring_case(type, name); });
}

/// Op sets that old writers named wrongly, and every reader forgives.
std::string_view redirected(std::string_view type, std::string_view version) {
  static constexpr std::string_view kOpset2[] = {"MVN", "ROIPooling", "ReorgYolo"};
  static constexpr std::string_view kOpset6[] = {"ExperimentalDetectronDetectionOutput",
                                                 "ExperimentalDetectronGenerateProposalsSingleImage",
                                                 "ExperimentalDetectronPriorGridGenerator",
                                                 "ExperimentalDetectronROIFeatureExtractor",
                                                 "ExperimentalDetectronTopKROIs",
                                                 "GRUCell",
                                                 "RNNCell",
                                                 "Proposal"};
  if (version == "opset1" && is_one_of(type, kOpset2)) return "opset2";
  if ((version == "experimental" || version == "extension") && is_one_of(type, kOpset6)) return "opset6";
  return version;
}

}  // namespace

const OpType* OpLookup::resolve(std::string_view type, std::string_view version) const {
  const std::string_view opset = redirected(type, version);
  const std::string_view exact = registry_.exact_type(type);
  if (!exact.empty())
    // a plugin may name its op set as it likes
    if (const OpType* own = registry_.in_opset(exact, opset); own && own->infer) return own;
  if (!opset.starts_with("opset")) return nullptr;
  const auto number = parse_integer(opset.substr(5));
  if (!number || *number < 1 || *number > 1000) return nullptr;
  // Core owns these three, whatever is registered.
  if (equal_ignoring_case(type, "Parameter")) return &OpType::of<Parameter>();
  if (equal_ignoring_case(type, "Result")) return &OpType::of<Result>();
  if (equal_ignoring_case(type, "Const") || equal_ignoring_case(type, "Constant")) return &OpType::of<Const>();
  return exact.empty() ? nullptr : registry_.in_opset(exact, static_cast<int>(*number));
}

const OpType* OpLookup::find(std::string_view type, std::string_view version) {
  const Key key{type, version};
  auto it = found_.find(key);
  if (it == found_.end()) it = found_.emplace(key, resolve(type, version)).first;
  return it->second;
}

void OpLookup::note_missing(std::string_view type, std::string_view version, std::string_view layer_name) {
  Missing& missing = missing_[Key{type, version}];
  ++missing.count;
  if (missing.layers.size() < kShownLayers) missing.layers.push_back(fmt::format("'{}'", shortened(layer_name)));
}

Expected<void> OpLookup::unknown() const {
  if (missing_.empty()) return {};
  Diagnostic d =
      error("MO-IR-0010", "the IR has {} operation{} that {} not known", missing_.size(),
            missing_.size() == 1 ? "" : "s", missing_.size() == 1 ? "is" : "are")
          .hint("load the extension that has them with --extensions, or write the IR with operations of the op sets");
  std::size_t shown = 0;
  for (const auto& [key, missing] : missing_) {
    if (shown++ == kShownOps) {
      d.notes.push_back(fmt::format("and {} more", missing_.size() - kShownOps));
      break;
    }
    const std::string more =
        missing.count > missing.layers.size() ? fmt::format(" and {} more", missing.count - missing.layers.size()) : "";
    d.notes.push_back(fmt::format("{} ({}): {}{}", shortened(key.first), shortened(key.second),
                                  fmt::join(missing.layers, ", "), more));
  }
  return d;
}

}  // namespace mo::ir
