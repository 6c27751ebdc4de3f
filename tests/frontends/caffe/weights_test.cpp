#include "core/tensor/convert.hpp"
#include "tests/frontends/caffe/model_files.hpp"

namespace mo::caffe::testing {
namespace {

const std::string kPRelu = net(layer("p", "PReLU", "data"));

std::vector<double> values_of(const Read& read, std::string_view name) {
  const Node node = read.graph ? read.node(name) : Node();
  const auto* constant = node ? node.as<Const>() : nullptr;
  return constant ? to_reals(constant->value).value() : std::vector<double>();
}

class CaffeWeights : public ModelFiles {};

TEST_F(CaffeWeights, AllEncodingsGiveTheSameValues) {
  const std::vector<float> two = {1.5F, -2};
  std::string unpacked = shape({2});
  for (const float value : two) unpacked += varint((5U << 3U) | 5U) + raw<float>({value});
  const std::string pieces = shape({2}) + packed({1.5F}) + packed({-2});
  const std::string doubles = shape({2}) + bytes(8, raw<double>({1.5, -2}));
  const std::string diff = shape({2}) + bytes(6, raw<float>({9, 9})) + packed(two);
  const std::string shapeless = packed(two);
  for (const std::string& blob : {shape({2}) + packed(two), unpacked, pieces, doubles, diff, shapeless}) {
    const Read read = this->read(kPRelu, stored("p", {blob}));
    EXPECT_EQ(values_of(read, "p/blob_0"), (std::vector<double>{1.5, -2})) << read.text();
  }
}

TEST_F(CaffeWeights, LayersOfOneNameTakeTheSameOnes) {
  const std::string twice =
      "layer { name: 'a' type: 'PReLU' bottom: 'data' top: 'x' } layer { name: 'a' type: 'PReLU' bottom: 'x' top: 'y' "
      "}";
  const Read read = this->read(net(twice), stored("a", {shape({2}) + packed({1.5F, -2})}));
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_TRUE(read.warned_of("MO-CAFFE-0037"));
  std::size_t weights = 0;
  for (const Node node : (*read.graph)->nodes()) {
    if (!node.is("caffe::PReLU")) continue;
    ++weights;
    EXPECT_EQ(to_reals(node.input(1).node().as<Const>()->value).value(), (std::vector<double>{1.5, -2}));
  }
  EXPECT_EQ(weights, 2U);
}

TEST_F(CaffeWeights, ASharedOneIsStoredWithItsOwnerOnly) {
  const std::string share = "param { name: 'w' }";
  const Read read = this->read(net(layer("a", "PReLU", "data", share) + layer("b", "PReLU", "a", share)),
                               stored("a", {shape({2}) + packed({1.5F, -2})}));
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_EQ(values_of(read, "b/blob_0"), (std::vector<double>{1.5, -2}));
}

TEST_F(CaffeWeights, LargeBlobsStayInTheFile) {
  const Read read =
      this->read(net(layer("p", "InnerProduct", "data", "inner_product_param { num_output: 4 bias_term: false }")),
                 stored("p", {blob({4, 32})}));
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_NE(read.node("p/blob_0").as<Const>()->value.buffer()->file_range(), nullptr);
}

TEST_F(CaffeWeights, OlderFormsOfTheFile) {
  const std::string legacy = number(1, 1) + number(2, 1) + number(3, 1) + number(4, 2) + packed({3, 4});
  const std::string v1 = bytes(2, number(5, 18) + bytes(4, "p") + bytes(6, legacy));
  const std::string v0 = bytes(2, bytes(1, bytes(1, "p") + bytes(2, "relu") + bytes(50, legacy)));
  for (const std::string& file : {v1, v0}) {
    const Read read = this->read(kPRelu, file);
    ASSERT_TRUE(read.graph) << read.text();
    EXPECT_EQ(read.node("p/blob_0").output_type().to_string(), "f32[1,1,1,2]");
    EXPECT_EQ(values_of(read, "p/blob_0"), (std::vector<double>{3, 4}));
  }
}

TEST_F(CaffeWeights, CorruptBlobsAreRefused) {
  const auto code = [&](const std::string& blob) { return this->read(kPRelu, stored("p", {blob})).code(); };
  EXPECT_EQ(code(shape({3}) + packed({1, 2})), "MO-CAFFE-0023");
  EXPECT_EQ(code(shape({-1, -2}) + packed({1, 2})), "MO-CAFFE-0022");
  EXPECT_EQ(code(shape({1LL << 40, 1LL << 40}) + packed({1, 2})), "MO-CAFFE-0022");
  EXPECT_EQ(code(shape(std::vector<std::int64_t>(40, 1)) + packed({1})), "MO-CAFFE-0022");
  EXPECT_EQ(code(number(1, -1) + number(2, 2) + packed({1, 2})), "MO-CAFFE-0022");
  EXPECT_EQ(code(number(1, 1) + number(2, 2) + number(3, 1LL << 31) + packed({1, 2})), "MO-CAFFE-0023");
  EXPECT_EQ(code(shape({2})), "MO-CAFFE-0023");
  EXPECT_EQ(code(""), "MO-CAFFE-0024");
  EXPECT_EQ(code(shape({2}) + bytes(12, "abcd")), "MO-CAFFE-0024");
  EXPECT_EQ(code(shape({2}) + bytes(5, "abcde")), "MO-PB-0007");
  EXPECT_EQ(code(shape({2}) + number(5, 1)), "MO-PB-0006");
  EXPECT_EQ(code(varint((5U << 3U) | 2U) + varint(std::uint64_t{1} << 62U)), "MO-PB-0001");
}

TEST_F(CaffeWeights, FilesThatAreNotModels) {
  EXPECT_EQ(read(kPRelu, "").code(), "MO-IO-0020");
  EXPECT_EQ(read(kPRelu, kPRelu).code(), "MO-IO-0024");
  EXPECT_EQ(read(kPRelu, "<!DOCTYPE html>").code(), "MO-IO-0022");
  EXPECT_EQ(read(kPRelu, number(1, 7)).code(), "MO-CAFFE-0025");
  EXPECT_EQ(read("", stored("p", {blob({2})})).code(), "MO-IO-0020");
  EXPECT_EQ(read_source({path("none.caffemodel"), write("m.prototxt", kPRelu), false, {}, {}}).code(), "MO-IO-0001");
  EXPECT_EQ(read_source({write("m.prototxt", kPRelu), "", false, {}, {}}).code(), "MO-CAFFE-0021");
}

TEST_F(CaffeWeights, EveryTruncationIsAnError) {
  const std::string file = bytes(1, "n") + stored("p", {blob({2})});
  ASSERT_EQ(read(kPRelu, file).code(), "");
  for (std::size_t length = 1; length < file.size(); ++length)
    EXPECT_NE(read(kPRelu, file.substr(0, length)).code(), "") << length;
}

TEST_F(CaffeWeights, TheTopologyIsFoundBesideTheWeights) {
  const std::string weights = write("m.caffemodel", stored("p", {blob({2})}));
  EXPECT_EQ(read_source({weights, "", false, {}, {}}).code(), "MO-CAFFE-0020");
  write("other.prototxt", kPRelu);
  EXPECT_EQ(read_source({weights, "", false, {}, {}}).code(), "");
  write("solver.prototxt", "net: 'x'");
  EXPECT_EQ(read_source({weights, "", false, {}, {}}).code(), "MO-CAFFE-0020");
  write("m.prototxt", kPRelu);
  EXPECT_EQ(read_source({weights, "", false, {}, {}}).code(), "");
}

TEST_F(CaffeWeights, LayersOfOneFileOnly) {
  EXPECT_EQ(read(kPRelu, stored("q", {blob({2})})).code(), "MO-CAFFE-0031");
  const Read more = read(kPRelu, stored("p", {blob({2})}) + stored("loss", {blob({7})}));
  EXPECT_EQ(more.code(), "");
  EXPECT_TRUE(more.warned_of("MO-CAFFE-0030"));
  EXPECT_EQ(read(net(layer("r", "ReLU", "data")), stored("q", {blob({2})})).code(), "MO-CAFFE-0034");
}

TEST_F(CaffeWeights, BlobsMustMatchTheLayer) {
  const std::string topology =
      net(layer("c", "Convolution", "data", "convolution_param { num_output: 4 kernel_size: 1 }"));
  const auto code = [&](const std::vector<std::string>& blobs) {
    return this->read(topology, stored("c", blobs)).code();
  };
  EXPECT_EQ(code({blob({4, 2, 1, 1}), blob({4})}), "");
  EXPECT_EQ(code({blob({4, 2, 1, 1}), blob({1, 1, 1, 4})}), "");
  EXPECT_EQ(code({blob({4, 2, 1, 1})}), "MO-CAFFE-0032");
  EXPECT_EQ(code({blob({4, 2, 1, 1}), blob({4}), blob({4})}), "MO-CAFFE-0032");
  EXPECT_EQ(code({blob({3, 2, 1, 1}), blob({4})}), "MO-CAFFE-0033");
  EXPECT_EQ(code({blob({4, 2, 1, 1}), blob({5})}), "MO-CAFFE-0033");
  EXPECT_EQ(code({}), "MO-CAFFE-0031");
}

TEST_F(CaffeWeights, TypesMayDifferInUpperAndLowerCase) {
  ModelSource source{"", write("m.prototxt", net(layer("r", "RELU", "data"))), false, {"ReLU"}, {}};
  const Read read = read_source(source);
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_EQ(read.node("r").type(), "caffe::ReLU");
}

TEST_F(CaffeWeights, DisabledWeightsAreZerosOfTheRightShapes) {
  const std::string topology =
      layer("c", "Convolution", "data",
            "convolution_param { num_output: 6 group: 2 kernel_h: 3 kernel_w: 1 pad_h: 1 stride: 2 }") +
      layer("b", "BatchNorm", "c") + layer("s", "Scale", "b", "scale_param { bias_term: true }") +
      layer("d", "Deconvolution", "s",
            "convolution_param { num_output: 4 group: 2 kernel_size: 2 stride: 2 bias_term: false }") +
      layer("p", "Pooling", "d", "pooling_param { kernel_size: 3 stride: 2 }") +
      layer("f", "InnerProduct", "p", "inner_product_param { num_output: 5 }") + layer("l", "PReLU", "f");
  const std::string path = write("m.prototxt", net(topology));
  EXPECT_EQ(read_source({"", path, false, {}, {}}).code(), "MO-CAFFE-0031");
  const Read read = read_source({"", path, true, {}, {}});
  ASSERT_TRUE(read.graph) << read.text();
  const auto type = [&](std::string_view name) { return read.node(name).output_type().to_string(); };
  EXPECT_EQ(type("c/blob_0"), "f32[6,1,3,1]");
  EXPECT_EQ(type("c/blob_1"), "f32[6]");
  EXPECT_EQ(type("b/blob_2"), "f32[1]");
  EXPECT_EQ(type("s/blob_1"), "f32[6]");
  EXPECT_EQ(type("d/blob_0"), "f32[6,2,2,2]");
  EXPECT_FALSE(read.node("d/blob_1"));
  // 4 channels, 4x4 -> 2x2 by convolution, 4x4 by deconvolution, 2x2 by pooling
  EXPECT_EQ(type("f/blob_0"), "f32[5,16]");
  EXPECT_EQ(type("l/blob_0"), "f32[5]");
  EXPECT_EQ(values_of(read, "c/blob_1"), std::vector<double>(6, 0));
}

TEST_F(CaffeWeights, DisabledWeightsNeedTheShapesOfInputs) {
  const std::string path = write(
      "m.prototxt", "input: 'data' " + layer("f", "InnerProduct", "data", "inner_product_param { num_output: 5 }"));
  EXPECT_EQ(read_source({"", path, true, {}, {}}).code(), "MO-CAFFE-0036");
  const std::string unknown =
      write("u.prototxt", "input: 'data' input_dim: 1 input_dim: 3 input_dim: 8 input_dim: 8 " +
                              layer("mystery", "SeLu", "data") +
                              layer("f", "InnerProduct", "mystery", "inner_product_param { num_output: 5 }"));
  const Read hidden = read_source({"", unknown, true, {"InnerProduct"}, {}});
  EXPECT_EQ(hidden.code(), "MO-CAFFE-0036");
  EXPECT_NE(hidden.text().find("the type SeLu of layer 'mystery' is unknown"), std::string::npos) << hidden.text();
  const Read read = read_source({"", path, true, {}, {{"", PartialShape({2, 3})}}});
  ASSERT_TRUE(read.graph) << read.text();
  EXPECT_EQ(read.node("f/blob_0").output_type().to_string(), "f32[5,3]");
}

}  // namespace
}  // namespace mo::caffe::testing
