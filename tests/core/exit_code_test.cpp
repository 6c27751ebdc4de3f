#include "core/diagnostics/exit_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/diagnostics/exit_code_table.hpp"

namespace mo {
namespace {

TEST(ExitCode, TheTableIsInOrder) {
  EXPECT_TRUE(std::ranges::is_sorted(declared_exit_codes(), {}, &DeclaredExitCode::prefix));
}

TEST(ExitCode, FollowsTheDeclarationOfTheCodeAndElseThatOfItsArea) {
  EXPECT_EQ(exit_code_of("MO-CLI-0001"), ExitCode::usage);
  EXPECT_EQ(exit_code_of("MO-CLI-0021"), ExitCode::unsupported);
  EXPECT_EQ(exit_code_of("MO-CLI-0090"), ExitCode::resource_limit);
  EXPECT_EQ(exit_code_of("MO-CLI-0091"), ExitCode::conversion_failed);
  EXPECT_EQ(exit_code_of("MO-DRIVER-0003"), ExitCode::output_unwritable);
  EXPECT_EQ(exit_code_of("MO-IO-0001"), ExitCode::input_unreadable);
  EXPECT_EQ(exit_code_of("MO-PB-0003"), ExitCode::input_malformed);
  EXPECT_EQ(exit_code_of("MO-BACK-0002"), ExitCode::unsupported);
  EXPECT_EQ(exit_code_of("MO-CONFIG-0001"), ExitCode::extension_failed);
}

TEST(ExitCode, ErrorsOfInferenceAndExtractionMeanABadModel) {
  for (const char* code : {"MO-OPS-0012", "MO-CORE-0002", "MO-FRONT-0003", "MO-FRONT-0004", "MO-BACK-0003",
                           "MO-EMIT-0005", "MO-EMIT-0006", "MO-GRAPH-0010"})
    EXPECT_EQ(exit_code_of(code), ExitCode::input_malformed) << code;
}

TEST(ExitCode, LimitsAreLimitsInEveryFramework) {
  for (const char* code : {"MO-ONNX-0017", "MO-ONNX-0018", "MO-ONNX-0019", "MO-ONNX-0038", "MO-ONNX-0043", "MO-TF-0010",
                           "MO-CAFFE-0009", "MO-CORE-0001", "MO-EMIT-0009"})
    EXPECT_EQ(exit_code_of(code), ExitCode::resource_limit) << code;
}

TEST(ExitCode, WrongOptionsMeanTheCommandLine) {
  for (const char* code : {"MO-CONFIG-0040", "MO-CONFIG-0041", "MO-PASS-0022", "MO-PASS-0023", "MO-PASS-0026",
                           "MO-PASS-0011", "MO-CUT-0001", "MO-PRE-0001"})
    EXPECT_EQ(exit_code_of(code), ExitCode::usage) << code;
}

TEST(ExitCode, UndeclaredCodesAreFailedConversions) {
  for (const char* code : {"TINY-0001", "MO-FRONT-00010", "MO-FRONT-", "MO-", "-", ""})
    EXPECT_EQ(exit_code_of(code), ExitCode::conversion_failed) << code;
}

TEST(ExitCode, TheFirstDiagnosticDecides) {
  EXPECT_EQ(exit_code_of(Error({error("MO-ONNX-0001", "a"), error("MO-CLI-0001", "b")})), ExitCode::input_malformed);
}

}  // namespace
}  // namespace mo
