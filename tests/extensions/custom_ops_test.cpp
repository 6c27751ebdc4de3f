#include "extensions/custom_ops/custom_ops.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>

#include "core/inference/evaluate.hpp"
#include "core/text/printer.hpp"
#include "driver/convert.hpp"
#include "ops/custom_operation.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::custom_ops {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFrameworks = {"onnx", "tf"};

/// What is wrong with a description: "code line:column message" for each problem.
std::vector<std::string> complaints(const std::string& text) {
  std::vector<std::string> found;
  const auto read = parse_descriptions(text, "f.json", kFrameworks);
  if (!read)
    for (const Diagnostic& d : read.error().items())
      found.push_back(d.code + " " + d.location.substr(7) + " " + d.message);
  return found;
}

/// The shape that an expression gives, or the message of its error.
std::string shape_of(std::string_view text, std::vector<PartialShape> inputs, const AttributeMap& attributes = {},
                     std::optional<Tensor> last = {}) {
  const auto expression = ShapeExpression::parse(text);
  if (!expression) return expression.error().first().code;
  std::vector<TensorFact> facts;
  for (PartialShape& shape : inputs) facts.push_back({{ElementType::f32, std::move(shape)}, {}, nullptr});
  if (last) facts.push_back({last->type(), *last, nullptr});
  const std::vector<bool> present(facts.size(), true);
  const InferContext ctx(dynamic_op_type("X"), facts, present, 1);
  const auto shape = expression->evaluate(ctx, attributes);
  return shape ? shape->to_string() : shape.error().first().code + ": " + shape.error().first().message;
}

TEST(ShapeExpression, ComputesKnownAndUnknownDimensions) {
  const PartialShape image = {1, 3, 32, 64};
  const PartialShape open = {Dimension::unknown(), 3, Dimension(4, 8)};
  EXPECT_EQ(shape_of("in0", {image}), "[1,3,32,64]");
  EXPECT_EQ(shape_of("in0", {PartialShape::unknown_rank()}), "[...]");
  EXPECT_EQ(shape_of("[in0[0], attrs.depth, ...in0[2:]]", {image}, {{"depth", 7}}), "[1,7,32,64]");
  EXPECT_EQ(shape_of("[in0[-1] * 2, in0.rank, in0.product]", {image}), "[128,4,6144]");
  EXPECT_EQ(shape_of("[(in0[2] + 2 * attrs.pads[0] - attrs.kernel) / 2 + 1]", {image},
                     {{"pads", std::vector<std::int64_t>{1, 1}}, {"kernel", 3}}),
            "[16]");
  EXPECT_EQ(shape_of("[in0[0], in0[2] * 2 + 1, in0[2] / 2, ceil_div(in0[2], 3)]", {open}), "[?,9..17,2..4,2..3]");
  EXPECT_EQ(shape_of("[min(in0[2], 5), max(in0[2], 6), in0[2] - in0[1], 7 % 4]", {open}), "[4..5,6..8,1..5,3]");
  EXPECT_EQ(shape_of("[in0[2] - 6]", {open}), "[?]");
  EXPECT_EQ(shape_of("[...]", {open}), "[...]");
  EXPECT_EQ(shape_of("[]", {open}), "[]");
  EXPECT_EQ(shape_of("[?, ...in0]", {PartialShape::unknown_rank()}), "[...]");
  EXPECT_EQ(shape_of("in0[:-1]", {image}), "[1,3,32]");
  EXPECT_EQ(shape_of("in0[1:100]", {image}), "[3,32,64]");
  EXPECT_EQ(shape_of("broadcast(in0, in1)", {{4, 1}, {3}}), "[4,3]");
  EXPECT_EQ(shape_of("in1.value", {image}, {}, Tensor::vector<std::int64_t>({5, 6})), "[5,6]");
  EXPECT_EQ(shape_of("[-7 / 2 + 5, -7 % 4, ceil_div(-7, 2) + 4]", {}), "[1,1,1]");
}

TEST(ShapeExpression, RefusesInvalidShapes) {
  const auto has = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos ? "" : text;
  };
  EXPECT_EQ(
      has(shape_of("[in0[4]]", {{1, 2}}), "MO-CONFIG-0106: shape \"[in0[4]]\": index 4 is outside of a list of 2"), "");
  EXPECT_EQ(has(shape_of("in3", {{1, 2}}), "there is no input 3, the op has 1"), "");
  EXPECT_EQ(has(shape_of("[1 / (in0[0] - 1)]", {{1, 2}}), "division by zero"), "");
  EXPECT_EQ(has(shape_of("[in0[0] - 4]", {{1, 2}}), "a dimension is -3"), "");
  EXPECT_EQ(has(shape_of("[attrs.n]", {{1, 2}}), "the op has no attribute n"), "");
  EXPECT_EQ(has(shape_of("[attrs.n]", {}, {{"n", 0.5}}), "attribute n is a number, and shapes consist of integers"),
            "");
  EXPECT_EQ(has(shape_of("[9223372036854775807 + 1]", {}), "a number is too large"), "");
  EXPECT_EQ(has(shape_of("[in0 + 1]", {{1, 2}}), "expected a number, got a list"), "");
  EXPECT_EQ(has(shape_of("[...in0[0]]", {{1, 2}}), "... expects a list"), "");
  EXPECT_EQ(has(shape_of("broadcast(in0, in1)", {{2}, {3}}), "do not broadcast"), "");
  for (const char* text : {"", "[", "in", "in0[", "in0.shape", "[1,]", "1 +", "foo", "max(1)", "attrs", "(1",
                           "in0.rank.value", "[1] x", "99999999999999999999"})
    EXPECT_EQ(shape_of(text, {{1}}), "MO-CONFIG-0101") << text;
  EXPECT_EQ(shape_of(std::string(100, '('), {}), "MO-CONFIG-0101");
  EXPECT_EQ(shape_of(std::string(2000, '1'), {}), "MO-CONFIG-0101");
}

TEST(Descriptions, EveryMistakeHasItsPlaceAndItsKeyPath) {
  const auto only = [](const std::string& text) {
    const auto found = complaints(text);
    return found.size() == 1 ? found.front()
                             : std::to_string(found.size()) + " problems" + (found.empty() ? "" : ": " + found.front());
  };
  EXPECT_EQ(only("3"), "MO-CONFIG-0003 1:1 this must be a list, and it is an integer");
  EXPECT_EQ(only("[3]"), "MO-CONFIG-0003 1:2 [0]: this must be an object, and it is an integer");
  EXPECT_EQ(only(R"({"outputs": ["in0"]})"), "MO-CONFIG-0004 1:1 the key \"op\" is missing");
  EXPECT_EQ(only(R"({"op": "A"})"), "MO-CONFIG-0004 1:1 the key \"outputs\" is missing");
  EXPECT_EQ(only(R"({"op": "A", "outputs": []})"), "MO-CONFIG-0103 1:24 outputs: an op has at least one output");
  EXPECT_EQ(only(R"({"op": "A", "outputs": ["in0"], "output": 1})"),
            "MO-CONFIG-0005 1:33 output: this key is not known");
  EXPECT_EQ(only(R"({"op": "A", "framework": "torch", "outputs": ["in0"]})"),
            "MO-CONFIG-0006 1:26 framework: \"torch\" is not known here");
  EXPECT_EQ(only(R"({"op": "A", "versions": {"first": 3, "last": 2}, "outputs": ["in0"]})"),
            "MO-CONFIG-0103 1:25 versions: the first version is 3 and the last is 2");
  EXPECT_EQ(only(R"({"op": "A", "type": "x::y", "outputs": ["in0"]})"),
            "MO-CONFIG-0104 1:21 type: \"x::y\" cannot be the type of a layer");
  EXPECT_EQ(only(R"({"op": "A", "attributes": {"a b": 1}, "outputs": ["in0"]})"),
            "MO-CONFIG-0104 1:35 attributes.a b: \"a b\" cannot be the name of an attribute");
  EXPECT_EQ(only(R"({"op": "A", "attributes": {"a": {"from": "x", "value": 1}}, "outputs": ["in0"]})"),
            "MO-CONFIG-0103 1:33 attributes.a: an attribute has one source");
  EXPECT_EQ(only(R"({"op": "A", "attributes": {"a": {"as": "float"}}, "outputs": ["in0"]})"),
            "MO-CONFIG-0006 1:40 attributes.a.as: \"float\" is not known here");
  EXPECT_EQ(only(R"({"op": "A", "inputs": [0, 0], "outputs": ["in0"]})"),
            "MO-CONFIG-0103 1:27 inputs[1]: duplicate input 0");
  EXPECT_EQ(only(R"({"op": "A", "inputs": [-1], "outputs": ["in0"]})"),
            "MO-CONFIG-0103 1:24 inputs[0]: there is no input -1");
  EXPECT_EQ(only(R"({"op": "A", "outputs": ["in0 +"]})"),
            "MO-CONFIG-0101 1:25 outputs[0]: \"in0 +\": something is missing here, at character 6");
  EXPECT_EQ(only(R"({"op": "A", "attributes": {"depth": 1}, "outputs": ["[attrs.dept]"]})"),
            "MO-CONFIG-0102 1:53 outputs[0]: the description has no attribute dept");
  EXPECT_EQ(only(R"({"op": "A", "outputs": [{"shape": "in0", "type": "float"}]})"),
            "MO-CONFIG-0102 1:50 outputs[0].type: \"float\" is not an element type");
  EXPECT_EQ(only(R"([{"op": "A", "outputs": ["in0"]}, {"op": "A", "framework": "tf", "outputs": ["in0"]}])"),
            "MO-CONFIG-0114 1:35 [1]: A is described twice, also at f.json:1:2");
  EXPECT_EQ(complaints(R"({"op": 1, "outputs": ["in0 +", 2], "inputs": "x"})").size(), 4U);
}

/// A folder of its own; models in text form.
class CustomOps : public testing::Test {
 protected:
  CustomOps() : folder_(fs::path(testing::TempDir()) / ("mo_custom_ops_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CustomOps() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  /// The IR, or the error.
  std::string run(const std::string& model, const std::string& framework, const std::string& description) {
    Options o;
    o.framework = framework;
    o.input_model = write(framework == "onnx" ? "m.onnxtxt" : "m.pbtxt", model);
    o.tensorflow.input_model_is_text = framework == "tf";
    o.output_dir = folder_.string();
    o.custom_ops = {write("ops.json", description)};
    DiagnosticList sink;
    const auto report = convert(o, sink);
    for (const Diagnostic& d : sink.items) text_ += d.format() + "\n";
    if (!report) {
      std::string text;
      for (const Diagnostic& d : report.error().items()) text += d.format() + "\n";
      return text;
    }
    std::ifstream in(folder_ / "m.xml");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::string onnx(const std::string& nodes) {
    return R"(ir_version: 8 opset_import { version: 13 } opset_import { domain: "com.acme" version: 2 } graph { name: "g"
      input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 3 } dim { dim_param: "n" } } } } }
      output { name: "y" type { tensor_type { elem_type: 1 } } } )" +
           nodes + "}";
  }
  static void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }

  fs::path folder_;
  std::string text_;
};

const std::string kFancy =
    R"(node { op_type: "FancyNorm" domain: "com.acme" name: "fancy" input: "x" output: "y"
         attribute { name: "eps" f: 0.25 type: FLOAT } attribute { name: "mode" s: "soft" type: STRING } attribute { name: "sizes" ints: [2, 3] type: INTS } })";

TEST_F(CustomOps, AnUnknownOpConvertsWithAJsonOfSixLines) {
  const std::string json = R"({
    "framework": "onnx",
    "op": "FancyNorm",
    "domain": "com.acme",
    "outputs": ["in0"]
})";
  const std::string xml = run(onnx(kFancy), "onnx", json);
  expect_parts(xml, {R"(name="y" type="FancyNorm" version="extension")", R"(eps="0.25")", R"(mode="soft")",
                     R"(sizes="2, 3")", R"(names="y")", "<dim>-1</dim>"});
}

TEST_F(CustomOps, WithoutItsDescriptionTheOpIsUnsupported) {
  const std::string text = run(onnx(kFancy), "onnx", R"({"framework": "tf", "op": "FancyNorm", "outputs": ["in0"]})");
  expect_parts(text, {"MO-FRONT-0001"});
}

TEST_F(CustomOps, AttributesAreRenamedConvertedAndTakenFromInputsAndConstants) {
  const std::string model = onnx(
      R"(initializer { name: "k" dims: 1 data_type: 7 int64_data: 4 }
         initializer { name: "w" dims: 2 data_type: 1 float_data: [1, 2] }
         node { op_type: "Pick" domain: "com.acme" name: "pick" input: "x" input: "k" input: "w" output: "y" output: "z"
           attribute { name: "flag" i: 1 type: INT } attribute { name: "to" i: 7 type: INT } attribute { name: "extra" i: 5 type: INT } })");
  const std::string xml = run(model, "onnx", R"({
    "op": "Pick", "domain": "com.acme", "versions": {"last": 2}, "type": "AcmePick", "op_set": "acme",
    "attributes": {
      "is_set": {"from": "flag", "as": "boolean"}, "k": {"input": 1, "as": "integer"}, "kind": "best",
      "missing": {"as": "integer", "default": 9}, "gone": {"default": null}, "extra": {"hidden": true}, "out": {"from": "to", "as": "type"}
    },
    "inputs": [2, 0],
    "outputs": ["[...in1[:-1], attrs.k * attrs.extra]", {"shape": "[in0[0]]", "type": "attrs.out"}]
  })");
  expect_parts(xml, {R"(name="pick" type="AcmePick" version="acme")", R"(is_set="true")", R"(k="4")", R"(kind="best")",
                     R"(missing="9")", R"(out="i64")", "<dim>20</dim>", R"(precision="I64")"});
  EXPECT_EQ(xml.find("extra="), std::string::npos);
  EXPECT_EQ(xml.find("gone"), std::string::npos);
}

TEST_F(CustomOps, TensorFlowOpsHaveAsManyOutputsAsDescribed) {
  const std::string xml = run(
      R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } dim { size: 6 } } } } }
      node { name: "f" op: "AcmeHalves" input: "x" attr { key: "T" value { type: DT_FLOAT } } attr { key: "axis" value { i: 1 } } }
      node { name: "y" op: "Relu" input: "f:1" attr { key: "T" value { type: DT_FLOAT } } })",
      "tf", R"({"op": "AcmeHalves", "outputs": ["[in0[0], in0[1] / 2]", "[in0[0], in0[1] / 2]"]})");
  expect_parts(xml, {R"(name="f" type="AcmeHalves" version="extension")", R"(<data axis="1")", "<dim>3</dim>",
                     R"(type="ReLU")"});
}

TEST_F(CustomOps, LayersThatNeedChannelsFirstGetThem) {
  const auto model = [](const std::string& shape) {
    return R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { )" +
           shape +
           R"( } } } }
      node { name: "f" op: "AcmeWiden" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
      node { name: "y" op: "Relu" input: "f" attr { key: "T" value { type: DT_FLOAT } } })";
  };
  const std::string image = "dim { size: 1 } dim { size: 5 } dim { size: 7 } dim { size: 3 }";
  const auto described = [](const std::string& layout) {
    return R"({"op": "AcmeWiden", "outputs": ["[in0[0], in0[1] * 10, ...in0[2:]]"])" + layout + "}";
  };
  const auto dims = [](const std::string& xml) {
    std::string found;
    const std::size_t layer = xml.find("type=\"AcmeWiden\"");
    for (std::size_t at = xml.find("<dim>", layer); at < xml.find("</layer>", layer); at = xml.find("<dim>", at + 1))
      found += xml.substr(at + 5, xml.find('<', at + 5) - at - 5) + " ";
    return found;
  };
  EXPECT_EQ(dims(run(model(image), "tf", described(""))), "1 5 7 3 1 50 7 3 ");
  EXPECT_EQ(dims(run(model(image), "tf", described(R"(, "layout": "model")"))), "1 5 7 3 1 50 7 3 ");
  EXPECT_EQ(dims(run(model(image), "tf", described(R"(, "layout": "channels_first")"))), "1 3 5 7 1 30 5 7 ")
      << "the rule sees channels first";
  EXPECT_EQ(dims(run(model("dim { size: 1 } dim { size: 7 } dim { size: 3 }"), "tf",
                     described(R"(, "layout": "channels_first")"))),
            "1 3 7 1 30 7 ");
  // The model of another framework is channels-first already.
  const std::string widen = R"(node { op_type: "AcmeWiden" name: "f" input: "x" output: "y" })";
  EXPECT_EQ(dims(run(onnx(widen), "onnx", described(R"(, "layout": "channels_first")"))), "1 3 -1 1 30 -1 ");
  EXPECT_NE(run(onnx(widen), "onnx", described(R"(, "layout": "nchw")")).find("MO-CONFIG-0006"), std::string::npos);
}

TEST_F(CustomOps, ABuiltInOpIsReplacedOnlyIfTheDescriptionRequestsIt) {
  const std::string relu = onnx(R"(node { op_type: "Relu" name: "r" input: "x" output: "y" })");
  expect_parts(run(relu, "onnx", R"({"op": "Relu", "outputs": ["in0"]})"),
               {"MO-CONFIG-0105", "op Relu is known already, by mo", "ops.json:1:1"});
  expect_parts(run(relu, "onnx", R"({"op": "Relu", "override": true, "type": "FastRelu", "outputs": ["in0"]})"),
               {R"(type="FastRelu" version="extension")"});
  // Another version of the op set is the built-in's.
  expect_parts(run(relu, "onnx", R"({"op": "Relu", "override": true, "versions": {"first": 20}, "outputs": ["in0"]})"),
               {R"(type="ReLU")"});
}

TEST_F(CustomOps, MissingPartsOfAModelAreReportedWithTheNode) {
  const std::string model = onnx(
      R"(node { op_type: "Relu" name: "r" input: "x" output: "a" }
         node { op_type: "Pick" domain: "com.acme" name: "pick" input: "x" input: "a" output: "y" output: "z" attribute { name: "t" t { dims: 2 data_type: 1 float_data: [1, 2] } type: TENSOR } }
         node { op_type: "Add" name: "add" input: "y" input: "z" output: "s" })");
  const auto described = [](const std::string& rest) {
    return R"({"op": "Pick", "domain": "com.acme", )" + rest + "}";
  };
  const std::string two = R"("outputs": ["in0", "in0"])";
  expect_parts(run(model, "onnx", described(two)), {"MO-CONFIG-0113", "attribute t is a tensor", "'pick'"});
  expect_parts(run(model, "onnx", described(R"("attributes": {}, "outputs": ["in0"])")),
               {"MO-CONFIG-0111", "reads output 1"});
  expect_parts(run(model, "onnx", described(R"("attributes": {"n": {}}, )" + two)),
               {"MO-CONFIG-0110", "has no attribute n"});
  expect_parts(run(model, "onnx", described(R"("attributes": {"n": {"from": "t", "as": "integer"}}, )" + two)),
               {"MO-CONFIG-0107", "a list of numbers cannot become an integer"});
  expect_parts(run(model, "onnx", described(R"("attributes": {"n": {"input": 1}}, )" + two)),
               {"MO-CONFIG-0109", "input 1 is not a constant"});
  expect_parts(run(model, "onnx", described(R"("attributes": {"n": {"input": 4}}, )" + two)),
               {"MO-CONFIG-0108", "input 4 is missing"});
  expect_parts(run(model, "onnx", described(R"("attributes": {}, "inputs": [5, 0], )" + two)),
               {"MO-CONFIG-0108", "input 5 is missing, and later ones are there"});
  expect_parts(run(model, "onnx", described(R"("attributes": {}, "outputs": ["[in0[7]]", "in0"])")),
               {"MO-CONFIG-0106", "index 7 is outside of a list of 3"});
  expect_parts(
      run(model, "onnx", described(R"("attributes": {}, "outputs": [{"shape": "in0", "type": "in7"}, "in0"])")),
      {"MO-CONFIG-0112", "the op has 2 inputs"});
  expect_parts(
      run(model, "onnx",
          described(R"("attributes": {"k": "soft"}, "outputs": [{"shape": "in0", "type": "attrs.k"}, "in0"])")),
      {"MO-CONFIG-0112", "is not an element type"});
  // A tensor is written as a list when the description says so.
  expect_parts(run(model, "onnx", described(R"("attributes": {"t": {"as": "reals"}}, )" + two)), {R"(t="1, 2")"});
}

TEST_F(CustomOps, TheSchemaAndTheDocumentationKnowTheSameKeys) {
  std::ifstream file(fs::path(MO_SOURCE_DIR) / "docs/schemas/custom_ops.schema.json");
  const std::string schema(std::istreambuf_iterator<char>(file), {});
  for (const char* key : {"framework", "op", "domain", "versions", "override", "type", "op_set", "attributes", "inputs",
                          "outputs", "layout", "from", "value", "input", "as", "default", "hidden"})
    EXPECT_NE(schema.find("\"" + std::string(key) + "\": {"), std::string::npos) << key;
}

TEST(CustomOperation, AHiddenBodyGivesTypesAndValuesAndIsNotAnAttribute) {
  auto body = std::make_unique<Graph>();
  const Node inner = body->create_parameter({});
  const Node negative = body->create_node(ops::Negative{}, {inner.output()});
  body->create_result(negative.output());
  Graph graph;
  const Node x = graph.create_parameter({ElementType::f32, {2, 3}});
  Rewriter rewriter(graph);
  graph.set_has_types(true);
  ops::CustomOperation operation{"Turn", "acme", {{"k", 1}}, Body(std::move(body)), nullptr};
  const Node turn = rewriter.create_node(ops::custom_operation(std::move(operation)), {x.output()});
  graph.create_result(turn.output());
  EXPECT_EQ(turn.output_type().to_string(), "f32[2,3]");
  EXPECT_TRUE(ops::is_custom_operation(turn.op_type()));
  ASSERT_NE(ops::hidden_body(turn), nullptr);
  const auto made = evaluate_op(turn.op_type(), turn.payload(), {Tensor::vector<float>({1.5F})}, 1);
  ASSERT_TRUE(made) << made.error().first().format();
  EXPECT_EQ((*made)[0].values<float>()[0], -1.5F);
  // A copy of the graph has a body of its own.
  const auto copy = graph.clone();
  for (const Node node : copy->nodes())
    if (node.is("Turn")) { EXPECT_NE(ops::hidden_body(node), ops::hidden_body(turn)); }
  EXPECT_EQ(turn.attr<std::int64_t>("k"), 1);
}

}  // namespace
}  // namespace mo::custom_ops
