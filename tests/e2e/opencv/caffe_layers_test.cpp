#include <gtest/gtest.h>

#include <algorithm>
#include <opencv2/dnn/all_layers.hpp>

#include "tests/e2e/opencv/comparison.hpp"

namespace mo::test {
namespace {

/// One layer "y" that reads "x" and gives "y".
std::string layer(const std::string& type, const std::string& parameters = "",
                  const std::string& bottoms = "bottom: \"x\"") {
  return "layer { name: \"y\" type: \"" + type + "\" " + bottoms + " top: \"y\" " + parameters + " }";
}
const std::string kTwo = "bottom: \"x\" bottom: \"z\"";
const std::string kThree = "bottom: \"x\" bottom: \"z\" bottom: \"v\"";
const Feed kImage{"x", {2, 4, 7, 6}};

/// A net of one layer that OpenCV's reader of Caffe files does not know, by OpenCV's names of its parameters.
std::function<cv::dnn::Net(const std::vector<Blob>&)> directly(
    const std::string& type, std::vector<std::string> inputs,
    const std::function<void(cv::dnn::LayerParams&, const std::vector<Blob>&)>& fill) {
  return [=](const std::vector<Blob>& blobs) {
    cv::dnn::LayerParams parameters;
    fill(parameters, blobs);
    parameters.name = "y";
    parameters.type = type;
    cv::dnn::Net net;
    net.setInputsNames(std::vector<cv::String>(inputs.begin(), inputs.end()));
    const int id = net.addLayer("y", type, parameters);
    for (int i = 0; i < static_cast<int>(inputs.size()); ++i) net.connect(0, i, id, i);
    return net;
  };
}

cv::Mat matrix(const std::vector<int>& sizes, const std::vector<float>& values) {
  cv::Mat made(sizes, CV_32F);
  std::copy(values.begin(), values.end(), made.ptr<float>());
  return made;
}

std::vector<LayerCase> convolution_cases() {
  return {
      {"Convolution",
       {kImage},
       layer("Convolution", "convolution_param { num_output: 6 kernel_size: 3 pad: 1 stride: 2 }"),
       {{"y", {{6, 4, 3, 3}, {6}}}}},
      {"ConvolutionOfGroupsWithGaps",
       {kImage},
       layer("Convolution",
             "convolution_param { num_output: 4 kernel_h: 3 kernel_w: 1 pad_h: 1 pad_w: 0 group: 2 dilation: 2 "
             "bias_term: false }"),
       {{"y", {{4, 2, 3, 1}}}}},
      {"ConvolutionOfOneChannelEach",
       {kImage},
       layer("Convolution", "convolution_param { num_output: 4 kernel_size: 3 group: 4 }"),
       {{"y", {{4, 1, 3, 3}, {4}}}}},
      {"Deconvolution",
       {kImage},
       layer("Deconvolution", "convolution_param { num_output: 3 kernel_size: 4 stride: 2 pad: 1 }"),
       {{"y", {{4, 3, 4, 4}, {3}}}}},
      {"DeconvolutionOfGroups",
       {kImage},
       layer("Deconvolution", "convolution_param { num_output: 4 kernel_size: 3 stride: 2 group: 2 bias_term: false }"),
       {{"y", {{4, 2, 3, 3}}}}},
      {"InnerProduct",
       {kImage},
       layer("InnerProduct", "inner_product_param { num_output: 5 }"),
       {{"y", {{5, 168}, {5}}}}},
      {"InnerProductWithoutBias",
       {kImage},
       layer("InnerProduct", "inner_product_param { num_output: 5 bias_term: false }"),
       {{"y", {{5, 168}}}}},
      {"PoolingMax", {kImage}, layer("Pooling", "pooling_param { pool: MAX kernel_size: 2 stride: 2 }"), {}},
      {"PoolingMaxPadded",
       {kImage},
       layer("Pooling", "pooling_param { pool: MAX kernel_size: 3 stride: 2 pad: 1 }"),
       {}},
      {"PoolingMaxWithoutTheLastWindow",
       {{"x", {1, 2, 3, 4}}},
       layer("Pooling", "pooling_param { pool: MAX kernel_size: 2 stride: 2 pad: 1 }"),
       {}},
      {"PoolingAverageWithoutTheLastWindow",
       {{"x", {1, 2, 3, 4}}},
       layer("Pooling", "pooling_param { pool: AVE kernel_size: 2 stride: 2 pad: 1 }"),
       {}},
      {"PoolingAveragePadded",
       {kImage},
       layer("Pooling", "pooling_param { pool: AVE kernel_size: 3 stride: 2 pad: 1 }"),
       {}},
      {"PoolingAverageBeyondThePadding",
       {{"x", {1, 2, 6, 5}}},
       layer("Pooling", "pooling_param { pool: AVE kernel_size: 3 stride: 3 pad: 1 }"),
       {}},
      {"PoolingAverage", {kImage}, layer("Pooling", "pooling_param { pool: AVE kernel_size: 3 stride: 2 }"), {}},
      {"PoolingAverageRectangle",
       {kImage},
       layer("Pooling", "pooling_param { pool: AVE kernel_h: 2 kernel_w: 3 stride_h: 2 stride_w: 1 }"),
       {}},
      {"PoolingGlobal", {kImage}, layer("Pooling", "pooling_param { pool: AVE global_pooling: true }"), {}},
      {"PoolingGlobalMax", {kImage}, layer("Pooling", "pooling_param { pool: MAX global_pooling: true }"), {}},
  };
}

std::vector<LayerCase> normalisation_cases() {
  return {
      {"BatchNorm",
       {kImage},
       layer("BatchNorm", "batch_norm_param { eps: 0.001 }"),
       {{"y", {{4}, {4}, {1}}, 0.5, 1.5}}},
      {"Scale", {kImage}, layer("Scale", "scale_param { bias_term: true }"), {{"y", {{4}, {4}}}}},
      {"ScaleWithoutBias", {kImage}, layer("Scale"), {{"y", {{4}}}}},
      {"ScaleOfTwoBottoms", {kImage, {"z", {2, 4}}}, layer("Scale", "scale_param { axis: 0 }", kTwo), {}},
      // OpenCV does not read k.
      {"LRNAcrossChannels", {kImage}, layer("LRN", "lrn_param { local_size: 3 alpha: 0.5 beta: 0.75 }"), {}},
      {"LRNWithinChannel",
       {kImage},
       layer("LRN", "lrn_param { local_size: 3 alpha: 0.5 beta: 0.75 norm_region: WITHIN_CHANNEL }"),
       {}},
      // Caffe adds eps to the deviation, OpenCV to the variance: they agree as long as it is small.
      {"MVN", {kImage}, layer("MVN"), {}},
      {"MVNAcrossChannels", {kImage}, layer("MVN", "mvn_param { across_channels: true }"), {}},
      {"MVNOfMeansOnly", {kImage}, layer("MVN", "mvn_param { normalize_variance: false }"), {}},
      {"NormalizeOfPlaces",
       {kImage},
       layer("Normalize", "norm_param { across_spatial: false channel_shared: false }"),
       {{"y", {{4}}}}},
      {"NormalizeOfAll",
       {kImage},
       layer("Normalize", "norm_param { across_spatial: true channel_shared: true }"),
       {{"y", {{1}}}}},
      {"Softmax", {kImage}, layer("Softmax"), {}},
      {"SoftmaxOfRows", {kImage}, layer("Softmax", "softmax_param { axis: 3 }"), {}},
  };
}

std::vector<LayerCase> activation_cases() {
  std::vector<LayerCase> cases = {
      {"ReLULeaky", {kImage}, layer("ReLU", "relu_param { negative_slope: 0.1 }"), {}},
      {"PReLU", {kImage}, layer("PReLU"), {{"y", {{4}}}}},
      {"PReLUShared", {kImage}, layer("PReLU", "prelu_param { channel_shared: true }"), {{"y", {{1}}}}},
      {"ELU", {kImage}, layer("ELU", "elu_param { alpha: 0.5 }"), {}},
      {"Power", {{"x", {2, 4, 7, 6}, 0, 1}}, layer("Power", "power_param { power: 1.5 scale: 2 shift: 0.5 }"), {}},
      {"PowerOfOne", {kImage}, layer("Power", "power_param { scale: -2 shift: 0.5 }"), {}},
      {"Exp", {kImage}, layer("Exp", "exp_param { base: 2 scale: 0.5 shift: 1 }"), {}},
      {"ExpOfE", {kImage}, layer("Exp", "exp_param { scale: 0.5 shift: -1 }"), {}},
  };
  for (const char* type :
       {"ReLU", "Sigmoid", "TanH", "AbsVal", "BNLL", "ReLU6", "Swish", "Mish", "HardSwish", "Dropout"})
    cases.push_back({type, {{"x", {2, 4, 7, 6}, -8, 8}}, layer(type), {}});
  return cases;
}

std::vector<LayerCase> movement_cases() {
  const Feed other{"z", {2, 4, 7, 6}};
  return {
      {"EltwiseProduct", {kImage, other}, layer("Eltwise", "eltwise_param { operation: PROD }", kTwo), {}},
      {"EltwiseMaximum", {kImage, other}, layer("Eltwise", "eltwise_param { operation: MAX }", kTwo), {}},
      {"EltwiseSum", {kImage, other}, layer("Eltwise", "", kTwo), {}},
      {"EltwiseWeightedSum",
       {kImage, other},
       layer("Eltwise", "eltwise_param { operation: SUM coeff: 2 coeff: -0.5 }", kTwo),
       {}},
      {"Concat", {kImage, {"z", {2, 3, 7, 6}}}, layer("Concat", "", kTwo), {}},
      {"ConcatOfRows", {kImage, {"z", {2, 4, 2, 6}}}, layer("Concat", "concat_param { axis: 2 }", kTwo), {}},
      {"Slice",
       {kImage},
       "layer { name: \"y\" type: \"Slice\" bottom: \"x\" top: \"a\" top: \"b\" top: \"c\" slice_param { axis: 1 "
       "slice_point: 1 slice_point: 3 } }",
       {},
       nullptr,
       false,
       3},
      {"Flatten", {kImage}, layer("Flatten"), {}},
      {"FlattenOfRows", {kImage}, layer("Flatten", "flatten_param { axis: 2 end_axis: -1 }"), {}},
      {"Reshape", {kImage}, layer("Reshape", "reshape_param { shape { dim: 0 dim: 2 dim: -1 dim: 6 } }"), {}},
      {"Permute", {kImage}, layer("Permute", "permute_param { order: 0 order: 2 order: 3 order: 1 }"), {}},
      {"Crop", {kImage, {"z", {2, 4, 3, 2}}}, layer("Crop", "crop_param { axis: 2 offset: 1 offset: 3 }", kTwo), {}},
      {"ShuffleChannel",
       {kImage},
       layer("ShuffleChannel", "shuffle_channel_param { group: 2 }"),
       {},
       directly("ShuffleChannel", {"x"}, [](auto& p, const auto&) { p.set("group", 2); })},
      {"Reorg",
       {{"x", {1, 4, 4, 6}}},
       layer("Reorg", "reorg_param { stride: 2 }"),
       {},
       directly("Reorg", {"x"}, [](auto& p, const auto&) { p.set("reorg_stride", 2); })},
  };
}

std::vector<LayerCase> resampling_cases() {
  const Feed image{"x", {1, 3, 3, 4}};
  return {
      {"InterpZoomed",
       {image},
       layer("Interp", "interp_param { zoom_factor: 3 }"),
       {},
       directly("Interp", {"x"}, [](auto& p, const auto&) { p.set("zoom_factor", 3); })},
      {"InterpToSize",
       {image},
       layer("Interp", "interp_param { height: 5 width: 9 }"),
       {},
       directly("Interp", {"x"},
                [](auto& p, const auto&) {
                  p.set("height", 5);
                  p.set("width", 9);
                })},
      {"Upsample",
       {image},
       layer("Upsample", "upsample_param { scale: 2 }"),
       {},
       directly("Resize", {"x"},
                [](auto& p, const auto&) {
                  p.set("zoom_factor", 2);
                  p.set("interpolation", "nearest");
                })},
      {"Accum",
       {image, {"z", {1, 2, 5, 2}}},
       layer("Accum", "accum_param { top_height: 6 top_width: 7 }", kTwo),
       {},
       directly("Accum", {"x", "z"},
                [](auto& p, const auto&) {
                  p.set("top_height", 6);
                  p.set("top_width", 7);
                })},
      {"AccumOfTheLargest",
       {image, {"z", {1, 2, 5, 2}}},
       layer("Accum", "accum_param { top_height: 5 top_width: 9 }", kTwo),
       {},
       directly("Accum", {"x", "z"},
                [](auto& p, const auto&) {
                  p.set("top_height", 5);
                  p.set("top_width", 9);
                })},
      {"AccumLikeABottom",
       {image, {"z", {1, 2, 5, 2}}, {"v", {1, 1, 6, 6}}},
       layer("Accum", "accum_param { have_reference: true }", kThree),
       {},
       directly("Accum", {"x", "z", "v"}, [](auto& p, const auto&) { p.set("have_reference", "true"); })},
  };
}

std::vector<LayerCase> detection_cases() {
  const Feed rois{"z", {2, 5}, 0, 0, {0, 3, 2, 14, 12, 0, 6, 7, 9, 15}};
  const Feed map{"x", {1, 4, 3, 5}};
  const Feed photo{"z", {1, 3, 30, 60}};
  const std::string detection =
      "detection_output_param { num_classes: 3 share_location: true nms_param { nms_threshold: 0.45 top_k: 20 } "
      "keep_top_k: 10 ";
  const std::string priors =
      "layer { name: \"p\" type: \"PriorBox\" bottom: \"m\" bottom: \"i\" top: \"p\" prior_box_param { min_size: 8 "
      "max_size: 20 aspect_ratio: 2 "
      "clip: false "
      "variance: 0.1 variance: 0.1 variance: 0.2 variance: 0.2 } } ";
  const std::vector<Feed> ssd = {{"x", {1, 144}}, {"z", {1, 108}, 0, 1}, {"m", {1, 1, 3, 3}}, {"i", {1, 1, 30, 30}}};
  const std::string with_priors = "bottom: \"x\" bottom: \"z\" bottom: \"p\"";
  return {
      {"PriorBox",
       {map, photo},
       layer("PriorBox", "prior_box_param { min_size: 4 max_size: 9 aspect_ratio: 2 aspect_ratio: 3 variance: 0.1 }",
             kTwo),
       {}},
      {"PriorBoxClipped",
       {map, photo},
       layer("PriorBox",
             "prior_box_param { min_size: 30 aspect_ratio: 2 flip: false clip: true step: 8 offset: 0.25 variance: 0.1 "
             "variance: 0.1 variance: 0.2 "
             "variance: 0.2 }",
             kTwo),
       {}},
      {"DetectionOutputOfCenters",
       ssd,
       priors + layer("DetectionOutput",
                      detection + "code_type: CENTER_SIZE background_label_id: 0 confidence_threshold: 0.3 }",
                      with_priors),
       {},
       nullptr,
       true},
      {"DetectionOutputOfCorners",
       ssd,
       priors + layer("DetectionOutput", detection + "code_type: CORNER background_label_id: 2 }", with_priors),
       {},
       nullptr,
       true},
      {"ROIPooling",
       {{"x", {1, 3, 8, 9}}, rois},
       layer("ROIPooling", "roi_pooling_param { pooled_h: 2 pooled_w: 3 spatial_scale: 0.5 }", kTwo),
       {}},
      {"PSROIPooling",
       {{"x", {1, 18, 8, 9}}, rois},
       layer("PSROIPooling", "psroi_pooling_param { output_dim: 2 group_size: 3 spatial_scale: 0.5 }", kTwo),
       {}},
      {"Proposal",
       {{"x", {1, 12, 3, 4}, 0, 1}, {"z", {1, 24, 3, 4}, -0.2F, 0.2F}, {"v", {1, 3}, 0, 0, {50, 70, 1}}},
       layer("Proposal",
             "proposal_param { ratio: 0.5 ratio: 1 ratio: 2 scale: 1 scale: 2 min_size: 0 post_nms_topn: 8 nms_thresh: "
             "0.6 }",
             kThree),
       {},
       nullptr,
       true},
  };
}

/// Caffe has the weights of x first, OpenCV those of the state. OpenCV has no cont, so in every step it is 1 here,
/// calculated from x.
LayerCase lstm_case() {
  const std::string on =
      "layer { name: \"sum\" type: \"Reduction\" bottom: \"x\" top: \"sum\" reduction_param { axis: 2 } } "
      "layer { name: \"on\" type: \"Power\" bottom: \"sum\" top: \"on\" power_param { scale: 0 shift: 1 } } ";
  const auto fill = [](cv::dnn::LayerParams& p, const std::vector<Blob>& blobs) {
    p.set("use_timestamp_dim", true);
    p.blobs = {matrix({8, 2}, blobs[2].values), matrix({8, 3}, blobs[0].values), matrix({1, 8}, blobs[1].values),
               matrix({2, 2}, {0, 0, 0, 0}), matrix({2, 2}, {0, 0, 0, 0})};
  };
  return {"LSTM",
          {{"x", {4, 2, 3}}},
          on + layer("LSTM", "recurrent_param { num_output: 2 }", "bottom: \"x\" bottom: \"on\""),
          {{"y", {{8, 3}, {8}, {8, 2}}}},
          directly("LSTM", {"x"}, fill)};
}

/// Layers that OpenCV has under another name.
std::vector<LayerCase> renamed_cases() {
  const auto nothing = [](cv::dnn::LayerParams&, const std::vector<Blob>&) {};
  std::vector<LayerCase> cases = {
      {"BN",
       {kImage},
       layer("BN", "bn_param { eps: 0.001 }"),
       {{"y", {{4}, {4}, {4}, {4}}, 0.5, 1.5}},
       directly("BatchNorm", {"x"},
                [](auto& p, const auto& blobs) {
                  p.set("has_weight", true);
                  p.set("has_bias", true);
                  p.set("eps", 0.001);
                  for (const std::size_t i : {2, 3, 0, 1}) p.blobs.push_back(matrix({1, 4}, blobs[i].values));
                })},
      {"Clip",
       {kImage},
       layer("Clip", "clip_param { min: -0.25 max: 0.5 }"),
       {},
       directly("ReLU6", {"x"},
                [](auto& p, const auto&) {
                  p.set("min_value", -0.25F);
                  p.set("max_value", 0.5F);
                })},
      {"Log", {{"x", {2, 4, 7, 6}, 0.1F, 4}}, layer("Log"), {}, directly("Log", {"x"}, nothing)},
      {"Split",
       {kImage},
       layer("Split"),
       {},
       directly("Split", {"x"}, [](auto& p, const auto&) { p.set("outputs_count", 1); })},
      {"ArgMax",
       {kImage},
       layer("ArgMax", "argmax_param { axis: 1 }"),
       {},
       directly("Arg", {"x"},
                [](auto& p, const auto&) {
                  p.set("op", "max");
                  p.set("axis", 1);
                  p.set("keepdims", 1);
                })},
      {"PriorBoxClustered",
       {{"x", {1, 4, 3, 5}}, {"z", {1, 3, 30, 60}}},
       layer(
           "PriorBoxClustered",
           "prior_box_param { width: 4 width: 9 height: 5 height: 3 step_w: 12 step_h: 10 clip: false variance: 0.1 }",
           kTwo),
       {},
       directly("PriorBox", {"x", "z"},
                [](auto& p, const auto&) {
                  const float widths[] = {4, 9};
                  const float heights[] = {5, 3};
                  p.set("width", cv::dnn::DictValue::arrayReal(widths, 2));
                  p.set("height", cv::dnn::DictValue::arrayReal(heights, 2));
                  p.set("step_w", 12);
                  p.set("step_h", 10);
                  p.set("clip", false);
                  p.set("flip", false);
                  p.set("variance", 0.1F);
                })},
  };
  for (const char* type : {"ConvolutionDepthwise", "DepthwiseConvolution"})
    cases.push_back({type,
                     {kImage},
                     layer(type, "convolution_param { num_output: 4 kernel_size: 3 pad: 1 stride: 2 }"),
                     {{"y", {{4, 1, 3, 3}, {4}}}},
                     directly("Convolution", {"x"}, [](auto& p, const auto& blobs) {
                       p.set("num_output", 4);
                       p.set("kernel_size", 3);
                       p.set("pad", 1);
                       p.set("stride", 2);
                       p.set("group", 4);
                       p.blobs = {matrix({4, 1, 3, 3}, blobs[0].values), matrix({1, 4}, blobs[1].values)};
                     })});
  for (const char* type : {"HSwish", "Hswish"})
    cases.push_back({type, {{"x", {2, 4, 7, 6}, -8, 8}}, layer(type), {}, directly("HardSwish", {"x"}, nothing)});
  for (const char* type : {"HardSigmoid", "HSigmoid"})
    cases.push_back(
        {type, {{"x", {2, 4, 7, 6}, -8, 8}}, layer(type), {}, directly("HardSigmoid", {"x"}, [=](auto& p, const auto&) {
           p.set("alpha", std::string(type) == "HSigmoid" ? 1 / 6.0 : 0.2);
           p.set("beta", 0.5);
         })});
  return cases;
}

std::vector<LayerCase> all_cases() {
  std::vector<LayerCase> cases = {lstm_case()};
  for (const auto& more : {renamed_cases(), convolution_cases(), normalisation_cases(), activation_cases(),
                           movement_cases(), resampling_cases(), detection_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

class CaffeLayers : public testing::TestWithParam<LayerCase> {};

TEST_P(CaffeLayers, GiveTheNumbersOfOpenCV) {
  std::string bad;
  ASSERT_NO_THROW(bad = compare_with_opencv(GetParam()));
  EXPECT_EQ(bad, "");
}

INSTANTIATE_TEST_SUITE_P(OpenCV, CaffeLayers, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mo::test
