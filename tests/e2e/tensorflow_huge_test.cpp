#include <sys/stat.h>

#include "tests/e2e/tensorflow_model.hpp"

/// Small models that ask for a great deal: nothing may be computed that does not fit.
namespace mo::test {
namespace {

class TensorFlowHuge : public BadInput {};

/// Row 50.
TEST_F(TensorFlowHuge, Paddings) {
  refused_text("negative", input("x", "2,3") + ints("p", "2,2", "-3,0,0,0") + node("y", "Pad", "x p"), "MO-TF-0556");
  refused_text("of another rank", input("x", "2,3") + ints("p", "3,2", "1,1,1,1,1,1") + node("y", "Pad", "x p"),
               "MO-OPS-0209");
  refused_text("three columns", input("x", "2,3") + ints("p", "2,3", "1") + node("y", "Pad", "x p"), "MO-TF-0556");
  refused_text(
      "mirrored beyond the data",
      input("x", "2,3") + ints("p", "2,2", "9,0,0,0") + node("y", "MirrorPad", "x p", text_attr("mode", "REFLECT")),
      "MO-OPS-0212");
  refused_text("unknown mode",
               input("x", "2,3") + ints("p", "2,2", "0") + node("y", "MirrorPad", "x p", text_attr("mode", "WRAP")),
               "MO-TF-0553");
  refused_text(
      "overflow",
      input("x", "2,3") + longs("p", "2,2", "9223372036854775807,9223372036854775807,0,0") + node("y", "Pad", "x p"),
      "MO-OPS-0212");
  converted_text("large, of an input",
                 input("x", "2,3") + ints("p", "2,2", "2000000000,0,0,0") + node("y", "Pad", "x p"));
  converted_text("large, of a constant", input("x", "1") + floats("w", "2,3") + ints("p", "2,2", "200000,0,200000,0") +
                                             node("z", "Pad", "w p") + node("y", "AddV2", "x z"));
}

TEST_F(TensorFlowHuge, Repetitions) {
  refused_text("Tile, negative", input("x", "2,3") + ints("m", "2", "-1,1") + node("y", "Tile", "x m"), "MO-OPS-0005");
  converted_text("Tile of an input", input("x", "2,3") + ints("m", "2", "1000000000,1") + node("y", "Tile", "x m"));
  converted_text("Tile of a constant", input("x", "1") + floats("w", "1") + ints("m", "1", "1000000000") +
                                           node("z", "Tile", "w m") + node("y", "AddV2", "x z"));
  refused_text(
      "Tile to more than 2^63 elements",
      input("x", "2,3") + longs("m", "2", "9223372036854775807,9223372036854775807") + node("y", "Tile", "x m"),
      "MO-CORE-0002");
  converted_text("Fill", input("x", "1") + longs("d", "2", "1000000,1000000") + floats("v", "") +
                             node("z", "Fill", "d v") + node("y", "AddV2", "x z"));
  refused_text("Fill to more than 2^63 elements",
               input("x", "1") + longs("d", "2", "4294967296,4294967296") + floats("v", "") + node("y", "Fill", "d v") +
                   node("z", "AddV2", "x y"),
               "MO-CORE-0002");
  refused_text(
      "Fill with a negative shape",
      input("x", "1") + ints("d", "1", "-4") + floats("v", "") + node("y", "Fill", "d v") + node("z", "AddV2", "x y"),
      "MO-OPS-0005");
  converted_text("BroadcastTo", input("x", "1") + longs("d", "2", "1000000,1000000") + floats("v", "1") +
                                    node("z", "BroadcastTo", "v d") + node("y", "AddV2", "x z"));
  refused_text("BroadcastTo what does not fit", input("x", "3") + ints("d", "1", "4") + node("y", "BroadcastTo", "x d"),
               "MO-OPS-0213");
  converted_text("ZerosLike of something large", input("x", "1") + longs("d", "2", "1000000,1000000") +
                                                     floats("v", "") + node("z", "Fill", "d v") +
                                                     node("o", "ZerosLike", "z") + node("y", "AddV2", "x o"));
}

TEST_F(TensorFlowHuge, Sequences) {
  const auto range = [](std::string_view limit, std::string_view delta) {
    return input("x", "1", "DT_INT32") + ints("a", "", "0") + ints("b", "", limit) + ints("c", "", delta) +
           node("y", "Range", "a b c") + node("z", "AddV2", "x y");
  };
  refused_text("Range with step 0", range("10", "0"), "MO-OPS-0214");
  converted_text("Range of 2^31 numbers", range("2147483647", "1"));
  converted_text("Range that is empty", range("-2147483648", "1"));
  refused_text("Range of floats without end",
               input("x", "1") + floats("a", "", "0") + floats("b", "", "inf") + floats("c", "") +
                   node("y", "Range", "a b c") + node("z", "AddV2", "x y"),
               "MO-OPS-0214");
  const auto linear = [](std::string_view count) {
    return input("x", "1") + floats("a", "", "0") + floats("b", "", "1") + ints("n", "", count) +
           node("y", "LinSpace", "a b n") + node("z", "AddV2", "x y");
  };
  refused_text("LinSpace of 0 numbers", linear("0"), "MO-TF-0556");
  refused_text("LinSpace of -1 numbers", linear("-1"), "MO-TF-0556");
  converted_text("LinSpace of 2^31 numbers", linear("2147483647"));
  const auto one_hot = [](std::string_view depth, bool is_constant) {
    return (is_constant ? ints("x", "2", "1,2") : input("x", "2", "DT_INT32")) + ints("d", "", depth) +
           floats("v", "") + floats("o", "", "0") + input("i", "1") + node("y", "OneHot", "x d v o") +
           node("z", "AddV2", "y i");
  };
  converted_text("OneHot of an input", one_hot("2147483647", false));
  converted_text("OneHot of a constant", one_hot("2147483647", true));
  refused_text("OneHot with negative depth", one_hot("-1", false), "MO-OPS-0005");
  converted_text("an identity matrix",
                 input("x", "1") + floats("v", "100000") + node("z", "MatrixDiag", "v") + node("y", "AddV2", "x z"));
}

/// Row 51: each op makes a thousand times more of what it gets.
TEST_F(TensorFlowHuge, ChainsOfConstantsThatGrow) {
  const auto tiles = [](int length) {
    std::string text = input("x", "1") + floats("v0", "1") + ints("m", "1", "1000");
    for (int i = 1; i <= length; ++i) text += node("v" + std::to_string(i), "Tile", "v" + std::to_string(i - 1) + " m");
    return text + node("y", "AddV2", "x v" + std::to_string(length));
  };
  converted_text("10^9 elements", tiles(3));
  refused_text("10^18 elements", tiles(6), "MO-CORE-0002", "'v6'");
  std::string powers = input("x", "1,1") + floats("v0", "1,100");
  for (int i = 1; i <= 6; ++i) {
    const std::string before = "v" + std::to_string(i - 1);
    powers += node("v" + std::to_string(i), "ConcatV2",
                   before + " " + before + " " + before + " " + before + " " + before + " a", number_attr("N", 5));
  }
  converted_text("ConcatV2", powers + ints("a", "", "0") + node("s", "Sum", "v6 a") + node("y", "AddV2", "x s"));
}

/// Row 52: what f16 cannot hold is reported, or kept.
TEST_F(TensorFlowHuge, NanAndInfiniteWeights) {
  const std::string text =
      input("x", "6") + floats("w", "6", "nan,inf,-inf,1e30,1e-42,65520") + node("y", "AddV2", "x w");
  for (const bool compress : {false, true}) {
    Options options = model(text, "m.pbtxt");
    if (compress)
      options.compress_to_fp16 = true;
    else
      options.data_type = ElementType::f16;
    const Outcome outcome = run(options);
    converted(outcome);
    EXPECT_FALSE(outcome.warnings.empty());
  }
  converted_text("in f32", text);
}

}  // namespace
}  // namespace mo::test
