#include "tests/frontends/caffe/bad_input.hpp"

/// Topologies that can be read, but mean nothing, or too much.
namespace mo::caffe::testing {
namespace {

class CaffeBadNet : public BadInput {
 protected:
  /// A layer "y" with these parameters.
  void refused_layer(std::string_view type, std::string_view parameters, std::string_view code,
                     std::string_view part = "'y'") const {
    refused(std::string(type) + " " + std::string(parameters.substr(0, 200)), net(layer("y", type, "data", parameters)),
            code, part);
  }
  void converted_layer(std::string_view type, std::string_view parameters) const {
    converted(std::string(type) + " " + std::string(parameters.substr(0, 200)),
              net(layer("y", type, "data", parameters)));
  }
};

TEST_F(CaffeBadNet, NamesAndEdges) {
  refused("a blob that nobody makes", net(layer("a", "ReLU", "dato")), "MO-CAFFE-0007", "did you mean 'data'");
  refused("a layer that reads itself", net("layer { name: 'a' type: 'ReLU' bottom: 'a' top: 'a' }"), "MO-CAFFE-0007",
          "line 2");
  refused("a cycle", net(layer("a", "ReLU", "b") + layer("b", "ReLU", "a")), "MO-CAFFE-0007", "'b'");
  refused("two tops of one name", net("layer { name: 'a' type: 'Split' bottom: 'data' top: 'x' top: 'x' }"),
          "MO-CAFFE-0006", "'x'");
  refused("a blob that two layers make",
          net(layer("a", "ReLU", "data") + "layer { name: 'b' type: 'ReLU' bottom: 'data' top: 'a' }"), "MO-CAFFE-0006",
          "'a'");
  refused("an input twice", "input: 'a' input: 'a' input_dim: [1,1,1,1,1,1,1,1] " + layer("y", "ReLU", "a"),
          "MO-CAFFE-0006", "'a'");
  refused("no bottom", net("layer { name: 'y' type: 'ReLU' top: 'y' }"), "MO-CAFFE-0200", "'y'");
  refused("no second bottom", net(layer("y", "Eltwise", "data")), "MO-CAFFE-0100", "'y'");
  refused("no top", net("layer { name: 'y' type: 'ReLU' bottom: 'data' }"), "MO-CAFFE-0105");
  refused("no layer that computes", "layer { name: 'd' type: 'Data' top: 'data' }", "MO-CAFFE-0004");
  refused("a reference to labels that are cut off",
          "layer { name: 'd' type: 'Data' top: 'd' top: 'l' } " + layer("y", "ReLU", "m"), "MO-CAFFE-0007");
  // Names of layers need not differ, unless weights are found by them.
  converted("two layers of one name", net("layer { name: 'a' type: 'ReLU' bottom: 'data' top: 'x' } layer { name: 'a' "
                                          "type: 'ReLU' bottom: 'x' top: 'y' }"));
  // Then they share them.
  const std::string twice =
      "layer { name: 'a' type: 'PReLU' bottom: 'data' top: 'x' } layer { name: 'a' type: 'PReLU' bottom: 'x' top: 'y' "
      "}";
  converted(run(options(net(twice), stored("a", {blob({2})}))));
  const std::string other =
      "layer { name: 'a' type: 'PReLU' bottom: 'data' top: 'x' } "
      "layer { name: 'a' type: 'PReLU' bottom: 'x' top: 'y' prelu_param { channel_shared: true } }";
  refused(run(options(net(other), stored("a", {blob({2})}))), "MO-CAFFE-0107");
}

TEST_F(CaffeBadNet, ParametersOfTheWrongKind) {
  refused_layer("Convolution", "convolution_param { num_output: 'two' kernel_size: 1 }", "MO-FRONT-0003");
  refused_layer("Convolution", "convolution_param { num_output: 2.5 kernel_size: 1 }", "MO-FRONT-0003");
  refused_layer("Convolution", "convolution_param: 7", "MO-CAFFE-0036");
  refused_layer("Convolution", "convolution_param { num_output: 2 kernel_size { x: 1 } }", "MO-CAFFE-0102");
  refused_layer("Pooling", "pooling_param { pool: LARGEST kernel_size: 2 }", "MO-CAFFE-0104", "LARGEST");
  refused_layer("Pooling", "pooling_param { pool: 77 kernel_size: 2 }", "MO-CAFFE-0104", "77");
  refused_layer("Pooling", "pooling_param { pool: [MAX, AVE] kernel_size: 2 }", "MO-FRONT-0003");
  refused_layer("ReLU", "relu_param { negative_slope: nan }", "MO-CAFFE-0104");
  refused_layer("LRN", "lrn_param { local_size: 5 alpha: -inf }", "MO-CORE-0012");
  refused_layer("Scale", "scale_param { bias_term: 3 }", "MO-FRONT-0003");
  converted_layer("Pooling", "pooling_param { pool: 1 kernel_size: 2 }");
  refused_layer("ReLU", "include { phase: LATER }", "MO-CAFFE-0008", "line 2");
  refused_layer("ReLU", "include { phase: TEST } exclude { phase: TRAIN }", "MO-CAFFE-0008", "line 2");
}

TEST_F(CaffeBadNet, ShapesOfInputs) {
  const auto shaped = [&](std::string_view dims, std::string_view code) {
    refused(dims, "input: 'data' input_shape { " + std::string(dims) + " } " + layer("y", "ReLU", "data"), code);
  };
  shaped("dim: -2", "MO-CAFFE-0010");
  shaped("dim: 9223372036854775807", "MO-CAFFE-0010");
  shaped("dim: 9223372036854775808", "MO-CAFFE-0002");
  shaped("dim: nan", "MO-CAFFE-0002");
  shaped("dim: 1.5", "MO-CAFFE-0002");
  shaped("dim: 4294967296 dim: 4294967296", "MO-CORE-0002");
  std::string many;
  for (int i = 0; i < 40; ++i) many += "dim: 1 ";
  shaped(many, "MO-CAFFE-0010");
  refused("more shapes than inputs",
          "input: 'data' input_shape { dim: 1 } input_shape { dim: 1 } " + layer("y", "ReLU", "data"), "MO-CAFFE-0010");
  refused("sizes that are not enough", "input: 'a' input: 'b' input_dim: [1,2,3] " + layer("y", "ReLU", "a"),
          "MO-CAFFE-0010");
  converted("no shape", "input: 'data' " + layer("y", "ReLU", "data"));
  converted("an empty image", "input: 'data' input_dim: [0,3,0,0] " + layer("y", "ReLU", "data"));
}

TEST_F(CaffeBadNet, ConvolutionsAndPooling) {
  const auto convolution = [&](const std::string& parameters, std::string_view code) {
    refused_layer("Convolution", "convolution_param { " + parameters + " }", code);
    refused_layer("Deconvolution", "convolution_param { " + parameters + " }", code);
  };
  convolution("kernel_size: 1", "MO-CAFFE-0036");
  convolution("num_output: 0 kernel_size: 1", "MO-CAFFE-0102");
  convolution("num_output: -1 kernel_size: 1", "MO-CAFFE-0036");
  convolution("num_output: 9223372036854775807 kernel_size: 1", "MO-CAFFE-0036");
  convolution("num_output: 2", "MO-CAFFE-0102");
  convolution("num_output: 2 kernel_size: 0", "MO-CAFFE-0033");
  convolution("num_output: 2 kernel_size: -1", "MO-CAFFE-0036");
  convolution("num_output: 2 kernel_size: 4611686018427387904", "MO-CAFFE-0036");
  convolution("num_output: 2 kernel_size: [1, 2, 3]", "MO-OPS-0304");
  convolution("num_output: 2 kernel_size: 1 stride: 0", "MO-CAFFE-0102");
  convolution("num_output: 2 kernel_size: 1 stride: -3", "MO-CAFFE-0102");
  convolution("num_output: 2 kernel_size: 1 dilation: 0", "MO-CAFFE-0102");
  convolution("num_output: 2 kernel_size: 1 pad: -1", "MO-CAFFE-0102");
  convolution("num_output: 2 kernel_size: 1 pad: 9223372036854775807", "MO-CAFFE-0102");
  convolution("num_output: 2 kernel_size: 1 group: 0", "MO-CAFFE-0102");
  convolution("num_output: 2 kernel_size: 1 group: -1", "MO-CAFFE-0102");
  convolution("num_output: 2 kernel_size: 1 group: 7", "MO-CAFFE-0033");
  convolution("num_output: 2 kernel_size: 1 group: 9223372036854775807", "MO-CAFFE-0033");
  refused_layer("Convolution", "convolution_param { num_output: 2 kernel_size: 9 }", "MO-OPS-0303");
  refused_layer("Convolution", "convolution_param { num_output: 2 kernel_size: 3 dilation: 9223372036854775807 }",
                "MO-CAFFE-0102");
  refused_layer("Pooling", "pooling_param { kernel_size: 0 }", "MO-CAFFE-0102");
  refused_layer("Pooling", "pooling_param { kernel_size: -2 }", "MO-CAFFE-0102");
  refused_layer("Pooling", "pooling_param { kernel_size: 2 stride: 0 }", "MO-CAFFE-0102");
  refused_layer("Pooling", "pooling_param { kernel_size: 2 pad: 2 }", "MO-CAFFE-0102");
  refused_layer("Pooling", "pooling_param { kernel_size: 2 pad: -1 }", "MO-CAFFE-0102");
  refused_layer("Pooling", "pooling_param { stride: 2 }", "MO-CAFFE-0102");
  refused_layer("Pooling", "pooling_param { kernel_size: 9 }", "MO-OPS-0303");
  refused_layer("Pooling", "pooling_param { kernel_size: 9223372036854775807 }", "MO-CAFFE-0102");
  refused_layer("Pooling", "pooling_param { kernel_size: 2 stride: 9223372036854775807 }", "MO-CAFFE-0102");
  converted_layer("Pooling", "pooling_param { global_pooling: true kernel_size: 2 }");
  refused_layer("Pooling", "pooling_param { kernel_size: 2 kernel_h: 2 }", "MO-CAFFE-0102");
  converted_layer("Pooling", "pooling_param { pool: STOCHASTIC kernel_size: 2 }");
}

TEST_F(CaffeBadNet, ShapesAndAxes) {
  refused_layer("Reshape", "reshape_param { shape { dim: -1 dim: -1 } }", "MO-CAFFE-0103");
  refused_layer("Reshape", "reshape_param { shape { dim: -2 dim: 16 } }", "MO-CAFFE-0104");
  refused_layer("Reshape", "reshape_param { shape { dim: 3 dim: 3 } }", "MO-OPS-0201");
  refused_layer("Reshape", "reshape_param { shape { dim: 1 dim: 2 dim: 4 dim: 4 dim: 0 } }", "MO-OPS-0202");
  refused_layer("Reshape", "reshape_param { axis: 9 shape { dim: 1 } }", "MO-OPS-0202");
  refused_layer("Reshape", "reshape_param { axis: 1 num_axes: -7 shape { dim: 1 } }", "MO-CAFFE-0104");
  refused_layer("Reshape", "reshape_param { shape { dim: 4294967296 dim: 4294967296 } }", "MO-OPS-0201");
  refused_layer("Flatten", "flatten_param { axis: 5 }", "MO-OPS-0202");
  refused_layer("Flatten", "flatten_param { axis: 3 end_axis: 1 }", "MO-CAFFE-0104");
  refused_layer("Softmax", "softmax_param { axis: 4 }", "MO-OPS-0012");
  refused_layer("Softmax", "softmax_param { axis: -9223372036854775808 }", "MO-OPS-0012");
  refused_layer("Concat", "concat_param { axis: 4 }", "MO-OPS-0012");
  refused_layer("ArgMax", "argmax_param { axis: -5 }", "MO-OPS-0012");
  refused_layer("ArgMax", "argmax_param { top_k: 0 }", "MO-CAFFE-0102");
  refused_layer("ArgMax", "argmax_param { top_k: 100 axis: 1 }", "MO-OPS-0215");
  refused_layer("Permute", "permute_param { order: [0, 1, 1] }", "MO-CAFFE-0103");
  refused_layer("Permute", "permute_param { order: [0, 7] }", "MO-OPS-0206");
  refused_layer("Permute", "permute_param { order: [-1] }", "MO-CAFFE-0104");
  refused_layer("InnerProduct", "inner_product_param { num_output: 2 axis: 5 }", "MO-CAFFE-0036");
  refused_layer("InnerProduct", "inner_product_param { num_output: 0 }", "MO-CAFFE-0102");
  converted_layer("Reduction", "reduction_param { axis: 4 }");
  refused_layer("Tile", "tile_param { axis: 4 tiles: 2 }", "MO-CAFFE-0104");
  refused_layer("Tile", "tile_param { tiles: 0 }", "MO-CAFFE-0102");
  refused_layer("Scale", "scale_param { axis: 4 }", "MO-CAFFE-0036");
  const auto slice = [&](const std::string& parameters, std::string_view code) {
    refused("Slice " + parameters,
            net("layer { name: 'y' type: 'Slice' bottom: 'data' top: 'a' top: 'b' top: 'c' slice_param { " +
                parameters + " } }"),
            code, "'y'");
  };
  slice("", "MO-OPS-0207");
  slice("axis: 2 slice_point: 1", "MO-CAFFE-0103");
  slice("axis: 2 slice_point: 2 slice_point: 1", "MO-CAFFE-0103");
  slice("axis: 2 slice_point: 1 slice_point: 9", "MO-OPS-0207");
  slice("axis: 2 slice_point: -1 slice_point: 2", "MO-CAFFE-0102");
  slice("axis: 9 slice_point: 1 slice_point: 2", "MO-OPS-0012");
  const std::string other =
      "input: 'a' input: 'b' input_shape { dim: 1 dim: 2 } input_shape { dim: 1 dim: 3 } layer { name: 'y' top: 'y' "
      "bottom: 'a' bottom: 'b' ";
  refused("Eltwise of two shapes", other + "type: 'Eltwise' }", "MO-OPS-0004", "'y'");
  refused("Eltwise with one coefficient", other + "type: 'Eltwise' eltwise_param { coeff: 1 } }", "MO-CAFFE-0103",
          "'y'");
  refused("Concat of two shapes", other + "type: 'Concat' concat_param { axis: 0 } }", "MO-OPS-0204", "'y'");
  converted("Crop outside of its input", other + "type: 'Crop' crop_param { axis: 0 offset: 5 } }");
}

/// Nothing is computed that would not fit into memory.
TEST_F(CaffeBadNet, HugeNumbers) {
  refused_layer("Tile", "tile_param { axis: 1 tiles: 9223372036854775807 }", "MO-CAFFE-0102");
  converted_layer("Tile", "tile_param { axis: 1 tiles: 1000000000 }");
  refused_layer("Convolution", "convolution_param { num_output: 1000000000000 kernel_size: 3 }", "MO-LIMIT-0001", "");
  refused_layer("InnerProduct", "inner_product_param { num_output: 1000000000000 }", "MO-LIMIT-0001", "");
  converted_layer("Pooling", "pooling_param { kernel_size: 2 pad: 1 stride: 2147483647 }");
  refused_layer("Upsample", "upsample_param { scale: 4611686018427387904 }", "MO-CAFFE-0202");
  refused_layer("Interp", "interp_param { zoom_factor: 4611686018427387904 }", "MO-CAFFE-0202");
  refused_layer("LRN", "lrn_param { local_size: 9223372036854775807 }", "MO-CAFFE-0102");
  refused_layer("LRN", "lrn_param { local_size: 4 }", "MO-CAFFE-0104");
  refused_layer("ShuffleChannel", "shuffle_channel_param { group: 0 }", "MO-CAFFE-0202");
  refused_layer("Reorg", "reorg_param { stride: 0 }", "MO-CAFFE-0202");
  refused_layer("Embed", "embed_param { num_output: 4 input_dim: 4611686018427387904 }", "MO-CAFFE-0036");
  refused_layer("PriorBox", "prior_box_param { min_size: 0 }", "MO-CAFFE-0200");
}

TEST_F(CaffeBadNet, NanAndInfiniteWeights) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Options made = options(net(layer("y", "PReLU", "data")), stored("y", {shape({2}) + packed({nan, 1e30F})}));
  made.data_type = ElementType::f16;
  converted(run(made));
}

TEST_F(CaffeBadNet, LongChain) {
  std::string text = "input: 'x0' input_dim: [1,2,4,4] ";
  for (int i = 0; i < 50'000; ++i)
    text += fmt::format(
        "layer {{ name: 'x{}' type: 'Power' bottom: 'x{}' top: 'x{}' power_param {{ shift: 1 power: 2 }} }}\n", i + 1,
        i, i + 1);
  converted(run(options(text), {.seconds = 30, .peak_bytes = 512ULL << 20U}));
  std::string in_place = net("");
  for (int i = 0; i < 50'000; ++i)
    in_place += fmt::format("layer {{ name: 'r{}' type: 'ReLU' bottom: 'data' top: 'data' }}\n", i);
  converted(run(options(in_place), {.seconds = 30, .peak_bytes = 512ULL << 20U}));
}

TEST_F(CaffeBadNet, OneLayerWithVeryManyConnections) {
  const test::Bounds bounds{.seconds = 30, .peak_bytes = 768ULL << 20U};
  std::string star = net("");
  for (int i = 0; i < 20'000; ++i) star += layer("r" + std::to_string(i), "ReLU", "data");
  converted(run(options(star), bounds));
  std::string split = net("layer { name: 'y' type: 'Split' bottom: 'data'");
  for (int i = 0; i < 60'000; ++i) split += fmt::format(" top: 't{}'", i);
  converted(run(options(split + " }"), bounds));
  std::string slice = "input: 'data' input_dim: [1,20000,1,1] layer { name: 'y' type: 'Slice' bottom: 'data'";
  for (int i = 0; i < 20'000; ++i) slice += fmt::format(" top: 't{}'", i);
  converted(run(options(slice + " }"), bounds));
  std::string sum = net("layer { name: 'y' type: 'Eltwise' top: 'y'");
  for (int i = 0; i < 5'000; ++i) sum += " bottom: 'data'";
  converted(run(options(sum + " }"), bounds));
  std::string many = net("layer { name: 'y' type: 'Concat' top: 'y'");
  for (int i = 0; i < 70'000; ++i) many += " bottom: 'data'";
  refused(run(options(many + " }"), bounds), "MO-CAFFE-0009");
}

}  // namespace
}  // namespace mo::caffe::testing
