#include "extensions/object_detection/building.hpp"

namespace mo::object_detection {
namespace {

constexpr std::int64_t kMostImages = 1 << 16;

bool reaches_back(const Value& from, const Value& source) {
  Value at = from;
  for (int step = 0; step < 8 && at; ++step) {
    if (at == source) return true;
    const Node node = at.node();
    if (arithmetic_of(node) == Arithmetic::none) return false;
    at = constant_of(node.input(0)) ? node.input(1) : node.input(0);
  }
  return false;
}

/// The loop also tells the size that each image had, which later versions clip
/// boxes to: all images have the size of the input now.
Expected<void> fix_true_sizes(SubgraphMatch& match, Rewriter& rw) {
  MO_ASSIGN(const Node sizes, match.node_by_pattern("map/TensorArrayStack_1/TensorArrayGatherV3$"));
  if (!sizes || sizes.out_port_count() == 0 || sizes.output().destination_count() == 0) return {};
  MO_ASSIGN(const Node input, image_input(match.graph()));
  const PartialShape& shape = input.as<Parameter>()->shape;
  if (shape[0].value() < 1 || shape[0].value() > kMostImages)
    return input.error("MO-CONFIG-0211", "the batch is {}, expected 1 to {} images", shape[0].value(), kMostImages)
        .hint("give the shape [N,H,W,C] with --input_shape");
  const std::int32_t height = static_cast<std::int32_t>(shape[1].value());
  const std::int32_t width = static_cast<std::int32_t>(shape[2].value());
  std::vector<std::int32_t> rows;
  for (std::int64_t i = 0; i < shape[0].value(); ++i) rows.insert(rows.end(), {height, width, 3});
  // One for each reader: the stages of a detector have nothing in common then.
  for (const InPort& reader : sizes.output().get_destinations())
    rw.set_input(reader.node(), reader.index(), reshaped(rw, rw.constant(Tensor::vector(rows)), {-1, 3}));
  return {};
}

/// Object Detection API 1: a loop over the images resizes each, and a
/// multiplication and a subtraction follow (or go before it). Runtimes get
/// images of the right size, so the loop goes: sub(mul(loop(images))) ->
/// sub(mul(images)).
Replacement replace_preprocessor(SubgraphMatch& match, Rewriter& rw, PassContext& context) {
  auto pipeline = PipelineConfig::read(context, match.custom_attributes());
  if (!pipeline) return std::move(pipeline).error();
  if (auto fixed = fix_image_size(match.graph(), *pipeline, context); !fixed) return std::move(fixed).error();
  if (auto sizes = fix_true_sizes(match, rw); !sizes) return std::move(sizes).error();
  auto last = match.output_node(0);
  if (!last) return std::move(last).error();
  auto images = match.input(0);
  if (!images) return std::move(images).error();
  const Node sub = last->node;
  if (arithmetic_of(sub) != Arithmetic::subtract)
    return sub.error("MO-CONFIG-0213", "the preprocessing ends with {}, expected a subtraction", sub.type())
        .hint(
            "is this the configuration for the version of the Object "
            "Detection API that exported the model?");
  // The chain of arithmetic with constants, from its end to its beginning.
  std::vector<InPort> chain;
  const auto continues = [](const Node& node) {
    return arithmetic_of(node) == Arithmetic::subtract || arithmetic_of(node) == Arithmetic::multiply;
  };
  for (Node at = sub; continues(at);) {
    const InPort data = at.in_port(constant_of(at.input(0)) ? 1 : 0);
    if (!data || !data.get_source()) break;
    chain.push_back(data);
    if (!match.contains(data.get_source().node())) break;
    at = data.get_source().node();
  }
  if (chain.empty()) return sub.error("MO-CONFIG-0213", "the preprocessing reads no image").hint("check the model");
  if (reaches_back(chain.back().get_source(), *images)) {
    // Arithmetic before the loop: readers of resized images read its result.
    auto gathered = match.node_by_pattern("map/TensorArrayStack/TensorArrayGatherV3$");
    if (!gathered) return std::move(gathered).error();
    if (!*gathered) return sub.error("MO-CONFIG-0213", "there is no loop that resizes images").hint("check the model");
    rw.replace_uses(gathered->output(), sub.output());
    return {};
  }
  rw.set_input(chain.back().node(), chain.back().index(), *images);
  return {};
}

}  // namespace

void register_preprocessor(PassRegistry& registry) {
  registry.add(config_replacement("ObjectDetectionAPIPreprocessorReplacement").generate(replace_preprocessor));
}

}  // namespace mo::object_detection
