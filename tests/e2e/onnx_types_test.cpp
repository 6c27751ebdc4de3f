#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/support/builtins.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

/// Tensors of the element types that only ONNX has, or that IRs store in another way: what the model computes, the IR
/// computes.
class OnnxTypes : public testing::Test {
 protected:
  OnnxTypes() : folder_(fs::path(testing::TempDir()) / ("mo_onnx_types_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~OnnxTypes() override { fs::remove_all(folder_); }

  /// The numbers that the IR of this graph gives for an x of zeros, f32[2,3]; its constants by element type are in
  /// `constants_`.
  std::vector<double> result_of(const std::string& graph) {
    std::ofstream(folder_ / "m.onnxtxt")
        << "ir_version: 10 opset_import { version: 21 } graph { name: 'g' input { name: 'x' type { tensor_type { "
           "elem_type: 1 shape { dim { dim_value: 2 } dim { dim_value: 3 } } } } } "
        << graph << " output { name: 'y' } }";
    Options options;
    options.input_model = (folder_ / "m.onnxtxt").string();
    options.framework = "onnx";
    options.output_dir = folder_.string();
    DiagnosticList sink;
    const auto report = convert(options, sink);
    EXPECT_TRUE(report) << report.error().first().format();
    if (!report) return {};
    const auto read = ir::read_ir(report->xml_path, "", test::builtins().ops(), sink);
    EXPECT_TRUE(read) << read.error().first().format();
    if (!read) return {};
    constants_.clear();
    for (const Node node : (*read)->nodes())
      if (const auto* constant = node.as<Const>()) constants_.push_back(constant->value.element_type());
    const auto results = execute(**read, {*Tensor::allocate(ElementType::f32, {2, 3})}, ExecutorOptions{});
    EXPECT_TRUE(results) << results.error().first().format();
    return results ? *to_reals(results->front()) : std::vector<double>();
  }
  bool has_constant(ElementType type) const {
    return std::find(constants_.begin(), constants_.end(), type) != constants_.end();
  }

  fs::path folder_;
  std::vector<ElementType> constants_;
};

/// x + DequantizeLinear(w, [0.5, 2]) for the numbers 1, 2, 4, 1, 2, 4.
std::string dequantized(const std::string& data_type, const std::string& raw) {
  return "initializer { name: 'w' dims: 2 dims: 3 data_type: " + data_type + " raw_data: '" + raw +
         "' } initializer { name: 's' dims: 2 data_type: 1 float_data: 0.5 float_data: 2 } "
         "node { op_type: 'DequantizeLinear' input: 'w' input: 's' output: 'd' attribute { name: 'axis' i: 0 type: INT "
         "} } "
         "node { op_type: 'Add' input: 'x' input: 'd' output: 'y' }";
}
const std::vector<double> kDequantized{0.5, 1, 2, 2, 4, 8};

TEST_F(OnnxTypes, EightBitFloatsAreDequantizedExactly) {
  for (const auto& [type, raw] :
       {std::pair("17", "\\x38\\x40\\x48\\x38\\x40\\x48"), std::pair("18", "\\x40\\x48\\x50\\x40\\x48\\x50"),
        std::pair("19", "\\x3C\\x40\\x44\\x3C\\x40\\x44"), std::pair("20", "\\x40\\x44\\x48\\x40\\x44\\x48")}) {
    SCOPED_TRACE(type);
    EXPECT_EQ(result_of(dequantized(type, raw)), kDequantized);
  }
}

TEST_F(OnnxTypes, FourBitNumbersAreDequantizedExactly) {
  for (const auto& [type, raw] :
       {std::pair("21", "\\x21\\x14\\x42"), std::pair("22", "\\x21\\x14\\x42"), std::pair("23", "\\x42\\x26\\x64")}) {
    SCOPED_TRACE(type);
    EXPECT_EQ(result_of(dequantized(type, raw)), kDequantized);
  }
}

TEST_F(OnnxTypes, StringsThatOnlyConversionNeedsLeaveNothingInTheIr) {
  EXPECT_EQ(
      result_of(
          "initializer { name: 's' dims: 3 data_type: 8 string_data: '1.5' string_data: '-2' string_data: '1e2' } "
          "initializer { name: 'i' dims: 3 data_type: 7 int64_data: 2 int64_data: 0 int64_data: 1 } "
          "node { op_type: 'Cast' input: 's' output: 'n' attribute { name: 'to' i: 1 type: INT } } "
          "node { op_type: 'Gather' input: 'n' input: 'i' output: 'g' } "
          "node { op_type: 'Gather' input: 's' input: 'i' output: 't' } node { op_type: 'Size' input: 't' output: 'c' "
          "} "
          "node { op_type: 'Cast' input: 'c' output: 'f' attribute { name: 'to' i: 1 type: INT } } "
          "node { op_type: 'Add' input: 'x' input: 'g' output: 'a' } node { op_type: 'Add' input: 'a' input: 'f' "
          "output: 'y' }"),
      (std::vector<double>{103, 4.5, 1, 103, 4.5, 1}));
  EXPECT_FALSE(has_constant(ElementType::string));
}

}  // namespace
}  // namespace mo
