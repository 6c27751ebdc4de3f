#include "extensions/object_detection/yolo_heads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "extensions/object_detection/structure.hpp"

namespace mo::object_detection {
namespace {

constexpr std::int64_t kMostRegions = 1000;
constexpr std::int64_t kMostClasses = 1'000'000;

Expected<ops::RegionYolo> region_of(const AttributeMap& custom) {
  ops::RegionYolo op{.axis = 1, .end_axis = -1};
  MO_ASSIGN(op.classes, required_attribute<std::int64_t>(custom, "classes"));
  MO_ASSIGN(op.num, required_attribute<std::int64_t>(custom, "num"));
  MO_ASSIGN(op.coords, attribute_or<std::int64_t>(custom, "coords", 4));
  MO_ASSIGN(op.anchors, attribute_or<std::vector<double>>(custom, "anchors", {}));
  MO_ASSIGN(op.do_softmax, attribute_or(custom, "do_softmax", true));
  MO_ASSIGN(op.mask, attribute_or<std::vector<std::int64_t>>(custom, "mask", {}));
  if (op.num < 1 || op.num > kMostRegions)
    return error("MO-CONFIG-0204", "num is {}", op.num).hint("correct \"custom_attributes\"");
  if (op.classes < 0 || op.classes > kMostClasses)
    return error("MO-CONFIG-0204", "classes is {}", op.classes).hint("correct \"custom_attributes\"");
  if (op.coords < 0 || op.coords > kMostRegions)
    return error("MO-CONFIG-0204", "coords is {}", op.coords).hint("correct \"custom_attributes\"");
  return op;
}

/// Anchors that each place of a head has.
std::int64_t anchors_at(const ops::RegionYolo& region) {
  return region.do_softmax ? region.num : std::ssize(region.mask);
}

/// One mask for each entry point.
Expected<std::vector<std::vector<std::int64_t>>> masks_of(const AttributeMap& custom, std::size_t heads) {
  if (!custom.contains("masks") && custom.contains("mask")) {
    MO_ASSIGN(const auto mask, required_attribute<std::vector<std::int64_t>>(custom, "mask"));
    return std::vector(heads, mask);
  }
  MO_ASSIGN(const AttributeList lists, required_list(custom, "masks"));
  if (lists.size() != heads || heads == 0)
    return error("MO-CONFIG-0204", "there are {} entry points and {} masks", heads, lists.size())
        .hint("give one mask for each entry point");
  std::vector<std::vector<std::int64_t>> masks;
  for (std::size_t i = 0; i < heads; ++i) {
    auto mask = AttributeCodec<std::vector<std::int64_t>>::decode(lists[i]);
    if (!mask)
      return error("MO-CONFIG-0204", "masks[{}] is {}, expected a list of integers", i, lists[i].kind_name())
          .hint("correct \"masks\"");
    masks.push_back(*std::move(mask));
  }
  return masks;
}

}  // namespace

Expected<std::vector<YoloHead>> output_heads(const Graph& graph, const AttributeMap& custom) {
  MO_ASSIGN(ops::RegionYolo region, region_of(custom));
  if (!region.do_softmax && region.mask.empty()) {  // all regions
    region.mask.resize(static_cast<std::size_t>(region.num));
    std::iota(region.mask.begin(), region.mask.end(), 0);
  }
  std::vector<YoloHead> heads;
  for (const Node& result : graph.results())
    if (const Value head = result.input(0)) heads.push_back({head, region});
  return heads;
}

Expected<std::vector<YoloHead>> entry_heads(const Graph& graph, const AttributeMap& custom) {
  MO_ASSIGN(ops::RegionYolo region, region_of(custom));
  MO_ASSIGN(const auto names, required_attribute<std::vector<std::string>>(custom, "entry_points"));
  MO_ASSIGN(const auto masks, masks_of(custom, names.size()));
  region.do_softmax = false;
  std::vector<YoloHead> heads;
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Node node = graph.find_node(names[i]);
    region.mask = masks[i];
    if (node && node.input(0))
      heads.push_back({node.input(0), region});
    else
      missing.push_back("'" + names[i] + "'");
  }
  if (!missing.empty())
    return error("MO-CONFIG-0230", "the model has no node {}", fmt::join(missing, ", "))
        .hint(
            "give the names of the reshapes after the last convolutions as \"entry_points\" of the JSON configuration");
  return heads;
}

Expected<void> check_head(const YoloHead& head) {
  const ops::RegionYolo& region = head.region;
  const std::int64_t anchors = anchors_at(region);
  const std::string_view copy = "mo --print-config NAME prints a built-in configuration: change a copy of it";
  for (const std::int64_t i : region.mask)
    if (i < 0 || i >= region.num)
      return error("MO-CONFIG-0237", "the mask has {}, and num is {}: masks count anchors from 0", i, region.num)
          .hint("{}", copy);
  if (!region.anchors.empty() && std::ssize(region.anchors) != 2 * region.num)
    return error("MO-CONFIG-0237", "got {} anchor values, and num is {}: each anchor has a width and a height",
                 region.anchors.size(), region.num)
        .hint("{}", copy);
  const std::int64_t wanted = anchors * (region.classes + region.coords + 1);
  const auto channels = channels_of(head.tensor);
  if (!channels || channels->number == wanted) return {};
  const std::int64_t classes =
      anchors > 0 && channels->number % anchors == 0 ? channels->number / anchors - region.coords - 1 : 0;
  return channels->node
      .error("MO-CONFIG-0237",
             "classes {} and {} anchors need {} * ({} + {} + 1) = {} channels, and the head '{}' has {}",
             region.classes, anchors, anchors, region.classes, region.coords, wanted, channels->node.name(),
             channels->number)
      .hint("{}{}",
            classes > 0 ? fmt::format("\"classes\": {} fits; ", classes)
                        : std::string("is this the configuration of this model? "),
            copy);
}

}  // namespace mo::object_detection
