#include "cli/exit_code.hpp"

#include <gtest/gtest.h>

namespace mo::cli {
namespace {

TEST(ExitCode, FollowsTheTable) {
  EXPECT_EQ(exit_code_of("MO-CLI-0001"), ExitCode::usage);
  EXPECT_EQ(exit_code_of("MO-CLI-0021"), ExitCode::unsupported);
  EXPECT_EQ(exit_code_of("MO-CLI-0090"), ExitCode::resource_limit);
  EXPECT_EQ(exit_code_of("MO-CLI-0091"), ExitCode::conversion_failed);
  EXPECT_EQ(exit_code_of("MO-DRIVER-0003"), ExitCode::output_unwritable);
  EXPECT_EQ(exit_code_of("MO-CORE-0001"), ExitCode::resource_limit);
  EXPECT_EQ(exit_code_of("MO-IO-0001"), ExitCode::input_unreadable);
  EXPECT_EQ(exit_code_of("MO-IO-0002"), ExitCode::input_unreadable);
  EXPECT_EQ(exit_code_of("MO-PB-0003"), ExitCode::input_malformed);
  EXPECT_EQ(exit_code_of("MO-ONNX-0003"), ExitCode::input_malformed);
  EXPECT_EQ(exit_code_of("MO-ONNX-0470"), ExitCode::unsupported);
  EXPECT_EQ(exit_code_of("MO-FRONT-0001"), ExitCode::unsupported);
  EXPECT_EQ(exit_code_of("MO-FRONT-0002"), ExitCode::unsupported);
  EXPECT_EQ(exit_code_of("MO-GRAPH-0010"), ExitCode::input_malformed);
  EXPECT_EQ(exit_code_of("MO-BACK-0002"), ExitCode::unsupported);
  EXPECT_EQ(exit_code_of("MO-EMIT-0001"), ExitCode::output_unwritable);
  EXPECT_EQ(exit_code_of("MO-EMIT-0005"), ExitCode::conversion_failed);
  EXPECT_EQ(exit_code_of("MO-OPS-0012"), ExitCode::conversion_failed);
  EXPECT_EQ(exit_code_of("MO-PASS-0022"), ExitCode::extension_failed);
  EXPECT_EQ(exit_code_of("MO-CONFIG-0001"), ExitCode::extension_failed);
}

TEST(ExitCode, WhateverHasNoRowIsAFailedConversion) {
  EXPECT_EQ(exit_code_of("TINY-0001"), ExitCode::conversion_failed);
  EXPECT_EQ(exit_code_of("MO-FRONT-00010"), ExitCode::conversion_failed);
  EXPECT_EQ(exit_code_of(""), ExitCode::conversion_failed);
}

TEST(ExitCode, TheFirstDiagnosticDecides) {
  EXPECT_EQ(exit_code_of(Error({error("MO-ONNX-0001", "a"), error("MO-CLI-0001", "b")})), ExitCode::input_malformed);
}

}  // namespace
}  // namespace mo::cli
