#include "core/execution/executor.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/model_reader.hpp"
#include "graph_transforms/engine/editor.hpp"
#include "tests/graph_transforms/transformed.hpp"
#include "tools/transform/evaluation.hpp"

// Transforms that know no ops of TensorFlow, on models of ONNX.
namespace mo::graph_transforms::testing {
namespace {

using OnnxNumbers = std::vector<float>;
using ::testing::FloatNear;
using ::testing::Pointwise;

/// A NodeProto. `inputs` and `outputs`: names with blanks between them, "-" for one that is left out. `more`: further
/// fields.
std::string onnx_node(const std::string& op, const std::string& inputs, const std::string& outputs,
                      const std::string& more = "") {
  std::string text = "node { op_type: '" + op + "' ";
  const auto add = [&](std::string_view names, const char* field) {
    while (!names.empty()) {
      const std::string_view name = names.substr(0, names.find(' '));
      text += fmt::format("{}: '{}' ", field, name == "-" ? "" : name);
      names.remove_prefix(std::min(names.size(), name.size() + 1));
    }
  };
  add(inputs, "input");
  add(outputs, "output");
  return text + more + " }\n";
}

std::string tensor_text(const std::vector<std::int64_t>& dims, const OnnxNumbers& values) {
  return fmt::format("data_type: 1 dims: [{}] float_data: [{}]", fmt::join(dims, ", "), fmt::join(values, ", "));
}
std::string initializer(const std::string& name, const std::vector<std::int64_t>& dims, const OnnxNumbers& values) {
  return fmt::format("initializer {{ name: '{}' {} }}\n", name, tensor_text(dims, values));
}
std::string info(const std::string& field, const std::string& name, const std::string& dims = "") {
  return fmt::format("{} {{ name: '{}' type {{ tensor_type {{ elem_type: 1 shape {{ {} }} }} }} }}\n", field, name,
                     dims);
}
std::string dims(const std::vector<std::int64_t>& sizes) {
  std::string text;
  for (const std::int64_t size : sizes) text += fmt::format("dim {{ dim_value: {} }} ", size);
  return text;
}

std::string bytes_of_model(const std::string& graph, int opset = 13) {
  const auto bytes = onnx::model_from_text(fmt::format(
      "ir_version: 7 producer_name: 'test' opset_import {{ version: {} }} graph {{ name: 'g'\n{} }}", opset, graph));
  EXPECT_TRUE(bytes) << bytes.error().first().format();
  return bytes ? *bytes : std::string();
}

struct OnnxRun {
  Transformed result;
  std::string bytes;  ///< of the model that is written then
};

/// `named`: --inputs and --outputs.
OnnxRun run(const std::string& graph, const std::string& transforms, const Ends& named = {}, int opset = 13) {
  OnnxRun made;
  DiagnosticList sink;
  auto read = onnx::read_model_proto_bytes(bytes_of_model(graph, opset), sink);
  EXPECT_TRUE(read) << read.error().first().format();
  if (!read) return made;
  made.result = transformed_model(*std::move(read), transforms, named);
  if (!made.result.error_code.empty()) return made;
  auto bytes = onnx::model_proto_bytes(*made.result.graph);
  if (bytes) {
    made.bytes = *std::move(bytes);
  } else {
    made.result.error_code = bytes.error().first().code;
    made.result.error_text = bytes.error().first().message;
  }
  return made;
}

OnnxNumbers numbers_of(const OnnxRun& made, const std::string& output, const Tensor& x) {
  return computed(*made.result.graph, {output}, {x}).front();
}

/// The transforms give the same numbers for `x`; the nodes afterwards.
std::string same_numbers(const std::string& graph, const std::string& transforms, const std::string& output,
                         const Tensor& x, float tolerance = 1e-4F) {
  const OnnxRun changed = run(graph, transforms);
  EXPECT_EQ(changed.result.error_text, "");
  if (!changed.result.error_code.empty()) return changed.result.error_code;
  EXPECT_THAT(numbers_of(changed, output, x), Pointwise(FloatNear(tolerance), numbers_of(run(graph, ""), output, x)));
  return changed.result.nodes();
}

const std::string kImageInput = info("input", "x", dims({1, 1, 1, 2})) + info("output", "y");
const Tensor kTwoPixels = Tensor::of<float>({1, 1, 1, 2}, OnnxNumbers{1, 3});
const std::string kTwoChannels = initializer("w", {2, 1, 1, 1}, {2, 3}) + onnx_node("Conv", "x w", "c");

// -- reading and writing ----------------------------------------------------------------------------------------------

TEST(ModelProto, UnchangedPartsAreWrittenByteByByte) {
  const std::string branch = "g { name: 'b' " + onnx_node("Neg", "c", "n") + "output { name: 'n' } }";
  const std::string graph =
      kImageInput + "doc_string: 'text'\n" + initializer("w", {2, 1, 1, 1}, {2, 3}) +
      "initializer { name: 'e' data_type: 7 dims: 1 raw_data: '\\001\\000\\000\\000\\000\\000\\000\\000' doc_string: "
      "'one' }\n" +
      "sparse_initializer { values { name: 's' data_type: 1 dims: 1 float_data: 1 } indices { data_type: 7 dims: 1 "
      "int64_data: 1 } dims: 3 }\n" +
      info("value_info", "c") +
      onnx_node("Conv", "x w", "c",
                "name: 'conv' domain: '' attribute { name: 'strides' type: INTS ints: 1 ints: 1 } attribute { name: "
                "'group' i: 1 }") +
      onnx_node("Constant", "", "k", "attribute { name: 'value_float' f: 0.1 type: FLOAT }") +
      onnx_node("Constant", "", "t",
                "doc_string: 'd' attribute { name: 'value' type: TENSOR t { " + tensor_text({1}, {5}) + " } }") +
      onnx_node("If", "cond", "i",
                "attribute { name: 'then_branch' type: GRAPH " + branch +
                    " } attribute { name: 'else_branch' type: GRAPH " + branch + " }") +
      onnx_node("Own.Op", "i - k", "o1 - o3",
                "domain: 'my.domain' attribute { name: 'text' type: STRING s: 'x' } overload: 'v'") +
      onnx_node("Add", "o1 o3", "y") + info("input", "cond");
  const std::string before = bytes_of_model(graph);
  DiagnosticList sink;
  const auto read = onnx::read_model_proto_bytes(before, sink);
  ASSERT_TRUE(read) << read.error().first().format();
  const auto after = onnx::model_proto_bytes(**read);
  ASSERT_TRUE(after) << after.error().first().format();
  const auto text = [](const std::string& bytes) { return *onnx::model_to_text(bytes); };
  EXPECT_EQ(text(*after), text(before));
  EXPECT_EQ(onnx::model_inputs(**read), (std::vector<std::string>{"x", "cond"}));
  EXPECT_EQ(onnx::model_outputs(**read), std::vector<std::string>{"y"});
  EXPECT_EQ(onnx::captured_tensors(**read), std::vector<std::string>{"c"});
  EXPECT_EQ(onnx::reference_to(**read, "o3"), "o1:2");
}

TEST(ModelProto, NodesAreWrittenInAnOrderOfExecution) {
  const OnnxRun made =
      run(info("input", "x") + info("output", "y") + onnx_node("Neg", "a", "y") + onnx_node("Relu", "x", "a"), "");
  const std::string text = *onnx::model_to_text(made.bytes);
  EXPECT_LT(text.find("Relu"), text.find("Neg"));
}

TEST(ModelProto, CorruptModelsAreErrors) {
  const auto code = [](const std::string& graph) {
    DiagnosticList sink;
    const auto read = onnx::read_model_proto_bytes(bytes_of_model(graph), sink);
    return read ? "" : std::string(read.error().first().code);
  };
  EXPECT_EQ(code(onnx_node("Neg", "nobody", "y")), "MO-ONNX-0011");
  EXPECT_EQ(code(onnx_node("Neg", "", "y") + onnx_node("Relu", "", "y")), "MO-ONNX-0010");
  EXPECT_EQ(code(onnx_node("Neg", "", "")), "MO-ONNX-0065");
  EXPECT_EQ(code(onnx_node("Neg", "", "y", "attribute { name: 'a' i: 1 } attribute { name: 'a' i: 1 }")),
            "MO-ONNX-0020");
  DiagnosticList sink;
  EXPECT_EQ(onnx::read_model_proto_bytes("", sink).error().first().code, "MO-ONNX-0001");
}

TEST(ModelProto, GraphsThatNoModelCanExpressAreErrors) {
  const auto code_of = [](const auto& result) { return result ? "" : std::string(result.error().first().code); };
  OnnxRun made =
      run(info("input", "x") + info("output", "y") + initializer("w", {1}, {1}) + onnx_node("Add", "x w", "y"), "");
  Graph& graph = *made.result.graph;
  attributes_of(graph.find_node("y")).set("shape", PartialShape::of_rank(2));
  EXPECT_EQ(code_of(onnx::model_proto_bytes(graph)), "MO-ONNX-0061");
  attributes_of(graph.find_node("y")).erase("shape");
  attributes_of(graph.find_node("w")).erase("value");
  EXPECT_EQ(code_of(onnx::model_proto_bytes(graph)), "MO-ONNX-0061");
  graph.erase(graph.find_node("y"));
  graph.erase(graph.find_node("w"));
  EXPECT_EQ(code_of(onnx::model_proto_bytes(graph)), "MO-ONNX-0062");
  EXPECT_EQ(code_of(onnx::model_to_text("no model")), "MO-ONNX-0063");
  EXPECT_EQ(code_of(tools::format_of_graph(graph).put_function(graph, "f", "", {})), "MO-GTT-0054");
}

// -- transforms -------------------------------------------------------------------------------------------------------

TEST(OnnxTransforms, OnlyNodesThatOutputsNeedStay) {
  const std::string graph = info("input", "x") + info("input", "z") + info("output", "y") + info("output", "other") +
                            onnx_node("Relu", "x", "a") + onnx_node("Neg", "a", "y") + onnx_node("Neg", "z", "other");
  EXPECT_EQ(run(graph, "strip_unused_nodes").result.nodes_of("Relu|Neg"), "a = Relu(x)\ny = Neg(a)\nother = Neg(z)\n");
  const OnnxRun one = run(graph, "strip_unused_nodes", {{"x"}, {"y"}});
  EXPECT_EQ(one.result.nodes(), "x = Placeholder()\na = Relu(x)\ny = Neg(a)\n");
  EXPECT_EQ(onnx::model_to_text(one.bytes)->find("other"), std::string::npos);
  // A tensor in the middle becomes an input, an inner one an output.
  const OnnxRun middle = run(graph, "strip_unused_nodes(type=float, shape=\"2,-1\")", {{"a"}, {"y"}});
  EXPECT_EQ(middle.result.nodes(), "y = Neg(a)\na = Placeholder()\n");
  EXPECT_NE(onnx::model_to_text(middle.bytes)->find("dim_value: 2"), std::string::npos);
  EXPECT_EQ(onnx::model_outputs(*run(graph, "strip_unused_nodes", {{}, {"a"}}).result.graph),
            std::vector<std::string>{"a"});
  EXPECT_EQ(run(graph, "strip_unused_nodes", {{}, {"nobody"}}).result.error_code, "MO-ONNX-0064");
}

TEST(OnnxTransforms, ConstantsAndKnownShapesAreFolded) {
  const std::string graph = kImageInput + initializer("a", {1}, {2}) +
                            onnx_node("Constant", "", "b", "attribute { name: 'value_float' type: FLOAT f: 3 }") +
                            onnx_node("Mul", "a b", "ab") + onnx_node("Size", "x", "s") +
                            onnx_node("Cast", "s", "f", "attribute { name: 'to' type: INT i: 1 }") +
                            onnx_node("Mul", "x ab", "p") + onnx_node("Mul", "p f", "q") +
                            onnx_node("Clip", "q - ab", "y");
  const std::string nodes =
      same_numbers(graph, "fold_constants", "y", Tensor::of<float>({1, 1, 1, 2}, OnnxNumbers{.5F, 2}));
  EXPECT_EQ(nodes.find("Cast"), std::string::npos);
  EXPECT_EQ(nodes.find("Size"), std::string::npos);
  EXPECT_NE(nodes.find("y = Clip(q, ?, ab/_0__cf__0)"), std::string::npos) << nodes;
}

TEST(OnnxTransforms, QuantisedWeightsAreNotUnpacked) {
  const std::string graph = kImageInput + "initializer { name: 'q' data_type: 2 dims: 1 int32_data: 4 }" +
                            initializer("s", {}, {.5F}) + onnx_node("DequantizeLinear", "q s", "w") +
                            onnx_node("Mul", "x w", "y");
  EXPECT_EQ(run(graph, "fold_constants").result.count("DequantizeLinear"), 1U);
}

TEST(OnnxTransforms, EqualNodesBecomeOneUnlessTheyAreRandom) {
  const std::string graph = info("input", "x") + info("output", "y") + onnx_node("Relu", "x", "a") +
                            onnx_node("Relu", "x", "b") + onnx_node("RandomNormalLike", "x", "r") +
                            onnx_node("RandomNormalLike", "x", "t") + onnx_node("Own", "x", "u", "domain: 'mine'") +
                            onnx_node("Own", "x", "v", "domain: 'mine'") + onnx_node("Sum", "a b r t u v", "y");
  EXPECT_EQ(run(graph, "merge_duplicate_nodes").result.nodes_of("Sum"), "y = Sum(a, a, r, t, u, v)\n");
}

TEST(OnnxTransforms, NamesOperatorsAndAttributesAreChanged) {
  const std::string graph = info("input", "x") + info("output", "y") +
                            onnx_node("Identity", "x", "i", "name: 'node_i'") +
                            onnx_node("Elu", "i", "e", "name: 'node_e' attribute { name: 'alpha' type: FLOAT f: 2 }") +
                            onnx_node("Split", "e", "p q") + onnx_node("Add", "p q", "y");
  EXPECT_EQ(run(graph, "remove_nodes(op=Identity)").result.nodes_of("Elu"), "e = Elu(x)\n");
  const std::string renamed = *onnx::model_to_text(run(graph, "obfuscate_names").bytes);
  EXPECT_EQ(renamed.find("node_"), std::string::npos);
  EXPECT_NE(renamed.find("output: \"2:1\""), std::string::npos) << renamed;
  EXPECT_EQ(run(graph, "rename_node(old_node_name=e, new_node_name=elu)").result.nodes_of("Elu|Split"),
            "elu = Elu(i)\np = Split(elu)\n");
  const std::string changed =
      *onnx::model_to_text(run(graph,
                               "rename_op(old_op_name=Elu, new_op_name=my.domain.Elu) "
                               "rename_attribute(old_attribute_name=alpha, new_attribute_name=beta)")
                               .bytes);
  EXPECT_NE(changed.find("domain: \"my.domain\""), std::string::npos);
  EXPECT_NE(changed.find("name: \"beta\""), std::string::npos);
  EXPECT_EQ(onnx::model_to_text(run(graph, "remove_attribute(attribute_name=alpha)").bytes)->find("alpha"),
            std::string::npos);
}

TEST(OnnxTransforms, NamesOfTensorsMayHaveColons) {
  const std::string graph = info("input", "x:0") + info("output", "Identity:0") + onnx_node("Split", "x:0", "p:0 p:1") +
                            onnx_node("Add", "p:0 p:1", "s") + onnx_node("Relu", "s", "Identity:0");
  EXPECT_EQ(run(graph, "strip_unused_nodes obfuscate_names").result.nodes(),
            "x:0 = Placeholder()\n0 = Split(x:0)\n1 = Add(0, 0:1)\nIdentity:0 = Relu(1)\n");
  EXPECT_EQ(run(graph, "strip_unused_nodes", {{}, {"p:1"}}).result.nodes(), "x:0 = Placeholder()\np:0 = Split(x:0)\n");
  EXPECT_EQ(run(graph, "fold_constants", {{"x:0"}, {"Identity:0"}}).result.error_text, "");
}

TEST(OnnxTransforms, TensorsThatBranchesReadKeepTheirNames) {
  const std::string branch = "type: GRAPH g { name: 'b' " + onnx_node("Neg", "c", "n") + "output { name: 'n' } }";
  const std::string graph =
      info("input", "x") + info("input", "cond") + info("output", "y") + onnx_node("Relu", "x", "c") +
      onnx_node("Relu", "x", "d") +
      onnx_node("If", "cond", "y",
                "attribute { name: 'then_branch' " + branch + " } attribute { name: 'else_branch' " + branch + " }");
  const OnnxRun made = run(graph, "strip_unused_nodes obfuscate_names sort_by_execution_order merge_duplicate_nodes");
  EXPECT_EQ(made.result.nodes_of("Relu"), "c = Relu(x)\n");
  const std::string text = *onnx::model_to_text(made.bytes);
  EXPECT_LT(text.find("Relu"), text.find("If"));
}

TEST(OnnxTransforms, FactorsAreFoldedIntoWeightsAndBias) {
  const std::string factors = initializer("f", {2, 1, 1}, {10, 100});
  const std::string biased =
      initializer("w", {2, 1, 1, 1}, {2, 3}) + initializer("b", {2}, {1, -1}) + onnx_node("Conv", "x w b", "c");
  EXPECT_EQ(same_numbers(kImageInput + kTwoChannels + factors + onnx_node("Mul", "c f", "y"), "fold_batch_norms", "y",
                         kTwoPixels),
            "w = Const()\nx = Placeholder()\ny = Conv(x, w)\n");
  EXPECT_EQ(
      same_numbers(kImageInput + biased + factors + onnx_node("Mul", "f c", "y"), "fold_batch_norms", "y", kTwoPixels),
      "w = Const()\nb = Const()\nx = Placeholder()\ny = Conv(x, w, b)\n");
  const std::string transposed = initializer("w", {1, 2, 1, 1}, {2, 3}) + onnx_node("ConvTranspose", "x w", "c");
  EXPECT_EQ(same_numbers(kImageInput + transposed + factors + onnx_node("Mul", "c f", "y"), "fold_batch_norms", "y",
                         kTwoPixels),
            "w = Const()\nx = Placeholder()\ny = ConvTranspose(x, w)\n");
  const std::string rows = info("input", "x", dims({1, 2})) + info("output", "y") +
                           initializer("w", {2, 2}, {1, 2, 3, 4}) + initializer("f", {2}, {10, 100});
  const Tensor row = Tensor::of<float>({1, 2}, OnnxNumbers{1, 3});
  for (const std::string& layer :
       {onnx_node("MatMul", "x w", "c"), onnx_node("Gemm", "x w", "c", "attribute { name: 'transB' type: INT i: 1 }")})
    EXPECT_EQ(same_numbers(rows + layer + onnx_node("Mul", "c f", "y"), "fold_batch_norms", "y", row).find("= Mul("),
              std::string::npos);
}

TEST(OnnxTransforms, OtherFactorsStay) {
  const auto stays = [](const std::string& graph) {
    EXPECT_EQ(run(kImageInput + graph, "fold_batch_norms").result.count("Mul"), 1U);
  };
  stays(kTwoChannels + initializer("f", {1, 2}, {10, 100}) + onnx_node("Mul", "c f", "y"));  // along the width
  // gives a dimension more
  stays(kTwoChannels + initializer("f", {1, 1, 2, 1, 1}, {10, 100}) + onnx_node("Mul", "c f", "y"));
  stays(initializer("w", {1, 1, 1, 1}, {2}) +
        onnx_node("ConvTranspose", "x w", "c", "attribute { name: 'group' type: INT i: 2 }") +
        initializer("f", {1, 1, 1}, {10}) + onnx_node("Mul", "c f", "y"));
  stays(kTwoChannels + initializer("f", {2, 1, 1}, {10, 100}) + onnx_node("Mul", "c f", "m") +
        onnx_node("Add", "m c", "y"));
}

TEST(OnnxTransforms, BatchNormalisationIsFoldedIntoTheLayer) {
  const std::string statistics = initializer("scale", {2}, {2, 3}) + initializer("shift", {2}, {1, -1}) +
                                 initializer("mean", {2}, {.5F, 1}) + initializer("var", {2}, {4, 9});
  const std::string norm = onnx_node("BatchNormalization", "c scale shift mean var", "y",
                                     "attribute { name: 'epsilon' type: FLOAT f: 0.01 }");
  EXPECT_EQ(same_numbers(kImageInput + kTwoChannels + statistics + norm, "fold_old_batch_norms", "y", kTwoPixels),
            "w = Const()\nx = Placeholder()\ny = Conv(x, w, c_bias)\nc_bias = Const()\n");
  const std::string biased =
      initializer("w", {2, 1, 1, 1}, {2, 3}) + initializer("b", {2}, {1, -1}) + onnx_node("Conv", "x w b", "c");
  EXPECT_EQ(same_numbers(kImageInput + biased + statistics + norm, "fold_old_batch_norms", "y", kTwoPixels),
            "w = Const()\nb = Const()\nx = Placeholder()\ny = Conv(x, w, b)\n");
}

TEST(OnnxTransforms, WeightsTakeEightBits) {
  const std::string graph =
      kImageInput + initializer("w", {8, 1, 1, 1}, {1, 2, 3, 4, .1F, .2F, .3F, -.4F}) + onnx_node("Conv", "x w", "y");
  const OnnxRun made = run(graph, "quantize_weights(minimum_size=8)");
  EXPECT_EQ(made.result.nodes_of("Conv|DequantizeLinear"),
            "y = Conv(x, w)\nw = DequantizeLinear(w_quantized_const, w_quantized_scale, w_quantized_zero_point)\n");
  EXPECT_EQ(made.result.values<std::uint8_t>("w_quantized_zero_point"), std::vector<std::uint8_t>{23});
  EXPECT_THAT(numbers_of(made, "y", kTwoPixels),
              Pointwise(FloatNear(.05F), numbers_of(run(graph, ""), "y", kTwoPixels)));
  EXPECT_EQ(run(graph, "quantize_weights", {}, 9).result.error_code, "MO-GTT-0057");
}

TEST(OnnxTransforms, WeightsAreRounded) {
  OnnxNumbers many(16);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i);
  const OnnxRun made = run(kImageInput + initializer("w", {16, 1, 1, 1}, many) + onnx_node("Conv", "x w", "y"),
                           "round_weights(num_steps=2)");
  const OnnxNumbers rounded = made.result.floats("w");
  EXPECT_EQ(std::set<float>(rounded.begin(), rounded.end()).size(), 3U);
}

TEST(OnnxTransforms, LoggedTensorsAreOutputs) {
  const std::string graph = info("input", "x", dims({2})) + info("output", "y") + info("value_info", "a") +
                            onnx_node("Relu", "x", "a") + onnx_node("Split", "a", "p q") + onnx_node("Add", "p q", "y");
  EXPECT_EQ(onnx::model_outputs(*run(graph, "insert_logging").result.graph),
            (std::vector<std::string>{"y", "a", "p", "p:1"}));
  EXPECT_EQ(onnx::model_outputs(*run(graph, "insert_logging(op=Relu)").result.graph),
            (std::vector<std::string>{"y", "a"}));
}

TEST(OnnxTransforms, TensorsOfUnknownRankAreNotOutputs) {
  const std::string shape =
      "input { name: 's' type { tensor_type { elem_type: 7 shape { dim { dim_param: 'n' } } } } }\n";
  const OnnxRun made =
      run(info("input", "x") + shape + onnx_node("Relu", "x", "a") + onnx_node("Reshape", "a s", "r") +
              onnx_node("Neg", "r", "q") + onnx_node("Size", "q", "z") + onnx_node("Identity", "z", "y") +
              "output { name: 'y' type { tensor_type { elem_type: 7 shape { } } } }",
          "insert_logging");
  EXPECT_EQ(onnx::model_outputs(*made.result.graph), (std::vector<std::string>{"y", "a", "z"}));
  EXPECT_EQ(made.result.warnings, std::vector<std::string>{"MO-GTT-0073"});
}

TEST(OnnxTransforms, NewOutputsHaveTypes) {
  const OnnxRun made = run(kImageInput + kTwoChannels + onnx_node("Relu", "c", "y"), "insert_logging(op=Conv)");
  const auto text = onnx::model_proto_text(*made.result.graph);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("output {\n    name: \"c\"\n    type {\n      tensor_type {\n        elem_type: 1\n        "
                       "shape {\n          dim {\n         "
                       "   dim_value: 1\n"),
            std::string::npos)
      << *text;
}

TEST(OnnxTransforms, InitializersOfOldModelsAreInputs) {
  const auto inputs_of = [](const std::string& version, const std::string& declared) {
    const auto bytes =
        onnx::model_from_text("ir_version: " + version + " opset_import { version: 8 } graph { name: 'g' " +
                              info("input", "x", dims({1, 1, 1, 2})) + info("output", "y") + declared + kTwoChannels +
                              onnx_node("Relu", "c", "y") + " }");
    DiagnosticList sink;
    auto graph = onnx::read_model_proto_bytes(*bytes, sink);
    const Transformed changed = transformed_model(*std::move(graph), "obfuscate_names");
    const auto text = onnx::model_proto_text(*changed.graph);
    std::size_t count = 0;
    for (std::size_t at = text->find("input {"); at != std::string::npos; at = text->find("input {", at + 1)) ++count;
    return count;
  };
  const std::string weights = info("input", "w", dims({2, 1, 1, 1}));
  EXPECT_EQ(inputs_of("3", weights), 2U);
  EXPECT_EQ(inputs_of("3", ""), 1U);  // it was not as the format demands, and stays so
  EXPECT_EQ(inputs_of("4", weights), 1U);
}

// -- graphs inside of models ------------------------------------------------------------------------------------------

/// The model in text form when the transforms were applied to what is inside of it; or the code of the error.
std::string with_changed_inside(const std::string& model, const std::string& transforms) {
  const auto bytes = onnx::model_from_text(model);
  EXPECT_TRUE(bytes) << bytes.error().first().format();
  DiagnosticList sink;
  auto graph = onnx::read_model_proto_bytes(*bytes, sink);
  EXPECT_TRUE(graph) << graph.error().first().format();
  if (!graph) return {};
  const auto calls = parse_transforms(transforms);
  TransformRegistry registry;
  register_all(registry);
  const tools::ModelEvaluation evaluation(tools::format_of_graph(**graph));
  const auto done = onnx::edit_inner_graphs(**graph, [&](onnx::InnerGraph& inner) {
    return TransformRun(registry).run(inner.graph, *calls, {inner.inputs, inner.outputs, {}, &evaluation, &sink});
  });
  if (!done) return done.error().first().code;
  const auto text = onnx::model_proto_text(**graph);
  EXPECT_TRUE(text);
  return text ? *text : std::string();
}

/// If(c) with a branch in a branch: both read x of the model.
const std::string kNested =
    "ir_version: 8 opset_import { version: 13 } graph { name: 'g' " + info("input", "x", dims({2})) +
    info("output", "y") +
    "initializer { name: 'c' data_type: 9 int32_data: 1 } node { op_type: 'If' input: 'c' output: 'y' attribute { "
    "name: 'then_branch' type: GRAPH g "
    "{ name: 't' " +
    onnx_node("Identity", "x", "i") + onnx_node("Neg", "i", "n") +
    "node { op_type: 'If' input: 'c' output: 't_out' attribute { name: 'then_branch' type: GRAPH g { name: 'tt' " +
    onnx_node("Identity", "n", "j") + onnx_node("Abs", "j", "tt_out") +
    "output { name: 'tt_out' } } } attribute { name: 'else_branch' type: GRAPH g { name: 'te' " +
    onnx_node("Sqrt", "x", "te_out") +
    "output { name: 'te_out' } } } } output { name: 't_out' } } } attribute { name: 'else_branch' type: GRAPH g { "
    "name: 'e' " +
    onnx_node("Exp", "x", "e_out") + "output { name: 'e_out' } } } } }";

TEST(OnnxBodies, AreWrittenBackAndChanged) {
  const auto original = onnx::model_to_text(*onnx::model_from_text(kNested));
  ASSERT_TRUE(original);
  EXPECT_EQ(with_changed_inside(kNested, "remove_nodes(op=Nobody)"), *original);
  const std::string text = with_changed_inside(kNested, "remove_nodes(op=Identity)");
  EXPECT_EQ(text.find("Identity"), std::string::npos);
  EXPECT_NE(text.find("input: \"n\"\n                output: \"tt_out\"\n                op_type: \"Abs\""),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("input: \"x\"\n          output: \"n\"\n          op_type: \"Neg\""), std::string::npos) << text;
}

TEST(OnnxBodies, GetNoOutputs) {
  EXPECT_EQ(with_changed_inside(kNested, "insert_logging(op=Neg)"),
            *onnx::model_to_text(*onnx::model_from_text(kNested)));
}

TEST(OnnxBodies, NamesCreatedInsideAreUnique) {
  const std::string text = with_changed_inside(kNested, "obfuscate_names");
  EXPECT_NE(text.find("output: \"n\""), std::string::npos);  // the inner branch reads it
  EXPECT_NE(text.find("output: \"inner0/0\""), std::string::npos) << text;
  EXPECT_NE(text.find("output: \"inner2/0\""), std::string::npos) << text;
  EXPECT_NE(text.find("output: \"tt_out\""), std::string::npos);
}

TEST(OnnxBodies, LocalFunctionsHaveConstantsAsNodes) {
  const std::string model =
      "ir_version: 8 opset_import { version: 13 } opset_import { domain: 'd' version: 1 } graph { name: 'g' " +
      info("input", "x", dims({1})) + info("output", "y") +
      "node { op_type: 'F' domain: 'd' input: 'x' output: 'y' } } functions { name: 'F' domain: 'd' input: 'a' output: "
      "'b' opset_import { version: "
      "13 } "
      "node { op_type: 'Constant' output: 'k' attribute { name: 'value' type: TENSOR t { dims: 1 data_type: 1 "
      "float_data: 2 } } } " +
      onnx_node("Neg", "k", "m") + onnx_node("Identity", "a", "i") + onnx_node("Add", "i m", "b") +
      " doc_string: 'text' }";
  const auto original = onnx::model_to_text(*onnx::model_from_text(model));
  EXPECT_EQ(with_changed_inside(model, "remove_nodes(op=Nobody)"), *original);
  const std::string text = with_changed_inside(model, "fold_constants remove_nodes(op=Identity)");
  EXPECT_EQ(text.find("op_type: \"Neg\""), std::string::npos) << text;
  EXPECT_NE(text.find("op_type: \"Constant\""), std::string::npos);
  EXPECT_NE(text.find("input: \"a\"\n    input: \"m/_0__cf__0\"\n    output: \"b\""), std::string::npos) << text;
  EXPECT_EQ(text.find("initializer"), std::string::npos);
}

TEST(OnnxTransforms, TransformsOfTensorFlowAreRefused) {
  const OnnxRun made = run(kImageInput + kTwoChannels + onnx_node("Relu", "c", "y"), "quantize_nodes");
  EXPECT_EQ(made.result.error_code, "MO-GTT-0055");
  EXPECT_EQ(
      run(kImageInput + onnx_node("Neg", "x", "y"), "strip_unused_nodes rename_node(old_node_name=y, new_node_name=z)")
          .result.error_code,
      "MO-GTT-0007");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
