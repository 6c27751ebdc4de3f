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

/// Loops that put tensors of different lengths into a sequence, which is concatenated after the loop.
class OnnxLoopSequences : public testing::Test {
 protected:
  OnnxLoopSequences() : folder_(fs::path(testing::TempDir()) / ("mo_onnx_sequences_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~OnnxLoopSequences() override { fs::remove_all(folder_); }

  /// Iteration i puts rows 0 … i of x, f32[4,2], into the sequence; `part` is what it puts: the rows ("p") or their
  /// transpose ("pt").
  Expected<Report> converted(const std::string& part, int axis, int ir_version) {
    const std::string scalar = " type { tensor_type { elem_type: ";
    std::ofstream(folder_ / "m.onnxtxt")
        << "ir_version: 8 opset_import { version: 13 } graph { name: 'g' "
           "input { name: 'x' type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } dim { dim_value: 2 } } } "
           "} } "
           "initializer { name: 'n' data_type: 7 int64_data: 3 } initializer { name: 't' data_type: 9 int32_data: 1 } "
           "node { op_type: 'SequenceEmpty' output: 'e' } "
           "node { op_type: 'Loop' input: 'n' input: 't' input: 'e' output: 's' attribute { name: 'body' type: GRAPH g "
           "{ name: 'b' "
           "input { name: 'i'"
        << scalar << "7 shape { } } } } input { name: 'c'" << scalar
        << "9 shape { } } } } input { name: 'q' type { sequence_type { elem_type { tensor_type { elem_type: 1 } } } } "
           "} "
           "initializer { name: 'one' data_type: 7 dims: 1 int64_data: 1 } initializer { name: 'zero' data_type: 7 "
           "dims: 1 int64_data: 0 } "
           "node { op_type: 'Add' input: 'i' input: 'one' output: 'i1' } "
           "node { op_type: 'Slice' input: 'x' input: 'zero' input: 'i1' input: 'zero' output: 'p' } "
           "node { op_type: 'Transpose' input: 'p' output: 'pt' } "
           "node { op_type: 'SequenceInsert' input: 'q' input: '"
        << part
        << "' output: 'r' } node { op_type: 'Identity' input: 'c' output: 'd' } "
           "output { name: 'd'"
        << scalar << "9 shape { } } } } output { name: 'r' } } } } "
        << "node { op_type: 'ConcatFromSequence' input: 's' output: 'y' attribute { name: 'axis' type: INT i: " << axis
        << " } } output { name: 'y' } }";
    Options options;
    options.input_model = (folder_ / "m.onnxtxt").string();
    options.framework = "onnx";
    options.output_dir = folder_.string();
    options.ir_version = ir_version;
    return convert(options, sink_);
  }

  std::vector<double> result_of(const Report& report) {
    const auto read = ir::read_ir(report.xml_path, "", test::builtins().ops(), sink_);
    EXPECT_TRUE(read) << read.error().first().format();
    if (!read) return {};
    const auto results =
        execute(**read, {*from_reals(ElementType::f32, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}, ExecutorOptions{});
    EXPECT_TRUE(results) << results.error().first().format();
    return results ? *to_reals(results->front()) : std::vector<double>();
  }

  fs::path folder_;
  DiagnosticList sink_;
};

TEST_F(OnnxLoopSequences, RowsAreConcatenated) {
  const auto report = converted("p", 0, 11);
  ASSERT_TRUE(report) << report.error().first().format();
  EXPECT_EQ(result_of(*report), (std::vector<double>{1, 2, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6}));
}

TEST_F(OnnxLoopSequences, ColumnsAreConcatenatedFromEitherEndOfTheAxes) {
  for (const int axis : {1, -1}) {
    const auto report = converted("pt", axis, 11);
    ASSERT_TRUE(report) << report.error().first().format();
    EXPECT_EQ(result_of(*report), (std::vector<double>{1, 1, 3, 1, 3, 5, 2, 2, 4, 2, 4, 6}));
  }
}

TEST_F(OnnxLoopSequences, IrVersion10HasNoTensorsThatGrow) {
  const auto report = converted("p", 0, 10);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().first().code, "MO-BACK-0002");
}

}  // namespace
}  // namespace mo
