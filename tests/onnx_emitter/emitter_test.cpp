#include "onnx_emitter/emitter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "onnx_emitter/translator.hpp"
#include "ops/elementwise_unary.hpp"
#include "tests/onnx_emitter/model_text.hpp"

namespace mo::onnx_emitter {
namespace {

TEST(OnnxEmitter, NamesAndTypesOfTheModelAreKept) {
  const std::string model = model_of(R"(graph(%x: f32[?,3] "image" @["image"]) {
    %y = ReLU(%x) "relu" @["features"]
    return %y
  })");
  EXPECT_TRUE(has(model, "name: \"image\"")) << model;
  EXPECT_TRUE(has(model, "op_type: \"Relu\"")) << model;
  EXPECT_TRUE(has(model, "output: \"features\"")) << model;
  EXPECT_TRUE(has(model, "dim_value: 3")) << model;
}

TEST(OnnxEmitter, OutputsThatNoNodeGivesGetOne) {
  const std::string model = model_of(R"(graph(%x: f32[2] "x") {
    %y = ReLU(%x) "y"
    return %x, %y, %y
  })");
  std::size_t identities = 0;
  for (std::size_t at = model.find("\"Identity\""); at != std::string::npos; at = model.find("\"Identity\"", at + 1))
    ++identities;
  EXPECT_EQ(identities, 2U) << model;
}

TEST(OnnxEmitter, AnInputThatIsAnOutputKeepsItsName) {
  const auto names_of = [](const char* text) {
    const auto graph = graph_of(text);
    const auto made = to_onnx(*graph);
    std::vector<std::string_view> names;
    for (const Node& parameter : made->graph->parameters())
      names.push_back(parameter.output().data().first_tensor_name());
    for (const Node& result : made->graph->results()) names.push_back(result.input(0).data().first_tensor_name());
    return fmt::format("{}", fmt::join(names, " "));
  };
  EXPECT_EQ(names_of(R"(graph(%x: f32[2] "x" @["x", "copy"]) { return %x "copy/out" })"), "x copy");
  EXPECT_EQ(names_of(R"(graph(%x: f32[2] "x" @["x"]) { return %x "x/out" })"), "x x/out");
  EXPECT_EQ(names_of(R"(graph(%x: f32[2] "x" @["x", "key", "output_1"]) { return %x "output_1" })"), "x output_1");
  EXPECT_EQ(names_of(R"(graph(%x: f32[2] "x") {
    %y = ReLU(%x) "y" @["y", "again"]
    return %y "first", %y "second", %y "third"
  })"),
            "x y again third");
}

TEST(OnnxEmitter, AxesAreAttributesOrInputsOfTheOpSet) {
  const char* const graph = R"(graph(%x: f32[2,3]) {
    %y = ReduceMean(%x, [1]:i64) {keep_dims=true}
    return %y
  })";
  EXPECT_TRUE(has(model_of(graph, 17), "name: \"axes\"")) << model_of(graph, 17);
  EXPECT_FALSE(has(model_of(graph, 18), "name: \"axes\"")) << model_of(graph, 18);
}

TEST(OnnxEmitter, TransposesThatFollowOneAnotherAreOneOrNone) {
  const std::string none = model_of(R"(graph(%x: f32[2,3,4]) {
    %a = Transpose(%x, [2, 0, 1]:i64)
    %b = Transpose(%a, [1, 2, 0]:i64)
    %y = ReLU(%b)
    return %y
  })");
  EXPECT_FALSE(has(none, "Transpose")) << none;
  const std::string one = model_of(R"(graph(%x: f32[2,3,4]) {
    %a = Transpose(%x, [2, 0, 1]:i64)
    %y = Transpose(%a, [2, 1, 0]:i64)
    return %y
  })");
  // [4,2,3] of the first one, [3,2,4] of both
  EXPECT_EQ(one.find("\"Transpose\""), one.rfind("\"Transpose\"")) << one;
  EXPECT_LT(one.find("ints: 1"), one.find("ints: 0")) << one;
  EXPECT_LT(one.find("ints: 0"), one.find("ints: 2")) << one;
}

TEST(OnnxEmitter, CastsToAWiderTypeAndBackAreNone) {
  const auto converted = [](const char* first, const char* second) {
    return model_of(fmt::format(R"(graph(%x: {0}[2]) {{
      %a = Convert(%x) {{destination_type={1}}}
      %b = Convert(%a) {{destination_type={0}}}
      %y = Sign(%b)
      return %y
    }})",
                                first, second));
  };
  for (const auto& [first, second] : {std::pair("f32", "f64"), std::pair("i32", "i64"), std::pair("u8", "f32")})
    EXPECT_FALSE(has(converted(first, second), "Cast")) << converted(first, second);
  for (const auto& [first, second] : {std::pair("f32", "f16"), std::pair("f32", "i32"), std::pair("f64", "f32")})
    EXPECT_TRUE(has(converted(first, second), "Cast")) << converted(first, second);
}

TEST(OnnxEmitter, TheLowestVersionOfTheFormatIsWritten) {
  EXPECT_EQ(format_version_of(11), 6);
  EXPECT_EQ(format_version_of(13), 7);
  EXPECT_EQ(format_version_of(17), 8);
  EXPECT_EQ(format_version_of(20), 9);
  EXPECT_EQ(format_version_of(21), 10);
  EXPECT_TRUE(has(model_of("graph(%x: f32[2]) {\n  %y = Exp(%x)\n  return %y\n}", 13), "ir_version: 7"));
}

TEST(OnnxEmitter, AllRefusalsComeAtOnce) {
  const auto graph = graph_of(R"(graph(%x: f32[2,3,4,4], %u: f32[...], %o: i64[4]) {
    %a = Transpose(%u, %o) "turned"
    %b = Pad(%x, %o, %o) {pad_mode="symmetric"} "mirrored"
    return %a, %b
  })");
  ASSERT_TRUE(graph);
  const auto made = to_onnx(*graph);
  ASSERT_FALSE(made);
  std::vector<std::string> codes;
  for (const Diagnostic& refused : made.error().items()) codes.push_back(refused.code);
  EXPECT_EQ(codes, (std::vector<std::string>{"MO-EMIT-0040", "MO-EMIT-0040", "MO-EMIT-0044"}));
}

TEST(OnnxEmitter, InputsAndOutputsNeedARank) {
  const std::string input = model_of("graph(%x: f32[...] \"image\") { %y = ShapeOf(%x) return %y }");
  EXPECT_TRUE(has(input, "MO-EMIT-0044") && has(input, "the rank of input 'image' is unknown")) << input;
  const char* const squeeze = "graph(%x: f32[?,?]) { %y = Squeeze(%x) \"pool\" return %y }";
  const std::string output = model_of(squeeze);
  EXPECT_TRUE(has(output, "MO-EMIT-0044") && has(output, "the rank of output 'pool' is unknown")) << output;
  EXPECT_TRUE(has(output, "--input_shape")) << output;
  const std::string state = model_of(R"(graph(%x: f32[?,?]) {
    %s = Squeeze(%x)
    %h = ReadValue(%s) {variable_id="h"}
    %y = ShapeOf(%h)
    return %y
  })");
  EXPECT_TRUE(has(state, "MO-EMIT-0044") && has(state, "the rank of input 'h' is unknown")) << state;
  const auto graph = graph_of(squeeze);
  ASSERT_TRUE(graph);
  EXPECT_TRUE(to_onnx(*graph, {.needs_ranks = false})) << "engines compute it";
}

TEST(OnnxEmitter, FormsThatOlderOpSetsLackNameTheFirstThatHasThem) {
  const auto refused = [](const char* graph, std::int64_t opset, const char* hint) {
    const std::string made = model_of(graph, opset);
    EXPECT_TRUE(has(made, "MO-EMIT-0041") && has(made, hint)) << made;
  };
  const char* const squeeze = "graph(%x: f32[1,3], %a: i64[1]) { %y = Squeeze(%x, %a) return %y }";
  const char* const unsqueeze = "graph(%x: f32[3], %a: i64[2]) { %y = Unsqueeze(%x, %a) return %y }";
  refused(squeeze, 11, "--onnx-opset 13");
  refused(unsqueeze, 11, "--onnx-opset 13");
  EXPECT_TRUE(has(model_of(squeeze, 13), "op_type: \"Squeeze\""));
  EXPECT_TRUE(has(model_of(unsqueeze, 13), "op_type: \"Unsqueeze\""));
  // Before op set 14 a computed 0 copies a size; data with elements have no other use for it.
  const char* const empty = "graph(%x: f32[0,3,4], %s: i64[3]) { %y = Reshape(%x, %s) {special_zero=false} return %y }";
  refused(empty, 13, "--onnx-opset 14");
  EXPECT_TRUE(has(model_of(empty, 14), "allowzero"));
  EXPECT_TRUE(
      has(model_of("graph(%x: f32[2,3,4], %s: i64[3]) { %y = Reshape(%x, %s) {special_zero=false} return %y }", 13),
          "op_type: \"Reshape\""));
}

OnnxForm own_operator() {
  return [](Translation& t) -> Expected<Outputs> {
    return t.custom_ops("com.acme", "Grow", 3, t.inputs(), 1, {{"speed", 2.5}});
  };
}

TEST(OnnxEmitter, FormsOfPluginsComeBeforeThoseOfMo) {
  const auto graph = graph_of("graph(%x: f32[2]) { %y = Exp(%x) %z = Abs(%y) return %z }");
  ASSERT_TRUE(graph);
  OnnxForms forms;
  forms.set_owner("acme", true);
  forms.add<ops::Exp>(own_operator());
  const auto made = to_onnx(*graph, {.forms = &forms});
  ASSERT_TRUE(made) << made.error().first().format();
  std::string operators;
  for (const Node node : made->graph->nodes()) operators += std::string(node.type()) + " ";
  EXPECT_TRUE(has(operators, "com.acme::Grow onnx::Abs")) << operators;
  EXPECT_EQ(forms.ops_of("acme"), std::vector<std::string>{"Exp-0"});
}

TEST(OnnxEmitter, APluginThatDoesNotOverrideMayNotReplaceAForm) {
  const auto graph = graph_of("graph(%x: f32[2]) { %y = Exp(%x) return %y }");
  ASSERT_TRUE(graph);
  OnnxForms forms;
  forms.set_owner("acme", false);
  forms.add<ops::Exp>(own_operator());
  EXPECT_TRUE(forms.problems().empty());
  const auto made = to_onnx(*graph, {.forms = &forms});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().first().code, "MO-PLUGIN-0037");
  EXPECT_EQ(made.error().first().message, "the ONNX form of op Exp-0 is registered twice: by mo and by acme");
  forms.set_owner("other", true);
  forms.add<ops::Exp>(own_operator());
  ASSERT_EQ(forms.problems().size(), 1U);
  EXPECT_EQ(forms.problems()[0].message, "the ONNX form of op Exp-0 is registered twice: by acme and by other");
}

TEST(OnnxEmitter, WhatAFormOfAPluginThrowsIsAnErrorOfThePlugin) {
  const auto graph = graph_of("graph(%x: f32[2]) { %y = Exp(%x) return %y }");
  ASSERT_TRUE(graph);
  OnnxForms forms;
  forms.set_owner("acme", true);
  forms.add<ops::Exp>([](Translation&) -> Expected<Outputs> { throw std::runtime_error("not today"); });
  const auto made = to_onnx(*graph, {.forms = &forms});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().first().code, "MO-PLUGIN-0020");
}

TEST(OnnxEmitter, NewerOpSetsAreNamed) {
  const std::string refused = model_of(R"(graph(%x: i32[2]) {
    %y = Clamp(%x) {min=0, max=3}
    return %y
  })",
                                       11);
  EXPECT_TRUE(has(refused, "MO-EMIT-0041")) << refused;
  EXPECT_TRUE(has(refused, "--onnx-opset 12")) << refused;
}

// ONNX: Max takes u16 from op set 12 on; ONNX Runtime has a kernel for u32.
TEST(OnnxEmitter, ATypeWithoutKernelIsWidenedBetweenCasts) {
  const char* const graph = R"(graph(%x: u16[2], %y: u16[2]) {
    %m = Maximum(%x, %y) "m"
    %s = Maximum(%m, [7]:u16)
    return %s
  })";
  const std::string model = model_of(graph);
  EXPECT_EQ(count_of(model, "Max"), 2U) << model;
  EXPECT_EQ(count_of(model, "Cast"), 5U) << "the constant needs none\n" << model;
  EXPECT_TRUE(has(model, "elem_type: 4")) << "the interface keeps u16\n" << model;
}

TEST(OnnxEmitter, ATypeWithAKernelIsNotCast) {
  const std::string model = model_of(R"(graph(%x: i32[2], %y: i32[2]) {
    %m = Maximum(%x, %y)
    return %m
  })");
  EXPECT_EQ(count_of(model, "Cast"), 0U) << model;
}

TEST(OnnxEmitter, TypesOfABodyAreWidenedToo) {
  const std::string model = model_of(R"(graph(%c: boolean[], %x: u16[2]) {
    %y = If(%c, %x) {then_body=graph(%a: u16[2]) {
      %b = Maximum(%a, [7]:u16)
      return %b
    }, else_body=graph(%a: u16[2]) {
      return %a
    }, then_input_map=[{input=1, parameter=0}], then_output_map=[{output=0, result=0}], else_input_map=[{input=1, parameter=0}],
      else_output_map=[{output=0, result=0}]}
    return %y
  })");
  EXPECT_EQ(count_of(model, "Cast"), 2U) << model;
}

TEST(OnnxEmitter, ABodyKeepsNoConstantThatNothingReads) {
  // u16 is widened to u32, the constants as well; one of them is in a body of a body
  const std::string model = model_of(R"(graph(%c: boolean[], %x: u16[2]) {
    %y = If(%c, %c, %x) {then_body=graph(%a: u16[2]) {
      %b = Maximum(%a, [7]:u16)
      return %b
    }, else_body=graph(%d: boolean[], %a: u16[2]) {
      %n = If(%d, %a) {then_body=graph(%e: u16[2]) {
        %b = Maximum(%e, [8]:u16)
        return %b
      }, else_body=graph(%e: u16[2]) {
        return %e
      }, then_input_map=[{input=1, parameter=0}], then_output_map=[{output=0, result=0}], else_input_map=[{input=1, parameter=0}],
        else_output_map=[{output=0, result=0}]}
      return %n
    }, then_input_map=[{input=2, parameter=0}], then_output_map=[{output=0, result=0}],
      else_input_map=[{input=1, parameter=0}, {input=2, parameter=1}], else_output_map=[{output=0, result=0}]}
    return %y
  })");
  std::size_t initializers = 0;
  for (std::size_t at = model.find("initializer {"); at != std::string::npos; at = model.find("initializer {", at + 1))
    ++initializers;
  EXPECT_EQ(initializers, 2U) << model;
}

TEST(OnnxEmitter, AModelWithoutOperatorsImportsTheOperatorSet) {
  for (const char* const graph :
       {"graph() {\n  return\n}", "graph(%x: f32[2]) {\n  return\n}", "graph(%x: f32[2]) {\n  return %x\n}"}) {
    const std::string model = model_of(graph, 13);
    const std::size_t import = model.find("opset_import {");
    ASSERT_NE(import, std::string::npos) << model;
    EXPECT_NE(model.find("version: 13", import), std::string::npos) << model;
  }
}

// ONNX Runtime up to 1.28 computes wrong means with count_include_pad and ceil_mode, without pads as well.
TEST(OnnxEmitter, PadsThatAreNotThereAreNotCounted) {
  const auto averaged = [](const char* pads) {
    return model_of(fmt::format(R"(graph(%x: f32[1,1,6,6]) {{
      %y = AvgPool(%x) {{kernel=[3, 3], strides=[2, 2], pads_begin={0}, pads_end={0}, exclude-pad=false, rounding_type="ceil"}}
      return %y
    }})",
                                pads));
  };
  EXPECT_FALSE(has(averaged("[0, 0]"), "count_include_pad")) << averaged("[0, 0]");
  EXPECT_TRUE(has(averaged("[0, 0]"), "ceil_mode")) << averaged("[0, 0]");
  EXPECT_TRUE(has(averaged("[1, 0]"), "count_include_pad")) << averaged("[1, 0]");
}

TEST(OnnxEmitter, NumbersOfFourBitsAreBytesBeforeOpSet21) {
  const char* const graph = R"(graph(%x: f32[2]) {
    %w = Convert([1, 2]:u4) {destination_type=f32}
    %y = Add(%x, %w)
    return %y
  })";
  EXPECT_TRUE(has(model_of(graph, 17), "data_type: 2")) << model_of(graph, 17);
  EXPECT_TRUE(has(model_of(graph, 21), "data_type: 21")) << model_of(graph, 21);
}

TEST(OnnxEmitter, WithoutAWishTheOpSetIsTheUsualOneOrTheOldestThatHasAllForms) {
  const auto usual = graph_of("graph(%x: f32[2]) {\n  %y = Exp(%x)\n  return %y\n}");
  const auto newer = graph_of("graph(%x: i64[2]) {\n  %y = BitwiseAnd(%x, %x) \"mask\"\n  return %y\n}");
  ASSERT_TRUE(usual && newer);
  const auto plain = to_onnx(*usual);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->opset, 17);
  EXPECT_TRUE(plain->need_newer_opset.empty());
  const auto raised = to_onnx(*newer);
  ASSERT_TRUE(raised) << raised.error().first().format();
  EXPECT_EQ(raised->opset, 18);
  EXPECT_EQ(raised->need_newer_opset, std::vector<std::string>{"BitwiseAnd 'mask'"});
  const auto given = to_onnx(*newer, {.opset = 17});
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().first().code, "MO-EMIT-0041");
}

TEST(OnnxEmitter, ANumberForEachChannelIsTheBiasOfAConvolution) {
  const std::string model = model_of(R"(graph(%x: f32[1,1,4,4]) {
    %a = Convolution(%x, [[[[1]]], [[[2]]]]:f32) {strides=[1,1]}
    %b = Add([[[1]], [[2]]]:f32, %a)
    %c = Convolution(%x, [[[[1]]], [[[2]]]]:f32) {strides=[1,1]}
    %d = Add(%c, [[[[1,2,3,4]]]]:f32)
    return %b, %d
  })");
  EXPECT_EQ(count_of(model, "Conv"), 2U) << model;
  EXPECT_EQ(count_of(model, "Add"), 1U) << model;
}

TEST(OnnxEmitter, ASumStaysWhereSomethingElseReadsTheConvolution) {
  const std::string model = model_of(R"(graph(%x: f32[1,1,4,4]) {
    %a = Convolution(%x, [[[[1]]], [[[2]]]]:f32) {strides=[1,1]}
    %b = Add(%a, [[[1]], [[2]]]:f32)
    return %a, %b
  })");
  EXPECT_EQ(count_of(model, "Add"), 1U) << model;
}

TEST(OnnxEmitter, ReductionsOfImagesArePoolings) {
  const std::string model = model_of(R"(graph(%x: f32[?,3,?,4]) {
    %a = ReduceMean(%x, [-1, 2]:i64) {keep_dims=true}
    %b = ReduceMax(%x, [2, 3]:i64) {keep_dims=true}
    %c = ReduceMean(%x, [2, 3]:i64)
    return %a, %b, %c
  })");
  EXPECT_EQ(count_of(model, "GlobalAveragePool"), 1U) << model;
  EXPECT_EQ(count_of(model, "GlobalMaxPool"), 1U) << model;
  EXPECT_EQ(count_of(model, "ReduceMean"), 1U) << model;
}

TEST(OnnxEmitter, TheLargerOfTwoIntegersIsSelectedBeforeOpSet12) {
  const char* const graph = R"(graph(%x: i64[2], %y: i64[2]) {
    %m = Maximum(%x, %y)
    return %m
  })";
  EXPECT_EQ(count_of(model_of(graph, 11), "Where"), 1U) << model_of(graph, 11);
  EXPECT_EQ(count_of(model_of(graph, 12), "Max"), 1U) << model_of(graph, 12);
}

// The IR: functions of reals on integers round to the nearest integer and stop at the limits of the type.
TEST(OnnxEmitter, IntegersThatAreComputedAsRealsAreRoundedAndLimited) {
  const std::string model = model_of(R"(graph(%x: i8[3]) {
    %y = Exp(%x)
    return %y
  })");
  for (const char* const op : {"Exp", "Round", "Clip"}) EXPECT_EQ(count_of(model, op), 1U) << op << "\n" << model;
  EXPECT_EQ(count_of(model, "Cast"), 2U) << model;
}

}  // namespace
}  // namespace mo::onnx_emitter
