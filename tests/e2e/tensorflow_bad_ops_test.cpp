#include "tests/e2e/tensorflow_model.hpp"

/// Ops whose attributes, shapes or constants contradict each other. The node that is wrong is called "y".
namespace mo::test {
namespace {

struct Row {
  const char* title;
  std::string text;
  const char* code;          ///< empty: legal
  const char* part = "'y'";  ///< of the message
};

class TensorFlowBadOps : public BadInput {
 protected:
  void check(const std::vector<Row>& rows) const {
    for (const Row& row : rows) {
      SCOPED_TRACE(row.title);
      const Outcome outcome = run_text(row.text);
      if (*row.code == '\0')
        converted(outcome);
      else
        refused(outcome, row.code, row.part);
    }
  }
};

std::string conv(std::string_view op, std::string_view x, std::string_view w, std::string_view rest) {
  return input("x", x) + floats("w", w) + node("y", op, "x w", rest);
}
std::string conv2d(std::string_view w, std::string_view strides, std::string_view dilations = "1,1,1,1",
                   std::string_view padding = "SAME") {
  return conv("Conv2D", "1,4,4,4", w,
              list_attr("strides", strides) + list_attr("dilations", dilations) + text_attr("padding", padding));
}
std::string pool(std::string_view op, std::string_view ksize, std::string_view strides,
                 std::string_view padding = "VALID") {
  return input("x", "1,4,4,4") +
         node("y", op, "x", list_attr("ksize", ksize) + list_attr("strides", strides) + text_attr("padding", padding));
}
/// y = op(x, c) with a constant c of integers.
std::string with_ints(std::string_view op, std::string_view x, std::string_view dims, std::string_view values,
                      std::string_view rest = "") {
  return input("x", x) + ints("c", dims, values) + node("y", op, "x c", rest);
}

/// Row 46.
TEST_F(TensorFlowBadOps, ConvolutionsAndPooling) {
  const std::string ones = "1,1,1,1";
  check({
      {"stride 0", conv2d("3,3,4,2", "1,0,1,1"), "MO-TF-0622"},
      {"stride of the batch", conv2d("3,3,4,2", "2,1,1,1"), "MO-TF-0624"},
      {"negative stride", conv2d("3,3,4,2", "1,-1,1,1"), "MO-TF-0622"},
      {"too few strides", conv2d("3,3,4,2", "1,1"), "MO-TF-0622"},
      {"no strides", conv2d("3,3,4,2", ""), "MO-TF-0622"},
      {"strides are missing", conv("Conv2D", "1,4,4,4", "3,3,4,2", text_attr("padding", "SAME")), "MO-TF-0622"},
      {"strides are text",
       conv("Conv2D", "1,4,4,4", "3,3,4,2", text_attr("strides", "1") + text_attr("padding", "SAME")), "MO-TF-0622"},
      {"huge stride", conv2d("3,3,4,2", "1,9223372036854775807,1,1"), "MO-TF-0622"},
      {"dilation 0", conv2d("3,3,4,2", ones, "1,0,0,1"), "MO-TF-0622"},
      {"huge dilation", conv2d("3,3,4,2", ones, "1,9223372036854775807,1,1"), "MO-TF-0622"},
      {"too many dilations", conv2d("3,3,4,2", ones, "1,1,1,1,1"), "MO-TF-0622"},
      {"filter of rank 0", conv2d("", ones), "MO-OPS-0206"},
      {"filter of rank 1", conv2d("3", ones), "MO-OPS-0206"},
      {"filter without elements",
       input("x", "1,4,4,4") + constant("w", "DT_FLOAT", "3,3,0,2", "") +
           node("y", "Conv2D", "x w", list_attr("strides", ones) + text_attr("padding", "SAME")),
       "MO-OPS-0302"},
      {"channels that do not fit", conv2d("3,3,3,2", ones), "MO-OPS-0302"},
      {"groups that do not fit the filters", conv2d("3,3,2,3", ones), "MO-OPS-0302"},
      {"kernel larger than the input", conv2d("5,5,4,2", ones, ones, "VALID"), "MO-OPS-0303"},
      {"dilated kernel larger than the input", conv2d("3,3,4,2", ones, "1,2,2,1", "VALID"), "MO-OPS-0303"},
      {"unknown padding", conv2d("3,3,4,2", ones, ones, "FULL"), "MO-TF-0623"},
      {"explicit padding without pads", conv2d("3,3,4,2", ones, ones, "EXPLICIT"), "MO-TF-0622"},
      {"negative explicit pads",
       conv("Conv2D", "1,4,4,4", "3,3,4,2",
            list_attr("strides", ones) + text_attr("padding", "EXPLICIT") +
                list_attr("explicit_paddings", "0,0,-9,1,1,1,0,0")),
       "MO-TF-0622"},
      {"explicit pads of the batch",
       conv("Conv2D", "1,4,4,4", "3,3,4,2",
            list_attr("strides", ones) + text_attr("padding", "EXPLICIT") +
                list_attr("explicit_paddings", "1,0,1,1,1,1,0,0")),
       "MO-TF-0624"},
      {"unknown layout",
       conv("Conv2D", "1,4,4,4", "3,3,4,2",
            list_attr("strides", ones) + text_attr("padding", "SAME") + text_attr("data_format", "NWHC")),
       "MO-TF-0621"},
      {"data of rank 3", conv("Conv2D", "4,4,4", "3,3,4,2", list_attr("strides", ones) + text_attr("padding", "SAME")),
       "MO-OPS-0304"},
      {"no filter",
       input("x", "1,4,4,4") + node("y", "Conv2D", "x", list_attr("strides", ones) + text_attr("padding", "SAME")),
       "MO-FRONT-0006"},
      {"depthwise filter of rank 2",
       conv("DepthwiseConv2dNative", "1,4,4,4", "3,3", list_attr("strides", ones) + text_attr("padding", "SAME")),
       "MO-OPS-0012"},
      {"depthwise channels",
       conv("DepthwiseConv2dNative", "1,4,4,4", "3,3,3,1", list_attr("strides", ones) + text_attr("padding", "SAME")),
       "MO-OPS-0302"},
      {"three dimensions, stride 0",
       conv("Conv3D", "1,4,4,4,2", "1,1,1,2,1", list_attr("strides", "1,0,1,1,1") + text_attr("padding", "SAME")),
       "MO-TF-0622"},
      {"transposed, shape of rank 2",
       input("x", "1,4,4,2") + ints("s", "2", "4,4") + floats("w", "3,3,4,2") +
           node("y", "Conv2DBackpropInput", "s w x", list_attr("strides", ones) + text_attr("padding", "SAME")),
       ""},
      {"transposed, negative shape",
       input("x", "1,4,4,2") + ints("s", "4", "1,-4,4,4") + floats("w", "3,3,4,2") +
           node("y", "Conv2DBackpropInput", "s w x", list_attr("strides", ones) + text_attr("padding", "SAME")),
       "MO-TF-0626"},
      {"transposed, shape that does not fit",
       input("x", "1,4,4,2") + ints("s", "4", "1,40,4,4") + floats("w", "3,3,4,2") +
           node("y", "Conv2DBackpropInput", "s w x", list_attr("strides", ones) + text_attr("padding", "SAME")),
       ""},
      {"window of size 0", pool("MaxPool", "1,0,0,1", ones), "MO-TF-0622"},
      {"negative window", pool("MaxPool", "1,-2,2,1", ones), "MO-TF-0622"},
      {"window of rank 2", pool("MaxPool", "2,2", ones), "MO-TF-0622"},
      {"window over the batch", pool("MaxPool", "2,1,1,1", ones), "MO-TF-0624"},
      {"window larger than the input", pool("AvgPool", "1,5,5,1", ones), "MO-OPS-0303"},
      {"pooling with stride 0", pool("AvgPool", "1,2,2,1", "1,0,1,1"), "MO-TF-0622"},
      {"pooling, unknown padding", pool("AvgPool", "1,2,2,1", ones, "valid"), "MO-TF-0623"},
      {"window as an empty input",
       input("x", "1,4,4,4") + ints("k", "0", "") + ints("s", "4", ones) +
           node("y", "MaxPoolV2", "x k s", text_attr("padding", "SAME")),
       "MO-TF-0622"},
      {"patches with rate 0",
       input("x", "1,4,4,1") + node("y", "ExtractImagePatches", "x",
                                    list_attr("ksizes", "1,2,2,1") + list_attr("strides", ones) +
                                        list_attr("rates", "1,0,0,1") + text_attr("padding", "VALID")),
       "MO-TF-0553"},
      {"blocks of size 0", input("x", "1,4,4,4") + node("y", "SpaceToDepth", "x", number_attr("block_size", 0)),
       "MO-TF-0553"},
      {"blocks that do not fit", input("x", "1,4,4,4") + node("y", "SpaceToDepth", "x", number_attr("block_size", 3)),
       "MO-OPS-0216"},
      {"channels that make no blocks",
       input("x", "1,4,4,3") + node("y", "DepthToSpace", "x", number_attr("block_size", 2)), "MO-OPS-0216"},
      {"huge blocks", input("x", "1,4,4,4") + node("y", "DepthToSpace", "x", number_attr("block_size", INT64_MAX)),
       "MO-TF-0553"},
      {"block shape 0",
       input("x", "4,4,4,1") + ints("b", "2", "0,2") + ints("c", "2,2", "0,0,0,0") +
           node("y", "BatchToSpaceND", "x b c"),
       "MO-TF-0556"},
      {"crops larger than the image",
       input("x", "4,2,2,1") + ints("b", "2", "2,2") + ints("c", "2,2", "9,9,0,0") +
           node("y", "BatchToSpaceND", "x b c"),
       "MO-OPS-0216"},
      {"mean of another length",
       input("x", "1,4,4,4") + floats("a", "3") + floats("b", "4") +
           node("y", "FusedBatchNormV3", "x a a b b", attribute("is_training", "b: false")),
       "MO-OPS-0004"},
      {"bias of another length", input("x", "1,4,4,4") + floats("b", "3") + node("y", "BiasAdd", "x b"), "MO-OPS-0004"},
      {"matrices that do not fit", input("x", "2,3") + floats("w", "4,5") + node("y", "MatMul", "x w"), "MO-OPS-0320"},
      {"a matrix of rank 1", input("x", "2,3") + floats("w", "3") + node("y", "MatMul", "x w"), ""},
      {"image of size 0",
       input("x", "1,4,4,3") + ints("s", "2", "0,0") + node("y", "ResizeBilinear", "x s", type_attr("T", "DT_FLOAT")),
       ""},
      {"negative size of an image",
       input("x", "1,4,4,3") + ints("s", "2", "-1,4") +
           node("y", "ResizeNearestNeighbor", "x s", type_attr("T", "DT_FLOAT")),
       "MO-OPS-0005"},
      {"three sizes of an image",
       input("x", "1,4,4,3") + ints("s", "3", "4,4,4") + node("y", "ResizeBilinear", "x s", type_attr("T", "DT_FLOAT")),
       "MO-OPS-0004"},
  });
}

/// Row 47.
TEST_F(TensorFlowBadOps, Reshape) {
  check({
      {"two unknown dimensions", with_ints("Reshape", "2,3", "2", "-1,-1"), "MO-OPS-0202"},
      {"another number of elements", with_ints("Reshape", "2,3", "2", "4,2"), "MO-OPS-0201"},
      {"not divisible", with_ints("Reshape", "2,3", "2", "4,-1"), "MO-OPS-0201"},
      {"dimension -2", with_ints("Reshape", "2,3", "2", "-2,3"), "MO-OPS-0202"},
      {"a zero is a dimension of size 0", with_ints("Reshape", "2,3", "2", "0,6"), "MO-OPS-0201"},
      {"zero and unknown", with_ints("Reshape", "2,3", "2", "0,-1"), "MO-OPS-0201"},
      {"a shape that is a matrix", with_ints("Reshape", "2,3", "1,2", "3,2"), "MO-OPS-0003"},
      {"a shape whose product overflows",
       input("x", "2,3") + longs("c", "3", "4294967296,4294967296,4") + node("y", "Reshape", "x c"), "MO-OPS-0201"},
      {"a shape of floats", input("x", "2,3") + floats("c", "2", "3,2") + node("y", "Reshape", "x c"), "MO-OPS-0006"},
  });
}

/// Row 48.
TEST_F(TensorFlowBadOps, AxesOutOfRange) {
  const std::string pair = input("x", "2,3") + input("z", "2,3");
  check({
      {"ConcatV2", pair + ints("c", "", "2") + node("y", "ConcatV2", "x z c", number_attr("N", 2)), "MO-OPS-0012"},
      {"Concat", pair + ints("c", "", "-3") + node("y", "Concat", "c x z", number_attr("N", 2)), "MO-OPS-0012"},
      {"Split", input("x", "2,4") + ints("c", "", "2") + node("y", "Split", "c x", number_attr("num_split", 2)),
       "MO-OPS-0012"},
      {"Split into parts that differ",
       input("x", "2,4") + ints("c", "", "1") + node("y", "Split", "c x", number_attr("num_split", 3)), "MO-OPS-0207"},
      {"Split into 0 parts",
       input("x", "2,4") + ints("c", "", "1") + node("y", "Split", "c x", number_attr("num_split", 0)), "MO-TF-0552"},
      {"Split into very many parts",
       input("x", "2,4") + ints("c", "", "1") + node("y", "Split", "c x", number_attr("num_split", INT64_MAX)),
       "MO-TF-0552"},
      {"SplitV",
       input("x", "2,4") + ints("l", "2", "2,3") + ints("c", "", "1") +
           node("y", "SplitV", "x l c", number_attr("num_split", 2)),
       "MO-OPS-0207"},
      {"SplitV with negative lengths",
       input("x", "2,4") + ints("l", "2", "-5,9") + ints("c", "", "1") +
           node("y", "SplitV", "x l c", number_attr("num_split", 2)),
       "MO-OPS-0207"},
      {"Mean", with_ints("Mean", "2,3", "1", "2"), "MO-OPS-0012"},
      {"Max", with_ints("Max", "2,3", "", "-2147483648"), "MO-OPS-0012"},
      {"Sum over an axis twice", with_ints("Sum", "2,3", "2", "1,-1"), "MO-OPS-0013"},
      {"All", input("x", "2,3", "DT_BOOL") + ints("c", "", "7") + node("y", "All", "x c"), "MO-OPS-0012"},
      {"Transpose", with_ints("Transpose", "2,3", "2", "0,2"), "MO-OPS-0206"},
      {"Transpose, no permutation", with_ints("Transpose", "2,3", "2", "1,1"), "MO-OPS-0206"},
      {"Transpose, too short", with_ints("Transpose", "2,3", "1", "0"), "MO-OPS-0206"},
      {"ExpandDims", with_ints("ExpandDims", "2,3", "", "3"), "MO-OPS-0012"},
      {"ExpandDims, two axes", with_ints("ExpandDims", "2,3", "2", "0,1"), ""},
      {"Pack", pair + node("y", "Pack", "x z", number_attr("N", 2) + number_attr("axis", 3)), "MO-OPS-0012"},
      {"Pack of different shapes",
       input("x", "2,3") + input("z", "3,2") + node("y", "Pack", "x z", number_attr("N", 2)), "MO-OPS-0204"},
      {"Unpack", input("x", "2,3") + node("y", "Unpack", "x", number_attr("num", 2) + number_attr("axis", 2)),
       "MO-OPS-0012"},
      {"Unpack into another number",
       input("x", "2,3") + node("y", "Unpack", "x", number_attr("num", 5)) + node("z", "Relu", "y:4"), "MO-OPS-0207",
       ""},
      {"GatherV2", input("x", "2,3") + ints("i", "1", "0") + ints("c", "", "2") + node("y", "GatherV2", "x i c"),
       "MO-OPS-0012"},
      {"GatherV2, index",
       input("x", "2,3") + ints("i", "1", "2147483647") + ints("c", "", "0") + node("y", "GatherV2", "x i c"), ""},
      {"GatherV2, batch_dims",
       input("x", "2,3") + ints("i", "1", "0") + ints("c", "", "1") +
           node("y", "GatherV2", "x i c", number_attr("batch_dims", 5)),
       "MO-OPS-0211"},
      {"GatherNd", with_ints("GatherNd", "2,3", "3", "0,0,0"), "MO-OPS-0204"},
      {"OneHot",
       input("x", "2", "DT_INT32") + ints("d", "", "3") + floats("v", "") +
           node("y", "OneHot", "x d v v", number_attr("axis", 2)),
       "MO-OPS-0012"},
      {"ArgMax", with_ints("ArgMax", "2,3", "", "2"), "MO-OPS-0012"},
      {"ArgMin, axis of all", with_ints("ArgMin", "2,3", "2", "0,1"), "MO-TF-0503"},
      {"Squeeze", input("x", "2,1") + node("y", "Squeeze", "x", list_attr("squeeze_dims", "2")), "MO-OPS-0012"},
      {"Squeeze of a dimension of 2", input("x", "2,1") + node("y", "Squeeze", "x", list_attr("squeeze_dims", "0")),
       "MO-OPS-0205"},
      {"ReverseV2", with_ints("ReverseV2", "2,3", "1", "2"), "MO-OPS-0012"},
      {"ReverseV2, twice", with_ints("ReverseV2", "2,3", "2", "0,0"), "MO-TF-0556"},
      {"ReverseSequence",
       input("x", "2,3") + ints("l", "2", "1,2") +
           node("y", "ReverseSequence", "x l", number_attr("seq_dim", 4) + number_attr("batch_dim", 0)),
       "MO-OPS-0012"},
      {"Cumsum", with_ints("Cumsum", "2,3", "", "2"), "MO-OPS-0012"},
      {"TopKV2 of more than there are", with_ints("TopKV2", "2,3", "", "4"), "MO-OPS-0215"},
      {"TopKV2, negative", with_ints("TopKV2", "2,3", "", "-1"), "MO-OPS-0005"},
      {"Softmax of a scalar", input("x", "") + node("y", "Softmax", "x"), "MO-OPS-0012"},
      {"Roll", input("x", "2,3") + ints("s", "1", "1") + ints("c", "1", "2") + node("y", "Roll", "x s c"),
       "MO-OPS-0012"},
      {"AddV2 of shapes that do not fit", input("x", "2,3") + input("z", "2,4") + node("y", "AddV2", "x z"),
       "MO-OPS-0004"},
      {"AddV2 with one input", input("x", "2,3") + node("y", "AddV2", "x"), "MO-OPS-0001"},
      {"AddV2 with three inputs", pair + node("y", "AddV2", "x z x"), "MO-OPS-0001"},
      {"Relu without input", input("x", "2,3") + node("y", "Relu", ""), "MO-OPS-0001"},
      {"AddV2 of different types", input("x", "2,3") + input("z", "2,3", "DT_INT32") + node("y", "AddV2", "x z"),
       "MO-OPS-0002"},
      {"Einsum", pair + node("y", "Einsum", "x z", text_attr("equation", "ij,jk->ik") + number_attr("N", 2)),
       "MO-OPS-0333"},
      {"Einsum without arrow", pair + node("y", "Einsum", "x z", text_attr("equation", "((") + number_attr("N", 2)),
       "MO-OPS-0330"},
      {"ScatterNd with an index outside",
       input("x", "1") + ints("i", "1,1", "9") + ints("s", "1", "4") + node("y", "ScatterNd", "i x s"), ""},
      {"SegmentSum of unsorted ids",
       input("x", "3") + ints("i", "3", "2,1,-1") + node("y", "SegmentSum", "x i", type_attr("T", "DT_FLOAT")), ""},
  });
}

std::string strided_slice(std::string_view begin, std::string_view end, std::string_view strides,
                          std::string_view masks = "") {
  const std::string count = std::to_string(1 + std::count(begin.begin(), begin.end(), ','));
  return input("x", "4,4") + ints("b", count, begin) + ints("e", count, end) + ints("s", count, strides) +
         node("y", "StridedSlice", "x b e s", masks);
}
std::string slice(std::string_view begin, std::string_view size) {
  return input("x", "4,4") + ints("b", "2", begin) + ints("s", "2", size) + node("y", "Slice", "x b s");
}

/// Row 49.
TEST_F(TensorFlowBadOps, Slices) {
  check({
      {"stride 0", strided_slice("0,0", "2,2", "1,0"), "MO-OPS-0208"},
      {"bounds are clamped", strided_slice("-2147483648,0", "2147483647,4", "1,1"), ""},
      {"bounds are clamped backwards", strided_slice("2147483647,0", "-2147483648,4", "-1,1"), ""},
      {"smallest stride", strided_slice("0,0", "4,4", "-2147483648,1"), ""},
      {"largest stride", strided_slice("0,0", "4,4", "2147483647,1"), ""},
      {"bounds of 64 bits",
       input("x", "4,4") + longs("b", "1", "-9223372036854775808") + longs("e", "1", "9223372036854775807") +
           longs("s", "1", "-9223372036854775808") + node("y", "StridedSlice", "x b e s"),
       ""},
      {"masks beyond the dimensions", strided_slice("0,0", "4,4", "1,1", number_attr("begin_mask", 4294967292)),
       "MO-TF-0555"},
      {"negative mask", strided_slice("0,0", "4,4", "1,1", number_attr("end_mask", -1)), "MO-TF-0555"},
      {"mask of 2^63-1", strided_slice("0,0", "4,4", "1,1", number_attr("shrink_axis_mask", INT64_MAX)), "MO-TF-0555"},
      {"two ellipses", strided_slice("0,0", "4,4", "1,1", number_attr("ellipsis_mask", 3)), "MO-OPS-0210"},
      {"more numbers than dimensions", strided_slice("0,0,0", "4,4,4", "1,1,1"), "MO-OPS-0210"},
      {"shrunk outside", strided_slice("9,0", "10,4", "1,1", number_attr("shrink_axis_mask", 1)), "MO-OPS-0203"},
      {"shrunk with stride -1", strided_slice("1,0", "2,4", "-1,1", number_attr("shrink_axis_mask", 1)), "MO-TF-0556"},
      {"lists of different lengths",
       input("x", "4,4") + ints("b", "2", "0,0") + ints("e", "1", "2") + ints("s", "2", "1,1") +
           node("y", "StridedSlice", "x b e s"),
       "MO-OPS-0209"},
      {"Slice of size -2", slice("0,0", "-2,1"), "MO-TF-0556"},
      {"Slice that ends outside", slice("2,0", "3,1"), ""},
      {"Slice that begins outside", slice("5,0", "1,1"), ""},
      {"Slice with negative begin", slice("-1,0", "1,1"), "MO-TF-0556"},
      {"Slice of the largest size", slice("1,0", "2147483647,1"), ""},
      {"Slice of another rank",
       input("x", "4,4") + ints("b", "1", "0") + ints("s", "1", "1") + node("y", "Slice", "x b s"), ""},
  });
}

}  // namespace
}  // namespace mo::test
