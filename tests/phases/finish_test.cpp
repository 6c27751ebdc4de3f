#include "phases/back/finish.hpp"

#include "core/tensor/convert.hpp"
#include "ops/convert.hpp"
#include "ops/custom_operation.hpp"
#include "phases/front/extraction.hpp"
#include "phases/partial_inference/partial_inference.hpp"
#include "tests/phases/support.hpp"

namespace mo::phases {
namespace {

const OperatorTable kNoOperators;

using test::parse;
using test::run;

TEST(CompressToFp16, Version11PutsAConvertAfterTheConstant) {
  const auto graph = parse(
      R"(graph(%x: f32[2]) { %w = Const {value=[1.5, 100000]:f32} "w" @["w"] %y = Add(%x, %w) %s = ShapeOf(%x) return %y, %s })",
      true);
  const auto done = run(compress_to_fp16(), *graph, {.ir_version = 11, .compress_to_fp16 = true});
  ASSERT_EQ(done.code, "");
  const Node convert = graph->find_node("w");
  ASSERT_TRUE(convert && convert.is<ops::Convert>());
  ASSERT_NE(convert.rt_info(), nullptr);
  EXPECT_TRUE(convert.rt_info()->contains("decompression"));
  EXPECT_EQ(*to_reals(convert.input(0).node().as<Const>()->value), (std::vector<double>{1.5, 65504})) << "clipped";
  ASSERT_EQ(done.diagnostics.size(), 1U);
  EXPECT_EQ(done.diagnostics.front().code, "MO-HALF-0001");
  EXPECT_NE(done.diagnostics.front().message.find("1 of 2"), std::string::npos);
}

TEST(CompressToFp16, Version10ComputesInF16ButKeepsShapes) {
  const auto graph = parse(
      R"(graph(%x: f32[2]) { %y = Add(%x, 1e-10) %z = Interpolate.v4(%y, [4]:i64, [2.0]:f32, [0]:i64) {shape_calculation_mode="scales"} return %z })",
      true);
  const auto done = run(compress_to_fp16(), *graph, {.ir_version = 10, .compress_to_fp16 = true});
  ASSERT_EQ(done.code, "");
  EXPECT_EQ(graph->parameters()[0].as<Parameter>()->element_type, ElementType::f16);
  ASSERT_EQ(done.diagnostics.size(), 1U);
  EXPECT_EQ(done.diagnostics.front().code, "MO-HALF-0002");
  const std::string text = to_text(*graph);
  EXPECT_NE(text.find("[2]:f32"), std::string::npos) << "scales stay f32\n" << text;
  ASSERT_EQ(run(final_inference(), *graph).code, "");
  EXPECT_EQ(graph->results()[0].input_type(0).to_string(), "f16[4]");
}

TEST(CompressToFp16, WarnsOfNumbersThatVanishWhereItMatters) {
  const auto codes = [](std::string_view graph_text) {
    const auto graph = parse(graph_text, true);
    std::string found;
    for (const Diagnostic& warned : run(compress_to_fp16(), *graph, {.compress_to_fp16 = true}).diagnostics)
      found += warned.code;
    return found;
  };
  EXPECT_EQ(codes("graph(%x: f32[2]) { %y = Multiply(%x, [0.1, 1e-10]:f32) return %y }"), "");
  EXPECT_EQ(codes("graph(%x: f32[2]) { %y = Multiply(%x, [6e-5, 1e-10]:f32) return %y }"), "MO-HALF-0002");
  EXPECT_EQ(codes("graph(%x: f32[2]) { %y = Divide([0.1, 1e-10]:f32, %x) return %y }"), "");
  EXPECT_EQ(codes("graph(%x: f32[2]) { %y = Divide(%x, [0.1, 1e-10]:f32) return %y }"), "MO-HALF-0002");
  EXPECT_EQ(codes("graph(%x: f32[2]) { %y = Power([0.1, 1e-10]:f32, %x) return %y }"), "MO-HALF-0002");
}

TEST(FinalInference, AlignsTypesWithAConvert) {
  const auto graph = parse("graph(%x: f16[2], %y: f32[2]) { %z = Add(%x, %y) return %z }");
  ASSERT_EQ(run(final_inference(), *graph).code, "");
  EXPECT_EQ(graph->results()[0].input_type(0).to_string(), "f16[2]");
}

/// Types that f16 constants leave mixed in the branches of an If.
TEST(FinalInference, AlignsTypesInsideOfBodies) {
  const auto graph = parse(R"(graph(%c: boolean[], %x: f16[2], %z: f32[2]) {
    %y = If(%c, %x, %z) {then_body=graph(%a: f16[2], %b: f32[2]) {
      %s = Add(%a, %b)
      return %s
    }, else_body=graph(%a: f16[2], %b: f32[2]) {
      %s = Multiply(%a, %b)
      return %s
    }, then_input_map=[{input=1, parameter=0}, {input=2, parameter=1}], then_output_map=[{output=0, result=0}],
      else_input_map=[{input=1, parameter=0}, {input=2, parameter=1}], else_output_map=[{output=0, result=0}]}
    return %y
  })");
  ASSERT_EQ(run(final_inference(), *graph).code, "");
  EXPECT_EQ(graph->results().front().input_type(0).to_string(), "f16[2]");
}

TEST(CheckTarget, Version10RefusesNewOpsAndDynamicShapes) {
  const Settings old{.ir_version = 10};
  const auto newer = parse("graph(%x: f32[2]) { %y = SoftSign(%x) return %y }", true);
  EXPECT_EQ(run(check_target(), *newer, old).code, "MO-BACK-0001");
  EXPECT_EQ(run(check_target(), *newer, {.ir_version = 11}).code, "");
  const auto next = parse("graph(%x: f32[2]) { %y = SoftMax.v8(%x) {axis=0} return %y }", true);
  EXPECT_EQ(run(check_target(), *next, old).code, "MO-BACK-0001") << "op set 8 is the first that is too new";
  const auto dynamic = parse("graph(%x: f32[?]) { %y = ReLU(%x) return %y }", true);
  EXPECT_EQ(run(check_target(), *dynamic, old).code, "MO-BACK-0002");
  const auto empty = parse("graph(%x: f32[0,3]) { %y = Exp(%x) return %y }", true);
  EXPECT_EQ(run(check_target(), *empty, old).code, "MO-BACK-0004");
  EXPECT_EQ(run(check_target(), *empty, {.ir_version = 11}).code, "");
  const auto untyped = parse(R"(graph(%x: dynamic[2]) { %y = ReLU(%x) return %y })", true);
  EXPECT_EQ(run(check_target(), *untyped).code, "MO-BACK-0003");
}

TEST(CheckTarget, StringsCameWith2023_3) {
  const auto strings = parse("graph(%x: string[2], %z: string[2]) { %y = Equal(%x, %z) return %y }", true);
  EXPECT_EQ(run(check_target(), *strings, {.release = "2022.3"}).code, "MO-BACK-0008");
  EXPECT_EQ(run(check_target(), *strings, {.release = "2023.3"}).code, "");
}

TEST(CheckTarget, DynamicShapesAreOneMessageForEachCause) {
  const Settings old{.ir_version = 10};
  const auto chain = parse(
      R"(graph(%x: f32[?,3] "data", %z: f32[3] "other") { %a = ReLU(%x) %b = Exp(%a) %c = Add(%b, %z) return %c })",
      true);
  const auto of_input = run(check_target(), *chain, old);
  EXPECT_NE(of_input.text.find("4 tensors have no static shape because of input 'data' [?"), std::string::npos)
      << of_input.text;
  EXPECT_EQ(of_input.text.find("MO-BACK-0002", of_input.text.find("MO-BACK-0002") + 1), std::string::npos)
      << "one cause\n"
      << of_input.text;
  const auto values =
      parse(R"(graph(%x: f32[4] "data") { %n = NonZero(%x) {output_type=i64} "where" %m = Abs(%n) return %m })", true);
  const auto of_node = run(check_target(), *values, old);
  EXPECT_NE(of_node.text.find("'where'"), std::string::npos) << of_node.text;
  EXPECT_EQ(of_node.text.find("Abs"), std::string::npos) << of_node.text;
}

TEST(CheckTarget, ARuntimeLayerOfUnknownShapeGetsAHintWhereToDeclareIt) {
  for (const auto& [framework, words] : {std::pair{"Caffe", "outputShape=\"input\""}, {"ONNX", "--custom_ops"}}) {
    const auto graph = parse(R"(graph(%x: f32[2,3] "data") { return %x })", true);
    const Node layer =
        graph->create_node(ops::custom_operation({.type = "My"}), {graph->parameters()[0].output()}, 1, "layer");
    layer.set_origin({.framework = framework, .op = "My"});
    layer.output().data().set_type({ElementType::f32, PartialShape()});
    ASSERT_TRUE(graph->results()[0].in_port(0).connect(layer.output()));
    const auto told = run(check_target(), *graph, {.ir_version = 10});
    EXPECT_EQ(told.code, "MO-BACK-0002");
    EXPECT_NE(told.text.find(words), std::string::npos) << told.text;
  }
}

TEST(CheckTarget, NoOpThatServesMoItselfIsWritten) {
  const auto graph =
      parse(R"(graph(%x: f32[2] "data") { %l = ScalarLike(%x) {value=2} %y = Multiply(%x, %l) return %y })", true);
  EXPECT_EQ(run(check_target(), *graph).code, "MO-BACK-0011");
}

TEST(CheckTarget, NamesTheRuntimeThatTheIrNeeds) {
  const auto newer = parse("graph(%x: f32[2]) { %y = SoftSign(%x) \"soft\" return %y }", true);
  const auto told = run(check_target(), *newer);
  EXPECT_EQ(told.code, "");
  ASSERT_EQ(told.diagnostics.size(), 1U);
  EXPECT_EQ(told.diagnostics.front().code, "MO-BACK-0005");
  EXPECT_NE(told.diagnostics.front().message.find("2022.2"), std::string::npos) << told.diagnostics.front().message;
  EXPECT_NE(told.diagnostics.front().message.find("SoftSign"), std::string::npos);
  EXPECT_EQ(told.diagnostics.front().severity, Severity::note);
  const auto older = parse("graph(%x: f32[2]) { %y = ReLU(%x) return %y }", true);
  EXPECT_TRUE(run(check_target(), *older).diagnostics.empty());
  EXPECT_EQ(run(check_target(), *newer, {.op_set = 8, .op_set_is_fixed = true}).code, "MO-BACK-0001");
  EXPECT_EQ(run(check_target(), *newer, {.op_set = 9, .op_set_is_fixed = true}).code, "");
  const auto late = parse("graph(%x: f32[2]) { %y = FakeConvert(%x, 1:f32) return %y }", true);
  const Settings before{.op_set = 13, .op_set_is_fixed = true, .release = "2023.2"};
  EXPECT_EQ(run(check_target(), *late, before).code, "MO-BACK-0001") << "the op came after its op set";
  EXPECT_NE(run(check_target(), *late, {}).diagnostics.front().message.find("2023.3"), std::string::npos);
}

TEST(UniqueNames, KeepsGivenNamesAndCreatesTheRest) {
  const auto graph =
      parse(R"(graph(%x: f32[2] "a") { %y = ReLU(%x) "b" %z = Abs(%y) "b" %w = Abs(%z) return %w })", true);
  for (const Node node : graph->nodes())
    if (node.name().empty() && node.is("Abs")) node.add_source("conv");
  ASSERT_TRUE(run(unique_names(), *graph).changed);
  for (const char* name : {"a", "b", "b_1", "conv/Abs"})
    EXPECT_TRUE(graph->find_node(name)) << name << "\n" << to_text(*graph);
  EXPECT_FALSE(run(unique_names(), *graph).changed);
}

TEST(Folding, KeepsShapeComputationsUnlessStaticShapesAreAskedFor) {
  constexpr std::string_view kModel =
      "graph(%x: f32[2,3]) { %s = ShapeOf(%x) %c = Add([1, 1]:i64, [2, 2]:i64) %y = Add(%s, %c) return %y }";
  const auto kept = parse(kModel);
  ASSERT_EQ(run(partial_inference(kNoOperators, "none"), *kept).code, "");
  const Node result = kept->results()[0];
  EXPECT_FALSE(result.input(0).node().is<Const>());
  ASSERT_NE(result.input(0).data().value(), nullptr) << "the value is known all the same";
  EXPECT_EQ(*to_integers(*result.input(0).data().value()), (std::vector<std::int64_t>{5, 6}));
  EXPECT_TRUE(result.input(0).node().input(1).node().is<Const>()) << "constants are folded";
  const auto folded = parse(kModel);
  ASSERT_EQ(run(partial_inference(kNoOperators, "none"), *folded, {.static_shape = true}).code, "");
  EXPECT_TRUE(folded->results()[0].input(0).node().is<Const>());
}

TEST(Folding, LargeResultsAreRecipesAndHugeOnesStayOps) {
  const auto graph = parse(
      "graph(%x: f32[1]) { %w = Broadcast(1.0:f32, [100000]:i64) %h = Broadcast(1.0:f32, [1000000, 1000000]:i64) "
      "return %w, %h }");
  ASSERT_EQ(run(partial_inference(kNoOperators, "none"), *graph).code, "");
  const auto* constant = graph->results()[0].input(0).node().as<Const>();
  ASSERT_NE(constant, nullptr);
  EXPECT_FALSE(constant->value.in_memory());
  EXPECT_EQ(constant->value.load()->values<float>()[99999], 1.0F);
  EXPECT_FALSE(graph->results()[1].input(0).node().is<Const>()) << "four terabytes";
}

TEST(Extraction, NodesThatAreTranslatedLaterGetOutputsWithoutReaders) {
  OperatorTable table;
  table.translate(
      "Pair", [](const FrameworkNode& node, Rewriter&) -> Replacement { return node.input(0); }, outputs(2));
  const auto failures = std::make_shared<ExtractionFailures>();
  const auto graph = parse("graph(%x: f32[1]) { %y = \"f::Pair\"(%x) return %y }");
  ASSERT_TRUE(run(extraction(table, "f", failures), *graph).changed);
  EXPECT_EQ(graph->results()[0].input(0).node().out_port_count(), 2U);
  EXPECT_FALSE(run(extraction(table, "f", failures), *graph).changed);
  ASSERT_EQ(run(partial_inference(table, "f"), *graph).code, "");
  EXPECT_EQ(graph->results()[0].input(0).node(), graph->parameters()[0]);
}

TEST(Extraction, FailuresAreReportedOnlyForNodesThatStay) {
  OperatorTable table;
  table.extract("Good", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return Op("Fine", {{"axis", node.required<std::int64_t>("axis")}});
  });
  const auto failures = std::make_shared<ExtractionFailures>();
  const auto graph = parse(R"(graph(%x: f32[2]) {
    %a = "onnx::Good"(%x) {@opset=1} "missing"
    %b = "onnx::Good"(%a) {@opset=1, axis="no"} "kind"
    %c = "onnx::Bad"(%b) {@opset=1} "bad1"
    %d = "onnx::Bad"(%c) {@opset=1} "bad2"
    %e = "onnx::Good"(%d) {@opset=0, axis=1} "old"
    return %e
  })");
  ASSERT_EQ(run(extraction(table, "onnx", failures), *graph).code, "");
  const auto report = run(report_unsupported(table, "onnx", failures), *graph);
  EXPECT_NE(report.text.find("MO-FRONT-0004"), std::string::npos) << report.text;
  EXPECT_NE(report.text.find("MO-FRONT-0003"), std::string::npos);
  EXPECT_NE(report.text.find("MO-FRONT-0001: op Bad is not supported: 2 nodes: 'bad1', 'bad2'"), std::string::npos)
      << report.text;
  EXPECT_NE(report.text.find(R"({"framework": "onnx", "op": "Bad", "outputs": ["in0"]})"), std::string::npos)
      << report.text;
  EXPECT_NE(report.text.find("MO-FRONT-0002: op Good is not supported in version 0"), std::string::npos) << report.text;
}

TEST(Extraction, UnsupportedOpsComeWithAWayAroundThem) {
  const OperatorTable table;
  const auto failures = std::make_shared<ExtractionFailures>();
  const auto graph = parse(R"(graph(%x: f32[2] "x") {
    %a = Exp(%x) "a" @["ta"]
    %b, %c = "com.acme::Two"(%a) {@opset=1, alpha=0.5, mode="m"} "two"
    %d = Abs(%b) "d"
    return %d, %c
  })");
  const auto onnx = run(report_unsupported(table, "onnx", failures), *graph);
  EXPECT_NE(onnx.text.find(R"({"framework": "onnx", "domain": "com.acme", "op": "Two", "outputs": ["in0", "in0"]})"),
            std::string::npos)
      << onnx.text;
  EXPECT_NE(onnx.text.find("alpha, mode"), std::string::npos) << onnx.text;
  EXPECT_NE(onnx.text.find("--output ta"), std::string::npos) << onnx.text;
  const auto net = parse(R"(graph(%x: f32[2] "x") { %y = "caffe::Fancy"(%x) "f" return %y })");
  ASSERT_TRUE(net->find_node("f").set_attr("fancy_param.alpha", 1));
  const auto caffe = run(report_unsupported(table, "caffe", failures), *net);
  EXPECT_NE(
      caffe.text.find(
          R"(<CustomLayer NativeType="Fancy" hasParam="true" protoParamName="fancy_param" outputShape="input"/>)"),
      std::string::npos)
      << caffe.text;
  EXPECT_EQ(caffe.text.find("--output"), caffe.text.rfind("--output")) << "nothing but the input lies before it\n"
                                                                       << caffe.text;
}

TEST(PartialInference, CollectsTheErrorsOfAllNodesThatItCanLookAt) {
  OperatorTable table;
  table.translate("Nothing", [](const FrameworkNode&, Rewriter&) -> Replacement { return Outputs(); });
  table.translate("Slip", [](const FrameworkNode& node, Rewriter&) -> Replacement {
    return node.node().out_port(4).get_destinations().front().get_source();
  });
  table.translate("Cast", [](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    return rw.create(ops::Convert{.destination_type = ElementType::i32}, node.input(0));
  });
  const auto graph = parse(R"(graph(%x: f32[2]) {
    %a = "onnx::Nothing"(%x) "a"
    %b = "onnx::Cast"(%a) "reads a"
    %c = "onnx::Slip"(%x) "c"
    %d = "onnx::Cast"(%x) "d"
    return %b, %c, %d
  })");
  const auto report = run(partial_inference(table, "onnx"), *graph);
  EXPECT_NE(report.text.find("MO-FRONT-0007"), std::string::npos) << report.text;
  EXPECT_NE(report.text.find("MO-PASS-0030"), std::string::npos) << report.text;
  EXPECT_NE(report.text.find("output port 4 was used, but the node has 1"), std::string::npos) << report.text;
  EXPECT_EQ(report.text.find("reads a"), std::string::npos) << "nothing can be said of what reads a node that failed\n"
                                                            << report.text;
  EXPECT_EQ(graph->find_node("d").type(), "Convert");
}

TEST(PartialInference, AttributesThatNoTranslatorKnowsAreListedWithAllTheirNodes) {
  OperatorTable table;
  table.translate("Same", [](const FrameworkNode& node, Rewriter&) -> Replacement { return node.input(0); });
  table.translate("com.acme::Other", [](const FrameworkNode& node, Rewriter&) -> Replacement { return node.input(0); });
  const auto graph = parse(R"(graph(%x: f32[2]) {
    %a = "onnx::Same"(%x) {@opset=1, extra=1} "a"
    %b = "onnx::Same"(%a) {@opset=1, extra=2, mode="m"} "b"
    %c = "com.acme::Other"(%b) {@opset=1, extra=3} "c"
    return %c
  })");
  const auto done = run(partial_inference(table, "onnx"), *graph);
  EXPECT_NE(
      done.text.find(
          "MO-FRONT-0005: attribute extra (1) of op Same is not known and may change the result: 2 nodes: 'a', 'b'"),
      std::string::npos)
      << done.text;
  EXPECT_NE(done.text.find("attribute mode (\"m\") of op Same is not known and may change the result: 1 node: 'b'"),
            std::string::npos)
      << done.text;
  EXPECT_NE(done.text.find("--ignore_attribute com.acme::Other.extra"), std::string::npos) << done.text;
}

TEST(PartialInference, AttributesThatTheUserIgnoresPassByOperatorAndName) {
  OperatorTable table;
  table.translate("Same", [](const FrameworkNode& node, Rewriter&) -> Replacement { return node.input(0); });
  const auto graph = parse(R"(graph(%x: f32[2]) { %a = "onnx::Same"(%x) {@opset=1, extra=1} "a" return %a })");
  const auto ignored = std::make_shared<IgnoredAttributes>(std::vector<std::string>{"Same.extra", "Other.extra"});
  const auto done = run(partial_inference(table, "onnx", ignored), *graph);
  ASSERT_EQ(done.code, "") << done.text;
  ASSERT_EQ(done.diagnostics.size(), 1U);
  EXPECT_EQ(done.diagnostics.front().code, "MO-CLI-0034");
  EXPECT_NE(done.diagnostics.front().message.find("Other.extra"), std::string::npos) << "an entry without a node";
}

TEST(PartialInference, AnUnreadInputIsAnError) {
  OperatorTable table;
  table.translate("First", [](const FrameworkNode& node, Rewriter&) -> Replacement { return node.input(0); });
  table.translate("Known", [](const FrameworkNode& node, Rewriter&) -> Replacement {
    node.ignore_input(1, "a test");
    return node.input(0);
  });
  const auto graph = parse(R"(graph(%x: f32[2]) {
    %a = "onnx::First"(%x, %x) {@opset=1} "a"
    %b = "onnx::Known"(%x, %x) {@opset=1} "b"
    return %a, %b
  })");
  const auto done = run(partial_inference(table, "onnx"), *graph);
  EXPECT_EQ(done.code, "MO-FRONT-0021");
  EXPECT_NE(done.text.find("'a'"), std::string::npos) << done.text;
  EXPECT_EQ(done.text.find("'b'"), std::string::npos) << done.text;
}

TEST(PartialInference, ControlEdgesAreDropped) {
  const auto graph = parse(R"(graph(%x: f32[2]) { %a = ReLU(%x) "a" %b = Abs(%x) "b" return %a, %b })");
  graph->find_node("b").add_control_input(graph->find_node("a"));
  ASSERT_EQ(run(partial_inference(kNoOperators, "tf"), *graph).code, "");
  EXPECT_TRUE(graph->find_node("b").control_inputs().empty());
}

TEST(Extraction, UnknownAttributesAreErrorsOfNodesThatStay) {
  OperatorTable table;
  table.before_each([](const FrameworkNode& node) {
    node.ignore_if([](const std::string& name, const AttributeValue&) { return name.starts_with('_'); }, "a note");
  });
  table.extract("Good", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"hint"}, "a test");
    return Op("Fine", {});
  });
  const auto graph = parse(R"(graph(%x: f32[2]) {
    %a = "onnx::Good"(%x) {@opset=1, extra=1} "a"
    %b = "onnx::Good"(%a) {@opset=1, extra=1, hint=1, _note=1} "b"
    return %a, %b
  })");
  const auto failures = std::make_shared<ExtractionFailures>();
  const auto ignored = std::make_shared<IgnoredAttributes>();
  ASSERT_EQ(run(extraction(table, "onnx", failures, ignored), *graph).code, "");
  EXPECT_EQ(graph->find_node("a").type(), "onnx::Good") << "a replacer that knows the attribute may still take it";
  const auto refused = run(report_unsupported(table, "onnx", failures), *graph);
  EXPECT_NE(
      refused.text.find(
          "MO-FRONT-0005: attribute extra (1) of op Good is not known and may change the result: 2 nodes: 'a', 'b'"),
      std::string::npos)
      << refused.text;
  EXPECT_EQ(refused.text.find("attribute hint"), std::string::npos) << refused.text;
  EXPECT_EQ(refused.text.find("_note"), std::string::npos) << refused.text;
  const auto passing = std::make_shared<IgnoredAttributes>(std::vector<std::string>{"Good.extra"});
  ASSERT_TRUE(run(extraction(table, "onnx", failures, passing), *graph).changed);
  EXPECT_EQ(graph->find_node("b").type(), "Fine");
}

TEST(Extraction, AttributesOfStructuresThatAreTakenApartAreErrorsAsWell) {
  OperatorTable table;
  table.take_apart("Part", {"known"},
                   [](const FrameworkNode& node, Rewriter&) -> Replacement { return node.input(0); });
  const auto graph = parse(R"(graph(%x: f32[2]) { %a = "onnx::Part"(%x) {@opset=1, known=1, extra=1} "a" return %a })");
  const auto failures = std::make_shared<ExtractionFailures>();
  ASSERT_EQ(run(structure_attributes(table, "onnx", failures, {}), *graph).code, "");
  const auto refused = run(report_unsupported(table, "onnx", failures), *graph);
  EXPECT_EQ(refused.code, "MO-FRONT-0005");
  EXPECT_EQ(refused.text.find("known ("), std::string::npos) << refused.text;
}

TEST(Extractors, OverlappingVersionsAreAProblem) {
  OperatorTable table;
  const Extractor nothing = [](const FrameworkNode&) -> Expected<Op> { return Op("X", {}); };
  table.extract("A", versions(1, 12), nothing);
  table.extract("A", since(13), nothing);
  EXPECT_TRUE(table.problems().empty());
  table.extract("A", since(5), nothing);
  ASSERT_EQ(table.problems().size(), 1U);
  EXPECT_EQ(table.problems().front().code, "MO-CORE-0021");
  EXPECT_EQ(table.find("A", 12)->versions.last, 12);
  EXPECT_EQ(table.find("A", 0), nullptr);
}

}  // namespace
}  // namespace mo::phases
