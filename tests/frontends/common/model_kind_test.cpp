#include "frontends/common/model_kind.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "frontends/common/zip_names.hpp"

namespace mo::frontends {
namespace {

using namespace std::string_literals;

/// Kinds as such are tested with the messages that they lead to, in tests/e2e/wrong_starts_test.py; here is what must
/// not go wrong.
class ModelKinds : public ::testing::Test {
 protected:
  ~ModelKinds() override { std::filesystem::remove(path_); }

  FilePtr file(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return *File::open(path_);
  }
  ModelKind kind(const std::string& bytes) { return kind_of(file(bytes)); }

  std::string path_ = ::testing::TempDir() + "model_kind_" + std::to_string(::getpid());
};

std::string number(int field, int value) { return {static_cast<char>(field << 3), static_cast<char>(value)}; }
std::string message(int field, const std::string& content) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(content.size())} + content;
}

std::string little(std::size_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, value >>= 8) text += static_cast<char>(value & 255);
  return text;
}

/// A zip archive with a directory entry of this name, whose lengths may lie.
std::string zip(const std::string& name, std::size_t claimed_length, std::size_t directory_offset = 4) {
  return "PK\x03\x04" +
         ("PK\x01\x02"s + std::string(24, '\0') + little(claimed_length, 2) + std::string(16, '\0') + name) +
         ("PK\x05\x06"s + std::string(12, '\0') + little(directory_offset, 4) + std::string(2, '\0'));
}

TEST_F(ModelKinds, GraphsAreDistinguishedFromSimilarMessages) {
  const std::string node = message(1, message(1, "x") + message(2, "Relu"));
  EXPECT_EQ(kind(node), ModelKind::tensorflow_graph);
  EXPECT_EQ(kind(message(4, number(1, 9)) + node), ModelKind::tensorflow_graph) << "versions may come first";
  EXPECT_EQ(kind(message(1, message(5, "1.15")) + message(2, node)), ModelKind::tensorflow_meta_graph);
  EXPECT_EQ(kind(message(2, node)), ModelKind::tensorflow_meta_graph) << "without its head";
  EXPECT_EQ(kind(number(1, 1) + message(2, message(2, node))), ModelKind::saved_model);
  EXPECT_EQ(kind(message(7, message(2, "g")) + number(1, 8)), ModelKind::onnx) << "whichever comes first";
  EXPECT_EQ(kind(message(1, "net") + message(2, message(2, "data") + message(4, "conv") + number(5, 4))),
            ModelKind::caffe_weights)
      << "V1 layers";
}

TEST_F(ModelKinds, UncertainKindsAreUnknown) {
  EXPECT_EQ(kind(""), ModelKind::unknown);
  EXPECT_EQ(kind("\x01\x02\x03"), ModelKind::unknown);
  EXPECT_EQ(kind("hello, this is some text: it is long enough\n"), ModelKind::unknown);
  EXPECT_EQ(kind(number(1, 8) + message(2, "only a head")), ModelKind::unknown);
  EXPECT_EQ(kind(number(1, 8) + "\x3A\x7F" + "cut off"), ModelKind::unknown) << "the graph goes beyond the end";
  EXPECT_EQ(kind_of_path(path_ + "_missing"), ModelKind::unknown);
}

TEST_F(ModelKinds, WordsInStringsAndInsideOfMessagesAreNotFields) {
  EXPECT_EQ(kind("name: \"layer { \\\" node {\"\nlayer { name: 'a' }"), ModelKind::caffe_topology);
  EXPECT_EQ(kind("ir_version: 8\ngraph { node { name: 'layer' } }"), ModelKind::onnx_text);
  EXPECT_EQ(kind("# layer {\nnode { name: 'x' op: 'Relu' }"), ModelKind::tensorflow_graph_text);
}

TEST_F(ModelKinds, DamagedZipsAreZips) {
  EXPECT_EQ(names_in_zip(*file(zip("a.onnx", 6))), std::vector<std::string>{"a.onnx"});
  EXPECT_TRUE(names_in_zip(*file(zip("a.onnx", 60'000))).empty());
  EXPECT_TRUE(names_in_zip(*file(zip("a.onnx", 6, 0xFFFFFFFF))).empty());
  EXPECT_TRUE(names_in_zip(*file("PK\x03\x04")).empty());
  EXPECT_EQ(kind(zip("a/data.pkl", 10)), ModelKind::pytorch);
  EXPECT_EQ(kind(zip("a/data.pkl", 10).substr(0, 70)), ModelKind::zip);
}

/// A corrupt file has some kind; what matters is that nothing reads outside of it (the sanitizers see
/// that).
TEST_F(ModelKinds, CorruptFilesDoNotCrash) {
  const std::string node = message(1, message(1, "x") + message(2, "Relu") + message(3, "y"));
  std::mt19937 random(7);
  for (const std::string& good : {node + node, number(1, 1) + message(2, message(2, node)), zip("a/data.pkl", 10),
                                  "\x14\0\0\0\0\0\0\0{\"a\": {}}      "s})
    for (std::size_t at = 0; at < good.size(); ++at) {
      kind(good.substr(0, at));
      std::string damaged = good;
      damaged[at] = static_cast<char>(random());
      kind(damaged);
    }
}

}  // namespace
}  // namespace mo::frontends
