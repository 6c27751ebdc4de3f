// Models that were exported for a batch of 1, converted for another one: each sample gives what it gives alone.
#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>

#include "core/execution/executor.hpp"
#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/support/builtins.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

/// A model whose input x and output y have the batch at `axis`.
struct Exported {
  const char* name;
  Shape input;
  std::size_t axis;
  const char* nodes;
};

const std::vector<Exported>& models() {
  static const std::vector<Exported> all = {
      {"flatten", {1, 8, 1, 1}, 0, R"(node { op_type: "Reshape" input: "x" input: "s" output: "y" }
        initializer { name: "s" data_type: 7 dims: 2 int64_data: [1, 8] })"},
      {"flatten the rest", {1, 8, 1, 1}, 0, R"(node { op_type: "Reshape" input: "x" input: "s" output: "y" }
        initializer { name: "s" data_type: 7 dims: 2 int64_data: [1, -1] })"},
      {"channel shuffle", {1, 4, 2, 2}, 0, R"(node { op_type: "Reshape" input: "x" input: "s" output: "a" }
        node { op_type: "Transpose" input: "a" output: "b" attribute { name: "perm" type: INTS ints: [0, 2, 1, 3, 4] } }
        node { op_type: "Reshape" input: "b" input: "t" output: "y" }
        initializer { name: "s" data_type: 7 dims: 5 int64_data: [1, 2, 2, 2, 2] }
        initializer { name: "t" data_type: 7 dims: 4 int64_data: [1, 4, 2, 2] })"},
      {"windows", {1, 4, 4, 2}, 0, R"(node { op_type: "Reshape" input: "x" input: "s" output: "a" }
        node { op_type: "Transpose" input: "a" output: "b" attribute { name: "perm" type: INTS ints: [0, 1, 3, 2, 4, 5] } }
        node { op_type: "Reshape" input: "b" input: "t" output: "c" }
        node { op_type: "Softmax" input: "c" output: "d" attribute { name: "axis" type: INT i: 1 } }
        node { op_type: "Reshape" input: "d" input: "s" output: "e" }
        node { op_type: "Transpose" input: "e" output: "f" attribute { name: "perm" type: INTS ints: [0, 1, 3, 2, 4, 5] } }
        node { op_type: "Reshape" input: "f" input: "u" output: "y" }
        initializer { name: "s" data_type: 7 dims: 6 int64_data: [1, 2, 2, 2, 2, 2] }
        initializer { name: "t" data_type: 7 dims: 3 int64_data: [4, 4, 2] }
        initializer { name: "u" data_type: 7 dims: 4 int64_data: [1, 4, 4, 2] })"},
      {"class token", {1, 3, 2}, 0, R"(node { op_type: "Concat" input: "c" input: "x" output: "y"
          attribute { name: "axis" type: INT i: 1 } }
        initializer { name: "c" data_type: 1 dims: 1 dims: 1 dims: 2 float_data: [5, 6] })"},
      {"class token of a batch of 2", {2, 3, 2}, 0, R"(node { op_type: "Concat" input: "c" input: "x" output: "y"
          attribute { name: "axis" type: INT i: 1 } }
        initializer { name: "c" data_type: 1 dims: 2 dims: 1 dims: 2 float_data: [5, 6, 5, 6] })"},
      {"heads of attention", {3, 1, 4}, 1, R"(node { op_type: "Reshape" input: "x" input: "s" output: "a" }
        node { op_type: "Transpose" input: "a" output: "b" attribute { name: "perm" type: INTS ints: [1, 0, 2] } }
        node { op_type: "Transpose" input: "a" output: "c" attribute { name: "perm" type: INTS ints: [1, 2, 0] } }
        node { op_type: "MatMul" input: "b" input: "c" output: "d" }
        node { op_type: "MatMul" input: "d" input: "b" output: "e" }
        node { op_type: "Transpose" input: "e" output: "f" attribute { name: "perm" type: INTS ints: [1, 0, 2] } }
        node { op_type: "Reshape" input: "f" input: "t" output: "g" }
        node { op_type: "Reshape" input: "g" input: "u" output: "y" }
        initializer { name: "s" data_type: 7 dims: 3 int64_data: [3, 2, 2] }
        initializer { name: "t" data_type: 7 dims: 2 int64_data: [3, 4] }
        initializer { name: "u" data_type: 7 dims: 3 int64_data: [3, 1, 4] })"},
      {"initial state", {3, 1, 2}, 1, R"(node { op_type: "RNN" input: "x" input: "w" input: "r" input: "" input: ""
          input: "h" output: "a" attribute { name: "hidden_size" type: INT i: 2 } }
        node { op_type: "Squeeze" input: "a" input: "d" output: "y" }
        initializer { name: "w" data_type: 1 dims: 1 dims: 2 dims: 2 float_data: [0.1, 0.2, 0.3, 0.4] }
        initializer { name: "r" data_type: 1 dims: 1 dims: 2 dims: 2 float_data: [0.4, 0.3, 0.2, 0.1] }
        initializer { name: "h" data_type: 1 dims: 1 dims: 1 dims: 2 float_data: [0.5, 0.6] }
        initializer { name: "d" data_type: 7 dims: 1 int64_data: [1] })"},
      {"strides", {1, 2, 1, 2}, 0, R"(node { op_type: "Reshape" input: "x" input: "s" output: "a" }
        node { op_type: "Gather" input: "a" input: "i" output: "b" }
        node { op_type: "Relu" input: "b" output: "y" }
        initializer { name: "s" data_type: 7 dims: 1 int64_data: [-1] }
        initializer { name: "i" data_type: 7 dims: 1 dims: 4 int64_data: [0, 1, 2, 3] })"},
      {"a whole slice", {1, 4}, 0, R"(node { op_type: "Slice" input: "x" input: "b" input: "e" output: "y" }
        initializer { name: "b" data_type: 7 dims: 2 int64_data: [0, 1] }
        initializer { name: "e" data_type: 7 dims: 2 int64_data: [1, 3] })"},
      {"expanded", {2, 1, 2}, 0, R"(node { op_type: "Expand" input: "x" input: "s" output: "y" }
        initializer { name: "s" data_type: 7 dims: 3 int64_data: [2, 3, 2] })"},
      {"a recurrent loop", {3, 1, 2}, 1, R"(node { op_type: "Scan" input: "h" input: "x" output: "l" output: "y"
          attribute { name: "num_scan_inputs" type: INT i: 1 }
          attribute { name: "body" type: GRAPH g { name: "b"
            input { name: "s" } input { name: "t" } output { name: "n" } output { name: "o" }
            node { op_type: "Concat" input: "s" input: "t" output: "c" attribute { name: "axis" type: INT i: 1 } }
            node { op_type: "MatMul" input: "c" input: "k" output: "n" }
            node { op_type: "Identity" input: "n" output: "o" } } } }
        initializer { name: "h" data_type: 1 dims: 1 dims: 2 float_data: [0.5, 0.6] }
        initializer { name: "k" data_type: 1 dims: 4 dims: 2 float_data: [0.1, 0.2, 0.3, 0.4, 0.4, 0.3, 0.2, 0.1] })"},
  };
  return all;
}

class ChangedSizes : public testing::Test {
 protected:
  ChangedSizes() : folder_(fs::path(testing::TempDir()) / ("mo_changed_sizes_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ChangedSizes() override { fs::remove_all(folder_); }

  Options options(const Exported& model) {
    std::string type = "tensor_type { elem_type: 1";
    if (!model.input.empty()) {
      type += " shape {";
      for (const std::int64_t size : model.input)
        type += size < 0 ? " dim { }" : " dim { dim_value: " + std::to_string(size) + " }";
      type += " }";
    }
    Options o;
    o.input_model = (folder_ / "m.onnxtxt").string();
    std::ofstream(o.input_model)
        << "ir_version: 8 opset_import { version: 17 } graph { name: \"g\" input { name: \"x\" type { " << type
        << " } } } output { name: \"y\" type { tensor_type { elem_type: 1 } } } " << model.nodes << " }";
    o.framework = "onnx";
    o.output_dir = folder_.string();
    return o;
  }

  /// The IR for inputs of this shape; none: as the model has them.
  std::unique_ptr<Graph> converted(const Exported& model, std::optional<PartialShape> shape, int ir_version = 11) {
    Options o = options(model);
    o.ir_version = ir_version;
    if (shape) o.input_shapes = {*shape};
    sink_.items.clear();
    const auto report = convert(o, sink_);
    EXPECT_TRUE(report) << model.name << ": " << (report ? "" : report.error().first().format());
    if (!report) return nullptr;
    xml_ = bytes(report->xml_path);
    bin_ = bytes(report->bin_path);
    auto graph = ir::read_ir(report->xml_path, "", test::builtins().ops(), sink_);
    EXPECT_TRUE(graph);
    return graph ? *std::move(graph) : nullptr;
  }

  static std::string bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
  DiagnosticList sink_;
  std::string xml_;
  std::string bin_;
};

/// Elements of sample `sample` of all those of a tensor with the batch at `axis`.
std::vector<float> sample_of(const Tensor& tensor, std::size_t axis, std::size_t first, std::size_t count) {
  const Shape shape = *tensor.type().shape.to_shape();
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= static_cast<std::size_t>(shape[i]);
  const auto size = static_cast<std::size_t>(shape[axis]);
  const auto elements = tensor.values<float>();
  std::vector<float> made;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (const std::size_t at = i / inner % size; at >= first && at < first + count) made.push_back(elements[i]);
  return made;
}

TEST_F(ChangedSizes, EachSampleGivesTheSameResultAsAlone) {
  for (const Exported& model : models()) {
    const auto batch = model.input[model.axis];
    Shape larger = model.input;
    larger[model.axis] = 3 * batch;
    PartialShape open(model.input);
    open[model.axis] = Dimension();
    std::vector<float> numbers(static_cast<std::size_t>(*element_count(larger)));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i * 7 % 11) / 8;
    const Tensor all = Tensor::of<float>(larger, numbers);
    const auto own = converted(model, {});
    ASSERT_TRUE(own) << model.name;
    struct Form {
      PartialShape shape;
      int ir_version;
    };
    for (const Form& form : {Form{PartialShape(larger), 11}, Form{PartialShape(larger), 10}, Form{open, 11}}) {
      const auto graph = converted(model, form.shape, form.ir_version);
      ASSERT_TRUE(graph) << model.name;
      EXPECT_TRUE(sink_.items.empty()) << model.name << ": " << sink_.items.front().format();
      const auto results = execute(*graph, {all});
      ASSERT_TRUE(results) << model.name << ": " << results.error().first().format();
      for (std::size_t sample = 0; sample < 3; ++sample) {
        const auto first = sample * static_cast<std::size_t>(batch);
        const auto count = static_cast<std::size_t>(batch);
        const auto alone = execute(*own, {Tensor::of<float>(model.input, sample_of(all, model.axis, first, count))});
        ASSERT_TRUE(alone) << model.name;
        const std::vector<float> want = sample_of((*alone)[0], model.axis, 0, count);
        const std::vector<float> got = sample_of((*results)[0], model.axis, first, count);
        ASSERT_EQ(got.size(), want.size()) << model.name << " " << (*results)[0].type().to_string();
        for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-6) << model.name;
      }
    }
  }
}

TEST_F(ChangedSizes, TheShapeOfTheModelChangesNothing) {
  for (const Exported& model : models()) {
    converted(model, {});
    const std::string xml = xml_.substr(0, xml_.find("<rt_info>\n\t\t<")), bin = bin_;
    converted(model, PartialShape(model.input));
    EXPECT_EQ(xml_.substr(0, xml_.find("<rt_info>\n\t\t<")), xml) << model.name;
    EXPECT_EQ(bin_, bin) << model.name;
    EXPECT_TRUE(sink_.items.empty()) << model.name;
  }
}

TEST_F(ChangedSizes, StatesOfBatchOneFollowAnInputOfUnknownRank) {
  const Exported model{"unknown rank", {}, 0, R"(node { op_type: "Concat" input: "c" input: "x" output: "y"
          attribute { name: "axis" type: INT i: 1 } }
        initializer { name: "c" data_type: 1 dims: 1 dims: 1 dims: 2 float_data: [5, 6] })"};
  const auto graph = converted(model, PartialShape({4, 3, 2}));
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->results()[0].input_type(0).shape, PartialShape({4, 4, 2}));
}

TEST_F(ChangedSizes, ConstantsBelowOpenSizesStay) {
  // The framework runs the model with any batch, and its 1 is a 1.
  const Exported model{"open batch", {-1, 6}, 0, R"(node { op_type: "Reshape" input: "x" input: "s" output: "y" }
        initializer { name: "s" data_type: 7 dims: 2 int64_data: [1, -1] })"};
  Exported unknown = model;
  unknown.input = {};
  for (const Exported& one : {model, unknown}) {
    const auto graph = converted(one, PartialShape({4, 6}));
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->results()[0].input_type(0).shape, PartialShape({1, 24})) << one.name;
    EXPECT_TRUE(sink_.items.empty());
  }
}

TEST_F(ChangedSizes, UnrepairableNodesAreNamedWithAnOptionThatConverts) {
  const Exported split{"split", {6, 4}, 0, R"(node { op_type: "Reshape" name: "mix" input: "x" input: "s" output: "y" }
    initializer { name: "s" data_type: 7 dims: 2 int64_data: [2, 12] })"};
  converted(split, PartialShape{Dimension(), 4});
  ASSERT_EQ(sink_.items.size(), 1U);
  EXPECT_EQ(sink_.items[0].code, "MO-FRONT-0023");
  EXPECT_EQ(sink_.items[0].node, "mix");
  EXPECT_NE(sink_.items[0].message.find(
                "'s' holds a size of the exported model: dimension 0 of the data, which was 6 and is ? now"),
            std::string::npos)
      << sink_.items[0].message;
  EXPECT_NE(sink_.items[0].hint_text.find(R"(--input "x[6,4]")"), std::string::npos) << sink_.items[0].hint_text;

  Options fixed = options(split);
  fixed.input_shapes = {PartialShape{7, 4}};
  const auto refused = convert(fixed, sink_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().first().code, "MO-OPS-0201");
  EXPECT_NE(refused.error().first().format().find("'s' holds a size of the exported model"), std::string::npos);
  EXPECT_NE(refused.error().first().hint_text.find(R"(--input "x[6,4]")"), std::string::npos);
}

TEST_F(ChangedSizes, KeptSizesNamesTheNodeThatLosesTheBatch) {
  const Exported first{"first", {1, 4}, 0, R"(node { op_type: "ReduceMax" name: "lose" input: "x" output: "a"
      attribute { name: "axes" type: INTS ints: [0] } } node { op_type: "Relu" input: "a" output: "y" })"};
  converted(first, PartialShape{Dimension(), 4});
  ASSERT_EQ(sink_.items.size(), 1U);
  EXPECT_EQ(sink_.items[0].code, "MO-FRONT-0025");
  EXPECT_EQ(sink_.items[0].node, "lose");
}

}  // namespace
}  // namespace mo
