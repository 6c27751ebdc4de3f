#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/comparison/closeness.hpp"
#include "core/execution/executor.hpp"
#include "core/graph/bodies.hpp"
#include "core/tensor/convert.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "driver/assembly.hpp"
#include "driver/pipeline.hpp"
#include "tests/support/builtins.hpp"
#include "tools/opt/library.hpp"
#include "transformations/catalogue.hpp"

// What holds for every transformation that `mo opt` runs: each of the catalogue meets the same
// graphs.
namespace mo::tools {
namespace {

/// Each op that keeps images channels-last, once; what is around them reads channels, heights and widths by their
/// places.
const char* const kImages = R"(graph(%x: f32[1,4,6,8]) {
  %c = Convolution(%x, [[[[0.5]], [[0.25]], [[-1]], [[2]], [[1]], [[0.125]], [[3]], [[-0.5]]], [[[1]], [[-0.25]], [[1.5]], [[2]], [[-1]], [[0.5]],
       [[0.75]], [[1]]], [[[2]], [[1.25]], [[-1]], [[1]], [[0.5]], [[0.5]], [[-3]], [[0.5]]], [[[0.25]], [[0.5]], [[1]], [[-2]], [[1]], [[1]], [[1]],
       [[1]]]]:f32) {strides=[1, 1], dilations=[1, 1], pads_begin=[0, 0], pads_end=[0, 0], layout="channels_last"}
  %g = GroupConvolution(%c, [[[[[0.5, 1]]]], [[[[2, 1]]]], [[[[1, 3]]]], [[[[1, 1]]]]]:f32) {strides=[1, 1], dilations=[1, 1], pads_begin=[0, 0],
       pads_end=[0, 1], layout="channels_last"}
  %m = MaxPool.v8(%g) {strides=[1, 1], dilations=[1, 1], pads_begin=[0, 0], pads_end=[1, 0], kernel=[2, 1], layout="channels_last"}
  %m1 = MaxPool.v1(%m) {strides=[1, 2], pads_begin=[0, 0], pads_end=[0, 0], kernel=[1, 2], layout="channels_last"}
  %a = AvgPool.v1(%m1) {strides=[1, 1], pads_begin=[0, 0], pads_end=[0, 0], kernel=[1, 1], exclude-pad=true, layout="channels_last"}
  %b = Add(%a, [1, 2, 3, 4]:f32)
  %s = Multiply(%b, [1, 0.5, 2, 0.25]:f32)
  %d = DepthToSpace(%s) {block_size=2, mode="blocks_first", layout="channels_last"}
  %p = SpaceToDepth(%d) {block_size=2, mode="blocks_first", layout="channels_last"}
  %e = ReduceMean(%p, [1, 2]:i64) {keep_dims=true}
  %q = Multiply(%p, %e)
  %i = ConvolutionBackpropData(%q, [[[[1, 2]], [[0.5, 1]]], [[[1, 1]], [[2, 0.5]]], [[[3, 1]], [[1, 1]]], [[[1, 1]], [[1, 2]]]]:f32) {strides=[1, 2],
       dilations=[1, 1], pads_begin=[0, 0], pads_end=[0, 0], layout="channels_last"}
  %t = Transpose(%i, [0, 3, 1, 2]:i64)
  return %t, %q
})";

/// Weights of 16 x 16 in each form that is smaller in the file than in memory.
std::string compressed_weights() {
  const auto matrix = [](int rows, int columns, int most) {
    std::vector<std::string> lines;
    for (int row = 0; row < rows; ++row) {
      std::vector<int> numbers;
      for (int column = 0; column < columns; ++column) numbers.push_back((7 * row + 3 * column) % most + 1);
      lines.push_back(fmt::format("[{}]", fmt::join(numbers, ", ")));
    }
    return fmt::format("[{}]", fmt::join(lines, ", "));
  };
  return fmt::format(R"(graph(%x: f32[2,16]) {{
  %a = Convert({0}:i8) {{destination_type=f32}}
  %b = Convert({2}:i8) {{destination_type=f32}}
  %c = Subtract(%a, %b)
  %d = Multiply(%c, {2}:f32)
  %e = MatMul(%x, %d) {{transpose_a=false, transpose_b=true}}
  %f = Convert({1}:u4) {{destination_type=f32}}
  %g = Multiply(%f, {2}:f32)
  %h = MatMul(%e, %g) {{transpose_a=false, transpose_b=true}}
  %i = Convert({0}:f16) {{destination_type=f32}} rt {{decompression={{}}}}
  %j = MatMul(%h, %i) {{transpose_a=false, transpose_b=false}}
  %k = Convert({0}:u8) {{destination_type=f16}}
  %l = Convert({2}:u8) {{destination_type=f16}}
  %m = Subtract(%k, %l)
  %n = Multiply(%m, {2}:f16)
  %o = Convert(%n) {{destination_type=f32}}
  %p = MatMul(%j, %o) {{transpose_a=false, transpose_b=true}}
  return %p
}})",
                     matrix(16, 16, 100), matrix(16, 16, 15), matrix(16, 1, 9));
}

std::unique_ptr<Graph> graph_of(const std::string& text) {
  auto graph = parse_graph(text, test::builtins().ops(), {.infer = true});
  EXPECT_TRUE(graph) << graph.error().first().format();
  return graph ? *std::move(graph) : nullptr;
}

/// Numbers that no two elements share.
std::vector<Tensor> inputs_of(const Graph& graph) {
  std::vector<Tensor> inputs;
  for (const Node& parameter : graph.parameters()) {
    const Shape shape = *parameter.output_type().shape.to_shape();
    std::vector<double> values(static_cast<std::size_t>(*element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i) * 1.7) + 0.1;
    inputs.push_back(*from_reals(parameter.output_type().element_type, shape, values));
  }
  return inputs;
}

const PassLibrary& catalogue() {
  static const PassLibrary kAll = [] {
    auto made = library_for(Options{}, "tf");
    EXPECT_TRUE(made) << made.error().first().format();
    return made ? *std::move(made) : PassLibrary();
  }();
  return kAll;
}

Expected<void> apply(const std::string& pass, Graph& graph) {
  DiagnosticList sink;
  const Settings settings;
  LibraryRun run(catalogue(), sink, settings);
  run.config.enable(pass);
  give_channels_first(run, sink);
  MO_ASSIGN([[maybe_unused]] const bool changed, run.run(std::vector<PassStep>{{{}, {PassUse(pass)}}}, graph));
  return {};
}

/// Transformations that change the interface or the numbers on purpose, or do nothing without settings.
bool is_of_its_own(std::string_view pass) {
  constexpr std::string_view kThese[] = {"ConvertFP32ToFP16", "ChangePlaceholderTypes", "HideInputShapes",
                                         "MakeStateful", "StatefulDecoder"};
  return std::find(std::begin(kThese), std::end(kThese), pass) != std::end(kThese);
}

TEST(Catalogue, EveryTransformationTakesChannelsLastImages) {
  const auto before = graph_of(kImages);
  ASSERT_TRUE(before);
  const auto wanted = execute(*before, inputs_of(*before));
  ASSERT_TRUE(wanted) << wanted.error().first().format();
  int compared = 0;
  for (const Pass* const pass : catalogue().passes()) {
    if (is_of_its_own(pass->name)) continue;
    const auto graph = graph_of(kImages);
    if (const auto done = apply(pass->name, *graph); !done) {
      ADD_FAILURE() << pass->name << ": " << done.error().first().format();
      continue;
    }
    const auto made = execute(*graph, inputs_of(*graph));
    if (!made) {
      ADD_FAILURE() << pass->name << ": " << made.error().first().format();
      continue;
    }
    ASSERT_EQ(made->size(), wanted->size());
    for (std::size_t i = 0; i < made->size(); ++i) {
      const auto difference = difference_of((*made)[i], (*wanted)[i], {.absolute = 1e-3});
      ASSERT_TRUE(difference);
      EXPECT_TRUE(difference->close()) << pass->name << ", output " << i << ": " << difference->to_string() << "\n"
                                       << to_text(*graph, {.types = true});
    }
    ++compared;
  }
  EXPECT_GT(compared, 400);
}

TEST(Catalogue, ConversionsRegisterWhatTheyRun) {
  for (const Part<PassRegistry>& part : transformations::register_all_parts()) {
    PassRegistry registry;
    part.add(registry);
    EXPECT_EQ(part.on_request, registry.passes().empty()) << part.path;
    EXPECT_EQ(part.on_request, !registry.offers().empty()) << part.path << ": add and offer passes in separate files";
  }
}

TEST(Catalogue, HasOnePassForEachName) {
  PassRegistry registry;
  transformations::register_all(registry);
  EXPECT_TRUE(registry.problems().empty());
  PassLibrary on_request;
  for (Pass& pass : registry.take_offers()) on_request.add(std::move(pass));
  std::set<std::string, std::less<>> passes;
  std::set<std::string, std::less<>> rules;
  for (const char* const framework : {"onnx", "tf", "caffe"}) {
    const auto assembly = assemble_for(Options{}, framework);
    ASSERT_TRUE(assembly) << assembly.error().first().format();
    const auto manager = make_pipeline((*assembly)->registry, framework, Options{});
    ASSERT_TRUE(manager) << manager.error().first().format();
    for (const Phase phase : kPhases) {
      const auto ordered = (*manager)->order(phase);
      ASSERT_TRUE(ordered) << ordered.error().first().format();
      for (const Pass* const pass : *ordered) {
        if (on_request.find(pass->name)) passes.insert(pass->name);
        if (!pass->rules) continue;
        for (const RewriteRule& rule : *pass->rules)
          if (rule.name != pass->name && on_request.find(rule.name)) rules.insert(rule.name);
      }
    }
    const auto all = library_for(Options{}, framework);
    EXPECT_TRUE(all) << all.error().first().format();
  }
  constexpr const char* kAdvice = "let both run one pass, or give one of them another name";
  EXPECT_TRUE(passes.empty()) << fmt::format("{}", fmt::join(passes, ", ")) << ": " << kAdvice;
  EXPECT_TRUE(rules.empty()) << fmt::format("{}", fmt::join(rules, ", ")) << ": " << kAdvice;
}

TEST(Catalogue, ProgramsThatDoNotChangeTheLayoutAreRefused) {
  const auto graph = graph_of(kImages);
  DiagnosticList sink;
  const Settings settings;
  LibraryRun run(catalogue(), sink, settings);
  const auto done = run.run("ConvertDepthToSpace", *graph);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().first().code, "MO-PASS-0025");
}

std::size_t bytes_of_constants(Graph& graph) {
  std::size_t bytes = 0;
  for (const Graph* const one : with_bodies(graph))
    for (const Node node : one->nodes())
      if (const Const* const constant = node.as<Const>()) bytes += constant->value.byte_size();
  return bytes;
}

TEST(Catalogue, NoTransformationUnpacksCompressedWeights) {
  const auto before = graph_of(compressed_weights());
  ASSERT_TRUE(before);
  const std::size_t bytes = bytes_of_constants(*before);
  // zero points and scales may grow; the smallest weights that grow add more
  const std::size_t most = bytes + bytes / 10;
  for (const Pass* const pass : catalogue().passes()) {
    if (is_of_its_own(pass->name)) continue;
    const auto graph = graph_of(compressed_weights());
    if (const auto done = apply(pass->name, *graph); !done) {
      ADD_FAILURE() << pass->name << ": " << done.error().first().format();
      continue;
    }
    EXPECT_LE(bytes_of_constants(*graph), most) << pass->name << "\n" << to_text(*graph, {.types = true});
  }
}

}  // namespace
}  // namespace mo::tools
