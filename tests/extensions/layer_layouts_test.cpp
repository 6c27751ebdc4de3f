// The layout of the layer that "op" of a configuration makes: for each kind of op, each value of the key and each
// version of the IR.
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "core/op/define_op.hpp"
#include "core/tensor/permute.hpp"
#include "core/text/printer.hpp"
#include "ops/custom_operation.hpp"
#include "tests/extensions/converted_graph.hpp"

namespace mo::test {
namespace {

/// What every op of this test computes on images [N, C, H, W] (`channels` is the axis of C): each channel plus the one
/// before it.
Expected<void> add_channels(EvalContext& ctx, std::size_t channels) {
  const Tensor& x = ctx.input(0);
  const auto& shape = x.shape();
  std::size_t inner = 1;
  for (std::size_t i = channels + 1; i < shape.size(); ++i) inner *= static_cast<std::size_t>(shape[i]);
  const std::size_t count = static_cast<std::size_t>(shape[channels]);
  const auto from = x.values<float>();
  const auto to = ctx.output(0).mutable_values<float>();
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i] + (i / inner % count == 0 ? 0.0F : from[i - inner]);
  return {};
}

/// The author declares no layouts, and means channels-first images.
struct SilentOp {
  static constexpr OpId id{"Block", "acme"};
  std::int64_t size = 1;
  std::string note;
  static constexpr auto attributes =
      Attributes{attr("size", &SilentOp::size), attr("note", &SilentOp::note).optional()};
  Expected<void> infer(InferContext& ctx) const {
    MO_TRY(ctx.expect_inputs(1));
    ctx.output(0, ctx.input(0));
    return {};
  }
  Expected<void> evaluate(EvalContext& ctx) const { return add_channels(ctx, 1); }
};

/// It has a layout of its own.
struct LayoutOp : SilentOp {
  DataLayout layout = DataLayout::channels_first;
};

/// It follows its neighbours, as it only looks at single elements.
struct FollowingOp : SilentOp {
  static constexpr LayoutRule layout_rule{.follows = true};
  Expected<void> evaluate(EvalContext& ctx) const {
    const auto from = ctx.input(0).values<float>();
    const auto to = ctx.output(0).mutable_values<float>();
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(from[i], 0.0F);
    return {};
  }
};

/// An Op class that only says what the layer is called.
struct DescribedBlock {
  static constexpr OpId id{"Block", "acme"};
  std::int64_t size = 1;
  std::string note;
  static constexpr auto attributes =
      Attributes{attr("size", &DescribedBlock::size), attr("note", &DescribedBlock::note).optional()};
};

/// A model whose block is replaced by "Block"; no op beside it asks for channels-first.
std::string image_model() {
  return placeholder("x", {1, 3, 4, 2}) + node("block/y", "Relu", {"x"}) + node("y", "Tanh", {"block/y"});
}

Options block_options(int ir_version, const std::string& layout, const std::string& op = "Block") {
  const std::string file = testing::TempDir() + "/mo_layer_" + std::to_string(::getpid()) + ".json";
  const std::string key = layout.empty() ? "" : ", \"layout\": \"" + layout + "\"";
  const std::string attributes = op == "Block" ? R"(, "custom_attributes": {"size": 3})" : "";
  std::ofstream(file) << R"([{"id": "any", "match_kind": "scope", "instances": ["block/"], "op": ")" << op << '"'
                      << attributes << key << "}]";
  Options options;
  options.transformations_config = file;
  options.ir_version = ir_version;
  return options;
}

/// The shape that the layer of the IR has, and "noted" when MO-CONFIG-0037 was told; or the code of the error.
std::string layer_of(const std::function<void(Registry&)>& plugin, int ir_version, const std::string& layout) {
  const Converted made = convert_with(image_model(), plugin, block_options(ir_version, layout), Phase::back);
  if (!made.graph) return made.error.substr(0, 14);
  for (const Node node : made.graph->nodes()) {
    if (node.type() != "Block") continue;
    EXPECT_EQ(node.attr<std::int64_t>("size"), 3);
    EXPECT_EQ(node.input_type(0).shape, node.output_type(0).shape);
    const bool noted = std::find(made.warnings.begin(), made.warnings.end(), "MO-CONFIG-0037") != made.warnings.end();
    return node.output_type(0).shape.to_string() + (noted ? " noted" : "");
  }
  return "no layer";
}

template <class T>
void add_op(Registry& registry) {
  registry.ops().add<T>();
}

const std::string kFirst = "[1,2,3,4]";
const std::string kLast = "[1,3,4,2]";

TEST(LayerLayouts, EachKindOfOpTakesTheKey) {
  struct Kind {
    const char* name;
    void (*plugin)(Registry&);
    std::string v10, v11;  // without the key
  };
  const Kind kinds[] = {{"no op at all", [](Registry&) {}, kFirst, kLast + " noted"},
                        {"no inference", add_op<DescribedBlock>, kFirst, kLast + " noted"},
                        {"no word on layouts", add_op<SilentOp>, kFirst, kLast + " noted"},
                        {"a layout of its own", add_op<LayoutOp>, kFirst, kLast + " noted"},
                        {"follows", add_op<FollowingOp>, kLast, kLast}};
  for (const Kind& kind : kinds) {
    EXPECT_EQ(layer_of(kind.plugin, 10, ""), kind.v10) << kind.name;
    EXPECT_EQ(layer_of(kind.plugin, 11, ""), kind.v11) << kind.name;
    for (const int version : {10, 11}) {
      EXPECT_EQ(layer_of(kind.plugin, version, "channels_first"), kFirst) << kind.name << version;
      EXPECT_EQ(layer_of(kind.plugin, version, "model"), kLast) << kind.name << version;
    }
  }
}

/// The numbers of the op in phase inference, where the model is as its author wrote it, are those of the IR.
TEST(LayerLayouts, AnOpComputesTheSameBeforeAndAfterTheLayoutStep) {
  for (const bool op_by_op : {false, true}) {
    for (void (*plugin)(Registry&) : {add_op<SilentOp>, add_op<LayoutOp>, add_op<FollowingOp>}) {
      Options options = block_options(11, "channels_first");
      options.tensorflow.disable_nhwc_to_nchw = op_by_op;
      const Converted before = convert_with(image_model(), plugin, options, Phase::inference);
      const Converted after = convert_with(image_model(), plugin, options, Phase::back);
      ASSERT_TRUE(before.graph && after.graph) << before.error << after.error;
      EXPECT_EQ(before.graph->results()[0].input_type(0).shape.to_string(), kLast);
      expect_same_numbers(*before.graph, *after.graph);
    }
  }
}

TEST(LayerLayouts, TheAuthorStillKnowsTheOpByItsStruct) {
  std::vector<std::int64_t> seen;
  const auto plugin = [&](Registry& registry) {
    registry.ops().add<SilentOp>();
    registry.passes().add(
        graph_pass("Look").run_before({"LayoutChange"}).run([&](Graph& graph, PassContext&) -> Expected<bool> {
          for (auto [node, op] : graph.each<SilentOp>()) seen.push_back(op.size++);
          return false;
        }));
  };
  const Converted made = convert_with(image_model(), plugin, block_options(10, "channels_first"), Phase::back);
  ASSERT_TRUE(made.graph) << made.error;
  EXPECT_EQ(seen, std::vector<std::int64_t>{3});
  for (const auto& [node, op] : made.graph->each<SilentOp>()) {
    EXPECT_EQ(op.size, 4);
    const Op copy(node.op_type(), node.op_type().clone(node.payload()));
    EXPECT_EQ(copy.as<SilentOp>()->size, 4);
  }
}

TEST(LayerLayouts, AnOpWithoutInferenceHasTheTypesOfTheReplacedSubGraph) {
  const Converted made = convert_with(image_model(), add_op<DescribedBlock>, block_options(11, "model"), Phase::back);
  ASSERT_TRUE(made.graph) << made.error;
  for (const Node node : made.graph->nodes()) {
    if (node.type() != "Block") continue;
    EXPECT_EQ(node.op_type().opset_name, "acme");
    EXPECT_TRUE(ops::is_custom_operation(node.op_type()));
    EXPECT_FALSE(node.has_attr("note")) << "omitted where it is the default";
    EXPECT_EQ(node.output_type(0).to_string(), "f32[1,3,4,2]");
    return;
  }
  FAIL() << to_text(*made.graph);
}

TEST(LayerLayouts, OpsOfMoHaveTheirOwnRule) {
  for (const int version : {10, 11}) {
    const auto error_of = [&](const std::string& layout) {
      return convert_with(
                 image_model(), [](Registry&) {}, block_options(version, layout, "Sigmoid"), Phase::back)
          .error.substr(0, 14);
    };
    EXPECT_EQ(error_of("channels_first"), "MO-CONFIG-0029");
    EXPECT_EQ(error_of("model"), "");
    EXPECT_EQ(error_of(""), "");
  }
}

}  // namespace
}  // namespace mo::test
