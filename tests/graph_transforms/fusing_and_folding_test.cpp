#include <filesystem>
#include <fstream>

#include "tests/graph_transforms/transformed.hpp"

namespace mo::graph_transforms::testing {
namespace {

using Numbers = std::vector<float>;
using ::testing::FloatNear;
using ::testing::Pointwise;

const std::string kFloatType = attribute("T", "type: DT_FLOAT");
const std::string kConvAttributes =
    kFloatType + attribute("strides", "list { i: 1 i: 1 i: 1 i: 1 }") + attribute("padding", "s: 'VALID'");

void expect_close(const Numbers& actual, const Numbers& expected, float tolerance) {
  EXPECT_THAT(actual, Pointwise(FloatNear(tolerance), expected));
}
Numbers first(Numbers all, std::size_t count) {
  all.resize(count);
  return all;
}

// -- fuse_*_conv ------------------------------------------------------------------------------------------------------

const std::string kImage = constant("input", {1, 2, 3, 2}, {1, 4, 2, 5, 3, 6, -1, -4, -2, -5, -3, -6}) +
                           constant("weights", {1, 2, 2, 2}, {1, 2, 3, 4, .1F, .2F, .3F, .4F}) +
                           constant_of_integers("size", {2}, {12, 4}) +
                           constant_of_integers("paddings", {4, 2}, {0, 0, 1, 1, 2, 2, 0, 0});
const std::string kResize =
    node("resized", "ResizeBilinear", "input size", kFloatType + attribute("align_corners", "b: false"));
std::string mirror_pad(std::string_view input) {
  return node("padded", "MirrorPad", std::string(input) + " paddings",
              kFloatType + attribute("mode", "s: 'REFLECT'") + attribute("Tpaddings", "type: DT_INT32"));
}
std::string convolved(std::string_view input, const std::string& more = "") {
  return node("output", "Conv2D", std::string(input) + " weights", kConvAttributes + more);
}

TEST(FuseResizeAndConv, IsOneOp) {
  const std::string text = kImage + kResize + convolved("resized");
  const Transformed result = transformed(text, "fuse_resize_and_conv");
  EXPECT_EQ(result.nodes_of("ResizeBilinear|Conv2D|FusedResizeAndPadConv2D"),
            "output = FusedResizeAndPadConv2D(input, size, output_dummy_paddings, weights)\n");
  EXPECT_EQ(result.find("output").attr<std::string>("mode"), "REFLECT");
  EXPECT_EQ(result.find("output").attr<bool>("resize_align_corners"), false);
  EXPECT_EQ(result.values<std::int32_t>("output_dummy_paddings"), std::vector<std::int32_t>(8, 0));
  const Numbers numbers = computed(*result.graph, {"output"}).front();
  EXPECT_EQ(numbers.size(), 12U * 3 * 2);
  expect_close(first(numbers, 6), {14.6F, 20.25F, 17.9F, 25.2F, 21.1F, 30}, 1e-4F);
  expect_close(numbers, computed(*transformed(text, "").graph, {"output"}).front(), 1e-5F);
}

TEST(FuseResizePadAndConv, IsOneOp) {
  const std::string text = kImage + kResize + mirror_pad("resized") + convolved("padded");
  const Transformed result = transformed(text, "fuse_resize_pad_and_conv");
  EXPECT_EQ(result.nodes_of("ResizeBilinear|MirrorPad|Conv2D|FusedResizeAndPadConv2D"),
            "output = FusedResizeAndPadConv2D(input, size, paddings, weights)\n");
  const Numbers numbers = computed(*result.graph, {"output"}).front();
  EXPECT_EQ(numbers.size(), 14U * 7 * 2);
  expect_close(first(numbers, 6), {13.73333F, 19.5F, 11.53333F, 16.2F, 9.73333F, 13.5F}, 1e-4F);
}

TEST(FusePadAndConv, IsOneOp) {
  const std::string text = kImage + mirror_pad("input") + convolved("padded");
  const Transformed result = transformed(text, "fuse_pad_and_conv");
  EXPECT_EQ(result.nodes_of("MirrorPad|Conv2D|FusedPadConv2D"), "output = FusedPadConv2D(input, paddings, weights)\n");
  const Numbers numbers = computed(*result.graph, {"output"}).front();
  EXPECT_EQ(numbers.size(), 4U * 6 * 2);
  const Numbers row{-22.7F, -32.4F, -18.3F, -25.8F, -14.7F, -20.4F, -19.1F, -27, -22.7F, -32.4F, -18.3F, -25.8F};
  expect_close(first(numbers, 12), row, 1e-4F);
  Numbers negative = row;
  for (float& v : negative) v = -v;
  expect_close(Numbers(numbers.begin() + 12, numbers.begin() + 24), negative, 1e-4F);
}

TEST(FusePadAndConv, FormsThatTheFusedOpLacksAreKept) {
  const std::string text = kImage + mirror_pad("input");
  EXPECT_EQ(transformed(text + convolved("padded", attribute("data_format", "s: 'NCHW'")), "fuse_pad_and_conv")
                .count("Conv2D"),
            1U);
  EXPECT_EQ(transformed(text + convolved("padded", attribute("dilations", "list { i: 1 i: 2 i: 2 i: 1 }")),
                        "fuse_pad_and_conv")
                .count("Conv2D"),
            1U);
  EXPECT_EQ(
      transformed(text + convolved("padded") + node("other", "Relu", "padded"), "fuse_pad_and_conv").count("Conv2D"),
      1U);
  EXPECT_EQ(
      transformed(kImage + node("padded", "MirrorPad", "input paddings") + convolved("padded"), "fuse_pad_and_conv")
          .error_code,
      "MO-GTT-0026");
}

TEST(FusePadAndConv, ZerosBecomePaddingOfTheConvolution) {
  const auto padded = [](const std::string& op, const std::string& inputs) {
    return kImage + constant("zero", {}, {0}) + constant("one", {}, {1}) + node("padded", op, inputs, kFloatType);
  };
  for (const std::string& text : {padded("Pad", "input paddings") + convolved("padded"),
                                  padded("PadV2", "input paddings zero") + convolved("padded")}) {
    const Transformed result = transformed(text, "fuse_pad_and_conv");
    EXPECT_EQ(result.nodes_of("Pad|PadV2|Conv2D|FusedPadConv2D"), "output = Conv2D(input, weights)\n");
    EXPECT_EQ(result.find("output").attr<std::vector<std::int64_t>>("explicit_paddings"),
              (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 0, 0}));
    expect_close(computed(*result.graph, {"output"}).front(),
                 computed(*transformed(text, "").graph, {"output"}).front(), 1e-5F);
  }
  const auto stays = [&](const std::string& text, const std::string& op) {
    EXPECT_EQ(transformed(text, "fuse_pad_and_conv").count(op), 1U);
  };
  stays(padded("PadV2", "input paddings one") + convolved("padded"), "PadV2");
  stays(padded("Pad", "input paddings") + convolved("padded", attribute("data_format", "s: 'NCHW'")), "Pad");
  stays(padded("Pad", "input computed") + node("computed", "Neg", "paddings") + convolved("padded"), "Pad");
  const std::string same = convolved("padded");
  stays(padded("Pad", "input paddings") + std::string(same).replace(same.find("VALID"), 5, "SAME"), "Pad");
}

TEST(FuseResizePadAndConv, ZerosBecomePaddingAfterTheResizing) {
  const std::string pad = node("padded", "Pad", "resized paddings", kFloatType);
  EXPECT_EQ(transformed(kImage + kResize + pad + convolved("padded"), "fuse_resize_pad_and_conv")
                .nodes_of("ResizeBilinear|Pad|Conv2D"),
            "resized = ResizeBilinear(input, size)\noutput = Conv2D(resized, weights)\n");
  EXPECT_EQ(transformed(kImage + node("padded", "Pad", "input paddings", kFloatType) + convolved("padded"),
                        "fuse_resize_pad_and_conv")
                .count("Pad"),
            1U);
}

// -- fold_constants ---------------------------------------------------------------------------------------------------

const std::string kPlaceholder =
    node("placeholder", "Placeholder", "",
         attribute("dtype", "type: DT_FLOAT") + attribute("shape", "shape { dim { size: 2 } }"));
const std::string kSimpleAdd = constant("a", {2}, {1, 2}) + constant("b", {2}, {10, 20}) +
                               node("add", "Add", "a b", kFloatType) + kPlaceholder +
                               node("output", "Mul", "add placeholder", kFloatType) + constant("unused", {1}, {0});
const Ends kEnds{{"placeholder:0"}, {"output:0"}};

TEST(FoldConstants, NodesOfConstantsBecomeConstants) {
  const Transformed result = transformed(kSimpleAdd, "fold_constants", kEnds);
  EXPECT_EQ(result.nodes(),
            "placeholder = Placeholder()\noutput = Mul(add/_0__cf__0, placeholder)\nadd/_0__cf__0 = Const()\n");
  EXPECT_EQ(result.floats("add/_0__cf__0"), (Numbers{11, 22}));
}

TEST(FoldConstants, ArgumentsLimitIt) {
  EXPECT_EQ(transformed(kSimpleAdd, "fold_constants(exclude_op=Add)", kEnds).count("Add"), 1U);
  EXPECT_EQ(transformed(kSimpleAdd, "fold_constants(exclude_op=Sub, exclude_node=add)", kEnds).count("Add"), 1U);
  EXPECT_EQ(transformed(kSimpleAdd, "fold_constants(max_constant_size_in_bytes=7)", kEnds).count("Add"), 1U);
  EXPECT_EQ(transformed(kSimpleAdd, "fold_constants(max_constant_size_in_bytes=8)", kEnds).count("Add"), 0U);
  const std::string shaped =
      kSimpleAdd + node("n", "Identity", "output", kFloatType + attribute("_output_shapes", "list { shape {} }"));
  EXPECT_FALSE(transformed(shaped, "fold_constants", {{}, {"n"}}).find("n").has_attr("_output_shapes"));
  EXPECT_TRUE(transformed(shaped, "fold_constants(clear_output_shapes=false)", {{}, {"n"}})
                  .find("n")
                  .has_attr("_output_shapes"));
}

const std::string kFilled =
    constant_of_integers("shape", {2}, {300, 400}) + constant("one", {}, {1}) +
    node("filled", "Fill", "shape one", kFloatType + attribute("index_type", "type: DT_INT32")) +
    node("x", "Placeholder", "",
         attribute("dtype", "type: DT_FLOAT") + attribute("shape", "shape { dim { size: 400 } }")) +
    node("y", "Add", "x filled", kFloatType);

TEST(FoldConstants, LargeResultsOfSmallInputsStayUnlessALimitIsGiven) {
  EXPECT_EQ(transformed(kFilled, "fold_constants", {{"x"}, {"y"}}).count("Fill"), 1U);
  EXPECT_EQ(transformed(kFilled, "fold_constants(max_constant_size_in_bytes=1000000)", {{"x"}, {"y"}}).count("Fill"),
            0U);
}

TEST(FoldConstants, GrowingFilesAreReported) {
  const std::string large =
      constant("w", {300, 400}, std::vector<float>(120'000, 1)) + constant_of_integers("turn", {2}, {1, 0});
  std::string text =
      large + node("x", "Placeholder", "",
                   attribute("dtype", "type: DT_FLOAT") + attribute("shape", "shape { dim { size: 1 } }"));
  std::string read = "x";
  for (int i = 0; i < 3; ++i) {  // tied weights, each time in a form of its own
    text += constant(fmt::format("c{}", i), {}, {static_cast<float>(i + 2)}) +
            node(fmt::format("m{}", i), "Mul", fmt::format("w c{}", i), kFloatType);
    text += node(fmt::format("y{}", i), "Add", read + fmt::format(" m{}", i), kFloatType);
    read = fmt::format("y{}", i);
  }
  EXPECT_EQ(transformed(text, "fold_constants", {{"x"}, {"y2"}}).warnings, std::vector<std::string>{"MO-GTT-0066"});
}

TEST(FoldConstants, ShapesOfConstantsAreConstants) {
  const std::string text =
      constant("c", {1, 1, 3}, {1, 2, 3}) +
      node("shape", "Shape", "c", kFloatType + attribute("out_type", "type: DT_INT32")) +
      node("cast", "Cast", "shape", attribute("SrcT", "type: DT_INT32") + attribute("DstT", "type: DT_FLOAT")) +
      kPlaceholder + node("output", "Mul", "cast placeholder", kFloatType);
  EXPECT_EQ(transformed(text, "fold_constants", kEnds).nodes_of("Mul|Cast|Shape|Placeholder"),
            "placeholder = Placeholder()\noutput = Mul(cast/_0__cf__0, placeholder)\n");
}

TEST(FoldConstants, ShapesThatAreKnownAreConstants) {
  const std::string from = kPlaceholder + node("open", "Placeholder", "",
                                               attribute("dtype", "type: DT_FLOAT") +
                                                   attribute("shape", "shape { dim { size: -1 } dim { size: 3 } }"));
  const std::string wide = attribute("out_type", "type: DT_INT64");
  const auto folded = [&](const std::string& nodes, const std::string& arguments = "") {
    return transformed(from + nodes + node("y", "Neg", "s", kFloatType), "fold_constants" + arguments,
                       {{"placeholder", "open"}, {"y"}});
  };
  EXPECT_EQ(folded(node("r", "Relu", "placeholder", kFloatType) + node("s", "Shape", "r", kFloatType))
                .values<std::int32_t>("s/_0__cf__shape"),
            std::vector<std::int32_t>{2});
  EXPECT_EQ(folded(node("s", "Size", "placeholder", kFloatType + wide)).values<std::int64_t>("s/_0__cf__shape"),
            std::vector<std::int64_t>{2});
  EXPECT_EQ(folded(node("s", "Rank", "open", kFloatType)).values<std::int32_t>("s/_0__cf__shape"),
            std::vector<std::int32_t>{2});
  EXPECT_EQ(folded(node("n", "ShapeN", "placeholder open", kFloatType + attribute("N", "i: 2")) +
                   node("s", "Sub", "n:1 n", kFloatType))
                .nodes_of("Sub|ShapeN"),
            "n = ShapeN(placeholder, open)\ns = Sub(n:1, n/_0__cf__shape)\n");
  EXPECT_EQ(folded(node("s", "Shape", "open", kFloatType)).count("Shape"), 1U);
  EXPECT_EQ(folded(node("s", "Size", "open", kFloatType)).count("Size"), 1U);
  // What the model notes is believed, unless it is cleared.
  const std::string noted =
      node("u", "NobodyKnowsThis", "open", attribute("_output_shapes", "list { shape { dim { size: 7 } } }")) +
      node("s", "Shape", "u", kFloatType);
  EXPECT_EQ(folded(noted, "(clear_output_shapes=false)").values<std::int32_t>("s/_0__cf__shape"),
            std::vector<std::int32_t>{7});
  EXPECT_EQ(folded(noted).count("Shape"), 1U);
}

TEST(FoldConstants, ValuesComputedFromKnownShapesAreConstant) {
  const std::string text =
      kPlaceholder + node("shape", "Shape", "placeholder ^placeholder", kFloatType) +
      node("cast", "Cast", "shape", attribute("SrcT", "type: DT_INT32") + attribute("DstT", "type: DT_FLOAT")) +
      node("output", "Mul", "cast placeholder", kFloatType);
  const Transformed result = transformed(text, "fold_constants", kEnds);
  EXPECT_EQ(
      result.nodes(),
      "placeholder = Placeholder()\noutput = Mul(cast/_0__cf__0, placeholder)\ncast/_0__cf__0 = Const(^placeholder)\n");
  EXPECT_EQ(result.floats("cast/_0__cf__0"), Numbers{2});
  EXPECT_EQ(transformed(text, "fold_constants", {{"placeholder"}, {"shape"}}).count("Shape"), 1U);
}

TEST(FoldConstants, AnOutputThatIsConstantKeepsItsOp) {
  EXPECT_EQ(
      transformed(constant("a", {1}, {1}) + node("output", "Neg", "a", kFloatType), "fold_constants", {{}, {"output"}})
          .nodes(),
      "a = Const()\noutput = Neg(a)\n");
}

TEST(FoldConstants, ControlInputsAreKept) {
  const std::string text = node("init", "Placeholder", "", attribute("dtype", "type: DT_FLOAT")) +
                           constant("a", {2}, {1, 2}) + node("neg", "Neg", "a ^init", kFloatType) +
                           node("abs", "Abs", "neg", kFloatType) + kPlaceholder +
                           node("output", "Mul", "abs placeholder", kFloatType);
  EXPECT_EQ(transformed(text, "fold_constants", kEnds).nodes_of("Const"), "abs/_0__cf__0 = Const(^init)\n");
}

TEST(FoldConstants, StatesLoopsAndUnknownOpsStay) {
  for (const std::string op : {"RandomUniform", "Enter", "NobodyKnowsThis"})
    EXPECT_EQ(transformed(constant("a", {1}, {1}) + node("x", op, "a", kFloatType) + kPlaceholder +
                              node("output", "Mul", "x placeholder", kFloatType),
                          "fold_constants", kEnds)
                  .count(op),
              1U);
}

TEST(FoldConstants, NodesThatCannotBeComputedStayWithAWarning) {
  // Shapes that do not fit.
  const std::string bad =
      constant("a", {2}, {1, 2}) + constant("b", {3}, {1, 2, 3}) + node("x", "Add", "a b", kFloatType);
  const Transformed result =
      transformed(bad + constant("c", {1}, {5}) + node("y", "Neg", "c", kFloatType) + kPlaceholder +
                      node("output", "AddN", "x y placeholder", kFloatType + attribute("N", "i: 3")),
                  "fold_constants", kEnds);
  EXPECT_EQ(result.nodes_of("Add|Neg"), "x = Add(a, b)\n");
  EXPECT_EQ(result.warnings, std::vector<std::string>{"MO-GTT-0029"});
}

TEST(FoldConstants, FeedsHaveToBePlaceholders) {
  const std::string text =
      constant("d", {2}, {1, 2}) +
      node("x", "PlaceholderWithDefault", "d",
           attribute("dtype", "type: DT_FLOAT") + attribute("shape", "shape { dim { size: 2 } }")) +
      node("y", "Relu", "x", kFloatType) + node("z", "Neg", "y", kFloatType);
  EXPECT_EQ(transformed(text, "fold_constants", {{"x"}, {"z"}}).nodes(),
            "y = Relu(x)\nz = Neg(y)\nx = Placeholder()\n");
  EXPECT_EQ(transformed(text, "fold_constants", {{"y"}, {"z"}}).error_code, "MO-GTT-0019");
  EXPECT_EQ(transformed(text, "fold_constants", {{"x"}, {}}).error_code, "MO-GTT-0019");
  EXPECT_EQ(transformed(text, "fold_constants", {{"x", "x:0"}, {"z"}}).error_code, "MO-GTT-0019");
  EXPECT_EQ(transformed(text, "fold_constants", {{"x"}, {"x"}}).error_code, "MO-GTT-0019");
  EXPECT_EQ(transformed(text, "fold_constants", {{"nobody"}, {"z"}}).error_code, "MO-GTT-0018");
}

TEST(FoldConstants, BatchNormalisationIsReadyToBeFolded) {
  // The tail that exporters leave: x * (gamma * rsqrt(variance + epsilon)) + …
  const std::string text = constant("input", {1, 1, 6, 2}, {1, 4, 2, 5, 3, 6, -1, -4, -2, -5, -3, -6}) +
                           node("x", "Placeholder", "", attribute("dtype", "type: DT_FLOAT")) +
                           constant("weights", {1, 2, 2, 2}, {1, 2, 3, 4, .1F, .2F, .3F, .4F}) +
                           node("conv", "Conv2D", "x weights", kConvAttributes) +
                           constant("variance", {2}, {.25F, .5F}) + constant("epsilon", {}, {0}) +
                           node("add", "Add", "variance epsilon", kFloatType) +
                           node("rsqrt", "Rsqrt", "add", kFloatType) + node("mul", "Mul", "conv rsqrt", kFloatType);
  const Transformed result = transformed(text, "fold_constants(ignore_errors=true) fold_batch_norms", {{"x"}, {"mul"}});
  EXPECT_EQ(result.nodes(), "x = Placeholder()\nweights = Const()\nmul = Conv2D(x, weights)\n");
  expect_close(result.floats("weights"), {2, 2.828427F, 6, 5.656854F, .2F, .282843F, .6F, .565685F}, 1e-5F);
}

// -- merge_duplicate_nodes --------------------------------------------------------------------------------------------

TEST(MergeDuplicateNodes, EqualNodesBecomeOne) {
  EXPECT_EQ(
      transformed(constant("a", {2}, {1, 2}) + constant("b", {2}, {1, 2}) + node("add", "Add", "a b ^b", kFloatType),
                  "merge_duplicate_nodes")
          .nodes(),
      "a = Const()\nadd = Add(a, a, ^a)\n");
  EXPECT_EQ(transformed(constant("a", {2}, {1, 2}) + constant("b", {2}, {1, 2}) + node("ra", "Relu", "a", kFloatType) +
                            node("rb", "Relu", "b", kFloatType) + node("add", "Add", "ra rb", kFloatType),
                        "merge_duplicate_nodes")
                .nodes(),
            "a = Const()\nra = Relu(a)\nadd = Add(ra, ra)\n");
}

TEST(MergeDuplicateNodes, DifferentNodesStay) {
  const std::string add = node("add", "Add", "a b", kFloatType);
  EXPECT_EQ(transformed(constant("a", {2}, {1, 2}) + constant("b", {2}, {1, 3}) + add, "merge_duplicate_nodes")
                .count("Const"),
            2U);
  EXPECT_EQ(transformed(constant("a", {2}, {1, 2}) + constant("b", {2, 1}, {1, 2}) + add, "merge_duplicate_nodes")
                .count("Const"),
            2U);
  EXPECT_EQ(transformed("node { name: 'a' op: 'NoOp' device: '/cpu:0' } node { name: 'b' op: 'NoOp' device: '/gpu:0' }",
                        "merge_duplicate_nodes")
                .count("NoOp"),
            2U);
  for (const std::string op : {"RandomUniform", "Placeholder", "NobodyKnowsThis"})
    EXPECT_EQ(transformed(node("a", op) + node("b", op) + add, "merge_duplicate_nodes").count(op), 2U) << op;
}

TEST(MergeDuplicateNodes, FeedsAndFetchesStay) {
  const std::string text =
      constant("a_op", {1}, {1}) + constant("b_op", {1}, {1}) + node("a_relu", "Relu", "a_op", kFloatType) +
      node("b_relu", "Relu", "b_op", kFloatType) + node("mul_op1", "Mul", "a_relu b_relu", kFloatType) +
      node("mul_op2", "Mul", "a_relu b_relu", kFloatType) + node("mul_op3", "Mul", "a_relu b_relu", kFloatType) +
      node("final_mul_op", "Mul", "mul_op2 mul_op3", kFloatType);
  EXPECT_EQ(transformed(text, "merge_duplicate_nodes", {{"a_op:0"}, {"mul_op1", "final_mul_op"}}).nodes(),
            "a_op = Const()\nb_op = Const()\na_relu = Relu(a_op)\nb_relu = Relu(b_op)\nmul_op1 = Mul(a_relu, "
            "b_relu)\nmul_op2 = Mul(a_relu, b_relu)\n"
            "final_mul_op = Mul(mul_op2, mul_op2)\n");
}

TEST(MergeDuplicateNodes, OutputsOfTheSecondAreReadFromTheFirst) {
  EXPECT_EQ(transformed(constant("x", {2}, {1, 2}) + node("a", "Unique", "x") + node("b", "Unique", "x") +
                            node("y", "Add", "b:1 a"),
                        "merge_duplicate_nodes")
                .nodes(),
            "x = Const()\na = Unique(x)\ny = Add(a:1, a)\n");
}

// -- insert_logging, freeze_requantization_ranges ---------------------------------------------------------------------

const std::string kLogged = constant("const_node1", {1}, {1}) + constant("const_node2", {1}, {1}) +
                            constant("const_node3", {1}, {1}) +
                            node("add_node2", "Add", "const_node1 const_node2", kFloatType) +
                            node("add_node3", "Add", "const_node1 const_node3", kFloatType) +
                            node("mul_node1", "Mul", "add_node2 add_node3", kFloatType) +
                            node("add_node4", "Add", "mul_node1 const_node3", kFloatType);

TEST(InsertLogging, PutsAPrintAfterTheTensorsThatAreRead) {
  EXPECT_EQ(transformed(kLogged, "insert_logging").count("Print"), 6U);
  const Transformed some =
      transformed(kLogged, "insert_logging(op=Mul, op=Add, show_name=true, show_op=true, message=hello, first_n=3)");
  EXPECT_EQ(
      some.nodes_of("Print|Mul"),
      "mul_node1 = Mul(add_node2__print__, add_node3__print__)\nadd_node2__print__ = Print(add_node2, add_node2)\n"
      "add_node3__print__ = Print(add_node3, add_node3)\nmul_node1__print__ = Print(mul_node1, mul_node1)\n");
  EXPECT_EQ(some.find("mul_node1__print__").attr<std::string>("message"), ";Mul;;mul_node1__print__;hello");
  EXPECT_EQ(some.find("mul_node1__print__").attr<std::int64_t>("first_n"), 3);
  EXPECT_EQ(transformed(kLogged, "insert_logging(prefix=add_node)").count("Print"), 2U);
  expect_close(computed(*some.graph, {"add_node4"}).front(), {5}, 0);
}

TEST(InsertLogging, TypesOfOutputsMustBeKnown) {
  EXPECT_EQ(transformed(node("x", "NobodyKnowsThis") + node("y", "Relu", "x"), "insert_logging").error_code,
            "MO-GTT-0027");
}

const std::string kRequantised = node("q", "QuantizedBiasAdd") + node("range_op", "RequantizationRange", "q q:1 q:2") +
                                 node("requantize_op", "Requantize", "q q:1 q:2 range_op range_op:1");

class Log {
 public:
  explicit Log(const std::string& content) : path_(::testing::TempDir() + "mo_ranges.log") {
    std::ofstream(path_) << content;
  }
  ~Log() { std::filesystem::remove(path_); }
  std::string call(const std::string& more = "") const {
    return "freeze_requantization_ranges(min_max_log_file=\"" + path_ + "\"" + more + ")";
  }

 private:
  std::string path_;
};

std::string line(float min, float max, const std::string& name = "range_op") {
  return fmt::format("[W x.cc:1] ;{}__print__;__requant_min_max:[{}][{}]\n", name, min, max);
}

TEST(FreezeRequantizationRanges, RangesBecomeConstants) {
  const Log log("Something irrelevant\n" + line(-2.5F, 10.25F) +
                ";range_op__print__;__requant_min_max:[-1.bad][2.0]\n");
  const Transformed result = transformed(kRequantised, log.call());
  EXPECT_EQ(result.nodes_of("Requantize|RequantizationRange"),
            "requantize_op = Requantize(q, q:1, q:2, range_op/frozen_min, range_op/frozen_max)\n");
  EXPECT_EQ(result.floats("range_op/frozen_min"), Numbers{-2.5F});
  EXPECT_EQ(result.floats("range_op/frozen_max"), Numbers{10.25F});
}

TEST(FreezeRequantizationRanges, OutliersAreLeftOut) {
  for (const auto& [count, min, max] : std::vector<std::tuple<int, int, int>>{{1, 0, 0},
                                                                              {2, 0, 1},
                                                                              {5, 0, 4},
                                                                              {9, 0, 8},
                                                                              {10, 1, 9},
                                                                              {20, 1, 19},
                                                                              {29, 1, 28},
                                                                              {30, 2, 29},
                                                                              {100, 5, 95},
                                                                              {1000, 50, 950}}) {
    std::string lines;
    for (int i = 0; i < count; ++i) lines += line(static_cast<float>(i), static_cast<float>(i));
    const Log log(lines);
    const Transformed result = transformed(kRequantised, log.call());
    EXPECT_EQ(result.floats("range_op/frozen_min"), Numbers{static_cast<float>(min)}) << count;
    EXPECT_EQ(result.floats("range_op/frozen_max"), Numbers{static_cast<float>(max)}) << count;
  }
}

TEST(FreezeRequantizationRanges, ALogOfAnotherGraphIsAnError) {
  EXPECT_EQ(transformed(kRequantised, "freeze_requantization_ranges").error_code, "MO-GTT-0013");
  EXPECT_EQ(transformed(kRequantised, Log("nothing").call()).error_code, "MO-GTT-0028");
  EXPECT_EQ(transformed(kRequantised, Log(line(1, 2, "nobody")).call()).error_code, "MO-GTT-0028");
  EXPECT_EQ(transformed(kRequantised, Log(line(1, 2, "q")).call()).error_code, "MO-GTT-0028");
  EXPECT_EQ(transformed(kRequantised, "freeze_requantization_ranges(min_max_log_file=\"/nowhere\")").error_code,
            "MO-IO-0001");
}

// -- add_default_attributes -------------------------------------------------------------------------------------------

TEST(AddDefaultAttributes, FillsInWhatIsMissing) {
  const Transformed plain = transformed(node("n", "LRN"), "add_default_attributes");
  EXPECT_EQ(plain.find("n").attr<std::int64_t>("depth_radius"), 5);
  EXPECT_EQ(plain.find("n").attr<double>("bias"), 1);
  EXPECT_EQ(plain.find("n").attr<double>("alpha"), 1);
  EXPECT_EQ(plain.find("n").attr<double>("beta"), .5);
  EXPECT_EQ(plain.find("n").attr<ElementType>("T"), ElementType::f32);
  const Transformed given = transformed(node("n", "LRN", "",
                                             attribute("depth_radius", "i: 7") + attribute("bias", "f: 2") +
                                                 attribute("alpha", "f: 2") + attribute("beta", "f: 1")),
                                        "add_default_attributes");
  EXPECT_EQ(given.find("n").attr<std::int64_t>("depth_radius"), 7);
  EXPECT_EQ(given.find("n").attr<double>("beta"), 1);
  const Transformed conv = transformed(node("n", "Conv2D"), "add_default_attributes");
  EXPECT_EQ(conv.find("n").attr<std::string>("data_format"), "NHWC");
  EXPECT_EQ(conv.find("n").attr<std::vector<std::int64_t>>("dilations"), (std::vector<std::int64_t>{1, 1, 1, 1}));
  EXPECT_FALSE(conv.find("n").has_attr("T"));
  EXPECT_EQ(transformed(node("n", "NobodyKnowsThis"), "add_default_attributes").error_code, "MO-GTT-0027");
}

}  // namespace
}  // namespace mo::graph_transforms::testing
